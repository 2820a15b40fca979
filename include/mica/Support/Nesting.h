//===- Nesting.h - texts that are nested too deep to be parsed ------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// MLIR's parser, printer and walks call themselves for each level of regions, types and attributes, and end the process
// where the stack does. So a text is looked at before it is parsed.
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_NESTING_H
#define MICA_SUPPORT_NESTING_H

#include "mica/Support/Status.h"

#include <string>
#include <string_view>

namespace mica {

/// Brackets inside of each other that a text may have. Regions of 3,000 levels were parsed, lowered and printed on a
/// stack of 8 MiB.
inline constexpr unsigned kMostNesting = 2000;

/// InvalidInput, with the place in the text called `name`, where brackets of `text` lie deeper than kMostNesting.
/// Brackets in strings and comments do not count. One pass over the text.
Status checkNesting(std::string_view text, const std::string &name);

} // namespace mica

#endif // MICA_SUPPORT_NESTING_H
