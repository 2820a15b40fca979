//===- Options.cpp - the flags of mica-run -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Options.h"

#include "mica/Support/Text.h"

namespace mica::runtool {
namespace {

using Value = Flag::Value;

std::function<Status(const std::string &)> setPath(std::filesystem::path &target, std::string_view name) {
  return [&target, name](const std::string &value) -> Status {
    if (value.empty())
      return Error{ErrorCode::InvalidInput, std::string(name) + " needs a name", ""};
    target = value;
    return {};
  };
}

std::function<Status(const std::string &)> setTolerance(std::optional<double> &target, std::string_view name) {
  return [&target, name](const std::string &value) -> Status {
    MICA_ASSIGN_OR_RETURN(target, parseFlagNumber(name, value));
    return {};
  };
}

Status addOutput(Options &options, const std::string &value) {
  if (!value.starts_with("@") || value.size() == 1)
    return Error{ErrorCode::InvalidInput, "--output=" + value + ": not a file",
                 "a file is written with @ in front: --output=@result.npy"};
  options.outputs.push_back(splitArchiveMember(std::string_view(value).substr(1)));
  return {};
}

/// The file after the @ of `value`, which must be one of named tensors.
Result<std::filesystem::path> parseArchiveFlag(std::string_view name, const std::string &value) {
  const std::string shown = std::string(name) + "=" + value;
  if (!value.starts_with("@"))
    return Error{ErrorCode::InvalidInput, shown + ": not a file",
                 "a file is written with @ in front: " + std::string(name) + "=@weights.safetensors"};
  const std::filesystem::path file = value.substr(1);
  if (!archiveForm(file))
    return Error{ErrorCode::InvalidInput, shown + ": not a file of named tensors",
                 "those end in .npz or .safetensors; one tensor alone is " +
                     std::string(name.substr(0, name.size() - 1)) + "=@x.npy"};
  return file;
}

Status addInput(Options &options, const std::string &value) {
  if (value.empty()) {
    options.inputs.emplace_back(std::nullopt);
    return {};
  }
  MICA_ASSIGN_OR_RETURN(InputSpec spec, parseInputSpec(value));
  options.inputs.emplace_back(std::move(spec));
  return {};
}

Status setCheckReference(Options &options, const std::string &value) {
  if (!value.empty() && value != "ops")
    return Error{ErrorCode::InvalidInput, "--check-reference=" + value + ": unknown value",
                 "--check-reference compares results, --check-reference=ops what every kernel wrote too"};
  options.checkOps = value == "ops";
  options.checkReference = true;
  return {};
}

FlagGroup programFlags(Options &options) {
  Options *o = &options;
  return {
      "What runs",
      {{"--entry", Value::Required, "NAME", "the function to run; of several, main is the default",
        [o](const std::string &value) {
          o->entry = value;
          return Status();
        }},
       {"--input", Value::Required, "VALUE",
        "once per argument, in order: @x.npy, @x.npz:NAME, @x.safetensors:NAME, 4x8xf32=0.5, 2x2xf32=1,2,3,4, "
        "random:SEED[:LO:HI]; left out: seeded random for floats, 0 for integers",
        [o](const std::string &value) { return addInput(*o, value); }},
       {"--inputs", Value::Required, "@FILE",
        "the arguments without --input by their names (else arg0, arg1, ...) from an .npz or .safetensors file, "
        "which "
        "is mapped, not copied; may be given for several files",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(std::filesystem::path file, parseArchiveFlag("--inputs", value));
          o->inputArchives.push_back(std::move(file));
          return {};
        }},
       {"--output", Value::Required, "@FILE",
        "once per result, in order: writes it instead of printing it, as .npy or into FILE.npz[:NAME] or "
        "FILE.safetensors[:NAME]",
        [o](const std::string &value) { return addOutput(*o, value); }},
       {"--outputs", Value::Required, "@FILE", "writes all results by name to an .npz or .safetensors file",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->outputArchive, parseArchiveFlag("--outputs", value));
          return {};
        }},
       {"--list", Value::None, "", "shows entries with their arguments and results, runs nothing", setTrue(o->list)},
       {"--list-devices", Value::None, "",
        "shows the devices that programs can run on here, and why one is missing; runs nothing",
        setTrue(o->listDevices)},
       {"--in-place", Value::None, "",
        "what the program stores to an argument is there in the next run of --repeat; without it each run begins "
        "with "
        "the inputs as given",
        setTrue(o->inPlace)},
       {"--threads", Value::Required, "N", "threads that compute; default: one per CPU",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->threads, parseFlagInteger("--threads", value, 1, 4096));
          return {};
        }},
       {"--verify", Value::None, "",
        "first holds every file of the artifact, whole, against its hash in manifest.json; without it what is loaded "
        "is "
        "verified, large weights by samples",
        setTrue(o->verify)},
       {"--from-snapshot", Value::Required, "NNNN",
        "runs the program as it was after pass NNNN of the record (0: the input), lowered by naive loops and "
        "upstream's conversions "
        "alone (needs mica-compile)",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->fromSnapshot, parseFlagInteger("--from-snapshot", value, 0, 999999));
          return {};
        }},
       {"--post-mortem", Value::Required, "FILE",
        "shows the launches that a run which crashed or hung left in FILE (launches.ledger in its folder), runs "
        "nothing",
        setPath(o->postMortem, "--post-mortem")},
       {"--doctor", Value::None, "",
        "tries every detector on faults planted in programs that came with this build, and on clean twins; prints "
        "what "
        "each found and costs here; the switches in force count; exit code 3 where one fails",
        setTrue(o->doctor)},
       {"--json", Value::None, "", "with --doctor: the outcome as JSON", setTrue(o->json)},
       {"--run-dir", Value::Required, "DIR",
        "where the folder of this run goes, instead of DIR/runs (for artifacts that cannot be written to)",
        setPath(o->runDir, "--run-dir")}}};
}

FlagGroup checkFlags(Options &options) {
  Options *o = &options;
  return {
      "Checking",
      {{"--check-reference", Value::Optional, "ops",
        "compares the results with the reference evaluator's (needs mica-compile); =ops: also every tensor a kernel "
        "wrote with the ops fused into it, and names the first that differs; exit code 3 on a difference",
        [o](const std::string &value) { return setCheckReference(*o, value); }},
       {"--input-sets", Value::Required, "SET,...",
        "with --check-reference, where no input is given: the inputs made up, of exact (small whole numbers: sums "
        "without "
        "rounding), random, adversarial (mixed magnitudes, zeros of both signs, subnormals, ties, extreme integers; "
        "NaN and "
        "infinity in runs of their own); default: all three",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->inputSets, parseInputSets(value));
          return {};
        }},
       {"--check-passes", Value::None, "",
        "runs every recorded snapshot by the reference lowering on the same inputs, from the input down, and names "
        "the "
        "first "
        "pass whose result is not the reference's (needs mica-compile); exit code 3 if there is one",
        setTrue(o->checkPasses)},
       {"--golden-data", Value::Required, "DIR",
        "compares with DIR/out/0.npy, 1.npy, ...; DIR/in/0.npy, ... are the inputs where no --input is given. The "
        "folder "
        "`data` of a run has this form",
        setPath(o->goldenData, "--golden-data")},
       {"--rtol", Value::Required, "X",
        "with --atol: every element within atol + rtol * |expected|, as NumPy; instead of "
        "the tolerances by type (integers exact, rel-L2 f64 1e-12, f32 1e-5, f16 2e-3, bf16 1e-2)",
        setTolerance(o->tolerance.rtol, "--rtol")},
       {"--atol", Value::Required, "X", "see --rtol", setTolerance(o->tolerance.atol, "--atol")}}};
}

FlagGroup editFlags(Options &options) {
  Options *o = &options;
  return {
      "After edits by hand",
      {{"--watch", Value::None, "",
        "runs again whenever a file of the artifact, or the model, is saved; Ctrl-C ends it", setTrue(o->watch)},
       {"--reset", Value::Optional, "FILE",
        "first puts the compiler's own version of FILE (kernels/K/kernel.ll, passes_dump/..., relative to DIR) back, "
        "or of every file (needs mica-compile)",
        [o](const std::string &value) {
          o->reset = value.empty() ? "all" : value;
          return Status();
        }},
       {"--no-rebuild", Value::None, "", "runs the last build, whatever was edited since", setTrue(o->noRebuild)}}};
}

FlagGroup timeFlags(Options &options) {
  Options *o = &options;
  return {"Time",
          {{"--repeat", Value::Required, "N", "runs N times after a first run and prints median, fastest and slowest",
            [o](const std::string &value) -> Status {
              MICA_ASSIGN_OR_RETURN(o->repeat, parseFlagInteger("--repeat", value, 1, 1000000000));
              return {};
            }},
           {"--time", Value::None, "",
            "prints where the time went: load, run, kernels; and the compile, if there was one", setTrue(o->time)}}};
}

FlagGroup compileFlags(Options &options) {
  Options *o = &options;
  return {
      "Compiling a model",
      {{"-o", Value::Required, "DIR", "keeps the artifact in DIR instead of the cache", setPath(o->artifact, "-o")},
       {"--force", Value::None, "", "replaces an artifact in the -o folder", setTrue(o->force)},
       {"--no-cache", Value::None, "", "compiles again even if the cache has the artifact", setTrue(o->noCache)},
       {"--cache-stats", Value::None, "",
        "says what is in the cache and how often it served, after the run if a program is given",
        setTrue(o->cacheStatistics)},
       {"--clean", Value::None, "",
        "first removes from the cache all that no process uses; with no program to run that is all it does",
        setTrue(o->cleanCache)},
       {"-O", Value::Required, "0..3", "optimisation level",
        [o](const std::string &value) -> Status {
          MICA_RETURN_IF_ERROR(parseFlagInteger("-O", value, 0, 3).status());
          o->compileFlags.push_back("-O" + value);
          return {};
        }},
       {"--link", Value::Required, "LIB",
        "a shared library that has functions the program declares and calls, as of mica-compile; may be given for "
        "several",
        [o](const std::string &value) {
          o->compileFlags.push_back("--link=" + value);
          return Status();
        }},
       {"--transform", Value::Optional, "NAME",
        "runs the transform script @NAME of the file (default __transform_main) before compiling",
        [o](const std::string &value) -> Status {
          o->compileFlags.push_back("--transform" + (value.empty() ? "" : "=" + value));
          return {};
        }},
       {"--machine", Value::Required, "FILE",
        "compiles for the machine of a machine file (machine.json of an artifact), as of mica-compile",
        [o](const std::string &value) {
          o->compileFlags.push_back("--machine=" + value);
          return Status();
        }},
       {"--target", Value::Required, "NAME",
        "what to compile for, as of mica-compile: cpu, cpu:x86-64-v3, ..., sim (the simulator of GPU kernels), cuda",
        [o](const std::string &value) {
          o->compileFlags.push_back("--target=" + value);
          return Status();
        }}}};
}

} // namespace

CommandLine commandLine(Options &options) {
  return CommandLine(
      kTool, "mica-run DIR|FILE.mlir|- [flags]",
      "Runs the artifact in DIR. A model FILE.mlir (or - for the standard input) is compiled first by mica-compile, "
      "and\n"
      "the artifact kept in the cache. Results are printed as NumPy prints arrays.",
      {programFlags(options), checkFlags(options), editFlags(options), timeFlags(options), compileFlags(options),
       switchFlags(options.switches)});
}

Status finishOptions(Options &options, const std::vector<std::string> &positional) {
  if (options.json && !options.doctor)
    return Error{ErrorCode::InvalidInput, "--json shows nothing here", "it belongs to --doctor"};
  if (options.doctor && !positional.empty())
    return Error{ErrorCode::InvalidInput, "--doctor runs its own programs, and '" + positional[0] + "' was given",
                 "give one of them"};
  const bool runsNothing =
      options.listDevices || !options.postMortem.empty() || options.cleanCache || options.cacheStatistics;
  if (options.doctor || (runsNothing && positional.empty()))
    return {};
  if (positional.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 positional.empty() ? "nothing to run" : "several programs: " + joinNames(positional),
                 "usage: mica-run DIR|FILE.mlir [flags]; see mica-run --help"};
  options.program = positional[0];
  const bool checks = options.checkReference || options.checkPasses || !options.goldenData.empty();
  if ((options.tolerance.rtol || options.tolerance.atol) && !checks)
    return Error{ErrorCode::InvalidInput, "--rtol and --atol compare nothing here",
                 "give --check-reference, --check-passes or --golden-data=DIR too"};
  if (!options.inputSets.empty() && !options.checkReference)
    return Error{ErrorCode::InvalidInput, "--input-sets makes inputs for --check-reference",
                 "give --check-reference too"};
  if (!options.inputSets.empty() && (!options.inputs.empty() || !options.inputArchives.empty()))
    return Error{ErrorCode::InvalidInput, "--input-sets makes inputs up, --input and --inputs give them",
                 "give one of them"};
  if (options.checkPasses && options.fromSnapshot >= 0)
    return Error{ErrorCode::InvalidInput, "--check-passes runs all snapshots, --from-snapshot one", "give one of them"};
  if (options.noRebuild && !options.reset.empty())
    return Error{ErrorCode::InvalidInput, "--reset builds, --no-rebuild does not", "give one of them"};
  if (options.watch && options.program == "-")
    return Error{ErrorCode::InvalidInput, "--watch cannot watch the standard input", "give a file"};
  if (options.force && options.artifact.empty())
    return Error{ErrorCode::InvalidInput, "--force replaces the folder given with -o, and there is none",
                 "give -o DIR, or --no-cache to compile again"};
  return {};
}

} // namespace mica::runtool
