//===- SplitReductions.cpp - splitting long reductions with few results -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A cooperative group per row is one block per result: a full reduction would use one block. The outermost reduction
// loop is split into equal parts, so that the reduction becomes two: of each part to a scalar in a temporary, and of
// these to the result. If the parts do not divide the loop, the remainder is a third one. All of them are row groups
// for mica-gpu-select-reduction-config, which runs next.
//
// If adjacent elements belong to different results (column sums, a vector-matrix product), a thread per result reads
// them in order, but thousands of results leave most of a device idle. There the number of parts is chosen to fill the
// device with threads; the scalars of a part are contiguous, as threads write and read them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Checked.h"
#include "passes/Codegen/GPU/ContractionPlan.h"
#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/GPU/RowGroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-gpu-split-reductions"

namespace mica {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica::device;

/// With more results, a cooperative group each keeps the device busy; shorter rows are not worth a second launch.
static constexpr int64_t kFewRows = 16, kLongRow = 16384;
/// The minimum number of elements of a block, and the maximum number of blocks.
static constexpr int64_t kBlockElements = 4096, kMostBlocks = 256;
/// The number of threads that fill a large device, and the minimum number of elements per thread.
static constexpr int64_t kManyThreads = 65536, kThreadElements = 64;
/// A part that does not divide its loop is a multiple of this number of elements, for vector accesses.
static constexpr int64_t kWholeElements = 16;

namespace {

/// A split of a loop: the first `parts` * `length` iterations, and the remaining `rest`.
struct Cut {
  unsigned loop = 0;
  int64_t parts = 0, length = 0, rest = 0;
  bool ofColumns =
      false; ///< a thread per result and part: the outermost loop, and the temporary's first dimension, is over parts

  /// The loop over parts.
  unsigned partLoop() const { return ofColumns ? 0 : loop; }
};

class Splitter {
public:
  Splitter(RewriterBase &rewriter, linalg::GenericOp op, Cut cut, ArrayRef<Combiner> combiners)
      : rewriter(rewriter), op(op), cut(cut), combiners(combiners), loc(op.getLoc()) {}

  void split();

private:
  Value part(Value buffer, unsigned dim, int64_t offset, int64_t size);
  Value inParts(Value buffer, unsigned dim);
  AffineMap shifted(AffineMap map, unsigned &dim, bool &depends) const;
  Value makePartial(OpOperand &init, TypedAttr neutral);
  void reduceParts(ArrayRef<Value> partials);
  void reduceRest();
  void combinePartials(ArrayRef<Value> partials);
  /// The insertion point for operations that do not access the result: before its initialization, which is moved to the
  /// first use of the result.
  Operation *firstPlace();

  RewriterBase &rewriter;
  linalg::GenericOp op;
  const Cut cut;
  ArrayRef<Combiner> combiners;
  Location loc;
};

} // namespace

Operation *Splitter::firstPlace() {
  Operation *place = op, *next = nullptr;
  for (Operation *before = op->getPrevNode(); before; before = next) {
    next = before->getPrevNode();
    auto generic = dyn_cast<linalg::GenericOp>(before);
    if (generic && generic.getNumDpsInputs() == 0 && generic.hasPureBufferSemantics() &&
        llvm::all_of(generic.getDpsInits(), [&](Value init) { return llvm::is_contained(op.getDpsInits(), init); })) {
      rewriter.moveOpBefore(before, place);
      place = before;
    } else if (!isMemoryEffectFree(before) && !isa<memref::AllocOp>(before)) {
      break;
    }
  }
  return place;
}

Value Splitter::part(Value buffer, unsigned dim, int64_t offset, int64_t size) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)), sizes,
      strides(type.getRank(), rewriter.getIndexAttr(1));
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(type.isDynamicDim(i) ? memref::getMixedSize(rewriter, loc, buffer, i)
                                         : OpFoldResult(rewriter.getIndexAttr(type.getDimSize(i))));
  offsets[dim] = rewriter.getIndexAttr(offset);
  sizes[dim] = rewriter.getIndexAttr(size);
  return memref::SubViewOp::create(rewriter, loc, buffer, offsets, sizes, strides);
}

/// `buffer` with its dimension `dim` split into parts and the position within a part.
Value Splitter::inParts(Value buffer, unsigned dim) {
  const bool wasPacked = cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
  if (cut.rest > 0)
    buffer = part(buffer, dim, 0, cut.parts * cut.length);
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = cut.parts;
  shape.insert(shape.begin() + dim + 1, cut.length);
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    groups.push_back({next++});
    if (i == int64_t(dim))
      groups.back().push_back(next++);
  }
  Value made = memref::ExpandShapeOp::create(rewriter, loc, shape, buffer, groups);
  // A prefix of a packed buffer is packed; the type should express this, so that vector accesses are used.
  if (wasPacked && dim == 0 && cut.rest > 0)
    made = memref::CastOp::create(rewriter, loc, MemRefType::get(shape, type.getElementType()), made);
  return made;
}

/// The map over loops of which the split one is two. If it `depends` on that loop, the buffer's dimension `dim` is also
/// split.
AffineMap Splitter::shifted(AffineMap map, unsigned &dim, bool &depends) const {
  SmallVector<AffineExpr> dims, results;
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    dims.push_back(rewriter.getAffineDimExpr(i >= cut.partLoop() + (cut.ofColumns ? 0 : 1) ? i + 1 : i));
  depends = false;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (expr != getAffineDimExpr(cut.loop, map.getContext())) {
      results.push_back(expr.replaceDims(dims));
      continue;
    }
    depends = true;
    dim = i;
    results.push_back(rewriter.getAffineDimExpr(cut.partLoop()));
    results.push_back(rewriter.getAffineDimExpr(cut.loop + 1));
  }
  return AffineMap::get(map.getNumDims() + 1, 0, results, map.getContext());
}

/// A temporary with a scalar per part for each element of a result, initialized to the neutral element.
Value Splitter::makePartial(OpOperand &init, TypedAttr neutral) {
  auto type = cast<MemRefType>(init.get().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(cut.ofColumns ? shape.begin() : shape.end(), cut.parts);
  Value partial = memref::AllocOp::create(rewriter, loc, MemRefType::get(shape, type.getElementType()));
  Value value = arith::ConstantOp::create(rewriter, loc, neutral);
  linalg::GenericOp::create(rewriter, loc, ValueRange(), partial,
                            rewriter.getMultiDimIdentityMap(static_cast<unsigned>(shape.size())),
                            SmallVector<utils::IteratorType>(shape.size(), utils::IteratorType::parallel),
                            [&](OpBuilder &b, Location at, ValueRange) { linalg::YieldOp::create(b, at, value); });
  return partial;
}

void Splitter::reduceParts(ArrayRef<Value> partials) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  unsigned dim = 0;
  bool depends = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    maps.push_back(shifted(op.getMatchingIndexingMap(input), dim, depends));
    inputs.push_back(depends ? inParts(input->get(), dim) : input->get());
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = shifted(op.getMatchingIndexingMap(&init), dim, depends);
    SmallVector<AffineExpr> results(map.getResults());
    results.insert(cut.ofColumns ? results.begin() : results.end(), rewriter.getAffineDimExpr(cut.partLoop()));
    maps.push_back(AffineMap::get(map.getNumDims(), 0, results, rewriter.getContext()));
  }
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  loops.insert(loops.begin() + cut.partLoop(), utils::IteratorType::parallel);
  auto made = linalg::GenericOp::create(rewriter, loc, inputs, partials, maps, loops);
  rewriter.cloneRegionBefore(op.getRegion(), made.getRegion(), made.getRegion().end());
}

void Splitter::reduceRest() {
  SmallVector<Value> inputs;
  unsigned dim = 0;
  bool depends = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    (void)shifted(op.getMatchingIndexingMap(input), dim, depends);
    inputs.push_back(depends ? part(input->get(), dim, cut.parts * cut.length, cut.rest) : input->get());
  }
  auto made = linalg::GenericOp::create(rewriter, loc, inputs, op.getDpsInits(), op.getIndexingMapsArray(),
                                        op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), made.getRegion(), made.getRegion().end());
}

void Splitter::combinePartials(ArrayRef<Value> partials) {
  const auto rank = static_cast<unsigned>(cast<MemRefType>(op.getDpsInits().front().getType()).getRank());
  AffineMap all = rewriter.getMultiDimIdentityMap(rank + 1);
  SmallVector<AffineExpr> ofPartial(all.getResults());
  if (cut.ofColumns)
    std::rotate(ofPartial.begin(), std::prev(ofPartial.end()), ofPartial.end());
  SmallVector<AffineMap> maps(partials.size(), AffineMap::get(rank + 1, 0, ofPartial, rewriter.getContext()));
  maps.append(partials.size(), all.dropResult(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  linalg::GenericOp::create(rewriter, loc, partials, op.getDpsInits(), maps, loops,
                            [&](OpBuilder &b, Location at, ValueRange arguments) {
                              SmallVector<Value> results;
                              for (auto [i, combiner] : llvm::enumerate(combiners)) {
                                Operation *copy = b.clone(*combiner.op);
                                copy->setOperands({arguments[i], arguments[i + partials.size()]});
                                results.push_back(copy->getResult(0));
                              }
                              linalg::YieldOp::create(b, at, results);
                            });
}

void Splitter::split() {
  rewriter.setInsertionPoint(firstPlace());
  SmallVector<Value> partials;
  for (auto [init, combiner] : llvm::zip_equal(op.getDpsInitsMutable(), combiners))
    partials.push_back(makePartial(init, combiner.neutral));
  reduceParts(partials);
  rewriter.setInsertionPoint(op);
  if (cut.rest > 0)
    reduceRest();
  combinePartials(partials);
  rewriter.eraseOp(op);
}

/// Whether the outermost reduction loop can be split; with the reason if not.
static bool canCut(linalg::GenericOp op, unsigned loop, std::string &why) {
  for (OpOperand &operand : op->getOpOperands())
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      if (expr.isFunctionOfDim(loop) && !isa<AffineDimExpr>(expr)) {
        why = "an input is not accessed by one loop per dimension";
        return false;
      }
  if (op.hasIndexSemantics()) {
    why = "what is summed depends on where it lies";
    return false;
  }
  return true;
}

/// Splits `loop` of size `size` into `wanted` parts, or somewhat fewer that divide it.
static std::optional<Cut> cutInParts(unsigned loop, int64_t size, int64_t wanted) {
  if (wanted < 2)
    return std::nullopt;
  Cut cut;
  cut.loop = loop;
  cut.parts = wanted;
  while (size % cut.parts != 0)
    --cut.parts;
  if (cut.parts * 2 < wanted)
    cut.parts = wanted;
  cut.length = size / cut.parts;
  if (size % cut.parts != 0 && cut.length >= kWholeElements)
    cut.length = llvm::alignDown(cut.length, kWholeElements);
  cut.rest = size - cut.parts * cut.length;
  return cut;
}

/// The split of the outermost reduction loop; nullopt with the reason if it is not split, empty if there is no benefit.
static std::optional<Cut> cutOf(linalg::GenericOp op, const RowGroup &group, std::string &why) {
  std::optional<int64_t> rows = group.rowCount(), elements = group.innerSize();
  if (!rows || *rows > kFewRows || *rows == 0 || (elements && *elements < kLongRow))
    return std::nullopt;
  if (!elements) {
    why = "how many elements a result has is known at run time only";
    return std::nullopt;
  }
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (!canCut(op, loops.front(), why))
    return std::nullopt;
  const int64_t size = op.getStaticLoopRanges()[loops.front()];
  return cutInParts(loops.front(), size, std::min({kMostBlocks / *rows, *elements / kBlockElements, size}));
}

/// The same for a reduction with a thread per result.
static std::optional<Cut> cutOfColumns(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (loops.empty())
    return std::nullopt;
  int64_t results = 1, elements = 1;
  for (auto [size, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(size) || size == 0)
      return std::nullopt;
    int64_t &product = kind == utils::IteratorType::parallel ? results : elements;
    product = mica::saturatingMul(product, size);
  }
  std::string why;
  if (!canCut(op, loops.front(), why) || !combinersOf(op, why))
    return std::nullopt;
  const int64_t size = op.getStaticLoopRanges()[loops.front()];
  std::optional<Cut> cut =
      cutInParts(loops.front(), size, std::min({kManyThreads / results, elements / kThreadElements, size}));
  if (cut)
    cut->ofColumns = true;
  return cut;
}

namespace {
struct SplitReductionsPass : mica::impl::SplitReductionsPassBase<SplitReductionsPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureBufferSemantics() && !ContractionPlan::of(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops) {
      std::string why;
      size_t begin = 0;
      std::optional<RowGroup> group = groupAround(op, 0, 0, begin, why);
      // If there is none, mica-gpu-select-reduction-config reports the reason.
      std::optional<Cut> cut = group ? cutOf(op, *group, why) : cutOfColumns(op);
      LDBG() << op->getName() << " at " << op->getLoc() << ": "
             << (cut           ? std::to_string(cut->parts) + " parts"
                 : why.empty() ? "not a row's"
                               : why);
      if (!group && !cut)
        continue;
      if (!cut) {
        if (!why.empty())
          remark::missed(op.getLoc(), remark::RemarkOpts::name("strategy-rejected").category("reduction"))
              << remark::add("a block per result: {0}", why) << remark::metric("Rejected", "many blocks per result")
              << remark::metric("Selected", "a cooperative group per row") << remark::reason("{0}", why);
        continue;
      }
      remark::passed(op.getLoc(), remark::RemarkOpts::name("split").category("reduction"))
          << remark::add("{0} parts of {1} iterations, {2} left over", cut->parts, cut->length, cut->rest);
      Splitter(rewriter, op, *cut, *combinersOf(op, why)).split();
    }
  }
};
} // namespace
