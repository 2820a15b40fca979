//===- DumpData.cpp - a dump as the pages read it -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A dump is not trusted: every text is made valid UTF-8 or masked (Names), and no file is read but those that the user
// named. Lines are joined by the positions in their locations.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/PassDump/DumpData.h"

#include "lib/Report/Artifact/Context.h"
#include "lib/Report/Elements.h"
#include "lib/Report/Log/BuildModel.h"
#include "mica/PassDump/PrintDump.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace fs = std::filesystem;

namespace mica::report {

namespace {

using passdump::Language;

constexpr size_t kLongestText = size_t(64) << 20;
constexpr size_t kMostMapRows = 1'000'000;
constexpr size_t kMostRows = 20'000; ///< of the changes of one pass

std::string_view endingOf(const passdump::State &state) {
  switch (state.language) {
  case Language::Mlir:
    return ".mlir";
  case Language::Llvm:
    return ".ll";
  case Language::Hlo:
    return ".hlo";
  case Language::Other:
    break;
  }
  return state.pass == "ptx" || state.where.ends_with(".ptx") ? ".ptx" : state.where.ends_with(".s") ? ".s" : ".txt";
}

/// Line maps of one text, as pages read them.
class MapBuilder {
public:
  MapBuilder(Names &names, std::set<std::string> &files) : names(names), files(files) {}

  std::string ofScan(const passdump::Scan &scan) {
    std::map<std::string_view, int64_t> known; // of locations; -1: without a position
    for (const passdump::ScannedOp &op : scan.ops) {
      if (op.location.empty() || count >= kMostMapRows)
        continue;
      const auto [found, isNew] = known.emplace(op.location, -1);
      if (isNew)
        found->second = addSet(passdump::sourceLines(scan, op.location));
      addRow(op.line, op.line, found->second);
    }
    return finish();
  }

  /// .file and .loc of PTX and assembly. Compilers write .file behind the code, too.
  std::string ofAssembly(std::string_view text) {
    std::map<int64_t, std::string> paths;
    eachLine(text, [&](int64_t, std::string_view row) {
      if (!row.starts_with(".file"))
        return;
      // The last text in quotes is the file, one before it the folder.
      const std::vector<std::string> parts = splitText(std::string(row), '"');
      const int64_t number = numberAt(row, 5);
      if (number < 0 || parts.size() < 3)
        return;
      const std::string &file = parts[parts.size() - 2];
      paths[number] = (parts.size() >= 5 && !file.starts_with('/') ? parts[1] + "/" : "") + file;
    });
    std::map<std::pair<int64_t, int64_t>, int64_t> known;
    int64_t set = -1, from = 0;
    eachLine(text, [&](int64_t line, std::string_view row) {
      const bool isPlace = row.starts_with(".loc") && !row.starts_with(".local");
      if (!isPlace && !row.starts_with("}") && !row.starts_with(".section"))
        return;
      addRow(from, line - 1, set);
      set = -1;
      if (!isPlace)
        return;
      const size_t digits = std::min(row.find_first_of("0123456789"), row.size());
      const int64_t file = numberAt(row, digits);
      const int64_t place = numberAt(row, std::min(row.find_first_not_of("0123456789", digits), row.size()));
      const auto path = paths.find(file);
      from = line + 1;
      if (path == paths.end() || place <= 0)
        return;
      const auto [found, isNew] = known.emplace(std::pair(file, place), -1);
      if (isNew)
        found->second = addSet({{path->second, place, 0}});
      set = found->second;
    });
    return finish();
  }

private:
  /// Calls `take` with the number of each line and its text without indentation.
  template <typename Take> static void eachLine(std::string_view text, Take take) {
    int64_t line = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string_view row = text.substr(at, end - at);
      row.remove_prefix(std::min(row.find_first_not_of(" \t"), row.size()));
      take(++line, row);
      at = end + 1;
    }
  }

  static int64_t numberAt(std::string_view text, size_t from) {
    const size_t begin = text.find_first_of("0123456789", from);
    int64_t value = -1;
    if (begin != std::string_view::npos)
      std::from_chars(text.data() + begin, text.data() + text.size(), value);
    return value;
  }

  int64_t addSet(const std::vector<passdump::SourceLine> &lines) {
    if (lines.empty())
      return -1;
    Json positions = Json::array();
    for (const passdump::SourceLine &at : lines) {
      files.insert(at.file.substr(0, 4000));
      positions.push_back(
          names.position(at.file.substr(0, 4000) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column)));
    }
    sets.push_back(row(Json::array(), std::move(positions)));
    return static_cast<int64_t>(sets.size()) - 1;
  }
  void addRow(int64_t first, int64_t last, int64_t set) {
    if (set < 0 || last < first || count >= kMostMapRows)
      return;
    ++count;
    rows += (rows.empty() ? "[" : ",[") + std::to_string(first) + "," + std::to_string(last) + "," +
            std::to_string(set) + "]";
  }
  std::string finish() {
    return rows.empty() ? "" : "{\"sets\":" + printJsonLine(sets) + ",\"kernels\":[],\"lines\":[" + rows + "]}";
  }

  Names &names;
  std::set<std::string> &files;
  Json sets = Json::array();
  std::string rows;
  size_t count = 0;
};

class DumpWriter {
public:
  DumpWriter(const passdump::Dump &dump, TextStore &store, const ArtifactOptions &options)
      : dump(dump), store(store), options(options), names(options.redact, options.constants) {}

  Result<ArtifactData> run(const std::string &name) {
    Status failed;
    passdump::walkRuns(dump, [&](passdump::Run &&run, const passdump::Scan *scan) {
      if (failed)
        failed = add(std::move(run), scan);
    });
    MICA_RETURN_IF_ERROR(failed);
    ArtifactData data;
    data.name = options.redact ? "dump" : trace::validUtf8(name);
    MICA_ASSIGN_OR_RETURN(Json sources, sourceRows());
    Json notes = Json::array();
    for (const std::string &note : dump.notes)
      notes.push_back(options.redact ? "a part was left out" : trace::validUtf8(note));
    if (unparsed)
      notes.push_back(groupDigits(unparsed) + (unparsed == 1 ? " line" : " lines") +
                      " of IR could not be read as ops; passes show them as text, marked \"not parsed\".");
    if (tooLong)
      notes.push_back(groupDigits(tooLong) + (tooLong == 1 ? " text is" : " texts are") +
                      " longer than 64 MB and left out of the pages; --text counts their ops.");
    if (cutOff)
      notes.push_back(groupDigits(cutOff) + (cutOff == 1 ? " text ends" : " texts end") +
                      " within an op: the dump is cut off there, or another process wrote into it. What is missing "
                      "counts as removed.");
    for (const Json &note : notes)
      data.summary += "  " + note.get<std::string>() + "\n";
    data.summary = data.name + ": " + dump.kind + ", " + groupDigits(static_cast<int64_t>(runs.size())) +
                   (runs.size() == 1 ? " text, " : " passes or stages, ") + groupDigits(changed) +
                   " changed something\n" + data.summary;
    data.holdsValues = holdsValues && options.constants && !options.redact;
    data.elided = holdsValues && !options.constants;
    const Json none = Json::array();
    std::vector<std::string> kinds(kindNumbers.size());
    for (const auto &[kind, number] : kindNumbers)
      kinds[static_cast<size_t>(number)] = kind;
    data.json = printJsonLine(Json{{"name", data.name},
                                   {"dump", dump.kind},
                                   {"traced", false},
                                   {"holdsValues", data.holdsValues},
                                   {"elided", data.elided},
                                   {"input", ""},
                                   {"command", ""},
                                   {"tools", ""},
                                   {"target", ""},
                                   {"triple", ""},
                                   {"cpu", ""},
                                   {"features", none},
                                   {"options", none},
                                   {"entries", none},
                                   {"ops", none},
                                   {"kernels", none},
                                   {"sites", none},
                                   {"constants", row(0, 0)},
                                   {"lists", none},
                                   {"memory", none},
                                   {"boundaries", none},
                                   {"hints", none},
                                   {"remarks", -1},
                                   {"remarkCount", 0},
                                   {"runs", none},
                                   {"failure", failure},
                                   {"notes", notes},
                                   {"files", std::move(files)},
                                   {"sources", std::move(sources)},
                                   {"passes", std::move(passes)},
                                   {"changedKinds", kinds},
                                   {"touched", -1},
                                   {"passRuns", std::move(runs)}});
    return std::move(data);
  }

private:
  Result<int64_t> addText(std::string_view text) { return store.addText(text, trace::md5(text)); }

  static std::string cut(std::string text, size_t most) {
    if (text.size() > most)
      text = text.substr(0, most) + "...";
    return text;
  }

  std::string passName(const passdump::State &state) {
    return cut(trace::validUtf8(options.redact && state.when == passdump::State::When::Stage ? names.text(state.pass)
                                                                                             : state.pass),
               300);
  }

  std::string anchor(const std::string &on) {
    const size_t at = on.find('@');
    const std::string name = at == std::string::npos ? on : on.substr(at + 1);
    return cut(names.function(name), 300);
  }

  /// The number of the file that holds a text of the dump.
  Result<int64_t> fileOf(const passdump::State &state, const passdump::Run &run, const passdump::Scan *scan) {
    const auto [found, isNew] = fileNumbers.emplace(&state, -1);
    if (!isNew)
      return found->second;
    const std::string on = &state == run.state || run.on.empty() ? anchor(run.on) : "";
    char number[32];
    std::snprintf(number, sizeof number, "%04lld", static_cast<long long>(run.number));
    std::string path = number;
    path += (state.when == passdump::State::When::Before ? "_before_" : "_") +
            safeFileName(cut(
                state.argument.empty() || options.redact ? passName(state) : trace::validUtf8(state.argument), 100));
    if (!on.empty())
      path += "@" + safeFileName(cut(on, 100));
    path += endingOf(state);
    int64_t text = -1, map = -1;
    std::string url, digest;
    if (state.text.size() > kLongestText) {
      tooLong += 1;
    } else {
      const std::string elided = elideElements(state.text);
      holdsValues = holdsValues || elided != state.text;
      const std::string value = options.redact ? names.text(state.text)
                                               : trace::validUtf8(options.constants ? std::string(state.text) : elided);
      const trace::Digest md5 = trace::md5(value);
      digest = trace::hexDigits(md5);
      if (options.plain) {
        MICA_ASSIGN_OR_RETURN(url, store.addFile(options.folder + path, value, md5));
      } else {
        MICA_ASSIGN_OR_RETURN(text, store.addText(value, md5));
        MapBuilder builder(names, positionFiles);
        const std::string lines = state.language == Language::Other ? builder.ofAssembly(state.text)
                                  : scan                            ? builder.ofScan(*scan)
                                                                    : "";
        if (!lines.empty()) {
          MICA_ASSIGN_OR_RETURN(map, addText(lines));
        }
      }
    }
    files.push_back(row(path, state.text.size(), std::count(state.text.begin(), state.text.end(), '\n') + 1, text, map,
                        "same", digest, url, options.redact ? "" : cut(trace::validUtf8(state.where), 1000)));
    return found->second = static_cast<int64_t>(files.size()) - 1;
  }

  Json changeRow(const passdump::ScanChange &change, int64_t first) {
    static constexpr std::string_view kKinds[] = {"added", "removed", "changed", "moved"};
    Json details = Json::array();
    for (const passdump::ChangeDetail &detail : change.details)
      details.push_back(row(detail.what, names.text(detail.before), names.text(detail.after)));
    return row(kKinds[static_cast<size_t>(change.kind)], cut(names.opKind(std::string(change.op)), 300), change.before,
               change.after, std::move(details), change.nested, 0, "", Json::array(), first);
  }

  Status add(passdump::Run &&run, const passdump::Scan *scan) {
    const passdump::State &state = *run.state;
    std::string unit = cut(names.function(run.unit), 300);
    passes.push_back(row(run.number, passName(state),
                         state.argument == state.pass ? "" : cut(trace::validUtf8(state.argument), 1000), unit));
    changed += run.changed;
    unparsed += state.language == Language::Other ? 0 : run.unparsed;
    if (state.failed)
      failure = passName(state);
    int64_t before = -1, after = -1, diff = -1, beforeText = -1;
    std::string asText;
    std::set<std::string> changedKinds;
    std::array<int64_t, 4> counts{};
    if (run.before) {
      passdump::Scan own;
      if (!fileNumbers.contains(run.before))
        own = passdump::scan(run.before->text, run.before->language);
      MICA_ASSIGN_OR_RETURN(before, fileOf(*run.before, run, &own));
    }
    if (run.after) {
      MICA_ASSIGN_OR_RETURN(after, fileOf(*run.after, run, scan));
    }
    if (run.difference) {
      counts = run.difference->counts;
      Json rows = Json::array();
      std::map<std::string, int64_t> alike; // the same change in several places is shown once
      for (const passdump::ScanChange &change : run.difference->changes) {
        if (rows.size() >= kMostRows)
          break;
        std::string key = std::to_string(static_cast<int>(change.kind)) + std::string(change.op);
        for (const passdump::ChangeDetail &detail : change.details)
          key += "\n" + detail.what + "\n" + (detail.what == "text" ? detail.before + "\n" + detail.after : "");
        const auto place = static_cast<int64_t>(rows.size());
        changedKinds.insert(cut(names.opKind(std::string(change.op)), 300));
        rows.push_back(changeRow(change, alike.emplace(std::move(key), place).first->second));
      }
      MICA_ASSIGN_OR_RETURN(diff, addText(printJsonLine(rows)));
      if (!run.ownBefore.empty()) {
        MICA_ASSIGN_OR_RETURN(beforeText, addText(names.text(run.ownBefore)));
      }
    } else if (run.after && run.before) {
      asText = state.isDiff        ? "the dump shows the difference only"
               : run.isNewLanguage ? "the text before is in another language"
                                   : "it is no IR that can be read";
    } else if (run.after) {
      asText = "the dump has no text before it";
    }
    std::string note;
    if (run.unparsed && state.language != Language::Other)
      note = groupDigits(run.unparsed) + (run.unparsed == 1 ? " line" : " lines") + " not parsed";
    if (run.isCut) {
      note += note.empty() ? "the text is cut off" : ", the text is cut off";
      cutOff += 1;
    }
    Json kinds = Json::array();
    for (const std::string &kind : changedKinds)
      kinds.push_back(kindNumbers.emplace(kind, static_cast<int64_t>(kindNumbers.size())).first->second);
    runs.push_back(row(run.number, anchor(run.on), 0.0, run.changed,
                       run.changed || state.when == passdump::State::When::Stage ? after : -1, before, run.opsBefore,
                       run.opsAfter, diff, counts, run.difference.has_value(), asText, beforeText, -1, false, note,
                       std::move(kinds)));
    return Status::ok();
  }

  /// Sources that came with the dump or that the user named, under the names that positions have.
  Result<Json> sourceRows() {
    Json rows = Json::array();
    auto put = [&](const std::string &file, std::string_view text) -> Status {
      const std::string value = names.text(text);
      int64_t number = -1;
      if (!options.plain) {
        MICA_ASSIGN_OR_RETURN(number, addText(value));
      }
      rows.push_back(row(names.sourceFile(file), number, std::count(value.begin(), value.end(), '\n'),
                         trace::hexDigits(trace::md5(value))));
      return Status::ok();
    };
    std::vector<std::pair<std::string, std::string>> given;
    for (const fs::path &file : options.sources) {
      MICA_ASSIGN_OR_RETURN(std::string text, readFile(file));
      given.push_back({file.filename().string(), std::move(text)});
    }
    for (const passdump::DumpSource &source : dump.sources)
      given.push_back({fs::path(source.file).filename().string(), std::string(source.text)});
    for (const std::string &file : positionFiles)
      for (const auto &[name, text] : given)
        if (fs::path(file).filename() == name) {
          MICA_RETURN_IF_ERROR(put(file, text));
          break;
        }
    return rows;
  }

  const passdump::Dump &dump;
  TextStore &store;
  const ArtifactOptions &options;
  Names names;
  Json files = Json::array(), passes = Json::array(), runs = Json::array();
  std::map<const passdump::State *, int64_t> fileNumbers;
  std::set<std::string> positionFiles;        ///< that locations name
  std::map<std::string, int64_t> kindNumbers; ///< of ops that a pass changed
  std::string failure;
  int64_t changed = 0, unparsed = 0, cutOff = 0, tooLong = 0;
  bool holdsValues = false;
};

} // namespace

Result<ArtifactData> dumpData(const passdump::Dump &dump, const std::string &name, TextStore &store,
                              const ArtifactOptions &options) {
  return DumpWriter(dump, store, options).run(name);
}

} // namespace mica::report
