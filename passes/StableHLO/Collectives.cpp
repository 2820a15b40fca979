//===- Collectives.cpp - collective ops of a single process -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A program runs as one process, replica 0 and partition 0. A collective op in a group of this process alone gives its
// operands; groups of several processes are left, and refused later.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

/// Whether a program, by the attributes that frameworks give it, has one process.
static bool hasOneProcess(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  for (StringRef name : {"mhlo.num_partitions", "mhlo.num_replicas"})
    if (auto count = module->getAttrOfType<IntegerAttr>(name); count && count.getValue().ugt(1))
      return false;
  return true;
}

/// Whether all groups, of ids with -1 as filling, are of process 0 alone. No groups: all processes are one.
static bool isAlone(DenseIntElementsAttr groups) {
  unsigned count = 0;
  for (const APInt &id : groups.getValues<APInt>()) {
    if (id.isAllOnes())
      continue;
    if (!id.isZero() || ++count > 1)
      return false;
  }
  return true;
}

static std::optional<Value> zeros(Value like, OpBuilder &builder) {
  const RankedTensorType type = tensorOf(like);
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  auto value = DenseElementsAttr::get(type, Attribute(builder.getZeroAttr(type.getElementType())));
  return hlo::ConstantOp::create(builder, like.getLoc(), type, value).getResult();
}

std::optional<SmallVector<Value>> hlotypes::expandCollective(Operation *op, OpBuilder &builder) {
  if (!hasOneProcess(op))
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
    const auto isZero = [](const APInt &id) { return id.isZero(); };
    if (!llvm::all_of(pairs.getValues<APInt>(), isZero))
      return std::nullopt;
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
  auto groups = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  if (!groups || !isAlone(groups))
    return std::nullopt;
  return SmallVector<Value>(op->getOperands());
}
