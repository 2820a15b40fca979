//===- CopyGroup.cpp - copying a tensor by a separate kernel -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CopyGroup.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/CopyGroup.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;

int64_t mica::nextGroup(func::FuncOp function) {
  int64_t group = 0;
  function.walk([&](Operation *op) {
    if (auto marked = op->getAttrOfType<IntegerAttr>(sched::kGroupAttr))
      group = std::max(group, marked.getInt() + 1);
  });
  return group;
}

Value mica::makeCopyGroup(OpBuilder &builder, Location loc, Value tensor, int64_t group) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, tensor);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(builder, loc, type, tensor, empty, maps, iterators,
                                        [](OpBuilder &inner, Location innerLoc, ValueRange args) {
                                          linalg::YieldOp::create(inner, innerLoc, args.front());
                                        });
  copy->setAttr(sched::kGroupAttr, builder.getI64IntegerAttr(group));
  return copy.getResult(0);
}
