//===- MicaSchedDialect.cpp - the dialect `mica_sched` ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration of the dialect's operations.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/MicaSched/IR/MicaSchedOps.cpp.inc"

void mica::sched::MicaSchedDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/MicaSched/IR/MicaSchedOps.cpp.inc"
      >();
}
