//===- Deterministic.h - whether runs repeat ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: --check-deterministic. All calls are made in one context and dumped at level 3, whose hashes are compared.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_DETERMINISTIC_H
#define MICA_LIB_RUNTOOL_DETERMINISTIC_H

#include "lib/RunTool/Options.h"
#include "lib/RunTool/RunFolder.h"
#include "mica/Dump/Dump.h"
#include "mica/Runtime/Program.h"
#include "mica/Runtime/Tensor.h"

#include <memory>
#include <span>
#include <string>

namespace mica::runtool {

/// Runs the entry options.checkDeterministic times on the same inputs, and prints whether every tensor that a kernel
/// wrote has the same bits each time, or the operation of the first that has not. Gives whether all had.
Result<bool> checkDeterministic(const Options &options, const std::shared_ptr<const runtime::Program> &program,
                                size_t entry, std::span<const runtime::TensorView> inputs, const RunFolder &run);

/// What is printed; `same` receives the verdict. `dump`: of several calls of one entry.
std::string determinismText(const dump::Dump &dump, int64_t calls, bool &same);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_DETERMINISTIC_H
