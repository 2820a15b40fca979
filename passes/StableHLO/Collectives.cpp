//===- Collectives.cpp - collective ops of a single process -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Of a program that runs as one process, replica 0 and partition 0. A collective op in a group of this process alone
// gives its operands. Groups of several processes: Ranks.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"
#include "passes/StableHLO/Ranks.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

static std::optional<Value> zeros(Value like, OpBuilder &builder) {
  const RankedTensorType type = tensorOf(like);
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  auto value = DenseElementsAttr::get(type, Attribute(builder.getZeroAttr(type.getElementType())));
  return hlo::ConstantOp::create(builder, like.getLoc(), type, value).getResult();
}

std::optional<SmallVector<Value>> hlotypes::expandCollective(Operation *op, OpBuilder &builder) {
  if (!isOfOneProcess(op))
    return std::nullopt;
  if (isa<hlo::PartitionIdOp, hlo::ReplicaIdOp>(op)) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!isa<IntegerType>(type.getElementType()))
      return std::nullopt;
    auto zero = DenseElementsAttr::get(type, Attribute(builder.getIntegerAttr(type.getElementType(), 0)));
    return SmallVector<Value>{hlo::ConstantOp::create(builder, op->getLoc(), type, zero)};
  }
  if (op->getOperandTypes() != op->getResultTypes())
    return std::nullopt;
  if (auto permute = dyn_cast<hlo::CollectivePermuteOp>(op)) {
    auto pairs = cast<DenseIntElementsAttr>(permute.getSourceTargetPairs());
    SmallVector<Value> results(op->getOperands());
    if (pairs.getNumElements() == 0)
      for (Value &result : results) {
        const std::optional<Value> none = zeros(result, builder);
        if (!none)
          return std::nullopt;
        result = *none;
      }
    return results;
  }
  return SmallVector<Value>(op->getOperands());
}
