//===- DiffTool.cpp - mica-diff ---------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DiffTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/DiffTool.h"

#include "dialects/RegisterDialects.h"
#include "lib/IRTools/DiffDumps.h"
#include "lib/IRTools/DiffSources.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Log.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Process.h"
#include "mica/Support/ToolSwitches.h"
#include "mica/Support/Version.h"
#include "mica/Trace/JsonScan.h"
#include "mica/Trace/ToolTrace.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace mica;
using namespace mica::irtools;

static constexpr std::string_view kTool = "mica-diff";

namespace {
struct Options {
  PrintOptions print;
  std::string color = "auto", op, json, html;
  bool statistics = false, quiet = false, time = false, texts = false, recompares = false;
  ToolSwitches switches;
};
} // namespace

static std::vector<FlagGroup> flagTable(Options &options) {
  auto integer = [](std::string_view name, int64_t &to, int64_t low, int64_t high) {
    return [name, &to, low, high](const std::string &value) -> Status {
      MICA_ASSIGN_OR_RETURN(to, parseFlagInteger(name, value, low, high));
      return Status::ok();
    };
  };
  return {
      {"Comparison",
       {{"--op", Flag::Value::Required, "KERNEL", "compare only this kernel of a record", setText(options.op)},
        {"--recompare", Flag::Value::None, "",
         "compare all snapshots again, and ignore the changes kept with the record", setTrue(options.recompares)}}},
      {"Output",
       {{"--stat", Flag::Value::None, "", "one line per pass, file or kernel: ops added, removed, changed, moved",
         setTrue(options.statistics)},
        {"--side-by-side", Flag::Value::None, "", "print both texts in two columns", setTrue(options.print.sideBySide)},
        {"--width", Flag::Value::Required, "N", "columns for --side-by-side (default: width of the terminal)",
         integer("--width", options.print.width, 60, 10000)},
        {"--context", Flag::Value::Required, "N", "unchanged lines around a change (default: 3)",
         integer("--context", options.print.context, 0, 1000000)},
        {"--all", Flag::Value::None, "", "print all places of a repeated change, not only the first",
         setTrue(options.print.all)},
        {"--color", Flag::Value::Required, "auto|always|never",
         "use colors (default: auto, on a terminal unless NO_COLOR is set)", setText(options.color)},
        {"--json", Flag::Value::Optional, "FILE", "write the changes as JSON to FILE (default: stdout)",
         [&](const std::string &value) {
           options.json = value.empty() ? "-" : value;
           return Status::ok();
         }},
        {"--texts", Flag::Value::None, "", "with --json: include texts that are not files, such as merged snapshots",
         setTrue(options.texts)},
        {"--html", Flag::Value::Required, "FILE", "write a page with both texts to FILE", setText(options.html)},
        {"--time", Flag::Value::None, "", "print the seconds of reading and comparing to stderr",
         setTrue(options.time)},
        {"--quiet", Flag::Value::None, "", "print nothing, only set the exit code", setTrue(options.quiet)}}},
      logFlags(options.switches)};
}

static bool isArtifact(const std::string &path) { return llvm::sys::fs::exists(path + "/manifest.json"); }

/// Whether changes are printed with the changed lines.
static bool showsLines(const Options &options) {
  return !options.html.empty() || (!options.quiet && options.json != "-" && !options.statistics);
}

static Result<DiffResult> compare(const std::vector<std::string> &words, const Options &options,
                                  mlir::MLIRContext &context) {
  auto isFolder = [](const std::string &path) { return llvm::sys::fs::is_directory(path); };
  if (words.empty())
    return Error{ErrorCode::InvalidInput, "no input given",
                 "give two files, two folders, or a record and one or two of its passes; see mica-diff --help"};
  bool areTwo = words.size() == 2 && (isFolder(words[0]) == isFolder(words[1]) || !isFolder(words[0]));
  if (!isFolder(words[0]) || areTwo) {
    if (words.size() != 2 && !llvm::sys::fs::exists(words[0]))
      return Error{ErrorCode::NotFound, "'" + words[0] + "' does not exist",
                   "usage: mica-diff BEFORE AFTER, or mica-diff DIR PASS for a pass of a record"};
    if (words.size() != 2)
      return Error{ErrorCode::InvalidInput,
                   "got " + std::to_string(words.size()) + (words.size() == 1 ? " file" : " files") + ", expected 2",
                   "usage: mica-diff BEFORE AFTER, or mica-diff DIR PASS for a pass of a record"};
    if (!options.op.empty())
      return Error{ErrorCode::InvalidInput, "--op is for the passes of one record", "leave it out"};
    if (!isFolder(words[0]) && isFolder(words[1]))
      return Error{ErrorCode::InvalidInput, "'" + words[0] + "' is no folder and '" + words[1] + "' is one",
                   "compare two files or two folders; the snapshots of a record are files in its passes_dump"};
    if (!isFolder(words[0]))
      return diffFiles(words[0], words[1], context);
    if (isArtifact(words[0]) && isArtifact(words[1]))
      return diffArtifacts(words[0], words[1], context);
    MICA_ASSIGN_OR_RETURN(const Record before, Record::open(words[0]));
    MICA_ASSIGN_OR_RETURN(const Record after, Record::open(words[1]));
    return diffRecords(before, after, context);
  }
  if (words.size() > 3)
    return Error{ErrorCode::InvalidInput, "more than two passes given", "usage: mica-diff DIR [PASS [PASS]]"};
  MICA_ASSIGN_OR_RETURN(const Record record, Record::open(words[0]));
  const RecordDiffOptions recordOptions{options.op,
                                        showsLines(options) ? KeptTexts::All
                                        : options.texts     ? KeptTexts::Own
                                                            : KeptTexts::None,
                                        options.recompares};
  if (words.size() == 1)
    return diffEachPass(record, recordOptions, context);
  MICA_ASSIGN_OR_RETURN(const int64_t first, record.position(words[1]));
  if (words.size() == 2) {
    if (first == 0)
      return Error{ErrorCode::InvalidInput, "0 is the input, not a pass", "passes are numbered from 1"};
    return diffPasses(record, first - 1, first, recordOptions, context);
  }
  MICA_ASSIGN_OR_RETURN(const int64_t second, record.position(words[2]));
  return diffPasses(record, first, second, recordOptions, context);
}

/// Topic import: the compared documents, and the method.
static void logComparisons(const DiffResult &result) {
  if (!logs(LogTopic::Import))
    return;
  for (const Comparison &comparison : result.comparisons) {
    const std::string how =
        std::string(comparison.isKept ? "kept, " : "") +
        (comparison.diff ? "by structure: " + summarize(comparison) : "as text: " + comparison.fallback);
    MICA_LOG(Import, Info) << comparison.before->name << " and " << comparison.after->name << ": " << how;
  }
}

/// Traces the compared documents and the result.
static void traceComparisons(trace::ToolTrace &trace, const DiffResult &result) {
  if (!trace.isOn())
    return;
  llvm::json::Array rows;
  for (const Comparison &comparison : result.comparisons)
    rows.push_back(llvm::json::Object{
        {"before", llvm::json::fixUTF8(comparison.before->name)},
        {"after", llvm::json::fixUTF8(comparison.after->name)},
        {"structural", comparison.diff.has_value()},
        {"result", llvm::json::fixUTF8(comparison.diff ? summarize(comparison) : "as text: " + comparison.fallback)}});
  trace.artifact("comparisons", llvm::formatv("{0}", llvm::json::Value(std::move(rows))).str(), /*json=*/true);
  trace.note("same", result.same() ? "true" : "false");
}

static void printComparisons(const DiffResult &result, const PrintOptions &options) {
  const std::vector<size_t> same = findSameChanges(result);
  for (auto [i, comparison] : llvm::enumerate(result.comparisons))
    if (same[i] == i || options.all)
      llvm::outs() << printComparison(comparison, options);
    else
      llvm::outs() << "==== " << comparison.title << ": " << summarize(comparison) << ", the same changes as in "
                   << result.comparisons[same[i]].title << "\n";
}

/// mica-diff DUMP [PASS [PASS]], or mica-diff DUMP DUMP.
static Result<int> compareDumps(const std::vector<std::string> &words, const Options &options,
                                trace::ToolTrace &trace) {
  for (const auto &[isGiven, flag] :
       {std::pair(!options.html.empty(), "--html"), std::pair(options.print.sideBySide, "--side-by-side"),
        std::pair(options.texts, "--texts"), std::pair(!options.op.empty(), "--op"),
        std::pair(options.recompares, "--recompare")})
    if (isGiven)
      return Error{ErrorCode::InvalidInput, std::string(flag) + " is not for dumps of other compilers",
                   "mica-report " + words[0] + " makes pages with both texts of each pass"};
  MICA_ASSIGN_OR_RETURN(const DumpDiff found, diffDumps(words, {options.statistics, !options.json.empty()}));
  for (const std::string &word : words)
    if (llvm::sys::fs::exists(word))
      trace.file("compared", word);
  trace.note("same", found.same ? "true" : "false");
  if (!options.json.empty() && options.json != "-") {
    MICA_RETURN_IF_ERROR(writeFile(options.json, found.text));
    trace.file("written", options.json);
  } else if (!options.quiet) {
    llvm::outs() << found.text;
  }
  return found.same ? 0 : exitCode(ErrorCode::Difference);
}

static Result<int> run(int argc, char **argv, trace::ToolTrace &trace) {
  Options options;
  bool isTerminal = isatty(STDOUT_FILENO);
  if (isTerminal)
    options.print.width =
        llvm::sys::Process::StandardOutColumns() > 60 ? llvm::sys::Process::StandardOutColumns() : 160;
  CommandLine line(
      kTool, "mica-diff BEFORE AFTER | mica-diff DIR [PASS [PASS]]",
      "Compares IR by structure. Value names, attribute order and moves without effect are not differences.\n"
      "BEFORE and AFTER are IR files (- for stdin), records, artifacts or dumps. DIR is a record, an artifact\n"
      "or another compiler's dump of its passes, such as the output of --mlir-print-ir-after-all (- for stdin):\n"
      "without PASS, shows what each pass did; with one pass (position or name), what it did; with two, the\n"
      "difference between the states after them (0: the input).",
      flagTable(options),
      "0  same\n"
      "1  wrong flag, input or file, or a system error\n"
      "3  different");
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> words, line.parse(argc, argv));
  if (line.helpWanted()) {
    llvm::outs() << line.helpText();
    return 0;
  }
  if (line.versionWanted()) {
    llvm::outs() << "mica-diff " << version() << "\n";
    return 0;
  }
  MICA_ASSIGN_OR_RETURN(const bool helped, applyLogSwitches(options.switches, kTool));
  if (helped)
    return 0;
  trace.begin();
  if (options.color != "auto" && options.color != "always" && options.color != "never")
    return Error{ErrorCode::InvalidInput, "--color=" + options.color + ": expected auto, always or never", ""};
  options.print.color = options.color == "always" || (options.color == "auto" && wantsColor(STDOUT_FILENO));

  if (areDumps(words))
    return compareDumps(words, options, trace);
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  MICA_ASSIGN_OR_RETURN(DiffResult result, compare(words, options, context));
  logComparisons(result);
  traceComparisons(trace, result);
  for (size_t i = 0; i < words.size(); ++i)
    if (i == 0 || llvm::sys::fs::exists(words[i]))
      trace.file("compared", words[i]);
  if (!options.html.empty()) {
    std::string title = "mica-diff";
    for (const std::string &word : words)
      title += " " + word;
    MICA_RETURN_IF_ERROR(writeFile(options.html, printDiffHtml(result, title)));
    trace.file("written", options.html);
  }
  if (options.json == "-") {
    llvm::outs() << printDiffJson(result, options.texts);
  } else if (!options.json.empty()) {
    MICA_RETURN_IF_ERROR(writeFile(options.json, printDiffJson(result, options.texts)));
    trace.file("written", options.json);
  }
  if (!options.quiet && options.json != "-") {
    for (const std::string &text : result.lines)
      llvm::outs() << text << "\n";
    if (options.statistics)
      llvm::outs() << printStatistics(result.comparisons, options.print.color);
    else
      printComparisons(result, options.print);
  }
  if (options.time)
    llvm::errs() << llvm::format("%.3f s reading, %.3f s comparing\n", result.readSeconds, result.compareSeconds);
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    llvm::outs().clear_error();
    return Error{ErrorCode::Io, "cannot write the standard output", "is the disk full?"};
  }
  return result.same() ? 0 : exitCode(ErrorCode::Difference);
}

int irtools::runDiffTool(int argc, char **argv) {
  makeOutOfMemoryAnError(kTool);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endWithoutMemory(); });
  llvm::install_out_of_memory_new_handler();
  makeFileSizeLimitAnError();
  trace::ToolTrace trace(kTool, argc, argv);
  Result<int> result = run(argc, argv, trace);
  const int code = result ? *result : exitCode(result.error().code);
  if (!result)
    printError(kTool, result.error());
  trace.end(code, result ? nullptr : &result.error());
  return code;
}
