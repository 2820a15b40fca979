//===- ListMessages.h - what is said of task lists ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Hints and errors about a program's task lists that a context gives when it is made.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_LISTMESSAGES_H
#define MICA_LIB_RUNTIME_LISTMESSAGES_H

#include "mica/Runtime/Program.h"
#include "mica/Support/Status.h"

namespace mica::runtime {

/// Logs (perf-hints) which operations of `list` run on another device than the task before them.
void logDeviceChanges(const Program &program, const artifact::TaskList &list);

/// `error`, which says that there is no arena of `bytes`, with the list that needs it, its largest buffer and who
/// writes that.
Error arenaError(const Program &program, int64_t bytes, Error error);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_LISTMESSAGES_H
