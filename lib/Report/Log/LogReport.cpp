//===- LogReport.cpp - a report of trace logs ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Logs are read one after the other, each by several threads. Everything is written to a folder under a temporary name,
// which becomes the report, its zip or its single file at the end.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/LogReport.h"

#include "lib/Report/Artifact/ArtifactData.h"
#include "lib/Report/Log/BuildModel.h"
#include "lib/Report/Log/CompareRanks.h"
#include "lib/Report/Log/PageData.h"
#include "lib/Report/Log/RankTimes.h"
#include "lib/Report/Log/ZipFolder.h"
#include "lib/Report/PassDump/DumpData.h"
#include "lib/Report/PassDump/RecordDump.h"
#include "lib/Support/Json.h"
#include "mica/PassDump/PrintDump.h"
#include "mica/Support/Files.h"
#include "mica/Support/Html.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <span>
#include <sys/utsname.h>

namespace fs = std::filesystem;

namespace mica::report {

namespace page {
extern const std::string_view k_page_html, k_style_css;
extern const std::span<const std::string_view> k_scripts; // in the order of CMakeLists.txt
} // namespace page

namespace {

constexpr int kLevel = 6;

std::string script() {
  std::string text;
  for (const std::string_view part : page::k_scripts)
    text += part;
  return text;
}

/// The page with its style and script, and `data` before them.
std::string pageText(const std::string &data, bool served) {
  return printHtml({"mica-report", page::k_style_css, std::string(page::k_page_html) + data, script(), served});
}

Json summaryOf(const LogModel &model, const std::string &folder) {
  static constexpr const char *kNames[] = {"ok", "restarted", "empty", "failed", "unfinished"};
  Json status = Json::object();
  int64_t us = 0, hits = 0, misses = 0, compiles = 0;
  for (const Compile &compile : model.compiles) {
    if (!compile.id.isNone()) {
      ++compiles;
      Json &count = status[kNames[static_cast<size_t>(compile.status())]];
      count = count.is_null() ? 1 : count.get<int64_t>() + 1;
      us += std::max<int64_t>(0, compile.microseconds());
    }
    for (const Product &product : compile.products) {
      hits += product.mark == "hit";
      misses += product.mark == "miss";
    }
  }
  return {{"rank", model.rank},
          {"name", model.name},
          {"folder", folder},
          {"bytes", model.counts.bytes},
          {"compiles", compiles},
          {"status", status},
          {"us", us},
          {"hits", hits},
          {"misses", misses},
          {"damage", model.counts.damage()}};
}

class ReportWriter {
public:
  ReportWriter(const std::vector<LogFile> &logs, const LogReportOptions &options) : logs(logs), options(options) {}

  Result<LogReportResult> run() {
    MICA_RETURN_IF_ERROR(checkOutput());
    // A report that is one file is made in a folder, too, which never takes a name of its own.
    const fs::path made =
        options.singleFile || options.zip ? fs::path(options.output.string() + ".parts") : options.output;
    MICA_ASSIGN_OR_RETURN(StagedFolder staged, StagedFolder::create(made));
    folder = staged.path();
    MICA_RETURN_IF_ERROR(makeFolder(folder / "data"));
    MICA_RETURN_IF_ERROR(readAll());
    MICA_RETURN_IF_ERROR(checkRecords());
    MICA_RETURN_IF_ERROR(writePage());
    if (options.singleFile)
      result.page = options.output;
    else if (options.zip)
      MICA_RETURN_IF_ERROR(writeZip());
    else {
      MICA_RETURN_IF_ERROR(staged.commit(options.force));
      result.page = options.output / "index.html";
    }
    return std::move(result);
  }

private:
  /// An earlier report may be replaced; any other folder is somebody's work.
  Status checkOutput() const {
    std::error_code error;
    const fs::path &output = options.output;
    if (!fs::exists(output, error))
      return Status::ok();
    if (!options.force)
      return Error{ErrorCode::InvalidInput, output.string() + " exists", "give another -o, or --force to replace it"};
    const bool isFile = options.singleFile || options.zip;
    if (isFile ? fs::is_directory(output, error)
               : !fs::is_directory(output, error) ||
                     (!fs::is_empty(output, error) && !fs::exists(output / "compile_directory.json", error) &&
                      !fs::exists(output / "data" / "report.js", error)))
      return Error{ErrorCode::InvalidInput, output.string() + " is no earlier report, so --force does not replace it",
                   "give another -o"};
    return Status::ok();
  }

  /// A file without a record is no log; an empty one that is served may get some.
  Status checkRecords() const {
    auto hasRecords = [](const LogModel &model) { return model.counts.records > 0; };
    if (!options.artifacts.empty() || models.empty() || std::any_of(models.begin(), models.end(), hasRecords))
      return Status::ok();
    const fs::path &path = logs.front().path;
    const bool isEmpty =
        std::all_of(models.begin(), models.end(), [](const LogModel &model) { return model.counts.damage() == 0; });
    if (isEmpty && options.served)
      return Status::ok();
    if (isEmpty)
      return Error{ErrorCode::InvalidInput, path.string() + " is empty",
                   "set MICA_TRACE=FOLDER or TORCH_TRACE=FOLDER in the run that is to be traced, and give what it "
                   "wrote"};
    return Error{ErrorCode::InvalidInput, path.string() + " holds no TORCH_TRACE record",
                 path.extension() == ".mlir" ? "compile it, then give the artifact: mica-compile " + path.string()
                                             : "give a trace log, a folder of them, an artifact, or a dump of a "
                                               "compiler's passes (docs/PassDumps.md lists them)"};
  }

  Status readAll() {
    TextStore store(folder, !options.singleFile);
    store.inMemory = options.singleFile;
    if (!options.dump.empty())
      MICA_RETURN_IF_ERROR(readDump(store));
    MICA_RETURN_IF_ERROR(readArtifacts(store));
    if (!logs.empty())
      MICA_RETURN_IF_ERROR(readLogs(store));
    if (options.comparison) {
      MICA_ASSIGN_OR_RETURN(const std::string comparison, options.comparison(store));
      MICA_RETURN_IF_ERROR(addData("diff", comparison));
    }
    MICA_RETURN_IF_ERROR(store.finish());
    for (size_t i = 0; i < store.packed.size(); ++i)
      inlineData("pack" + std::to_string(i), store.packed[i]);
    packs = store.packs();
    return Status::ok();
  }

  Status readDump(TextStore &store) {
    MICA_ASSIGN_OR_RETURN(passdump::Dump read, readDumpOrRecord(options.dump));
    auto nameOf = [](const fs::path &path) {
      const fs::path shown = path == "-" ? fs::path("standard input") : fs::absolute(path).lexically_normal();
      return (shown.has_filename() ? shown : shown.parent_path()).filename().string();
    };
    std::string name = nameOf(options.dump);
    if (!options.otherDump.empty()) {
      MICA_ASSIGN_OR_RETURN(passdump::Dump other, readDumpOrRecord(options.otherDump));
      read = passdump::combineDumps(std::move(read), std::move(other));
      name += " and " + nameOf(options.otherDump);
    }
    MICA_ASSIGN_OR_RETURN(const ArtifactData data, dumpData(read, name, store, artifactOptions(0)));
    MICA_RETURN_IF_ERROR(addData("artifact0", data.json));
    artifacts.push_back(
        {{"name", data.name}, {"dump", true}, {"holdsValues", data.holdsValues}, {"elided", data.elided}});
    result.summary += data.summary;
    return Status::ok();
  }

  Status readArtifacts(TextStore &store) {
    for (size_t i = 0; i < options.artifacts.size(); ++i) {
      MICA_ASSIGN_OR_RETURN(const ArtifactData artifact, artifactData(options.artifacts[i], store, artifactOptions(i)));
      MICA_RETURN_IF_ERROR(addData("artifact" + std::to_string(i), artifact.json));
      artifacts.push_back(
          {{"name", artifact.name}, {"holdsValues", artifact.holdsValues}, {"elided", artifact.elided}});
      result.summary += artifact.summary;
    }
    return Status::ok();
  }

  Status readLogs(TextStore &store) {
    MICA_ASSIGN_OR_RETURN(const std::unique_ptr<EventsFile> events,
                          EventsFile::create(folder / "chromium_events.json"));
    const bool ranks = logs.size() > 1;
    for (size_t i = 0; i < logs.size(); ++i) {
      BuildOptions build;
      build.folder = ranks ? "rank_" + std::to_string(logs[i].rank) + "/" : "";
      build.texts = !options.plain;
      build.redact = options.redact;
      build.constants = options.constants;
      build.ranks = ranks;
      build.scratch = folder / "traced" / std::to_string(i);
      MICA_RETURN_IF_ERROR(makeFolder(folder / build.folder));
      MICA_ASSIGN_OR_RETURN(LogModel model, buildModel(logs[i].path, folder, store, *events, build));
      if (ranks)
        model.rank = logs[i].rank; // the name counts: it is what pairs the files
      if (options.redact)
        model.name = "log " + std::to_string(i);
      MICA_RETURN_IF_ERROR(addTraced(model, store));
      MICA_RETURN_IF_ERROR(writeFile(folder / build.folder / "compile_directory.json", compileDirectory(model)));
      MICA_ASSIGN_OR_RETURN(const std::string data, pageData(model, store));
      MICA_RETURN_IF_ERROR(addData("log" + std::to_string(i), data));
      rows.push_back(summaryOf(model, build.folder));
      summarize(model);
      // Only what ranks are compared by is kept.
      model.spans = {};
      models.push_back(std::move(model));
    }
    std::error_code ignored;
    fs::remove_all(folder / "traced", ignored);
    MICA_RETURN_IF_ERROR(writeRankTrace(models, folder / "runtime_estimates.json"));
    return events->finish();
  }

  /// Pages of the artifacts that a log holds, each once. One that cannot be shown is a note.
  Status addTraced(LogModel &model, TextStore &store) {
    for (const TracedArtifact &traced : model.artifacts) {
      const auto [known, isNew] = numbers.emplace(traced.manifest, static_cast<int>(artifacts.size()));
      if (isNew) {
        ArtifactOptions read = artifactOptions(artifacts.size());
        read.traced = true;
        read.name = "[" + traced.compile.text() + "]";
        const Result<ArtifactData> artifact = artifactData(traced.folder, store, read);
        if (artifact) {
          MICA_RETURN_IF_ERROR(addData("artifact" + std::to_string(artifacts.size()), artifact->json));
          artifacts.push_back({{"name", artifact->name},
                               {"traced", true},
                               {"holdsValues", artifact->holdsValues},
                               {"elided", artifact->elided}});
        } else {
          known->second = -1;
          model.notes.push_back("[" + traced.compile.text() + "] has no pages of its own: " +
                                (options.redact ? "what the log holds of it is damaged" : artifact.error().message));
        }
      }
      for (Compile &compile : model.compiles)
        if (compile.id == traced.compile ||
            (!compile.compiledWith.empty() && compile.compiledWith == traced.compile.text()))
          compile.artifact = known->second;
    }
    return Status::ok();
  }

  ArtifactOptions artifactOptions(size_t number) const {
    ArtifactOptions read;
    read.plain = options.plain;
    read.redact = options.redact;
    read.constants = options.constants;
    read.tensors = options.tensors;
    read.folder = "artifact" + (number ? "_" + std::to_string(number) : "") + "/";
    read.scratch = folder;
    read.sources = options.sources;
    return read;
  }

  void inlineData(const std::string &name, const std::string &packed) {
    data += "<script type=\"text/plain\" id=\"mica-" + name + "\">" + packed + "</script>\n";
  }

  Status addData(const std::string &name, const std::string &json) {
    const std::string packed = packText(json, kLevel);
    if (options.singleFile) {
      inlineData(name, packed);
      return Status::ok();
    }
    return writeFile(folder / "data" / (name + ".js"), packScript(name, packed));
  }

  Json about() const {
    Json about = {{"tool", "mica-report " + std::string(version())}};
    if (options.redact)
      return about;
    std::string command;
    for (const std::string &argument : options.commandLine)
      command += (command.empty() ? "" : " ") + argument;
    about["command"] = command;
    for (size_t i = 0; i < logs.size(); ++i)
      about["log " + std::to_string(i)] = logs[i].path.string() + ", " + byteSize(models[i].counts.bytes);
    for (const fs::path &artifact : options.artifacts)
      about["artifact"] = artifact.string();
    if (!options.dump.empty())
      about["dump"] = options.dump.string();
    if (!options.otherDump.empty())
      about["other dump"] = options.otherDump.string();
    struct ::utsname system;
    if (::uname(&system) == 0)
      about["made on"] = std::string(system.sysname) + " " + system.release + " " + system.machine;
    return about;
  }

  Status writePage() {
    Json desync = Json::array();
    for (const Desync &difference : compareRanks(models)) {
      Json groups = Json::array();
      for (const RankGroup &group : difference.groups)
        groups.push_back({{"ranks", group.ranks}, {"says", group.says}});
      desync.push_back({{"what", difference.what}, {"first", difference.first}, {"groups", std::move(groups)}});
      result.summary += "ranks differ in " + difference.what +
                        (difference.first.empty() ? "" : ", first at [" + difference.first + "]") + "\n";
    }
    // Pages show the most common orders, to a length that one can read.
    constexpr size_t kMostOrders = 8, kMostSteps = 2000;
    Json orders = Json::array();
    for (const ExecutionOrder &order : executionOrders(models))
      if (orders.size() < kMostOrders)
        orders.push_back(
            {{"ranks", order.ranks},
             {"count", order.steps.size()},
             {"steps", std::vector<std::string>(order.steps.begin(),
                                                order.steps.begin() + static_cast<std::ptrdiff_t>(
                                                                          std::min(order.steps.size(), kMostSteps)))}});
    const Json top = {{"logs", rows},
                      {"orders", orders},
                      {"times", rankTimes(models)},
                      {"artifacts", artifacts},
                      {"packs", packs},
                      {"desync", desync},
                      {"plain", options.plain},
                      {"single", options.singleFile},
                      {"redacted", options.redact},
                      {"constants", options.constants},
                      {"tensors", options.tensors},
                      {"served", options.served},
                      {"diff", static_cast<bool>(options.comparison)},
                      {"about", about()}};
    MICA_RETURN_IF_ERROR(addData("report", printJsonLine(top)));
    const std::string text = pageText(data, options.served);
    if (options.singleFile)
      return writeFileAtomic(options.output, text);
    return writeFile(folder / "index.html", text);
  }

  Status writeZip() {
    MICA_RETURN_IF_ERROR(writeFile(folder / "about.json", printJson(about())));
    const fs::path temporary = folder.string() + ".zip";
    const std::string root = options.output.stem().string();
    Status status = zipFolder(folder, root.empty() ? "mica_out" : root, temporary);
    std::error_code error;
    if (status) {
      fs::rename(temporary, options.output, error);
      if (error)
        status = systemError("write", options.output, error.value());
    }
    if (!status)
      fs::remove(temporary, error);
    result.page = options.output;
    return status;
  }

  void summarize(const LogModel &model) {
    result.damage += model.counts.damage();
    size_t compiles = 0, bad = 0;
    for (const Compile &compile : model.compiles)
      if (!compile.id.isNone()) {
        ++compiles;
        const CompileStatus status = compile.status();
        bad += status == CompileStatus::Failed || status == CompileStatus::Unfinished;
      }
    result.summary += model.name + ": " + groupDigits(static_cast<int64_t>(compiles)) +
                      (compiles == 1 ? " compile" : " compiles") +
                      (bad ? ", " + groupDigits(static_cast<int64_t>(bad)) + " failed or unfinished" : "") + "; " +
                      groupDigits(model.counts.records) + " records, " + byteSize(model.counts.bytes) + "\n";
    for (const std::string &note : model.notes)
      result.summary += "  " + note + "\n";
    for (size_t i = 0; i < trace::kDefectKinds; ++i)
      if (const int64_t count = model.counts.defects[i]; count && trace::isDamage(static_cast<trace::DefectKind>(i))) {
        result.summary += "  damaged: " + std::string(trace::defectName(static_cast<trace::DefectKind>(i))) + " " +
                          groupDigits(count);
        for (const trace::Defect &defect : model.defects)
          if (static_cast<size_t>(defect.kind) == i) {
            result.summary += ", first at line " + groupDigits(defect.line) + ": " + defect.what;
            break;
          }
        result.summary += "\n";
      }
  }

  const std::vector<LogFile> &logs;
  const LogReportOptions &options;
  fs::path folder;
  std::vector<LogModel> models;
  std::map<trace::Digest, int> numbers; ///< of artifacts that logs hold, by manifest; -1: not shown
  Json rows = Json::array(), artifacts = Json::array();
  std::vector<int64_t> packs;
  std::string data; ///< of a single file
  LogReportResult result;
};

} // namespace

Result<LogReportResult> writeLogReport(const std::vector<LogFile> &logs, const LogReportOptions &options) {
  return ReportWriter(logs, options).run();
}

} // namespace mica::report
