//===- FormatText.h - indentation of MLIR text -------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Changes the white space at both ends of lines and nothing else, so comments, names of values and the spelling of
// attributes remain, and so does the program.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_FORMATTEXT_H
#define MICA_IRTOOLS_FORMATTEXT_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mica::irtools {

/// A part of a file that is left as it is, because it does not parse.
struct UnreadPart {
  size_t line; ///< of its first line, from 1
  std::string error;
};

/// The lines of `text`, indented. An op, and the brace that ends its region, have two spaces for each region around
/// them, labels of blocks those of the op around them; other lines of an op keep their distance to its first line.
/// Comments at the start of a line remain there; others have the indentation of what follows. No line ends with a
/// space, and the last one with a line break. Each part between lines `// -----` is parsed by itself.
std::string formatText(llvm::StringRef text, const mlir::DialectRegistry &registry, std::vector<UnreadPart> &unread);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_FORMATTEXT_H
