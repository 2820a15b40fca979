//===- StreamStores.cpp - storing large results past the caches ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A plain store first reads the line that it changes. If the arguments of a kernel do not fit into a cache, and the
// kernel does not read its result, this is a fourth of all traffic of a sum:
//
//   scf.for %j = %c0 to %c4096 step %c32 {
//     vector.store %v, %o[%i, %j] : ..., vector<32xf32>
//   }
//   ->
//   scf.for %j = %c0 to %c4096 step %c32 {
//     vector.store %v, %o[%i, %j] {alignment = 64, nontemporal = true} : ..., vector<32xf32>
//   }
//   sfence                                                                                         at the kernel's end
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/Support/Checked.h"
#include "passes/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#include <numeric>

#define DEBUG_TYPE "mica-cpu-stream-stores"

namespace mica {
#define GEN_PASS_DEF_STREAMSTORESPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

//===------------------------------------------------------------------------------------------------------------===//
// Alignment
//===------------------------------------------------------------------------------------------------------------===//

static int64_t divisorOf(OpFoldResult number);

/// A number that divides `value`; 0: the value is 0.
static int64_t divisorOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner); loop && argument == loop.getInductionVar())
      return std::gcd(divisorOf(OpFoldResult(loop.getLowerBound())), divisorOf(OpFoldResult(loop.getStep())));
    auto forall = dyn_cast<scf::ForallOp>(owner);
    if (!forall || argument.getArgNumber() >= forall.getRank())
      return 1;
    return std::gcd(divisorOf(forall.getMixedLowerBound()[argument.getArgNumber()]),
                    divisorOf(forall.getMixedStep()[argument.getArgNumber()]));
  }
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    // Each operand as a multiple of its divisor.
    const AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> dims, symbols;
    for (auto [i, operand] : llvm::enumerate(apply.getMapOperands())) {
      const bool isDim = i < map.getNumDims();
      AffineExpr place =
          isDim ? getAffineDimExpr(i, map.getContext()) : getAffineSymbolExpr(i - map.getNumDims(), map.getContext());
      (isDim ? dims : symbols).push_back(place * divisorOf(OpFoldResult(operand)));
    }
    return map.getResult(0).replaceDimsAndSymbols(dims, symbols).getLargestKnownDivisor();
  }
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::gcd(divisorOf(OpFoldResult(op->getOperand(0))), divisorOf(OpFoldResult(op->getOperand(1))));
  int64_t product;
  if (isa<arith::MulIOp>(op) && !llvm::MulOverflow(divisorOf(OpFoldResult(op->getOperand(0))),
                                                   divisorOf(OpFoldResult(op->getOperand(1))), product))
    return product;
  return 1;
}

static int64_t divisorOf(OpFoldResult number) {
  if (std::optional<int64_t> known = getConstantIntValue(number))
    return std::abs(*known);
  return divisorOf(cast<Value>(number));
}

/// A number of elements that divides the position of `indices` in the argument that `buffer` is a view of; nothing if
/// it is not known.
static std::optional<int64_t> divisorOfPosition(Value buffer, ArrayRef<OpFoldResult> indices) {
  auto [strides, offset] = std::pair<SmallVector<int64_t>, int64_t>();
  if (failed(cast<MemRefType>(buffer.getType()).getStridesAndOffset(strides, offset)))
    return std::nullopt;
  int64_t divisor = 0;
  for (auto [stride, index] : llvm::zip_equal(strides, indices)) {
    int64_t step;
    const int64_t each = divisorOf(index);
    if (each != 0 && (ShapedType::isDynamic(stride) || llvm::MulOverflow(stride, each, step)))
      return std::nullopt;
    divisor = each == 0 ? divisor : std::gcd(divisor, step);
  }
  if (isa<BlockArgument>(buffer))
    return offset == 0 ? std::optional(divisor) : std::nullopt;
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  if (!view)
    return std::nullopt;
  std::optional<int64_t> outer = divisorOfPosition(view.getSource(), view.getMixedOffsets());
  return outer ? std::optional(std::gcd(divisor, *outer)) : std::nullopt;
}

//===------------------------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------------------------===//

/// Collects the vector stores into `buffer` and views of it, and prefetches for them; false if it is used in any other
/// way than to be written.
static bool collectStores(Value buffer, SmallVectorImpl<vector::StoreOp> &stores,
                          SmallVectorImpl<memref::PrefetchOp> &prefetches) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto store = dyn_cast<vector::StoreOp>(user)) {
      stores.push_back(store);
      return store.getBase() == buffer;
    }
    if (auto view = dyn_cast<memref::SubViewOp>(user))
      return collectStores(view.getResult(), stores, prefetches);
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return store.getMemRef() == buffer;
    if (auto prefetch = dyn_cast<memref::PrefetchOp>(user)) {
      prefetches.push_back(prefetch);
      return prefetch.getIsWrite();
    }
    return isa<memref::DimOp, vector::MaskedStoreOp>(user);
  });
}

/// The size of a buffer of known size without gaps; 0 for other values.
static int64_t bytesOf(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() || !type.getElementType().isIntOrFloat())
    return 0;
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t size : type.getShape())
    bytes = mica::saturatingMul(bytes, size);
  return bytes;
}

namespace {
struct StreamStoresPass : mica::impl::StreamStoresPassBase<StreamStoresPass> {
  using StreamStoresPassBase::StreamStoresPassBase;

  /// Whether `store` fills whole lines, one after the other.
  bool fillsLines(vector::StoreOp store) {
    auto loop = dyn_cast<scf::ForOp>(store->getParentOp());
    VectorType vector = store.getVectorType();
    if (!loop || store.getIndices().empty() || store.getIndices().back() != loop.getInductionVar() ||
        vector.getRank() != 1 || vector.isScalable() || vector.getElementTypeBitWidth() % 8 != 0 ||
        getConstantIntValue(loop.getStep()) != vector.getNumElements())
      return false;
    const int64_t elementBytes = vector.getElementTypeBitWidth() / 8;
    std::optional<int64_t> divisor = divisorOfPosition(store.getBase(), getAsOpFoldResult(store.getIndices()));
    return divisor && *divisor * elementBytes % lineBytes == 0 &&
           vector.getNumElements() * elementBytes % lineBytes == 0;
  }

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (kernel.isExternal())
      return;
    int64_t all = 0;
    for (BlockArgument argument : kernel.getArguments())
      all = mica::saturatingAdd(all, bytesOf(argument));
    if (all <= cacheBytes)
      return;
    bool changed = false;
    for (BlockArgument argument : kernel.getArguments()) {
      auto access = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), mica::sched::kAccessAttr);
      if (!access || access.getValue() != "write" || bytesOf(argument) < minBytes)
        continue;
      SmallVector<vector::StoreOp> stores;
      SmallVector<memref::PrefetchOp> prefetches;
      if (!collectStores(argument, stores, prefetches))
        continue;
      bool streams = false;
      for (vector::StoreOp store : stores) {
        if (!fillsLines(store))
          continue;
        store.setNontemporal(true);
        store.setAlignment(lineBytes);
        streams = true;
      }
      if (!streams)
        continue;
      LDBG() << kernel.getName() << ": streams argument " << argument.getArgNumber();
      changed = true;
      for (memref::PrefetchOp prefetch : prefetches)
        prefetch.erase();
    }
    if (!changed)
      return;
    // Other threads may read what was stored as soon as the kernel returns. A fence of LLVM's memory model does not
    // order such stores.
    OpBuilder b(kernel.getBody().back().getTerminator());
    LLVM::CallIntrinsicOp::create(b, kernel.getLoc(), b.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
  }
};
} // namespace
