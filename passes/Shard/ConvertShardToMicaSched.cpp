//===- ConvertShardToMicaSched.cpp - collectives as exchanges of buffers ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Passes.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Shard/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTSHARDTOMICASCHED
#include "passes/Shard/Passes.h.inc"
} // namespace mica

using namespace mlir;
using mica::sched::CollectiveKind, mica::sched::RankReduction;

namespace {

/// What a collective says besides its operands.
struct Exchange {
  CollectiveKind kind;
  SmallVector<int64_t> axes;
  std::optional<RankReduction> reduction = {};
  std::optional<int64_t> dim = {}, concatDim = {}, peer = {}, shiftAxis = {}, offset = {};
  bool rotates = false;
};

/// Converts the collectives of one program.
class Converter {
public:
  Converter(ModuleOp program) : program(program) {}

  LogicalResult convert(Operation *op);

private:
  FailureOr<shard::GridOp> gridOf(Operation *op, FlatSymbolRefAttr name);
  FailureOr<Exchange> describe(Operation *op, shard::GridOp grid);
  template <typename Op> Exchange common(Op op, CollectiveKind kind) {
    return {kind, llvm::map_to_vector(op.getGridAxes(), [](int16_t axis) { return int64_t(axis); })};
  }
  FailureOr<std::optional<RankReduction>> reductionOf(Operation *op, shard::ReductionKind kind);
  FailureOr<std::optional<int64_t>> memberOf(Operation *op, shard::GridOp grid, ArrayRef<int64_t> axes,
                                             ArrayRef<int64_t> index, ValueRange dynamic, StringRef what);
  /// The op as a region on buffers; `input` may be null.
  Value build(OpBuilder &b, Location loc, Value input, RankedTensorType type, ArrayRef<int64_t> grid,
              const Exchange &exchange);
  SmallVector<Value> sizesOf(OpBuilder &b, Location loc, Value input, RankedTensorType type, const Exchange &exchange,
                             int64_t members);

  ModuleOp program;
  SymbolTableCollection symbols;
};

} // namespace

FailureOr<shard::GridOp> Converter::gridOf(Operation *op, FlatSymbolRefAttr name) {
  auto grid = symbols.lookupNearestSymbolFrom<shard::GridOp>(op, name);
  if (!grid)
    return op->emitError() << "there is no shard.grid '" << name.getValue() << "'";
  if (llvm::any_of(grid.getShape(), [](int64_t size) { return size < 1; }))
    return grid.emitError() << "the sizes of a grid have to be known when the program is compiled, and positive";
  return grid;
}

FailureOr<std::optional<RankReduction>> Converter::reductionOf(Operation *op, shard::ReductionKind kind) {
  switch (kind) {
  case shard::ReductionKind::Sum:
    return std::optional(RankReduction::Sum);
  case shard::ReductionKind::Average:
    return std::optional(RankReduction::Average);
  case shard::ReductionKind::Product:
    return std::optional(RankReduction::Product);
  case shard::ReductionKind::Min:
    return std::optional(RankReduction::Min);
  case shard::ReductionKind::Max:
    return std::optional(RankReduction::Max);
  case shard::ReductionKind::BitwiseAnd:
    return std::optional(RankReduction::And);
  case shard::ReductionKind::BitwiseOr:
    return std::optional(RankReduction::Or);
  case shard::ReductionKind::BitwiseXor:
    return std::optional(RankReduction::Xor);
  case shard::ReductionKind::Generic:
    break;
  }
  return op->emitError() << "the reduction 'generic' does not say how elements are combined; name the reduction";
}

/// The number of the member with the multi-index `index` in its group.
FailureOr<std::optional<int64_t>> Converter::memberOf(Operation *op, shard::GridOp grid, ArrayRef<int64_t> axes,
                                                      ArrayRef<int64_t> index, ValueRange dynamic, StringRef what) {
  if (!dynamic.empty() || llvm::any_of(index, ShapedType::isDynamic))
    return op->emitError() << "'" << what << "' is computed at run time; it has to be constant";
  if (index.size() != axes.size())
    return op->emitError() << "'" << what << "' has " << index.size() << " numbers for " << axes.size() << " grid axes";
  int64_t member = 0;
  for (auto [position, axis] : llvm::zip_equal(index, axes)) {
    if (position < 0 || position >= grid.getShape()[axis])
      return op->emitError() << "'" << what << "' is " << position << " along grid axis " << axis << " of "
                             << grid.getShape()[axis] << " ranks";
    member = member * grid.getShape()[axis] + position;
  }
  return std::optional(member);
}

FailureOr<Exchange> Converter::describe(Operation *op, shard::GridOp grid) {
  using Made = FailureOr<Exchange>;
  auto withPeer = [&](Exchange exchange, ArrayRef<int64_t> index, ValueRange dynamic, StringRef what) -> Made {
    FailureOr<std::optional<int64_t>> member = memberOf(op, grid, exchange.axes, index, dynamic, what);
    if (failed(member))
      return failure();
    exchange.peer = *member;
    return exchange;
  };
  auto withReduction = [&](Exchange exchange, shard::ReductionKind kind) -> Made {
    FailureOr<std::optional<RankReduction>> reduction = reductionOf(op, kind);
    if (failed(reduction))
      return failure();
    exchange.reduction = *reduction;
    return exchange;
  };
  auto along = [](Exchange exchange, const APInt &dim) {
    exchange.dim = dim.getSExtValue();
    return exchange;
  };
  return llvm::TypeSwitch<Operation *, Made>(op)
      .Case([&](shard::AllReduceOp one) {
        return withReduction(common(one, CollectiveKind::AllReduce), one.getReduction());
      })
      .Case([&](shard::AllGatherOp one) -> Made {
        return along(common(one, CollectiveKind::AllGather), one.getGatherAxis());
      })
      .Case([&](shard::AllSliceOp one) -> Made {
        return along(common(one, CollectiveKind::AllSlice), one.getSliceAxis());
      })
      .Case([&](shard::AllToAllOp one) -> Made {
        Exchange exchange = along(common(one, CollectiveKind::AllToAll), one.getSplitAxis());
        exchange.concatDim = one.getConcatAxis().getSExtValue();
        return exchange;
      })
      .Case([&](shard::BroadcastOp one) {
        return withPeer(common(one, CollectiveKind::Broadcast), one.getRoot(), one.getRootDynamic(), "root");
      })
      .Case([&](shard::GatherOp one) {
        return withPeer(along(common(one, CollectiveKind::Gather), one.getGatherAxis()), one.getRoot(),
                        one.getRootDynamic(), "root");
      })
      .Case([&](shard::ReduceOp one) -> Made {
        Made exchange = withReduction(common(one, CollectiveKind::Reduce), one.getReduction());
        return failed(exchange) ? exchange : withPeer(*exchange, one.getRoot(), one.getRootDynamic(), "root");
      })
      .Case([&](shard::ReduceScatterOp one) {
        return withReduction(along(common(one, CollectiveKind::ReduceScatter), one.getScatterAxis()),
                             one.getReduction());
      })
      .Case([&](shard::ScatterOp one) {
        return withPeer(along(common(one, CollectiveKind::Scatter), one.getScatterAxis()), one.getRoot(),
                        one.getRootDynamic(), "root");
      })
      .Case([&](shard::SendOp one) {
        return withPeer(common(one, CollectiveKind::Send), one.getDestination(), one.getDestinationDynamic(),
                        "destination");
      })
      .Case([&](shard::RecvOp one) -> Made {
        if (!one.getSource())
          return one.emitError() << "no 'source' is named; a rank has to know from which it receives";
        return withPeer(common(one, CollectiveKind::Recv), *one.getSource(), one.getSourceDynamic(), "source");
      })
      .Case([&](shard::ShiftOp one) -> Made {
        Exchange exchange = common(one, CollectiveKind::Shift);
        exchange.shiftAxis = one.getShiftAxis().getSExtValue();
        exchange.offset = one.getOffset();
        exchange.rotates = one.getRotate();
        return exchange;
      })
      .Case([](shard::UpdateHaloOp one) -> Made {
        return one.emitError() << "halos have to have sizes that are known when the program is compiled, at most the "
                                  "rank's own rows, along dimensions that one axis of the grid splits";
      })
      .Default([](Operation *other) -> Made {
        return other->emitError() << "'" << other->getName() << "' has no code for ranks";
      });
}

SmallVector<Value> Converter::sizesOf(OpBuilder &b, Location loc, Value input, RankedTensorType type,
                                      const Exchange &exchange, int64_t members) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    OpFoldResult size = tensor::getMixedSize(b, loc, input, dim);
    AffineExpr own = b.getAffineDimExpr(0);
    const bool gathers = exchange.kind == CollectiveKind::AllGather || exchange.kind == CollectiveKind::Gather;
    if (exchange.dim == dim)
      own = gathers ? own * members : own.floorDiv(members);
    if (exchange.concatDim == dim)
      own = own * members;
    sizes.push_back(getValueOrCreateConstantIndexOp(
        b, loc, affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(1, 0, own), {size})));
  }
  return sizes;
}

Value Converter::build(OpBuilder &b, Location loc, Value input, RankedTensorType type, ArrayRef<int64_t> grid,
                       const Exchange &exchange) {
  int64_t members = 1;
  for (int64_t axis : exchange.axes)
    members *= grid[axis];
  SmallVector<Value> sizes = sizesOf(b, loc, input, type, exchange, members);
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType(), sizes);
  auto region = mica::sched::BufferRegionOp::create(b, loc, TypeRange(type), input ? ValueRange(input) : ValueRange(),
                                                    ValueRange(empty), /*host=*/false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region.getBody());
  for (Value operand : region.getOperands()) {
    auto tensor = cast<RankedTensorType>(operand.getType());
    block->addArgument(MemRefType::get(tensor.getShape(), tensor.getElementType()), loc);
  }
  auto number = [&](std::optional<int64_t> value) { return value ? b.getI64IntegerAttr(*value) : IntegerAttr(); };
  auto made = mica::sched::CollectiveOp::create(b, loc, exchange.kind, input ? Value(block->getArgument(0)) : Value(),
                                                block->getArguments().back(), grid, exchange.axes, /*reduction=*/{},
                                                number(exchange.dim), number(exchange.concatDim), number(exchange.peer),
                                                number(exchange.shiftAxis), number(exchange.offset), exchange.rotates);
  if (exchange.reduction)
    made.setReduction(exchange.reduction);
  return region.getResult(0);
}

LogicalResult Converter::convert(Operation *op) {
  OpBuilder b(op);
  FailureOr<shard::GridOp> grid = gridOf(op, op->getAttrOfType<FlatSymbolRefAttr>("grid"));
  if (failed(grid))
    return failure();
  if (auto index = dyn_cast<shard::ProcessLinearIndexOp>(op)) {
    Value number = build(b, op->getLoc(), {}, RankedTensorType::get({}, b.getI64Type()), grid->getShape(),
                         {CollectiveKind::Index, {}});
    Value element = tensor::ExtractOp::create(b, op->getLoc(), number, ValueRange());
    index.getResult().replaceAllUsesWith(
        arith::IndexCastOp::create(b, op->getLoc(), b.getIndexType(), element).getResult());
    op->erase();
    return success();
  }
  if (auto shape = dyn_cast<shard::GridShapeOp>(op)) {
    for (auto [i, result] : llvm::enumerate(shape.getResults())) {
      const int64_t axis = shape.getAxes().empty() ? int64_t(i) : int64_t(shape.getAxes()[i]);
      result.replaceAllUsesWith(arith::ConstantIndexOp::create(b, op->getLoc(), grid->getShape()[axis]).getResult());
    }
    op->erase();
    return success();
  }
  if (llvm::any_of(
          llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes())),
          [](Type type) { return isa<MemRefType>(type); }))
    return op->emitError() << "'" << op->getName() << "' on buffers; give the program before bufferization";
  FailureOr<Exchange> exchange = describe(op, *grid);
  if (failed(exchange))
    return failure();
  Value input = op->getOperand(0), result = op->getResult(0);
  auto from = cast<RankedTensorType>(input.getType()), to = cast<RankedTensorType>(result.getType());
  if (from.getElementType() != to.getElementType())
    return op->emitError() << "converts elements of " << from << " to those of " << to
                           << "; convert them before the exchange";
  result.replaceAllUsesWith(build(b, op->getLoc(), input, to, grid->getShape(), *exchange));
  op->erase();
  return success();
}

namespace {
class ConvertShardToMicaSched : public mica::impl::ConvertShardToMicaSchedBase<ConvertShardToMicaSched> {
public:
  void runOnOperation() override {
    ModuleOp program = getOperation();
    if (!mica::hasShardOps(program))
      return markAllAnalysesPreserved();
    {
      SymbolTableCollection symbols;
      RewritePatternSet patterns(&getContext());
      mica::populateExpandHaloUpdatesPatterns(patterns);
      shard::populateProcessMultiIndexOpLoweringPatterns(patterns, symbols);
      if (failed(applyPatternsGreedily(program, std::move(patterns))))
        return signalPassFailure();
    }
    SmallVector<Operation *> collectives, grids, shardings;
    program.walk([&](Operation *op) {
      if (!isa_and_present<shard::ShardDialect>(op->getDialect()))
        return;
      (isa<shard::GridOp>(op) ? grids : isa<shard::ShardingOp>(op) ? shardings : collectives).push_back(op);
    });
    Converter converter(program);
    for (Operation *op : collectives)
      if (failed(converter.convert(op)))
        return signalPassFailure();
    for (Operation *op : shardings)
      if (op->use_empty())
        op->erase();
    for (Operation *grid : grids)
      grid->erase();
  }
};
} // namespace
