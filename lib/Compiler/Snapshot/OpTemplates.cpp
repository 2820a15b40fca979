//===- OpTemplates.cpp - text templates of ops --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpTemplates.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/OpTemplates.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

template <typename Range> static bool areDistinct(Range &&range) {
  for (auto it = range.begin(); it != range.end(); ++it)
    if (std::find(range.begin(), it, *it) != it)
      return false;
  return true;
}

bool OpTemplates::canLearn(Operation *op) {
  // Dialects whose printers depend on nothing but the op itself.
  static constexpr llvm::StringLiteral kDialects[] = {"affine", "arith",  "cf",  "func",   "index", "llvm",
                                                      "math",   "memref", "scf", "tensor", "ub",    "vector"};
  constexpr unsigned kMost = 16; // maximum number of operands
  return op->getNumRegions() == 0 && op->isRegistered() && op->getNumOperands() <= kMost &&
         op->getNumSuccessors() <= kMost && llvm::is_contained(kDialects, op->getName().getDialectNamespace()) &&
         areDistinct(op->getOperands()) && areDistinct(op->getSuccessors());
}
