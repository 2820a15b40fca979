//===- PostMortem.h - examining a run that crashed or hung -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: prints the launch ledger of an earlier run; and the handler that marks a crash in it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_POSTMORTEM_H
#define MICA_LIB_RUNTOOL_POSTMORTEM_H

#include "mica/Support/Status.h"

#include <filesystem>

namespace mica::runtool {

/// Prints the ledger `file`, with the artifact's names of ops and positions if it still exists. Returns the exit code.
Result<int> showPostMortem(const std::filesystem::path &file);

/// On a signal caused by a fault of the program (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT): marks it in the ledgers of
/// the process, prints where to look and the stack, and raises the signal again.
void installCrashHandler();

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_POSTMORTEM_H
