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
#include "lib/Compiler/Emit/BuildFiles.h"
#include "lib/Compiler/Emit/Stages.h"
#include "mica/Compiler/Driver/Compile.h"
#include "mica/Compiler/Program/Version.h"
#include "mica/Compiler/Rebuild/Rebuild.h"
#include "mica/Compiler/Snapshot/UnpackRecord.h"
#include "mica/Compiler/Targets/Target.h"
#include "mica/Compiler/Tools/EvaluateTool.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Log.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/Process.h"
#include "mica/Support/Targets.h"
#include "mica/Support/Text.h"
#include "mica/Support/ToolSwitches.h"
#include "mica/Trace/ToolTrace.h"
#include "passes/RegisterPasses.h"

#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
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
  double passTimeLimit = 0; ///< seconds; 0: none
  std::string inputName;    ///< of what the standard input is a copy of; "": of nothing
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
      "What is made",
      {{"-o", Value::Required, "DIR|FILE",
        "the artifact's folder (default build_output/NAME), or the file of what --emit prints (- for the standard "
        "output)",
        setText(o->compile.output)},
       {"--force", Value::None, "", "replaces an artifact in the folder whose files were edited by hand",
        setTrue(o->compile.force)},
       {"--target", Value::Required, targetSyntax(),
        "what code is made for: this machine, or every machine of a level (x86-64, x86-64-v2, x86-64-v3, x86-64-v4); "
        "the simulator of GPU kernels, those that Mica makes of the program (docs/Gpu.md) or those it has "
        "(gpu.launch, "
        "gpu.launch_func); NVIDIA's GPUs, as PTX (default sm_80); and compiled only, with nothing here that runs "
        "them, "
        "AMD's GPUs (default gfx90a) and SPIR-V as OpenCL has it",
        setText(o->compile.target)},
       {"--host-cpu", Value::Required, "LEVEL",
        "code of the CPU beside that of a GPU, or for the simulator, is for every machine of this level (x86-64, "
        "x86-64-v2, x86-64-v3, x86-64-v4) instead of this one",
        setText(o->compile.hostLevel)},
       {"--machine", Value::Required, "FILE",
        "takes processor and cache sizes from a machine file (machine.json of an artifact) instead of measuring this "
        "machine",
        setText(o->compile.machine)},
       {"--threads", Value::Required, "N", "threads that compile; default: one per CPU",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(int64_t threads, parseFlagInteger("--threads", value, 1, 4096));
          o->compile.threads = static_cast<int>(threads);
          return {};
        }},
       {"--plain", Value::None, "",
        "lowers the program by naive loops and upstream's conversions, with none of Mica's optimising passes; with "
        "--resume, "
        "from any snapshot of any phase",
        setTrue(o->compile.plain)},
       {"-O", Value::Required, "0..3", "0: no fusion, tiling or vectors; 1: fusion; 2: and vectors; 3 (default): all",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(int64_t level, parseFlagInteger("-O", value, 0, 3));
          o->compile.optLevel = static_cast<int>(level);
          return {};
        }},
       {"--link", Value::Required, "LIB",
        "a shared library that has functions the program declares and calls (once per library); the program finds it "
        "at run time where it lies now",
        [o](const std::string &value) -> Status {
          std::error_code code;
          const std::filesystem::path path = std::filesystem::canonical(value, code);
          if (code)
            return Error{ErrorCode::NotFound, "--link=" + value + ": " + code.message(),
                         "give the path of a .so file"};
          o->compile.libraries.push_back(path.string());
          return {};
        }},
       {"--transform", Value::Optional, "NAME",
        "runs the transform script @NAME of the file (default __transform_main); without it scripts are removed",
        [o](const std::string &value) -> Status {
          o->compile.transform = value.empty() ? "__transform_main" : value;
          return {};
        }},
       {"--specialize", Value::Required, "ENTRY:A.D=SIZE,...",
        "the program of ENTRY alone, with dimension D of argument A (both from 0) of size SIZE; runs as any other, "
        "on "
        "arguments of these sizes",
        setText(o->compile.specialize)},
       {"--add-passes", Value::Required, "PHASE:PIPELINE",
        "runs the pipeline on the program when PHASE (input to lowered) is done; recorded as all others",
        [o](const std::string &value) -> Status {
          auto [phaseText, pipeline] = llvm::StringRef(value).split(':');
          MICA_ASSIGN_OR_RETURN(Phase phase, parsePhaseFlag("--add-passes", phaseText.str()));
          if (pipeline.empty() || phase == Phase::Object)
            return Error{ErrorCode::InvalidInput, "--add-passes=" + value + ": no pipeline that could run there",
                         "--add-passes='tensor:func.func(cse)'; phase object has no passes"};
          o->compile.addedPasses.push_back({phase, pipeline.str()});
          return {};
        }},
       {"--load-pass-plugin", Value::Required, "FILE", "loads passes for --add-passes from a plugin of MLIR's kind",
        [o](const std::string &value) {
          o->compile.plugins.push_back(value);
          return Status();
        }}}};
}

static FlagGroup recordFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {"The record",
          {{"--dump-passes", Value::Required, "off|phases|passes|patterns",
            "snapshots kept in passes_dump: none, the last of each phase, all that a pass changed (default), or these "
            "and "
            "which rewrite pattern changed which op (slow)",
            [o](const std::string &value) -> Status {
              MICA_ASSIGN_OR_RETURN(o->compile.dump, parseChoice<DumpMode>("--dump-passes", value,
                                                                           {{"off", DumpMode::Off},
                                                                            {"phases", DumpMode::Phases},
                                                                            {"passes", DumpMode::Passes},
                                                                            {"patterns", DumpMode::Patterns}}));
              return {};
            }},
           {"--dump-format", Value::Required, "files|archive",
            "how snapshots lie in passes_dump: as plain .mlir files up to a sum of 64 MiB, and as an archive beyond it "
            "(default), "
            "or always as an archive, which mica-report --unpack makes files of",
            [o](const std::string &value) -> Status {
              MICA_ASSIGN_OR_RETURN(o->compile.archive,
                                    parseChoice<bool>("--dump-format", value, {{"files", false}, {"archive", true}}));
              return {};
            }},
           {"--pass-time-limit", Value::Required, "SECONDS",
            "ends the compile, with exit code 4, when one pass runs for longer; its input is kept",
            [o](const std::string &value) -> Status {
              llvm::StringRef text = value;
              if (text.getAsDouble(o->passTimeLimit) || !(o->passTimeLimit > 0))
                return Error{ErrorCode::InvalidInput, "--pass-time-limit=" + value + ": not a number of seconds",
                             "--pass-time-limit=60"};
              return {};
            }},
           {"--time", Value::None, "", "prints where the time went: a tree by phase, pass and kernel",
            setTrue(o->compile.time)}}};
}

static FlagGroup stageFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {
      "One stage",
      {{"--emit", Value::Required, "mlir|llvm|asm|ptx",
        "prints the IR, the LLVM IR or the assembly of kernels and host functions, or with --target=cuda the PTX of "
        "kernels alone, instead of making an artifact",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(
              o->compile.emit,
              parseChoice<Emit>("--emit", value,
                                {{"mlir", Emit::Mlir}, {"llvm", Emit::Llvm}, {"asm", Emit::Asm}, {"ptx", Emit::Ptx}}));
          return {};
        }},
       {"--compile-to", Value::Required, "PHASE",
        "stops after PHASE (input, tensor, dispatch, schedule, kernel, lowered) and prints the IR",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->compile.to, parsePhaseFlag("--compile-to", value));
          return {};
        }},
       {"--compile-from", Value::Required, "PHASE",
        "FILE is what PHASE gave: starts with the phase after it; of phase object, an artifact whose objects are "
        "linked again",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->compile.from, parsePhaseFlag("--compile-from", value));
          return {};
        }},
       {"--resume", Value::Required, "DIR[:NNNN]",
        "goes on from the snapshots of an artifact as they are now, after pass NNNN (default: the last), instead of "
        "a "
        "FILE",
        setText(o->compile.resume)},
       {"--mlir-print-debuginfo", Value::None, "", "prints IR with its locations, which hold the op ids",
        setTrue(o->compile.debugInfo)}}};
}

static FlagGroup editFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {"After edits by hand",
          {{"--rebuild", Value::Required, "DIR",
            "builds what follows from files of the artifact DIR that were edited: snapshots, "
            "kernels/*/kernel.{mlir,ll,s}, "
            "host/schedule.mlir, host/host.ll",
            setText(o->rebuild.folder)},
           {"--reset", Value::Optional, "FILE",
            "with --rebuild: first puts the compiler's own version back, of FILE (relative to DIR) or of every file",
            [o](const std::string &value) {
              o->rebuild.reset = value.empty() ? "all" : value;
              return Status();
            }}}};
}

static FlagGroup snapshotFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {"To look at snapshots",
          {{"--unpack-snapshots", Value::Required, "DIR",
            "makes the snapshots of the artifact DIR files (passes_dump/NNNN_*.mlir.zst), which every tool that reads "
            "one "
            "does by itself",
            setText(o->unpack)}}};
}

static FlagGroup programFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {"The program",
          {{"--input-name", Value::Required, "FILE",
            "with -: the standard input is a copy of FILE, which is named in errors and positions, and not opened",
            setText(o->inputName)},
           {"--input-hash", Value::Required, "HASH",
            "refuses to compile a program whose bytes have another hash (as mica-run asks for the bytes it looked up)",
            setText(o->compile.textHash)}}};
}

static FlagGroup evaluateFlags(ToolOptions &options) {
  ToolOptions *o = &options;
  using Value = Flag::Value;
  return {
      "Without compiling",
      {{"--print-build", Value::None, "",
        "prints which files the compiler's code comes from, itself and every library, each with its hash",
        setTrue(o->printsBuild)},
       {"--list", Value::None, "", "prints the program's entries with their arguments and results", setTrue(o->lists)},
       {"--evaluate", Value::Optional, "ops",
        "evaluates the program as parsed with the reference evaluator; =ops: also every op, to .npy files in the -o "
        "folder",
        [o](const std::string &value) -> Status {
          o->evaluates = true;
          if (!value.empty() && value != "ops")
            return Error{ErrorCode::InvalidInput, "--evaluate=" + value + ": unknown value",
                         "--evaluate or --evaluate=ops"};
          o->evaluatesOps = value == "ops";
          return {};
        }},
       {"--entry", Value::Required, "NAME", "with --evaluate: the function; of several, main is the default",
        setText(o->evaluate.entry)},
       {"--input", Value::Required, "VALUE",
        "with --evaluate, once per argument: @x.npy, 4x8xf32=0.5, 2x2xf32=1,2,3,4, random:SEED[:LO:HI]",
        [o](const std::string &value) {
          o->evaluate.inputs.push_back(value);
          return Status();
        }},
       {"--output", Value::Required, "@FILE",
        "with --evaluate, once per result: writes it as .npy instead of printing it",
        [o](const std::string &value) {
          o->evaluate.outputs.push_back(value);
          return Status();
        }},
       {"--bounds", Value::Optional, "narrow",
        "with --evaluate: beside each file of a result X.npy writes X.bound.npy, how far a right result may be from "
        "each "
        "element; =narrow: of code that accumulates floats narrower than f32 in their own type",
        [o](const std::string &value) -> Status {
          if (!value.empty() && value != "narrow")
            return Error{ErrorCode::InvalidInput, "--bounds=" + value + ": unknown value",
                         "--bounds or --bounds=narrow"};
          o->evaluate.bounds = true;
          o->evaluate.narrowAccumulators = value == "narrow";
          return {};
        }},
       {"--printed", Value::Required, "FILE",
        "with --evaluate: what the program prints goes to FILE, and the bound of each number in it to FILE.bounds",
        setText(o->evaluate.printed)},
       {"--argument-output", Value::Required, "N@FILE",
        "with --evaluate: writes what argument N, a buffer, holds at the end as .npy", [o](const std::string &value) {
          o->evaluate.argumentOutputs.push_back(value);
          return Status();
        }}}};
}

static CommandLine commandLine(ToolOptions &options) {
  return CommandLine(
      kTool, "mica-compile FILE|- [flags]",
      "Compiles a program (.mlir, .mlirbc, - for the standard input) to an artifact: a folder with the program, its "
      "kernels,\n"
      "and what every pass made of it. mica-run runs it.",
      {outputFlags(options), recordFlags(options), stageFlags(options), editFlags(options), snapshotFlags(options),
       programFlags(options), evaluateFlags(options), switchFlags(options.switches)});
}

/// What the flags come to; errors where they contradict each other.
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
                 positional.empty() ? "no FILE is given"
                                    : "--resume takes the program from the record, not from a FILE",
                 "mica-compile FILE.mlir, or - for the standard input; mica-compile --help"};
  if (!options.evaluates &&
      (!options.evaluate.entry.empty() || !options.evaluate.inputs.empty() || !options.evaluate.outputs.empty() ||
       !options.evaluate.argumentOutputs.empty() || options.evaluate.bounds))
    return Error{ErrorCode::InvalidInput,
                 "--entry, --input, --output, --argument-output and --bounds belong to --evaluate",
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
  if (!compile.specialize.empty() &&
      (compile.plain || !compile.resume.empty() || compile.from || compile.specialize.find(':') == std::string::npos))
    return Error{ErrorCode::InvalidInput, "--specialize=" + compile.specialize + ": cannot be done",
                 "--specialize=main:0.0=32, with a program as it was written: not with --plain, --resume or "
                 "--compile-from"};
  if (!compile.addedPasses.empty() && (compile.plain || !compile.resume.empty()))
    return Error{ErrorCode::InvalidInput, "--add-passes adds to the pipeline, which --plain and --resume do not build",
                 "leave it out; mica-opt runs any passes on a snapshot"};
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

/// Reads the program where it comes by the standard input or has to have a hash. From here on it has its file's name.
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
                 "it was saved in the meantime: run again"};
  compile.text = std::make_shared<const std::string>(std::move(text));
  if (!options.inputName.empty())
    compile.input = options.inputName;
  return Status::ok();
}

/// The command as a user would type it: the file that the standard input is a copy of in its place.
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

/// Switches that do not come from a file, which is for all tools, and have no effect.
static void warnOfSwitches(const Switches &debug, bool hasWarps, bool isSimulated) {
  const bool hasNanCheck = !debug.text(Switch::NanCheck).empty() && hasWarps;
  if (debug.isSet(Switch::NanCheck) && !hasNanCheck && debug.source(Switch::NanCheck) != SwitchSource::File)
    printWarning(kTool,
                 "the switch nan-check has no effect in mica-compile without --target=cuda or --target=sim: it acts "
                 "when a program runs (mica-run)");
  if (debug.flag(Switch::AllowTf32) && !hasWarps && debug.source(Switch::AllowTf32) != SwitchSource::File)
    printWarning(kTool, "the switch allow-tf32 has no effect without --target=cuda or --target=sim");
  for (Switch which : {Switch::SimCheck, Switch::SimKernel})
    if (!isSimulated && debug.isSet(which) && debug.source(which) != SwitchSource::File)
      printWarning(kTool, "the switch " + std::string(switchTable()[size_t(which)].name) +
                              " has no effect without --target=sim");
}

/// What the switches say of the compile.
static void applyDebug(const Switches &debug, CompileOptions &compile) {
  compile.assertLevel = debug.text(Switch::AssertLevel);
  compile.simChecks = debug.text(Switch::SimCheck);
  compile.simKernels = debug.text(Switch::SimKernel);
  compile.proveChecks = debug.flag(Switch::CheckProofs);
  compile.trackReads = debug.flag(Switch::UninitializedReadCheck);
  compile.allowTf32 = debug.flag(Switch::AllowTf32);
  // Null where the target does not exist, which the compile reports.
  const TargetInfo *target = findTarget(compile.target);
  const bool hasWarps = target && target->hasWarps, isSimulated = target && target->isSimulated;
  compile.nanCheck = !debug.text(Switch::NanCheck).empty() && hasWarps;
  warnOfSwitches(debug, hasWarps, isSimulated);
}

static void printHelp(const CommandLine &line) {
  llvm::outs() << line.helpText() << "\nPhases\n";
  for (const PhaseInfo &info : allPhases())
    llvm::outs() << "  " << info.name << std::string(10 - info.name.size(), ' ') << info.description << "\n";
}

/// What a signal needs to know of the compile: where its folder is, and what it is at.
static void connectSignals(ToolOptions &options, int argc, char **argv, SignalGuard &signals) {
  options.compile.onFolder = [&](const std::filesystem::path &folder, const std::filesystem::path &failed) {
    signals.setFolder(folder, failed);
  };
  // What came by the standard input can be read again where it is a copy.
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
    trace.leave(); // the compile has a log
  if (options.compile.from == Phase::Object && std::filesystem::is_directory(options.compile.input))
    return linkAgain(options.compile);
  return compile(options.compile);
}

int compiler::runCompileTool(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  // LLVM's streams, which print diagnostics, do not know the variable.
  if (environmentValue("NO_COLOR"))
    llvm::errs().enable_colors(false);
  SignalGuard signals;
  handleTruncation(kTool.data());
  // LLVM has taken the signal for itself, so only now.
  makeFileSizeLimitAnError();
  trace::ToolTrace trace(kTool, argc, argv);
  Status status = runTool(argc, argv, signals, trace);
  // An interrupt that is being served has the last word: errors are then those of a folder that went away.
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
