//===- EvaluateTool.h - mica-compile --evaluate -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates a program as parsed by the reference evaluator, on .npy files.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_TOOLS_EVALUATETOOL_H
#define MICA_COMPILER_TOOLS_EVALUATETOOL_H

#include "mica/Compiler/Why/Why.h"
#include "mica/Support/Status.h"

#include <string>
#include <vector>

namespace mica::compiler {

struct EvaluateOptions {
  std::string input;                        ///< the program
  std::string entry;                        ///< "" for the only one
  std::vector<std::string> inputs;          ///< as in --input: "@x.npy", "4xf32=0.5"; defaults as in mica-run
  std::vector<std::string> outputs;         ///< "@y.npy", one per result; empty: results are printed
  std::vector<std::string> argumentOutputs; ///< "2@y.npy": the final contents of argument 2, a buffer
  std::string printed;             ///< the file for the program's output, and FILE.bounds; "": the standard output
  bool bounds = false;             ///< also write FILE.bound.npy for each result: the allowed difference per element
  bool checkUndefined = false;     ///< look for undefined behavior instead of writing results
  bool narrowAccumulators = false; ///< bounds for code that accumulates narrow floats in their own type
  WhyOptions why;                  ///< explain an element instead of writing results
  std::string opsFolder;           ///< with --evaluate=ops: one .npy per result of each op, and ops.json; "" for none
};

/// Problems of the program are printed with their positions; the error summarizes them in one line.
Status evaluate(const EvaluateOptions &options);

} // namespace mica::compiler

#endif // MICA_COMPILER_TOOLS_EVALUATETOOL_H
