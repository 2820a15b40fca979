//===- CheckStructured.cpp - checking the sizes of structured ops -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CheckStructured.h. A loop has the size of the first dimension that it alone indexes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/CheckStructured.h"

#include "passes/Codegen/Reference/FailedChecks.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;

namespace {

class StructuredChecks {
public:
  explicit StructuredChecks(linalg::LinalgOp op) : op(op), b(op), loc(op.getLoc()), loops(op.getNumLoops()) {}

  void run() {
    each([this](OpOperand &operand, int64_t dim, AffineExpr expression) {
      if (auto loop = dyn_cast<AffineDimExpr>(expression))
        checkEqual(operand, dim, loop.getPosition());
    });
    each([this](OpOperand &operand, int64_t dim, AffineExpr expression) {
      if (!isa<AffineDimExpr>(expression))
        checkPositions(operand, dim, expression);
    });
  }

private:
  template <typename Visit> void each(Visit visit) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto type = dyn_cast<ShapedType>(operand.get().getType()); type && type.hasRank())
        for (auto [dim, expression] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
          visit(operand, int64_t(dim), expression);
  }

  Value number(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value sizeOf(OpOperand &operand, int64_t dim) {
    return getValueOrCreateConstantIndexOp(b, loc, linalg::createFoldedDimOp(b, loc, operand.get(), dim));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return b.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
  }
  void require(Value ok, const Twine &what, ArrayRef<Value> values) {
    failUnless(b, op, ok, ": " + what.str(), values, check::kSizesReport);
  }
  static std::string text(OpOperand &operand, int64_t dim) {
    return "dimension " + std::to_string(dim) + " of operand " + std::to_string(operand.getOperandNumber());
  }

  void checkEqual(OpOperand &operand, int64_t dim, unsigned loop) {
    if (!loops[loop]) {
      loops[loop] = {sizeOf(operand, dim), &operand, dim};
      return;
    }
    Value size = sizeOf(operand, dim);
    require(compare(arith::CmpIPredicate::eq, size, loops[loop]->size),
            text(operand, dim) + " is {0} and " + text(*loops[loop]->operand, loops[loop]->dim) +
                " is {1}; they have to be equal",
            {size, loops[loop]->size});
  }

  /// Whether some loop has no iterations.
  Value isEmpty() {
    Value empty = arith::ConstantIntOp::create(b, loc, 0, 1);
    for (const std::optional<Loop> &loop : loops)
      if (loop)
        empty = b.createOrFold<arith::OrIOp>(loc, empty, compare(arith::CmpIPredicate::eq, loop->size, number(0)));
    return empty;
  }

  void checkPositions(OpOperand &operand, int64_t dim, AffineExpr expression) {
    SmallVector<int64_t> factors;
    if (failed(getFlattenedAffineExpr(expression, loops.size(), /*numSymbols=*/0, &factors)) ||
        factors.size() != loops.size() + 1)
      return;
    Value first = number(factors.back()), last = first;
    const int64_t extent = cast<ShapedType>(operand.get().getType()).getDimSize(dim);
    // Upstream's verifier checks static sizes, except 0.
    bool isKnown = !ShapedType::isDynamic(extent) && extent != 0;
    for (auto [factor, loop] : llvm::zip(factors, loops)) {
      if (factor == 0)
        continue;
      if (!loop)
        return;
      isKnown &= matchPattern(loop->size, m_Constant());
      Value way =
          b.createOrFold<arith::MulIOp>(loc, b.createOrFold<arith::SubIOp>(loc, loop->size, number(1)), number(factor));
      Value &end = factor > 0 ? last : first;
      end = b.createOrFold<arith::AddIOp>(loc, end, way);
    }
    if (isKnown)
      return;
    Value size = sizeOf(operand, dim);
    Value isInside = b.createOrFold<arith::AndIOp>(loc, compare(arith::CmpIPredicate::sge, first, number(0)),
                                                   compare(arith::CmpIPredicate::slt, last, size));
    require(b.createOrFold<arith::OrIOp>(loc, isEmpty(), isInside),
            "positions {0} to {1} of " + text(operand, dim) + " are accessed, whose size is {2}", {first, last, size});
  }

  struct Loop {
    Value size;
    OpOperand *operand;
    int64_t dim;
  };
  linalg::LinalgOp op;
  OpBuilder b;
  Location loc;
  SmallVector<std::optional<Loop>> loops;
};

} // namespace

void mica::checkStructured(linalg::LinalgOp op) { StructuredChecks(op).run(); }
