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

#include "mica/Artifact/TaskOrders.h"
#include "mica/Compare/Compare.h"
#include "mica/Compare/Criteria.h"
#include "mica/Compare/InputSets.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Compare/TensorArchive.h"
#include "mica/Runtime/RunTrace.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Status.h"
#include "mica/Support/ToolSwitches.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mica::runtool {

inline constexpr std::string_view kTool = "mica-run";

/// Limits of --sandbox; 0: no limit.
struct SandboxLimits {
  int64_t memoryBytes = 0; ///< of address space
  double seconds = 0;      ///< of wall time
};

class GoldenData;

/// The files that --save-golden writes tensors to.
enum class GoldenForm { Npy, Npz, Safetensors };

struct Options {
  std::string program; ///< artifact, model file, or "-"

  std::string entry;
  std::vector<std::optional<InputSpec>> inputs; ///< nothing: omitted on purpose (--input=)
  std::vector<std::filesystem::path> inputArchives;
  std::vector<ArchiveMember> outputs;
  std::filesystem::path outputArchive; ///< of all results
  bool list = false;
  std::optional<std::string> deps;      ///< --deps: "" or the file that they are written to
  std::optional<std::string> memoryMap; ///< --memory-map: "" or the file of the picture
  bool listDevices = false;
  bool inPlace = false; ///< stores to arguments are kept for the next run

  int threads = 0;             ///< 0: all
  int ranks = 0;               ///< --ranks: processes to start by mpirun; 0: none
  bool ranksAsThreads = false; ///< --ranks=threads
  int64_t repeat = 1;
  bool time = false;

  bool checkReference = false;
  std::vector<InputSet> inputSets; ///< --input-sets; empty: all if no inputs are given, else none
  bool checkOps = false;           ///< compare every materialized tensor too
  bool checkPasses = false;
  int64_t checkDeterministic = 0; ///< runs; 0: it is not checked
  bool checkUndefined = false;    ///< --check-ub
  std::filesystem::path goldenData;
  std::shared_ptr<const GoldenData> golden = {}; ///< of goldenData, once it is opened
  std::optional<artifact::Schedule> schedule;    ///< --schedule
  std::string why;                               ///< --why: the element to explain
  std::string whoUses;                           ///< --who-uses: the element whose uses are shown
  bool anyProgram = false;                       ///< --any-program: golden data may belong to another program
  std::filesystem::path saveGolden;              ///< --save-golden
  GoldenForm goldenForm = GoldenForm::Npy;
  Criteria compare; ///< --compare; empty: those of golden.json, or the default
  Tolerance tolerance;

  std::filesystem::path artifact; ///< -o
  bool force = false;
  bool noCache = false;
  std::vector<std::string> compileFlags; ///< -O2, --target=..., passed to mica-compile
  bool cleanCache = false;               ///< --clean
  bool cacheStatistics = false;          ///< --cache-stats
  std::filesystem::path runDir;
  std::filesystem::path postMortem;              ///< --post-mortem: the ledger to show
  bool doctor = false;                           ///< --doctor: test the detectors
  bool json = false;                             ///< of --doctor, --why and --who-uses: as JSON
  ToolSwitches switches;                         ///< as given
  std::shared_ptr<runtime::RunTrace> trace = {}; ///< MICA_TRACE; null: none
  Switches debug;                                ///< including those of file and environment
  bool verify = false;                           ///< --verify: hash every file of the artifact before the run
  bool noRebuild = false;                        ///< do not rebuild edited files
  std::string reset;                    ///< --reset: the file to restore to the compiler's version; "all"; "": none
  std::optional<SandboxLimits> sandbox; ///< --sandbox
  bool watch = false;                   ///< run again when a file is saved
  std::string fromSnapshot;             ///< --from-snapshot: the recorded snapshot to run; "": the compiled program
};

/// The table of flags; setters write to `options`, which must outlive it.
CommandLine commandLine(Options &options);

/// Checks of several flags: exactly one program, flags that depend on each other.
Status finishOptions(Options &options, const std::vector<std::string> &positional);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_OPTIONS_H
