//===- ConvertCopies.cpp - converting memref.copy to linalg.generic ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Bufferization creates memref.copy. Between noncontiguous buffers it would be lowered to a call into MLIR's C runner
// library, with which Mica's programs are not linked:
//
//   memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
//   ->
//   linalg.generic ... ins(%a) outs(%b) { linalg.yield %in }
//
// A generic also takes part in vectorization and in the fusion of adjacent loops. Copies of a buffer to itself are
// erased.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTCOPIESPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// Whether the two views have the same elements: the same value, or equal subviews of the same value.
bool isSameView(Value a, Value b) {
  if (a == b)
    return true;
  auto subA = a.getDefiningOp<memref::SubViewOp>(), subB = b.getDefiningOp<memref::SubViewOp>();
  return subA && subB && isSameView(subA.getSource(), subB.getSource()) &&
         subA.getMixedOffsets() == subB.getMixedOffsets() && subA.getMixedSizes() == subB.getMixedSizes() &&
         subA.getMixedStrides() == subB.getMixedStrides();
}

struct ConvertCopiesPass : mica::impl::ConvertCopiesPassBase<ConvertCopiesPass> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp op) { copies.push_back(op); });
    for (memref::CopyOp op : copies) {
      OpBuilder builder(op);
      if (!isSameView(op.getSource(), op.getTarget())) {
        auto type = dyn_cast<MemRefType>(op.getTarget().getType());
        if (!type)
          continue;
        AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
        SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
        linalg::GenericOp::create(
            builder, op.getLoc(), /*inputs=*/op.getSource(), /*outputs=*/op.getTarget(),
            ArrayRef<AffineMap>{identity, identity}, iterators,
            [](OpBuilder &b, Location loc, ValueRange args) { linalg::YieldOp::create(b, loc, args.front()); });
      }
      op.erase();
    }
  }
};

} // namespace
