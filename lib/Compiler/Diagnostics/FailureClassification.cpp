//===- FailureClassification.cpp - whether a failed pass rejected the program -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See FailureClassification.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Diagnostics/FailureClassification.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mica;

bool compiler::refusesPrograms(llvm::StringRef pass) {
  return pass == "mica-tensor-raise-memref-to-tensor" || pass == "mica-tensor-lift-cf-to-scf" ||
         pass == "tosa-to-linalg-named" || pass == "tosa-to-linalg" || pass == "mica-tensor-verify-tosa-lowered" ||
         pass == "mica-schedule-form-task-lists" ||
         // Its ops verify sizes that tosa ops do not verify, so the error names the user's own op.
         pass == "convert-tosa-to-mica";
}

static bool isPlan(NamedAttribute attribute) {
  llvm::StringRef name = attribute.getName();
  return name.starts_with("mica_sched.") || name.starts_with("mica_codegen.");
}

bool compiler::holdsPlans(ModuleOp program) {
  return program
      .walk([](Operation *op) {
        return op->getName().getDialectNamespace() == "mica_sched" || llvm::any_of(op->getDiscardableAttrs(), isPlan)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}
