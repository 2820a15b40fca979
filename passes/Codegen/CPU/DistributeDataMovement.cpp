//===- DistributeDataMovement.cpp - distributing kernels that only move data --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// After bufferization, concatenations, paddings and slices are a sequence of copies into parts of one output. Each work
// partition gets some of the output's rows and performs the part of every copy that writes them:
//
//   linalg.generic { yield %zero } outs(%o)                   scf.forall (%r) = (0) to (64) step (8) {
//   %s = memref.subview %o[2, 0] [60, 32] [1, 1]       ->       linalg.generic { yield %zero } outs(rows %r .. of %o)
//   linalg.generic { yield %in } ins(%a) outs(%s)               linalg.generic { yield %in } ins(these rows less 2 of
//   %a) ..
//                                                             } {mica.distribute}
//
// So a copy that overwrites part of an earlier one stays after it, in the same work partition.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/Common/Passes.h"

#include "dialects/RootBuffer.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-cpu-distribute-data-movement"

namespace mica {
#define GEN_PASS_DEF_DISTRIBUTEDATAMOVEMENTPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// One op and the part of the output that it writes, in coordinates of the output.
struct Copy {
  linalg::GenericOp op;
  SmallVector<OpFoldResult> offsets, sizes; ///< empty if it writes the whole output
  SmallVector<unsigned> loops;              ///< the op's loop over each dimension of the output
};

class CopyDivider {
public:
  CopyDivider(func::FuncOp func, int64_t shareElements)
      : func(func), shareElements(shareElements), rewriter(func.getContext()) {}

  /// Returns whether the kernel consists of copies and was distributed.
  bool run() {
    if (!collect() || !chooseDimension())
      return false;
    divide();
    return true;
  }

private:
  /// Collects the copies; false if the kernel has any other op.
  bool collect() {
    if (!llvm::hasSingleElement(func.getBody()))
      return false;
    for (Operation &op : func.getBody().front()) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (!generic) {
        if (op.getNumRegions() != 0 || !(isPure(&op) || isa<func::ReturnOp, memref::LoadOp>(op)))
          return false;
        if (auto load = dyn_cast<memref::LoadOp>(op))
          loaded.push_back(load.getMemRef());
        continue;
      }
      if (!generic.hasPureBufferSemantics() || generic.getNumDpsInits() != 1 ||
          generic.getNumParallelLoops() != generic.getNumLoops() || !addCopy(generic))
        return false;
    }
    // A work partition must not read what another one writes.
    if (copies.empty() || llvm::any_of(loaded, [&](Value buffer) { return mica::rootBuffer(buffer) == output; }))
      return false;
    return llvm::none_of(copies, [&](Copy &copy) {
      WalkResult found = copy.op->walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands())
          if (&operand != copy.op.getDpsInitOperand(0) && isa<MemRefType>(operand.get().getType()) &&
              mica::rootBuffer(operand.get()) == output)
            return WalkResult::interrupt();
        return WalkResult::advance();
      });
      return found.wasInterrupted() || !copy.op.getRegionOutputArgs()[0].use_empty();
    });
  }

  bool addCopy(linalg::GenericOp op) {
    OpOperand *init = op.getDpsInitOperand(0);
    AffineMap map = op.getMatchingIndexingMap(init);
    if (!map.isPermutation())
      return false;
    Copy copy{op, {}, {}, {}};
    for (AffineExpr expr : map.getResults())
      copy.loops.push_back(cast<AffineDimExpr>(expr).getPosition());
    Value written = init->get();
    if (auto view = written.getDefiningOp<memref::SubViewOp>()) {
      if (view.getSourceType().getRank() != view.getType().getRank() || !view.hasUnitStride())
        return false;
      copy.offsets = view.getMixedOffsets();
      copy.sizes = view.getMixedSizes();
      written = view.getSource();
    }
    auto argument = dyn_cast<BlockArgument>(written);
    if (!argument || (output && output != argument) || cast<MemRefType>(argument.getType()).getRank() == 0)
      return false;
    output = argument;
    copies.push_back(std::move(copy));
    return true;
  }

  /// Selects the dimension of the output with most work partitions among those along which every operand can be sliced,
  /// and the number of rows per step.
  bool chooseDimension() {
    auto type = cast<MemRefType>(output.getType());
    int64_t rank = type.getRank(), best = 0;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (!llvm::all_of(copies, [&](Copy &copy) { return isCutBy(copy.op, copy.loops[dim]); }))
        continue;
      int64_t inner = 1;
      for (int64_t size : type.getShape().drop_front(dim + 1))
        inner *= ShapedType::isDynamic(size) ? kAssumedSize : size;
      int64_t size = type.isDynamicDim(dim) ? kAssumedSize : type.getDimSize(dim);
      // Steps along the contiguous dimension must be long enough to amortize the loop.
      int64_t rows = std::max<int64_t>(1, kStepElements / std::max<int64_t>(inner, 1));
      int64_t steps = llvm::divideCeilSigned(size, rows);
      LDBG() << "along dimension " << dim << " there are " << steps << " steps of " << rows << " rows";
      if (steps <= best)
        continue;
      best = steps;
      cut = dim;
      step = rows;
    }
    return best > 1;
  }

  /// Whether the op's operands can be cut along `loop`.
  static bool isCutBy(linalg::GenericOp op, unsigned loop) {
    return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      return llvm::all_of(map.getResults(),
                          [&](AffineExpr expr) { return !expr.isFunctionOfDim(loop) || isa<AffineDimExpr>(expr); });
    });
  }

  void divide() {
    auto type = cast<MemRefType>(output.getType());
    Location loc = copies.front().op.getLoc();
    rewriter.setInsertionPoint(func.getBody().front().getTerminator());
    OpFoldResult whole = memref::getMixedSize(rewriter, loc, output, cut);
    auto forall = scf::ForallOp::create(
        rewriter, loc, ArrayRef<OpFoldResult>{rewriter.getIndexAttr(0)}, ArrayRef<OpFoldResult>{whole},
        ArrayRef<OpFoldResult>{rewriter.getIndexAttr(step)}, ValueRange(), /*mapping=*/std::nullopt);
    // The useful number of work partitions, if it is known.
    forall->setAttr(mica::codegen::kDistributeAttr,
                    type.hasStaticShape() ? Attribute(rewriter.getI64IntegerAttr(
                                                std::max<int64_t>(1, type.getNumElements() / shareElements)))
                                          : rewriter.getUnitAttr());
    rewriter.setInsertionPoint(forall.getTerminator());
    OpFoldResult first = forall.getInductionVars()[0];
    for (Copy &copy : copies)
      cutCopy(copy, first, whole);
    for (Copy &copy : copies)
      rewriter.eraseOp(copy.op);
  }

  /// Emits `copy` for rows `first` to `first + step` of the output.
  void cutCopy(Copy &copy, OpFoldResult first, OpFoldResult whole) {
    Location loc = copy.op.getLoc();
    MLIRContext *context = rewriter.getContext();
    AffineExpr row, offset, size;
    bindSymbols(context, row, offset, size);
    AffineExpr zero = getAffineConstantExpr(0, context);
    OpFoldResult from = first, count;
    if (copy.offsets.empty()) {
      std::optional<int64_t> known = getConstantIntValue(whole);
      if (known && *known % step == 0)
        count = rewriter.getIndexAttr(step);
      else
        count = affine::makeComposedFoldedAffineMin(
            rewriter, loc, AffineMap::get(0, 2, {offset - row, getAffineConstantExpr(step, context)}, context),
            {first, whole});
    } else {
      OpFoldResult at = copy.offsets[cut], length = copy.sizes[cut];
      from = affine::makeComposedFoldedAffineMax(rewriter, loc, AffineMap::get(0, 2, {row - offset, zero}, context),
                                                 {first, at});
      OpFoldResult end = affine::makeComposedFoldedAffineMin(
          rewriter, loc, AffineMap::get(0, 3, {row + step - offset, size}, context), {first, at, length});
      count = affine::makeComposedFoldedAffineMax(rewriter, loc, AffineMap::get(0, 2, {offset - row, zero}, context),
                                                  {from, end});
    }
    unsigned loop = copy.loops[cut];
    SmallVector<Value> operands;
    for (OpOperand &operand : copy.op->getOpOperands())
      operands.push_back(rowsOf(operand.get(), copy.op.getMatchingIndexingMap(&operand), loop, from, count, loc));
    auto part = cast<linalg::GenericOp>(mlir::clone(rewriter, copy.op.getOperation(), TypeRange(), operands));
    SmallVector<OpFoldResult> offsets(copy.op.getNumLoops(), rewriter.getIndexAttr(0));
    offsets[loop] = from;
    linalg::offsetIndices(rewriter, cast<linalg::LinalgOp>(part.getOperation()), offsets);
  }

  /// The slice of an operand that `count` steps of `loop` from `from` on access.
  Value rowsOf(Value operand, AffineMap map, unsigned loop, OpFoldResult from, OpFoldResult count, Location loc) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || !map.isFunctionOfDim(loop))
      return operand;
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
        strides(type.getRank(), rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes = memref::getMixedSizes(rewriter, loc, operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (expr.isFunctionOfDim(loop)) {
        offsets[position] = from;
        sizes[position] = count;
      }
    return memref::SubViewOp::create(rewriter, loc, operand, offsets, sizes, strides);
  }

  /// Elements of one step, and the assumed value of a dynamic size.
  static constexpr int64_t kStepElements = 4096, kAssumedSize = 256;

  func::FuncOp func;
  int64_t shareElements;
  IRRewriter rewriter;
  SmallVector<Copy> copies;
  SmallVector<Value> loaded; ///< buffers read between copies
  BlockArgument output;
  int64_t cut = 0, step = 1;
};

struct DistributeDataMovementPass : mica::impl::DistributeDataMovementPassBase<DistributeDataMovementPass> {
  using DistributeDataMovementPassBase::DistributeDataMovementPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (CopyDivider(func, shareElements).run())
      func->setAttr("mica_sched.strategy", StringAttr::get(&getContext(), "copies"));
  }
};

} // namespace
