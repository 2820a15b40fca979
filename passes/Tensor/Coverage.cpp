//===- Coverage.cpp - outputs that an op writes completely ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Coverage.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Coverage.h"

using namespace mlir;

bool mica::writesOnce(linalg::LinalgOp op, OpOperand &init) {
  AffineMap map = op.getMatchingIndexingMap(&init);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  bool isRead = op.payloadUsesValueFromOperand(&init);
  for (unsigned loop = 0; loop < ranges.size(); ++loop)
    if (!map.isFunctionOfDim(loop) && ranges[loop] != 1 && !(isRead && kinds[loop] == utils::IteratorType::reduction))
      return false;
  return true;
}

bool mica::writesWhole(linalg::LinalgOp op, OpOperand &init) {
  AffineMap map = op.getMatchingIndexingMap(&init);
  ArrayRef<int64_t> shape = cast<ShapedType>(init.get().getType()).getShape();
  llvm::SmallBitVector seen(map.getNumDims());
  for (auto [size, expr] : llvm::zip_equal(shape, map.getResults())) {
    if (size == 1 && isa<AffineConstantExpr>(expr))
      continue;
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || seen.test(loop.getPosition()))
      return false;
    seen.set(loop.getPosition());
  }
  return writesOnce(op, init);
}
