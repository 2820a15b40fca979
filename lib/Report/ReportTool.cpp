//===- ReportTool.cpp - mica-report ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Flags and forms of the tool.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Report/ReportTool.h"

#include "lib/Report/Diff/DiffTool.h"
#include "lib/Report/Log/ExplainLog.h"
#include "lib/Report/Log/LogReport.h"
#include "lib/Report/PassDump/RecordDump.h"
#include "lib/Report/Ranks/RankPage.h"
#include "lib/Report/Serve/Follower.h"
#include "lib/Report/Serve/Server.h"
#include "lib/Report/Verdict/VerdictPage.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/PassDump/PrintDump.h"
#include "mica/Report/Report.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Log.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"
#include "mica/Support/ToolSwitches.h"
#include "mica/Support/Version.h"
#include "mica/Trace/ToolTrace.h"

#include <cstdio>
#include <filesystem>
#include <optional>

namespace mica {
namespace {

constexpr std::string_view kTool = "mica-report";

constexpr std::string_view kOverview =
    "Writes a report for the browser about an artifact, a trace log (TORCH_TRACE, "
    "MICA_TRACE), a folder of logs,\na report of mica-bisect, a record of passes, or a "
    "dump of another compiler's passes (MLIR, LLVM,\nTriton, IREE, XLA; - for the "
    "standard input).\n"
    "diff compares two of them, or two reports; with -o it writes pages. explain "
    "prints all that is known about\n"
    "one op of an artifact or log (ID may be shortened), or what a pass of a dump "
    "changed.";

struct Options {
  bool verify = false, unpack = false, text = false, strict = false, open = false;
  std::optional<std::string> output;
  bool serve = false;
  int64_t port = 0;
  report::LogChoice choice = report::LogChoice::Only;
  report::LogReportOptions log;
  ToolSwitches switches;
  trace::ToolTrace *trace = nullptr; ///< MICA_TRACE; of the call
};

std::vector<FlagGroup> flags(Options &options) {
  auto choose = [&options](report::LogChoice choice) {
    return [&options, choice](const std::string &) -> Status {
      if (options.choice != report::LogChoice::Only && options.choice != choice)
        return Error{ErrorCode::InvalidInput, "--latest and --all-ranks exclude each other", "give one of them"};
      options.choice = choice;
      return Status::ok();
    };
  };
  return {{"Artifacts",
           {{"--verify", Flag::Value::None, "", "verify all files against manifest.json; exit code 3 if any differs",
             setTrue(options.verify)},
            {"--unpack", Flag::Value::None, "",
             "extract the snapshot archive of an artifact, or of a folder, to .mlir files", setTrue(options.unpack)},
            {"--text", Flag::Value::None, "", "print a summary of the artifact or dump instead of writing a report",
             setTrue(options.text)},
            {"--artifact", Flag::Value::Required, "DIR", "with a log: include pages about this artifact",
             [&options](const std::string &value) {
               options.log.artifacts.push_back(value);
               return Status();
             }},
            {"--source", Flag::Value::Required, "FILE", "source file of the program, if it has moved",
             [&options](const std::string &value) {
               options.log.sources.push_back(value);
               return Status();
             }}}},
          {"Trace logs",
           {{"--latest", Flag::Value::None, "", "use the newest log of the folder", choose(report::LogChoice::Latest)},
            {"--all-ranks", Flag::Value::None, "", "use the newest log of each rank, and show where ranks diverge",
             choose(report::LogChoice::AllRanks)},
            {"-o", Flag::Value::Required, "PATH",
             "folder of the report, or file with --single-file or --zip (default: mica_out)",
             [&options](const std::string &value) {
               options.output = value;
               return Status();
             }},
            {"--force", Flag::Value::None, "", "replace an earlier report", setTrue(options.log.force)},
            {"--serve", Flag::Value::None, "",
             "serve the report on 127.0.0.1 until Ctrl-C, and update it\n"
             "Also serves an existing report.",
             setTrue(options.serve)},
            {"--port", Flag::Value::Required, "N", "with --serve: port (default: the first free one from 8000)",
             [&options](const std::string &value) -> Status {
               MICA_ASSIGN_OR_RETURN(options.port, parseFlagInteger("--port", value, 1, 65535));
               return Status::ok();
             }},
            {"--open", Flag::Value::None, "", "open the report in the browser", setTrue(options.open)},
            {"--single-file", Flag::Value::None, "", "write a single .html file", setTrue(options.log.singleFile)},
            {"--zip", Flag::Value::None, "", "write a .zip file, to attach to a bug report", setTrue(options.log.zip)},
            {"--strict", Flag::Value::None, "", "exit code 1 if a log is damaged; the report is written anyway",
             setTrue(options.strict)},
            {"--plain", Flag::Value::None, "", "write texts as plain files: no colors, no search; for diff -r",
             setTrue(options.log.plain)},
            {"--with-constants", Flag::Value::None, "", "keep the elements of constants in texts (default: elided)",
             setTrue(options.log.constants)},
            {"--with-tensors", Flag::Value::None, "", "keep elements of the tensors of dumps (dump-tensors=2)",
             setTrue(options.log.tensors)},
            {"--redact", Flag::Value::None, "",
             "mask code, names, paths and constants; keep sizes, times and structure", setTrue(options.log.redact)}}},
          logFlags(options.switches)};
}

Status showPage(const std::filesystem::path &page, bool open) {
  std::printf("%s\n", page.string().c_str());
  if (!open)
    return Status::ok();
  MICA_ASSIGN_OR_RETURN(const int code, runProcess({"/usr/bin/xdg-open", std::filesystem::absolute(page).string()}));
  if (code != 0)
    printWarning(kTool, "the browser did not open", "open " + page.string() + " by hand");
  return Status::ok();
}

/// `path`: a log, a folder of logs, or an artifact.
Result<int> writeReport(const std::string &path, Options &options, int argc, char **argv) {
  report::LogReportOptions &log = options.log;
  if (log.singleFile && (log.zip || log.plain))
    return Error{ErrorCode::InvalidInput, "--single-file cannot be combined with --zip or --plain",
                 "a single file is already small; --plain is for folders that diff -r compares"};
  if (options.open && log.zip)
    return Error{ErrorCode::InvalidInput, "--open cannot be combined with --zip", "leave one of them out"};
  log.output = options.output.value_or(log.singleFile ? "mica_out.html" : log.zip ? "mica_out.zip" : "mica_out");
  log.commandLine.assign(argv, argv + argc);
  std::vector<report::LogFile> logs;
  if (options.choice == report::LogChoice::Only && (path == "-" || report::isDumpOrRecord(path))) {
    log.dump = path;
  } else if (report::isLog(path) || options.choice != report::LogChoice::Only) {
    MICA_ASSIGN_OR_RETURN(logs, report::findLogs(path, options.choice));
  } else {
    // What is wrong with it is said before anything about the output.
    if (Result<artifact::Artifact> opened = artifact::Artifact::open(path); !opened)
      return opened.error();
    log.artifacts.insert(log.artifacts.begin(), path);
  }
  MICA_ASSIGN_OR_RETURN(const report::LogReportResult result, report::writeLogReport(logs, log));
  for (const report::LogFile &read : logs)
    options.trace->file("read", read.path.string());
  for (const std::filesystem::path &artifact : log.artifacts)
    options.trace->file("read", artifact.string());
  if (!log.dump.empty())
    options.trace->file("read", log.dump.string());
  options.trace->file("written", result.page.string());
  options.trace->note("damaged_places", std::to_string(result.damage));
  for (const report::LogFile &read : logs)
    MICA_LOG(Import, Info) << read.path.string() << ": a trace log of rank " << read.rank;
  for (const std::filesystem::path &artifact : log.artifacts)
    MICA_LOG(Import, Info) << artifact.string() << ": an artifact";
  if (result.damage > 0)
    MICA_LOG(Import, Warning) << path << ": " << result.damage << " places damaged";
  std::printf("%s", result.summary.c_str());
  MICA_RETURN_IF_ERROR(showPage(result.page, options.open));
  if (options.strict && result.damage) {
    printError(kTool, {ErrorCode::Damaged,
                       groupDigits(result.damage) + (result.damage == 1 ? " place" : " places") + " of the log damaged",
                       "the page Records of the report names them"});
    return exitCode(ErrorCode::Damaged);
  }
  return 0;
}

/// `path`: a folder that mica-bisect wrote.
Result<int> writeVerdictPage(const std::string &path, Options &options) {
  if (options.log.zip || options.log.plain || options.log.redact || options.choice != report::LogChoice::Only)
    return Error{ErrorCode::InvalidInput, "the report of mica-bisect is one page: flags of logs have no effect on it",
                 "give -o FILE.html and --open alone; mica-bisect --strip leaves names out"};
  const std::filesystem::path page = options.output.value_or("mica_out.html");
  MICA_ASSIGN_OR_RETURN(const std::string text, report::verdictPage(path));
  std::error_code ignored;
  if (std::filesystem::is_directory(page, ignored))
    return Error{ErrorCode::InvalidInput, page.string() + " is a folder", "give a file: -o report.html"};
  MICA_RETURN_IF_ERROR(writeFileAtomic(page, text));
  options.trace->file("read", path);
  options.trace->file("written", page.string());
  MICA_RETURN_IF_ERROR(showPage(page, options.open));
  return 0;
}

/// `path`: a folder of the switch rank-trace. With --text, or as a page and a file for Perfetto beside it.
Result<int> reportRanks(const std::string &path, Options &options) {
  if (options.log.zip || options.log.plain || options.log.redact || options.serve)
    return Error{ErrorCode::InvalidInput, "the report on ranks is one page: flags of logs have no effect on it",
                 "give -o FILE.html, --open or --text alone"};
  MICA_ASSIGN_OR_RETURN(const report::ranks::RankModel model, report::ranks::readRankTrace(path));
  std::printf("%s", report::ranks::describeRanks(model).c_str());
  options.trace->file("read", path);
  if (options.text)
    return 0;
  const std::filesystem::path page = options.output.value_or("mica_out.html");
  std::error_code ignored;
  if (std::filesystem::is_directory(page, ignored))
    return Error{ErrorCode::InvalidInput, page.string() + " is a folder", "give a file: -o ranks.html"};
  const std::filesystem::path perfetto = std::filesystem::path(page).replace_extension(".perfetto.json");
  MICA_RETURN_IF_ERROR(writeFileAtomic(page, report::ranks::rankPage(model)));
  MICA_RETURN_IF_ERROR(writeFileAtomic(perfetto, report::ranks::printPerfetto(model)));
  options.trace->file("written", page.string());
  options.trace->file("written", perfetto.string());
  std::printf("%s, for ui.perfetto.dev\n", perfetto.string().c_str());
  MICA_RETURN_IF_ERROR(showPage(page, options.open));
  return 0;
}

/// mica-report --text DUMP.
Result<int> printDump(const std::string &path) {
  MICA_ASSIGN_OR_RETURN(const passdump::Dump dump, report::readDumpOrRecord(path));
  std::printf("%s", passdump::printRuns(dump).c_str());
  return 0;
}

/// mica-report explain PASS DUMP.
Result<int> explainPass(const std::string &pass, const std::string &path) {
  MICA_ASSIGN_OR_RETURN(const passdump::Dump dump, report::readDumpOrRecord(path));
  size_t found = 0, changed = 0;
  const std::string text = passdump::printChanges(dump, pass, found, changed);
  if (!found)
    return Error{ErrorCode::NotFound, path + " has no pass '" + pass + "'",
                 "mica-report --text " + path + " lists its passes; give a name, an argument or a number"};
  std::printf("%s", text.c_str());
  return 0;
}

Result<int> reportArtifact(const std::vector<std::string> &words, bool verify) {
  const bool explain = words.size() == 3;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(words.back(), ignored))
    return Error{ErrorCode::InvalidInput,
                 words.back() + (std::filesystem::file_size(words.back(), ignored) == 0
                                     ? " is empty"
                                     : " is no artifact, and holds no dump of a compiler's passes"),
                 "give the folder of an artifact, or a dump: docs/PassDumps.md lists the flags that make one"};
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(words.back()));
  if (verify) {
    MICA_ASSIGN_OR_RETURN(const std::vector<artifact::FileChange> changes, artifact.changes());
    for (const artifact::FileChange &change : changes)
      std::printf("%s %s\n", change.state == artifact::FileState::Missing ? "missing" : "edited ", change.path.c_str());
    std::printf("%zu of %zu files verified\n", artifact.manifest().files.size() - changes.size(),
                artifact.manifest().files.size());
    return changes.empty() ? 0 : exitCode(ErrorCode::Difference);
  }
  MICA_ASSIGN_OR_RETURN(const std::string text,
                        explain ? report::explainOp(artifact, words[1]) : report::describeArtifact(artifact));
  std::printf("%s", text.c_str());
  return 0;
}

/// mica-report --serve PATH.
Result<int> serve(const std::string &path, Options &options, int argc, char **argv) {
  report::LogReportOptions &log = options.log;
  if (log.singleFile || log.zip)
    return Error{ErrorCode::InvalidInput, "--serve cannot be combined with --single-file or --zip", "leave them out"};
  log.commandLine.assign(argv, argv + argc);
  MICA_ASSIGN_OR_RETURN(report::Follower follower, report::Follower::create(path, options.choice, log, options.output));
  report::ServeOptions served;
  served.port = static_cast<int>(options.port);
  served.follow = [&] { return follower.look(); };
  served.ready = [&](int port) -> Status {
    const std::string address = "http://127.0.0.1:" + std::to_string(port) + "/";
    std::printf("%s\nCtrl-C ends\n", address.c_str());
    std::fflush(stdout);
    if (options.open)
      if (const Result<int> code = runProcess({"/usr/bin/xdg-open", address}); !code || *code != 0)
        printWarning(kTool, "the browser did not open", "open " + address + " by hand");
    return Status::ok();
  };
  MICA_RETURN_IF_ERROR(report::serveReport(served));
  return 0;
}

/// mica-report diff A B: 0 where they are the same, 3 where not.
Result<int> diffRuns(const std::vector<std::string> &words, Options &options, int argc, char **argv) {
  report::LogReportOptions &log = options.log;
  const bool pages = options.output || options.open || log.singleFile || log.zip;
  if (log.plain || log.redact)
    return Error{ErrorCode::InvalidInput, "diff cannot be combined with --plain or --redact", "leave them out"};
  if (options.choice == report::LogChoice::Only && report::isDumpOrRecord(words[1]) &&
      report::isDumpOrRecord(words[2])) {
    MICA_ASSIGN_OR_RETURN(const passdump::Dump before, report::readDumpOrRecord(words[1]));
    MICA_ASSIGN_OR_RETURN(const passdump::Dump after, report::readDumpOrRecord(words[2]));
    const passdump::DumpComparison compared = passdump::compareDumps(before, after);
    options.trace->file("compared", words[1]);
    options.trace->file("compared", words[2]);
    options.trace->note("same", compared.same ? "true" : "false");
    std::printf("%s", compared.text.c_str());
    if (pages) {
      log.output = options.output.value_or(log.singleFile ? "mica_out.html" : log.zip ? "mica_out.zip" : "mica_out");
      log.commandLine.assign(argv, argv + argc);
      log.dump = words[1];
      log.otherDump = words[2];
      MICA_ASSIGN_OR_RETURN(const report::LogReportResult result, report::writeLogReport({}, log));
      options.trace->file("written", result.page.string());
      MICA_RETURN_IF_ERROR(showPage(result.page, options.open));
    }
    return compared.same ? 0 : exitCode(ErrorCode::Difference);
  }
  log.output = options.output.value_or(log.singleFile ? "mica_out.html" : log.zip ? "mica_out.zip" : "mica_out");
  log.commandLine.assign(argv, argv + argc);
  MICA_ASSIGN_OR_RETURN(const report::DiffResult result,
                        report::diffRuns(words[1], words[2], options.choice, pages, log));
  options.trace->file("compared", words[1]);
  options.trace->file("compared", words[2]);
  options.trace->note("same", result.same ? "true" : "false");
  if (pages)
    options.trace->file("written", result.page.string());
  std::printf("%s", result.text.c_str());
  if (pages)
    MICA_RETURN_IF_ERROR(showPage(result.page, options.open));
  return result.same ? 0 : exitCode(ErrorCode::Difference);
}

Result<int> run(int argc, char **argv, trace::ToolTrace &trace, bool &helps) {
  Options options;
  options.trace = &trace;
  helps = true;
  CommandLine line(kTool, "mica-report FILE | DIR | diff A B | explain ID PATH", kOverview, flags(options),
                   "0  success\n"
                   "1  wrong flag, input or file, or a system error\n"
                   "2  internal error of Mica\n"
                   "3  diff: different; --verify: a file differs");
  MICA_ASSIGN_OR_RETURN(std::vector<std::string> words, line.parse(argc, argv));
  if (line.helpWanted()) {
    std::printf("%s", line.helpText().c_str());
    return 0;
  }
  if (line.versionWanted()) {
    std::printf("mica-report %s\nartifact schema %d.%d, no LLVM inside (mica-compile --version names the compiler's)\n",
                std::string(version()).c_str(), artifact::kSchemaMajor, artifact::kSchemaMinor);
    return 0;
  }
  MICA_ASSIGN_OR_RETURN(const bool helped, applyLogSwitches(options.switches, kTool));
  if (helped)
    return 0;
  helps = false;
  if (words.size() == 3 && words[0] == "diff")
    return diffRuns(words, options, argc, argv);
  const bool explain = words.size() == 3 && words[0] == "explain";
  if (explain && options.choice == report::LogChoice::Only) {
    if (report::isDumpOrRecord(words[1]))
      std::swap(words[1], words[2]);
    if (words[2] == "-" || report::isDumpOrRecord(words[2]))
      return explainPass(words[1], words[2]);
  }
  if (explain && (artifact::isArtifact(words[1]) || report::isLog(words[1])))
    std::swap(words[1], words[2]);
  if (words.size() == 3 && !explain)
    return Error{ErrorCode::InvalidInput, "'" + words[0] + "': unknown command",
                 unknownNameHint(words[0], {"explain", "diff"})};
  if (!explain && words.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 words.empty() ? "no artifact or trace log given" : "invalid combination of arguments",
                 "usage: mica-report DIR, mica-report RECORD, mica-report FILE.log, mica-report diff A B, or "
                 "mica-report explain ID PATH"};
  if (options.port && !options.serve)
    return Error{ErrorCode::InvalidInput, "--port needs --serve", "add --serve"};
  if (options.unpack && (explain || options.verify || options.text || options.serve))
    return Error{ErrorCode::InvalidInput, "--unpack cannot be combined with another mode", "remove one of them"};
  if (options.unpack) {
    const std::filesystem::path given(words[0]), inside = given / "passes_dump";
    std::error_code ignored;
    const std::filesystem::path record = std::filesystem::exists(inside, ignored) ? inside : given;
    MICA_ASSIGN_OR_RETURN(const size_t made, artifact::makePlain(record));
    std::printf("%s: %zu %s written\n", record.string().c_str(), made, made == 1 ? "file" : "files");
    return 0;
  }
  if (options.serve && (explain || options.verify || options.text))
    return Error{ErrorCode::InvalidInput, "--serve cannot be combined with another mode", "remove one of them"};
  if (options.serve)
    return serve(words[0], options, argc, argv);
  if (!explain && !options.verify && report::ranks::isRankTrace(words[0]))
    return reportRanks(words[0], options);
  if (!explain && !options.verify && !options.text && report::isVerdict(words[0]))
    return writeVerdictPage(words[0], options);
  if (!explain && !options.verify && !options.text)
    return writeReport(words[0], options, argc, argv);
  if (explain && !artifact::isArtifact(words[2]) &&
      (report::isLog(words[2]) || options.choice != report::LogChoice::Only)) {
    MICA_ASSIGN_OR_RETURN(const std::vector<report::LogFile> logs, report::findLogs(words[2], options.choice));
    MICA_ASSIGN_OR_RETURN(const std::string text, report::explainInLogs(logs, words[1]));
    for (const report::LogFile &read : logs)
      trace.file("read", read.path.string());
    std::printf("%s", text.c_str());
    return 0;
  }
  trace.file("read", words.back());
  if (options.text && (words.back() == "-" || report::isDumpOrRecord(words.back())))
    return printDump(words.back());
  return reportArtifact(words, options.verify);
}

} // namespace

int reportTool(int argc, char **argv) {
  makeFileSizeLimitAnError();
  makeOutOfMemoryAnError(kTool);
  handleTruncation(kTool.data());
  trace::ToolTrace trace(kTool, argc, argv);
  bool helps = false;
  Result<int> code = catchOutOfMemory([&] { return run(argc, argv, trace, helps); });
  return trace::endTool(kTool, trace, std::move(code), helps);
}

} // namespace mica
