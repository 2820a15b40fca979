//===- Stock.h - the fault shown with stock tools -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: runs the reduced input through upstream's mlir-opt and mlir-runner, with and without the pass, where they
// are installed.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_STOCK_H
#define MICA_LIB_BISECT_STOCK_H

#include "lib/Bisect/Verdict.h"

#include <optional>
#include <string>

namespace mica::bisect {

/// What stock tools print.
struct StockRun {
  std::string pipeline; ///< of mlir-opt: the pass, and what lowers the program
  std::string runner;   ///< mlir-runner with its flags, without the libraries
  std::string with, without;
  std::string expected; ///< in place of `without`, if what lowers the program does not without the pass
};

/// What lowers the program is the rest of the pipeline, or, where that does not, a pipeline of mlir-opt's. Nothing
/// where there are no stock tools, mlir-runner cannot call the entry, or it prints the same without the pass.
std::optional<StockRun> runStock(const Culprit &culprit, const Entry &entry, const Runner &runner);

/// "builtin.module(a,b)" of "builtin.module(a)" and "builtin.module(b)".
std::string joinPipelines(const std::string &first, const std::string &second);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_STOCK_H
