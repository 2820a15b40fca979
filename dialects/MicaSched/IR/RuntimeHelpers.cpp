//===- RuntimeHelpers.cpp - the functions that programs may call by name ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The names of mica/ABI/Helpers.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/ABI/Helpers.h"

#define MICA_NAME(NAME) #NAME,

static constexpr llvm::StringLiteral kFunctions[] = {MICA_HELPER_FUNCTIONS(MICA_NAME)};
static constexpr llvm::StringLiteral kElements[] = {MICA_HELPER_ELEMENTS(MICA_NAME)};
static constexpr llvm::StringLiteral kRanked[] = {MICA_HELPER_RANKED(MICA_NAME)};

bool mica::sched::isRuntimeHelper(llvm::StringRef name) {
  name.consume_front("_mlir_ciface_");
  if (name == "memrefCopy" || name == MICA_HELPER_STACK_LIMIT || llvm::is_contained(kFunctions, name))
    return true;
  if (name.starts_with("mlirAsyncRuntime") || name == "mlirAsyncRuntimGetNumWorkerThreads")
    return true;
  if (name.consume_front("printMemref") && llvm::is_contained(kRanked, name))
    return true;
  name.consume_front("Shape") || name.consume_front("verifyMemRef");
  return llvm::is_contained(kElements, name);
}
