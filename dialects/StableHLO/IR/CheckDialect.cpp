//===- CheckDialect.cpp - the dialect check ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration and verifiers of the checks of test programs.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/StableHLODialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlocheck;

/// `tensor<2xf32>`, or `tensor<2xf32>, tensor<2xf32>`.
static ParseResult parsePairTypes(OpAsmParser &parser, Type &actual, Type &expected) {
  if (parser.parseType(actual))
    return failure();
  expected = actual;
  return succeeded(parser.parseOptionalComma()) ? parser.parseType(expected) : success();
}

static void printPairTypes(OpAsmPrinter &printer, Operation *, Type actual, Type expected) {
  printer << actual << ", " << expected;
}

#include "dialects/StableHLO/IR/CheckDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/CheckOps.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/IR/CheckOps.cpp.inc"
      >();
}

static LogicalResult verifyPair(Operation *op, Type actual, Type expected) {
  if (getElementTypeOrSelf(actual) == getElementTypeOrSelf(expected) &&
      succeeded(verifyCompatibleShape(actual, expected)))
    return success();
  return op->emitOpError("compares ") << actual << " with " << expected;
}

LogicalResult ExpectEqOp::verify() { return verifyPair(*this, getActual().getType(), getExpected().getType()); }
LogicalResult ExpectAlmostEqOp::verify() { return verifyPair(*this, getActual().getType(), getExpected().getType()); }
LogicalResult ExpectCloseOp::verify() { return verifyPair(*this, getActual().getType(), getExpected().getType()); }
