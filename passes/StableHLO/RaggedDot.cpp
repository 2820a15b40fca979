//===- RaggedDot.cpp - products of groups ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// chlo.ragged_dot as ops of stablehlo. With groups of rows, the products with each group's matrix are made for all
// rows, and each row keeps those of its group. With groups of a contracted dimension, both operands are 0 outside of a
// group. In neither form does a number of one group reach another, which would matter for infinities.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/CHLODialect.h"
#include "passes/StableHLO/Complex.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

namespace {
class RaggedDot : Arith {
public:
  RaggedDot(chlo::RaggedDotOp op, OpBuilder &builder)
      : Arith(builder, op.getLoc()), op(op), numbers(op.getRaggedDotDimensionNumbers()), lhs(tensorOf(op.getLhs())),
        rhs(tensorOf(op.getRhs())), groups(tensorOf(op.getGroupSizes())) {}

  /// Null for forms that are not supported.
  Value make() {
    if (numbers.getLhsRaggedDimensions().size() != 1 || groups.getRank() != 1 || !groups.hasStaticShape() ||
        !lhs.hasStaticShape() || !rhs.hasStaticShape() || !groups.getElementType().isIntOrIndex())
      return {};
    const int64_t ragged = numbers.getLhsRaggedDimensions()[0];
    if (llvm::is_contained(numbers.getLhsBatchingDimensions(), ragged))
      return numbers.getRhsGroupDimensions().empty() ? ofBatches() : Value();
    if (llvm::is_contained(numbers.getLhsContractingDimensions(), ragged))
      return numbers.getRhsGroupDimensions().empty() ? ofSums(ragged) : Value();
    return numbers.getRhsGroupDimensions().size() == 1 ? ofRows(ragged, numbers.getRhsGroupDimensions()[0]) : Value();
  }

private:
  Value dot(Value a, Value b, ArrayRef<int64_t> batchA, ArrayRef<int64_t> batchB, ArrayRef<int64_t> sumsA,
            ArrayRef<int64_t> sumsB) {
    SmallVector<int64_t> shape;
    for (int64_t dim : batchA)
      shape.push_back(tensorOf(a).getDimSize(dim));
    const auto addFree = [&](Value side, ArrayRef<int64_t> batch, ArrayRef<int64_t> sums) {
      for (int64_t dim = 0; dim < tensorOf(side).getRank(); ++dim)
        if (!llvm::is_contained(batch, dim) && !llvm::is_contained(sums, dim))
          shape.push_back(tensorOf(side).getDimSize(dim));
    };
    addFree(a, batchA, sumsA);
    addFree(b, batchB, sumsB);
    auto dims = hlo::DotDimensionNumbersAttr::get(builder.getContext(), batchA, batchB, sumsA, sumsB);
    return hlo::DotGeneralOp::create(builder, loc, RankedTensorType::get(shape, tensorOf(op).getElementType()), a, b,
                                     dims, ArrayAttr());
  }

  Value ofBatches() {
    return dot(op.getLhs(), op.getRhs(), numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions(),
               numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions());
  }

  /// Whether index p of `count` is of group g: the element [g, p].
  Value membership(int64_t count) {
    const int64_t n = groups.getDimSize(0);
    const Type wide = builder.getI64Type();
    Value sizes = as(op.getGroupSizes(), wide);
    auto square = RankedTensorType::get({n, n}, wide), table = RankedTensorType::get({n, count}, wide);
    const auto iota = [&](RankedTensorType type, int64_t dim) -> Value {
      return hlo::IotaOp::create(builder, loc, type, uint64_t(dim));
    };
    const auto spread = [&](Value value, RankedTensorType type, int64_t dim) -> Value {
      return hlo::BroadcastInDimOp::create(builder, loc, type, value, builder.getDenseI64ArrayAttr({dim}));
    };
    Value all = spread(sizes, square, 1);
    Value zero = sub(all, all);
    Value starts = Arith::sum(select(less(iota(square, 1), iota(square, 0)), all, zero), {1}, {n});
    Value places = iota(table, 1);
    Value isLess = less(places, spread(starts, table, 0));
    Value isBefore = less(places, spread(add(starts, sizes), table, 0));
    return both(hlo::NotOp::create(builder, loc, isLess.getType(), isLess), isBefore);
  }

  /// `value` where the membership, whose dimensions are dimensions `dims` of it, holds.
  Value masked(Value value, Value mask, ArrayRef<int64_t> dims) {
    auto type = RankedTensorType::get(tensorOf(value).getShape(), builder.getI1Type());
    Value whole = hlo::BroadcastInDimOp::create(builder, loc, type, mask, builder.getDenseI64ArrayAttr(dims));
    Value zero = constantLike(value, cast<TypedAttr>(builder.getZeroAttr(tensorOf(value).getElementType())));
    return select(whole, value, zero);
  }

  Value ofRows(int64_t ragged, int64_t group) {
    if (rhs.getDimSize(group) != groups.getDimSize(0))
      return {};
    Value products = ofBatches();
    // The result has the batch, then the other dimensions of lhs, then those of rhs.
    const auto free = [](ArrayRef<int64_t> batch, ArrayRef<int64_t> sums, int64_t before) {
      int64_t count = 0;
      for (int64_t dim = 0; dim < before; ++dim)
        count += !llvm::is_contained(batch, dim) && !llvm::is_contained(sums, dim);
      return count;
    };
    const ArrayRef<int64_t> batch = numbers.getLhsBatchingDimensions(), sums = numbers.getLhsContractingDimensions();
    const int64_t row = int64_t(batch.size()) + free(batch, sums, ragged);
    const int64_t of = int64_t(batch.size()) + free(batch, sums, lhs.getRank()) +
                       free(numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions(), group);
    Value kept = masked(products, membership(lhs.getDimSize(ragged)), {of, row});
    SmallVector<int64_t> shape(tensorOf(kept).getShape());
    shape.erase(shape.begin() + of);
    return Arith::sum(kept, {of}, shape);
  }

  Value ofSums(int64_t ragged) {
    const ArrayRef<int64_t> sums = numbers.getLhsContractingDimensions();
    const auto index = size_t(llvm::find(sums, ragged) - sums.begin());
    Value mask = membership(lhs.getDimSize(ragged));
    const auto side = [&](Value value, int64_t dim) {
      SmallVector<int64_t> shape(tensorOf(value).getShape());
      shape.insert(shape.begin(), groups.getDimSize(0));
      auto type = RankedTensorType::get(shape, tensorOf(value).getElementType());
      Value all = hlo::BroadcastInDimOp::create(
          builder, loc, type, value,
          builder.getDenseI64ArrayAttr(llvm::to_vector(llvm::seq<int64_t>(1, int64_t(shape.size())))));
      return masked(all, mask, {0, dim + 1});
    };
    const auto shifted = [](ArrayRef<int64_t> dims, bool withGroup) {
      SmallVector<int64_t> all;
      if (withGroup)
        all.push_back(0);
      for (int64_t dim : dims)
        all.push_back(dim + 1);
      return all;
    };
    return dot(side(op.getLhs(), ragged), side(op.getRhs(), numbers.getRhsContractingDimensions()[index]),
               shifted(numbers.getLhsBatchingDimensions(), true), shifted(numbers.getRhsBatchingDimensions(), true),
               shifted(sums, false), shifted(numbers.getRhsContractingDimensions(), false));
  }

  chlo::RaggedDotOp op;
  chlo::RaggedDotDimensionNumbersAttr numbers;
  RankedTensorType lhs, rhs, groups;
};
} // namespace

std::optional<SmallVector<Value>> hlotypes::expandRaggedDot(Operation *op, OpBuilder &builder) {
  Value result = RaggedDot(cast<chlo::RaggedDotOp>(op), builder).make();
  if (!result || result.getType() != op->getResult(0).getType())
    return std::nullopt;
  return SmallVector<Value>{result};
}
