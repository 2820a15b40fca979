//===- HelpFormats.h - man pages and shell completions from a table of flags -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private to CommandLine.cpp: what --help=man, --help=bash, --help=zsh and --help=fish print.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_SUPPORT_HELPFORMATS_H
#define MICA_LIB_SUPPORT_HELPFORMATS_H

#include "mica/Support/CommandLine.h"

#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// What a tool says of itself. Views into the tool's table.
struct HelpPage {
  std::string_view tool, usage, overview, exitCodes;
  std::string_view flagCommand; ///< prints further flags, a line each; "": none
  const std::vector<FlagGroup> &groups;
};

/// The formats of --help, as its placeholder lists them.
inline constexpr std::string_view kHelpFormats = "man|bash|zsh|fish";

/// A man page of section 1.
std::string manPage(const HelpPage &page);
/// Scripts that complete the tool's flags, their values where these are known, and names of files.
std::string bashCompletion(const HelpPage &page);
std::string zshCompletion(const HelpPage &page);
std::string fishCompletion(const HelpPage &page);

/// The first line of a flag's help, and the rest.
std::pair<std::string_view, std::string_view> splitBrief(std::string_view help);
/// Whether a flag takes its value without '=': -O2, -oDIR.
bool isShortFlag(std::string_view name);

} // namespace mica

#endif // MICA_LIB_SUPPORT_HELPFORMATS_H
