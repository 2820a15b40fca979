//===- BisectOptions.cpp - what a call of mica-bisect asks for ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/BisectOptions.h"

#include "mica/Support/Paths.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/ADT/StringExtras.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

std::vector<FlagGroup> bisect::bisectFlags(BisectOptions &options) {
  auto setFalse = [](bool &target) {
    return [&target](const std::string &) {
      target = false;
      return Status::ok();
    };
  };
  return {
      {"Program",
       {{"--entry", Flag::Value::Required, "NAME",
         "function to run (default: main, or the only one that nothing calls)", setText(options.entry)},
        {"--input", Flag::Value::Required, "VALUE", "value of the next argument: @x.npy, 0.5, 4x8xf32=0.5, random:SEED",
         [&](const std::string &value) {
           options.inputs.push_back(value);
           return Status::ok();
         }}}},
      {"Pipeline",
       {{"--pipeline", Flag::Value::Required, "PIPELINE",
         "pipeline to bisect: 'builtin.module(...)', '--cse --inline' or 'cse,inline'\n"
         "It may go down to the LLVM dialect, or stop anywhere before.",
         setText(options.pipeline)},
        {"--against", Flag::Value::Required, "PIPELINE",
         "bisect this pipeline too: which of the two is wrong is found out", setText(options.against)},
        {"--passes-of", Flag::Value::Required, "RECORD",
         "bisect a record of mica-opt --record instead; FILE may be left out", setText(options.record)},
        {"--opt", Flag::Value::Required, "CMD",
         "compiler to drive, with --run: 'iree-opt --flag'; gets FILE, the flags of\n"
         "some passes and -o OUTPUT. --pipeline may be flags: '--canonicalize --cse'.",
         setText(options.commands.opt)},
        {"--run", Flag::Value::Required, "CMD", "prints what a program computes, with --opt; gets FILE",
         setText(options.commands.run)},
        {"--load-pass-plugin", Flag::Value::Required, "FILE", "load an MLIR pass plugin", setText(options.plugin)}}},
      {"Mica's own pipeline, where no other is given",
       {{"--target", Flag::Value::Required, "cpu|sim,...",
         "target to compile for (default: cpu); several are compared\n"
         "As mica-compile takes it.",
         [&](const std::string &value) {
           for (llvm::StringRef name : llvm::split(value, ','))
             options.targets.push_back(name.str());
           return Status::ok();
         }},
        {"-O", Flag::Value::Required, "0..3", "level of optimization (default: 3)",
         [&](const std::string &value) {
           options.compileFlags.push_back("-O" + value);
           return Status::ok();
         }},
        {"--add-passes", Flag::Value::Required, "PHASE:PIPELINE", "as mica-compile takes it; may be repeated",
         [&](const std::string &value) {
           options.compileFlags.push_back("--add-passes=" + value);
           return Status::ok();
         }},
        {"--load-llvm-pass-plugin", Flag::Value::Required, "FILE", "load an LLVM pass plugin into code generation",
         setText(options.llvmPlugin)},
        {"--axis", Flag::Value::Required, "NAME,...",
         "search these alone: pass, kernel, llvm, threads, input (default: all)\n"
         "pass: states after passes. kernel: some kernels by the reference lowering. llvm: LLVM's passes on one\n"
         "kernel. threads: numbers of threads, orders of the simulator. input: the elements that show it.",
         [&](const std::string &value) -> Status {
           MICA_ASSIGN_OR_RETURN(options.axes, parseAxes(value));
           return Status::ok();
         }}}},
      {"Precision",
       {{"--precision", Flag::Value::Optional, "LIMIT",
         "find the ops whose wider type brings the error of the results under LIMIT\n"
         "In relative L2 against f64; default: a tenth of the error. Instead of a pipeline.",
         [&](const std::string &value) -> Status {
           options.precision = 0;
           if (value.empty())
             return Status::ok();
           MICA_ASSIGN_OR_RETURN(options.precision, parseFlagNumber("--precision", value));
           return Status::ok();
         }}}},
      {"Output",
       {{"-o", Flag::Value::Required, "DIR",
         "folder of the report (default: build_output/NAME-verdict)\n"
         "report.md for a tracker, test.mlir, input.mlir, verdict.json.",
         setText(options.output)},
        {"--no-report", Flag::Value::None, "", "write no report", setFalse(options.report)},
        {"--strip", Flag::Value::None, "", "leave names and weights out of the report", setTrue(options.strip)},
        {"--no-reduce", Flag::Value::None, "", "do not reduce the input of the pass",
         setFalse(options.settings.reduce)},
        {"--verbose", Flag::Value::None, "", "print what each state of the program gives", setTrue(options.verbose)}}},
      {"Limits",
       {{"--budget", Flag::Value::Required, "SECONDS", "time limit for the reduction, in seconds (default: 60)",
         setNumber("--budget", options.settings.reduction.seconds)},
        {"--resume", Flag::Value::None, "",
         "go on with a reduction where an earlier call was out of time, or was ended\n"
         "Needs the same program, pipeline and inputs, and the cache.",
         setTrue(options.settings.reduction.resumes)},
        {"--run-seconds", Flag::Value::Required, "SECONDS",
         "time limit for one run of the program, in seconds (default: 30)",
         setNumber("--run-seconds", options.limits.seconds)},
        {"--memory", Flag::Value::Required, "SIZE", "memory limit for one run of the program (default: 8G)",
         setByteCount("--memory", options.limits.memoryBytes)},
        {"--no-cache", Flag::Value::None, "", "run states again whose outcome is known", setFalse(options.useCache)}}},
      logFlags(options.switches)};
}

Status bisect::checkArguments(const BisectOptions &options, const std::vector<std::string> &words) {
  const std::string usage = "usage: mica-bisect FILE [--pipeline='builtin.module(...)']; see mica-bisect --help";
  if (words.size() > 1)
    return Error{ErrorCode::InvalidInput, "got " + std::to_string(words.size()) + " files, expected 1", usage};
  if (words.empty() && options.record.empty())
    return Error{ErrorCode::InvalidInput, "no program given", usage};
  if (options.precision) {
    if (!options.pipeline.empty() || !options.record.empty() || !options.commands.opt.empty() || words.empty())
      return Error{ErrorCode::InvalidInput, "--precision takes a program, and no pipeline",
                   "mica-bisect FILE --precision"};
    return Status::ok();
  }
  if (!options.pipeline.empty() && !options.record.empty())
    return Error{ErrorCode::InvalidInput, "--pipeline and --passes-of are both given", "give one of them"};
  const bool isOwn = options.pipeline.empty() && options.record.empty();
  if (isOwn && !(options.commands.opt.empty() && options.commands.run.empty() && options.against.empty()))
    return Error{ErrorCode::InvalidInput, "no pipeline given", usage};
  if (!isOwn && !(options.targets.empty() && options.compileFlags.empty() && options.llvmPlugin.empty()))
    return Error{ErrorCode::InvalidInput,
                 "--target, -O, --add-passes and --load-llvm-pass-plugin are for Mica's own pipeline, and another one "
                 "is given",
                 "leave out --pipeline and --passes-of, or these"};
  if (options.commands.opt.empty() != options.commands.run.empty())
    return Error{ErrorCode::InvalidInput,
                 options.commands.opt.empty() ? "--run is given without --opt" : "--opt is given without --run",
                 "--opt=CMD runs the passes, --run=CMD prints what the program computes"};
  if (options.commands.opt.empty())
    return Status::ok();
  for (const auto &[flag, isGiven] :
       {std::pair("--passes-of", !options.record.empty()), std::pair("--entry", !options.entry.empty()),
        std::pair("--input", !options.inputs.empty()), std::pair("--load-pass-plugin", !options.plugin.empty()),
        std::pair("--strip", options.strip)})
    if (isGiven)
      return Error{ErrorCode::InvalidInput, std::string(flag) + " has no effect with --opt and --run",
                   "leave it out; the commands may have what they need"};
  return Status::ok();
}

std::vector<std::string> bisect::pluginFlags(const BisectOptions &options) {
  std::vector<std::string> flags;
  if (!options.plugin.empty())
    flags.push_back("--load-pass-plugin=" + options.plugin);
  if (!options.llvmPlugin.empty())
    flags.push_back("--load-llvm-pass-plugin=" + options.llvmPlugin);
  return flags;
}

Status bisect::loadPlugins(const std::vector<std::string> &given, std::vector<std::string> &flags) {
  for (const std::string &flag : given) {
    llvm::StringRef file = flag;
    if (!file.consume_front("--load-pass-plugin="))
      continue;
    llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(file.str());
    if (!plugin)
      return Error{ErrorCode::InvalidInput, "cannot load '" + file.str() + "': " + llvm::toString(plugin.takeError()),
                   "give a plugin as for mlir-opt --load-pass-plugin"};
    plugin->registerPassRegistryCallbacks();
    flags.push_back(flag);
  }
  return Status::ok();
}

Status bisect::loadTestPasses(const BisectOptions &options, std::vector<std::string> &flags) {
  auto isUnknown = [](llvm::StringRef name) {
    return name.starts_with("test-") && !mlir::PassInfo::lookup(name) && !mlir::PassPipelineInfo::lookup(name);
  };
  // A list of passes, flags, or commands: any word may be one.
  bool isWanted = false;
  for (llvm::StringRef text : {llvm::StringRef(options.pipeline), llvm::StringRef(options.against)})
    while (!text.empty()) {
      const llvm::StringRef word = text.take_while([](char c) { return llvm::isAlnum(c) || c == '-'; });
      isWanted |= isUnknown(word.ltrim('-'));
      text = text.drop_front(std::max<size_t>(1, word.size()));
    }
  if (!isWanted)
    return Status::ok();
  const fs::path libraries = executablePath().parent_path().parent_path() / "lib";
  for (const fs::path &folder : {libraries, libraries / "mica"})
    if (const fs::path plugin = folder / kTestPasses; fs::exists(plugin))
      return loadPlugins({"--load-pass-plugin=" + plugin.string()}, flags);
  return Status::ok();
}

fs::path bisect::outcomesFolder(const BisectOptions &options) {
  Result<fs::path> folder = cacheFolder();
  return folder && options.useCache ? *folder / "outcomes" : fs::path();
}

fs::path bisect::reportFolder(const BisectOptions &options, const std::string &program) {
  if (!options.output.empty())
    return options.output;
  return fs::path("build_output") / (fs::path(program == "-" ? "stdin" : program).stem().string() + "-verdict");
}
