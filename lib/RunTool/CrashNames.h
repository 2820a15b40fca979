//===- CrashNames.h - symbolizing program.so in crash handlers --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Kernels consist of functions that program.so does not export, so the system's symbolizer cannot name them. The names
// are prepared when a program is loaded, because a signal handler may only read.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CRASHNAMES_H
#define MICA_LIB_RUNTOOL_CRASHNAMES_H

#include "mica/Runtime/Program.h"

namespace mica::runtool {

/// Prepares the names of `program`, which must outlive the process or the next call, and replaces those of an earlier
/// program. Without a symbol table the functions have no names.
void rememberFunctions(const runtime::Program &program);

/// Writes the frame at `address` to the standard error, "program.so(mica_body_k+0x1f) kernel 'k' (mica.div
/// [3f2a91c07b1e] at m.mlir:3:8)"; false if it is not in the program. Async-signal-safe.
bool writeFrame(const void *address);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CRASHNAMES_H
