//===- Texts.cpp - every text of an artifact, with its line map ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Texts and maps go into the packs, or with --plain to files. A map that does not belong to the text beside it, because
// the text was edited by hand, is left out: a wrong counterpart is worse than none.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Context.h"

#include "lib/Report/Log/BuildModel.h"
#include "mica/Artifact/Edits.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Text.h"

#include <algorithm>

namespace fs = std::filesystem;

namespace mica::report {

namespace {
constexpr size_t kLongestText = size_t(64) << 20;
constexpr size_t kMostRows = 4'000'000; ///< of a line map

/// Where a text lies in a report with --plain: each part of its path safe.
std::string plainName(const std::string &shown) {
  std::string name;
  for (const std::string &part : splitText(shown, '/'))
    name += (name.empty() ? "" : "/") + safeFileName(part);
  return name;
}

fs::path mapFile(const fs::path &file) { return file.string() + std::string(artifact::kLineMapSuffix); }

/// The file that a packed snapshot lies in: one of its own, or one that holds all of the folder.
fs::path packedIn(const fs::path &file) {
  const fs::path own = file.string() + std::string(artifact::kPackedSuffix);
  std::error_code error;
  return fs::exists(fs::symlink_status(own, error)) ? own : file.parent_path() / "snapshots.archive";
}

/// The map as pages read it: sets of ids and positions, rows, files of kernels. An empty text where there is none.
std::string mapText(ArtifactContext &context, const std::string &json) {
  const Json map = Json::parse(json, nullptr, false);
  Json sets = Json::array(), kernels = Json::array();
  for (const Json &set : listMember(map, "sets")) {
    Json sources = Json::array();
    for (const std::string &source : textsMember(set, "sources"))
      sources.push_back(context.names.position(source));
    sets.push_back(row(context.ids(textsMember(set, "ids")), std::move(sources)));
  }
  for (const std::string &file : textsMember(map, "kernels")) {
    const auto found = context.fileNumbers.find(file);
    kernels.push_back(found == context.fileNumbers.end() ? -1 : found->second);
  }
  std::string rows;
  size_t count = 0;
  for (const Json &row : listMember(map, "lines")) {
    if (!row.is_array() || row.size() < 3 || ++count > kMostRows ||
        !std::all_of(row.begin(), row.end(), [](const Json &n) { return n.is_number_integer(); }))
      continue;
    rows += rows.empty() ? "[" : ",[";
    for (size_t i = 0; i < row.size() && i < 5; ++i)
      rows += (i ? "," : "") + std::to_string(row[i].get<int64_t>());
    rows += "]";
  }
  if (rows.empty())
    return "";
  return "{\"sets\":" + printJsonLine(sets) + ",\"kernels\":" + printJsonLine(kernels) + ",\"lines\":[" + rows + "]}";
}
} // namespace

Result<Json> filesPart(ArtifactContext &context) {
  const artifact::Artifact &artifact = context.artifact;
  Json rows = Json::array();
  for (const artifact::FileRecord &record : artifact.manifest().files) {
    const fs::path file = artifact.path(record.path);
    const std::string shown = context.names.path(record.path);
    const bool isPacked = artifact.isPackedAway(record);
    const fs::path holder = isPacked ? packedIn(file) : file;
    std::error_code error;
    int64_t bytes = -1, lines = 0, text = -1, map = -1;
    std::string state = "same", digest, url;
    if (!liesInside(artifact.folder(), holder)) {
      state = fs::exists(fs::symlink_status(holder, error)) ? "outside" : context.traced ? "elsewhere" : "missing";
    } else if (!artifact::isText(record.path)) {
      bytes = static_cast<int64_t>(fs::file_size(file, error));
    } else if (Result<std::string> contents = artifact::readText(file); !contents) {
      state = "damaged";
      context.notes.push_back(context.names.redacts() ? shown + " is damaged" : contents.error().message);
    } else {
      const bool isMap = record.path.ends_with(artifact::kLineMapSuffix);
      const Result<std::string> hash = artifact.hashText(record);
      // Of a trace's index and maps the layout is another, and the index leaves something out.
      const bool isLaidOut = context.traced && (isMap || record.path == "passes_dump/index.json");
      state = isLaidOut || record.hash.empty() || (hash && *hash == record.hash) ? "same" : "edited";
      bytes = static_cast<int64_t>(contents->size());
      lines = std::count(contents->begin(), contents->end(), '\n');
      const std::string value =
          isMap ? context.names.textWithoutElements(*contents) : context.names.text(*contents, context.holdsValues);
      const trace::Digest md5 = trace::md5(value);
      digest = trace::hexDigits(md5);
      if (isMap) {
        // It is read with its text.
      } else if (contents->size() > kLongestText) {
        context.notes.push_back(shown + " is too long to be shown");
      } else if (context.plain) {
        MICA_ASSIGN_OR_RETURN(url, context.store.addFile(context.folder + plainName(shown), value, md5));
      } else {
        MICA_ASSIGN_OR_RETURN(text, context.store.addText(value, md5));
        if (Result<artifact::StoredLineMap> stored = artifact::readLineMap(file);
            stored && state == "same" && liesInside(artifact.folder(), isPacked ? holder : mapFile(file)))
          if (const std::string rowsOf = mapText(context, stored->json); !rowsOf.empty()) {
            MICA_ASSIGN_OR_RETURN(map, context.addText(rowsOf));
          }
      }
    }
    rows.push_back(row(shown, bytes, lines, text, map, state, digest, url,
                       context.names.text(context.names.redacts() ? "" : record.command)));
  }
  return rows;
}

} // namespace mica::report
