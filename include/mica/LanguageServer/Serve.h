//===- Serve.h - a language server before MLIR's ----------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// MLIR's server cannot be extended. This one reads what the editor sends, answers what it adds (lenses, formatting, the
// command that shows an op in its snapshots), and passes on all else, in both directions.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LANGUAGESERVER_SERVE_H
#define MICA_LANGUAGESERVER_SERVE_H

#include "mica/Support/Status.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mica::languageserver {

/// Formats a text; adds to `unread` a line for each part that it leaves as it is.
using Formatter = std::function<std::string(const std::string &text, std::vector<std::string> &unread)>;

/// What is shown when hovering over the name of an operation, in markdown; "" if nothing is known.
using OpPages = std::function<std::string_view(std::string_view op)>;

/// Makes pipes of stdin and stdout, runs `upstream` with them until it ends, and returns its result: whether it failed.
/// `isDelimited`: messages from the editor are separated by lines `// -----` instead of having a length.
Result<bool> serve(const Formatter &format, const OpPages &pages, bool isDelimited,
                   const std::function<bool()> &upstream);

} // namespace mica::languageserver

#endif // MICA_LANGUAGESERVER_SERVE_H
