//===- CheckReshapes.cpp - plain code touches no memory outside of a tensor -------------------------------- ---===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See dialects/MicaSched/IR/ReshapeChecks.h. Divisions are checked as well, because undefined ones would end the
// process. A failed check inside of other code may not end it at once, so the division continues with a divisor of 1.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/ExposeDivisions.h"
#include "passes/Check/IntegerPowers.h"
#include "passes/Codegen/Reference/CheckStructured.h"
#include "passes/Codegen/Reference/FailedChecks.h"
#include "passes/Codegen/Reference/Passes.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/ReshapeChecks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace mica {
#define GEN_PASS_DEF_REFERENCECHECKRESHAPES
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
/// A constant `number` in every lane of a value like `like`.
Value constantOf(OpBuilder &builder, Location loc, Value like, const APInt &number) {
  TypedAttr value = builder.getIntegerAttr(getElementTypeOrSelf(like.getType()), number);
  auto shaped = dyn_cast<ShapedType>(like.getType());
  if (shaped && !shaped.hasStaticShape()) {
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
      if (shaped.isDynamicDim(dim))
        sizes.push_back(tensor::DimOp::create(builder, loc, like, dim));
    return tensor::SplatOp::create(builder, loc, shaped, arith::ConstantOp::create(builder, loc, value), sizes);
  }
  if (shaped)
    value = DenseElementsAttr::get(shaped, cast<Attribute>(value));
  return arith::ConstantOp::create(builder, loc, value);
}

bool dividesSigned(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp, index::DivSOp, index::RemSOp,
             index::CeilDivSOp, index::FloorDivSOp>(op);
}

bool divides(Operation *op) {
  return dividesSigned(op) ||
         isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, index::DivUOp, index::RemUOp, index::CeilDivUOp>(op);
}

/// Makes the division `op` well-defined, and reports it, or a power of 0, if it was not. `name`: as of
/// mica::failUnless.
void checkDivision(Operation *op, StringRef name) {
  auto power = mica::mayInvertZero(op) ? dyn_cast<math::IPowIOp>(op) : math::IPowIOp();
  if (!power && !divides(op))
    return;
  const bool isSigned = dividesSigned(op);
  Type type = op->getOperand(1).getType();
  auto vector = dyn_cast<VectorType>(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  const bool isKnown = vector ? !vector.isScalable() : tensor || !isa<ShapedType>(type);
  if (!isKnown || (!power && mica::dividesAlways(op->getOperand(1), isSigned)))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  const unsigned width = getElementTypeOrSelf(type).isIndex() ? 64 : getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto differs = [&](Value value, const APInt &from) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 constantOf(builder, loc, op->getOperand(1), from));
  };
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Value one = constantOf(builder, loc, divisor, APInt(width, 1));
  Value zero = constantOf(builder, loc, divisor, APInt::getZero(width));
  Value ok = differs(power ? mica::invertedBase(builder, power, zero, one) : divisor, APInt::getZero(width));
  if (isSigned) {
    Value fits = arith::OrIOp::create(builder, loc, differs(dividend, APInt::getSignedMinValue(width)),
                                      differs(divisor, APInt::getAllOnes(width)));
    ok = arith::AndIOp::create(builder, loc, ok, fits);
  }
  // Powers are expanded to what is defined.
  if (!power)
    op->setOperand(1, arith::SelectOp::create(builder, loc, ok, divisor, one));
  const std::string text = power      ? ": " + mica::kZeroInverted.str()
                           : isSigned ? ": integer division by zero, or one that overflows"
                                      : ": integer division by zero";
  if (vector)
    return mica::failUnlessAll(builder, op, ok, text, {dividend, divisor}, name);
  if (tensor) {
    if (tensor.getRank() > 0)
      ok = mica::ReduceOp::create(builder, loc, RankedTensorType::get({}, builder.getI1Type()), mica::ReduceKind::Min,
                                  ok, llvm::to_vector(llvm::seq<int64_t>(tensor.getRank())), /*keep_dims=*/false);
    ok = tensor::ExtractOp::create(builder, loc, ok, ValueRange());
  }
  mica::failUnless(builder, op, ok, text, tensor ? ArrayRef<Value>() : ArrayRef<Value>{dividend, divisor},
                   /*report=*/"", name);
}

/// A shift by a constant that the type has no bits for, of which LLVM makes poison.
void checkShift(Operation *op) {
  if (!isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, index::ShlOp, index::ShrSOp, index::ShrUOp>(op) ||
      !mica::shiftsOut(op))
    return;
  OpBuilder builder(op);
  const bool isScalar = op->getOperand(1).getType().isIntOrIndex();
  mica::failUnless(builder, op, arith::ConstantIntOp::create(builder, op->getLoc(), 0, 1),
                   ": shift by a number of bits outside the type's width",
                   isScalar ? ArrayRef<Value>(op->getOperand(1)) : ArrayRef<Value>());
}

/// Checks a position at which the host function reads or updates a tensor, also in the body of a structured op.
void checkPosition(Operation *op) {
  Value tensor;
  ValueRange indices;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    tensor = extract.getTensor(), indices = extract.getIndices();
  else if (auto insert = dyn_cast<tensor::InsertOp>(op))
    tensor = insert.getDest(), indices = insert.getIndices();
  else
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value ok = arith::ConstantIntOp::create(builder, loc, 1, 1);
  SmallVector<Value> values;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value extent =
        getValueOrCreateConstantIndexOp(builder, loc, tensor::getMixedSize(builder, loc, tensor, int64_t(dim)));
    Value inside = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, index, extent);
    ok = builder.createOrFold<arith::AndIOp>(loc, ok, inside);
    llvm::append_values(values, index, arith::ConstantIndexOp::create(builder, loc, 1), extent);
  }
  mica::failUnless(builder, op, ok,
                   isa<tensor::ExtractOp>(op) ? " loads outside its tensor" : " stores outside its tensor", values,
                   mica::check::kAccessReport);
}

struct ReferenceCheckReshapes : mica::impl::ReferenceCheckReshapesBase<ReferenceCheckReshapes> {
  void runOnOperation() override {
    mica::sched::checkReshapes(getOperation(), /*inKernelWork=*/true);
    mica::sched::checkViews(getOperation());
    getOperation()->walk([](mica::sched::CheckSizesOp op) {
      OpBuilder builder(op);
      mica::failUnless(builder, op, op.getOk(), ": " + op.getMessage().str(), llvm::to_vector(op.getValues()),
                       op->hasAttr(mica::check::kReportAttr) ? StringRef() : StringRef(mica::check::kSizesReport));
      op.erase();
    });
    SmallVector<linalg::LinalgOp> structured;
    getOperation()->walk([&](linalg::LinalgOp op) { structured.push_back(op); });
    for (linalg::LinalgOp op : structured)
      mica::checkStructured(op);
    // Expands affine maps that divide by a value, so that these divisions are checked.
    llvm::DenseMap<Location, StringAttr> names;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<affine::AffineDialect, index::IndexDialect>(op->getDialect()))
        names.try_emplace(op->getLoc(), op->getName().getIdentifier());
    });
    if (failed(mica::exposeDivisions(getOperation())))
      return signalPassFailure();
    getOperation()->walk([&](Operation *op) {
      StringAttr name = isa_and_present<arith::ArithDialect>(op->getDialect()) ? names.lookup(op->getLoc()) : nullptr;
      checkDivision(op, name ? name.getValue() : "");
    });
    getOperation()->walk(checkShift);
    getOperation()->walk(checkPosition);
  }
};
} // namespace
