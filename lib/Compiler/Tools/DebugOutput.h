//===- DebugOutput.h - --debug-only of builds with assertions -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Enables the output of LDBG and LLVM_DEBUG in builds with assertions (cmake --preset checked). A packaged LLVM is
// built without assertions and lacks the option, but its library has the state that the option sets.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_TOOLS_DEBUGOUTPUT_H
#define MICA_LIB_COMPILER_TOOLS_DEBUGOUTPUT_H

namespace mica::compiler {

/// Adds --debug-only=TYPE,... to LLVM's options, in builds with assertions.
void registerDebugOptions();

/// Enables the given types; after the command line is parsed.
void applyDebugOptions();

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_TOOLS_DEBUGOUTPUT_H
