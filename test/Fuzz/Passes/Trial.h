//===- Trial.h - one program, changed, through passes -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What a seed makes of the programs and passes, and how it ended. A trial runs in a process of its own
// (FuzzPasses.cpp), so it may end that in any way.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_FUZZ_PASSES_TRIAL_H
#define MICA_TEST_FUZZ_PASSES_TRIAL_H

#include "Mutate.h"

#include "mlir/IR/MLIRContext.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::fuzz {

/// A program and the pipelines that are made for it: those of a test's RUN lines, or what follows a snapshot.
struct Program {
  std::string name;
  std::string text;
  std::vector<std::string> pipelines;
};

/// How a trial ended, as the exit code of its process; above these it died.
enum class Outcome : int {
  Done = 0,
  Refused = 1,    ///< by an error
  Silent = 10,    ///< failed and printed no error: a finding
  Unplaced = 11,  ///< an error without a line: a finding
  Misformed = 12, ///< what the passes made does not verify
  NoProgram = 13, ///< what the changes made is no program: not counted
  NoMemory = 14,  ///< more than the limit
};

struct Corpus {
  std::vector<Program> programs;
  std::vector<std::string> passes; ///< each may be run on any program
  AttributePool attributes;
};

/// The trial of `seed`. Prints the changed program to standard output where `prints`, errors to standard error.
Outcome runTrial(const Corpus &corpus, mlir::MLIRContext &context, uint64_t seed, bool prints);

/// One program through one pipeline, without changes.
Outcome runPipeline(mlir::ModuleOp module, const std::string &pipeline);

} // namespace mica::fuzz

#endif // MICA_TEST_FUZZ_PASSES_TRIAL_H
