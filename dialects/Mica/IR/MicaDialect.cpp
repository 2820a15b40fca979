//===- MicaDialect.cpp - the dialect `mica` ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration of the dialect's operations.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"

#include "dialects/Mica/IR/MicaDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/Mica/IR/MicaOps.cpp.inc"

void mica::MicaDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Mica/IR/MicaOps.cpp.inc"
      >();
}
