//===- DynamicLists.cpp - checks of values for dynamic entries that MLIR does not make --------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DynamicLists.h. Of the ops with such lists these four are not checked upstream; the others (slices, views,
// expand_shape, forall, vector.extract, affine's indices) refuse a wrong number themselves.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Input/DynamicLists.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;

/// `entries` is null where the attribute is missing, which the verifier reports.
static LogicalResult checkList(Operation *op, StringRef list, DenseI64ArrayAttr entries, size_t values) {
  const size_t dynamic = entries ? llvm::count_if(entries.asArrayRef(), ShapedType::isDynamic) : values;
  if (values == dynamic)
    return success();
  // emitOpError would print the op, and the printer reads the missing operands.
  return emitError(op->getLoc()) << "'" << op->getName() << "' op has " << values << " operands for the " << dynamic
                                 << " dynamic entries of '" << list << "'; expected one for each";
}

LogicalResult compiler::verifyDynamicLists(Operation *program) {
  auto check = [](Operation *op) -> LogicalResult {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([](tensor::PadOp pad) -> LogicalResult {
          if (failed(checkList(pad, "static_low", pad.getStaticLowAttr(), pad.getLow().size())))
            return failure();
          return checkList(pad, "static_high", pad.getStaticHighAttr(), pad.getHigh().size());
        })
        .Case<linalg::PackOp, linalg::UnPackOp>([](auto pack) {
          return checkList(pack, "static_inner_tiles", pack.getStaticInnerTilesAttr(), pack.getInnerTiles().size());
        })
        .Case([](vector::InsertOp insert) {
          return checkList(insert, "static_position", insert.getStaticPositionAttr(),
                           insert.getDynamicPosition().size());
        })
        .Default(success());
  };
  return failure(program->walk([&](Operation *op) { return WalkResult(check(op)); }).wasInterrupted());
}

bool compiler::mayHaveUncheckedLists(StringRef text) {
  return llvm::any_of(
      ArrayRef<StringRef>{"\"tensor.pad\"", "\"linalg.pack\"", "\"linalg.unpack\"", "\"vector.insert\""},
      [&](StringRef name) { return text.contains(name); });
}
