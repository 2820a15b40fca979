//===- BytecodeNesting.h - how deep MLIR bytecode is nested -------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_SUPPORT_BYTECODENESTING_H
#define MICA_LIB_SUPPORT_BYTECODENESTING_H

#include "mica/Support/Status.h"

#include <string>
#include <string_view>

namespace mica {

/// Whether `bytes` begin with the magic of MLIR bytecode.
bool isBytecodeFile(std::string_view bytes);

/// checkNesting for text, which bytecode also contains.
Status checkTextNesting(std::string_view text, const std::string &name);

/// checkNesting (mica/Support/Nesting.h) for bytecode.
Status checkBytecodeNesting(std::string_view bytes, const std::string &name);

} // namespace mica

#endif // MICA_LIB_SUPPORT_BYTECODENESTING_H
