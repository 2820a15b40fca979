//===- RankAnnotations.cpp - annotations of sdy and mhlo as those of shard ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each annotation says which part of a tensor each device has. A grid is looked for along whose axes all tensors are
// split; it and the annotations of shard are added to the program.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/RankPrograms.h"
#include "passes/StableHLO/Ranks.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;

namespace {
/// An annotation of mhlo.sharding: the part of the tensor that each device has, by dimension.
struct Tiles {
  SmallVector<int64_t> counts;                ///< parts of each dimension
  SmallVector<SmallVector<int64_t>> position; ///< of each dimension: of each device

  /// `{replicated}`, `{devices=[2,1]<=[2]}`, `{devices=[1,2,2]0,1,2,3 last_tile_dim_replicate}`.
  static std::optional<Tiles> of(StringRef text, int64_t rank, int64_t count) {
    Tiles tiles;
    if (text == "{replicated}") {
      tiles.counts.assign(rank, 1);
      tiles.position.assign(rank, SmallVector<int64_t>(count, 0));
      return tiles;
    }
    if (!text.consume_front("{devices=[") || !text.consume_back("}"))
      return std::nullopt;
    std::optional<SmallVector<int64_t>> dims = numbers(text, ']');
    SmallVector<int64_t> devices;
    if (!dims)
      return std::nullopt;
    if (text.consume_front("<=[")) {
      std::optional<SmallVector<int64_t>> sizes = numbers(text, ']');
      if (!sizes)
        return std::nullopt;
      SmallVector<int64_t> order(sizes->size());
      std::iota(order.begin(), order.end(), 0);
      if (text.consume_front("T(")) {
        std::optional<SmallVector<int64_t>> given = numbers(text, ')');
        if (!given || given->size() != order.size() || !isPermutation(*given))
          return std::nullopt;
        order = *given;
      }
      if (product(*sizes) != count)
        return std::nullopt;
      const Grid from{*sizes};
      Grid to;
      for (int64_t axis : order)
        to.sizes.push_back((*sizes)[axis]);
      for (int64_t i = 0; i < count; ++i) {
        SmallVector<int64_t> place(sizes->size());
        for (auto [k, axis] : llvm::enumerate(order))
          place[axis] = to.position(i, int16_t(k));
        int64_t device = 0;
        for (auto [size, at] : llvm::zip_equal(*sizes, place))
          device = device * size + at;
        devices.push_back(device);
      }
    } else {
      StringRef list = text.take_while([](char c) { return llvm::isDigit(c) || c == ','; });
      text = text.drop_front(list.size());
      std::string closed = (list + "]").str();
      StringRef rest = closed;
      std::optional<SmallVector<int64_t>> given = numbers(rest, ']');
      if (!given || !isPermutation(*given))
        return std::nullopt;
      devices = *given;
    }
    text = text.trim();
    const bool replicates = text == "last_tile_dim_replicate";
    if ((!replicates && !text.empty()) || int64_t(dims->size()) != rank + replicates || product(*dims) != count ||
        int64_t(devices.size()) != count)
      return std::nullopt;
    const Grid parts{*dims};
    for (int64_t dim = 0; dim < rank; ++dim) {
      tiles.counts.push_back((*dims)[dim]);
      SmallVector<int64_t> &position = tiles.position.emplace_back(count);
      for (int64_t i = 0; i < count; ++i)
        position[devices[i]] = parts.position(i, int16_t(dim));
    }
    return tiles;
  }

  std::optional<Split> on(const Grid &grid) const {
    Split split;
    for (auto [parts, places] : llvm::zip_equal(counts, position)) {
      std::optional<Axes> axes = grid.findAxes(parts, [&places = places, &grid](ArrayRef<int16_t> axes) {
        for (int64_t rank = 0; rank < int64_t(places.size()); ++rank)
          if (grid.position(rank, axes) != places[rank])
            return false;
        return true;
      });
      if (!axes)
        return std::nullopt;
      split.push_back(*axes);
    }
    return split;
  }

private:
  static int64_t product(ArrayRef<int64_t> sizes) {
    int64_t all = 1;
    for (int64_t size : sizes)
      if (size < 1 || (all *= size) > kMostRanks)
        return -1;
    return all;
  }
  static bool isPermutation(ArrayRef<int64_t> numbers) {
    SmallVector<bool> seen(numbers.size());
    for (int64_t number : numbers) {
      if (number < 0 || number >= int64_t(numbers.size()) || seen[number])
        return false;
      seen[number] = true;
    }
    return true;
  }
  /// `2,1]`
  static std::optional<SmallVector<int64_t>> numbers(StringRef &text, char end) {
    auto [list, rest] = text.split(end);
    SmallVector<int64_t> result;
    for (StringRef number : llvm::split(list, ','))
      if (number.trim().getAsInteger(10, result.emplace_back()))
        return std::nullopt;
    text = rest;
    return result;
  }
};

/// Finds the annotations of a program, then a grid for all, then adds those of shard.
class Annotations {
public:
  explicit Annotations(ModuleOp module) : module(module), meshes(meshesOf(module)) {}

  LogicalResult convert(bool &used) {
    count = processesOf(module, "mhlo.num_partitions");
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && function.getBody().hasOneBlock() && failed(find(function)))
        return failure();
    used = !found.empty();
    if (!used)
      return success();
    return failure(failed(findGrid()) || failed(annotate()));
  }

private:
  struct Found {
    Operation *op; ///< for messages
    BlockArgument argument;
    OpOperand *operand = nullptr;
    std::optional<Split> split;
    std::optional<Tiles> tiles;
  };

  static constexpr StringLiteral kWhy =
      "is not split by whole axes of one mesh or one grid, or comes from bytecode, where its text is lost";

  LogicalResult add(Operation *op, Attribute sdy, Attribute mhlo, Found one) {
    if (!sdy && !mhlo)
      return success();
    one.op = op;
    auto type = dyn_cast<RankedTensorType>(one.operand ? one.operand->get().getType() : one.argument.getType());
    if (!type)
      return success();
    if (sdy) {
      AnnotationText text(sdy);
      std::string own;
      one.split = readSharding(text, meshes, own);
      if (!one.split || (!mesh.empty() && mesh != own))
        return op->emitError() << "the annotation " << sdy << " " << kWhy;
      mesh = own;
    } else {
      auto text = dyn_cast<StringAttr>(mhlo);
      one.tiles = text ? Tiles::of(text.getValue(), type.getRank(), count) : std::nullopt;
      if (!one.tiles)
        return op->emitError() << "the annotation " << mhlo << " " << kWhy;
    }
    found.push_back(std::move(one));
    return success();
  }

  LogicalResult find(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments()) {
      const unsigned i = argument.getArgNumber();
      if (failed(add(function, function.getArgAttr(i, "sdy.sharding"), function.getArgAttr(i, "mhlo.sharding"),
                     {nullptr, argument, nullptr, {}, {}})))
        return failure();
    }
    for (OpOperand &operand : function.getBody().front().getTerminator()->getOpOperands()) {
      const unsigned i = operand.getOperandNumber();
      if (failed(add(function, function.getResultAttr(i, "sdy.sharding"), function.getResultAttr(i, "mhlo.sharding"),
                     {nullptr, {}, &operand, {}, {}})))
        return failure();
    }
    WalkResult walked = function.walk([&](Operation *op) {
      if (auto constraint = dyn_cast<sdy::ShardingConstraintOp>(op))
        return WalkResult(add(op, constraint.getSharding(), {}, {nullptr, {}, &op->getOpOperand(0), {}, {}}));
      if (auto reshard = dyn_cast<sdy::ReshardOp>(op))
        return WalkResult(add(op, reshard.getSharding(), {}, {nullptr, {}, &op->getOpOperand(0), {}, {}}));
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  LogicalResult findGrid() {
    SmallVector<Grid> grids = mesh.empty() ? gridsOf(count) : SmallVector<Grid>{meshes.find(mesh)->second.grid};
    for (const Grid &candidate : grids)
      if (llvm::all_of(found, [&](const Found &one) { return !one.tiles || one.tiles->on(candidate); })) {
        grid = candidate;
        return success();
      }
    return found.front().op->emitError() << "no grid of ranks fits all annotations mhlo.sharding of the program";
  }

  LogicalResult annotate() {
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    auto made = shard::GridOp::create(b, module.getLoc(), kGridName, ArrayRef<int64_t>(grid.sizes));
    const auto name = FlatSymbolRefAttr::get(made.getSymNameAttr());
    for (const Found &one : found) {
      const Split split = one.split ? *one.split : *one.tiles->on(grid);
      if (one.operand)
        shardOperand(*one.operand, name, split);
      else
        shardArgument(one.argument, name, split);
    }
    return success();
  }

  ModuleOp module;
  const llvm::StringMap<Mesh> meshes;
  int64_t count = 1;
  std::string mesh; ///< of all annotations of sdy
  Grid grid;
  std::vector<Found> found;
};
} // namespace

LogicalResult hlotypes::convertAnnotations(ModuleOp module, bool &used) {
  used = false;
  if (!module.getOps<shard::GridOp>().empty())
    return success(); // collectives, or shardings of its own
  return Annotations(module).convert(used);
}
