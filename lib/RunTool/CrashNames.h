//===- CrashNames.h - names for a program's code on the stack of a crash ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What a kernel does is in functions that program.so does not export, so the system's own names for frames end at its
// door. The names are made ready when a program is loaded: a signal's handler may only look.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CRASHNAMES_H
#define MICA_LIB_RUNTOOL_CRASHNAMES_H

#include "mica/Runtime/Program.h"

namespace mica::runtool {

/// Remembers what lies where in `program`, which must outlive the process or the next call, until then it is the one
/// program whose frames have names. A program.so without a table of symbols leaves them nameless.
void rememberFunctions(const runtime::Program &program);

/// Writes the frame at `address` to the standard error, "program.so(mica_body_k+0x1f) kernel 'k' (mica.div
/// [3f2a91c07b1e] at m.mlir:3:8)"; false where it is not in the program. For signal handlers.
bool writeFrame(const void *address);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CRASHNAMES_H
