//===- Options.h - the flags of mica-run -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_OPTIONS_H
#define MICA_LIB_RUNTOOL_OPTIONS_H

#include "mica/Compare/Compare.h"
#include "mica/Compare/InputSets.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Compare/TensorArchive.h"
#include "mica/Runtime/RunTrace.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Status.h"
#include "mica/Support/ToolSwitches.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mica::runtool {

inline constexpr std::string_view kTool = "mica-run";

/// Of --sandbox; 0: no limit.
struct SandboxLimits {
  int64_t memoryBytes = 0; ///< of address space
  double seconds = 0;      ///< of wall time
};

struct Options {
  std::string program; ///< artifact, model file, or "-"

  std::string entry;
  std::vector<std::optional<InputSpec>> inputs; ///< nothing: left out on purpose (--input=)
  std::vector<std::filesystem::path> inputArchives;
  std::vector<ArchiveMember> outputs;
  std::filesystem::path outputArchive; ///< of all results
  bool list = false;
  std::optional<std::string> deps; ///< --deps: "" or the file that they are written to
  bool listDevices = false;
  bool inPlace = false; ///< what the program stores to arguments stays in them for the next run

  int threads = 0; ///< 0: all
  int64_t repeat = 1;
  bool time = false;

  bool checkReference = false;
  std::vector<InputSet> inputSets; ///< --input-sets; empty: all where nothing is given, else none
  bool checkOps = false;           ///< every materialised tensor too
  bool checkPasses = false;
  int64_t checkDeterministic = 0; ///< runs; 0: it is not checked
  bool checkUndefined = false;    ///< --check-ub
  std::filesystem::path goldenData;
  Tolerance tolerance;

  std::filesystem::path artifact; ///< -o
  bool force = false;
  bool noCache = false;
  std::vector<std::string> compileFlags; ///< -O2, --target=..., handed to mica-compile
  bool cleanCache = false;               ///< --clean
  bool cacheStatistics = false;          ///< --cache-stats
  std::filesystem::path runDir;
  std::filesystem::path postMortem;              ///< --post-mortem: the ledger to show
  bool doctor = false;                           ///< --doctor: the detectors are tried
  bool json = false;                             ///< of --doctor: as JSON
  ToolSwitches switches;                         ///< as given
  std::shared_ptr<runtime::RunTrace> trace = {}; ///< MICA_TRACE; null: none
  Switches debug;                                ///< with those of file and environment
  bool verify = false;                           ///< --verify: hashes every file of the artifact, whole, before the run
  bool noRebuild = false;                        ///< edited files are not built
  std::string reset;                    ///< --reset: the file that becomes the compiler's own again; "all"; "": none
  std::optional<SandboxLimits> sandbox; ///< --sandbox
  bool watch = false;                   ///< runs again when a file is saved
  int64_t fromSnapshot = -1; ///< --from-snapshot: the recorded snapshot that runs; -1: the program as compiled
};

/// The table of flags; setters write to `options`, which must outlive it.
CommandLine commandLine(Options &options);

/// Checks what no single flag can: exactly one program, flags that need each other.
Status finishOptions(Options &options, const std::vector<std::string> &positional);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_OPTIONS_H
