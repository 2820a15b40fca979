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

#include "lib/RunTool/Ranks.h"
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

/// "memory=4G,seconds=10", either of them, or "".
Status setSandbox(Options &options, const std::string &value) {
  SandboxLimits limits;
  for (const std::string &part : splitText(value, ',')) {
    if (part.empty())
      continue;
    const size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals), number = part.substr(std::min(equals + 1, part.size()));
    if (name == "seconds") {
      MICA_ASSIGN_OR_RETURN(limits.seconds, parseFlagNumber("--sandbox=seconds", number));
    } else if (const std::optional<int64_t> bytes = parseByteCount(number); name == "memory" && bytes && *bytes > 0) {
      limits.memoryBytes = *bytes;
    } else {
      return Error{ErrorCode::InvalidInput, "--sandbox=" + value + ": '" + part + "' is not a limit",
                   "write --sandbox, or limits such as --sandbox=memory=4G,seconds=10"};
    }
  }
  options.sandbox = limits;
  return {};
}

Status addOutput(Options &options, const std::string &value) {
  if (!value.starts_with("@") || value.size() == 1)
    return Error{ErrorCode::InvalidInput, "--output=" + value + ": not a file",
                 "a file is written with @ in front: --output=@result.npy"};
  options.outputs.push_back(splitArchiveMember(std::string_view(value).substr(1)));
  return {};
}

/// The file after the @ of `value`, which must be an archive of named tensors.
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

Status setGoldenForm(Options &options, const std::string &value) {
  if (value == "npy")
    options.goldenForm = GoldenForm::Npy;
  else if (value == "npz")
    options.goldenForm = GoldenForm::Npz;
  else if (value == "safetensors")
    options.goldenForm = GoldenForm::Safetensors;
  else
    return Error{ErrorCode::InvalidInput, "--golden-form=" + value + ": unknown value",
                 "the forms are npy, npz, safetensors"};
  return {};
}

FlagGroup programFlags(Options &options) {
  Options *o = &options;
  return {
      "Run",
      {{"--entry", Value::Required, "NAME", "function to run (default: the only entry, or main)",
        [o](const std::string &value) {
          o->entry = value;
          return Status();
        }},
       {"--input", Value::Required, "VALUE",
        "value of the next argument: @x.npy, 0.5, 4x8xf32=0.5, 2x2xf32=1,2,3,4, random:SEED\n"
        "Give it once per argument, in order. Numbers alone are of the argument's type. Also @x.pb of ONNX, "
        "@x.npz:NAME, @x.safetensors:NAME, random:SEED:LO:HI, and 4x8xf32: the default values in that shape. "
        "Default: seeded random values for floats, 0 for integers.",
        [o](const std::string &value) { return addInput(*o, value); }},
       {"--inputs", Value::Required, "@FILE",
        "read arguments by name from an .npz or .safetensors file\n"
        "For arguments without --input. Unnamed arguments are arg0, arg1, .... The file is mapped, not "
        "copied. May be repeated.",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(std::filesystem::path file, parseArchiveFlag("--inputs", value));
          o->inputArchives.push_back(std::move(file));
          return {};
        }},
       {"--output", Value::Required, "@FILE",
        "write the next result to FILE instead of printing it\n"
        "Give it once per result, in order. FILE is X.npy, X.npz[:NAME] or X.safetensors[:NAME].",
        [o](const std::string &value) { return addOutput(*o, value); }},
       {"--outputs", Value::Required, "@FILE", "write all results by name to an .npz or .safetensors file",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->outputArchive, parseArchiveFlag("--outputs", value));
          return {};
        }},
       {"--list", Value::None, "", "list entries with their arguments and results; run nothing", setTrue(o->list)},
       {"--deps", Value::Optional, "FILE",
        "compare the dependencies of tasks with what they access; run nothing\n"
        "Exit code 3 if one is missing: names both ops, the memory, and what to add to host/tasks.json. FILE.json or "
        "FILE.dot gets all tasks, dependencies and accesses to the same memory.",
        [o](const std::string &value) {
          o->deps = value;
          return Status();
        }},
       {"--memory-map", Value::Optional, "FILE.svg",
        "show the arena: its size, what is in use at its peak, and what would lower that; run nothing\n"
        "FILE.svg gets a picture, addresses by tasks. Exit code 3 if a tensor is written over another that is read "
        "later.",
        [o](const std::string &value) {
          o->memoryMap = value;
          return Status();
        }},
       {"--list-devices", Value::None, "", "list available devices, and why others are not; run nothing",
        setTrue(o->listDevices)},
       {"--in-place", Value::None, "",
        "keep stores to arguments between runs of --repeat\n"
        "Default: each run starts with the given inputs.",
        setTrue(o->inPlace)},
       {"--threads", Value::Required, "N", "number of compute threads (default: one per CPU)",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->threads, parseFlagInteger("--threads", value, 1, 4096));
          return {};
        }},
       {"--ranks", Value::Required, "N|threads",
        "of a program for several ranks: start N processes by mpirun, or run all ranks on threads of this one\n"
        "Default: threads, unless mpirun started this process. docs/Ranks.md.",
        [o](const std::string &value) { return setRanks(*o, value); }},
       {"--sandbox", Value::Optional, "memory=SIZE,seconds=N",
        "run in a process without network that writes to the folder of this run only\n"
        "For artifacts of others. Reads inputs, the artifact and system libraries; starts no program. Writes to the "
        "folders of --output and of logs too. Limits of address space and time are optional. Implies --no-rebuild.",
        [o](const std::string &value) { return setSandbox(*o, value); }},
       {"--verify", Value::None, "",
        "verify all files of the artifact against manifest.json first\n"
        "Default: files are verified when loaded, large weights by samples.",
        setTrue(o->verify)},
       {"--from-snapshot", Value::Required, "NNNN|PASS",
        "run the program as it was after pass NNNN of the record (0: the input)\n"
        "Or after a pass of this name. Uses the reference lowering; needs mica-compile.",
        setText(o->fromSnapshot)},
       {"--post-mortem", Value::Required, "FILE",
        "show the last launches of a run that crashed or hung; run nothing\n"
        "FILE is launches.ledger in the folder of that run.",
        setPath(o->postMortem, "--post-mortem")},
       {"--doctor", Value::None, "",
        "test all detectors on planted faults; exit code 3 if one fails\n"
        "Uses programs of this build and their correct twins. Prints what each detector found and what it "
        "costs. Switches are respected.",
        setTrue(o->doctor)},
       {"--json", Value::None, "", "with --doctor, --why and --who-uses: print JSON", setTrue(o->json)},
       {"--run-dir", Value::Required, "DIR",
        "folder for the files of this run (default: DIR/runs)\n"
        "For artifacts in read-only folders.",
        setPath(o->runDir, "--run-dir")}}};
}

/// A switch of dumps, which are of level 2 unless the command says otherwise.
Status setDump(Options *options, const std::string &assignment) {
  std::optional<std::string> &given = options->switches.debug;
  given = "dump-tensors=2," + (given ? *given + "," : "") + assignment;
  return {};
}

FlagGroup checkFlags(Options &options) {
  Options *o = &options;
  return {
      "Check",
      {{"--check-reference", Value::Optional, "ops",
        "compare results with the reference evaluator; =ops: also every kernel output\n"
        "Needs mica-compile. Exit code 3 on a difference; =ops names the first op that differs.",
        [o](const std::string &value) { return setCheckReference(*o, value); }},
       {"--input-sets", Value::Required, "SET,...",
        "inputs for --check-reference: exact, random, adversarial (default: all three)\n"
        "Only if no input is given. exact: small integers, whose sums are not rounded. adversarial: mixed "
        "magnitudes, signed zeros, subnormals, ties, extreme integers; NaN and infinity in separate runs.",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->inputSets, parseInputSets(value));
          return {};
        }},
       {"--check-passes", Value::None, "",
        "compare every snapshot with the reference; name the first wrong pass\n"
        "Runs each snapshot with the reference lowering on the same inputs. Needs mica-compile. Exit code 3 "
        "if a pass is wrong.",
        setTrue(o->checkPasses)},
       {"--check-deterministic", Value::Required, "N",
        "run N times on the same inputs, and name the first op whose result has other bits\n"
        "Compares hashes of all that kernels write. Exit code 3 if any differs.",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->checkDeterministic, parseFlagInteger("--check-deterministic", value, 2, 1000000));
          return {};
        }},
       {"--schedule", Value::Required, "ORDER",
        "run tasks one by one in another order: reverse, random:SEED, pct:SEED, delay:OP; compare results\n"
        "Any order that the dependencies allow has to give the same bits as that of the lists (in-order). Else the "
        "two tasks that must not be swapped are searched and named, and the order is kept: --schedule=@FILE repeats "
        "it. OP is an id, a kind, or a kernel. Exit code 3 if results differ.",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->schedule, artifact::parseSchedule(value));
          return {};
        }},
       {"--check-ub", Value::None, "",
        "look for undefined behavior before the run, on its inputs\n"
        "The reference evaluator follows poison, uninitialized memory and the life of buffers, and names the op "
        "where it begins and the one that makes it visible. Exit code 3 if there is any; nothing is run then. "
        "Needs mica-compile.",
        setTrue(o->checkUndefined)},
       {"--why", Value::Required, "ELEMENT",
        "show what an element was computed from: result0[3,7], %q[3,7], nan, largest\n"
        "The tree of ops and elements in the reference evaluator, with the values of this run beside them, and the "
        "first that disagrees. Also OP-ID[3,7]. nan: the first NaN of the results; largest: the element furthest "
        "from the reference. Exit code 3 if the element differs. Needs mica-compile.",
        setText(o->why)},
       {"--dump-exact", Value::None, "",
        "dump what fused kernels keep inside, too, computed beside them; docs/Dumps.md",
        [o](const std::string &) { return setDump(o, "dump-exact"); }},
       {"--dump-materialize", Value::Optional, "PATTERN+...",
        "dump with kernels that end behind operations: ids and kinds, default all",
        [o](const std::string &value) { return setDump(o, "dump-materialize" + (value.empty() ? "" : "=" + value)); }},
       {"--who-uses", Value::Required, "ELEMENT", "show which elements of which ops change if x[0,5] does",
        setText(o->whoUses)},
       {"--golden-data", Value::Required, "DIR",
        "compare results with stored ones: DIR of --save-golden, or DIR/out/0.npy, 1.npy, ...\n"
        "Inputs are the stored ones, unless --input is given. With golden.json, the run is repeated as it was: "
        "entry, threads, switches. The folder data of a run has the other form. Test data of ONNX models "
        "(DIR/input_0.pb, ..., DIR/output_0.pb, ...), golden.json by name, and an .npz or .safetensors file of "
        "results by name are taken too.",
        setPath(o->goldenData, "--golden-data")},
       {"--any-program", Value::None, "", "compare with golden data of another program with the same signature",
        setTrue(o->anyProgram)},
       {"--save-golden", Value::Required, "DIR",
        "keep this run: inputs, results, and the conditions of the run, in DIR/golden.json\n"
        "--golden-data=DIR repeats it. --force replaces the run that DIR keeps. --compare is kept too.",
        setPath(o->saveGolden, "--save-golden")},
       {"--golden-form", Value::Required, "npy|npz|safetensors", "files of --save-golden (default: npy)",
        [o](const std::string &value) { return setGoldenForm(*o, value); }},
       {"--compare", Value::Required, "METHOD,...",
        "how results are compared: exact, allclose, bad:SHARE, l2, cosine, topk:K, ulp:N\n"
        "With limits: allclose:RTOL:ATOL, bad:SHARE:RTOL:ATOL, l2:LIMIT, cosine:MIN, topk:K:SHARE. A result agrees "
        "if it passes all methods. Default: those of golden.json; by element type, see --rtol.",
        [o](const std::string &value) -> Status {
          MICA_ASSIGN_OR_RETURN(o->compare, parseCriteria(value));
          return {};
        }},
       {"--rtol", Value::Required, "X",
        "relative tolerance of comparisons (default: by element type)\n"
        "An element matches within atol + rtol * |expected|, as in NumPy. Defaults: integers exact; rel-L2 "
        "1e-12 for f64, 1e-5 for f32, 2e-3 for f16, 1e-2 for bf16.",
        setTolerance(o->tolerance.rtol, "--rtol")},
       {"--atol", Value::Required, "X", "absolute tolerance of comparisons; see --rtol",
        setTolerance(o->tolerance.atol, "--atol")}}};
}

FlagGroup editFlags(Options &options) {
  Options *o = &options;
  return {"Edit and rerun",
          {{"--watch", Value::None, "", "run again whenever the artifact or the model changes; Ctrl-C ends it",
            setTrue(o->watch)},
           {"--reset", Value::Optional, "FILE",
            "restore the compiler's version of FILE, or of all files, first\n"
            "FILE is relative to DIR: kernels/K/kernel.ll, passes_dump/.... Needs mica-compile.",
            [o](const std::string &value) {
              o->reset = value.empty() ? "all" : value;
              return Status();
            }},
           {"--no-rebuild", Value::None, "", "run the last build, even if files were edited", setTrue(o->noRebuild)}}};
}

FlagGroup timeFlags(Options &options) {
  Options *o = &options;
  return {"Time",
          {{"--repeat", Value::Required, "N", "run N more times; print median, fastest and slowest time",
            [o](const std::string &value) -> Status {
              MICA_ASSIGN_OR_RETURN(o->repeat, parseFlagInteger("--repeat", value, 1, 1000000000));
              return {};
            }},
           {"--time", Value::None, "", "print the time of load, run, each kernel, and the compile if any",
            setTrue(o->time)}}};
}

FlagGroup compileFlags(Options &options) {
  Options *o = &options;
  return {
      "Compile a model",
      {{"-o", Value::Required, "DIR", "keep the artifact in DIR instead of the cache", setPath(o->artifact, "-o")},
       {"--force", Value::None, "", "replace an artifact in the -o folder", setTrue(o->force)},
       {"--no-cache", Value::None, "", "recompile even if the cache has the artifact", setTrue(o->noCache)},
       {"--cache-stats", Value::None, "", "print size and hit rate of the cache, after the run if any",
        setTrue(o->cacheStatistics)},
       {"--clean", Value::None, "", "remove unused artifacts from the cache first; needs no program",
        setTrue(o->cleanCache)},
       {"-O", Value::Required, "0..3", "optimization level (default: 3)",
        [o](const std::string &value) -> Status {
          MICA_RETURN_IF_ERROR(parseFlagInteger("-O", value, 0, 3).status());
          o->compileFlags.push_back("-O" + value);
          return {};
        }},
       {"--link", Value::Required, "LIB",
        "link a shared library that has functions the program declares; may be repeated",
        [o](const std::string &value) {
          o->compileFlags.push_back("--link=" + value);
          return Status();
        }},
       {"--transform", Value::Optional, "NAME",
        "run the transform script @NAME before compiling (default: __transform_main)",
        [o](const std::string &value) -> Status {
          o->compileFlags.push_back("--transform" + (value.empty() ? "" : "=" + value));
          return {};
        }},
       {"--machine", Value::Required, "FILE", "compile for the machine of a machine file, machine.json of an artifact",
        [o](const std::string &value) {
          o->compileFlags.push_back("--machine=" + value);
          return Status();
        }},
       {"--memory-limit", Value::Required, "BYTES",
        "fail to compile if a run needs more memory for tensors, for example 2G; see mica-compile --help-all",
        [o](const std::string &value) -> Status {
          int64_t bytes = 0;
          MICA_RETURN_IF_ERROR(setByteCount("--memory-limit", bytes)(value));
          o->compileFlags.push_back("--memory-limit=" + value);
          return {};
        }},
       {"--target", Value::Required, "NAME",
        "target: cpu, cpu:LEVEL, sim, cuda[:sm_XX], opencl; see mica-compile --help-all",
        [o](const std::string &value) {
          o->compileFlags.push_back("--target=" + value);
          return Status();
        }}}};
}

} // namespace

CommandLine commandLine(Options &options) {
  return CommandLine(
      kTool, "mica-run DIR|FILE.mlir|- [flags]",
      "Runs a compiled program. A model (FILE.mlir, or - for stdin) is compiled first by mica-compile; its artifact "
      "is\n"
      "kept in the cache. Results are printed in NumPy's format.",
      {programFlags(options), checkFlags(options), editFlags(options), timeFlags(options), compileFlags(options),
       switchFlags(options.switches)},
      "0  success; all comparisons agree\n"
      "1  wrong flag, input or file, or a system error\n"
      "2  internal error of Mica\n"
      "3  a comparison differs, or a run-time check failed\n"
      "4  hang (switch hang-timeout)");
}

Status finishOptions(Options &options, const std::vector<std::string> &positional) {
  if (options.json && !options.doctor && options.why.empty() && options.whoUses.empty())
    return Error{ErrorCode::InvalidInput, "--json needs --doctor, --why or --who-uses", "use --doctor --json"};
  if (!options.why.empty() && !options.whoUses.empty())
    return Error{ErrorCode::InvalidInput, "--why cannot be combined with --who-uses", "use one of them"};
  if (options.doctor && !positional.empty())
    return Error{ErrorCode::InvalidInput, "--doctor takes no program, got '" + positional[0] + "'",
                 "use --doctor alone"};
  const bool runsNothing =
      options.listDevices || !options.postMortem.empty() || options.cleanCache || options.cacheStatistics;
  if (options.doctor || (runsNothing && positional.empty()))
    return {};
  if (positional.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 positional.empty() ? "no program given" : "expected one program, got " + joinNames(positional),
                 "use mica-run DIR, with the folder that mica-compile -o wrote; see mica-run --help"};
  options.program = positional[0];
  const bool checks = options.checkReference || options.checkPasses || !options.goldenData.empty();
  if ((options.tolerance.rtol || options.tolerance.atol) && !checks)
    return Error{ErrorCode::InvalidInput, "--rtol and --atol need a comparison",
                 "add --check-reference, --check-passes or --golden-data=DIR"};
  if (!options.compare.empty() && !options.checkReference && options.goldenData.empty() && options.saveGolden.empty())
    return Error{ErrorCode::InvalidInput, "--compare needs a comparison",
                 "add --golden-data=DIR, --check-reference or --save-golden=DIR"};
  if (!options.compare.empty() && (options.tolerance.rtol || options.tolerance.atol))
    return Error{ErrorCode::InvalidInput, "--compare cannot be combined with --rtol or --atol",
                 "write --compare=allclose:RTOL:ATOL"};
  if (options.anyProgram && options.goldenData.empty())
    return Error{ErrorCode::InvalidInput, "--any-program needs --golden-data", "add --golden-data=DIR"};
  if (!options.inputSets.empty() && !options.checkReference)
    return Error{ErrorCode::InvalidInput, "--input-sets needs --check-reference", "add --check-reference"};
  if (!options.inputSets.empty() && (!options.inputs.empty() || !options.inputArchives.empty()))
    return Error{ErrorCode::InvalidInput, "--input-sets cannot be combined with --input or --inputs",
                 "use one of them"};
  if (options.checkPasses && !options.fromSnapshot.empty())
    return Error{ErrorCode::InvalidInput, "--check-passes cannot be combined with --from-snapshot", "use one of them"};
  if (options.sandbox) {
    // These flags start a compiler, or keep this process running.
    const std::string other = options.checkReference     ? "--check-reference"
                              : options.checkPasses      ? "--check-passes"
                              : options.checkUndefined   ? "--check-ub"
                              : !options.why.empty()     ? "--why"
                              : !options.whoUses.empty() ? "--who-uses"
                              : options.watch            ? "--watch"
                              : !options.reset.empty()   ? "--reset"
                                                         : "";
    if (!other.empty())
      return Error{ErrorCode::InvalidInput, "--sandbox cannot be combined with " + other,
                   "a confined run starts no compiler; use one of them"};
    options.noRebuild = true;
  }
  if (options.noRebuild && !options.reset.empty())
    return Error{ErrorCode::InvalidInput, "--reset cannot be combined with --no-rebuild", "use one of them"};
  if (options.watch && options.program == "-")
    return Error{ErrorCode::InvalidInput, "--watch cannot watch stdin", "use --watch FILE.mlir"};
  if (options.force && options.artifact.empty() && options.saveGolden.empty())
    return Error{ErrorCode::InvalidInput, "--force needs -o DIR or --save-golden=DIR",
                 "add one of them, or use --no-cache to recompile"};
  return {};
}

} // namespace mica::runtool
