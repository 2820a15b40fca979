//===- Sort.cpp - converting stablehlo.sort ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A merge sort, which is stable: stage s merges sorted runs of 2^s elements, in one loop over all positions that
// carries the next position of both runs. Where the size is only known when the program runs, a loop runs the stages.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {
class Merger {
public:
  Merger(hlo::SortOp op, int64_t dim, Value size, ArrayRef<Value> from)
      : op(op), loc(op.getLoc()), dim(dim), size(size), from(from) {}

  /// One step: element `at` of the result, of runs of `width` elements. `carried` are the next positions of both runs,
  /// and the results.
  SmallVector<Value> step(OpBuilder &builder, Value width, ArrayRef<Value> line, Value at, ValueRange carried) {
    const auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    const auto add = [&](Value a, Value b) -> Value { return arith::AddIOp::create(builder, loc, a, b); };
    const auto least = [&](Value a, Value b) -> Value { return arith::MinSIOp::create(builder, loc, a, b); };
    const auto is = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, a, b);
    };
    const auto chosen = [&](Value pred, Value a, Value b) -> Value {
      return arith::SelectOp::create(builder, loc, pred, a, b);
    };
    const IndexMath math(builder, loc);
    Value pair = math.add(width, width), last = math.sub(size, index(1));
    Value place = arith::RemUIOp::create(builder, loc, at, pair);
    Value base = arith::SubIOp::create(builder, loc, at, place);
    Value middle = least(add(base, width), size), end = least(add(base, pair), size);
    Value starts = is(arith::CmpIPredicate::eq, place, index(0));
    Value left = chosen(starts, base, carried[0]), right = chosen(starts, middle, carried[1]);
    SmallVector<Value> atLeft = elements(builder, line, least(left, last));
    SmallVector<Value> atRight = elements(builder, line, least(right, last));
    SmallVector<Value> arguments;
    for (auto [second, first] : llvm::zip_equal(atRight, atLeft)) {
      arguments.push_back(second);
      arguments.push_back(first);
    }
    Converted isLess = convertToScalars(op.getComparator().front(), arguments, builder);
    if (failed(isLess)) {
      status = failure();
      return SmallVector<Value>(carried);
    }
    Value wins = arith::OrIOp::create(builder, loc, is(arith::CmpIPredicate::sge, left, middle), isLess->front());
    Value takesRight = arith::AndIOp::create(builder, loc, is(arith::CmpIPredicate::slt, right, end), wins);
    SmallVector<Value> next{chosen(takesRight, left, add(left, index(1))),
                            chosen(takesRight, add(right, index(1)), right)};
    SmallVector<Value> target = position(line, at);
    for (auto [tensor, first, second] : llvm::zip_equal(carried.drop_front(2), atLeft, atRight))
      next.push_back(tensor::InsertOp::create(builder, loc, chosen(takesRight, second, first), tensor, target));
    return next;
  }

  LogicalResult status = success();

private:
  SmallVector<Value> position(ArrayRef<Value> line, Value at) {
    SmallVector<Value> all(line);
    all.insert(all.begin() + dim, at);
    return all;
  }

  SmallVector<Value> elements(OpBuilder &builder, ArrayRef<Value> line, Value at) {
    SmallVector<Value> values;
    for (Value tensor : from)
      values.push_back(tensor::ExtractOp::create(builder, loc, tensor, position(line, at)));
    return values;
  }

  hlo::SortOp op;
  Location loc;
  int64_t dim;
  Value size;
  SmallVector<Value> from;
};
} // namespace

/// One stage: merges the runs of `width` elements of `values`.
static FailureOr<SmallVector<Value>> mergeRuns(hlo::SortOp op, int64_t dim, Value width, ValueRange values,
                                               OpBuilder &builder) {
  const Location loc = op.getLoc();
  SmallVector<Value> sizes = sizesOf(builder, loc, values.front()), results;
  for (Value value : values)
    results.push_back(tensor::EmptyOp::create(builder, loc, typeOf(value), dynamicOnes(typeOf(value), sizes)));
  Value size = sizes[dim];
  sizes.erase(sizes.begin() + dim);
  Merger merger(op, dim, size, SmallVector<Value>(values));
  results = loopsOver(builder, loc, sizes, results, [&](OpBuilder &inner, ValueRange line, ValueRange now) {
    Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
    SmallVector<Value> carried{zero, zero}, places(line);
    llvm::append_range(carried, now);
    auto made = loopOver(inner, loc, size, carried, [&](OpBuilder &innermost, Value at, ValueRange state) {
      return merger.step(innermost, width, places, at, state);
    });
    return SmallVector<Value>(made.drop_front(2));
  });
  if (failed(merger.status))
    return failure();
  return results;
}

/// The number of stages: the least s for which 2^s is at least the size.
static Value stagesOf(OpBuilder &builder, Location loc, Value size) {
  const Type wide = builder.getI64Type();
  const IndexMath math(builder, loc);
  Value last =
      arith::IndexCastOp::create(builder, loc, wide, math.sub(math.max(size, math.constant(1)), math.constant(1)));
  Value zeros = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                           math::CountLeadingZerosOp::create(builder, loc, last));
  return math.sub(math.constant(64), zeros);
}

Converted hlotomica::convertSort(hlo::SortOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  Values values(op.getInputs());
  const RankedTensorType type = typeOf(values.front());
  if (type.getRank() == 0 || llvm::is_contained(type.getShape(), 0))
    return values;
  const int64_t given = op.getDimension(), dim = given < 0 ? given + type.getRank() : given;
  if (!type.isDynamicDim(dim)) {
    for (int64_t width = 1; width < type.getDimSize(dim); width *= 2) {
      FailureOr<SmallVector<Value>> merged =
          mergeRuns(op, dim, arith::ConstantIndexOp::create(builder, loc, width), values, builder);
      if (failed(merged))
        return failure();
      values.assign(merged->begin(), merged->end());
    }
    return values;
  }
  LogicalResult status = success();
  Value stages = stagesOf(builder, loc, sizeOf(builder, loc, values.front(), dim));
  auto sorted = loopOver(builder, loc, stages, values, [&](OpBuilder &inner, Value stage, ValueRange now) {
    Value one = arith::ConstantIndexOp::create(inner, loc, 1);
    Value width = arith::ShLIOp::create(inner, loc, one, stage);
    FailureOr<SmallVector<Value>> merged = mergeRuns(op, dim, width, now, inner);
    status = LogicalResult(merged);
    return succeeded(merged) ? *merged : SmallVector<Value>(now);
  });
  if (failed(status))
    return failure();
  return Values(sorted);
}
