//===- BisectOptions.h - what a call of mica-bisect asks for ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The flags of mica-bisect, which of them exclude each other, and what follows from them alone: plugins, folders.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_BISECTOPTIONS_H
#define MICA_LIB_BISECT_BISECTOPTIONS_H

#include "lib/Bisect/Bisection.h"
#include "lib/Bisect/Compiled.h"
#include "lib/Bisect/ForeignCompiler.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/ToolSwitches.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mica::bisect {

inline constexpr std::string_view kTool = "mica-bisect";

/// The plugin of the passes that mlir-opt has for its own tests.
inline constexpr std::string_view kTestPasses = "MicaTestPasses.so";

struct BisectOptions {
  std::string pipeline, against, record, entry, output, plugin;
  ForeignCommands commands;
  std::vector<std::string> inputs;
  std::vector<std::string> targets;
  std::vector<std::string> compileFlags; ///< of mica-compile, beside plugins
  std::string llvmPlugin;
  Axes axes;
  Limits limits;
  Settings settings;
  bool verbose = false, useCache = true, report = true, strip = false;
  std::optional<double> precision; ///< the limit; 0: the default
  ToolSwitches switches;
};

std::vector<FlagGroup> bisectFlags(BisectOptions &options);

/// Whether `options` fit to each other, and to the files that are given as `words`.
Status checkArguments(const BisectOptions &options, const std::vector<std::string> &words);

/// Plugins as flags of mica-compile.
std::vector<std::string> pluginFlags(const BisectOptions &options);

/// Loads what `given` names by --load-pass-plugin=; `flags` receives these.
Status loadPlugins(const std::vector<std::string> &given, std::vector<std::string> &flags);

/// Loads kTestPasses where a pipeline of `options` names one of these passes; `flags` receives it. Without that plugin
/// the pass stays unknown.
Status loadTestPasses(const BisectOptions &options, std::vector<std::string> &flags);

/// Where outcomes are kept from one call to the next; "": nowhere.
std::filesystem::path outcomesFolder(const BisectOptions &options);

/// The folder of the report about `program`.
std::filesystem::path reportFolder(const BisectOptions &options, const std::string &program);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_BISECTOPTIONS_H
