//===- BlockEmitter.cpp - register blocks of a contraction and the ops fused with it -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The loops that are emitted for a matmul with config "outer 8x32" and a fused relu:
//
//   for lanes n step 32:                     (or rows first, see ContractionPlan::lanesOuter)
//     for rows m step 8:
//       16 accumulators = init
//       for k: 2 vectors of B, 8 elements of A, 16 multiply-adds
//       16 times relu
//       16 stores
//   a last panel of fewer lanes is masked; the last rows are a smaller block
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/BlockEmitter.h"

#include "passes/Codegen/CPU/InterleavedReducer.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace mica::cpu;

namespace {

class Emitter : public InterleavedReducer {
public:
  Emitter(RewriterBase &rewriter, FusedGroup &group, const ContractionPlan &plan, bool hasByteDots)
      : InterleavedReducer(rewriter, group, plan, hasByteDots) {}

  LogicalResult run();

private:
  void emitTile(Point &point, int64_t rows, const Lanes &lanes);
  AffineMap mapOf(linalg::LinalgOp op, OpOperand *operand) {
    return renameLoops(op.getMatchingIndexingMap(operand), group.loopOf.find(op)->second, root.getNumLoops());
  }
  bool isNeededOutside(Value buffer);

  const bool dot = plan.form == ContractionPlan::Form::Dot;
  const bool isInterleaved = plan.form == ContractionPlan::Form::Interleaved;
  const bool isTransposed = plan.form == ContractionPlan::Form::Transposed;
  llvm::MapVector<Value, AffineMap> outputs; ///< stored buffers, with their indexing maps from the root's loops
};

} // namespace

/// Emits one register block at `point`: the initial values, the reduction, the consumers, the stores.
void Emitter::emitTile(Point &point, int64_t rows, const Lanes &lanes) {
  int64_t width = dot ? lanes.vectors : plan.lanes, vectors = dot ? 1 : lanes.vectors;
  // Buffers whose elements of this block are in registers: not yet stored, or loaded already.
  llvm::DenseMap<Value, Values> inRegisters;
  std::map<std::tuple<void *, const void *, int64_t, int64_t>, Value> known;
  auto at = [&](int64_t r, int64_t u) {
    Point shifted = point;
    if (plan.rowDim >= 0)
      shifted[plan.rowDim] = add(point[plan.rowDim], r);
    shifted[plan.laneDim] = add(point[plan.laneDim], u * width);
    return shifted;
  };
  /// Loads the operand `use` of `op` for row `r`, vector `u`.
  auto load = [&](linalg::LinalgOp op, OpOperand *use, int64_t r, int64_t u) -> Value {
    Value source = use->get();
    if (auto found = inRegisters.find(source); found != inRegisters.end())
      return found->second[r * vectors + u];
    if (!isa<MemRefType>(source.getType()))
      return source;
    AffineMap map = mapOf(op, use);
    LaneAccess access = classifyAccess(map, plan.laneDim);
    bool byRow = plan.rowDim >= 0 && map.isFunctionOfDim(plan.rowDim);
    Value &v = known[{source.getAsOpaquePointer(), map.getAsOpaquePointer(), byRow ? r : -1,
                      access == LaneAccess::Uniform ? -1 : u}];
    if (v)
      return v;
    if (access == LaneAccess::Uniform || width == 1)
      return v = memref::LoadOp::create(b, loc, source, indices(map, at(r, u)));
    if (access == LaneAccess::Contiguous)
      return v = loadVector(source, indices(map, at(r, u)), width, maskFor(lanes, u, width));
    return v = loadScattered(source, map, at(r, u), lanes, u, width);
  };
  /// Computes all results of `op` for the block, elementwise.
  auto compute = [&](linalg::LinalgOp op) {
    SmallVector<Values> results(op.getNumDpsInits());
    ArrayRef<unsigned> loops = group.loopOf.find(op)->second;
    Location before = std::exchange(loc, op.getLoc());
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t u = 0; u < vectors; ++u) {
        auto index = [&](unsigned dim) -> Value {
          OpFoldResult here = at(r, u)[loops[dim]];
          bool lane = static_cast<int64_t>(loops[dim]) == plan.laneDim && width > 1;
          return lane ? indexVector(here, width) : value(here);
        };
        Values values = emitBody(
            op, width, [&](OpOperand *use) { return load(op, use, r, u); }, index);
        for (auto [result, v] : llvm::zip_equal(results, values))
          result.push_back(v);
      }
    loc = before;
    for (auto [buffer, values] : llvm::zip_equal(op.getDpsInits(), results))
      inRegisters[buffer] = values;
  };

  if (reductions.empty()) {
    compute(root);
  } else {
    Value result = root.getDpsInits()[0];
    if (group.init) {
      compute(group.init);
    } else {
      Values start;
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t u = 0; u < vectors; ++u)
          start.push_back(load(root, root.getDpsInitOperand(0), r, u));
      inRegisters[result] = start;
    }
    Values start = inRegisters[result];
    if (isInterleaved) {
      inRegisters[result] = interleavedProducts(point, rows, lanes, start);
    } else if (!dot && !isTransposed) {
      inRegisters[result] = outerProducts(point, rows, lanes, start);
    } else {
      SmallVector<Operation *> combiners;
      (void)matchReduction(root.getRegionOutputArgs(), 0, combiners);
      Values sums = dot ? dotProducts(point, rows, width)
                        : transposedProducts(point, rows, lanes.count ? *getConstantIntValue(*lanes.count) : width);
      for (auto [sum, from] : llvm::zip_equal(sums, start)) {
        Value initial = width == 1 ? from : toVector(from, width);
        OperationState state(combiners[0]->getLoc(), combiners[0]->getName().getStringRef(), {initial, sum},
                             {sum.getType()}, combiners[0]->getAttrs());
        sum = b.create(state)->getResult(0);
      }
      inRegisters[result] = sums;
    }
  }
  for (linalg::LinalgOp consumer : group.consumers)
    compute(consumer);

  for (auto &[buffer, map] : outputs)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t u = 0; u < vectors; ++u) {
        Value v = inRegisters[buffer][r * vectors + u];
        Values position = indices(map, at(r, u));
        if (width == 1 && !isa<VectorType>(v.getType()))
          memref::StoreOp::create(b, loc, v, buffer, position);
        else
          storeLanes(toVector(v, width), buffer, position, lanes, u, width);
      }
}

/// The op that precedes the insertion point in its block; null if there is none.
static Operation *lastOpBefore(OpBuilder &b) {
  Block::iterator at = b.getInsertionPoint();
  return at == b.getInsertionBlock()->begin() ? nullptr : &*std::prev(at);
}

/// Whether nothing writes `source` while its kernel runs: an argument that is only read.
static bool isOnlyRead(Value source) {
  auto argument = dyn_cast_or_null<BlockArgument>(baseOf(source));
  auto func = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  auto access =
      func ? func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), mica::sched::kAccessAttr) : StringAttr();
  return access && access.getValue() == "read";
}

/// Moves the ops after `before` and before the insertion point, which pack `source`, in front of the loops whose
/// iterations all pack the same.
static void hoistPacking(OpBuilder &b, Operation *before, Value source) {
  if (!isOnlyRead(source))
    return;
  Block *block = b.getInsertionBlock();
  SmallVector<Operation *> packing;
  for (auto it = before ? std::next(Block::iterator(before)) : block->begin(); it != b.getInsertionPoint(); ++it)
    packing.push_back(&*it);
  for (auto loop = dyn_cast<scf::ForOp>(block->getParentOp()); loop; loop = dyn_cast<scf::ForOp>(loop->getParentOp())) {
    auto isAvailable = [&](Value value) {
      Operation *origin = value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
      return loop.isDefinedOutsideOfLoop(value) ||
             llvm::any_of(packing, [&](Operation *op) { return op->isAncestor(origin); });
    };
    bool same = true;
    for (Operation *op : packing)
      op->walk([&](Operation *inner) { same &= llvm::all_of(inner->getOperands(), isAvailable); });
    if (!same)
      return;
    for (Operation *op : packing)
      op->moveBefore(loop);
  }
}

/// Whether `buffer` is read outside of the group later: it is not an allocation of this block, or has other uses.
bool Emitter::isNeededOutside(Value buffer) {
  Value base = baseOf(buffer);
  if (!base || !base.getDefiningOp<memref::AllocOp>() || base.getDefiningOp()->getBlock() != root->getBlock())
    return true;
  SmallVector<Value> worklist = {base};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(worklist, user->getResults());
      else if (!group.loopOf.count(user) && !isa<memref::DeallocOp>(user))
        return true;
    }
  return false;
}

LogicalResult Emitter::run() {
  SmallVector<utils::IteratorType> iterators = root.getIteratorTypesArray();
  auto isReduction = [&](unsigned dim) { return !linalg::isParallelIterator(iterators[dim]); };
  int64_t numLoops = root.getNumLoops();
  if (!root.hasPureBufferSemantics() || !hasVectorizableBody(root) || plan.laneDim < 0 || plan.laneDim >= numLoops ||
      plan.rowDim >= numLoops || plan.dotDim >= numLoops || isReduction(plan.laneDim) || plan.rowDim == plan.laneDim ||
      (plan.rowDim >= 0 && isReduction(plan.rowDim)) || static_cast<int64_t>(plan.tile.size()) != numLoops ||
      plan.packOperand >= root.getNumDpsInputs() ||
      classifyAccess(resultMap(root), plan.laneDim) != LaneAccess::Contiguous ||
      ((dot || isInterleaved) && (plan.dotDim < 0 || !isReduction(plan.dotDim))) ||
      (isTransposed ? plan.rowDim < 0 || plan.rows % plan.lanes != 0 || plan.columns > plan.lanes
                    : !dot && plan.columns % plan.lanes != 0))
    return failure();
  if (isTransposed) {
    const int64_t size = root.getStaticLoopRanges()[plan.rowDim];
    if (ShapedType::isDynamic(size) || size % plan.lanes != 0)
      return failure();
  }
  // Panels are packed once for all rows.
  if (plan.packOperand >= 0 && !dot &&
      plan.movesWithRows(root.getMatchingIndexingMap(root.getDpsInputOperand(plan.packOperand))))
    return failure();
  for (unsigned d = 0; d < numLoops; ++d)
    if (isReduction(d))
      reductions.push_back(d);
  if (isInterleaved && failed(matchFactors()))
    return failure();

  // Consumers may use views that are created between the root and the consumer.
  b.setInsertionPoint(group.consumers.empty() ? root : group.consumers.back());
  for (Range range : root.createLoopRanges(b, loc))
    sizes.push_back(range.size);
  SmallVector<linalg::LinalgOp> writers = {root};
  llvm::append_range(writers, group.consumers);
  for (linalg::LinalgOp op : writers)
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isNeededOutside(init.get()))
        outputs[init.get()] = mapOf(op, &init);

  if (plan.packOperand >= 0 && !dot) {
    packed = root.getDpsInputOperand(plan.packOperand);
    packedMap = root.getMatchingIndexingMap(packed);
  }
  // Loops over neither rows nor lanes, those that index the packed operand outermost.
  SmallVector<unsigned> packLoops, otherLoops;
  for (AffineExpr expr : resultMap(root).getResults()) {
    int64_t d = cast<AffineDimExpr>(expr).getPosition();
    if (d != plan.laneDim && d != plan.rowDim)
      (packed && packedMap.isFunctionOfDim(d) ? packLoops : otherLoops).push_back(d);
  }

  Point point(numLoops, constant(0));
  auto rowBlocks = [&](llvm::function_ref<void(int64_t)> body) {
    plan.rowDim < 0 ? body(1) : countedBlocks(plan.rowDim, plan.rows, point, body);
  };
  auto columnBlocks = [&](llvm::function_ref<void(Lanes)> body) {
    if (!dot && !isTransposed)
      return laneBlocks(point, body);
    countedBlocks(plan.laneDim, plan.columns, point, [&](int64_t size) {
      if (dot)
        return body(Lanes{size, std::nullopt});
      body(Lanes{1, size < plan.lanes ? std::optional(constant(size)) : std::nullopt});
    });
  };
  const bool packsOnce =
      llvm::all_of(packLoops, [&](unsigned d) { return getConstantIntValue(sizes[d]) == std::optional<int64_t>(1); });
  unitLoops(packLoops, point, [&] {
    Operation *before = packed ? lastOpBefore(b) : nullptr;
    if (isInterleaved)
      packGroups(point);
    else if (packed)
      packPanels(point);
    if (packed && packsOnce)
      hoistPacking(b, before, packed->get());
    unitLoops(otherLoops, point, [&] {
      if (isInterleaved)
        prepareRows(point);
      if (plan.lanesOuter)
        return columnBlocks([&](Lanes lanes) { rowBlocks([&](int64_t rows) { emitTile(point, rows, lanes); }); });
      rowBlocks([&](int64_t rows) { columnBlocks([&](Lanes lanes) { emitTile(point, rows, lanes); }); });
    });
  });

  for (linalg::LinalgOp consumer : group.consumers)
    b.eraseOp(consumer);
  b.eraseOp(root);
  if (group.init)
    b.eraseOp(group.init);
  return success();
}

LogicalResult mica::cpu::emitGroup(RewriterBase &rewriter, FusedGroup group, const ContractionPlan &plan,
                                   bool hasByteDots) {
  OpBuilder::InsertionGuard guard(rewriter);
  return Emitter(rewriter, group, plan, hasByteDots).run();
}
