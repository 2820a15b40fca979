//===- MicaCheckDialect.cpp - the dialect `mica_check` ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration of the dialect's operations. Verifiers and folders lie in CheckOps.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.cpp.inc"
#include "dialects/MicaCheck/IR/MicaCheckEnums.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/MicaCheck/IR/MicaCheckOps.cpp.inc"

void mica::check::MicaCheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/MicaCheck/IR/MicaCheckOps.cpp.inc"
      >();
}

mlir::Operation *mica::check::MicaCheckDialect::materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value,
                                                                    mlir::Type type, mlir::Location loc) {
  return mlir::arith::ConstantOp::materialize(builder, value, type, loc);
}
