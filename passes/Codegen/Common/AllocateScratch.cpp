//===- AllocateScratch.cpp - placing temporaries on the stack or in scratch memory ------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A kernel never allocates memory of a static size dynamically:
//
//   memref.alloc of at most stack-bytes (and stack-total-bytes in all)  ->  memref.alloca at the function's
//   start any other of constant size (or constant upper bound of its size)    ->  a view into the argument
//   %scratch: memref<Nxi8> a size known only at run time                                       ->
//   memref.alloc, freed at the end of its block
//
// Two temporaries in %scratch share bytes if they are never live at the same time. Each work partition has its own
// scratch memory (include/mica/ABI/Kernel.h), so this may run before or after mica-codegen-distribute.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Checked.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#include <cassert>

#define DEBUG_TYPE "mica-codegen-allocate-scratch"

namespace mica {
#define GEN_PASS_DEF_ALLOCATESCRATCHPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The maximum size of a static temporary; sums of thousands of them do not overflow.
static constexpr int64_t kMostScratchBytes = int64_t(1) << 48;
static constexpr int64_t kAlignment = 64; // MICA_BUFFER_ALIGNMENT of include/mica/ABI/Kernel.h

int64_t mica::temporaryElementBytes(Type element) {
  if (element.isIndex())
    return 8;
  if (auto vector = dyn_cast<VectorType>(element))
    // LLVM stores vectors in multiples of the next power of two.
    return static_cast<int64_t>(llvm::PowerOf2Ceil(
        std::max<int64_t>(8, temporaryElementBytes(vector.getElementType()) * vector.getNumElements())));
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * temporaryElementBytes(complex.getElementType());
  // Descriptors of buffers, and pointers.
  if (auto buffer = dyn_cast<MemRefType>(element))
    return 8 * (3 + 2 * buffer.getRank());
  if (!element.isIntOrFloat())
    return 16;
  return static_cast<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)));
}

namespace {

/// One allocation, its size and its live range in operations (numbered in program order).
struct Temporary {
  memref::AllocOp op;
  std::optional<int64_t> bytes; ///< nullopt: known only at run time
  SmallVector<int64_t> shape;   ///< upper bounds of the sizes if `bytes` is known
  int64_t begin = 0, end = 0;
  int64_t offset = 0;
};

/// Replaces each dynamic size of the allocation by a constant upper bound, if there is one.
void boundSize(Temporary &temporary) {
  MemRefType type = temporary.op.getType();
  // Larger alignments than that of scratch memory are left to the runtime.
  if (!type.getLayout().isIdentity() || temporary.op.getAlignment().value_or(0) > kAlignment)
    return;
  unsigned dynamic = 0;
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size)) {
      FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, temporary.op.getDynamicSizes()[dynamic++], /*stopCondition=*/nullptr,
          /*closedUB=*/true);
      if (failed(bound) || *bound < 0)
        return;
      size = *bound;
    }
    temporary.shape.push_back(size);
  }
  // Sizes that overflow are left to the runtime, which reports them.
  std::optional<int64_t> bytes =
      mica::checkedBytes(temporary.shape, mica::temporaryElementBytes(type.getElementType()));
  if (bytes && *bytes <= kMostScratchBytes)
    temporary.bytes = bytes;
}

/// Computes the live range of `temporary`: from its allocation to its last use through any chain of views, where a use
/// in a deeper loop extends it to the end of that loop.
void findSpan(Temporary &temporary, const DenseMap<Operation *, std::pair<int64_t, int64_t>> &spans) {
  Block *home = temporary.op->getBlock();
  temporary.begin = temporary.end = spans.lookup(temporary.op).first;
  SmallVector<Value> worklist = {temporary.op.getResult()};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      if (Operation *ancestor = home->findAncestorOpInBlock(*user)) {
        temporary.end = std::max(temporary.end, spans.lookup(ancestor).second);
        for (Value result : ancestor->getResults())
          if (isa<BaseMemRefType>(result.getType()))
            worklist.push_back(result);
      }
      for (Value result : user->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          worklist.push_back(result);
      // A loop-carried buffer is an argument of the loop's body.
      for (Region &region : user->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            if (isa<BaseMemRefType>(argument.getType()))
              worklist.push_back(argument);
    }
  }
}

/// Assigns each temporary the lowest offset at which it overlaps no other live temporary, large ones first. Returns the
/// total size.
int64_t packTemporaries(MutableArrayRef<Temporary *> temporaries) {
  llvm::stable_sort(temporaries, [](Temporary *a, Temporary *b) { return *a->bytes > *b->bytes; });
  SmallVector<Temporary *> placed;
  int64_t total = 0;
  for (Temporary *temporary : temporaries) {
    SmallVector<Temporary *> rivals;
    for (Temporary *other : placed)
      if (other->begin <= temporary->end && temporary->begin <= other->end)
        rivals.push_back(other);
    llvm::sort(rivals, [](Temporary *a, Temporary *b) { return a->offset < b->offset; });
    int64_t offset = 0;
    for (Temporary *other : rivals) {
      if (offset + *temporary->bytes <= other->offset)
        break;
      offset = std::max<int64_t>(offset, llvm::alignTo(other->offset + *other->bytes, kAlignment));
    }
    temporary->offset = offset;
    placed.push_back(temporary);
    assert(llvm::none_of(rivals,
                         [&](Temporary *other) {
                           return offset < other->offset + *other->bytes && other->offset < offset + *temporary->bytes;
                         }) &&
           "temporaries that are needed at the same time lie apart");
    total = std::max<int64_t>(total, llvm::alignTo(offset + *temporary->bytes, kAlignment));
  }
  return total;
}

/// Replaces `op` by `buffer`, a buffer of the upper-bound shape, with the requested sizes.
void replaceAllocation(Temporary &temporary, Value buffer, IRRewriter &rewriter) {
  memref::AllocOp op = temporary.op;
  rewriter.setInsertionPoint(op);
  if (buffer.getType() != op.getType()) {
    // Rows of the larger buffer have the upper-bound length, but users expect the identity layout: reinterpret the
    // first elements.
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    SmallVector<OpFoldResult> strides(sizes.size());
    OpFoldResult stride = rewriter.getIndexAttr(1);
    for (int64_t d = sizes.size() - 1; d >= 0; --d) {
      strides[d] = stride;
      if (d == 0)
        break;
      if (auto a = getConstantIntValue(stride), b = getConstantIntValue(sizes[d]); a && b) {
        stride = rewriter.getIndexAttr(*a * *b);
      } else {
        auto value = [&](OpFoldResult v) -> Value {
          if (auto attr = dyn_cast<Attribute>(v))
            return arith::ConstantIndexOp::create(rewriter, op.getLoc(), cast<IntegerAttr>(attr).getInt());
          return cast<Value>(v);
        };
        stride = arith::MulIOp::create(rewriter, op.getLoc(), value(stride), value(sizes[d])).getResult();
      }
    }
    // A buffer of the allocated type, not a cast to it: a cast folds into the ops that access the view, which then have
    // a dynamic stride.
    buffer = memref::ReinterpretCastOp::create(rewriter, op.getLoc(), op.getType(), buffer, rewriter.getIndexAttr(0),
                                               sizes, strides);
  }
  rewriter.replaceOp(op, buffer);
}

struct AllocateScratchPass : mica::impl::AllocateScratchPassBase<AllocateScratchPass> {
  using AllocateScratchPassBase::AllocateScratchPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    DenseMap<Operation *, std::pair<int64_t, int64_t>> spans;
    int64_t clock = 0;
    number(func, clock, spans);

    SmallVector<Temporary> temporaries;
    func.walk([&](memref::AllocOp op) {
      Temporary &temporary = temporaries.emplace_back();
      temporary.op = op;
      boundSize(temporary);
      findSpan(temporary, spans);
    });
    func.walk([](memref::DeallocOp op) { op.erase(); });

    IRRewriter rewriter(&getContext());
    Block &entry = func.getBody().front();
    int64_t onStack = 0;
    SmallVector<Temporary *> inScratch;
    for (Temporary &temporary : temporaries) {
      LDBG() << temporary.op.getType() << " at " << temporary.op.getLoc() << ": " << temporary.bytes.value_or(-1)
             << " bytes, needed from " << temporary.begin << " to " << temporary.end;
      if (!temporary.bytes) {
        freeAtEndOfBlock(temporary.op);
        continue;
      }
      if (*temporary.bytes > stackBytes || onStack + *temporary.bytes > stackTotalBytes) {
        inScratch.push_back(&temporary);
        continue;
      }
      onStack += llvm::alignTo(*temporary.bytes, kAlignment);
      rewriter.setInsertionPointToStart(&entry);
      auto type = MemRefType::get(temporary.shape, temporary.op.getType().getElementType());
      Value buffer =
          memref::AllocaOp::create(rewriter, temporary.op.getLoc(), type, rewriter.getI64IntegerAttr(kAlignment));
      replaceAllocation(temporary, buffer, rewriter);
    }

    int64_t total = packTemporaries(inScratch);
    func->setAttr("mica_sched.scratch_bytes", rewriter.getI64IntegerAttr(total));
    if (total == 0)
      return;
    // %scratch precedes the %part and %parts of mica-codegen-distribute if these exist.
    unsigned position = func.getNumArguments() - (func->hasAttr("mica_sched.grid") ? 2 : 0);
    auto bytesType = MemRefType::get({total}, rewriter.getI8Type());
    if (failed(func.insertArgument(position, bytesType, DictionaryAttr(), func.getLoc())))
      return signalPassFailure();
    Value scratch = func.getArgument(position);
    for (Temporary *temporary : inScratch) {
      LDBG() << temporary->op.getType() << " at " << temporary->op.getLoc() << ": offset " << temporary->offset;
      rewriter.setInsertionPointToStart(&entry);
      Location loc = temporary->op.getLoc();
      auto type = MemRefType::get(temporary->shape, temporary->op.getType().getElementType());
      Value offset = arith::ConstantIndexOp::create(rewriter, loc, temporary->offset);
      Value buffer = memref::ViewOp::create(rewriter, loc, type, scratch, offset, ValueRange());
      replaceAllocation(*temporary, buffer, rewriter);
    }
  }

private:
  /// Numbers operations: (before its regions, after its regions).
  void number(Operation *op, int64_t &clock, DenseMap<Operation *, std::pair<int64_t, int64_t>> &spans) {
    int64_t begin = clock++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner, clock, spans);
    spans[op] = {begin, clock++};
  }

  void freeAtEndOfBlock(memref::AllocOp op) {
    OpBuilder builder(op->getBlock()->getTerminator());
    memref::DeallocOp::create(builder, op.getLoc(), op.getResult());
  }
};

} // namespace
