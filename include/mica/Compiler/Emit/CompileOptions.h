//===- CompileOptions.h - what a compile is asked for -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the driver, the artifact's builder and staged compiles all read.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_EMIT_COMPILEOPTIONS_H
#define MICA_COMPILER_EMIT_COMPILEOPTIONS_H

#include "mica/Compiler/Index/RecordTypes.h"
#include "passes/Pipelines/Phases.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

/// What a compile makes.
enum class Emit {
  Artifact, ///< a folder
  Mlir,     ///< the IR after the last phase
  Llvm,     ///< LLVM IR of all kernels and the host functions, optimised
  Asm,      ///< their assembly
  Ptx,      ///< the PTX of kernels, of target cuda
};

/// A function without kernels, or an op without one.
struct HostFunction {
  std::string name;    ///< "main", "complex.abs"
  std::string reason;  ///< "op 'complex.abs' is not supported as input"
  std::string source;  ///< of the reason: "model.mlir:3:8" or ""
  int64_t number = -1; ///< of an op, in the program as read; -1: a function

  bool isOp() const { return number >= 0; }
  /// What warnings and perf hints say.
  std::string text() const {
    if (isOp())
      return "op '" + name +
             "' runs in a host function, on one thread, and the rest of its function in kernels: " + reason;
    return "function '@" + name + "' runs in host functions, on one thread and without kernels: " + reason;
  }
};

struct CompileOptions {
  std::string input; ///< a file; "-": the standard input
  /// Its contents, where they were read already; the file is then neither opened nor looked at.
  std::shared_ptr<const std::string> text;
  std::string textHash; ///< hashHex() that the contents must have; "": any
  std::string output;   ///< Artifact: the folder; else a file; "" or "-": the standard output
  Emit emit = Emit::Artifact;
  bool force = false; ///< replace an artifact that was edited by hand
  std::string target = "cpu";
  std::string hostLevel; ///< of processors that code beside a GPU's is for, as --host-cpu names it; "": this machine
  std::string machine;   ///< a machine file (mica/Support/Machine.h); "": this machine is measured
  int threads = 0;       ///< that compile; 0: one per CPU. The artifact is the same with any number
  int optLevel = 3;      ///< 0 to 3
  std::string assertLevel = "user"; ///< what kernels check while they run: none, user, warn, safe, all
  bool proveChecks = true;          ///< eliminate checks that cannot fail
  bool trackReads = false;          ///< kernels check for uses of uninitialized elements
  /// Of targets cuda and sim: threads look for NaN and infinities in what they store. Of the CPU: kernels get a second
  /// form that names the origin of a NaN (artifact::KernelReplay).
  bool nanCheck = false;
  bool dumpExact = false;        ///< kernels get a form that gives what is inside of them (artifact::DumpReplay)
  std::string dumpMaterialize;   ///< ops whose results are stored: ids and kinds joined by +
  bool allowTf32 = false;        ///< products of f32 may round their inputs to tf32, for tensor cores
  int64_t memoryLimit = -1;      ///< bytes that a run may need (lib/Compiler/Emit/CheckMemory.h); -1: any number
  std::string simChecks = "all"; ///< what the simulator's kernels check, joined by +
  std::string simKernels = "*";  ///< the kernels that do, patterns joined by +
  std::string transform;         ///< the transform script of the file that runs; empty: none
  /// "ENTRY:0.0=32,1.1=16": the program of this entry alone, for these sizes of its arguments' dynamic dimensions
  /// (argument, dimension); empty: for any.
  std::string specialize;
  /// "%x=[0,-];grid=4": how arguments and results are distributed among ranks (lib/Compiler/Driver/ShardFlag.h); empty:
  /// as the program says. Names become positions once the program is read.
  std::string shard;
  DumpMode dump = DumpMode::Passes;
  bool archive = false;      ///< snapshots as an archive, whatever their size
  std::optional<Phase> from; ///< the input is what this phase gave; the next one is the first to run
  std::optional<Phase> to;   ///< the last phase to run; emits IR
  std::string resume;        ///< "DIR" or "DIR:NNNN": go on from a recorded snapshot, in place of an input
  /// With `resume`: kernels that are taken from another position, by name.
  std::vector<std::pair<std::string, int>> kernelsAt;
  /// Lowers without any optimising pass (passes/Codegen/Reference), instead of by the pipeline.
  bool plain = false;
  /// Kernels that the reference lowering makes, from what phase schedule leaves of them, while the pipeline makes the
  /// others; each is called once for all its work.
  std::vector<std::string> plainKernels;
  /// Kernel on whose code no more than so many of LLVM's optional passes run, which are printed; "": none.
  std::string limitedKernel;
  int64_t llvmPassLimit = 0;
  std::vector<std::string> llvmPlugins; ///< files of LLVM passes
  /// Names of functions that have no kernels, while others have some; joined by newlines.
  std::string hostFunctions;
  /// Numbers of ops that no kernel takes (mica-tensor-outline-host-ops), joined by commas.
  std::string hostOps;
  /// Why these have none; empty where a record is gone on from.
  std::vector<HostFunction> hostReasons;
  /// Set with `plain`: why the program has no kernels ("" where the user wanted none), and "model.mlir:3:8" or "".
  std::string hostReason, hostSource;
  /// Shared libraries that functions without a body are looked for in.
  std::vector<std::string> libraries;
  /// Pipelines that run when the passes of a phase are done: "func.func(cse)" on the program.
  std::vector<std::pair<Phase, std::string>> addedPasses;
  bool debugInfo = false;           ///< print IR with locations
  bool verifyEach = true;           ///< verify the IR after every pass
  bool checkSchedule = true;        ///< a schedule that lacks a dependency is an error
  bool time = false;                ///< print where the time went, to stderr
  bool quiet = false;               ///< no closing line
  std::vector<std::string> plugins; ///< files of passes that were loaded
  std::vector<std::string> commandLine;
  /// Told the temporary folder that is being filled and where it is kept after a failure; empty paths when it has its
  /// name.
  std::function<void(const std::filesystem::path &folder, const std::filesystem::path &failed)> onFolder;
  /// Gives a lock that keeps an interrupt from removing that folder; held while the folder is made and gets its name.
  std::function<std::unique_lock<std::recursive_mutex>()> holdInterrupts;
  /// Told what is running: " in pass cse on @k". Any thread.
  std::function<void(const std::string &)> onActivity;
  /// Told when code generation of a kernel or of the host functions begins and ends. Any thread.
  std::function<void(const std::string &unit, bool begins)> onCode;
};

} // namespace mica::compiler

#endif // MICA_COMPILER_EMIT_COMPILEOPTIONS_H
