//===- TestGenTool.cpp - mica-test-gen ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TestGenTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/TestGenTool.h"

#include "dialects/RegisterDialects.h"
#include "mica/IRTools/Record.h"
#include "mica/IRTools/TestGen.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Log.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Process.h"
#include "mica/Support/ToolSwitches.h"
#include "mica/Support/Version.h"
#include "mica/Trace/JsonScan.h"
#include "mica/Trace/ToolTrace.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>

using namespace mica;
using namespace mica::irtools;

static constexpr std::string_view kTool = "mica-test-gen";

namespace {
struct Options {
  TestGenOptions generate;
  std::string op, pipeline, output, plugin;
  ToolSwitches switches;
};

/// The input of a test.
struct Source {
  std::vector<std::function<Result<Document>()>> documents; ///< to be tried in this order: growing parts of the program
  std::vector<std::string> pipelines;                       ///< with decreasing nesting
  std::string pass;                                         ///< for the name of the file
};
} // namespace

static std::vector<FlagGroup> flagTable(Options &options) {
  auto seconds = [](std::string_view name, double &to) {
    return [name, &to](const std::string &value) -> Status {
      MICA_ASSIGN_OR_RETURN(to, parseFlagNumber(name, value));
      return Status::ok();
    };
  };
  return {{"Pass under test",
           {{"--pass-pipeline", Flag::Value::Required, "PIPELINE", "with FILE: the pipeline to test, as for mica-opt",
             setText(options.pipeline)},
            {"--op", Flag::Value::Required, "NAME", "of a record: only what the pass did to this kernel or function",
             setText(options.op)},
            {"--focus", Flag::Value::Required, "OP", "keep only changes that involve this op, such as linalg.matmul",
             setText(options.generate.focus)},
            {"--load-pass-plugin", Flag::Value::Required, "FILE", "load an MLIR pass plugin; the RUN line loads it too",
             setText(options.plugin)}}},
          {"Output",
           {{"-o", Flag::Value::Required, "FILE|DIR",
             "file or folder of the test (default: stdout)\n"
             "In a folder the name is PASS.mlir, or PASS-invalid.mlir if the pass rejects the input.",
             setText(options.output)},
            {"--name", Flag::Value::Required, "NAME", "name of the function in the test: the claim that it tests",
             setText(options.generate.rename)},
            {"--no-reduce", Flag::Value::None, "", "do not reduce the input",
             [&](const std::string &) {
               options.generate.reduce = false;
               return Status::ok();
             }}}},
          {"Time limits",
           {{"--budget", Flag::Value::Required, "SECONDS", "time limit for the reduction, in seconds (default: 60)",
             seconds("--budget", options.generate.budgetSeconds)},
            {"--pass-seconds", Flag::Value::Required, "SECONDS",
             "time limit for one run of the pipeline, in seconds (default: 20)",
             seconds("--pass-seconds", options.generate.passSeconds)}}},
          logFlags(options.switches)};
}

static Result<Source> fromRecord(const Record &record, const std::string &folder, const std::string &pass,
                                 const Options &options, mlir::MLIRContext &context) {
  MICA_ASSIGN_OR_RETURN(const int64_t position, record.position(pass));
  const RecordedPassInfo *info = record.pass(position);
  if (!info)
    return Error{ErrorCode::InvalidInput, "0 is the input, not a pass", "passes are numbered from 1"};
  // Of the runs with an effect, the one on the smallest op; a failure takes precedence.
  const RecordedRun *chosen = nullptr;
  std::vector<std::string> ops;
  for (const RecordedRun &run : record.runs()) {
    if (run.position != position || (!run.changed && !run.failed))
      continue;
    ops.push_back(run.op.empty() ? "(the program)" : run.op);
    if (!options.op.empty() && run.op != options.op)
      continue;
    if (!chosen || (run.failed && !chosen->failed) ||
        (run.failed == chosen->failed && run.opsBefore >= 0 && run.opsBefore < chosen->opsBefore))
      chosen = &run;
  }
  if (!chosen && !options.op.empty() && !ops.empty())
    return Error{ErrorCode::InvalidInput, record.title(position) + " did not change '" + options.op + "'",
                 "it changed: " + llvm::join(ops, ", ")};
  if (!chosen)
    return Error{ErrorCode::InvalidInput, record.title(position) + " changed nothing, so there is nothing to test",
                 "mica-diff " + folder + " --stat lists the passes that changed something"};
  Source source{{}, pipelinesOf(*info), info->pass};
  // If a part refers to its surroundings, these are included.
  for (llvm::StringRef op = chosen->op;; op = op.contains('.') ? op.rsplit('.').first : "") {
    source.documents.push_back([&record, &context, position, op = op.str()]() -> Result<Document> {
      MICA_ASSIGN_OR_RETURN(Document document, record.state(op, position - 1, context));
      if (op.empty())
        unwrapModule(document);
      return document;
    });
    if (op.empty())
      return source;
  }
}

static Result<Source> fromFile(const std::string &file, const Options &options, mlir::MLIRContext &context) {
  if (file != "-" && !llvm::sys::fs::exists(file))
    return Error{ErrorCode::NotFound, "there is no '" + file + "'", "give a record, an artifact or a .mlir file"};
  if (options.pipeline.empty())
    return Error{ErrorCode::InvalidInput, "'" + file + "' is a file, and no passes are given",
                 "mica-test-gen FILE --pass-pipeline='builtin.module(func.func(cse))'"};
  if (!options.op.empty())
    return Error{ErrorCode::InvalidInput, "--op is for the passes of a record", "leave it out"};
  std::string pipeline = options.pipeline;
  if (!llvm::StringRef(pipeline).starts_with("builtin.module("))
    pipeline = "builtin.module(" + pipeline + ")";
  // The innermost pass of a pipeline with one pass, for the file name.
  llvm::StringRef pass = pipeline;
  pass = pass.take_until([](char c) { return c == '{'; }).rtrim(")");
  pass = pass.substr(pass.find_last_of("(,") + 1);
  auto read = [&context, file]() -> Result<Document> {
    MICA_ASSIGN_OR_RETURN(Document document, readDocument(file, context));
    unwrapModule(document);
    return document;
  };
  return Source{{read}, {pipeline}, pass.str()};
}

/// The path of FileCheck: $FILECHECK, the PATH, then LLVM's folder. "" if not found.
static std::string findFileCheck() {
  if (std::optional<std::string> given = environmentValue("FILECHECK"))
    return *given;
  for (llvm::StringRef name : {"FileCheck", "FileCheck-22"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return *path;
  llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("FileCheck", {MICA_LLVM_TOOLS});
  return path ? *path : "";
}

static Result<GeneratedTest> generate(const Source &source, const TestGenOptions &options) {
  std::optional<Error> first;
  for (const auto &read : source.documents) {
    MICA_ASSIGN_OR_RETURN(Document document, read());
    if (!document.root)
      return Error{ErrorCode::InvalidInput, document.name + " does not parse: " + document.problem,
                   "mica-opt " + document.name + " shows the place"};
    Result<GeneratedTest> test = generateTest(std::move(document.root), source.pipelines, options);
    if (test || test.error().code != ErrorCode::InvalidInput)
      return test;
    if (!first)
      first = test.error();
  }
  return *first;
}

static Status write(const GeneratedTest &test, const std::string &pass, std::string output, trace::ToolTrace &trace) {
  if (output.empty() || output == "-") {
    llvm::outs() << test.text;
    llvm::outs().flush();
    return Status::ok();
  }
  if (llvm::sys::fs::is_directory(output)) {
    llvm::SmallString<256> path(output);
    llvm::sys::path::append(path, pass + (test.form == TestForm::Errors ? "-invalid.mlir" : ".mlir"));
    output = path.str().str();
  }
  MICA_RETURN_IF_ERROR(writeFile(output, test.text));
  trace.file("written", output);
  llvm::errs() << "mica-test-gen: " << output << ": " << test.opsBefore << " ops reduced to " << test.opsAfter << " in "
               << test.attempts << " runs of the pass\n";
  return Status::ok();
}

static Status run(int argc, char **argv, trace::ToolTrace &trace) {
  Options options;
  CommandLine line(
      kTool, "mica-test-gen DIR PASS | mica-test-gen FILE --pass-pipeline=PIPELINE",
      "Writes a lit test for a pass: a reduced input on which the pass makes the same kind of change, a RUN\n"
      "line, and CHECK lines that pass with the pass and fail without it.\n"
      "DIR is an artifact or a record of mica-opt --record; PASS is the position or name of a pass in it.",
      flagTable(options),
      "0  a test was written\n"
      "1  wrong flag, input or file, or no test possible");
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> words, line.parse(argc, argv));
  if (line.helpWanted()) {
    llvm::outs() << line.helpText();
    return Status::ok();
  }
  if (line.versionWanted()) {
    llvm::outs() << "mica-test-gen " << version() << "\n";
    return Status::ok();
  }
  MICA_ASSIGN_OR_RETURN(const bool helped, applyLogSwitches(options.switches, kTool));
  if (helped)
    return Status::ok();
  trace.begin();
  if (words.empty())
    return Error{ErrorCode::InvalidInput, "no input given",
                 "use mica-test-gen DIR PASS, or mica-test-gen FILE --pass-pipeline=PIPELINE"};
  bool isFolder = llvm::sys::fs::is_directory(words[0]);
  if (isFolder && words.size() != 2)
    return Error{ErrorCode::InvalidInput,
                 words.size() < 2 ? "no pass of '" + words[0] + "' is given" : "too many arguments",
                 "usage: mica-test-gen DIR PASS; mica-diff " + words[0] + " --stat lists what the passes did"};
  if (!isFolder && words.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 "got " + std::to_string(words.size()) + " arguments with the file '" + words[0] + "', expected 1",
                 "usage: mica-test-gen FILE --pass-pipeline=PIPELINE, or mica-test-gen DIR PASS"};
  if (isFolder && !options.pipeline.empty())
    return Error{ErrorCode::InvalidInput, "a record has its own pipeline", "leave out --pass-pipeline"};
  mlir::DialectRegistry registry;
  if (!options.plugin.empty()) {
    llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(options.plugin);
    if (!plugin)
      return Error{ErrorCode::InvalidInput,
                   "cannot load '" + options.plugin + "': " + llvm::toString(plugin.takeError()),
                   "give a plugin as for mlir-opt --load-pass-plugin"};
    plugin->registerPassRegistryCallbacks();
    options.generate.runFlags.push_back("--load-pass-plugin=" + options.plugin);
  }
  registerAllDialects(registry);
  // Passes run in forked child processes, where threads of the parent do not exist.
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  std::optional<Record> record;
  if (isFolder) {
    MICA_ASSIGN_OR_RETURN(record, Record::open(words[0]));
  }
  MICA_ASSIGN_OR_RETURN(const Source source, isFolder ? fromRecord(*record, words[0], words[1], options, context)
                                                      : fromFile(words[0], options, context));
  MICA_LOG(Import, Info) << words[0] << ": pass " << source.pass << ", as " << source.pipelines.front();
  trace.file("read", words[0]);
  trace.note("pass", trace::quoteJson(source.pass));
  trace.note("pipeline", trace::quoteJson(source.pipelines.front()));
  options.generate.fileCheck = findFileCheck();
  MICA_ASSIGN_OR_RETURN(const GeneratedTest test, generate(source, options.generate));
  for (const std::string &note : test.notes)
    printNote(kTool, note);
  trace.note("ops_before", std::to_string(test.opsBefore));
  trace.note("ops_after", std::to_string(test.opsAfter));
  trace.note("attempts", std::to_string(test.attempts));
  trace.artifact("test", test.text, /*json=*/false);
  return write(test, source.pass, options.output, trace);
}

int irtools::runTestGenTool(int argc, char **argv) {
  makeOutOfMemoryAnError(kTool);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endWithoutMemory(); });
  llvm::install_out_of_memory_new_handler();
  makeFileSizeLimitAnError();
  trace::ToolTrace trace(kTool, argc, argv);
  Status status = run(argc, argv, trace);
  const int code = status ? 0 : exitCode(status.error().code);
  if (!status)
    printError(kTool, status.error());
  trace.end(code, status ? nullptr : &status.error());
  return code;
}
