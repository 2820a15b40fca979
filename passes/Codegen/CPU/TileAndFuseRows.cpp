//===- TileAndFuseRows.cpp - tiling chains of linalg ops by rows --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Elementwise ops, reductions and chains of both (softmax, layer_norm) share outer dimensions along which all rows are
// independent. The whole chain is fused into one loop over rows, so that intermediates have a row or two (on the stack)
// instead of whole tensors, and the loop is the one that is distributed:
//
//   %m = max over j of %a[i, j];  %e = exp(%a - %m);  %s = sum over j of %e;  %r = %e / %s        (1024x1024)
//   ->
//   scf.forall (%i) in (1024) {
//     %a1 = extract_slice %a[%i, 0] [1, 1024]
//     the four ops on tensor<1x1024> and tensor<1>
//     parallel_insert_slice %r1 into %out[%i, 0] [1, 1024]
//   } {mica.distribute}
//
// Dimensions of ops and of values that the indexing maps identify form one class; a class along which every op is
// parallel is a row dimension. Short rows are processed several at a time; if the only row dimension is the contiguous
// one, blocks of it are the rows. If an input is contiguous along another row dimension than the output (a transpose,
// alone or fused), both are tiled, so that each line of memory is read and written once. Ops that depend on no row (a
// table computed from constants) stay before the loop. Other kernels (reshapes or slices between ops, no
// common class) are left to the general path; `mica_sched.strategy` says why.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "mica/Support/Checked.h"
#include "passes/Codegen/CPU/ContractionPlan.h"
#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-cpu-tile-and-fuse-rows"

namespace mica {
#define GEN_PASS_DEF_TILEANDFUSEROWSPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The reason of a rejection that costs nothing.
static constexpr StringLiteral kNothing = "nothing to compute";

namespace {

/// A dimension of a value, or an iteration dimension of an op.
using Dim = std::pair<void *, unsigned>;

Dim dimOf(Value value, unsigned dim) { return {value.getAsOpaquePointer(), dim}; }
Dim dimOf(Operation *op, unsigned dim) { return {op, dim}; }

class RowTiler {
public:
  struct Limits {
    int64_t rowElements, blockElements, shareElements, transposeSide, productBytes;
  };
  RowTiler(func::FuncOp func, const Limits &limits) : func(func), limits(limits), rewriter(func.getContext()) {}

  /// Returns why the kernel was not tiled, or an empty string.
  StringRef run() {
    if (StringRef reason = collect(); !reason.empty())
      return reason;
    unite();
    if (!chooseLoops())
      return "no dimension along which every op is parallel";
    chooseTiles();
    tile();
    return {};
  }

private:
  struct Loop {
    Dim cls; ///< the representative of the class
    OpFoldResult size;
    int64_t tile = 1;
  };

  /// Classifies the function's operations: ops of the chain, ops before it, and the results that are written.
  StringRef collect() {
    if (!llvm::hasSingleElement(func.getBody()))
      return "control flow";
    llvm::DenseSet<Value> computed;
    for (Operation &op : func.getBody().front()) {
      bool usesComputed = false;
      op.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          usesComputed |= computed.contains(operand);
      });
      if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
        if (!generic.hasPureTensorSemantics())
          return "linalg on buffers";
        for (Value result : generic.getResults())
          computed.insert(result);
        chain.push_back(generic);
      } else if (auto out = dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
        if (!computed.contains(out.getSource()))
          return "an output that no op computes";
        outputs.push_back(out);
      } else if (usesComputed) {
        return "an op other than linalg.generic between ops";
      } else if (op.getNumRegions() != 0) {
        return "control flow";
      }
    }
    if (chain.empty() || outputs.empty())
      return kNothing;
    // Values from outside that the bodies read (tensor.extract) must not be tiled.
    for (linalg::GenericOp op : chain) {
      WalkResult result = op.getBody()->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), [&](Value v) { return computed.contains(v); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      });
      if (result.wasInterrupted())
        return "a body that reads another op's result at computed places";
    }
    return {};
  }

  /// Forms the classes and finds those that cannot be row dimensions.
  void unite() {
    for (linalg::GenericOp op : chain) {
      SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
      for (unsigned d = 0; d < iterators.size(); ++d)
        classes.insert(dimOf(op.getOperation(), d));
      for (OpOperand &operand : op->getOpOperands()) {
        for (auto [position, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
          if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
            classes.unionSets(dimOf(op.getOperation(), dim.getPosition()), dimOf(operand.get(), position));
            continue;
          }
          classes.insert(dimOf(operand.get(), position));
          unfit.push_back(dimOf(operand.get(), position));
          for (unsigned d = 0; d < iterators.size(); ++d)
            if (expr.isFunctionOfDim(d))
              unfit.push_back(dimOf(op.getOperation(), d));
        }
      }
      for (OpResult result : op->getResults())
        for (unsigned d = 0, rank = cast<RankedTensorType>(result.getType()).getRank(); d < rank; ++d)
          classes.unionSets(dimOf(op.getTiedOpOperand(result)->get(), d), dimOf(result, d));
      for (unsigned d = 0; d < iterators.size(); ++d)
        if (iterators[d] != utils::IteratorType::parallel)
          unfit.push_back(dimOf(op.getOperation(), d));
    }
  }

  Dim leader(Dim dim) const {
    auto found = classes.findLeader(dim);
    return found == classes.member_end() ? Dim{nullptr, 0} : *found;
  }

  /// The dimension of `op` (value or operation) that is in the class of `loop`.
  template <typename T> std::optional<unsigned> find(T of, unsigned rank, const Loop &loop) const {
    for (unsigned d = 0; d < rank; ++d)
      if (leader(dimOf(of, d)) == loop.cls)
        return d;
    return std::nullopt;
  }

  /// Whether a class occurs twice in an op or value (a diagonal).
  template <typename T> bool repeats(T of, unsigned rank, Dim cls) const {
    unsigned count = 0;
    for (unsigned d = 0; d < rank; ++d)
      count += leader(dimOf(of, d)) == cls;
    return count > 1;
  }

  /// Candidates are the classes of the last output's dimensions, in their order. Ops that have no candidate and depend
  /// on no op that has one stay before the loop.
  bool chooseLoops() {
    llvm::DenseSet<Dim> bad;
    for (Dim dim : unfit)
      bad.insert(leader(dim));
    Value root = outputs.back().getSource();
    auto rootType = cast<RankedTensorType>(root.getType());
    SmallVector<Loop> candidates;
    for (unsigned d = 0; d < rootType.getRank(); ++d) {
      Dim cls = leader(dimOf(root, d));
      if (!bad.contains(cls) && !repeats(root, rootType.getRank(), cls))
        candidates.push_back({cls, {}, 1});
    }
    // Ops without a candidate that depend on no op of the chain run once, before the loop.
    llvm::DenseSet<Value> inLoop;
    SmallVector<linalg::GenericOp> kept;
    for (linalg::GenericOp op : chain) {
      bool depends = llvm::any_of(op->getOperands(), [&](Value v) { return inLoop.contains(v); });
      bool sees = llvm::any_of(candidates, [&](Loop &loop) { return find(op.getOperation(), op.getNumLoops(), loop); });
      if (!depends && !sees)
        continue;
      kept.push_back(op);
      for (Value result : op.getResults())
        inLoop.insert(result);
    }
    chain = kept;
    for (bufferization::MaterializeInDestinationOp out : outputs)
      if (!inLoop.contains(out.getSource()))
        return false;
    llvm::erase_if(candidates, [&](Loop &loop) {
      return llvm::any_of(chain, [&](linalg::GenericOp op) {
        return !find(op.getOperation(), op.getNumLoops(), loop) ||
               repeats(op.getOperation(), op.getNumLoops(), loop.cls);
      });
    });
    innermost = leader(dimOf(root, rootType.getRank() - 1));
    loops = candidates;
    // An op outside of the loop may have an unused candidate; an op inside must have a used one.
    return !loops.empty();
  }

  void chooseTiles() {
    // Elements of one step over all loops: the dimensions of the largest op that no loop covers.
    Value root = outputs.back().getSource();
    int64_t perStep = 1;
    bool reduces = false, known = true;
    double work = 0;
    for (linalg::GenericOp op : chain) {
      int64_t elements = 1;
      double all = 1;
      for (auto [d, size] : llvm::enumerate(op.getStaticLoopRanges())) {
        bool covered = llvm::any_of(loops, [&](Loop &loop) { return leader(dimOf(op.getOperation(), d)) == loop.cls; });
        if (ShapedType::isDynamic(size)) {
          known = false;
          continue;
        }
        all *= size;
        if (!covered)
          elements = mica::saturatingMul(elements, size);
      }
      perStep = std::max(perStep, elements);
      reduces |= op.getNumReductionLoops() > 0;
      for (Operation &inner : op.getBody()->without_terminator())
        work += all * (inner.getName().getDialectNamespace() == "math" ? 16 : 1);
      work += all;
    }
    shares = known ? static_cast<int64_t>(std::clamp(work / limits.shareElements, 1.0, 0x1p62)) : 0;

    rewriter.setInsertionPoint(outputs.back());
    for (Loop &loop : loops) {
      auto dim = find(root, cast<RankedTensorType>(root.getType()).getRank(), loop);
      loop.size = wholeSize(root, *dim);
    }
    if (llvm::any_of(chain, [](linalg::GenericOp op) { return mica::cpu::isContraction(op); })) {
      chooseProductTile();
      return;
    }
    if (!reduces && chooseTransposeTiles())
      return;
    // The contiguous dimension is not tiled, as it is the row, unless it is the only one or very long.
    bool hasInner = loops.back().cls == innermost;
    if (hasInner) {
      std::optional<int64_t> size = getConstantIntValue(loops.back().size);
      int64_t block = reduces ? std::max<int64_t>(64, limits.blockElements / 16) : limits.blockElements;
      if (loops.size() > 1 && (!size || *size <= 4 * limits.blockElements)) {
        perStep = mica::saturatingMul(perStep, size.value_or(limits.rowElements));
        loops.pop_back();
        hasInner = false;
      } else {
        // 0: not tiled.
        loops.back().tile = size && *size <= 2 * block ? 0 : block;
      }
    }
    if (hasInner)
      return;
    // Process several short rows at a time, if that leaves no partial step.
    std::optional<int64_t> rows = getConstantIntValue(loops.back().size);
    if (rows)
      for (int64_t tile = std::min(*rows, limits.rowElements / std::max<int64_t>(perStep, 1)); tile > 1; --tile)
        if (*rows % tile == 0) {
          loops.back().tile = tile;
          break;
        }
  }

  /// The multiple of `unit` between half of `most` and `most` that leaves the shortest rest of `rows`; of equal ones
  /// the largest.
  static int64_t evenTile(int64_t rows, int64_t most, int64_t unit) {
    most = std::max(std::min(most, rows) / unit * unit, unit);
    int64_t best = most;
    for (int64_t even = most; even >= std::max(most / 2, unit); even -= unit)
      if (rows % even < rows % best)
        best = even;
    return best;
  }

  /// Products need blocks of rows: as many as leave what is computed between them in the cache. A worker takes several
  /// such blocks, one after the other, which share what is packed of operands without rows.
  void chooseProductTile() {
    constexpr int64_t kLeast = 8, kMost = 128, kMostOfWorker = 256, kManyTiles = 32;
    if (loops.back().cls == innermost && loops.size() > 1)
      loops.pop_back();
    // Bytes of one row of the longest value, and the steps over all other loops.
    int64_t rowBytes = 1, others = 1;
    for (linalg::GenericOp op : chain)
      for (Value result : op.getResults()) {
        auto type = cast<RankedTensorType>(result.getType());
        int64_t bytes = type.getElementType().isIntOrFloat() ? llvm::divideCeil(type.getElementTypeBitWidth(), 8) : 8;
        for (auto [d, size] : llvm::enumerate(type.getShape()))
          if (!llvm::any_of(loops, [&](Loop &loop) { return leader(dimOf(result, d)) == loop.cls; }))
            bytes = mica::saturatingMul(bytes, ShapedType::isDynamic(size) ? limits.rowElements : size);
        rowBytes = std::max(rowBytes, bytes);
      }
    for (Loop &loop : llvm::drop_end(loops))
      others = mica::saturatingMul(others, getConstantIntValue(loop.size).value_or(kManyTiles));
    const int64_t rows = getConstantIntValue(loops.back().size).value_or(kMostOfWorker * kManyTiles);
    // Two values of each element are alive at a time: a score and its weight.
    productTile = evenTile(rows, std::clamp<int64_t>(limits.productBytes / 2 / rowBytes, kLeast, kMost), 1);
    const int64_t fair = llvm::divideCeil(mica::saturatingMul(rows, others), kManyTiles);
    if (fair < productTile)
      productTile = evenTile(rows, std::max(fair, kLeast), 1);
    const int64_t most = std::max(productTile, kMostOfWorker);
    loops.back().tile = rows <= kMostOfWorker && others >= kManyTiles / 4
                            ? rows
                            : evenTile(rows, std::clamp(fair, productTile, most), productTile);
  }

  /// If an input is contiguous along another row dimension than the output, tiles both: rows of one of the two would
  /// touch a cache line and a page per element. Returns whether it did.
  bool chooseTransposeTiles() {
    if (loops.size() < 2 || loops.back().cls != innermost)
      return false;
    Loop *other = nullptr;
    for (linalg::GenericOp op : chain)
      for (Value input : op.getDpsInputs()) {
        auto type = dyn_cast<RankedTensorType>(input.getType());
        if (!type || type.getRank() < 2 || !find(input, type.getRank(), loops.back()))
          continue;
        Dim last = leader(dimOf(input, type.getRank() - 1));
        for (Loop &loop : llvm::drop_end(loops))
          if (loop.cls == last)
            other = &loop;
      }
    if (!other)
      return false;
    // A side is a few vectors and cache lines long; beside a short side it is longer, for as much work per step.
    auto sizeOf = [](Loop &loop) { return getConstantIntValue(loop.size).value_or(ShapedType::kDynamic); };
    auto side = [&](Loop &loop, Loop &across) {
      int64_t size = sizeOf(loop), acrossSize = sizeOf(across), tile = limits.transposeSide;
      if (!ShapedType::isDynamic(acrossSize))
        while (tile < limits.transposeSide * 16 && acrossSize <= limits.transposeSide * limits.transposeSide / tile / 2)
          tile *= 2;
      // 0: not tiled.
      return !ShapedType::isDynamic(size) && size <= tile ? 0 : tile;
    };
    int64_t across = side(*other, loops.back());
    loops.back().tile = side(loops.back(), *other);
    other->tile = across;
    Location loc = outputs.back().getLoc();
    auto shown = [&](Loop &loop) { return loop.tile == 0 ? sizeOf(loop) : loop.tile; };
    remark::passed(loc, remark::RemarkOpts::name("tiled-transpose").category("strategy"))
        << remark::add("tiles of {0}x{1} elements, because an input is contiguous along another dimension than the "
                       "output",
                       shown(*other), shown(loops.back()))
        << remark::metric("Rows", shown(*other)) << remark::metric("Columns", shown(loops.back()));
    return true;
  }

  /// Offsets and sizes of the slice of `value` for one step.
  void partOf(Value value, ValueRange ivs, ArrayRef<OpFoldResult> steps, SmallVectorImpl<OpFoldResult> &offsets,
              SmallVectorImpl<OpFoldResult> &sizes) {
    auto type = cast<RankedTensorType>(value.getType());
    for (unsigned d = 0; d < type.getRank(); ++d) {
      auto loop = llvm::find_if(loops, [&](Loop &loop) { return leader(dimOf(value, d)) == loop.cls; });
      if (loop == loops.end()) {
        offsets.push_back(rewriter.getIndexAttr(0));
        sizes.push_back(wholeSize(value, d));
        continue;
      }
      unsigned index = loop - loops.begin();
      offsets.push_back(ivs[index]);
      sizes.push_back(steps[index]);
    }
  }

  /// The size of a dimension that no loop covers, without using a value that the loop replaces.
  OpFoldResult wholeSize(Value value, unsigned dim) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.isDynamicDim(dim))
      return rewriter.getIndexAttr(type.getDimSize(dim));
    if (auto generic = value.getDefiningOp<linalg::GenericOp>())
      return wholeSize(generic.getTiedOpOperand(cast<OpResult>(value))->get(), dim);
    if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
      return empty.getMixedSizes()[dim];
    return tensor::getMixedSize(rewriter, value.getLoc(), value, dim);
  }

  void tile() {
    Location loc = outputs.back().getLoc();
    rewriter.setInsertionPoint(outputs.back());
    SmallVector<OpFoldResult> lower(loops.size(), rewriter.getIndexAttr(0)), upper, step;
    for (Loop &loop : loops) {
      upper.push_back(loop.size);
      step.push_back(loop.tile == 0 ? loop.size : OpFoldResult(rewriter.getIndexAttr(loop.tile)));
    }
    SmallVector<Value> results;
    for (bufferization::MaterializeInDestinationOp out : outputs) {
      Value source = out.getSource();
      SmallVector<OpFoldResult> sizes;
      auto type = cast<RankedTensorType>(source.getType());
      for (unsigned d = 0; d < type.getRank(); ++d)
        sizes.push_back(wholeSize(source, d));
      results.push_back(tensor::EmptyOp::create(rewriter, out.getLoc(), sizes, type.getElementType()));
      // The type may have fewer static sizes than the result.
      if (results.back().getType() != type)
        results.back() = tensor::CastOp::create(rewriter, out.getLoc(), type, results.back());
    }
    auto forall = scf::ForallOp::create(rewriter, loc, lower, upper, step, results, /*mapping=*/std::nullopt);
    forall->setAttr(mica::codegen::kDistributeAttr,
                    shares > 0 ? Attribute(rewriter.getI64IntegerAttr(shares)) : rewriter.getUnitAttr());

    rewriter.setInsertionPointToStart(forall.getBody());
    SmallVector<OpFoldResult> sizes;
    for (auto [index, loop] : llvm::enumerate(loops)) {
      std::optional<int64_t> size = getConstantIntValue(loop.size);
      if (loop.tile == 0) {
        sizes.push_back(loop.size);
      } else if (loop.tile == 1 || (size && *size % loop.tile == 0)) {
        sizes.push_back(rewriter.getIndexAttr(loop.tile));
      } else {
        AffineExpr d0, s0;
        bindDims(rewriter.getContext(), d0);
        bindSymbols(rewriter.getContext(), s0);
        AffineMap map =
            AffineMap::get(1, 1, {s0 - d0, rewriter.getAffineConstantExpr(loop.tile)}, rewriter.getContext());
        sizes.push_back(affine::makeComposedFoldedAffineMin(
            rewriter, loc, map, {OpFoldResult(forall.getInductionVars()[index]), loop.size}));
      }
    }
    SmallVector<Value> computed;
    if (productTile > 0) {
      computed = tileProducts(forall, sizes);
    } else {
      for (linalg::GenericOp op : chain)
        tileOp(op, forall.getInductionVars(), sizes);
      for (bufferization::MaterializeInDestinationOp out : outputs)
        computed.push_back(parts.lookup(out.getSource()));
    }

    for (auto [out, part, argument] : llvm::zip_equal(outputs, computed, forall.getRegionIterArgs())) {
      SmallVector<OpFoldResult> offsets, partSizes;
      // The terminator may contain only insertions.
      rewriter.setInsertionPoint(forall.getTerminator());
      partOf(out.getSource(), forall.getInductionVars(), sizes, offsets, partSizes);
      rewriter.setInsertionPointToEnd(forall.getTerminator().getBody());
      SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
      tensor::ParallelInsertSliceOp::create(rewriter, out.getLoc(), part, argument, offsets, partSizes, strides);
    }
    for (auto [out, result] : llvm::zip_equal(outputs, forall.getResults())) {
      out.getSourceMutable().assign(result);
      // The destination is defined before the loop, which precedes all writes.
      out->moveAfter(forall);
    }
    for (linalg::GenericOp op : llvm::reverse(chain))
      rewriter.eraseOp(op);
  }

  /// Computes the tile of `forall` in blocks of `productTile` rows, one after the other; returns the tile of each
  /// output.
  SmallVector<Value> tileProducts(scf::ForallOp forall, ArrayRef<OpFoldResult> sizes) {
    const Location loc = forall.getLoc();
    const SmallVector<Value> outer = forall.getInductionVars();
    // What has no rows is the same for all blocks.
    for (linalg::GenericOp op : chain)
      for (Value operand : op->getOperands())
        if (auto type = dyn_cast<RankedTensorType>(operand.getType());
            type && !operand.getDefiningOp<linalg::GenericOp>() && !find(operand, type.getRank(), loops.back()))
          partFor(operand, outer, sizes);
    SmallVector<Value> wholes;
    for (auto [out, argument] : llvm::zip_equal(outputs, forall.getRegionIterArgs())) {
      SmallVector<OpFoldResult> offsets, partSizes;
      partOf(out.getSource(), outer, sizes, offsets, partSizes);
      SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
      wholes.push_back(tensor::ExtractSliceOp::create(rewriter, loc, argument, offsets, partSizes, strides));
    }
    // Whole blocks, then the rest.
    AffineExpr d0;
    bindDims(rewriter.getContext(), d0);
    const OpFoldResult full =
        affine::makeComposedFoldedAffineApply(rewriter, loc, d0.floorDiv(productTile) * productTile, {sizes.back()});
    const OpFoldResult rest = affine::makeComposedFoldedAffineApply(rewriter, loc, d0 % productTile, {sizes.back()});
    const std::optional<int64_t> known = getConstantIntValue(sizes.back());
    if (!known || *known >= productTile)
      wholes = blockLoop(forall, wholes, sizes, rewriter.getIndexAttr(0), full, rewriter.getIndexAttr(productTile));
    if (!known || *known % productTile != 0)
      wholes = blockLoop(forall, wholes, sizes, full, sizes.back(), rest);
    return wholes;
  }

  /// Computes the rows from `first` to `end` of the tile of `forall`, `rows` at a time, and inserts them into `wholes`.
  SmallVector<Value> blockLoop(scf::ForallOp forall, ArrayRef<Value> wholes, ArrayRef<OpFoldResult> sizes,
                               OpFoldResult first, OpFoldResult end, OpFoldResult rows) {
    const Location loc = forall.getLoc();
    const SmallVector<Value> outer = forall.getInductionVars();
    auto value = [&](OpFoldResult number) { return getValueOrCreateConstantIndexOp(rewriter, loc, number); };
    Value lower = value(first), upper = value(end), step = value(rewriter.getIndexAttr(productTile));
    auto blocks = scf::ForOp::create(rewriter, loc, lower, upper, step, wholes);
    const DenseMap<Value, Value> shared = parts;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(blocks.getBody());
    AffineExpr d0, d1;
    bindDims(rewriter.getContext(), d0, d1);
    SmallVector<Value> ivs(outer);
    const Value row = blocks.getInductionVar();
    ivs.back() = affine::AffineApplyOp::create(rewriter, loc, d0 + d1, ValueRange{outer.back(), row});
    SmallVector<OpFoldResult> steps(sizes), firsts(outer.size(), rewriter.getIndexAttr(0));
    firsts.back() = row;
    steps.back() = rows;
    for (linalg::GenericOp op : chain)
      tileOp(op, ivs, steps);
    SmallVector<Value> results;
    for (auto [out, whole] : llvm::zip_equal(outputs, blocks.getRegionIterArgs())) {
      SmallVector<OpFoldResult> offsets, partSizes;
      partOf(out.getSource(), ivs, steps, offsets, partSizes);
      // Relative to the tile.
      for (OpFoldResult &offset : offsets)
        if (auto at = llvm::find(ivs, llvm::dyn_cast_if_present<Value>(offset)); at != ivs.end())
          offset = firsts[at - ivs.begin()];
      SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
      results.push_back(tensor::InsertSliceOp::create(rewriter, loc, parts.lookup(out.getSource()), whole, offsets,
                                                      partSizes, strides));
    }
    scf::YieldOp::create(rewriter, loc, results);
    parts = shared;
    return SmallVector<Value>(blocks.getResults());
  }

  /// The slice of a value on which the op's tile works.
  Value partFor(Value value, ValueRange ivs, ArrayRef<OpFoldResult> steps) {
    if (Value part = parts.lookup(value))
      return part;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() == 0)
      return value;
    SmallVector<OpFoldResult> offsets, sizes;
    partOf(value, ivs, steps, offsets, sizes);
    Value part;
    if (value.getDefiningOp<tensor::EmptyOp>()) {
      part = tensor::EmptyOp::create(rewriter, value.getLoc(), sizes, type.getElementType());
    } else {
      SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
      part = tensor::ExtractSliceOp::create(rewriter, value.getLoc(), value, offsets, sizes, strides);
    }
    // Each op gets its own tensor.empty: bufferization would insert copies for a shared one.
    if (!value.getDefiningOp<tensor::EmptyOp>())
      parts[value] = part;
    return part;
  }

  void tileOp(linalg::GenericOp op, ValueRange ivs, ArrayRef<OpFoldResult> steps) {
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(partFor(operand.get(), ivs, steps));
    SmallVector<Type> types;
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
      types.push_back(operands[op.getNumDpsInputs() + i].getType());
    auto tiled = cast<linalg::GenericOp>(mlir::clone(rewriter, op.getOperation(), types, operands));
    SmallVector<OpFoldResult> offsets(op.getNumLoops(), rewriter.getIndexAttr(0));
    for (auto [index, loop] : llvm::enumerate(loops))
      offsets[*find(op.getOperation(), op.getNumLoops(), loop)] = ivs[index];
    linalg::offsetIndices(rewriter, cast<linalg::LinalgOp>(tiled.getOperation()), offsets);
    for (auto [result, part] : llvm::zip_equal(op->getResults(), tiled->getResults()))
      parts[result] = part;
  }

  func::FuncOp func;
  Limits limits;
  IRRewriter rewriter;
  SmallVector<linalg::GenericOp> chain;
  SmallVector<bufferization::MaterializeInDestinationOp> outputs;
  llvm::EquivalenceClasses<Dim> classes;
  SmallVector<Dim> unfit;
  SmallVector<Loop> loops;
  Dim innermost;
  int64_t shares = 0;
  int64_t productTile = 0;      ///< rows that products compute at a time; 0: a tile at once
  DenseMap<Value, Value> parts; ///< whole value -> its slice inside the loop
};

struct TileAndFuseRowsPass : mica::impl::TileAndFuseRowsPassBase<TileAndFuseRowsPass> {
  using TileAndFuseRowsPassBase::TileAndFuseRowsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    // Another strategy handles the kernel already.
    if (func.isExternal() || func->hasAttr("mica_sched.strategy"))
      return;
    StringRef reason = RowTiler(func, {rowElements, blockElements, shareElements, transposeSide, productBytes}).run();
    LDBG() << func.getName() << ": " << (reason.empty() ? "tiled" : reason);
    if (!reason.empty() && reason != kNothing && hasLoops(func))
      remarkOn(func, reason);
    func->setAttr("mica_sched.strategy",
                  StringAttr::get(&getContext(), reason.empty() ? "rows" : ("general (" + reason + ")").str()));
  }

private:
  /// Whether any op has more than one element.
  static bool hasLoops(func::FuncOp func) {
    bool more = false;
    func.walk([&](Operation *op) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      more |= linalgOp ? llvm::any_of(linalgOp.getStaticLoopRanges(), [](int64_t size) { return size != 1; })
                       : op->getNumRegions() != 0 && op != func;
    });
    return more;
  }

  static void remarkOn(func::FuncOp func, StringRef reason) {
    SmallVector<Location> locations;
    func.walk([&](linalg::LinalgOp op) { locations.push_back(op.getLoc()); });
    remark::missed(FusedLoc::get(func.getContext(), locations),
                   remark::RemarkOpts::name("not-tiled").category("strategy"))
        << remark::add("not cut into rows: {0}", reason) << remark::metric("Rejected", "rows")
        << remark::metric("Selected", "the general path") << remark::reason("{0}", reason);
  }
};

} // namespace
