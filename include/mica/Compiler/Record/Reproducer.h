//===- Reproducer.h - reproducers of pass failures ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A folder that runs passes on a program, and compares the result if the program can run by itself:
//
//     input.mlir                      what the passes are given, in generic form
//     constants.bin, constants.json   its weights
//     run.sh                          the one command; it says what it shows, and what is sensitive about the folder
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_RECORD_REPRODUCER_H
#define MICA_COMPILER_RECORD_REPRODUCER_H

#include "mica/Compiler/Record/RecordedState.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// Passes and their input.
struct Reproducer {
  mlir::OwningOpRef<mlir::ModuleOp> program;
  std::string arguments;   ///< of mica-opt, each after a blank
  std::string title;       ///< "mica-opt 0.1.0: pass cse (7)"
  std::string op;          ///< the op that the pass runs on, for messages; "" for the program
  bool isStripped = false; ///< StripProgram.h
};

/// How a recorded state is reproduced.
struct ReproducerSource {
  std::string arguments; ///< of mica-opt, on the whole program
  std::string path;      ///< the op that matters (RecordPaths.h), "" for all: alone where it is a program by itself,
  std::string pathArguments; ///< and then with these
  std::string title, op;
};

Reproducer makeReproducer(RecordedState state, ReproducerSource source);

/// Writes the folder `directory`. `files` receives the names in it. Returns "" or an error message.
std::string writeReproducer(const Reproducer &reproducer, llvm::StringRef directory, std::vector<std::string> &files);

} // namespace mica::compiler

#endif // MICA_COMPILER_RECORD_REPRODUCER_H
