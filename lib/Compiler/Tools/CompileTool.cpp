//===- CompileTool.cpp - mica-compile -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CompileTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Tools/CompileTool.h"

#include "lib/Compiler/Crash/Signals.h"
#include "lib/Compiler/Driver/ShardFlag.h"
#include "lib/Compiler/Emit/BuildFiles.h"
#include "lib/Compiler/Emit/Stages.h"
#include "mica/Compiler/Driver/Compile.h"
#include "mica/Compiler/Program/Version.h"
#include "mica/Compiler/Rebuild/Rebuild.h"
#include "mica/Compiler/Snapshot/UnpackRecord.h"
#include "mica/Compiler/Targets/Target.h"
#include "mica/Compiler/Tools/EvaluateTool.h"
#include "mica/Support/Allocator.h"
#include "mica/Support/BugReport.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Log.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Process.h"
#include "mica/Support/Targets.h"
#include "mica/Support/Text.h"
#include "mica/Support/ToolSwitches.h"
#include "mica/Trace/ToolTrace.h"
#include "passes/RegisterPasses.h"

#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>

using namespace mica;
using namespace mica::compiler;

static constexpr std::string_view kTool = "mica-compile";

namespace {
struct ToolOptions {
  CompileOptions compile;
  RebuildOptions rebuild;
  std::string unpack; ///< the folder whose snapshots are unpacked; "": none
  EvaluateOptions evaluate;
  bool evaluates = false;
  bool evaluatesOps = false;
  bool lists = false;
  bool printsBuild = false;
  double passTimeLimit = 600; ///< seconds; 0: none
  std::string inputName;      ///< the file that was copied to the standard input; "": none
  ToolSwitches switches;
};
} // namespace

/// The member of `choices` named `value`, or an error that names flag and choices.
template <typename T>
static Result<T> parseChoice(const std::string &flag, const std::string &value,
                             const std::vector<std::pair<std::string, T>> &choices) {
  std::vector<std::string> names;
  for (auto &[name, choice] : choices) {
    if (name == value)
      return choice;
    names.push_back(name);
  }
  return Error{ErrorCode::InvalidInput, flag + "=" + value + ": unknown value", unknownNameHint(value, names)};
}

static Result<Phase> parsePhaseFlag(const std::string &flag, const std::string &value) {
  std::vector<std::pair<std::string, Phase>> choices;
  for (const PhaseInfo &info : allPhases())
    choices.push_back({info.name.str(), info.phase});
  return parseChoice(flag, value, choices);
}

static FlagGroup outputFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {
      "Output and target",
      {{"-o", Value::Required, "DIR|FILE",
        "folder of the artifact (default: build_output/NAME), or file of --emit (-: stdout)",
        setText(o->compile.output)},
       {"--force", Value::None, "", "replace an artifact whose files were edited by hand", setTrue(o->compile.force)},
       {"--target", Value::Required, targetSyntax(),
        "target (default: cpu, this machine)\n"
        "LEVEL is x86-64, x86-64-v2, x86-64-v3 or x86-64-v4. sim runs GPU kernels in a simulator. cuda "
        "writes PTX (default sm_80). DEVICE of opencl is a number, and fp16 or nofp64, joined by +. rocm (default "
        "gfx90a) and spirv are compiled only; Mica cannot run them.",
        setText(o->compile.target)},
       {"--host-cpu", Value::Required, "LEVEL",
        "CPU level of host code for GPU targets (default: this machine)\n"
        "x86-64, x86-64-v2, x86-64-v3 or x86-64-v4.",
        setText(o->compile.hostLevel)},
       {"--machine", Value::Required, "FILE",
        "use the cache sizes and CPU of a machine file (default: this machine)\n"
        "machine.json of an artifact.",
        setText(o->compile.machine)},
       {"--memory-limit", Value::Required, "BYTES",
        "fail if a run needs more memory for tensors, for example 2G (default: no limit)\n"
        "The error names the operation at which it does. Tensors of dynamic size do not count.",
        setByteCount("--memory-limit", o->compile.memoryLimit)},
       {"--threads", Value::Required, "N", "number of compile threads (default: one per CPU)",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(int64_t threads, parseFlagInteger("--threads", value, 1, 4096));
          o->compile.threads = static_cast<int>(threads);
          return {};
        }},
       {"--plain", Value::None, "",
        "use the reference lowering: no optimizing passes\n"
        "Naive loops and upstream conversions. With --resume: from any snapshot.",
        setTrue(o->compile.plain)},
       {"--plain-kernels", Value::Required, "NAME,...",
        "compile these kernels by the reference lowering, the others as asked\n"
        "With --resume: from a snapshot up to the end of phase schedule.",
        [o](const std::string &value) {
          for (llvm::StringRef name : llvm::split(value, ','))
            if (!name.empty())
              o->compile.plainKernels.push_back(name.str());
          return Status();
        }},
       {"-O", Value::Required, "0..3", "0: no fusion, tiling, vectors; 1: fusion; 2: fusion, vectors; 3 (default): all",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(int64_t level, parseFlagInteger("-O", value, 0, 3));
          o->compile.optLevel = static_cast<int>(level);
          return {};
        }},
       {"--link", Value::Required, "LIB",
        "link a shared library that has functions the program declares; may be repeated\n"
        "The program loads the library from its path at run time.",
        [o](const std::string &value) -> Status {
          std::error_code code;
          const std::filesystem::path path = std::filesystem::canonical(value, code);
          if (code)
            return Error{ErrorCode::NotFound, "--link=" + value + ": " + code.message(), "give the path of a .so file"};
          o->compile.libraries.push_back(path.string());
          return {};
        }},
       {"--transform", Value::Optional, "NAME",
        "run the transform script @NAME of the file (default: __transform_main)\n"
        "Without this flag, scripts are removed.",
        [o](const std::string &value) -> Status {
          o->compile.transform = value.empty() ? "__transform_main" : value;
          return {};
        }},
       {"--specialize", Value::Required, "ENTRY:A.D=SIZE,...",
        "compile ENTRY for static sizes: dimension D of argument A is SIZE\n"
        "A and D count from 0.",
        setText(o->compile.specialize)},
       {"--shard", Value::Required, "VALUE=[AXES,...];...;grid=AxB",
        "split a program without shardings among a grid of ranks (docs/Ranks.md)\n"
        "VALUE: an argument (%x, 0) or a result (result0). For each dimension, the axis of the grid that splits it, or "
        "-. annotations: as annotations of StableHLO say.",
        [o](const std::string &value) -> Status {
          o->compile.shard += (o->compile.shard.empty() ? "" : ";") + value;
          return {};
        }},
       {"--add-passes", Value::Required, "PHASE:PIPELINE",
        "run PIPELINE after PHASE (input to lowered); may be repeated",
        [o](const std::string &value) -> Status {
          auto [phaseText, pipeline] = llvm::StringRef(value).split(':');
          MICA_ASSIGN_OR_RETURN(Phase phase, parsePhaseFlag("--add-passes", phaseText.str()));
          if (pipeline.empty() || phase == Phase::Object)
            return Error{ErrorCode::InvalidInput, "--add-passes=" + value + ": no pipeline, or a phase without passes",
                         "--add-passes='tensor:func.func(cse)'; phase object has no passes"};
          o->compile.addedPasses.push_back({phase, pipeline.str()});
          return {};
        }},
       {"--load-pass-plugin", Value::Required, "FILE", "load an MLIR pass plugin, for --add-passes",
        [o](const std::string &value) {
          o->compile.plugins.push_back(value);
          return Status();
        }},
       {"--load-llvm-pass-plugin", Value::Required, "FILE",
        "load an LLVM pass plugin, as opt --load-pass-plugin does\n"
        "Its passes run where they register themselves in LLVM's pipeline.",
        [o](const std::string &value) {
          o->compile.llvmPlugins.push_back(value);
          return Status();
        }},
       {"--llvm-bisect-limit", Value::Required, "KERNEL:N",
        "run only the first N of LLVM's optional passes on the code of KERNEL\n"
        "Prints them, as opt -opt-bisect-limit does. Other kernels are compiled as usual.",
        [o](const std::string &value) -> Status {
          const size_t colon = value.rfind(':');
          if (colon == std::string::npos || colon == 0)
            return Error{ErrorCode::InvalidInput, "--llvm-bisect-limit=" + value + ": no kernel and number",
                         "--llvm-bisect-limit=softmax_0:12"};
          o->compile.limitedKernel = value.substr(0, colon);
          MICA_ASSIGN_OR_RETURN(
              o->compile.llvmPassLimit,
              parseFlagInteger("--llvm-bisect-limit", value.substr(colon + 1), 0, std::numeric_limits<int64_t>::max()));
          return {};
        }}}};
}

static FlagGroup recordFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {"Record of passes",
          {{"--dump-passes", Value::Required, "off|phases|passes|patterns",
            "snapshots to keep (default: passes, those that changed something)\n"
            "off: none. phases: the last of each phase. patterns: also which rewrite pattern changed which op "
            "(slow).",
            [o](const std::string &value) -> Status {
              MICA_ASSIGN_OR_RETURN(o->compile.dump, parseChoice<DumpMode>("--dump-passes", value,
                                                                           {{"off", DumpMode::Off},
                                                                            {"phases", DumpMode::Phases},
                                                                            {"passes", DumpMode::Passes},
                                                                            {"patterns", DumpMode::Patterns}}));
              return {};
            }},
           {"--dump-format", Value::Required, "files|archive",
            "format of snapshots (default: files up to 64 MiB or 4,000, then an archive)\n"
            "mica-report --unpack extracts an archive.",
            [o](const std::string &value) -> Status {
              MICA_ASSIGN_OR_RETURN(o->compile.archive,
                                    parseChoice<bool>("--dump-format", value, {{"files", false}, {"archive", true}}));
              return {};
            }},
           {"--pass-time-limit", Value::Required, "SECONDS",
            "stop with exit code 4 if a pass, or LLVM on a kernel, runs longer (default: 600)\n"
            "The input of the pass is kept. 0: no limit.",
            [o](const std::string &value) -> Status {
              llvm::StringRef text = value;
              if (text.getAsDouble(o->passTimeLimit) || !(o->passTimeLimit >= 0))
                return Error{ErrorCode::InvalidInput, "--pass-time-limit=" + value + ": not a number of seconds",
                             "--pass-time-limit=60"};
              return {};
            }},
           {"--time", Value::None, "", "print the compile time by phase, pass and kernel", setTrue(o->compile.time)}}};
}

static FlagGroup stageFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {
      "Single stages",
      {{"--emit", Value::Required, "mlir|llvm|asm|ptx",
        "print IR, LLVM IR, assembly or PTX instead of writing an artifact\n"
        "ptx needs --target=cuda, and prints kernels only.",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(
              o->compile.emit,
              parseChoice<Emit>("--emit", value,
                                {{"mlir", Emit::Mlir}, {"llvm", Emit::Llvm}, {"asm", Emit::Asm}, {"ptx", Emit::Ptx}}));
          return {};
        }},
       {"--compile-to", Value::Required, "PHASE",
        "stop after PHASE and print the IR\n"
        "input, tensor, dispatch, schedule, kernel or lowered.",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->compile.to, parsePhaseFlag("--compile-to", value));
          return {};
        }},
       {"--compile-from", Value::Required, "PHASE",
        "FILE is the output of PHASE: continue with the next one\n"
        "For phase object: an artifact whose objects are linked again.",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->compile.from, parsePhaseFlag("--compile-from", value));
          return {};
        }},
       {"--resume", Value::Required, "DIR[:NNNN]",
        "continue from snapshot NNNN of an artifact (default: the last)\n"
        "Uses the snapshots as they are now, edited or not.",
        setText(o->compile.resume)},
       {"--kernels-at", Value::Required, "NNNN:NAME,...",
        "with --resume: take these kernels from snapshot NNNN, the rest from the one resumed\n"
        "Both are of phase kernel, or later.",
        [o](const std::string &value) -> Status {
          auto [position, names] = llvm::StringRef(value).split(':');
          int number = 0;
          if (position.getAsInteger(10, number) || names.empty())
            return Error{ErrorCode::InvalidInput, "--kernels-at=" + value + ": no number and names of kernels",
                         "--kernels-at=0041:softmax_0,matmul_1"};
          for (llvm::StringRef name : llvm::split(names, ','))
            o->compile.kernelsAt.emplace_back(name.str(), number);
          return {};
        }},
       {"--no-check-schedule", Value::None, "",
        "compile or rebuild a schedule that lacks dependencies as it is\n"
        "Otherwise an error names both tasks, the memory that both access, and what to add.",
        [o](const std::string &) {
          o->compile.checkSchedule = o->rebuild.checkSchedule = false;
          return Status();
        }},
       {"--mlir-print-debuginfo", Value::None, "", "print IR with locations, which hold the op ids",
        setTrue(o->compile.debugInfo)}}};
}

static FlagGroup editFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {"Rebuild edited artifacts",
          {{"--rebuild", Value::Required, "DIR",
            "rebuild what depends on edited files of the artifact DIR\n"
            "Snapshots, kernels/*/kernel.{mlir,ll,s}, host/schedule.mlir and host/host.ll.",
            setText(o->rebuild.folder)},
           {"--reset", Value::Optional, "FILE",
            "with --rebuild: restore the compiler's version of FILE, or of all files, first\n"
            "FILE is relative to DIR.",
            [o](const std::string &value) {
              o->rebuild.reset = value.empty() ? "all" : value;
              return Status();
            }}}};
}

static FlagGroup snapshotFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {"Snapshots",
          {{"--unpack-snapshots", Value::Required, "DIR",
            "extract the snapshot archive of the artifact DIR\n"
            "To passes_dump/NNNN_*.mlir.zst. Tools that read a snapshot do this themselves.",
            setText(o->unpack)}}};
}

static FlagGroup programFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {"Program from stdin",
          {{"--input-name", Value::Required, "FILE", "file name of the program on stdin, for locations; not opened",
            setText(o->inputName)},
           {"--input-hash", Value::Required, "HASH",
            "fail if the program has another hash\n"
            "mica-run passes the hash of the bytes it looked up in the cache.",
            setText(o->compile.textHash)}}};
}

static FlagGroup evaluateFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {
      "Without compiling",
      {{"--print-build", Value::None, "", "print the files of this compiler, with hashes", setTrue(o->printsBuild)},
       {"--list", Value::None, "", "print entries with their arguments and results", setTrue(o->lists)},
       {"--evaluate", Value::Optional, "ops",
        "run the program in the reference evaluator; =ops: write every op to -o\n"
        "Results of ops are .npy files.",
        [o](const std::string &value) -> Status {
          o->evaluates = true;
          if (!value.empty() && value != "ops")
            return Error{ErrorCode::InvalidInput, "--evaluate=" + value + ": unknown value",
                         "--evaluate or --evaluate=ops"};
          o->evaluatesOps = value == "ops";
          return {};
        }},
       {"--entry", Value::Required, "NAME", "with --evaluate: the function (default: the only entry, or main)",
        setText(o->evaluate.entry)},
       {"--input", Value::Required, "VALUE",
        "with --evaluate: value of the next argument\n"
        "@x.npy, 4x8xf32=0.5, 2x2xf32=1,2,3,4, random:SEED[:LO:HI], or 4x8xf32 for the default values in that shape.",
        [o](const std::string &value) {
          o->evaluate.inputs.push_back(value);
          return Status();
        }},
       {"--output", Value::Required, "@FILE", "with --evaluate: write the next result to FILE, as .npy",
        [o](const std::string &value) {
          o->evaluate.outputs.push_back(value);
          return Status();
        }},
       {"--check-ub", Value::None, "",
        "with --evaluate: look for undefined behavior; exit code 3 if there is any\n"
        "Errors name the op where it begins and the op that makes it visible.",
        setTrue(o->evaluate.checkUndefined)},
       {"--why", Value::Required, "ELEMENT",
        "with --evaluate: what an element was computed from: result0[3,7], OP-ID[3,7], nan, largest\n"
        "Exit code 3 if --why-run is given and has another value.",
        setText(o->evaluate.why.element)},
       {"--who-uses", Value::Required, "ELEMENT", "with --evaluate: which elements change if arg0[0,5] does",
        setText(o->evaluate.why.user)},
       {"--why-run", Value::Required, "DIR",
        "with --why: the folder of a run, with data/out and a dump; its values are shown beside the reference's",
        setText(o->evaluate.why.run)},
       {"--why-file", Value::Required, "FILE", "with --why: also write the answer as JSON to FILE",
        setText(o->evaluate.why.file)},
       {"--why-json", Value::None, "", "with --why and --who-uses: print JSON", setTrue(o->evaluate.why.json)},
       {"--why-nodes", Value::Required, "N", "with --why: show at most N elements (default: 48)",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->evaluate.why.maxNodes, parseFlagInteger("--why-nodes", value, 1, 100000));
          return {};
        }},
       {"--bounds", Value::Optional, "narrow",
        "with --evaluate: write the error bound of each result X.npy to X.bound.npy\n"
        "narrow: for code that accumulates floats narrower than f32 in their own type.",
        [o](const std::string &value) -> Status {
          if (!value.empty() && value != "narrow")
            return Error{ErrorCode::InvalidInput, "--bounds=" + value + ": unknown value",
                         "--bounds or --bounds=narrow"};
          o->evaluate.bounds = true;
          o->evaluate.narrowAccumulators = value == "narrow";
          return {};
        }},
       {"--printed", Value::Required, "FILE",
        "with --evaluate: write printed text to FILE, its error bounds to FILE.bounds", setText(o->evaluate.printed)},
       {"--argument-output", Value::Required, "N@FILE",
        "with --evaluate: write buffer argument N as .npy after the run", [o](const std::string &value) {
          o->evaluate.argumentOutputs.push_back(value);
          return Status();
        }}}};
}

static CommandLine commandLine(ToolOptions &options) {
  return CommandLine(
      kTool, "mica-compile FILE|- [flags]",
      "Compiles a program (.mlir, .mlirbc, or - for stdin) to an artifact: a folder with the program, its kernels and\n"
      "the IR after every pass. mica-run runs it. The phases are input, tensor, dispatch, schedule, kernel, lowered, "
      "object.",
      {outputFlags(options), recordFlags(options), stageFlags(options), editFlags(options), snapshotFlags(options),
       programFlags(options), evaluateFlags(options), switchFlags(options.switches)},
      "0  success\n"
      "1  wrong flag, input or file, or a system error; nothing is written\n"
      "2  internal error of Mica\n"
      "4  a pass exceeded --pass-time-limit");
}

/// Derives options from the flags; fails if they contradict each other.
static Status finishOptions(ToolOptions &options, const std::vector<std::string> &positional) {
  CompileOptions &compile = options.compile;
  if (!options.unpack.empty()) {
    if (!positional.empty())
      return Error{ErrorCode::InvalidInput, "--unpack-snapshots works on an artifact, not on " + joinNames(positional),
                   "mica-compile --unpack-snapshots=DIR"};
    const std::filesystem::path record = std::filesystem::path(options.unpack) / "passes_dump";
    if (std::filesystem::exists(record))
      options.unpack = record.string();
    return Status::ok();
  }
  if (!options.rebuild.folder.empty()) {
    if (!positional.empty())
      return Error{ErrorCode::InvalidInput, "--rebuild works on an artifact, not on " + joinNames(positional),
                   "mica-compile --rebuild=DIR"};
    return Status::ok();
  }
  if (!options.rebuild.reset.empty())
    return Error{ErrorCode::InvalidInput, "--reset belongs to --rebuild", "mica-compile --rebuild=DIR --reset"};
  if (positional.size() > 1)
    return Error{ErrorCode::InvalidInput, "one FILE at a time; given: " + joinNames(positional), "mica-compile --help"};
  if (positional.empty() == compile.resume.empty())
    return Error{ErrorCode::InvalidInput,
                 positional.empty() ? "no input file" : "--resume takes the program from the record, not from a FILE",
                 "mica-compile FILE.mlir, or - for the standard input; mica-compile --help"};
  if (!options.evaluates &&
      (!options.evaluate.entry.empty() || !options.evaluate.inputs.empty() || !options.evaluate.outputs.empty() ||
       !options.evaluate.argumentOutputs.empty() || options.evaluate.bounds || options.evaluate.checkUndefined ||
       options.evaluate.why.isAsked()))
    return Error{ErrorCode::InvalidInput,
                 "--entry, --input, --output, --argument-output, --bounds, --why, --who-uses and --check-ub belong to "
                 "--evaluate",
                 "a compile takes all entries and no values; mica-run FILE --input=... compiles and runs"};
  if (!positional.empty())
    compile.input = options.evaluate.input = positional.front();
  if (!options.inputName.empty() && (compile.input != "-" || options.evaluates))
    return Error{ErrorCode::InvalidInput, "--input-name=" + options.inputName + " names the standard input",
                 "mica-compile - --input-name=FILE < COPY"};
  if (!compile.textHash.empty() && !compile.resume.empty())
    return Error{ErrorCode::InvalidInput, "--input-hash is of a FILE, and --resume has none", "leave it out"};
  if (compile.to && compile.emit == Emit::Artifact && *compile.to != Phase::Object)
    compile.emit = Emit::Mlir;
  if (compile.to && compile.emit != Emit::Mlir && *compile.to != Phase::Object)
    return Error{ErrorCode::InvalidInput, "--emit=llvm, asm and ptx need phase object", "leave out --compile-to"};
  if (compile.memoryLimit >= 0 && (compile.emit != Emit::Artifact || options.evaluates))
    return Error{ErrorCode::InvalidInput, "--memory-limit is about the run of an artifact, and none is made",
                 "leave it out, or leave out --emit, --compile-to and --evaluate"};
  if (!compile.specialize.empty() &&
      (compile.plain || !compile.resume.empty() || compile.from || compile.specialize.find(':') == std::string::npos))
    return Error{ErrorCode::InvalidInput, "--specialize=" + compile.specialize + ": cannot be done",
                 "--specialize=main:0.0=32, with a program as it was written: not with --plain, --resume or "
                 "--compile-from"};
  if (Status status = checkShardFlag(compile); !status)
    return status;
  if (!compile.addedPasses.empty() && (compile.plain || !compile.resume.empty()))
    return Error{ErrorCode::InvalidInput, "--add-passes adds to the pipeline, which --plain and --resume do not build",
                 "remove it; mica-opt runs passes on snapshots"};
  if (!compile.kernelsAt.empty() && compile.resume.empty())
    return Error{ErrorCode::InvalidInput, "--kernels-at takes kernels from a record, and there is none",
                 "--resume=DIR:0042 --kernels-at=0041:NAME"};
  if (compile.plain && !compile.plainKernels.empty())
    return Error{ErrorCode::InvalidInput, "--plain-kernels names some kernels, and --plain compiles all of them so",
                 "leave out one of them"};
  if (compile.plain && (compile.from || compile.to))
    return Error{
        ErrorCode::InvalidInput, "--plain knows no phases: it lowers FILE, whatever its phase, to code",
        "leave out --compile-from and --compile-to; mica-opt --mica-reference-lowering prints the LLVM dialect"};
  if (compile.from && compile.to && *compile.from >= *compile.to)
    return Error{ErrorCode::InvalidInput,
                 "nothing to do: --compile-from=" + phaseName(*compile.from).str() +
                     " is not before --compile-to=" + phaseName(*compile.to).str(),
                 "the phases are input, tensor, dispatch, schedule, kernel, lowered, object"};
  if (compile.emit == Emit::Artifact && compile.output.empty())
    compile.output = defaultOutput(compile.resume.empty() ? compile.input : "resumed");
  if (options.evaluatesOps) {
    if (options.compile.output.empty() || options.compile.output == "-")
      return Error{ErrorCode::InvalidInput, "--evaluate=ops writes files", "give -o DIR"};
    options.evaluate.opsFolder = options.compile.output;
  }
  return Status::ok();
}

/// Reads the program if it is the standard input or needs a hash. From here on it has its file's name.
static Status readGivenText(ToolOptions &options) {
  CompileOptions &compile = options.compile;
  if (options.inputName.empty() && compile.textHash.empty())
    return Status::ok();
  MICA_ASSIGN_OR_RETURN(std::string text, readFile(compile.input));
  if (const std::string hash = hashHex(text); !compile.textHash.empty() && hash != compile.textHash)
    return Error{ErrorCode::InvalidInput,
                 (options.inputName.empty() ? compile.input : options.inputName) +
                     " is not the program that was to be compiled: its hash is " + hash + ", expected " +
                     compile.textHash,
                 "the file changed during the run: run again"};
  compile.text = std::make_shared<const std::string>(std::move(text));
  if (!options.inputName.empty())
    compile.input = options.inputName;
  return Status::ok();
}

/// The command as a user would type it: with the file name if the standard input is a copy of it.
static std::vector<std::string> shownCommand(const ToolOptions &options, int argc, char **argv) {
  std::vector<std::string> command(argv, argv + argc);
  if (options.inputName.empty())
    return command;
  std::erase_if(command, [](const std::string &argument) {
    return argument.starts_with("--input-name=") || argument.starts_with("--input-hash=");
  });
  std::replace(command.begin() + 1, command.end(), std::string("-"), options.inputName);
  return command;
}

/// Warns about switches without effect, unless they come from a file, which is for all tools.
static void warnOfSwitches(const Switches &debug, const CompileOptions &compile, bool hasWarps, bool isSimulated) {
  if (debug.isSet(Switch::NanCheck) && !compile.nanCheck && !isFromFile(debug.source(Switch::NanCheck)))
    printWarning(kTool, "the switch nan-check has no effect in mica-compile with --target=" + compile.target +
                            ": it acts when a program runs (mica-run)");
  if (debug.flag(Switch::AllowTf32) && !hasWarps && !isFromFile(debug.source(Switch::AllowTf32)))
    printWarning(kTool, "the switch allow-tf32 has no effect without --target=cuda or --target=sim");
  for (Switch which : {Switch::SimCheck, Switch::SimKernel})
    if (!isSimulated && debug.isSet(which) && !isFromFile(debug.source(which)))
      printWarning(kTool, "the switch " + std::string(switchTable()[size_t(which)].name) +
                              " has no effect without --target=sim");
}

/// Applies the switches to the options.
static void applyDebug(const Switches &debug, CompileOptions &compile) {
  compile.assertLevel = debug.text(Switch::AssertLevel);
  compile.simChecks = debug.text(Switch::SimCheck);
  compile.simKernels = debug.text(Switch::SimKernel);
  compile.proveChecks = debug.flag(Switch::CheckProofs);
  compile.trackReads = debug.flag(Switch::UninitializedReadCheck);
  compile.allowTf32 = debug.flag(Switch::AllowTf32);
  // Null if the target does not exist, which the compile reports.
  const TargetInfo *target = findTarget(compile.target);
  const bool hasWarps = target && target->hasWarps, isSimulated = target && target->isSimulated;
  const bool hasReplays = target && !target->isCompiledOnly;
  compile.nanCheck = !debug.text(Switch::NanCheck).empty() && hasReplays;
  compile.dumpExact = debug.flag(Switch::DumpExact) && hasReplays;
  compile.dumpMaterialize = debug.text(Switch::DumpMaterialize);
  warnOfSwitches(debug, compile, hasWarps, isSimulated);
}

static void printHelp(const CommandLine &line) {
  llvm::outs() << line.helpText() << (line.helpAllWanted() ? "\nPhases\n" : "");
  for (const PhaseInfo &info : line.helpAllWanted() ? allPhases() : llvm::ArrayRef<PhaseInfo>())
    llvm::outs() << "  " << info.name << std::string(10 - info.name.size(), ' ') << info.description << "\n";
}

/// Tells the signal handlers where the output folder is, and what is running.
static void connectSignals(ToolOptions &options, int argc, char **argv, SignalGuard &signals) {
  options.compile.onFolder = [&](const std::filesystem::path &folder, const std::filesystem::path &failed) {
    signals.setFolder(folder, failed);
  };
  // The standard input can be read again if it is a copy.
  if (options.compile.dump == DumpMode::Off && options.compile.input != "-") {
    std::vector<std::string> recording(argv, argv + argc);
    std::erase_if(recording, [](const std::string &flag) { return flag.starts_with("--dump-passes="); });
    recording.push_back("--dump-passes=passes");
    signals.setRerun(std::move(recording));
  }
  if (options.passTimeLimit > 0)
    signals.limitPasses(options.passTimeLimit);
  options.compile.holdInterrupts = [&] { return signals.hold(); };
  options.compile.onActivity = [&](const std::string &text) { signals.setActivity(text); };
  options.compile.onCode = [&](const std::string &unit, bool begins) { signals.setCode(unit, begins); };
}

static Status loadPlugins(const std::vector<std::string> &files) {
  for (const std::string &file : files) {
    llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(file);
    if (!plugin)
      return Error{ErrorCode::InvalidInput, "cannot load '" + file + "': " + llvm::toString(plugin.takeError()),
                   "give a plugin of passes, built with this LLVM"};
    plugin->registerPassRegistryCallbacks();
  }
  return Status::ok();
}

static Status runTool(int argc, char **argv, SignalGuard &signals, trace::ToolTrace &trace) {
  ToolOptions options;
  CommandLine line = commandLine(options);
  MICA_ASSIGN_OR_RETURN(std::vector<std::string> positional, line.parse(argc, argv));
  if (line.helpWanted()) {
    printHelp(line);
    return Status::ok();
  }
  if (line.versionWanted()) {
    llvm::outs() << "mica-compile " << micaVersion() << "\nLLVM version " << llvmVersion() << "\n";
    return Status::ok();
  }
  if (options.printsBuild) {
    MICA_ASSIGN_OR_RETURN(const std::string build, printBuild());
    llvm::outs() << build;
    return Status::ok();
  }
  constexpr SwitchPhase kPhases[] = {SwitchPhase::Compile};
  MICA_ASSIGN_OR_RETURN(std::optional<Switches> debug, applySwitches(options.switches, kTool, kPhases));
  if (!debug)
    return Status::ok();
  applyDebug(*debug, options.compile);
  MICA_RETURN_IF_ERROR(finishOptions(options, positional));
  MICA_RETURN_IF_ERROR(readGivenText(options));
  options.compile.commandLine = shownCommand(options, argc, argv);
  const bool makesArtifact = !options.lists && !options.evaluates && options.unpack.empty() &&
                             options.rebuild.folder.empty() && options.compile.emit == Emit::Artifact;
  if (!makesArtifact)
    trace.begin();
  for (const std::string &path :
       {options.compile.input, options.compile.resume, options.unpack, options.rebuild.folder})
    trace.file("read", path);
  if (options.lists)
    return listEntries(options.compile.input);
  if (options.evaluates)
    return evaluate(options.evaluate);
  connectSignals(options, argc, argv, signals);
  registerAllPasses();
  MICA_RETURN_IF_ERROR(loadPlugins(options.compile.plugins));
  if (!options.unpack.empty())
    return unpackRecord(options.unpack);
  if (!options.rebuild.folder.empty())
    return rebuild(options.rebuild);
  if (makesArtifact)
    trace.leave(); // the compile has its own log
  if (options.compile.from == Phase::Object && std::filesystem::is_directory(options.compile.input))
    return linkAgain(options.compile);
  return compile(options.compile);
}

int compiler::runCompileTool(int argc, char **argv) {
  keepFreedMemory();
  makeOutOfMemoryAnError(kTool);
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::setBugReportMsg(kBugReport);
  // LLVM's streams, which print diagnostics, ignore the variable.
  if (environmentValue("NO_COLOR"))
    llvm::errs().enable_colors(false);
  SignalGuard signals;
  handleTruncation(kTool.data());
  // After LLVM has installed its handler for the signal.
  makeFileSizeLimitAnError();
  trace::ToolTrace trace(kTool, argc, argv);
  Status status = runTool(argc, argv, signals, trace);
  // If an interrupt is being handled, print nothing: errors would be about the removed folder.
  auto held = signals.hold();
  llvm::outs().flush();
  if (status && llvm::outs().has_error()) {
    status = Error{ErrorCode::Io, "cannot write the standard output: " + llvm::outs().error().message(),
                   "is the disk full?"};
  }
  llvm::outs().clear_error();
  if (const std::string warning = logWarnings(); !warning.empty())
    printWarning(kTool, warning);
  const int code = status ? 0 : exitCode(status.error().code);
  if (!status)
    printError(kTool, status.error());
  trace.end(code, status ? nullptr : &status.error());
  return code;
}
