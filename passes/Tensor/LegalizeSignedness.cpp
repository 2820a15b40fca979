//===- LegalizeSignedness.cpp - carrying unsigned integers in signless ones --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Ops that compute take signless integers only (arith, math, index), so programs can only move unsigned ones, and print
// them. Programs with other ops on them stay, and run in host functions.
//
// Memory spaces that are numbers mean nothing on a host, and LLVM's code for other address spaces does not link with
// that of libraries; the layout of an allocation that nobody sees is the compiler's choice.
//
//===--------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/SignlessTypes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"

namespace mica {
#define GEN_PASS_DEF_LEGALIZESIGNEDNESS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The widest integers that vector.print prints.
static constexpr unsigned kPrintedBits = 64;

/// Whether `op` does with signed or unsigned elements what it would not do with signless ones.
static bool dependsOnSignedness(Operation *op) {
  if (auto print = dyn_cast<vector::PrintOp>(op))
    return print.getSource() && mica::isUnsigned(print.getSource().getType()) &&
           getElementTypeOrSelf(print.getSource().getType()).getIntOrFloatBitWidth() >= kPrintedBits;
  return isa_and_present<tosa::TosaDialect, sparse_tensor::SparseTensorDialect>(op->getDialect()) &&
         (llvm::any_of(op->getOperandTypes(), mica::hasSignedness) ||
          llvm::any_of(op->getResultTypes(), mica::hasSignedness));
}

static bool hasNumberedSpace(Type type) {
  auto buffer = dyn_cast<BaseMemRefType>(type);
  return buffer && isa_and_present<IntegerAttr>(buffer.getMemorySpace());
}

/// Gives every buffer of `program` whose memory space is a number the default one.
static bool dropMemorySpaces(ModuleOp program) {
  SmallVector<memref::MemorySpaceCastOp> casts;
  auto found = program.walk([&](Operation *op) {
    if (isa<memref::MemorySpaceCastOp>(op) || llvm::any_of(op->getResultTypes(), hasNumberedSpace))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArgumentTypes(), hasNumberedSpace))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return false;
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!hasNumberedSpace(type))
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
    if (!hasNumberedSpace(type))
      return std::nullopt;
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(program, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  program.walk([&](memref::MemorySpaceCastOp cast) {
    if (cast.getSource().getType() == cast.getType())
      casts.push_back(cast);
  });
  for (memref::MemorySpaceCastOp cast : casts) {
    cast.replaceAllUsesWith(cast.getSource());
    cast.erase();
  }
  return true;
}

/// Whether `op` has the same meaning whatever the layout of its buffers is, and no result of such a type.
static bool ignoresLayout(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp, memref::GenericAtomicRMWOp, memref::PrefetchOp,
             memref::CopyOp, memref::DeallocOp, memref::DimOp, affine::AffineLoadOp, affine::AffineStoreOp,
             vector::TransferReadOp, vector::TransferWriteOp, linalg::LinalgOp>(op);
}

/// Gives each allocation with a layout that only such ops see the plain one.
static bool dropLayouts(ModuleOp program) {
  bool changed = false;
  program.walk([&](Operation *op) {
    if (!isa<memref::AllocOp, memref::AllocaOp>(op))
      return;
    Value buffer = op->getResult(0);
    auto type = cast<MemRefType>(buffer.getType());
    if (type.getLayout().isIdentity() || !llvm::all_of(buffer.getUsers(), ignoresLayout))
      return;
    buffer.setType(
        MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(), type.getMemorySpace()));
    if (auto heap = dyn_cast<memref::AllocOp>(op))
      heap.getSymbolOperandsMutable().clear();
    else
      cast<memref::AllocaOp>(op).getSymbolOperandsMutable().clear();
    changed = true;
  });
  return changed;
}

namespace {
struct LegalizeSignedness : mica::impl::LegalizeSignednessBase<LegalizeSignedness> {
  void runOnOperation() override {
    const bool hadSpaces = dropMemorySpaces(getOperation()), hadLayouts = dropLayouts(getOperation());
    bool hasSigns = false, isFixed = false;
    SmallVector<vector::PrintOp> prints;
    getOperation()->walk([&](Operation *op) {
      hasSigns |= llvm::any_of(op->getResultTypes(), mica::hasSignedness);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          hasSigns |= llvm::any_of(block.getArgumentTypes(), mica::hasSignedness);
      isFixed |= dependsOnSignedness(op);
      if (auto print = dyn_cast<vector::PrintOp>(op);
          print && print.getSource() && mica::isUnsigned(print.getPrintType()))
        prints.push_back(print);
    });
    if (!hasSigns || isFixed) {
      if (!hadSpaces && !hadLayouts)
        markAllAnalysesPreserved();
      return;
    }
    mica::makeSignless(getOperation());
    // As unsigned numbers, in a type where they are not negative.
    for (vector::PrintOp print : prints) {
      OpBuilder builder(print);
      Type type = print.getPrintType(), wide = builder.getIntegerType(kPrintedBits);
      if (auto vector = dyn_cast<VectorType>(type))
        wide = vector.clone(wide);
      print.getSourceMutable().assign(arith::ExtUIOp::create(builder, print.getLoc(), wide, print.getSource()));
    }
  }
};
} // namespace
