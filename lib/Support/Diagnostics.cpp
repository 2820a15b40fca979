//===- Diagnostics.cpp - messages to the user --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Diagnostics.h"

#include "mica/Support/Environment.h"

#include <cstdio>
#include <string>

#include <unistd.h>

namespace mica {
namespace {

void print(std::string_view tool, std::string_view severity, std::string_view color, std::string_view message,
           std::string_view hint) {
  const bool colors = wantsColor(STDERR_FILENO);
  std::string text = std::string(tool) + ": ";
  text += colors ? "\033[1;" + std::string(color) + "m" + std::string(severity) + ":\033[0m "
                 : std::string(severity) + ": ";
  text += std::string(message) + "\n";
  if (!hint.empty())
    text += "  hint: " + std::string(hint) + "\n";
  // One call, so that messages of parallel processes do not interleave.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace

bool wantsColor(int descriptor) { return !environmentValue("NO_COLOR") && ::isatty(descriptor) == 1; }

void printError(std::string_view tool, const Error &error) { print(tool, "error", "31", error.message, error.hint); }

void printWarning(std::string_view tool, std::string_view message, std::string_view hint) {
  print(tool, "warning", "35", message, hint);
}

static bool notesAreShown = true;

void hideNotes() { notesAreShown = false; }

void printNote(std::string_view tool, std::string_view message) {
  if (notesAreShown)
    print(tool, "note", "36", message, {});
}

} // namespace mica
