//===- DebugOutput.h - --debug-only of builds with assertions -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What passes print with LDBG and LLVM_DEBUG, where Mica is built with assertions (cmake --preset checked). A packaged
// LLVM is built without them and so lacks the option, but its library has what the option sets.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_TOOLS_DEBUGOUTPUT_H
#define MICA_LIB_COMPILER_TOOLS_DEBUGOUTPUT_H

namespace mica::compiler {

/// Adds --debug-only=TYPE,... to LLVM's options, in builds with assertions.
void registerDebugOptions();

/// Lets the types print that the option names; after the command line is parsed.
void applyDebugOptions();

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_TOOLS_DEBUGOUTPUT_H
