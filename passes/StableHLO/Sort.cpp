//===- Sort.cpp - converting stablehlo.sort ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A merge sort, which is stable: stage s merges sorted runs of 2^s elements, in one loop over all positions that
// carries the next position of both runs.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {
class Merger {
public:
  Merger(hlo::SortOp op, int64_t dim, ArrayRef<Value> from)
      : op(op), loc(op.getLoc()), dim(dim), size(typeOf(op.getInputs().front()).getDimSize(dim)), from(from) {}

  /// One step: element `at` of the result, of runs of `width` elements. `carried` are the next positions of both runs,
  /// and the results.
  SmallVector<Value> step(OpBuilder &builder, int64_t width, ArrayRef<Value> line, Value at, ValueRange carried) {
    const auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    const auto add = [&](Value a, Value b) -> Value { return arith::AddIOp::create(builder, loc, a, b); };
    const auto least = [&](Value a, Value b) -> Value { return arith::MinSIOp::create(builder, loc, a, b); };
    const auto is = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, a, b);
    };
    const auto chosen = [&](Value pred, Value a, Value b) -> Value {
      return arith::SelectOp::create(builder, loc, pred, a, b);
    };
    Value place = arith::RemUIOp::create(builder, loc, at, index(2 * width));
    Value base = arith::SubIOp::create(builder, loc, at, place);
    Value middle = least(add(base, index(width)), index(size)), end = least(add(base, index(2 * width)), index(size));
    Value starts = is(arith::CmpIPredicate::eq, place, index(0));
    Value left = chosen(starts, base, carried[0]), right = chosen(starts, middle, carried[1]);
    SmallVector<Value> atLeft = elements(builder, line, least(left, index(size - 1)));
    SmallVector<Value> atRight = elements(builder, line, least(right, index(size - 1)));
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
  int64_t dim, size;
  SmallVector<Value> from;
};
} // namespace

Converted hlotomica::convertSort(hlo::SortOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType type = typeOf(op.getInputs().front());
  for (Value input : op.getInputs())
    if (!typeOf(input).hasStaticShape())
      return refuse(op, "all sizes must be static");
  Values values(op.getInputs());
  if (type.getRank() == 0 || type.getNumElements() == 0)
    return values;
  const int64_t given = op.getDimension(), dim = given < 0 ? given + type.getRank() : given;
  const int64_t size = type.getDimSize(dim);
  SmallVector<int64_t> lines(type.getShape());
  lines.erase(lines.begin() + dim);
  for (int64_t width = 1; width < size; width *= 2) {
    Merger merger(op, dim, values);
    SmallVector<Value> results;
    for (Value value : values)
      results.push_back(tensor::EmptyOp::create(builder, loc, typeOf(value).getShape(), elementOf(value)).getResult());
    results = loopsOver(builder, loc, lines, results, [&](OpBuilder &inner, ValueRange line, ValueRange now) {
      Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
      SmallVector<Value> carried{zero, zero}, places(line);
      llvm::append_range(carried, now);
      Value count = arith::ConstantIndexOp::create(inner, loc, size);
      auto made = loopOver(inner, loc, count, carried, [&](OpBuilder &innermost, Value at, ValueRange state) {
        return merger.step(innermost, width, places, at, state);
      });
      return SmallVector<Value>(made.drop_front(2));
    });
    if (failed(merger.status))
      return failure();
    values.assign(results.begin(), results.end());
  }
  return values;
}
