//===- Nesting.h - texts that are nested too deep to be parsed ------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// MLIR's parser, printer and walks recurse into each level of regions, types and attributes, and overflow the stack on
// deep nesting. So a text, or bytecode, is checked before it is parsed.
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_NESTING_H
#define MICA_SUPPORT_NESTING_H

#include "mica/Support/Status.h"

#include <string>
#include <string_view>

namespace mica {

/// The maximum nesting of brackets in a text, and of operations, attributes and types in bytecode. Regions of 3,000
/// levels were parsed, lowered and printed on a stack of 8 MiB.
inline constexpr unsigned kMostNesting = 2000;

/// InvalidInput, with the place in the text or bytecode called `name`, where `text` is nested deeper than kMostNesting:
/// brackets, with those of the aliases that stand in them, and operators of one expression. Strings and comments do not
/// count. Of bytecode: regions, attributes and types, and what is stored of them as text; an attribute that contains
/// itself and counts that the file has no room for are refused as well, other damage is left to the reader. Also
/// array<index: ...>, on which MLIR's parser crashes. One pass over the text.
Status checkNesting(std::string_view text, const std::string &name);

} // namespace mica

#endif // MICA_SUPPORT_NESTING_H
