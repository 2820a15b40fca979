//===- Emitter.cpp - loops over scalar elements -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Emitter.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mica::plain {

//===------------------------------------------------------------------------------------------------------------===//
// Buffers and elements
//===------------------------------------------------------------------------------------------------------------===//

static MemRefType bufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

Value Emitter::buffer(Value tensor) {
  return bufferization::ToBufferOp::create(b, loc, bufferType(tensor.getType()), tensor, /*read_only=*/true);
}

Value Emitter::result(unsigned number) {
  auto type = cast<RankedTensorType>(op->getResult(number).getType());
  SmallVector<Value> dynamic;
  if (!type.hasStaticShape()) {
    if (shapes.empty())
      (void)cast<ReifyRankedShapedTypeOpInterface>(op).reifyResultShapes(b, shapes);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        dynamic.push_back(getValueOrCreateConstantIndexOp(b, loc, shapes[number][dim]));
  }
  return memref::AllocOp::create(b, loc, bufferType(type), dynamic, b.getI64IntegerAttr(64));
}

Value Emitter::resultOf(ArrayRef<Value> sizes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamic.push_back(size);
  return memref::AllocOp::create(b, loc, bufferType(type), dynamic, b.getI64IntegerAttr(64));
}

Value Emitter::scratch(Type type, ArrayRef<Value> sizes) {
  auto buffer = MemRefType::get(SmallVector<int64_t>(sizes.size(), ShapedType::kDynamic), type);
  return memref::AllocOp::create(b, loc, buffer, sizes, b.getI64IntegerAttr(64));
}

void Emitter::replace(ArrayRef<Value> buffers) {
  for (auto [result, buffer] : llvm::zip_equal(op->getResults(), buffers))
    result.replaceAllUsesWith(bufferization::ToTensorOp::create(b, loc, result.getType(), buffer, /*restrict=*/true,
                                                                /*writable=*/true));
  op->erase();
}

Value Emitter::raw(Value buffer, ArrayRef<Value> at) { return memref::LoadOp::create(b, loc, buffer, at); }

void Emitter::storeRaw(Value element, Value buffer, ArrayRef<Value> at) {
  memref::StoreOp::create(b, loc, element, buffer, at);
}

Value Emitter::widen(Value element) {
  Type type = element.getType();
  if (isa<FloatType>(type))
    return type.isF64() ? element : make<arith::ExtFOp>(Type(b.getF64Type()), element);
  if (type.isInteger(64))
    return element;
  return type.isInteger(1) ? make<arith::ExtUIOp>(Type(b.getI64Type()), element)
                           : make<arith::ExtSIOp>(Type(b.getI64Type()), element);
}

void Emitter::store(Value value, Value buffer, ArrayRef<Value> at) {
  Type type = elementOf(buffer);
  if (value.getType() != type)
    value = isa<FloatType>(type) ? make<arith::TruncFOp>(type, value) : make<arith::TruncIOp>(type, value);
  storeRaw(value, buffer, at);
}

Value Emitter::rawZero(Value buffer) { return constant(b.getZeroAttr(elementOf(buffer))); }

Value Emitter::size(Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.isDynamicDim(dim) ? memref::DimOp::create(b, loc, buffer, dim).getResult() : index(type.getDimSize(dim));
}

SmallVector<Value> Emitter::sizes(Value buffer) {
  SmallVector<Value> all;
  for (int64_t dim = 0; dim < cast<MemRefType>(buffer.getType()).getRank(); ++dim)
    all.push_back(size(buffer, dim));
  return all;
}

//===------------------------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------------------------===//

SmallVector<Value> Emitter::fold(ArrayRef<Value> bounds, ArrayRef<Value> start, Step step) {
  SmallVector<scf::ForOp> loops;
  SmallVector<Value> steps, carried(start);
  Value zero = index(0), one = index(1);
  OpBuilder::InsertionGuard guard(b);
  // An outer loop around an empty one may have 2^62 iterations.
  SmallVector<Value> ends(bounds);
  for (Value inner : bounds.drop_front(std::min<size_t>(1, bounds.size())))
    if (std::optional<int64_t> known = getConstantIntValue(inner); !known || *known == 0)
      ends.front() = select(make<arith::CmpIOp>(arith::CmpIPredicate::eq, inner, zero), zero, ends.front());
  for (Value bound : ends) {
    loops.push_back(scf::ForOp::create(b, loc, zero, bound, one, carried));
    b.setInsertionPointToStart(loops.back().getBody());
    steps.push_back(loops.back().getInductionVar());
    carried.assign(loops.back().getRegionIterArgs().begin(), loops.back().getRegionIterArgs().end());
  }
  carried = step(steps, carried);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    // Without loop-carried values the loop has its terminator already.
    if (!carried.empty()) {
      b.setInsertionPointToEnd(loop.getBody());
      scf::YieldOp::create(b, loc, carried);
    }
    carried.assign(loop.result_begin(), loop.result_end());
  }
  return carried;
}

Value Emitter::fold(ArrayRef<Value> bounds, Value start, llvm::function_ref<Value(ArrayRef<Value>, Value)> step) {
  return fold(bounds, ArrayRef<Value>(start), [&](ArrayRef<Value> at, ArrayRef<Value> carried) -> SmallVector<Value> {
    return {step(at, carried[0])};
  })[0];
}

void Emitter::loop(ArrayRef<Value> bounds, Body body) {
  (void)fold(bounds, ArrayRef<Value>(), [&](ArrayRef<Value> at, ArrayRef<Value>) -> SmallVector<Value> {
    body(at);
    return {};
  });
}

Value Emitter::choose(Value condition, llvm::function_ref<Value()> then, llvm::function_ref<Value()> otherwise) {
  OpBuilder::InsertionGuard guard(b);
  Location at = loc;
  auto yield = [&](OpBuilder &inner, llvm::function_ref<Value()> value) {
    b.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
    Value made = value();
    scf::YieldOp::create(b, at, made);
  };
  return scf::IfOp::create(
             b, loc, condition, [&](OpBuilder &inner, Location) { yield(inner, then); },
             [&](OpBuilder &inner, Location) { yield(inner, otherwise); })
      .getResult(0);
}

void Emitter::when(Value condition, llvm::function_ref<void()> then) {
  auto made = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(made.thenBlock());
  then();
}

//===------------------------------------------------------------------------------------------------------------===//
// Numbers
//===------------------------------------------------------------------------------------------------------------===//

static bool isReal(Value x) { return x.getType().isF64(); }

Value Emitter::add(Value x, Value y) { return isReal(x) ? make<arith::AddFOp>(x, y) : make<arith::AddIOp>(x, y); }
Value Emitter::sub(Value x, Value y) { return isReal(x) ? make<arith::SubFOp>(x, y) : make<arith::SubIOp>(x, y); }
Value Emitter::mul(Value x, Value y) { return isReal(x) ? make<arith::MulFOp>(x, y) : make<arith::MulIOp>(x, y); }
Value Emitter::div(Value x, Value y) { return isReal(x) ? make<arith::DivFOp>(x, y) : make<arith::DivSIOp>(x, y); }

Value Emitter::larger(Value x, Value y) {
  return isReal(x) ? make<arith::MaximumFOp>(x, y) : make<arith::MaxSIOp>(x, y);
}

Value Emitter::smaller(Value x, Value y) {
  return isReal(x) ? make<arith::MinimumFOp>(x, y) : make<arith::MinSIOp>(x, y);
}

Value Emitter::compare(mica::Comparison kind, Value x, Value y) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F kFloat[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  static constexpr I kInteger[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  auto number = static_cast<unsigned>(kind);
  return isReal(x) ? make<arith::CmpFOp>(kFloat[number], x, y) : make<arith::CmpIOp>(kInteger[number], x, y);
}

Value Emitter::limit(Value buffer, bool negative) {
  unsigned width = bits(buffer);
  if (!isFloat(buffer)) {
    if (width == 1)
      return integer(negative ? 0 : 1);
    APInt value = negative ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width);
    return integer(value.getSExtValue());
  }
  auto type = cast<FloatType>(elementOf(buffer));
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  // A type without infinities uses its largest finite numbers.
  APFloat value = APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics, negative)
                                                      : APFloat::getLargest(semantics, negative);
  return real(FloatAttr::get(type, value).getValueAsDouble());
}

Value Emitter::exp(Value x) { return make<math::ExpOp>(x); }
Value Emitter::sqrt(Value x) { return make<math::SqrtOp>(x); }
Value Emitter::roundEven(Value x) { return make<math::RoundEvenOp>(x); }

Value Emitter::toInteger(Value x) {
  return x.getType().isIndex() ? make<arith::IndexCastOp>(Type(b.getI64Type()), x) : x;
}

Value Emitter::toIndex(Value x) {
  return x.getType().isIndex() ? x : make<arith::IndexCastOp>(Type(b.getIndexType()), x);
}

Value Emitter::toReal(Value x) { return make<arith::SIToFPOp>(Type(b.getF64Type()), toInteger(x)); }

Value Emitter::nearestReal(Value x, Type type) {
  if (type.isF64())
    return toReal(x);
  // The bits that exceed the mantissa of f64 become one sticky bit: enough to round to fewer bits.
  x = toInteger(x);
  Value limit = integer(int64_t(1) << 53), low = integer(0x3ff), none = integer(0);
  Value isExact = both(lt(x, limit), gt(x, sub(none, limit)));
  Value dropped = both(x, low), kept = both(x, flip(low));
  Value marked = select(eq(dropped, none), kept, either(kept, integer(0x400)));
  return toReal(select(isExact, x, marked));
}

} // namespace mica::plain
