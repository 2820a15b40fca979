//===- TextReduction.h - the smallest text with a property --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: cuts lines out of a text that Mica does not parse. Lines between braces go with the line that opens them, or
// stay without it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_TEXTREDUCTION_H
#define MICA_LIB_BISECT_TEXTREDUCTION_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <string>

namespace mica::bisect {

struct TextReduction {
  std::string text;
  int64_t linesGiven = 0, lines = 0, attempts = 0;
};

/// The smallest text found in `seconds` for which `keeps` holds; it does for `text`, and is not asked about that.
/// Deterministic but for the time limit.
TextReduction reduceText(const std::string &text, llvm::function_ref<bool(const std::string &)> keeps, double seconds);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_TEXTREDUCTION_H
