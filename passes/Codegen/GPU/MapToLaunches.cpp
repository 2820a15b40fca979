//===- MapToLaunches.cpp - mapping a kernel to launches ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The host knows sizes and views of buffers but not their elements. So every operation of the function is one of:
//
//   host      no memory effects, and all operands are known on the host      stays
//   late      no memory effects, but some operand is known only in launches  is cloned into the launches that use it
//   parallel  a structured op or parallel loop whose sizes the host knows    a launch, a thread per iteration
//   group     ops with a common config, the last of which is visited         a launch, a thread group per row or tile
//   loop      a loop or conditional of the host around such ops              stays; its operations are mapped
//   serial    everything else                                                a launch of one thread, with others
//
// A value that a serial operation passes to a later launch is stored in a buffer of one element, and loaded there.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/GPU/ContractionLaunch.h"
#include "passes/Codegen/GPU/LaunchBuilder.h"
#include "passes/Codegen/GPU/ParallelLoops.h"
#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/GPU/RowLaunch.h"
#include "passes/Codegen/GPU/Temporaries.h"

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-gpu-map-to-launches"

namespace mica {
#define GEN_PASS_DEF_MAPTOLAUNCHESPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Maximum size of a temporary in a thread's private memory.
static constexpr int64_t kPrivateBytes = 1024;

/// Larger temporaries are adjacent in global memory, in multiples of kPartUnit bytes; if all threads together would
/// need more than kDividedBytes, threads are reused for several iterations.
static constexpr int64_t kPartUnit = 64, kDividedBytes = int64_t(256) << 20;

namespace {

class LaunchFormer {
public:
  LaunchFormer(func::FuncOp func, int64_t threads, int64_t vectorBytes, bool hostMemory)
      : func(func), builder(func, threads), rewriter(func.getContext()), vectorBytes(vectorBytes),
        hostMemory(hostMemory) {}

  /// Fails with a reason.
  LogicalResult form(Block &block);
  /// Erases temporaries that are in registers now.
  void dropTemporaries();
  std::string reason;
  bool isInvalid = false; ///< a config is invalid; an error was emitted

private:
  /// The values that `op` uses, including in its regions.
  static llvm::SetVector<Value> usesOf(Operation *op);
  bool isKnownToHost(Operation *op) {
    return llvm::none_of(usesOf(op), [&](Value value) { return ofDevice.contains(value); });
  }
  static bool isHostLoop(Operation *op);
  static bool takesParallel(Operation *op);

  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }
  bool formGeneric(linalg::GenericOp op);
  bool formRows(ArrayRef<linalg::GenericOp> ops);
  bool formContraction(ArrayRef<linalg::GenericOp> ops);
  bool hostKnowsLoopsOf(linalg::GenericOp op);
  bool formLoop(Operation *op);
  /// Memory that is partitioned among the threads of a launch, which execute the iterations of a loop in turns.
  struct DividedMemory {
    struct Part {
      memref::AllocOp alloc;
      Value units; ///< of kPartUnit bytes per thread
      Value memory;
    };
    SmallVector<Part> parts;
    Value iterations, threads;
  };
  std::optional<DividedMemory> divideMemory(Operation *op, ArrayRef<mica::device::SharedLoop> loops);
  void takePart(const DividedMemory &memory, Value place);
  bool isKnownAt(Value value, Operation *op);
  LogicalResult placeTemporary(Operation *op, SmallVectorImpl<Operation *> &late);
  Value allocateFor(memref::AllocOp alloc, Operation *place);
  LogicalResult hoistAllocations(Operation *op);
  LogicalResult flush(Operation *before);
  LogicalResult completeBody(mlir::gpu::LaunchOp launch);
  Value cellOf(Value value);

  func::FuncOp func;
  mica::device::LaunchBuilder builder;
  IRRewriter rewriter;
  int64_t vectorBytes;
  bool hostMemory;
  llvm::DenseSet<Value> ofDevice;         ///< values that are known only in launches
  SmallVector<linalg::GenericOp> planned; ///< ops of a group whose last op was not visited yet
  llvm::DenseMap<Value, Value> cells;     ///< of values of serial operations that later launches use
  SmallVector<Operation *> serial;        ///< operations for the next serial launch
};

} // namespace

llvm::SetVector<Value> LaunchFormer::usesOf(Operation *op) {
  llvm::SetVector<Value> uses(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), uses);
  return uses;
}

bool LaunchFormer::takesParallel(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return generic.hasPureBufferSemantics() && device::writesApart(generic);
  return isa<scf::ForallOp, scf::ParallelOp>(op) && op->getNumResults() == 0;
}

/// A loop or conditional without results that contains parallel ops.
bool LaunchFormer::isHostLoop(Operation *op) {
  if (!isa<scf::ForOp, scf::IfOp>(op) || op->getNumResults() != 0)
    return false;
  return op
      ->walk([&](Operation *inner) {
        return inner != op && takesParallel(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The buffer for the value of a serial operation between launches.
Value LaunchFormer::cellOf(Value value) {
  Value &cell = cells[value];
  if (!cell) {
    OpBuilder atStart = OpBuilder::atBlockBegin(&func.getBody().front());
    cell = memref::AllocOp::create(atStart, value.getLoc(), MemRefType::get({1}, value.getType()));
  }
  return cell;
}

/// Makes the values that only launches know available in a launch: clones ops without effects, and loads values of
/// serial operations from their cells.
LogicalResult LaunchFormer::completeBody(mlir::gpu::LaunchOp launch) {
  Region &body = launch.getBody();
  for (bool again = true; again;) {
    again = false;
    // Values of serial operations are defined in other launches by now, and do not dominate this one.
    llvm::SetVector<Value> uses;
    body.walk([&](Operation *op) {
      for (Value value : op->getOperands())
        if (ofDevice.contains(value) && !body.isAncestor(value.getParentRegion()))
          uses.insert(value);
    });
    for (Value value : uses) {
      // Insert before its first use, since its operands may be created in this launch.
      Operation *first = nullptr;
      for (Operation *user : value.getUsers())
        if (Operation *top = body.front().findAncestorOpInBlock(*user); top && (!first || top->isBeforeInBlock(first)))
          first = top;
      rewriter.setInsertionPoint(first);
      Value inside;
      if (auto cell = cells.find(value); cell != cells.end()) {
        Value zero = arith::ConstantIndexOp::create(rewriter, value.getLoc(), 0);
        inside = memref::LoadOp::create(rewriter, value.getLoc(), cell->second, zero);
      } else {
        Operation *copy = rewriter.clone(*value.getDefiningOp());
        inside = copy->getResult(cast<OpResult>(value).getResultNumber());
      }
      rewriter.replaceUsesWithIf(value, inside,
                                 [&](OpOperand &use) { return body.isAncestor(use.getOwner()->getParentRegion()); });
      again = true;
    }
  }
  return success();
}

/// Launches the pending serial operations, before `before`.
LogicalResult LaunchFormer::flush(Operation *before) {
  if (serial.empty())
    return success();
  SmallVector<Operation *> ops = std::move(serial);
  serial.clear();
  rewriter.setInsertionPoint(before);
  mlir::gpu::LaunchOp launch = builder.launch(rewriter, ops.front()->getLoc(), {}, [&](ValueRange) {
    Block *block = rewriter.getInsertionBlock();
    for (Operation *op : ops)
      rewriter.moveOpBefore(op, block, rewriter.getInsertionPoint());
  });
  for (Operation *op : ops)
    for (Value result : op->getResults()) {
      // Late operations that use it are cloned into each launch, which need its cell.
      bool leaves = llvm::any_of(result.getUsers(), [&](Operation *user) { return !launch->isProperAncestor(user); });
      if (!leaves)
        continue;
      if (isa<BaseMemRefType>(result.getType()))
        return fail("a buffer is chosen by what only the device knows");
      rewriter.setInsertionPointAfter(op);
      Value zero = arith::ConstantIndexOp::create(rewriter, op->getLoc(), 0);
      Value cell = cellOf(result);
      memref::StoreOp::create(rewriter, op->getLoc(), result, cell, zero);
    }
  return completeBody(launch);
}

bool LaunchFormer::hostKnowsLoopsOf(linalg::GenericOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  for (Range &range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(rewriter, op.getLoc()))
    if (auto size = dyn_cast<Value>(range.size))
      if (Operation *def = size.getDefiningOp(); def && !isKnownToHost(def))
        return false;
  return true;
}

/// Emits one launch for a row group; false if the host does not know its sizes, or the ops no longer form a group.
bool LaunchFormer::formRows(ArrayRef<linalg::GenericOp> ops) {
  std::optional<mica::device::RowPlan> plan = mica::device::RowPlan::of(ops.front());
  mica::device::RowGroup group = mica::device::groupOf(ops);
  if (!plan || group.ops.empty() || !llvm::all_of(ops, [&](linalg::GenericOp op) { return hostKnowsLoopsOf(op); }))
    return false;
  if (failed(mica::device::verifyPlan(*plan, group))) {
    isInvalid = true;
    return true;
  }
  rewriter.setInsertionPoint(ops.back());
  // Any op that has all loops determines their sizes.
  SmallVector<OpFoldResult> sizes(group.loops());
  for (const mica::device::RowOp &each : group.ops) {
    SmallVector<Range> ranges =
        cast<linalg::LinalgOp>(each.op.getOperation()).createLoopRanges(rewriter, each.op.getLoc());
    for (auto [loop, to] : llvm::enumerate(each.place))
      sizes[to] = ranges[loop].size;
    if (ranges.size() == sizes.size())
      break;
  }
  mlir::gpu::LaunchOp launch = mica::device::launchRows(rewriter, builder, group, *plan, sizes);
  for (linalg::GenericOp op : ops)
    rewriter.eraseOp(op);
  if (launch)
    (void)completeBody(launch);
  return true;
}

/// Emits one launch for a contraction with its fused ops; false if the host does not know its sizes, or it is no longer
/// a contraction.
bool LaunchFormer::formContraction(ArrayRef<linalg::GenericOp> ops) {
  const auto *product = llvm::find_if(ops, [](linalg::GenericOp op) { return op.getNumReductionLoops() > 0; });
  if (product == ops.end())
    return false;
  std::optional<mica::device::ContractionPlan> plan = mica::device::ContractionPlan::of(*product);
  std::optional<mica::device::ContractionGroup> group =
      mica::device::contractionGroupAt(ops, std::distance(ops.begin(), product));
  if (!plan || !group || group->ops().size() != ops.size() ||
      !llvm::all_of(ops, [&](linalg::GenericOp op) { return hostKnowsLoopsOf(op); }))
    return false;
  if (failed(mica::device::verifyPlan(*plan, group->product))) {
    isInvalid = true;
    return true;
  }
  rewriter.setInsertionPoint(ops.back());
  FailureOr<mlir::gpu::LaunchOp> launch = mica::device::launchContraction(rewriter, builder, *group, *plan);
  if (failed(launch))
    return false;
  for (linalg::GenericOp op : ops)
    rewriter.eraseOp(op);
  if (*launch)
    (void)completeBody(*launch);
  return true;
}

/// Emits a launch for the parallel loops of `op`; false if the host does not know their sizes.
bool LaunchFormer::formGeneric(linalg::GenericOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  if (!hostKnowsLoopsOf(op))
    return false;
  SmallVector<Range> ranges = cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(rewriter, loc);
  const int64_t elements = vectorBytes > 0 ? mica::device::elementsPerThread(op, vectorBytes) : 1;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<mica::device::SharedLoop> loops;
  for (unsigned dim : parallel) {
    const int64_t step = dim + 1 == ranges.size() ? elements : 1;
    AffineExpr s0 = rewriter.getAffineSymbolExpr(0);
    OpFoldResult count = affine::makeComposedFoldedAffineApply(rewriter, loc, s0.ceilDiv(step), {ranges[dim].size});
    loops.push_back({rewriter.getIndexAttr(0), rewriter.getIndexAttr(step), count});
  }
  const bool isGrowing = device::hasGrowingMaps(op);
  mlir::gpu::LaunchOp launch = builder.launch(rewriter, loc, loops, [&](ValueRange positions) {
    if (!isGrowing) {
      SmallVector<Value> at(ranges.size());
      for (auto [dim, position] : llvm::zip_equal(parallel, positions))
        at[dim] = position;
      Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      for (auto [position, range] : llvm::zip_equal(at, ranges))
        if (!position) {
          Value size = getValueOrCreateConstantIndexOp(rewriter, loc, range.size);
          auto loop = scf::ForOp::create(rewriter, loc, zero, size, one);
          position = loop.getInductionVar();
          rewriter.setInsertionPointToStart(loop.getBody());
        }
      isInvalid |= failed(cast<TilingInterface>(op.getOperation()).generateScalarImplementation(rewriter, loc, at));
      return;
    }
    SmallVector<OpFoldResult> offsets, sizes;
    for (Range &range : ranges) {
      offsets.push_back(rewriter.getIndexAttr(0));
      sizes.push_back(range.size);
    }
    for (auto [dim, position] : llvm::zip_equal(parallel, positions)) {
      offsets[dim] = position;
      sizes[dim] = rewriter.getIndexAttr(dim + 1 == ranges.size() ? elements : 1);
    }
    FailureOr<TilingResult> tile =
        cast<TilingInterface>(op.getOperation()).getTiledImplementation(rewriter, offsets, sizes);
    if (failed(tile))
      return;
    if (elements > 1 && succeeded(linalg::vectorize(rewriter, tile->tiledOps.front())))
      rewriter.eraseOp(tile->tiledOps.front());
  });
  rewriter.eraseOp(op);
  if (launch)
    (void)completeBody(launch);
  return true;
}

/// Whether the allocation of `alloc` fits into a thread's private memory.
static bool takesPrivateMemory(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  return type.hasStaticShape() && type.getLayout().isIdentity() &&
         type.getNumElements() * mica::temporaryElementBytes(type.getElementType()) <= kPrivateBytes;
}

/// Whether a buffer, or a view of it, is passed to another iteration or out of its loop.
static bool isPassedOn(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           (isa<ViewLikeOpInterface>(user) && llvm::any_of(user->getResults(), isPassedOn));
  });
}

/// Whether `value` is available on the host at `op`.
bool LaunchFormer::isKnownAt(Value value, Operation *op) {
  return !ofDevice.contains(value) && !op->isAncestor(value.getParentRegion()->getParentOp());
}

/// Replaces the size of a host temporary that only launches know by an upper bound; `late` receives the resulting view.
LogicalResult LaunchFormer::placeTemporary(Operation *op, SmallVectorImpl<Operation *> &late) {
  rewriter.setInsertionPoint(op);
  if (auto onStack = dyn_cast<memref::AllocaOp>(op))
    op = rewriter.replaceOpWithNewOp<memref::AllocOp>(onStack, onStack.getType(), onStack.getDynamicSizes(),
                                                      onStack.getAlignmentAttr());
  auto alloc = cast<memref::AllocOp>(op);
  if (isKnownToHost(alloc))
    return success();
  rewriter.setInsertionPoint(alloc);
  Value memory = allocateFor(alloc, alloc);
  if (!memory)
    return failure();
  Location loc = alloc.getLoc();
  rewriter.setInsertionPoint(alloc);
  Value first = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Operation *view =
      rewriter.replaceOpWithNewOp<memref::ViewOp>(alloc, alloc.getType(), memory, first, alloc.getDynamicSizes());
  late.push_back(view);
  ofDevice.insert(view->result_begin(), view->result_end());
  return success();
}

/// Allocates enough bytes for `alloc` before `place`; null if the host does not know how many.
Value LaunchFormer::allocateFor(memref::AllocOp alloc, Operation *place) {
  std::optional<SmallVector<Value>> sizes =
      mica::device::boundsOfSizes(rewriter, alloc, [&](Value value) { return isKnownAt(value, place); });
  if (!sizes)
    return {};
  Location loc = alloc.getLoc();
  Value bytes = mica::device::temporaryBytes(rewriter, loc, alloc.getType(), *sizes);
  std::optional<int64_t> constant = getConstantIntValue(bytes);
  auto type = MemRefType::get({constant ? *constant : ShapedType::kDynamic}, rewriter.getI8Type());
  return memref::AllocOp::create(rewriter, loc, type, constant ? ValueRange() : ValueRange(bytes));
}

/// Hoists allocations of loops in `op`, which one thread runs, to temporaries of the kernel, because a device cannot
/// allocate memory.
LogicalResult LaunchFormer::hoistAllocations(Operation *op) {
  SmallVector<memref::AllocOp> allocs;
  op->walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  if (llvm::any_of(allocs, [](memref::AllocOp alloc) { return isPassedOn(alloc.getResult()); }))
    return failure();
  SmallVector<Value> memories;
  rewriter.setInsertionPoint(op);
  for (memref::AllocOp alloc : allocs) {
    memories.push_back(alloc.getType().hasStaticShape() ? Value() : allocateFor(alloc, op));
    if (!alloc.getType().hasStaticShape() && !memories.back())
      return failure();
  }
  op->walk([&](memref::DeallocOp dealloc) { rewriter.eraseOp(dealloc); });
  for (auto [alloc, memory] : llvm::zip_equal(allocs, memories)) {
    if (!memory) {
      rewriter.moveOpBefore(alloc, op);
      continue;
    }
    rewriter.setInsertionPoint(alloc);
    Value first = arith::ConstantIndexOp::create(rewriter, alloc.getLoc(), 0);
    rewriter.replaceOpWithNewOp<memref::ViewOp>(alloc, alloc.getType(), memory, first, alloc.getDynamicSizes());
  }
  return success();
}

/// Memory for allocations in the iterations of the parallel loop `op` that do not fit into private memory: the maximum
/// that all threads together may need. nullopt if the host does not know how much one needs.
std::optional<LaunchFormer::DividedMemory> LaunchFormer::divideMemory(Operation *op,
                                                                      ArrayRef<mica::device::SharedLoop> loops) {
  DividedMemory divided;
  op->walk([&](memref::AllocOp alloc) {
    if (!takesPrivateMemory(alloc))
      divided.parts.push_back({alloc, Value(), Value()});
  });
  if (divided.parts.empty())
    return divided;
  if (llvm::any_of(divided.parts, [](DividedMemory::Part &part) { return isPassedOn(part.alloc.getResult()); }))
    return std::nullopt;
  Location loc = op->getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  Value unit = constant(kPartUnit), one = constant(1), all = constant(0);
  for (DividedMemory::Part &part : divided.parts) {
    auto sizes = mica::device::boundsOfSizes(rewriter, part.alloc, [&](Value value) { return isKnownAt(value, op); });
    if (!sizes)
      return std::nullopt;
    Value bytes = mica::device::temporaryBytes(rewriter, loc, part.alloc.getType(), *sizes);
    part.units = arith::AddIOp::create(rewriter, loc, arith::DivUIOp::create(rewriter, loc, bytes, unit), one);
    all = arith::AddIOp::create(rewriter, loc, all, part.units);
  }
  SmallVector<OpFoldResult> counts;
  for (const mica::device::SharedLoop &loop : loops)
    counts.push_back(loop.count);
  divided.iterations = mica::device::saturatedProduct(rewriter, loc, counts);
  Value fit = arith::DivUIOp::create(rewriter, loc, constant(kDividedBytes / kPartUnit), all);
  fit = arith::MaxUIOp::create(rewriter, loc, fit, one);
  divided.threads = arith::MinUIOp::create(rewriter, loc, divided.iterations, fit);
  auto type = MemRefType::get({ShapedType::kDynamic}, rewriter.getI8Type());
  for (DividedMemory::Part &part : divided.parts) {
    Value bytes = mica::device::saturatedProduct(rewriter, loc, {part.units, divided.threads, unit});
    part.memory = memref::AllocOp::create(rewriter, loc, type, bytes);
  }
  return divided;
}

/// Gives the body of the loop the part of thread number `place`, at the insertion point.
void LaunchFormer::takePart(const DividedMemory &memory, Value place) {
  for (const DividedMemory::Part &part : memory.parts) {
    memref::AllocOp alloc = part.alloc;
    Location loc = alloc.getLoc();
    Value unit = arith::ConstantIndexOp::create(rewriter, loc, kPartUnit);
    Value bytes = arith::MulIOp::create(rewriter, loc, part.units, unit);
    Value first = arith::MulIOp::create(rewriter, loc, place, bytes);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(alloc);
    rewriter.replaceOpWithNewOp<memref::ViewOp>(alloc, alloc.getType(), part.memory, first, alloc.getDynamicSizes());
  }
}

/// Emits a launch for a parallel loop of the program or of another pass.
bool LaunchFormer::formLoop(Operation *op) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  SmallVector<OpFoldResult> begins, ends, steps;
  if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    begins = loop.getMixedLowerBound();
    ends = loop.getMixedUpperBound();
    steps = loop.getMixedStep();
  } else {
    auto parallel = cast<scf::ParallelOp>(op);
    begins = getAsOpFoldResult(parallel.getLowerBound());
    ends = getAsOpFoldResult(parallel.getUpperBound());
    steps = getAsOpFoldResult(parallel.getStep());
  }
  for (ArrayRef<OpFoldResult> values : {ArrayRef(begins), ArrayRef(ends), ArrayRef(steps)})
    for (OpFoldResult value : values)
      if (auto known = dyn_cast<Value>(value); known && ofDevice.contains(known))
        return false;
  SmallVector<mica::device::SharedLoop> loops;
  for (auto [begin, end, step] : llvm::zip_equal(begins, ends, steps)) {
    AffineExpr s0 = rewriter.getAffineSymbolExpr(0), s1 = rewriter.getAffineSymbolExpr(1),
               s2 = rewriter.getAffineSymbolExpr(2);
    OpFoldResult count = affine::makeComposedFoldedAffineMax(
        rewriter, loc,
        AffineMap::get(0, 3, {(s1 - s0).ceilDiv(s2), rewriter.getAffineConstantExpr(0)}, rewriter.getContext()),
        {begin, end, step});
    loops.push_back({begin, step, count});
  }
  auto inlineBody = [&](ValueRange positions) {
    Block &block = op->getRegion(0).front();
    rewriter.eraseOp(block.getTerminator());
    Block *into = rewriter.getInsertionBlock();
    rewriter.inlineBlockBefore(&block, into, rewriter.getInsertionPoint(), positions);
  };
  std::optional<DividedMemory> memory = divideMemory(op, loops);
  if (!memory)
    return false;
  op->walk([&](memref::AllocOp alloc) {
    if (!takesPrivateMemory(alloc))
      return;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(alloc);
    rewriter.replaceOpWithNewOp<memref::AllocaOp>(alloc, alloc.getType());
  });
  op->walk([&](memref::DeallocOp dealloc) { rewriter.eraseOp(dealloc); });
  mlir::gpu::LaunchOp launch;
  if (memory->parts.empty()) {
    launch = builder.launch(rewriter, loc, loops, inlineBody);
  } else {
    const mica::device::SharedLoop threads{rewriter.getIndexAttr(0), rewriter.getIndexAttr(1), memory->threads};
    launch = builder.launch(rewriter, loc, threads, [&](ValueRange place) {
      takePart(*memory, place.front());
      auto turns = scf::ForOp::create(rewriter, loc, place.front(), memory->iterations, memory->threads);
      rewriter.setInsertionPointToStart(turns.getBody());
      inlineBody(builder.positionsAt(rewriter, loc, loops, turns.getInductionVar()));
    });
  }
  rewriter.eraseOp(op);
  if (launch)
    (void)completeBody(launch);
  return true;
}

/// The kind and number of the config group of `op`.
static std::optional<std::pair<bool, int64_t>> groupOf(Operation *op) {
  if (std::optional<mica::device::RowPlan> plan = mica::device::RowPlan::of(op))
    return std::pair{true, plan->group};
  if (std::optional<mica::device::ContractionPlan> plan = mica::device::ContractionPlan::of(op))
    return std::pair{false, plan->group};
  return std::nullopt;
}

/// Whether a later op of the block is in the same group as `op`.
static bool isFollowedByItsGroup(Operation *op) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (auto group = groupOf(next); group && group == groupOf(op))
      return true;
  return false;
}

LogicalResult LaunchFormer::form(Block &block) {
  SmallVector<Operation *> late;
  for (Operation &each : llvm::make_early_inc_range(block.without_terminator())) {
    Operation *op = &each;
    if (isa<memref::DeallocOp>(op)) {
      rewriter.eraseOp(op);
      continue;
    }
    const bool isKnown = isKnownToHost(op);
    if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
      if (failed(placeTemporary(op, late)))
        return fail("a temporary has a size that only the device knows");
      continue;
    }
    if (isMemoryEffectFree(op)) {
      if (!isKnown) {
        late.push_back(op);
        ofDevice.insert(op->result_begin(), op->result_end());
      }
      continue;
    }
    if (isa<linalg::GenericOp>(op) && groupOf(op)) {
      // The launch is created at the last op of the group: there are no effects between them.
      if (failed(flush(op)))
        return failure();
      planned.push_back(cast<linalg::GenericOp>(op));
      if (isFollowedByItsGroup(op))
        continue;
      SmallVector<linalg::GenericOp> group = std::move(planned);
      planned.clear();
      if (mica::device::RowPlan::of(op) ? formRows(group) : formContraction(group))
        continue;
      remark::missed(op->getLoc(), remark::RemarkOpts::name("config-not-applied").category("launch"))
          << remark::add(
                 "the configuration is not used: the host does not know the sizes, or the {0} operations are no group",
                 group.size())
          << remark::metric("Rejected", "one launch for the group")
          << remark::metric("Selected", "a launch for each operation");
      // Launch each op separately. The earlier ones precede the insertion point.
      bool formed = true;
      for (linalg::GenericOp each : group) {
        each->removeAttr(mica::codegen::kLoweringConfigAttr);
        formed &= each == op || (takesParallel(each) && formGeneric(each));
      }
      if (!formed)
        return fail("the sizes of ops that belong together are known to the device only");
    }
    if (takesParallel(op)) {
      if (failed(flush(op)))
        return failure();
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (generic ? formGeneric(generic) : formLoop(op))
        continue;
    } else if (isHostLoop(op) &&
               llvm::none_of(op->getOperands(), [&](Value value) { return ofDevice.contains(value); })) {
      if (failed(flush(op)))
        return failure();
      for (Region &region : op->getRegions())
        for (Block &inner : region)
          if (failed(form(inner)))
            return failure();
      continue;
    }
    if (failed(hoistAllocations(op)) && !hostMemory)
      return fail("a loop makes temporaries that outlive an iteration, or of sizes that only the device knows");
    serial.push_back(op);
    ofDevice.insert(op->result_begin(), op->result_end());
  }
  if (failed(flush(block.getTerminator())))
    return failure();
  for (Operation *op : llvm::reverse(late))
    if (op->use_empty())
      rewriter.eraseOp(op);
  return success();
}

void LaunchFormer::dropTemporaries() {
  SmallVector<memref::AllocOp> unused;
  func.walk([&](memref::AllocOp alloc) {
    if (alloc->use_empty())
      unused.push_back(alloc);
  });
  for (memref::AllocOp alloc : unused)
    rewriter.eraseOp(alloc);
}

namespace {
struct MapToLaunchesPass : mica::impl::MapToLaunchesPassBase<MapToLaunchesPass> {
  using MapToLaunchesPassBase::MapToLaunchesPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !llvm::hasSingleElement(func.getBody()) || func->hasAttr(mica::codegen::kHostReasonAttr))
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> named;
    func.walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && !isa<linalg::GenericOp>(op))
        named.push_back(op);
    });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      Attribute config = op->getAttr(mica::codegen::kLoweringConfigAttr);
      FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
      if (succeeded(generic) && config)
        (*generic)->setAttr(mica::codegen::kLoweringConfigAttr, config);
    }
    func::FuncOp before = func.clone();
    LaunchFormer former(func, threads, vectorBytes, hostMemory);
    const LogicalResult formed = former.form(func.getBody().front());
    if (former.isInvalid) {
      before.erase();
      return signalPassFailure();
    }
    LDBG() << func.getName() << ": " << (failed(formed) ? former.reason : "mapped");
    if (failed(formed)) {
      func.getBody().takeBody(before.getBody());
      func->setAttr(mica::codegen::kHostReasonAttr, StringAttr::get(&getContext(), former.reason));
    } else {
      former.dropTemporaries();
    }
    before.erase();
  }
};
} // namespace
