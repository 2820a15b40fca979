//===- OptReproducer.cpp - reproducers of mica-opt ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OptReproducer.h. To find out whether a stripped program still shows the failure, runs mica-opt in a child
// process, as it may crash.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Record/OptReproducer.h"

#include "lib/Compiler/Crash/CrashMessages.h"
#include "lib/Compiler/Program/StripProgram.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
/// The outcome of a run of mica-opt.
struct Outcome {
  int exitCode = 0;
  std::string end;     ///< for messages: "exit code 1", "Aborted (core dumped)"
  std::string message; ///< the first error, without names and numbers
  bool operator==(const Outcome &other) const {
    return exitCode == other.exitCode && end == other.end && message == other.message;
  }
};

/// Runs mica-opt on programs and compares the outcomes.
class Trial {
public:
  Trial(const ReproducerRequest &request, ModuleOp program) : request(request) {
    program.walk([&](Operation *op) {
      if (auto symbol = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
        names.insert(symbol.getValue());
    });
  }

  /// Runs the reproducer; `error` receives why it could not run.
  Outcome run(const Reproducer &reproducer, std::string &error) {
    Outcome outcome;
    std::vector<std::string> files;
    error = writeReproducer(reproducer, request.directory, files);
    llvm::SmallString<256> said(request.directory);
    llvm::sys::path::append(said, "said.txt");
    llvm::SmallString<256> script(request.directory);
    llvm::sys::path::append(script, "input.mlir");
    if (!error.empty())
      return outcome;
    // The shell splits the arguments as it will in run.sh.
    std::string command = "exec \"$0\" \"$1\"" + reproducer.arguments + " -o /dev/null";
    std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
    std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(), said.str()};
    std::string end;
    outcome.exitCode =
        llvm::sys::ExecuteAndWait("/bin/sh", {"sh", "-c", command, self, script}, std::nullopt, redirects,
                                  static_cast<unsigned>(request.timeLimit), /*MemoryLimit=*/0, &end);
    outcome.end = outcome.exitCode < 0 ? end : "exit code " + std::to_string(outcome.exitCode);
    if (auto buffer = llvm::MemoryBuffer::getFile(said))
      outcome.message = plain((*buffer)->getBuffer());
    llvm::sys::fs::remove(said);
    return outcome;
  }

private:
  /// The first error in `text`, without the parts that stripping changes.
  std::string plain(llvm::StringRef text) const {
    text = text.split("error: ").second.take_until([](char c) { return c == '\n'; });
    std::string result;
    while (!text.empty()) {
      llvm::StringRef word = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      bool isNew = word.size() > 1 && word.front() == 's' && llvm::all_of(word.drop_front(), llvm::isDigit);
      bool isNumber = !word.empty() && llvm::isDigit(word.front());
      if (!isNew && !isNumber && !names.contains(word))
        result += word;
      text = text.drop_front(word.size());
      if (!text.empty()) {
        result += text.front();
        text = text.drop_front();
      }
    }
    return result;
  }

  const ReproducerRequest &request;
  llvm::StringSet<> names;
};
} // namespace

std::optional<Reproducer> compiler::reproducerOfRecord(llvm::StringRef directory, int position,
                                                       const RecorderOptions &options, MLIRContext *context,
                                                       std::string &error) {
  std::optional<RecordedFailure> failure;
  if (position < 0 && !(failure = loadRecordedFailure(directory))) {
    error = "no pass failed in the record '" + directory.str() +
            "': --resume=DIR:NNNN says after which pass the one to show comes";
    return std::nullopt;
  }
  int shown = failure ? failure->position : position + 1;
  std::optional<RecordedState> state = loadRecordedState(directory, shown - 1, context, error);
  if (!state)
    return std::nullopt;
  if (shown > static_cast<int>(state->passes.size())) {
    error = "no pass comes after pass " + std::to_string(position) + " in the record '" + directory.str() + "'";
    return std::nullopt;
  }
  const RecordedPass &pass = state->passes[shown - 1];
  std::optional<PipelineNode> pipeline = parsePipelineText(state->pipeline);
  ReproducerSource source;
  source.title = options.tool + ": " + passTitle(pass, "");
  source.op = failure ? failure->shortPath : "";
  if (pipeline)
    source.arguments = optArguments(options, pipelineRange({*pipeline}, state->position, shown));
  if (failure && state->position == shown - 1) {
    source.path = failure->path;
    source.pathArguments = optArguments(options, pipelineOnOp(pass));
  }
  return makeReproducer(std::move(*state), std::move(source));
}

std::optional<Reproducer> compiler::reproducerOfText(const llvm::MemoryBuffer &text, PassManager &pm,
                                                     const RecorderOptions &options, std::string &error) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text.getBuffer(), text.getBufferIdentifier()),
                             llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, pm.getContext(), llvm::errs());
  Reproducer result;
  result.program = parseSourceFile<ModuleOp>(sources, ParserConfig(pm.getContext()));
  if (!result.program) {
    error = text.getBufferIdentifier().str() + " does not parse";
    return std::nullopt;
  }
  std::string pipeline;
  llvm::raw_string_ostream os(pipeline);
  pm.printAsTextualPipeline(os);
  result.arguments = optArguments(options, pipeline);
  result.title = options.tool + ": " + pipeline;
  return result;
}

std::string compiler::writeReproducerOnDemand(Reproducer reproducer, const ReproducerRequest &request) {
  std::string error;
  if (request.strip) {
    Trial trial(request, *reproducer.program);
    Outcome wanted = trial.run(reproducer, error);
    if (!error.empty())
      return error;
    reproducer.isStripped = true;
    reproducer.op.clear();
    StripResult kept = stripProgram(reproducer.program, [&](ModuleOp program) {
      Reproducer candidate{program.clone(), reproducer.arguments, reproducer.title, "", true};
      return trial.run(candidate, error) == wanted && error.empty();
    });
    llvm::errs() << "mica-opt: stripped; mica-opt still ends with: " << wanted.end << "\n";
    if (!kept.keptNames.empty())
      llvm::errs() << "  names kept: " << llvm::join(kept.keptNames, ", ") << "\n";
    if (kept.keptValues)
      llvm::errs() << "  constants kept: " << kept.keptValues << "\n";
    if (kept.keptLocations)
      llvm::errs() << "  source positions kept\n";
    reproducer.isStripped = !kept.keptLocations;
    // Remove files that a trial with weights left.
    for (const char *name : {"constants.json", "constants.bin"}) {
      llvm::SmallString<256> path(request.directory);
      llvm::sys::path::append(path, name);
      llvm::sys::fs::remove(path);
    }
  }
  std::vector<std::string> files;
  error = writeReproducer(reproducer, request.directory, files);
  if (error.empty())
    llvm::errs() << "mica-opt: " << request.directory << ": " << llvm::join(files, ", ") << "; sh " << request.directory
                 << "/run.sh runs it\n"
                 << (reproducer.isStripped
                         ? ""
                         : "  it holds the program as it is, with names, paths of sources and weights; "
                           "--strip removes them\n");
  return error;
}
