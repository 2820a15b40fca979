//===- TestGen.h - generating a lit test from IR and a pipeline --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Makes the text of a lit test from IR and a pipeline that changes it: the IR, reduced while the pipeline still makes
// the same kind of change, a RUN line, and CHECK lines for the change. The test was run before it is returned: it
// passes with the pipeline and fails without.
//
// Each attempt runs in a child process, so that a pass that crashes or loops on reduced IR costs only the attempt.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_TESTGEN_H
#define MICA_IRTOOLS_TESTGEN_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace mica::irtools {

struct TestGenOptions {
  bool reduce = true;
  double budgetSeconds = 60;         ///< for the reduction; the smallest form found by then is used
  double passSeconds = 20;           ///< for one run of the pipeline; a longer one counts as an infinite loop
  std::string focus;                 ///< keep only the changes that name this op; "" all
  std::string rename;                ///< new name of the function if there is only one; "" keeps its name
  std::string fileCheck;             ///< path of FileCheck, "" if not found
  std::vector<std::string> runFlags; ///< added to the RUN line, before the pipeline: "--load-pass-plugin=%p"
};

/// What the pipeline does to the IR, and so what the test checks.
enum class TestForm {
  Changes,   ///< CHECK lines
  Locations, ///< CHECK lines with locations: only locations change
  Errors,    ///< expected-error: the pipeline rejects it
  Crash,     ///< RUN: not --crash, which fails once the pass is fixed
};

struct GeneratedTest {
  std::string text;
  TestForm form = TestForm::Changes;
  int64_t opsBefore = 0, opsAfter = 0; ///< ops of the input as given and as in the test
  int64_t attempts = 0;                ///< runs of the pipeline
  std::vector<std::string> kinds;      ///< the changes that were kept: "added linalg.generic"
  std::vector<std::string> notes;      ///< for the user: what was not verified and why, budget spent
};

/// Makes a test of `pipelines[0]`, run on `module`. The others are the same passes with fewer anchors
/// ("builtin.module(cse)" for "builtin.module(builtin.module(cse))"): the first that changes something is used.
/// Threading of the context must be off, and the passes registered. Fails if the pipeline does not parse or changes
/// nothing, or if no test was found that passes with it and fails without.
Result<GeneratedTest> generateTest(mlir::OwningOpRef<mlir::ModuleOp> module, const std::vector<std::string> &pipelines,
                                   const TestGenOptions &options);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_TESTGEN_H
