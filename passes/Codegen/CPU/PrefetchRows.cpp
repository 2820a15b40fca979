//===- PrefetchRows.cpp - prefetching rows while others are computed ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A kernel that reads a few rows, computes with what is then in the cache, and stores them at last (softmax) leaves
// memory idle in between:
//
//   scf.forall (%i) ... {                               scf.forall (%i) ... {
//     for %j { max of %x[%i, %j] }                        for %j { max of %x[%i, %j] }
//     for %j { %e[%j] = exp(%x[%i, %j] - max) }    ->     for %j { ...; prefetch the next rows of %x, and these of %o }
//     for %j { %o[%i, %j] = %e[%j] / sum }                for %j { %o[%i, %j] = %e[%j] / sum }
//   }                                                   }
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "passes/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-cpu-prefetch-rows"

namespace mica {
#define GEN_PASS_DEF_PREFETCHROWSPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
/// Loops of the body of an scf.forall, one in the other, down to the first loop over vectors.
struct Nest {
  SmallVector<scf::ForOp> loops;

  explicit Nest(scf::ForOp outermost) {
    for (scf::ForOp loop = outermost; loop;) {
      loops.push_back(loop);
      auto inner = llvm::find_if(*loop.getBody(), [](Operation &op) { return isa<scf::ForOp>(op); });
      loop = inner == loop.getBody()->end() ? scf::ForOp() : cast<scf::ForOp>(*inner);
    }
  }
  scf::ForOp innermost() const { return loops.back(); }
  /// Whether the loops of both have the same iterations.
  bool matches(const Nest &other) const {
    return loops.size() == other.loops.size() && llvm::all_of(llvm::zip_equal(loops, other.loops), [](auto pair) {
             scf::ForOp x = std::get<0>(pair), y = std::get<1>(pair);
             return isEqualConstantIntOrValue(x.getLowerBound(), y.getLowerBound()) &&
                    isEqualConstantIntOrValue(x.getUpperBound(), y.getUpperBound()) &&
                    isEqualConstantIntOrValue(x.getStep(), y.getStep());
           });
  }
};

/// A load or store of a vector of rows that an argument of the kernel holds.
struct Access {
  Operation *op;
  TypedValue<MemRefType> buffer;
  ValueRange indices;
  memref::SubViewOp rows; ///< what `buffer` is, of an argument
  unsigned nest;          ///< number of the nest
  bool isStore;
};

class Prefetcher {
public:
  Prefetcher(scf::ForallOp forall, int64_t lineBytes, int64_t minBytes)
      : forall(forall), lineBytes(lineBytes), minBytes(minBytes), b(forall.getContext()) {}
  void run();

private:
  std::optional<Access> accessOf(Operation *op, unsigned nest);
  void collect();
  std::optional<unsigned> idleNest();
  Value rowsFor(const Access &access, scf::ForOp before);
  void prefetch(const Access &access, unsigned host);

  scf::ForallOp forall;
  const int64_t lineBytes, minBytes;
  OpBuilder b;
  SmallVector<Nest> nests;
  SmallVector<Access> accesses; ///< in program order
};
} // namespace

/// The access that `op` is, if it is contiguous and its rows are a view of an argument that is too large for a cache.
std::optional<Access> Prefetcher::accessOf(Operation *op, unsigned nest) {
  Value buffer;
  ValueRange indices;
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    buffer = load.getBase();
    indices = load.getIndices();
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    buffer = store.getBase();
    indices = store.getIndices();
  } else {
    return std::nullopt;
  }
  auto rows = buffer.getDefiningOp<memref::SubViewOp>();
  auto argument = rows ? dyn_cast<BlockArgument>(rows.getSource()) : BlockArgument();
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()) || rows->getBlock() != forall.getBody() ||
      rows.getDroppedDims().any() || indices.back() != nests[nest].innermost().getInductionVar())
    return std::nullopt;
  auto type = cast<MemRefType>(argument.getType());
  if (!type.getElementType().isIntOrFloat() ||
      (type.hasStaticShape() && type.getNumElements() * type.getElementTypeBitWidth() / 8 < minBytes))
    return std::nullopt;
  return Access{op, cast<TypedValue<MemRefType>>(buffer), indices, rows, nest, isa<vector::StoreOp>(op)};
}

void Prefetcher::collect() {
  for (scf::ForOp loop : forall.getBody()->getOps<scf::ForOp>())
    nests.emplace_back(loop);
  for (auto [number, nest] : llvm::enumerate(nests))
    for (Operation &op : *nest.innermost().getBody())
      if (std::optional<Access> access = accessOf(&op, number))
        accesses.push_back(*access);
}

/// The first nest, behind one that loads, that neither stores to memory nor is the first one to load from some part of
/// it.
std::optional<unsigned> Prefetcher::idleNest() {
  llvm::SmallPtrSet<Value, 4> loaded;
  for (unsigned number = 0; number < nests.size(); ++number) {
    bool isIdle = !loaded.empty();
    for (const Access &access : accesses)
      if (access.nest == number)
        isIdle &= !access.isStore && !loaded.insert(access.buffer).second;
    if (isIdle && number + 1 < nests.size())
      return number;
  }
  return std::nullopt;
}

/// The rows of `access` in this iteration of the forall if it stores, else those in the next one; at the end of the
/// argument, the last ones. Null if the next iteration reads the same rows.
Value Prefetcher::rowsFor(const Access &access, scf::ForOp before) {
  b.setInsertionPoint(before);
  auto rows = cast<memref::SubViewOp>(b.clone(*access.rows));
  if (access.isStore)
    return rows;
  const Value innermost = forall.getInductionVars().back();
  SmallVector<OpFoldResult> offsets = rows.getMixedOffsets(), sizes = rows.getMixedSizes();
  const bool moves = llvm::is_contained(offsets, OpFoldResult(innermost));
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    if (dyn_cast<Value>(offset) != innermost)
      continue;
    AffineExpr iv, step, all, size;
    bindDims(b.getContext(), iv, step, all, size);
    auto map = AffineMap::get(4, 0, {iv + step, all - size}, b.getContext());
    OpFoldResult whole = memref::getMixedSize(b, rows.getLoc(), rows.getSource(), dim);
    offset = affine::makeComposedFoldedAffineMin(b, rows.getLoc(), map,
                                                 {offset, forall.getMixedStep().back(), whole, sizes[dim]});
  }
  if (!moves) {
    rows.erase();
    return {};
  }
  Value next = memref::SubViewOp::create(b, rows.getLoc(), access.buffer.getType(), rows.getSource(), offsets, sizes,
                                         rows.getMixedStrides());
  rows.erase();
  return next;
}

/// Prefetches what `access` will access, in the loops of nest `host`.
void Prefetcher::prefetch(const Access &access, unsigned host) {
  const Nest &from = nests[access.nest], &to = nests[host];
  if (!from.matches(to))
    return;
  // Indices must follow from the loops and from what is outside of them.
  IRMapping mapping;
  for (auto pair : llvm::zip_equal(from.loops, to.loops)) {
    scf::ForOp loop = std::get<0>(pair), other = std::get<1>(pair);
    mapping.map(loop.getInductionVar(), other.getInductionVar());
  }
  SmallVector<Value> indices;
  for (Value index : access.indices) {
    if (Value mapped = mapping.lookupOrNull(index)) {
      indices.push_back(mapped);
    } else if (std::optional<int64_t> known = getConstantIntValue(index)) {
      b.setInsertionPoint(forall.getBody(), forall.getBody()->begin());
      indices.push_back(arith::ConstantIndexOp::create(b, access.op->getLoc(), *known));
    } else {
      return;
    }
  }
  const Value rows = rowsFor(access, to.loops.front());
  if (!rows)
    return;
  const Location loc = access.op->getLoc();
  const int64_t bytes = access.buffer.getType().getElementTypeBitWidth() / 8;
  std::optional<int64_t> step = getConstantIntValue(to.innermost().getStep());
  b.setInsertionPointToStart(to.innermost().getBody());
  const Value first = indices.back();
  for (int64_t at = 0; at < *step; at += std::max<int64_t>(1, lineBytes / bytes)) {
    if (at != 0) {
      Value offset = arith::ConstantIndexOp::create(b, loc, at);
      indices.back() = arith::AddIOp::create(b, loc, first, offset);
    }
    memref::PrefetchOp::create(b, loc, rows, indices, /*isWrite=*/access.isStore, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}

void Prefetcher::run() {
  if (forall.getInductionVars().empty())
    return;
  collect();
  std::optional<unsigned> host = idleNest();
  if (!host || !getConstantIntValue(nests[*host].innermost().getStep()))
    return;
  LDBG() << "nest " << *host << " of " << nests.size() << " leaves memory idle: " << forall.getLoc();
  llvm::SmallPtrSet<Value, 4> done;
  for (const Access &access : accesses)
    if ((access.isStore ? access.nest > *host : access.nest < *host) && done.insert(access.buffer).second)
      prefetch(access, *host);
}

namespace {
struct PrefetchRowsPass : mica::impl::PrefetchRowsPassBase<PrefetchRowsPass> {
  using PrefetchRowsPassBase::PrefetchRowsPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForallOp> found;
    getOperation()->walk([&](scf::ForallOp op) {
      if (op->hasAttr(mica::codegen::kDistributeAttr))
        found.push_back(op);
    });
    for (scf::ForallOp op : found)
      Prefetcher(op, lineBytes, minBytes).run();
  }
};
} // namespace
