//===- Reductions.cpp - converting stablehlo.reduce -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A sum, product, maximum or minimum becomes mica.reduce, combined with the initial value where that changes the
// result. Other computations become a linalg.generic that starts from the initial values.
//
//   %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : ..
//   %0 = mica.reduce sum %x dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {
enum class Start { Zero, One, Least, Greatest };

/// A reduction that mica has.
struct Kind {
  ReduceKind kind;
  Start neutral;
};
} // namespace

static std::optional<Kind> kindOf(Operation *combiner, Type element) {
  if (!combiner || (!isa<FloatType>(element) && !isInteger(element) && !isBool(element)))
    return std::nullopt;
  const bool isLogical = isBool(element);
  // The order of unsigned integers is not that of mica.
  if (combiner->hasAttr(hlo::kUnsignedAttr) && isa<hlo::MaxOp, hlo::MinOp>(combiner))
    return std::nullopt;
  if (isa<hlo::AddOp>(combiner))
    return isLogical ? Kind{ReduceKind::Max, Start::Least} : Kind{ReduceKind::Sum, Start::Zero};
  if (isa<hlo::MulOp>(combiner))
    return isLogical ? Kind{ReduceKind::Min, Start::Greatest} : Kind{ReduceKind::Prod, Start::One};
  if (isa<hlo::MaxOp>(combiner) || (isLogical && isa<hlo::OrOp>(combiner)))
    return Kind{ReduceKind::Max, Start::Least};
  if (isa<hlo::MinOp>(combiner) || (isLogical && isa<hlo::AndOp>(combiner)))
    return Kind{ReduceKind::Min, Start::Greatest};
  return std::nullopt;
}

/// Whether `init`, combined with a value, gives that value.
static bool isNeutral(Value init, Start neutral) {
  const TypedAttr value = splatValue(init);
  if (auto number = dyn_cast_if_present<FloatAttr>(value)) {
    const APFloat given = number.getValue();
    switch (neutral) {
    case Start::Zero:
      return given.isZero();
    case Start::One:
      return given.isExactlyValue(1.0);
    case Start::Least:
      return given.isInfinity() && given.isNegative();
    case Start::Greatest:
      return given.isInfinity() && !given.isNegative();
    }
  }
  auto number = dyn_cast_if_present<IntegerAttr>(value);
  if (!number)
    return false;
  const APInt given = number.getValue();
  const bool isLogical = given.getBitWidth() == 1; // false is less than true
  switch (neutral) {
  case Start::Zero:
    return given.isZero();
  case Start::One:
    return given.isOne();
  case Start::Least:
    return isLogical ? given.isZero() : given.isMinSignedValue();
  case Start::Greatest:
    return isLogical ? given.isOne() : given.isMaxSignedValue();
  }
  return false;
}

static Value combine(OpBuilder &builder, Location loc, ReduceKind kind, Value lhs, Value rhs) {
  const Type type = rhs.getType();
  switch (kind) {
  case ReduceKind::Sum:
    return AddOp::create(builder, loc, type, lhs, rhs);
  case ReduceKind::Prod:
    return MulOp::create(builder, loc, type, lhs, rhs);
  case ReduceKind::Max:
    return MaxOp::create(builder, loc, type, lhs, rhs);
  case ReduceKind::Min:
    return MinOp::create(builder, loc, type, lhs, rhs);
  case ReduceKind::Mean:
    break;
  }
  llvm_unreachable("no combiner of stablehlo is a mean");
}

Converted hlotomica::combineInLoop(OpBuilder &builder, Location loc, Block &computation, ValueRange operands,
                                   ValueRange starts, ArrayRef<AffineMap> maps,
                                   ArrayRef<utils::IteratorType> iterators) {
  const size_t count = starts.size();
  LogicalResult status = success();
  auto loop = linalg::GenericOp::create(
      builder, loc, starts.getTypes(), operands, starts, maps, iterators,
      [&](OpBuilder &inner, Location at, ValueRange arguments) {
        SmallVector<Value> ordered(arguments.take_back(count));
        llvm::append_range(ordered, arguments.take_front(count));
        Converted results = convertToScalars(computation, ordered, inner);
        status = LogicalResult(results);
        linalg::YieldOp::create(inner, at, succeeded(results) ? ValueRange(*results) : arguments.take_back(count));
      });
  if (failed(status))
    return failure();
  return Values(loop.getResults());
}

/// A loop over all elements, in their order, which runs the body on scalars.
static Converted convertToLoop(hlo::ReduceOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const int64_t rank = typeOf(op.getInputs().front()).getRank();
  for (auto [input, init] : llvm::zip_equal(op.getInputs(), op.getInitValues()))
    if (elementOf(input) != elementOf(init))
      return refuse(op, "operands and initial values have the same element types");
  SmallVector<AffineExpr> kept;
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::reduction);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (llvm::is_contained(op.getDimensions(), dim))
      continue;
    kept.push_back(builder.getAffineDimExpr(dim));
    iterators[dim] = utils::IteratorType::parallel;
  }
  SmallVector<AffineMap> maps(op.getInputs().size(), builder.getMultiDimIdentityMap(rank));
  maps.append(op.getInputs().size(), AffineMap::get(rank, 0, kept, builder.getContext()));
  SmallVector<Value> starts;
  SmallVector<Value> sizes;
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(op.getDimensions(), dim)) {
      sizes.push_back(sizeOf(builder, loc, op.getInputs().front(), dim));
      shape.push_back(typeOf(op.getInputs().front()).getDimSize(dim));
    }
  for (Value init : op.getInitValues()) {
    const auto type = RankedTensorType::get(shape, elementOf(init));
    Value empty = tensor::EmptyOp::create(builder, loc, type, dynamicOnes(type, sizes));
    starts.push_back(linalg::FillOp::create(builder, loc, scalarOf(builder, loc, init), empty).getResult(0));
  }
  return combineInLoop(builder, loc, op.getBody().front(), op.getInputs(), starts, maps, iterators);
}

Converted hlotomica::convertReduce(hlo::ReduceOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  Value input = op.getInputs().front(), init = op.getInitValues().front();
  const std::optional<Kind> kind = kindOf(hlo::singleCombiner(op), elementOf(input));
  if (!kind || elementOf(input) != elementOf(init))
    return convertToLoop(op, builder);
  Value result = input;
  const auto type = cast<RankedTensorType>(op.getResult(0).getType());
  if (!op.getDimensions().empty()) {
    SmallVector<int64_t> dims(op.getDimensions());
    llvm::sort(dims);
    result = ReduceOp::create(builder, loc, type, kind->kind, input, dims, /*keep_dims=*/false);
  }
  if (!isNeutral(init, kind->neutral))
    result = combine(builder, loc, kind->kind, withRank(builder, loc, init, type.getRank()), result);
  return Values{result};
}
