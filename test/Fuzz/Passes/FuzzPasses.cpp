//===- FuzzPasses.cpp - passes on changed programs, many trials a second ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   mica-fuzz-passes CORPUS.json --seed=S --count=N [--jobs=J] [--limit=SECONDS] [--memory=BYTES]
//   mica-fuzz-passes CORPUS.json --seed=S --print        the program and pipelines of one trial
//   mica-fuzz-passes --replay FILE...                    files as --print makes them
//
// CORPUS.json: {"programs": [{"name", "text", "pipelines": [..]}], "passes": [..]} (fuzz_passes.py). Each trial is a
// fork of this process, in which everything is loaded: some milliseconds. One line of JSON per finding, {"seed", "how",
// "text"}, and a last one with the counts by outcome. Exit code 0: no finding; 3: some; 1: wrong flags or files.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Trial.h"

#include "dialects/RegisterDialects.h"
#include "mica/Compiler/Input/DynamicLists.h"
#include "passes/RegisterPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <map>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mica::fuzz;

namespace {
struct Options {
  std::string corpus;
  std::vector<std::string> files;
  uint64_t seed = 1, count = 1, jobs = 1, limit = 60, memory = 0;
  bool prints = false, replays = false;
};

/// A process that is at work, and the file its standard error goes to.
struct Slot {
  pid_t child = 0;
  int errors = -1;
  uint64_t trial = 0;
};

/// Runs trials, at most `jobs` at a time.
class Runner {
public:
  Runner(const Options &options) : options(options), slots(options.jobs) {
    for (Slot &slot : slots)
      slot.errors = memfd_create("errors", MFD_CLOEXEC);
  }

  /// Starts `body`, whose result is the exit code, in a process of its own.
  template <typename Body> void start(uint64_t trial, Body body) {
    Slot *slot = free();
    while (!slot) {
      wait();
      slot = free();
    }
    llvm::outs().flush();
    if (ftruncate(slot->errors, 0) != 0 || lseek(slot->errors, 0, SEEK_SET) != 0)
      llvm::report_fatal_error("cannot empty a file in memory");
    slot->trial = trial;
    slot->child = fork();
    if (slot->child != 0)
      return;
    dup2(slot->errors, STDERR_FILENO);
    const rlimit time{options.limit, options.limit + 1}, none{0, 0};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &none);
    if (const rlimit memory{options.memory, options.memory}; options.memory > 0)
      setrlimit(RLIMIT_AS, &memory);
    llvm::sys::PrintStackTraceOnErrorSignal("mica-fuzz-passes", /*DisableCrashReporting=*/true);
    _exit(static_cast<int>(body()));
  }

  /// Exit code of the whole.
  int finish() {
    while (wait())
      continue;
    llvm::json::Object line;
    for (auto [outcome, count] : counts)
      line[outcome] = count;
    llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
    return findings ? 3 : 0;
  }

private:
  Slot *free() {
    for (Slot &slot : slots)
      if (slot.child == 0)
        return &slot;
    return nullptr;
  }

  /// Until one has ended; false where none is at work.
  bool wait() {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0)
      return false;
    for (Slot &slot : slots)
      if (slot.child == ended) {
        slot.child = 0;
        note(slot, status);
      }
    return true;
  }

  void note(const Slot &slot, int status) {
    const char *how = nullptr;
    std::string signal;
    if (WIFSIGNALED(status)) {
      const int number = WTERMSIG(status);
      signal = number == SIGXCPU || number == SIGKILL ? "hang" : "signal " + std::to_string(number);
      how = signal.c_str();
    } else {
      switch (static_cast<Outcome>(WEXITSTATUS(status))) {
      case Outcome::Done:
        ++counts["done"];
        return;
      case Outcome::Refused:
        ++counts["refused"];
        return;
      case Outcome::NoProgram:
        ++counts["no program"];
        return;
      case Outcome::NoMemory:
        ++counts["out of memory"];
        return;
      case Outcome::Silent:
        how = "no error";
        break;
      case Outcome::Unplaced:
        how = "an error without a line";
        break;
      case Outcome::Misformed:
        how = "invalid IR";
        break;
      default:
        signal = "exit code " + std::to_string(WEXITSTATUS(status));
        how = signal.c_str();
        break;
      }
    }
    ++counts[how];
    ++findings;
    std::string text(12000, '\0');
    const ssize_t size = pread(slot.errors, text.data(), text.size(), 0);
    text.resize(size > 0 ? size_t(size) : 0);
    llvm::json::Object line{{"seed", int64_t(slot.trial)}, {"how", how}, {"text", llvm::json::fixUTF8(text)}};
    llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
    llvm::outs().flush();
  }

  const Options &options;
  std::vector<Slot> slots;
  std::map<std::string, int64_t> counts;
  int64_t findings = 0;
};
} // namespace

static bool readCorpus(const std::string &file, MLIRContext &context, Corpus &corpus) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return false;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
  if (!json || !json->getAsObject())
    return false;
  auto strings = [](const llvm::json::Array *array) {
    std::vector<std::string> found;
    for (const llvm::json::Value &item : *array)
      found.push_back(item.getAsString()->str());
    return found;
  };
  corpus.passes = strings(json->getAsObject()->getArray("passes"));
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  for (const llvm::json::Value &item : *json->getAsObject()->getArray("programs")) {
    const llvm::json::Object &object = *item.getAsObject();
    Program program{object.getString("name")->str(), object.getString("text")->str(),
                    strings(object.getArray("pipelines"))};
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program.text, ParserConfig(&context), program.name);
    if (!module)
      continue;
    collectAttributes(*module, corpus.attributes);
    corpus.programs.push_back(std::move(program));
  }
  return !corpus.programs.empty();
}

/// One file as --print makes them.
static Outcome replay(const std::string &file, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return Outcome::NoProgram;
  llvm::StringRef text = (*buffer)->getBuffer();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false), file);
  // The tools refuse such a program before its verification.
  if (module && failed(mica::compiler::verifyDynamicLists(*module)))
    return Outcome::Refused;
  if (!module || failed(verify(*module)) || !text.consume_front("// PIPELINE: "))
    return Outcome::NoProgram;
  llvm::SmallVector<llvm::StringRef> pipelines;
  text.split('\n').first.split(pipelines, " ; ");
  for (llvm::StringRef pipeline : pipelines)
    if (const Outcome outcome = runPipeline(*module, pipeline.trim().str()); outcome != Outcome::Done)
      return outcome;
  return Outcome::Done;
}

static bool parseOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    auto [name, value] = argument.split('=');
    uint64_t *number = name == "--seed"     ? &options.seed
                       : name == "--count"  ? &options.count
                       : name == "--jobs"   ? &options.jobs
                       : name == "--limit"  ? &options.limit
                       : name == "--memory" ? &options.memory
                                            : nullptr;
    if (number) {
      if (value.getAsInteger(10, *number))
        return false;
    } else if (argument == "--print")
      options.prints = true;
    else if (argument == "--replay")
      options.replays = true;
    else if (options.replays)
      options.files.push_back(argument.str());
    else
      options.corpus = argument.str();
  }
  return options.jobs > 0 && options.corpus.empty() == options.replays;
}

int main(int argc, char **argv) {
  Options options;
  if (!parseOptions(argc, argv, options)) {
    llvm::errs() << "usage: mica-fuzz-passes CORPUS.json --seed=S --count=N [--jobs=J] | CORPUS.json --seed=S --print "
                    "| --replay FILE...\n";
    return 1;
  }
  mica::registerAllPasses();
  DialectRegistry registry;
  mica::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects();
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { _exit(static_cast<int>(Outcome::NoMemory)); });
  llvm::install_out_of_memory_new_handler();
  Corpus corpus;
  if (!options.replays && !readCorpus(options.corpus, context, corpus)) {
    llvm::errs() << "mica-fuzz-passes: cannot read " << options.corpus << "\n";
    return 1;
  }
  if (options.prints) {
    runTrial(corpus, context, options.seed, /*prints=*/true);
    return 0;
  }
  Runner runner(options);
  if (options.replays)
    for (size_t i = 0; i < options.files.size(); ++i)
      runner.start(i, [&] { return replay(options.files[i], context); });
  else
    for (uint64_t i = 0; i < options.count; ++i)
      runner.start(options.seed + i, [&] { return runTrial(corpus, context, options.seed + i, /*prints=*/false); });
  return runner.finish();
}
