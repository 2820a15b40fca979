//===- Arctangents.cpp - the arctangent of two zeros ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// atan2(+-0, +0) is +-0, as of any positive number, and atan2(+-0, -0) is +-pi, as of any negative one.
//
//===--------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Arctangents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

/// `number` in each element of a value of the type of `like`.
static Value splat(OpBuilder &builder, Location loc, double number, Value like) {
  Type type = like.getType();
  Value scalar = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(getElementTypeOrSelf(type), number));
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return scalar;
  if (shaped.hasStaticShape())
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(shaped, builder.getFloatAttr(shaped.getElementType(), number)));
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
    if (shaped.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, like, dim));
  return tensor::SplatOp::create(builder, loc, scalar, type, sizes);
}

static void separate(math::Atan2Op op) {
  Value y = op.getLhs(), x = op.getRhs();
  auto select = x.getDefiningOp<arith::SelectOp>();
  if (select && select.getTrueValue().getDefiningOp<math::CopySignOp>())
    return;
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  Value zero = splat(builder, loc, 0, x), one = splat(builder, loc, 1, x);
  auto isZero = [&](Value value) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, value, zero).getResult();
  };
  Value areZeros = arith::AndIOp::create(builder, loc, isZero(y), isZero(x));
  Value unit = math::CopySignOp::create(builder, loc, one, x);
  op.getRhsMutable().assign(arith::SelectOp::create(builder, loc, areZeros, unit, x));
}

void mica::separateZeroArctangents(Operation *root) { root->walk(separate); }
