//===- DroppedDims.h - the dimensions that a subview leaves out ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// memref::SubViewOp::getDroppedDims compares the strides of the result with those of the source, so it has no answer,
// and reads invalid memory, where the subview has strides itself.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_DROPPEDDIMS_H
#define MICA_DIALECTS_DROPPEDDIMS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mica {

/// The dimensions of the source that the result of `op` does not have: the first of size 1 such that sizes and strides
/// of the others are those of the type.
inline llvm::SmallBitVector droppedDims(mlir::memref::SubViewOp op) {
  auto whole = mlir::memref::SubViewOp::inferResultType(op.getSourceType(), op.getMixedOffsets(), op.getMixedSizes(),
                                                        op.getMixedStrides());
  const auto [wholeStrides, wholeOffset] = whole.getStridesAndOffset();
  const auto [strides, offset] = op.getType().getStridesAndOffset();
  llvm::SmallBitVector dropped(whole.getRank());
  // `left`: how many dimensions from `dim` on are left out.
  auto fits = [&, &strides = strides, &wholeStrides = wholeStrides](auto &self, int64_t dim, int64_t left) -> bool {
    if (dim == whole.getRank())
      return left == 0;
    if (left > 0 && op.getStaticSizes()[dim] == 1) {
      dropped.set(dim);
      if (self(self, dim + 1, left - 1))
        return true;
      dropped.reset(dim);
    }
    const int64_t place = dim - static_cast<int64_t>(dropped.count());
    return whole.getRank() - dim > left && whole.getDimSize(dim) == op.getType().getDimSize(place) &&
           wholeStrides[dim] == strides[place] && self(self, dim + 1, left);
  };
  (void)fits(fits, 0, whole.getRank() - op.getType().getRank());
  return dropped;
}

/// The dimensions of a view for each that it keeps.
inline llvm::SmallVector<mlir::ReassociationIndices> groupsOfKept(const llvm::SmallBitVector &dropped) {
  llvm::SmallVector<mlir::ReassociationIndices> groups(1);
  bool isKept = false;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    if (!dropped[dim] && isKept)
      groups.emplace_back();
    isKept |= !dropped[dim];
    groups.back().push_back(dim);
  }
  return groups;
}

} // namespace mica

#endif // MICA_DIALECTS_DROPPEDDIMS_H
