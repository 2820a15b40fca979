//===- OptReproducer.h - reproducers of mica-opt ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Implements mica-opt --reproducer=DIR [--strip].
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_OPTREPRODUCER_H
#define MICA_LIB_COMPILER_RECORD_OPTREPRODUCER_H

#include "mica/Compiler/Record/Reproducer.h"

#include "llvm/Support/MemoryBuffer.h"

#include <optional>

namespace mica::compiler {

/// The requested reproducer.
struct ReproducerRequest {
  std::string directory; ///< of the reproducer
  bool strip = false;    ///< strip (StripProgram.h) while mica-opt's outcome stays the same
  double timeLimit = 60; ///< seconds for one run of mica-opt during stripping
};

/// A reproducer of the pass after the one at `position` of the record in `directory`; -1: the failed pass. `options`:
/// flags and tool. On failure returns nothing and sets `error`.
std::optional<Reproducer> reproducerOfRecord(llvm::StringRef directory, int position, const RecorderOptions &options,
                                             mlir::MLIRContext *context, std::string &error);

/// A reproducer of the passes of `pm` on the program in `text`; reports errors in it.
std::optional<Reproducer> reproducerOfText(const llvm::MemoryBuffer &text, mlir::PassManager &pm,
                                           const RecorderOptions &options, std::string &error);

/// Writes the folder and prints its contents to the error stream. Returns "" or an error message.
std::string writeReproducerOnDemand(Reproducer reproducer, const ReproducerRequest &request);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_OPTREPRODUCER_H
