//===- Runner.cpp - runs states of a program ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Runner.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Runner.h"

#include "dialects/Mica/Reference/Evaluate.h"
#include "dialects/Mica/Reference/Refusal.h"
#include "dialects/Mica/Reference/SampledErrors.h"
#include "lib/IRTools/Forked.h"
#include "lib/IRTools/TestGenProbe.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/CompilerBuild.h"
#include "mica/Artifact/ComplexEntry.h"
#include "mica/Compare/Npy.h"
#include "mica/Compare/PrintedText.h"
#include "mica/Compiler/Program/EvaluatorForm.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

/// Outcomes that are kept from one bisection to the next; of more the oldest go.
static constexpr size_t kMaxCached = 8192;

static void evictOldest(const fs::path &cache) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry &file : fs::directory_iterator(cache, ignored))
    files.emplace_back(file.last_write_time(ignored), file.path());
  if (files.size() <= kMaxCached)
    return;
  llvm::sort(files);
  for (const auto &[time, file] : llvm::ArrayRef(files).take_front(files.size() - kMaxCached))
    fs::remove(file, ignored);
}

Result<Runner> Runner::create(Limits limits, fs::path scratch, fs::path cache) {
  Runner runner;
  runner.bounds = limits;
  runner.scratch = std::move(scratch);
  runner.cache = std::move(cache);
  MICA_ASSIGN_OR_RETURN(const fs::path compiler, findCompiler());
  runner.tools = compiler.parent_path();
  for (const char *name : {"mica-opt", "mica-run"})
    if (!fs::exists(runner.tool(name)))
      return Error{ErrorCode::Unsupported, "there is no " + std::string(name) + " in " + runner.tools.string(),
                   "install Mica's tools into one folder"};
  for (const fs::path &part : {compiler, runner.tool("mica-run"), executablePath()}) {
    MICA_ASSIGN_OR_RETURN(const std::string build, artifact::compilerBuild(part));
    runner.build += build;
  }
  if (!runner.cache.empty()) {
    MICA_RETURN_IF_ERROR(makeFolder(runner.cache));
    evictOldest(runner.cache);
  }
  return runner;
}

//===------------------------------------------------------------------------------------------------------------===//
// The cache
//===------------------------------------------------------------------------------------------------------------===//

std::string Runner::keyOf(const std::string &how, const std::string &text, const Entry &entry) const {
  Hasher hasher;
  for (const std::string &part : {build, how, entry.name, std::to_string(bounds.seconds),
                                  std::to_string(bounds.memoryBytes), std::to_string(entry.results.size()), text}) {
    hasher.update(std::to_string(part.size()) + ":");
    hasher.update(part);
  }
  for (const HostTensor &input : entry.inputs) {
    hasher.update(input.typeString());
    hasher.update(input.data.data(), input.data.size());
  }
  return hasher.hex();
}

std::optional<std::string> Runner::find(const std::string &key) {
  if (cache.empty())
    return std::nullopt;
  Result<std::string> text = readFile(cache / (key + ".json"));
  if (!text)
    return std::nullopt;
  ++known;
  return *text;
}

void Runner::keep(const std::string &key, const Outcome &outcome) {
  // A machine that has less to do may come to its end.
  if (outcome.status != Outcome::Status::TimedOut)
    keep(key, toText(outcome));
}

void Runner::keep(const std::string &key, const std::string &text) {
  if (cache.empty())
    return;
  (void)writeFileAtomic(cache / (key + ".json"), text); // Without it the next bisect runs the state again.
}

//===------------------------------------------------------------------------------------------------------------===//
// The reference evaluator
//===------------------------------------------------------------------------------------------------------------===//

std::string bisect::placeText(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  return place ? (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()) + ":" +
                  llvm::Twine(place.getColumn()))
                     .str()
               : "";
}

namespace {
/// While it lives, diagnostics of a context are kept here; the first error is what counts.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (text.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            const std::string place = placeText(diagnostic.getLocation());
            text = (place.empty() ? "" : place + ": ") + diagnostic.str();
          }
          return success();
        }) {}
  std::string text;

private:
  ScopedDiagnosticHandler handler;
};
} // namespace

/// The entry of `state`, in the form that the evaluator takes; null where that is not to be had.
static func::FuncOp evaluable(ModuleOp state, const Entry &entry, std::string &why) {
  Result<std::string> symbol = makeCallable(state, entry);
  if (!symbol) {
    why = symbol.error().message;
    return nullptr;
  }
  FirstError error(state.getContext());
  const bool isConverted = succeeded(compiler::convertForEvaluator(state));
  auto function = state.lookupSymbol<func::FuncOp>(*symbol);
  if (!isConverted || !function || failed(reference::checkEvaluable(function))) {
    why = error.text;
    return nullptr;
  }
  return function;
}

/// Inputs for arguments of the program as written that it may store to. What becomes a buffer later is nothing it can
/// see.
static SmallVector<size_t> buffersOf(const Entry &entry) {
  SmallVector<size_t> buffers;
  size_t input = 0;
  for (Type argument : entry.arguments)
    for (Type type : inputTypes(argument)) {
      if (isa<BaseMemRefType>(type))
        buffers.push_back(input);
      ++input;
    }
  return buffers;
}

static void nameResults(Outcome &outcome) {
  for (size_t i = 0; i < outcome.results.size(); ++i)
    outcome.names.push_back("result " + std::to_string(i));
}

static void addStored(Outcome &outcome, size_t argument, HostTensor tensor) {
  outcome.results.push_back(std::move(tensor));
  outcome.names.push_back("argument " + std::to_string(argument) + ", which is a buffer");
}

/// The bounds are those of one way to write an op on complex numbers, and a pass may take another, whose parts may lose
/// what the larger one rounds.
static void widenBounds(Outcome &outcome) {
  static constexpr double kOtherWay = 8, kOfLargest = 0x1p-22;
  double largest = 0;
  for (const HostTensor &result : outcome.results)
    for (int64_t i = 0; i < result.numElements(); ++i)
      if (const double size = std::abs(result.asDouble(i)); std::isfinite(size))
        largest = std::max(largest, size);
  for (auto [bounds, results] : llvm::zip_equal(outcome.bounds, outcome.results))
    for (int64_t i = 0; i < bounds.numElements(); ++i)
      bounds.setDouble(i, std::max({kOtherWay * bounds.asDouble(i), kPrintedTolerance * std::abs(results.asDouble(i)),
                                    kOfLargest * largest}));
  const std::vector<double> least = printedTolerances(outcome.printed, outcome.printed, kPrintedTolerance);
  double ofLargest = 0;
  for (const double tolerance : least)
    if (std::isfinite(tolerance))
      ofLargest = std::max(ofLargest, tolerance / kPrintedTolerance * kOfLargest);
  for (auto [bound, tolerance] : llvm::zip(outcome.printedBounds, least))
    bound = std::max({kOtherWay * bound, tolerance, ofLargest});
}

static bool hasComplexNumbers(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa_and_present<complex::ComplexDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

Outcome bisect::evaluateHere(ModuleOp state, const Entry &entry) {
  Outcome outcome;
  const bool isComplex = hasComplexNumbers(state);
  func::FuncOp function = evaluable(state, entry, outcome.message);
  if (!function)
    return outcome;
  FirstError error(state.getContext());
  reference::EvalOptions options;
  SmallVector<HostTensor> bounds, stored, storedBounds;
  SmallVector<double> printedBounds;
  options.bounds = &bounds;
  // Stock pipelines lower a sum of f16 to additions of f16.
  options.narrowAccumulators = true;
  options.bufferArguments = &stored;
  options.argumentBounds = &storedBounds;
  options.printed = &outcome.printed;
  options.printedBounds = &printedBounds;
  FailureOr<SmallVector<HostTensor>> results = reference::evaluate(function, entry.inputs, options);
  outcome.status = succeeded(results) ? Outcome::Status::Ran : Outcome::Status::Failed;
  outcome.message = error.text;
  if (failed(results)) {
    if (reference::isRefusal(error.text))
      outcome.status = Outcome::Status::Refused;
    return outcome;
  }
  reference::lowerLooseBounds(function, entry.inputs, options, *results, bounds);
  outcome.hasBounds = true;
  outcome.results.assign(results->begin(), results->end());
  outcome.bounds.assign(bounds.begin(), bounds.end());
  nameResults(outcome);
  for (size_t i : buffersOf(entry)) {
    addStored(outcome, i, std::move(stored[i]));
    outcome.bounds.push_back(std::move(storedBounds[i]));
  }
  outcome.printedBounds.assign(printedBounds.begin(), printedBounds.end());
  if (isComplex)
    widenBounds(outcome);
  return outcome;
}

/// An outcome for a child that did not end by itself.
static Outcome brokenOff(const irtools::Forked &forked, double seconds) {
  Outcome outcome;
  outcome.status = forked.ended ? Outcome::Status::Crashed : Outcome::Status::TimedOut;
  outcome.message = forked.ended ? "the evaluator was ended by " + std::string(strsignal(forked.signal))
                                 : llvm::formatv("it ran for longer than {0} s", seconds).str();
  return outcome;
}

Outcome Runner::evaluate(ModuleOp state, const Entry &entry) {
  const std::string key = keyOf("evaluate", irtools::printModule(state, /*withLocations=*/false), entry);
  if (std::optional<std::string> text = find(key))
    return fromText(*text);
  ++started;
  const irtools::Forked forked = irtools::runForked(
      [&] {
        OwningOpRef<ModuleOp> copy = cast<ModuleOp>(state->clone());
        return toText(evaluateHere(*copy, entry));
      },
      bounds.seconds, bounds.memoryBytes);
  const Outcome outcome = forked.ended && !forked.signal ? fromText(forked.text) : brokenOff(forked, bounds.seconds);
  keep(key, outcome);
  return outcome;
}

static llvm::json::Value placeJson(const std::optional<FoundPlace> &place) {
  if (!place)
    return nullptr;
  return llvm::json::Array{llvm::json::fixUTF8(place->op), llvm::json::fixUTF8(place->location),
                           llvm::json::fixUTF8(place->what)};
}

static std::optional<FoundPlace> placeOf(const llvm::json::Value &value) {
  const llvm::json::Array *parts = value.getAsArray();
  if (!parts || parts->size() != 3)
    return std::nullopt;
  auto text = [&](size_t i) { return (*parts)[i].getAsString().value_or("").str(); };
  return FoundPlace{text(0), text(1), text(2)};
}

Outcome bisect::interpretHere(ModuleOp state, const Entry &entry) {
  Outcome outcome;
  auto function = dyn_cast_or_null<FunctionOpInterface>(SymbolTable::lookupSymbolIn(state, entry.name));
  if (!function || function.isExternal() || function.getNumArguments() != 0 || !entry.results.empty())
    return outcome;
  if (FailureOr<std::string> printed = reference::printedByLowered(function); succeeded(printed)) {
    outcome.status = Outcome::Status::Ran;
    outcome.printed = *printed;
  }
  return outcome;
}

UndefinedFinding bisect::undefinedBehaviorHere(ModuleOp state, const Entry &entry) {
  UndefinedFinding finding;
  // Of the program as it is: for the evaluator, several ops may stand for one.
  // An op comes before those in it: its terminator may have its place.
  llvm::DenseMap<Location, SmallVector<StringRef, 2>> ops;
  state->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<UnknownLoc>(op->getLoc()))
      ops[op->getLoc()].push_back(op->getName().getStringRef());
  });
  func::FuncOp function = evaluable(state, entry, finding.why);
  if (!function)
    return finding;
  FirstError error(state.getContext());
  auto found = reference::findUndefinedBehavior(function, entry.inputs);
  finding.isKnown = succeeded(found);
  finding.why = error.text;
  if (failed(found) || !*found)
    return finding;
  auto place = [&](const reference::EvaluatedPlace &at) {
    FoundPlace found{at.op, placeText(at.location), at.what};
    // An error has the place of its op alone.
    if (auto it = ops.find(at.location); it != ops.end() && !llvm::is_contained(it->second, found.op))
      found.op = it->second.front().str();
    return found;
  };
  finding.origin = place((*found)->origin);
  finding.visible = place((*found)->visible);
  finding.isImmediate = (*found)->isImmediate;
  return finding;
}

UndefinedFinding Runner::undefinedBehavior(ModuleOp state, const Entry &entry) {
  // Snapshots lie in a folder that has another name in every call.
  std::string located = irtools::printModule(state, /*withLocations=*/true);
  for (size_t at = 0; (at = located.find(scratch.string(), at)) != located.npos;)
    located.erase(at, scratch.string().size());
  const std::string key = keyOf("undefined behavior", located, entry);
  std::optional<std::string> text = find(key);
  if (!text) {
    ++started;
    const irtools::Forked forked = irtools::runForked(
        [&] {
          OwningOpRef<ModuleOp> copy = cast<ModuleOp>(state->clone());
          const UndefinedFinding finding = undefinedBehaviorHere(*copy, entry);
          llvm::json::Value json =
              llvm::json::Array{finding.isKnown, llvm::json::fixUTF8(finding.why), placeJson(finding.origin),
                                placeJson(finding.visible), finding.isImmediate};
          return llvm::formatv("{0}", json).str();
        },
        bounds.seconds, bounds.memoryBytes);
    if (!forked.ended || forked.signal)
      return {false, brokenOff(forked, bounds.seconds).message, {}, {}};
    text = forked.text;
    keep(key, *text);
  }
  UndefinedFinding finding;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(*text);
  if (!json) {
    llvm::consumeError(json.takeError());
    return finding;
  }
  if (const llvm::json::Array *parts = json->getAsArray(); parts && parts->size() == 5) {
    finding.isKnown = (*parts)[0].getAsBoolean().value_or(false);
    finding.why = (*parts)[1].getAsString().value_or("").str();
    finding.origin = placeOf((*parts)[2]);
    finding.visible = placeOf((*parts)[3]);
    finding.isImmediate = (*parts)[4].getAsBoolean().value_or(false);
  }
  return finding;
}

//===------------------------------------------------------------------------------------------------------------===//
// The reference lowering and the runtime
//===------------------------------------------------------------------------------------------------------------===//

/// The first error in what a tool said.
static std::string firstError(const fs::path &file) {
  const Result<std::string> text = readFile(file);
  if (!text)
    return "";
  for (llvm::StringRef line : llvm::split(*text, '\n')) {
    const size_t at = line.find("error: ");
    if (at != line.npos)
      return line.substr(at + 7).str();
    if (line.contains(": crashed: "))
      return line.str();
  }
  return "";
}

Result<std::optional<std::string>> Runner::compile(const std::vector<std::string> &command,
                                                   const fs::path &folder) const {
  ProcessOptions process;
  process.standardOutput = folder / "compile.out";
  process.standardError = folder / "compile.err";
  process.secondsLimit = bounds.seconds;
  process.memoryLimit = bounds.memoryBytes;
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  if (code == 0)
    return std::optional<std::string>();
  const std::string error = firstError(process.standardError);
  return std::optional(error.empty() ? "the compiler ended with exit code " + std::to_string(code) : error);
}

Result<Outcome> Runner::lowerNow(ModuleOp state, const Entry &entry, const std::string &symbol, uint8_t fill) {
  Outcome outcome;
  MICA_ASSIGN_OR_RETURN(const ScratchFolder made, ScratchFolder::create("mica-bisect"));
  const fs::path folder = made.path(), program = folder / "program.mlir", artifact = folder / "artifact";
  MICA_RETURN_IF_ERROR(writeFile(program, irtools::serializeModule(state, /*withLocations=*/false)));
  MICA_ASSIGN_OR_RETURN(const std::optional<std::string> problem,
                        compile({tool("mica-compile").string(), program.string(), "--plain", "-O0", "--dump-passes=off",
                                 "-o", artifact.string()},
                                folder));
  if (problem) {
    outcome.message = *problem;
    return outcome;
  }
  return runArtifact(artifact, {}, entry, symbol, fill, folder);
}

Result<Outcome> Runner::runArtifact(const fs::path &artifact, const std::vector<std::string> &flags, const Entry &entry,
                                    const std::string &symbol, uint8_t fill, const fs::path &folder) const {
  Outcome outcome;
  std::vector<std::string> run{tool("mica-run").string(), artifact.string(), "--entry=" + symbol,
                               "--run-dir=" + (folder / "runs").string()};
  run.insert(run.end(), flags.begin(), flags.end());
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact opened, artifact::Artifact::open(artifact));
  MICA_ASSIGN_OR_RETURN(const size_t position, artifact::findEntry(opened.manifest(), symbol));
  const std::vector<HostTensor> inputs = artifact::joinTensors(entry.inputs, opened.manifest().entries[position].args);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const fs::path file = folder / ("in" + std::to_string(i) + ".npy");
    MICA_RETURN_IF_ERROR(writeNpyInPlace(file, inputs[i]));
    run.push_back("--input=@" + file.string());
  }
  // New values of arguments are results there.
  const std::vector<artifact::TensorSpec> &results = opened.manifest().entries[position].results;
  auto result = [&](size_t i) { return folder / ("out" + std::to_string(i) + ".npy"); };
  for (size_t i = 0; i < results.size(); ++i)
    run.push_back("--output=@" + result(i).string());
  ProcessOptions process;
  process.secondsLimit = bounds.seconds;
  process.memoryLimit = bounds.memoryBytes;
  process.standardOutput = folder / "run.out";
  process.standardError = folder / "run.err";
  process.environment = {{"MALLOC_PERTURB_", std::to_string(fill)}};
  const auto begin = std::chrono::steady_clock::now();
  MICA_ASSIGN_OR_RETURN(const int ran, runProcess(run, process));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  MICA_ASSIGN_OR_RETURN(outcome.printed, readFile(folder / "run.out"));
  outcome.message = ran == 0 ? "" : firstError(folder / "run.err");
  if (ran == 128 + SIGKILL && took.count() >= bounds.seconds) {
    outcome.status = Outcome::Status::TimedOut;
    outcome.message = llvm::formatv("the program ran for longer than {0} s", bounds.seconds).str();
  } else if (ran >= 128) {
    outcome.status = Outcome::Status::Crashed;
    outcome.message =
        "the program was ended by signal " + std::to_string(ran - 128) + " (" + strsignal(ran - 128) + ")";
  } else {
    outcome.status = ran == 0 ? Outcome::Status::Ran : Outcome::Status::Failed;
  }
  if (ran != 0)
    return outcome;
  std::map<int64_t, HostTensor> stored;
  std::vector<HostTensor> read;
  for (size_t i = 0; i < results.size(); ++i) {
    Result<HostTensor> tensor = readNpy(result(i), results[i].dtype);
    if (!tensor) {
      outcome.status = Outcome::Status::Refused;
      outcome.message = tensor.error().message;
      return outcome;
    }
    read.push_back(std::move(*tensor));
  }
  std::vector<HostTensor> parts = artifact::splitTensors(std::move(read));
  const artifact::EntryRecord code = artifact::splitComplex(opened.manifest().entries[position]);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (code.results[i].updates < 0)
      outcome.results.push_back(std::move(parts[i]));
    else
      stored[code.results[i].updates] = std::move(parts[i]);
  }
  nameResults(outcome);
  for (size_t i : buffersOf(entry)) {
    auto it = stored.find(static_cast<int64_t>(i));
    addStored(outcome, i, it == stored.end() ? entry.inputs[i] : std::move(it->second));
  }
  return outcome;
}

Outcome Runner::lower(ModuleOp state, const Entry &entry, uint8_t fill) {
  const std::string key = keyOf("lower " + std::to_string(fill), irtools::printModule(state, false), entry);
  if (std::optional<std::string> text = find(key))
    return fromText(*text);
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(state->clone());
  const Result<std::string> symbol = makeCallable(*copy, entry);
  if (!symbol) {
    Outcome outcome;
    outcome.message = symbol.error().message;
    return outcome;
  }
  ++started;
  return keepUnlessFailed(key, lowerNow(*copy, entry, *symbol, fill));
}

Outcome Runner::keepUnlessFailed(const std::string &key, const Result<Outcome> &outcome) {
  if (!outcome) {
    Outcome refused;
    refused.message = outcome.error().message;
    return refused;
  }
  keep(key, *outcome);
  return *outcome;
}

//===------------------------------------------------------------------------------------------------------------===//
// Forms of an artifact
//===------------------------------------------------------------------------------------------------------------===//

std::vector<std::string> Runner::compileCommand(const Candidate &candidate, const fs::path &output) const {
  std::vector<std::string> command{tool("mica-compile").string(),
                                   "--resume=" + candidate.artifact.string() + ":" +
                                       std::to_string(candidate.position.value_or(0)),
                                   "-o", output.string(), "--no-check-schedule"};
  command.insert(command.end(), candidate.compile.begin(), candidate.compile.end());
  command.insert(command.end(), candidate.plugins.begin(), candidate.plugins.end());
  return command;
}

Result<std::string> Runner::compile(const Candidate &candidate, const fs::path &output) const {
  MICA_ASSIGN_OR_RETURN(const ScratchFolder made, ScratchFolder::create("mica-bisect"));
  MICA_ASSIGN_OR_RETURN(const std::optional<std::string> problem,
                        compile(compileCommand(candidate, output), made.path()));
  if (problem)
    return Error{ErrorCode::Unsupported, *problem, ""};
  return readFile(made.path() / "compile.err");
}

Outcome Runner::run(const Candidate &candidate, const Entry &entry, uint8_t fill) {
  std::string how = "artifact " + std::to_string(fill) + " " + std::to_string(candidate.position.value_or(-1));
  for (const std::vector<std::string> *flags : {&candidate.compile, &candidate.run})
    for (const std::string &flag : *flags)
      how += "\n" + flag;
  const std::string key = keyOf(how, candidate.identity, entry);
  if (std::optional<std::string> text = find(key))
    return fromText(*text);
  ++started;
  auto runNow = [&]() -> Result<Outcome> {
    MICA_ASSIGN_OR_RETURN(const ScratchFolder made, ScratchFolder::create("mica-bisect"));
    const fs::path artifact = candidate.position ? made.path() / "artifact" : candidate.artifact;
    if (candidate.position) {
      MICA_ASSIGN_OR_RETURN(const std::optional<std::string> problem,
                            compile(compileCommand(candidate, artifact), made.path()));
      if (problem) {
        Outcome refused;
        refused.message = *problem;
        return refused;
      }
    }
    return runArtifact(artifact, candidate.run, entry, entry.name, fill, made.path());
  };
  return keepUnlessFailed(key, runNow());
}
