//===- PlaceOnBuffers.cpp - bufferizing structured and elementwise ops --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// If a linalg op does not read its init, upstream's bufferization treats it as uninitialized, even if the op writes
// only a part of it. To avoid that, every linalg op on tensors is bufferized here: it reads its inputs in place and
// works on a copy of each init.
//
//   %0 = linalg.matmul ins(%a, %b) outs(%c)
//   =>
//   %x, %y = bufferization.to_buffer %a, %b        %z = memref.alloc  (f64: reductions are computed in f64)
//   memref.copy %c, %z                             linalg.generic ins(%x, %y) outs(%z)
//   %0 = bufferization.to_tensor %z
//
// Elementwise ops on tensors become loops.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mica {
#define GEN_PASS_DEF_PLACEONBUFFERS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Whether `type` is a float that is narrower than f64.
static bool isNarrowFloat(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  return floating && floating.getWidth() < 64;
}

namespace {
/// Emits the body of a reduction with every float in f64; casts round, as in the program.
class WideBody {
public:
  WideBody(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  /// Replaces `from` by `to`, which is widened or has the original type.
  void bind(Value from, Value to) { (to.getType() == from.getType() ? narrow : wide)[from] = to; }
  void clone(Operation &op);
  /// `value` in f64 if it is a float, else unchanged.
  Value widened(Value value) {
    if (!isNarrowFloat(value.getType()))
      return kept(value);
    Value &known = wide[value];
    if (!known)
      known = arith::ExtFOp::create(b, loc, b.getF64Type(), kept(value));
    return known;
  }
  /// `value` in its original type.
  Value kept(Value value) {
    if (Value known = narrow.lookup(value))
      return known;
    Value known = wide.lookup(value);
    if (!known)
      return value; // defined outside of the op
    return narrow[value] = arith::TruncFOp::create(b, loc, value.getType(), known);
  }

private:
  OpBuilder &b;
  Location loc;
  llvm::DenseMap<Value, Value> wide, narrow;
};
} // namespace

void WideBody::clone(Operation &op) {
  auto isWide = [](Value value) { return isNarrowFloat(value.getType()); };
  if (isa<arith::ExtFOp>(op) && op.getResult(0).getType().isF64())
    return bind(op.getResult(0), widened(op.getOperand(0)));
  if (isa<arith::ExtFOp>(op))
    return (void)(wide[op.getResult(0)] = widened(op.getOperand(0)));
  bool rounds = isa<arith::TruncFOp, arith::BitcastOp>(op) || !OpTrait::hasElementwiseMappableTraits(&op) ||
                op.getNumRegions() > 0;
  if (!rounds && (llvm::any_of(op.getOperands(), isWide) || llvm::any_of(op.getResults(), isWide))) {
    OperationState state(op.getLoc(), op.getName());
    for (Value operand : op.getOperands())
      state.addOperands(widened(operand));
    for (Type type : op.getResultTypes())
      state.addTypes(isNarrowFloat(type) ? Type(b.getF64Type()) : type);
    state.addAttributes(llvm::to_vector(op.getDiscardableAttrs()));
    state.propertiesAttr = op.getPropertiesAsAttribute();
    for (auto [from, to] : llvm::zip_equal(op.getResults(), b.create(state)->getResults()))
      bind(from, to);
    return;
  }
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  for (Region &region : op.getRegions())
    getUsedValuesDefinedAbove(region, region, used);
  IRMapping mapping;
  for (Value value : used)
    mapping.map(value, kept(value));
  for (auto [from, to] : llvm::zip_equal(op.getResults(), b.clone(op, mapping)->getResults()))
    bind(from, to);
}

/// A new buffer of `element` with the sizes of `like`.
static Value bufferLike(plain::Emitter &e, Value like, Type element) {
  auto type = cast<MemRefType>(like.getType());
  SmallVector<Value> dynamic;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamic.push_back(e.size(like, dim));
  return memref::AllocOp::create(e.b, e.loc, MemRefType::get(type.getShape(), element), dynamic,
                                 e.b.getI64IntegerAttr(64));
}

/// Copies elements, converting between float types.
static void copyElements(plain::Emitter &e, Value from, Value to) {
  bool isSame = e.elementOf(from) == e.elementOf(to);
  e.loop(e.sizes(from),
         [&](ArrayRef<Value> at) { isSame ? e.storeRaw(e.raw(from, at), to, at) : e.store(e.load(from, at), to, at); });
}

static void place(linalg::GenericOp op) {
  plain::Emitter e(op);
  bool reduces = op.getNumReductionLoops() > 0;
  SmallVector<Value> inputs, inits, results;
  for (Value input : op.getInputs())
    inputs.push_back(isa<RankedTensorType>(input.getType()) ? e.buffer(input) : input);
  for (Value tensor : op.getOutputs()) {
    Value init = e.buffer(tensor);
    Type element = e.elementOf(init);
    inits.push_back(bufferLike(e, init, reduces && isNarrowFloat(element) ? Type(e.b.getF64Type()) : element));
    // A tensor.empty has no values to keep.
    if (!tensor.getDefiningOp<tensor::EmptyOp>())
      copyElements(e, init, inits.back());
  }
  linalg::GenericOp::create(e.b, e.loc, TypeRange(), inputs, inits, op.getIndexingMapsArray(),
                            op.getIteratorTypesArray(), [&](OpBuilder &b, Location loc, ValueRange arguments) {
                              if (!reduces) {
                                IRMapping mapping;
                                mapping.map(op.getBody()->getArguments(), arguments);
                                for (Operation &inner : op.getBody()->getOperations())
                                  b.clone(inner, mapping);
                                return;
                              }
                              WideBody body(b, loc);
                              for (auto [from, to] : llvm::zip_equal(op.getBody()->getArguments(), arguments))
                                body.bind(from, to);
                              for (Operation &inner : op.getBody()->without_terminator())
                                body.clone(inner);
                              SmallVector<Value> yielded;
                              for (Value value : op.getBody()->getTerminator()->getOperands())
                                yielded.push_back(body.widened(value));
                              linalg::YieldOp::create(b, loc, yielded);
                            });
  for (auto [tensor, made] : llvm::zip_equal(op.getOutputs(), inits)) {
    Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
    results.push_back(made);
    if (e.elementOf(made) == element)
      continue;
    results.back() = bufferLike(e, made, element);
    copyElements(e, made, results.back());
  }
  e.replace(results);
}

/// An op on tensors that computes each element from the operands' elements at the same position.
static void placeElementwise(Operation *op) {
  plain::Emitter e(op);
  SmallVector<Value> operands, results;
  Value like;
  for (Value operand : op->getOperands()) {
    operands.push_back(isa<RankedTensorType>(operand.getType()) ? e.buffer(operand) : operand);
    if (isa<RankedTensorType>(operand.getType()))
      like = operands.back();
  }
  for (Type type : op->getResultTypes()) {
    Value sizes = bufferLike(e, like, cast<RankedTensorType>(type).getElementType());
    auto wanted = MemRefType::get(cast<RankedTensorType>(type).getShape(), e.elementOf(sizes));
    results.push_back(sizes.getType() == wanted ? sizes : memref::CastOp::create(e.b, e.loc, wanted, sizes));
  }
  e.loop(e.sizes(like), [&](ArrayRef<Value> at) {
    OperationState state(e.loc, op->getName());
    for (Value operand : operands)
      state.addOperands(isa<MemRefType>(operand.getType()) ? e.raw(operand, at) : operand);
    for (Type type : op->getResultTypes())
      state.addTypes(cast<RankedTensorType>(type).getElementType());
    state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (auto [value, result] : llvm::zip_equal(e.b.create(state)->getResults(), results))
      e.storeRaw(value, result, at);
  });
  e.replace(results);
}

namespace {
struct PlaceOnBuffers : mica::impl::PlaceOnBuffersBase<PlaceOnBuffers> {
  void runOnOperation() override {
    copyReturnedConstants(getOperation());
    copySharedYields(getOperation());
    SmallVector<Operation *> ops;
    auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
    getOperation()->walk([&](Operation *op) {
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      bool isElementwise = OpTrait::hasElementwiseMappableTraits(op) && llvm::any_of(op->getResultTypes(), isTensor);
      if (isElementwise || (structured && structured.hasPureTensorSemantics()))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      if (!structured) {
        placeElementwise(op);
        continue;
      }
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (!generic) {
        rewriter.setInsertionPoint(op);
        FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, structured);
        if (failed(made)) {
          op->emitError() << "the reference lowering has no loops for '" << op->getName() << "'";
          return signalPassFailure();
        }
        generic = *made;
      }
      place(generic);
    }
  }
};
} // namespace
