//===- PostMortem.h - what a run that crashed or hung was doing --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: a run's ledger of launches, read by the next process; and the handler that notes a crash in it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_POSTMORTEM_H
#define MICA_LIB_RUNTOOL_POSTMORTEM_H

#include "mica/Support/Status.h"

#include <filesystem>

namespace mica::runtool {

/// Prints what is in the ledger `file`, with the artifact's names of ops and positions if it is still there. Gives the
/// exit code.
Result<int> showPostMortem(const std::filesystem::path &file);

/// On a signal that a fault of the program raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT): notes it in the ledgers
/// of the process, prints where to look and the stack, and lets the signal do its work.
void installCrashHandler();

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_POSTMORTEM_H
