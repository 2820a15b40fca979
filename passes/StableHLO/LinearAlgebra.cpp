//===- LinearAlgebra.cpp - converting cholesky and triangular_solve ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Loops over the batch and the elements of the result; sums of 32-bit and smaller floats are 64-bit floats.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {
/// Access to matrices of a batch, with sums in f64.
class Matrices {
public:
  Matrices(OpBuilder &builder, Location loc, ValueRange batch) : builder(builder), loc(loc), batch(batch) {}

  SmallVector<Value> at(Value row, Value column, bool swapped) {
    SmallVector<Value> all(batch);
    all.push_back(swapped ? column : row);
    all.push_back(swapped ? row : column);
    return all;
  }
  Value load(Value matrix, Value row, Value column, bool swapped) {
    Value value = tensor::ExtractOp::create(builder, loc, matrix, at(row, column, swapped));
    return value.getType().isF64() ? value
                                   : arith::ExtFOp::create(builder, loc, builder.getF64Type(), value).getResult();
  }
  Value store(Value matrix, Value value, Value row, Value column, bool swapped) {
    if (elementOf(matrix) != value.getType())
      value = arith::TruncFOp::create(builder, loc, elementOf(matrix), value);
    return tensor::InsertOp::create(builder, loc, value, matrix, at(row, column, swapped));
  }
  Value mul(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b); }
  Value div(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }

  OpBuilder &builder;
  Location loc;
  SmallVector<Value> batch;
};
} // namespace

/// L[i][j] = (A[i][j] - sum of L[i][k] * L[j][k], k < j) / L[j][j]; the root of it on the diagonal. The upper factor
/// is the transposed lower one of the upper triangle.
static Converted convertCholesky(hlo::CholeskyOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType type = typeOf(op.getA());
  const bool swapped = !op.getLower();
  SmallVector<Value> sizes = sizesOf(builder, loc, op.getA());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type.getElementType(), 0));
  Value start = filled(builder, loc, type, zero, dynamicOnes(type, sizes));
  const IndexMath math(builder, loc);
  math.require(math.equal(sizes[sizes.size() - 2], sizes.back()), "stablehlo.cholesky: the matrices are not square");
  sizes.pop_back();
  SmallVector<Value> results =
      loopsOver(builder, loc, sizes, start, [&](OpBuilder &inner, ValueRange indices, ValueRange now) {
        Value i = indices.back();
        SmallVector<Value> batch(indices.drop_back());
        Value one = arith::ConstantIndexOp::create(inner, loc, 1);
        Value count = arith::AddIOp::create(inner, loc, i, one);
        return SmallVector<Value>(
            loopOver(inner, loc, count, now, [&](OpBuilder &at, Value j, ValueRange factor) -> SmallVector<Value> {
              Value current = factor.front();
              Matrices start(at, loc, batch);
              Value value = start.load(op.getA(), i, j, swapped);
              value = loopOver(at, loc, j, value, [&](OpBuilder &innermost, Value k, ValueRange sum) {
                        Matrices m(innermost, loc, batch);
                        Value product = m.mul(m.load(current, i, k, swapped), m.load(current, j, k, swapped));
                        return SmallVector<Value>{m.sub(sum.front(), product)};
                      }).front();
              Matrices m(at, loc, batch);
              Value isDiagonal = arith::CmpIOp::create(at, loc, arith::CmpIPredicate::eq, i, j);
              Value root = math::SqrtOp::create(at, loc, value);
              Value quotient = m.div(value, m.load(current, j, j, swapped));
              value = arith::SelectOp::create(at, loc, isDiagonal, root, quotient);
              return {m.store(current, value, i, j, swapped)};
            }));
      });
  return Values(results.begin(), results.end());
}

/// With a right side x * a = b, the transposed matrix solves for the rows of x.
static Converted convertTriangularSolve(hlo::TriangularSolveOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType type = typeOf(op.getB());
  const bool isLeft = op.getLeftSide(), swapsA = (op.getTransposeA() != hlo::Transpose::NO_TRANSPOSE) != !isLeft;
  const bool isLower = op.getLower() != swapsA;
  const int64_t rank = type.getRank();
  const IndexMath math(builder, loc);
  SmallVector<Value> sizes = sizesOf(builder, loc, op.getB());
  const SmallVector<Value> ofA = sizesOf(builder, loc, op.getA());
  Value size = ofA.back(), last = math.sub(size, math.constant(1));
  Value fits = math.both(math.equal(ofA[rank - 2], size), math.equal(sizes[isLeft ? rank - 2 : rank - 1], size));
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    fits = math.both(fits, math.equal(ofA[dim], sizes[dim]));
  math.require(fits, "stablehlo.triangular_solve: the matrices are not square, or not of the sizes of the right sides");
  // Loops: the batch, the columns of b (its rows with a right side), the unknowns.
  sizes.erase(sizes.begin() + (isLeft ? rank - 2 : rank - 1));
  sizes.push_back(size);
  SmallVector<Value> results =
      loopsOver(builder, loc, sizes, op.getB(), [&](OpBuilder &inner, ValueRange indices, ValueRange now) {
        SmallVector<Value> batch(indices.drop_back(2));
        Value column = indices[indices.size() - 2], step = indices.back(), current = now.front();
        // The unknowns that are known already are those before `step`; an upper matrix starts with the last.
        const auto unknown = [&](OpBuilder &at, Value number) -> Value {
          if (isLower)
            return number;
          return arith::SubIOp::create(at, loc, last, number);
        };
        Value i = unknown(inner, step);
        Matrices m(inner, loc, batch);
        Value value = m.load(current, i, column, !isLeft);
        value = loopOver(inner, loc, step, value, [&](OpBuilder &innermost, Value number, ValueRange sum) {
                  Matrices matrices(innermost, loc, batch);
                  Value k = unknown(innermost, number);
                  Value product =
                      matrices.mul(matrices.load(op.getA(), i, k, swapsA), matrices.load(current, k, column, !isLeft));
                  return SmallVector<Value>{matrices.sub(sum.front(), product)};
                }).front();
        if (!op.getUnitDiagonal())
          value = m.div(value, m.load(op.getA(), i, i, false));
        return SmallVector<Value>{m.store(current, value, i, column, !isLeft)};
      });
  return Values(results.begin(), results.end());
}

Converted hlotomica::convertLinearAlgebra(Operation *op, OpBuilder &builder) {
  for (Value operand : op->getOperands()) {
    if (!isa<FloatType>(elementOf(operand)))
      return refuse(op, "elements are floats");
  }
  if (auto cholesky = dyn_cast<hlo::CholeskyOp>(op))
    return convertCholesky(cholesky, builder);
  return convertTriangularSolve(cast<hlo::TriangularSolveOp>(op), builder);
}
