//===- CHLODialect.cpp - the dialect chlo -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration of the dialect.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/CHLODialect.h"
#include "dialects/StableHLO/IR/Assembly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::chlo;

using mica::stablehlo::parseDims;
using mica::stablehlo::printDims;

#include "dialects/StableHLO/IR/CHLODialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/IR/CHLOAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/CHLOOps.cpp.inc"

void CHLODialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/StableHLO/IR/CHLOAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/IR/CHLOOps.cpp.inc"
      >();
}

OpFoldResult chlo::ConstantOp::fold(FoldAdaptor) { return getValue(); }
