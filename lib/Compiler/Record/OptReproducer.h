//===- OptReproducer.h - reproducers that mica-opt writes on demand -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica-opt --reproducer=DIR [--strip]: what is shown, and the writing of it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_OPTREPRODUCER_H
#define MICA_LIB_COMPILER_RECORD_OPTREPRODUCER_H

#include "mica/Compiler/Record/Reproducer.h"

#include "llvm/Support/MemoryBuffer.h"

#include <optional>

namespace mica::compiler {

/// What was asked for.
struct ReproducerRequest {
  std::string directory; ///< of the reproducer
  bool strip = false;    ///< StripProgram.h, as far as what mica-opt does stays the same
  double timeLimit = 60; ///< seconds for one run of mica-opt, while it strips
};

/// The pass after the one at `position` of the record in `directory`; -1: the one that failed. `options`: flags and
/// tool. On failure returns nothing and sets `error`.
std::optional<Reproducer> reproducerOfRecord(llvm::StringRef directory, int position, const RecorderOptions &options,
                                             mlir::MLIRContext *context, std::string &error);

/// The passes of `pm` on the program in `text`; reports what is wrong with it.
std::optional<Reproducer> reproducerOfText(const llvm::MemoryBuffer &text, mlir::PassManager &pm,
                                           const RecorderOptions &options, std::string &error);

/// Writes the folder and says on the error stream what is in it. Returns "" or what went wrong.
std::string writeReproducerOnDemand(Reproducer reproducer, const ReproducerRequest &request);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_OPTREPRODUCER_H
