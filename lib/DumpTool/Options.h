//===- Options.h - the flags of mica-dump ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_DUMPTOOL_OPTIONS_H
#define MICA_LIB_DUMPTOOL_OPTIONS_H

#include "mica/Compare/Compare.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/ToolSwitches.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mica::dumptool {

inline constexpr std::string_view kTool = "mica-dump";

/// Which tensors of a dump are meant: those that pass all that is set.
struct Selection {
  std::string ops, kernels, kinds, names, roles, dtypes; ///< patterns, separated by commas; "": all
  std::string stage;                                     ///< "before", "after"; "": both
  std::optional<int64_t> tensor, launch, iteration, call;
  bool nonFinite = false;
  bool changed = false;

  bool isSet() const;
};

struct Options {
  std::vector<std::string> dumps; ///< one to show, or two to compare
  Selection selection;
  bool statistics = false, verify = false, json = false;
  std::optional<int64_t> histogram; ///< bins
  std::optional<std::string> print; ///< slice, "" of all
  std::optional<std::string> slice;
  std::optional<std::string> picture; ///< file, "" for the terminal
  std::string exportFile;
  bool all = false, bits = false;
  Tolerance tolerance;
  ToolSwitches switches;

  bool compares() const { return dumps.size() == 2; }
};

/// The table of flags; setters write to `options`, which must outlive it.
CommandLine commandLine(Options &options);

/// What the flags do not allow together. InvalidInput.
Status finishOptions(Options &options, std::vector<std::string> positional);

} // namespace mica::dumptool

#endif // MICA_LIB_DUMPTOOL_OPTIONS_H
