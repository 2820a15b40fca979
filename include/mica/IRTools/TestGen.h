//===- TestGen.h - a lit test from IR and a pipeline -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Given IR and a pipeline that does something to it, makes the text of a lit test: the IR cut down for as long as the
// pipeline still does the same kind of thing, a RUN line, and CHECK lines for what it did. Before the text is handed
// out it was run: it passes with the pipeline and fails without.
//
// Each attempt runs in a child process, so a pass that aborts or loops on cut-down IR costs an attempt and no more.
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
  double budgetSeconds = 60;         ///< for cutting down; what was reached by then is taken
  double passSeconds = 20;           ///< for one run of the pipeline, then it counts as one that does not end
  std::string focus;                 ///< keep only the changes that name this op; "" all
  std::string rename;                ///< new name of the one function that is left; "" keeps its name
  std::string fileCheck;             ///< path of FileCheck, "" where there is none
  std::vector<std::string> runFlags; ///< put into the RUN line, before the pipeline: "--load-pass-plugin=%p"
};

/// What the pipeline does to the IR, and so what the test asks for.
enum class TestForm {
  Changes,   ///< CHECK lines
  Locations, ///< CHECK lines with locations: nothing else changes
  Errors,    ///< expected-error: the pipeline refuses it
  Crash,     ///< RUN: not --crash, which fails once the pass is mended
};

struct GeneratedTest {
  std::string text;
  TestForm form = TestForm::Changes;
  int64_t opsBefore = 0, opsAfter = 0; ///< ops of the input as given and as it is in the test
  int64_t attempts = 0;                ///< runs of the pipeline
  std::vector<std::string> kinds;      ///< the changes that were kept: "added linalg.generic"
  std::vector<std::string> notes;      ///< what the user should know: not verified and why, budget spent
};

/// Makes a test of `pipelines[0]`, run on `module`. The others are the same passes with less nesting
/// ("builtin.module(cse)" for "builtin.module(builtin.module(cse))"): the one is taken that does something. Threading
/// of the context must be off, and the passes registered. Fails where the pipeline does not parse, changes nothing, or
/// no test of it could be found that passes with it and fails without.
Result<GeneratedTest> generateTest(mlir::OwningOpRef<mlir::ModuleOp> module, const std::vector<std::string> &pipelines,
                                   const TestGenOptions &options);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_TESTGEN_H
