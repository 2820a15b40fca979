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
#include "lib/Report/Serve/Follower.h"
#include "lib/Report/Serve/Server.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Report/Report.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Log.h"
#include "mica/Support/MappedFile.h"
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

constexpr std::string_view kOverview = "Of an artifact (a folder with manifest.json), a trace log (TORCH_TRACE, "
                                       "MICA_TRACE) or a folder of them: a report to\n"
                                       "open in a browser, without a network. `diff` compares two of them, or two "
                                       "reports' folders: exit code 0 where they\n"
                                       "are the same, 3 where not; pages too with -o. `explain` shows everything known "
                                       "about one op of an artifact, or of the\n"
                                       "programs in a log; ID may be shortened, and the path may come first.";

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
  return {
      {"Artifacts",
       {{"--verify", Flag::Value::None, "",
         "reads every file and names those that are not as the compiler left them; exit code 3 if any",
         setTrue(options.verify)},
        {"--unpack", Flag::Value::None, "",
         "make plain .mlir files of the snapshots that the artifact, or a folder of snapshots, has in an archive",
         setTrue(options.unpack)},
        {"--text", Flag::Value::None, "", "tell about the artifact here, and write no report", setTrue(options.text)},
        {"--artifact", Flag::Value::Required, "DIR", "with a log: pages about this artifact too",
         [&options](const std::string &value) {
           options.log.artifacts.push_back(value);
           return Status();
         }},
        {"--source", Flag::Value::Required, "FILE",
         "the program as it was written, where it is no longer in the place that the artifact names",
         [&options](const std::string &value) {
           options.log.sources.push_back(value);
           return Status();
         }}}},
      {"Trace logs",
       {{"--latest", Flag::Value::None, "", "the newest log of the folder", choose(report::LogChoice::Latest)},
        {"--all-ranks", Flag::Value::None, "", "the newest log of each rank, and where the ranks part ways",
         choose(report::LogChoice::AllRanks)},
        {"-o", Flag::Value::Required, "PATH",
         "the report's folder (default mica_out), or its file with --single-file or --zip",
         [&options](const std::string &value) {
           options.output = value;
           return Status();
         }},
        {"--force", Flag::Value::None, "", "replace an earlier report", setTrue(options.log.force)},
        {"--serve", Flag::Value::None, "",
         "serve the report on 127.0.0.1 until Ctrl-C, made anew as its log or artifact changes; also an earlier report",
         setTrue(options.serve)},
        {"--port", Flag::Value::Required, "N", "with --serve: the port (default the first free one from 8000)",
         [&options](const std::string &value) -> Status {
           MICA_ASSIGN_OR_RETURN(options.port, parseFlagInteger("--port", value, 1, 65535));
           return Status::ok();
         }},
        {"--open", Flag::Value::None, "", "open the report in the browser", setTrue(options.open)},
        {"--single-file", Flag::Value::None, "", "one .html that holds everything", setTrue(options.log.singleFile)},
        {"--zip", Flag::Value::None, "", "one .zip to attach to a bug report", setTrue(options.log.zip)},
        {"--strict", Flag::Value::None, "", "exit code 1 where a log is damaged; the report is written all the same",
         setTrue(options.strict)},
        {"--plain", Flag::Value::None, "", "texts as files only: no colours, no search in texts; faster, for diff -r",
         setTrue(options.log.plain)},
        {"--with-constants", Flag::Value::None, "",
         "keep the elements of constants that the texts write out; without it each constant of more than one element "
         "is "
         "elided",
         setTrue(options.log.constants)},
        {"--redact", Flag::Value::None, "", "mask code, names, paths and constants; sizes, times and structure stay",
         setTrue(options.log.redact)}}},
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
    return Error{ErrorCode::InvalidInput, "--single-file goes with neither --zip nor --plain",
                 "a single file is already small; --plain is for folders that diff -r compares"};
  if (options.open && log.zip)
    return Error{ErrorCode::InvalidInput, "--open goes not with --zip", "leave one of them out"};
  log.output = options.output.value_or(log.singleFile ? "mica_out.html" : log.zip ? "mica_out.zip" : "mica_out");
  log.commandLine.assign(argv, argv + argc);
  std::vector<report::LogFile> logs;
  if (report::isLog(path) || options.choice != report::LogChoice::Only) {
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

Result<int> reportArtifact(const std::vector<std::string> &words, bool verify) {
  const bool explain = words.size() == 3;
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(words.back()));
  if (verify) {
    MICA_ASSIGN_OR_RETURN(const std::vector<artifact::FileChange> changes, artifact.changes());
    for (const artifact::FileChange &change : changes)
      std::printf("%s %s\n", change.state == artifact::FileState::Missing ? "missing" : "edited ", change.path.c_str());
    std::printf("%zu of %zu files are as the compiler left them\n", artifact.manifest().files.size() - changes.size(),
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
    return Error{ErrorCode::InvalidInput, "--serve goes with neither --single-file nor --zip", "leave them out"};
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
    return Error{ErrorCode::InvalidInput, "diff goes with neither --plain nor --redact", "leave them out"};
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
  CommandLine line(kTool, "mica-report FILE | DIR | diff A B | explain ID PATH", kOverview, flags(options));
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
  if (explain && (artifact::isArtifact(words[1]) || report::isLog(words[1])))
    std::swap(words[1], words[2]);
  if (words.size() == 3 && !explain)
    return Error{ErrorCode::InvalidInput, "'" + words[0] + "' is nothing this tool does",
                 unknownNameHint(words[0], {"explain", "diff"})};
  if (!explain && words.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 words.empty() ? "no artifact and no trace log given" : "these arguments are not a form of the tool",
                 "usage: mica-report DIR, mica-report FILE.log, mica-report diff A B, or mica-report explain ID PATH"};
  if (options.port && !options.serve)
    return Error{ErrorCode::InvalidInput, "--port is of --serve", "give --serve too"};
  if (options.unpack && (explain || options.verify || options.text || options.serve))
    return Error{ErrorCode::InvalidInput, "--unpack makes files, and nothing else", "leave out the other form"};
  if (options.unpack) {
    const std::filesystem::path given(words[0]), inside = given / "passes_dump";
    std::error_code ignored;
    const std::filesystem::path record = std::filesystem::exists(inside, ignored) ? inside : given;
    MICA_ASSIGN_OR_RETURN(const size_t made, artifact::makePlain(record));
    std::printf("%s: %zu %s made\n", record.string().c_str(), made, made == 1 ? "file" : "files");
    return 0;
  }
  if (options.serve && (explain || options.verify || options.text))
    return Error{ErrorCode::InvalidInput, "--serve serves a report", "leave out the other form"};
  if (options.serve)
    return serve(words[0], options, argc, argv);
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
  return reportArtifact(words, options.verify);
}

} // namespace

int reportTool(int argc, char **argv) {
  makeFileSizeLimitAnError();
  handleTruncation(kTool.data());
  trace::ToolTrace trace(kTool, argc, argv);
  bool helps = false;
  Result<int> code = run(argc, argv, trace, helps);
  if (code && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    code = Error{ErrorCode::Io, "cannot write the standard output", "is the disk full?"};
  const int exit = code ? *code : exitCode(code.error().code);
  if (!code)
    printError(kTool, code.error());
  // Not before: it may read the folder that its log goes to.
  if (!code || !helps)
    trace.begin();
  trace.end(exit, code ? nullptr : &code.error());
  return exit;
}

} // namespace mica
