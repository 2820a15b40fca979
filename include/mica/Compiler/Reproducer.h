//===- Reproducer.h - a folder that shows one pass --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A folder that runs one pass, or several, on what they were given: input.mlir and run.sh.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_REPRODUCER_H
#define MICA_COMPILER_REPRODUCER_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// What is to be shown.
struct ReproducerSource {
  std::string record;    ///< folder of the record
  int position = 0;      ///< the program after this pass is the input,
  std::string arguments; ///< and mica-opt shows it with these, each after a blank
  std::string path;      ///< the op that matters (RecordPaths.h), "" for all: alone where it is a program by itself,
  std::string pathArguments; ///< and then with these
};

/// What was written.
struct ReproducerFiles {
  std::vector<std::string> files; ///< names in the folder
  std::string arguments;          ///< those that go with input.mlir
  std::string error;              ///< what went wrong, "" if nothing
};

/// Writes `folder` (from the record's): input.mlir in generic form with locations, constants.bin and constants.json with the
/// weights it names, and run.sh, which gives it to mica-opt.
ReproducerFiles writeReproducer(const ReproducerSource &source, llvm::StringRef folder, mlir::MLIRContext *context);

} // namespace mica::compiler

#endif // MICA_COMPILER_REPRODUCER_H
