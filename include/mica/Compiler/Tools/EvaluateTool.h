//===- EvaluateTool.h - mica-compile --evaluate -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates a program as parsed with the reference evaluator, on .npy files.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_TOOLS_EVALUATETOOL_H
#define MICA_COMPILER_TOOLS_EVALUATETOOL_H

#include "mica/Support/Status.h"

#include <string>
#include <vector>

namespace mica::compiler {

struct EvaluateOptions {
  std::string input;                ///< the program
  std::string entry;                ///< "" for the only one
  std::vector<std::string> inputs;  ///< as --input takes them: "@x.npy", "4xf32=0.5"; left out: as mica-run makes them
  std::vector<std::string> outputs; ///< "@y.npy", one per result; empty: results are printed
  std::vector<std::string> argumentOutputs; ///< "2@y.npy": what argument 2, a buffer, holds at the end
  std::string printed;             ///< the file for what the program prints, and FILE.bounds; "": the standard output
  bool bounds = false;             ///< beside each file of a result, FILE.bound.npy: how far a right result may be off
  bool checkUndefined = false;     ///< look for undefined behavior instead of writing results
  bool narrowAccumulators = false; ///< those bounds are of code that accumulates narrow floats in their own type
  std::string opsFolder;           ///< with --evaluate=ops: one .npy per result of each op, and ops.json; "" for none
};

/// Problems of the program are printed with their positions; the error says in one line what they come to.
Status evaluate(const EvaluateOptions &options);

} // namespace mica::compiler

#endif // MICA_COMPILER_TOOLS_EVALUATETOOL_H
