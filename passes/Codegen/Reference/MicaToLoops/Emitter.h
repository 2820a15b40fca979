//===- Emitter.h - loops over scalar elements ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Emits scf loops with loads, arithmetic on one element and a store, for the reference lowering of mica ops. Values are
// f64 or i64 between a load and a store, whatever the element type: an op rounds once, when it stores. No code is
// shared with the optimizing lowering.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_MICATOLOOPS_EMITTER_H
#define MICA_PASSES_CODEGEN_REFERENCE_MICATOLOOPS_EMITTER_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace mica::plain {

using mlir::ArrayRef;
using mlir::SmallVector;
using mlir::Value;

/// Emits the loops of one op before it. Values are f64, i64, index, or i1 for conditions.
class Emitter {
public:
  explicit Emitter(mlir::Operation *op) : op(op), b(op), loc(op->getLoc()) {}

  //===----------------------------------------------------------------------------------------------------------===//
  // Buffers and elements
  //===----------------------------------------------------------------------------------------------------------===//

  /// A read-only buffer with the elements of `tensor`.
  Value buffer(Value tensor);
  /// A new buffer for result `number` of the op.
  Value result(unsigned number = 0);
  /// The same if the op does not determine its sizes: those of the dynamic dimensions are taken from `sizes`, one per
  /// dimension.
  Value resultOf(ArrayRef<Value> sizes);
  /// A new buffer with `sizes` elements of `type`.
  Value scratch(mlir::Type type, ArrayRef<Value> sizes);
  /// Replaces the op by tensors with the elements of `buffers`, one per result, and erases it.
  void replace(ArrayRef<Value> buffers);

  /// The element at `at` as f64 or i64 (i1 as 0 or 1).
  Value load(Value buffer, ArrayRef<Value> at) { return widen(raw(buffer, at)); }
  /// Stores f64 or i64 as the buffer's element type: floats rounded to nearest even, of integers the low bits.
  void store(Value value, Value buffer, ArrayRef<Value> at);
  /// Loads an element unconverted, and stores one.
  Value raw(Value buffer, ArrayRef<Value> at);
  void storeRaw(Value element, Value buffer, ArrayRef<Value> at);
  Value widen(Value element);
  /// 0 of the buffer's element type, unconverted.
  Value rawZero(Value buffer);

  Value size(Value buffer, int64_t dim);
  SmallVector<Value> sizes(Value buffer);
  mlir::Type elementOf(Value buffer) { return llvm::cast<mlir::ShapedType>(buffer.getType()).getElementType(); }
  bool isFloat(Value buffer) { return llvm::isa<mlir::FloatType>(elementOf(buffer)); }
  unsigned bits(Value buffer) { return elementOf(buffer).getIntOrFloatBitWidth(); }

  //===----------------------------------------------------------------------------------------------------------===//
  // Loops
  //===----------------------------------------------------------------------------------------------------------===//

  using Body = llvm::function_ref<void(ArrayRef<Value>)>;
  using Step = llvm::function_ref<SmallVector<Value>(ArrayRef<Value>, ArrayRef<Value>)>;
  /// Emits `body` at every position below `bounds`, in row-major order.
  void loop(ArrayRef<Value> bounds, Body body);
  /// The same with loop-carried values; returns the final ones.
  SmallVector<Value> fold(ArrayRef<Value> bounds, ArrayRef<Value> start, Step step);
  /// One carried value.
  Value fold(ArrayRef<Value> bounds, Value start, llvm::function_ref<Value(ArrayRef<Value>, Value)> step);
  /// `then()` if `condition` holds, else `otherwise()`; only the selected one is executed.
  Value choose(Value condition, llvm::function_ref<Value()> then, llvm::function_ref<Value()> otherwise);
  void when(Value condition, llvm::function_ref<void()> then);

  //===----------------------------------------------------------------------------------------------------------===//
  // Numbers
  //===----------------------------------------------------------------------------------------------------------===//

  Value index(int64_t value) { return mlir::arith::ConstantIndexOp::create(b, loc, value); }
  Value integer(int64_t value) { return constant(b.getI64IntegerAttr(value)); }
  Value real(double value) { return constant(b.getF64FloatAttr(value)); }
  Value truth(bool value) { return constant(b.getBoolAttr(value)); }
  Value constant(mlir::TypedAttr value) { return mlir::arith::ConstantOp::create(b, loc, value); }
  /// `value` as f64 or i64, the type of an element of `buffer` between load and store.
  Value number(Value buffer, int64_t value) { return isFloat(buffer) ? real(double(value)) : integer(value); }
  /// The smallest and the largest value of the buffer's type; infinities if it has them.
  Value lowest(Value buffer) { return limit(buffer, /*negative=*/true); }
  Value highest(Value buffer) { return limit(buffer, /*negative=*/false); }

  template <typename OpT, typename... Args> Value make(Args... args) { return OpT::create(b, loc, args...); }
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  /// The quotient; for integers rounded toward zero, with a nonzero divisor.
  Value div(Value x, Value y);
  Value rem(Value x, Value y) { return make<mlir::arith::RemSIOp>(x, y); }
  Value larger(Value x, Value y);
  Value smaller(Value x, Value y);
  Value both(Value x, Value y) { return make<mlir::arith::AndIOp>(x, y); }
  Value either(Value x, Value y) { return make<mlir::arith::OrIOp>(x, y); }
  Value flip(Value x) { return make<mlir::arith::XOrIOp>(x, constant(b.getIntegerAttr(x.getType(), -1))); }
  Value select(Value condition, Value x, Value y) { return make<mlir::arith::SelectOp>(condition, x, y); }
  /// Comparisons; false with NaN, except `ne`. Integers are signed.
  Value compare(mica::Comparison kind, Value x, Value y);
  Value eq(Value x, Value y) { return compare(mica::Comparison::Eq, x, y); }
  Value ne(Value x, Value y) { return compare(mica::Comparison::Ne, x, y); }
  Value lt(Value x, Value y) { return compare(mica::Comparison::Lt, x, y); }
  Value le(Value x, Value y) { return compare(mica::Comparison::Le, x, y); }
  Value gt(Value x, Value y) { return compare(mica::Comparison::Gt, x, y); }
  Value ge(Value x, Value y) { return compare(mica::Comparison::Ge, x, y); }
  Value isNaN(Value x) { return ne(x, x); }
  /// 0 <= x < end.
  Value inRange(Value x, Value end) { return both(ge(x, zeroLike(x)), lt(x, end)); }
  Value zeroLike(Value x) { return constant(b.getZeroAttr(x.getType())); }

  Value exp(Value x);
  Value sqrt(Value x);
  Value roundEven(Value x);
  /// An integer or index as f64, i64 or index.
  Value toReal(Value x);
  Value toInteger(Value x);
  Value toIndex(Value x);
  /// An integer as an f64 that rounds to the same float of `type` as the integer does.
  Value nearestReal(Value x, mlir::Type type);

  mlir::Operation *op;
  mlir::OpBuilder b;
  mlir::Location loc;

private:
  Value limit(Value buffer, bool negative);
  mlir::ReifiedRankedShapedTypeDims shapes; ///< cached result shapes
};

/// Each lowers `op` to loops if it is of its family, and returns whether it was.
bool emitElementwise(mlir::Operation *op);
bool emitCasts(mlir::Operation *op);
bool emitMovement(mlir::Operation *op);
bool emitReductions(mlir::Operation *op);
bool emitNorms(mlir::Operation *op);
bool emitProducts(mlir::Operation *op);
bool emitWindows(mlir::Operation *op);
bool emitOrder(mlir::Operation *op);
bool emitControlFlow(mlir::Operation *op);

} // namespace mica::plain

#endif // MICA_PASSES_CODEGEN_REFERENCE_MICATOLOOPS_EMITTER_H
