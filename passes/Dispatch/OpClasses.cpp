//===- OpClasses.cpp - op classes for the formation of kernels --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpClasses.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/OpClasses.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

bool mica::isTensorView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, tensor::ReshapeOp, tensor::BitcastOp>(op);
}

bool mica::isCheapToRecompute(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return cast.getSource().getDefiningOp<tensor::EmptyOp>();
  Attribute value;
  if (!matchPattern(op, m_Constant(&value)))
    return false;
  // Vectors are not weights: they are not stored in memory.
  return !isa<ElementsAttr>(value) || isa<SplatElementsAttr>(value) || isa<VectorType>(op->getResult(0).getType());
}
