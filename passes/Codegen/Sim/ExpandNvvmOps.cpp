//===- ExpandNvvmOps.cpp - expanding NVVM's ops to those of the GPU dialect ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   nvvm.read.ptx.sreg.tid.x             -> gpu.thread_id x
//   nvvm.shfl.sync bfly                  -> the lane to read from, gpu.shuffle idx
//   nvvm.elect.sync                      -> gpu.subgroup_broadcast of the lane, a comparison
//   nvvm.redux.sync                      -> gpu.subgroup_reduce
//   nvvm.memory.barrier and other fences -> nothing
//
// Threads of the simulator see each other's writes at once, and what orders accesses is a barrier, never a fence.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Expand.h"

#include "mica/ABI/Sim.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mica;

static Value i32(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

/// `value`, an index, as a register of 32 bits.
static Value asI32(OpBuilder &b, Location loc, Value value) {
  return arith::IndexCastOp::create(b, loc, b.getI32Type(), value);
}

static Value laneId(OpBuilder &b, Location loc) {
  return asI32(b, loc, gpu::LaneIdOp::create(b, loc, /*upper_bound=*/IntegerAttr()));
}

/// Whether `mask` names all threads of a warp.
static bool isWholeWarp(Value mask) {
  const std::optional<int64_t> constant = getConstantIntValue(mask);
  return constant && static_cast<int32_t>(*constant) == -1;
}

namespace {

/// A register that is a value of the GPU dialect along `dim`.
template <typename Nvvm, typename Gpu, gpu::Dimension dim> struct ExpandDimension : OpRewritePattern<Nvvm> {
  using OpRewritePattern<Nvvm>::OpRewritePattern;
  LogicalResult matchAndRewrite(Nvvm op, PatternRewriter &b) const override {
    b.replaceOp(op, asI32(b, op.getLoc(), Gpu::create(b, op.getLoc(), b.getIndexType(), dim, IntegerAttr())));
    return success();
  }
};

template <typename Nvvm, typename Gpu> struct ExpandRegister : OpRewritePattern<Nvvm> {
  using OpRewritePattern<Nvvm>::OpRewritePattern;
  LogicalResult matchAndRewrite(Nvvm op, PatternRewriter &b) const override {
    b.replaceOp(op, asI32(b, op.getLoc(), Gpu::create(b, op.getLoc(), b.getIndexType(), IntegerAttr())));
    return success();
  }
};

/// PTX ISA, 9.7.9.6: which lane a thread reads from, and whether there is one; without, it reads its own value.
struct ExpandShuffle : OpRewritePattern<NVVM::ShflOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(NVVM::ShflOp op, PatternRewriter &b) const override {
    const std::optional<int64_t> maskAndClamp = getConstantIntValue(op.getMaskAndClamp());
    if (!maskAndClamp)
      return b.notifyMatchFailure(op, "segments of sizes that are not constant");
    Location loc = op.getLoc();
    const int64_t clamp = *maskAndClamp & 31, segment = *maskAndClamp >> 8 & 31;
    Value lane = laneId(b, loc);
    Value offset = arith::AndIOp::create(b, loc, op.getOffset(), i32(b, loc, 31));
    // Lanes of a segment have the upper bits `segment` in common.
    Value base = arith::AndIOp::create(b, loc, lane, i32(b, loc, segment));
    Value last = arith::OrIOp::create(b, loc, base, i32(b, loc, clamp & ~segment));
    Value source, valid;
    const auto compare = [&](arith::CmpIPredicate predicate) {
      return arith::CmpIOp::create(b, loc, predicate, source, last);
    };
    switch (op.getKind()) {
    case NVVM::ShflKind::up:
      source = arith::SubIOp::create(b, loc, lane, offset);
      valid = compare(arith::CmpIPredicate::sge);
      break;
    case NVVM::ShflKind::down:
      source = arith::AddIOp::create(b, loc, lane, offset);
      valid = compare(arith::CmpIPredicate::sle);
      break;
    case NVVM::ShflKind::bfly:
      source = arith::XOrIOp::create(b, loc, lane, offset);
      valid = compare(arith::CmpIPredicate::sle);
      break;
    case NVVM::ShflKind::idx: {
      Value inSegment = arith::AndIOp::create(b, loc, offset, i32(b, loc, ~segment & 31));
      source = arith::OrIOp::create(b, loc, base, inSegment);
      valid = compare(arith::CmpIPredicate::sle);
      break;
    }
    }
    source = arith::SelectOp::create(b, loc, valid, source, lane);
    auto shuffle =
        gpu::ShuffleOp::create(b, loc, op.getVal(), source, i32(b, loc, MICA_SIM_LANES), gpu::ShuffleMode::IDX);
    Value value = shuffle.getShuffleResult();
    if (isa<LLVM::LLVMStructType>(op.getType())) {
      Value both = LLVM::PoisonOp::create(b, loc, op.getType());
      both = LLVM::InsertValueOp::create(b, loc, both, value, ArrayRef<int64_t>{0});
      value = LLVM::InsertValueOp::create(b, loc, both, valid, ArrayRef<int64_t>{1});
    }
    b.replaceOp(op, value);
    return success();
  }
};

struct ExpandElect : OpRewritePattern<NVVM::ElectSyncOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(NVVM::ElectSyncOp op, PatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value lane = laneId(b, loc);
    Value first = gpu::SubgroupBroadcastOp::create(b, loc, lane, Value(), gpu::BroadcastType::first_active_lane);
    b.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::eq, lane, first);
    return success();
  }
};

struct ExpandRedux : OpRewritePattern<NVVM::ReduxOp> {
  using OpRewritePattern::OpRewritePattern;
  static std::optional<gpu::AllReduceOperation> kindOf(NVVM::ReduxOp op) {
    switch (op.getKind()) {
    case NVVM::ReduxKind::ADD:
      return gpu::AllReduceOperation::ADD;
    case NVVM::ReduxKind::AND:
      return gpu::AllReduceOperation::AND;
    case NVVM::ReduxKind::OR:
      return gpu::AllReduceOperation::OR;
    case NVVM::ReduxKind::XOR:
      return gpu::AllReduceOperation::XOR;
    case NVVM::ReduxKind::MAX:
      return gpu::AllReduceOperation::MAXSI;
    case NVVM::ReduxKind::MIN:
      return gpu::AllReduceOperation::MINSI;
    case NVVM::ReduxKind::UMAX:
      return gpu::AllReduceOperation::MAXUI;
    case NVVM::ReduxKind::UMIN:
      return gpu::AllReduceOperation::MINUI;
    case NVVM::ReduxKind::FMAX:
      return op.getNan() ? gpu::AllReduceOperation::MAXIMUMF : gpu::AllReduceOperation::MAXNUMF;
    case NVVM::ReduxKind::FMIN:
      return op.getNan() ? gpu::AllReduceOperation::MINIMUMF : gpu::AllReduceOperation::MINNUMF;
    default:
      return std::nullopt;
    }
  }
  LogicalResult matchAndRewrite(NVVM::ReduxOp op, PatternRewriter &b) const override {
    const std::optional<gpu::AllReduceOperation> kind = kindOf(op);
    if (!kind || op.getAbs() || !isWholeWarp(op.getMaskAndClamp()))
      return b.notifyMatchFailure(op, "not of a whole warp, or of absolute values");
    b.replaceOpWithNewOp<gpu::SubgroupReduceOp>(op, op.getVal(), *kind, /*uniform=*/true);
    return success();
  }
};

/// Fences, and what only costs or saves time.
struct EraseFence : RewritePattern {
  explicit EraseFence(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &b) const override {
    if (op->getName().getDialectNamespace() != NVVM::NVVMDialect::getDialectNamespace() || op->getNumResults() != 0)
      return failure();
    const StringRef name = op->getName().stripDialect();
    // Products of a warpgroup are computed at once, so nothing waits for them.
    if (!name.starts_with("fence.") && !name.starts_with("wgmma.fence") && !name.starts_with("wgmma.commit") &&
        !name.starts_with("wgmma.wait") &&
        !llvm::is_contained({"memory.barrier", "setmaxregister", "nanosleep", "prefetch"}, name))
      return failure();
    b.eraseOp(op);
    return success();
  }
};

} // namespace

void sim::populateExpandNvvmPatterns(RewritePatternSet &patterns) {
  constexpr auto x = gpu::Dimension::x, y = gpu::Dimension::y, z = gpu::Dimension::z;
  patterns.add<
      ExpandDimension<NVVM::ThreadIdXOp, gpu::ThreadIdOp, x>, ExpandDimension<NVVM::ThreadIdYOp, gpu::ThreadIdOp, y>,
      ExpandDimension<NVVM::ThreadIdZOp, gpu::ThreadIdOp, z>, ExpandDimension<NVVM::BlockDimXOp, gpu::BlockDimOp, x>,
      ExpandDimension<NVVM::BlockDimYOp, gpu::BlockDimOp, y>, ExpandDimension<NVVM::BlockDimZOp, gpu::BlockDimOp, z>,
      ExpandDimension<NVVM::BlockIdXOp, gpu::BlockIdOp, x>, ExpandDimension<NVVM::BlockIdYOp, gpu::BlockIdOp, y>,
      ExpandDimension<NVVM::BlockIdZOp, gpu::BlockIdOp, z>, ExpandDimension<NVVM::GridDimXOp, gpu::GridDimOp, x>,
      ExpandDimension<NVVM::GridDimYOp, gpu::GridDimOp, y>, ExpandDimension<NVVM::GridDimZOp, gpu::GridDimOp, z>,
      ExpandRegister<NVVM::LaneIdOp, gpu::LaneIdOp>, ExpandRegister<NVVM::WarpSizeOp, gpu::SubgroupSizeOp>,
      ExpandRegister<NVVM::WarpIdOp, gpu::SubgroupIdOp>, ExpandRegister<NVVM::WarpDimOp, gpu::NumSubgroupsOp>,
      ExpandShuffle, ExpandElect, ExpandRedux, EraseFence>(patterns.getContext());
}
