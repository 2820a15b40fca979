//===- RankCollectives.cpp - collectives of StableHLO as those of shard -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A collective of StableHLO lists the processes of each group. Collectives of shard are along axes of a grid. So a grid
// is looked for along whose axes all groups lie: that of the mesh, where sdy names one, else the one with the fewest
// axes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"
#include "passes/StableHLO/RankPrograms.h"
#include "passes/StableHLO/Ranks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

namespace {
/// The reduction that a computation of two elements is; nothing: none that ranks have.
std::optional<shard::ReductionKind> reductionOf(Region &computation) {
  if (!computation.hasOneBlock())
    return std::nullopt;
  Block &block = computation.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return std::nullopt;
  Operation *op = &block.front();
  auto result = dyn_cast<hlo::ReturnOp>(block.getTerminator());
  if (!result || result->getNumOperands() != 1 || result->getOperand(0).getDefiningOp() != op ||
      op->getNumOperands() != 2 || op->getOperand(0) == op->getOperand(1) ||
      !llvm::all_of(op->getOperands(),
                    [&](Value value) { return value.getParentBlock() == &block && isa<BlockArgument>(value); }))
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type ? type.getElementType() : Type();
  if (!element || isa<ComplexType>(element))
    return std::nullopt;
  const bool isUnsigned = element.isUnsignedInteger(), isBool = element.isInteger(1);
  if (isa<hlo::AddOp>(op) && !isBool)
    return shard::ReductionKind::Sum;
  if (isa<hlo::MulOp>(op) && !isBool)
    return shard::ReductionKind::Product;
  // Ranks compare signed integers.
  if (isa<hlo::MaxOp>(op) && !isUnsigned && !isBool)
    return shard::ReductionKind::Max;
  if (isa<hlo::MinOp>(op) && !isUnsigned && !isBool)
    return shard::ReductionKind::Min;
  if (isa<hlo::AndOp>(op))
    return shard::ReductionKind::BitwiseAnd;
  if (isa<hlo::OrOp>(op))
    return shard::ReductionKind::BitwiseOr;
  if (isa<hlo::XorOp>(op))
    return shard::ReductionKind::BitwiseXor;
  return std::nullopt;
}

class Collectives {
public:
  Collectives(ModuleOp module, std::optional<Grid> mesh) : module(module), mesh(std::move(mesh)) {
    replicas = processesOf(module, "mhlo.num_replicas");
    partitions = processesOf(module, "mhlo.num_partitions");
    module.walk([&](Operation *op) {
      if (isCollective(op) && !hlotypes::isOfOneProcess(op))
        ops.push_back(op);
    });
  }

  void convert() {
    if (ops.empty() || !findGrid())
      return;
    for (Operation *op : ops)
      replace(op);
  }

private:
  /// The numbers of devices that the op lists; nothing where they are numbers of something else.
  std::optional<DenseIntElementsAttr> idsOf(Operation *op) const {
    if (auto permute = dyn_cast<hlo::CollectivePermuteOp>(op))
      return replicas == 1 || partitions == 1
                 ? std::optional(cast<DenseIntElementsAttr>(permute.getSourceTargetPairs()))
                 : std::nullopt;
    auto groups = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
    if (!groups)
      return std::nullopt;
    if (replicas == 1 || partitions == 1 || op->hasAttr("use_global_device_ids"))
      return groups;
    return std::nullopt;
  }
  /// Groups of the only replica are groups of all its partitions.
  bool meansAll(Operation *op, DenseIntElementsAttr groups) const {
    return replicas == 1 && partitions > 1 && !op->hasAttr("use_global_device_ids") && isAlone(groups) &&
           !isa<hlo::CollectivePermuteOp>(op);
  }

  bool findGrid() {
    int64_t count = mesh ? mesh->count() : replicas * partitions;
    if (!mesh && count == 1)
      for (Operation *op : ops)
        if (std::optional<DenseIntElementsAttr> ids = idsOf(op))
          for (const APInt &id : ids->getValues<APInt>())
            count = std::max(count, id.getSExtValue() + 1);
    if (count < 2 || count > kMostRanks)
      return false;
    SmallVector<Grid> grids = mesh ? SmallVector<Grid>{*mesh} : gridsOf(count);
    // Ops that no grid fits are left, and refused by name later.
    size_t most = 0;
    for (const Grid &candidate : grids) {
      const size_t fitting = size_t(llvm::count_if(ops, [&](Operation *op) { return fitsOn(op, candidate); }));
      if (fitting > most || grid.sizes.empty()) {
        most = fitting;
        grid = candidate;
      }
      if (fitting == ops.size())
        break;
    }
    return most > 0;
  }

  std::optional<Axes> axesOf(Operation *op, const Grid &on) const {
    std::optional<DenseIntElementsAttr> ids = idsOf(op);
    if (!ids)
      return std::nullopt;
    if (meansAll(op, *ids)) {
      Axes all(on.sizes.size());
      std::iota(all.begin(), all.end(), 0);
      return all;
    }
    std::optional<Groups> groups = Groups::of(*ids, on.count());
    return groups ? groups->axesOn(on) : std::nullopt;
  }
  bool fitsOn(Operation *op, const Grid &on) const {
    if (isa<hlo::PartitionIdOp, hlo::ReplicaIdOp>(op))
      return replicas == 1 || partitions == 1;
    std::optional<DenseIntElementsAttr> ids = idsOf(op);
    if (isa<hlo::CollectivePermuteOp>(op))
      return ids && Shift::of(*ids, on).has_value();
    return axesOf(op, on).has_value();
  }

  FlatSymbolRefAttr gridName() {
    if (!made) {
      OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
      made = shard::GridOp::create(b, module.getLoc(), kGridName, ArrayRef<int64_t>(grid.sizes));
    }
    return FlatSymbolRefAttr::get(made.getSymNameAttr());
  }

  Value build(OpBuilder &b, Location loc, StringRef name, Value input, Type type, ArrayRef<int16_t> axes,
              ArrayRef<NamedAttribute> more) {
    OperationState state(loc, name);
    state.addOperands(input);
    state.addTypes(type);
    state.addAttribute("grid", gridName());
    state.addAttribute("grid_axes", b.getDenseI16ArrayAttr(axes));
    state.addAttributes(more);
    return b.create(state)->getResult(0);
  }

  void replace(Operation *op) {
    OpBuilder b(op);
    SmallVector<Value> results;
    if (isa<hlo::PartitionIdOp, hlo::ReplicaIdOp>(op)) {
      if (!fitsOn(op, grid))
        return;
      results.push_back(number(op, b));
    } else {
      for (auto [operand, result] : llvm::zip(op->getOperands(), op->getResults())) {
        Value value = one(op, operand, result.getType(), b);
        if (!value) {
          for (Value made : results)
            made.getDefiningOp()->erase();
          return;
        }
        results.push_back(value);
      }
    }
    op->replaceAllUsesWith(results);
    op->erase();
  }

  Value number(Operation *op, OpBuilder &b) {
    const Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    // A program has either several partitions or several replicas.
    const bool isKind = isa<hlo::PartitionIdOp>(op) ? partitions > 1 || replicas == 1 : replicas > 1;
    Value index = isKind ? shard::ProcessLinearIndexOp::create(b, loc, b.getIndexType(), gridName()).getResult()
                         : arith::ConstantIndexOp::create(b, loc, 0).getResult();
    Value element = arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
    Value tensor = tensor::FromElementsOp::create(b, loc, RankedTensorType::get({}, b.getI32Type()), element);
    return hlo::ConvertOp::create(b, loc, type, tensor);
  }

  /// `op` on one of its operands; null: it has no form.
  Value one(Operation *op, Value operand, Type result, OpBuilder &b) {
    const Location loc = op->getLoc();
    auto from = dyn_cast<RankedTensorType>(operand.getType()), to = dyn_cast<RankedTensorType>(result);
    if (!from || !to || isa<ComplexType>(from.getElementType()))
      return {};
    auto named = [&](StringRef name, Attribute value) { return b.getNamedAttr(name, value); };
    if (auto permute = dyn_cast<hlo::CollectivePermuteOp>(op)) {
      std::optional<DenseIntElementsAttr> pairs = idsOf(op);
      std::optional<Shift> shift = pairs ? Shift::of(*pairs, grid) : std::nullopt;
      if (!shift || from.getRank() == 0)
        return {};
      SmallVector<NamedAttribute> more{named("shift_axis", b.getIndexAttr(shift->axis)),
                                       named("offset", b.getI64IntegerAttr(shift->offset))};
      if (shift->rotates)
        more.push_back(named("rotate", b.getUnitAttr()));
      return build(b, loc, shard::ShiftOp::getOperationName(), operand, to, shift->axis, more);
    }
    std::optional<Axes> axes = axesOf(op, grid);
    if (!axes)
      return {};
    if (axes->empty())
      return from == to ? operand : Value();
    Region *computation = op->getNumRegions() == 1 ? &op->getRegion(0) : nullptr;
    std::optional<shard::ReductionKind> reduction = computation ? reductionOf(*computation) : std::nullopt;
    if (computation && !reduction)
      return {};
    NamedAttribute kind = named(
        "reduction", shard::ReductionKindAttr::get(b.getContext(), reduction.value_or(shard::ReductionKind::Sum)));
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](hlo::AllReduceOp) {
          return build(b, loc, shard::AllReduceOp::getOperationName(), operand, to, *axes, kind);
        })
        .Case([&](hlo::AllGatherOp gather) {
          return build(b, loc, shard::AllGatherOp::getOperationName(), operand, to, *axes,
                       named("gather_axis", b.getIndexAttr(gather.getAllGatherDim())));
        })
        .Case([&](hlo::ReduceScatterOp scatter) {
          return build(b, loc, shard::ReduceScatterOp::getOperationName(), operand, to, *axes,
                       {kind, named("scatter_axis", b.getIndexAttr(scatter.getScatterDimension()))});
        })
        .Case([&](hlo::AllToAllOp all) {
          return build(b, loc, shard::AllToAllOp::getOperationName(), operand, to, *axes,
                       {named("split_axis", b.getIndexAttr(all.getSplitDimension())),
                        named("concat_axis", b.getIndexAttr(all.getConcatDimension()))});
        })
        .Case([&](hlo::CollectiveBroadcastOp) {
          return build(b, loc, shard::BroadcastOp::getOperationName(), operand, to, *axes,
                       named("root", b.getDenseI64ArrayAttr(SmallVector<int64_t>(axes->size(), 0))));
        })
        .Default([](Operation *) { return Value(); });
  }

  ModuleOp module;
  std::optional<Grid> mesh;
  Grid grid;
  shard::GridOp made;
  int64_t replicas = 1, partitions = 1;
  SmallVector<Operation *> ops;
};
} // namespace

void hlotypes::convertCollectives(ModuleOp module, std::optional<Grid> mesh) {
  Collectives(module, std::move(mesh)).convert();
}
