//===- ArtifactData.cpp - an artifact as the pages read it --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Puts the parts together. Passes are compared by a child process while texts are read.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/ArtifactData.h"

#include "lib/Report/Artifact/Context.h"
#include "lib/Report/Artifact/PassDiffs.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"
#include "mica/Trace/JsonScan.h"

#include <future>

namespace fs = std::filesystem;

namespace mica::report {

namespace {

/// Whether `text` is the program that the positions of `ops` lie in: an op stands at most of them. A file that somebody
/// else's artifact names must not get into a report because it is there.
bool isSourceOf(const std::string &text, const std::vector<artifact::SourcePosition> &positions) {
  const std::vector<std::string> lines = splitText(text, '\n');
  size_t fit = 0;
  for (const artifact::SourcePosition &at : positions) {
    if (at.line < 1 || at.column < 1 || static_cast<size_t>(at.line) > lines.size())
      continue;
    const std::string &line = lines[static_cast<size_t>(at.line - 1)];
    if (static_cast<size_t>(at.column) > line.size())
      continue;
    std::string_view here = std::string_view(line).substr(static_cast<size_t>(at.column - 1));
    if (here.starts_with('"'))
      here.remove_prefix(1);
    const size_t end = here.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789");
    fit += end != std::string_view::npos && end > 0 && (here[end] == '.' || here[end] == ' ');
  }
  return fit > 0 && fit * 10 >= positions.size() * 9;
}

/// Rows: file as positions name it, number of its text, lines, MD5.
Result<Json> sourcesPart(ArtifactContext &context, const std::vector<fs::path> &given) {
  std::map<std::string, std::vector<artifact::SourcePosition>> positions;
  for (const artifact::OpRecord &op : context.artifact.manifest().ops)
    for (const artifact::SourcePosition &at : op.positions)
      positions[at.file].push_back(at);
  Json rows = Json::array();
  for (const auto &[name, places] : positions) {
    const fs::path wanted(context.artifact.sourcePath(name));
    std::string text;
    for (const fs::path &file : given)
      if (file.filename() == wanted.filename()) {
        MICA_ASSIGN_OR_RETURN(text, readFile(file));
      }
    std::error_code error;
    if (text.empty() && wanted.extension() == ".mlir" && fs::is_regular_file(wanted, error))
      if (Result<std::string> found = readFile(wanted); found && isSourceOf(*found, places))
        text = std::move(*found);
    if (text.empty())
      continue;
    const std::string value = context.names.text(text, context.holdsValues);
    const trace::Digest digest = trace::md5(value);
    int64_t number = -1;
    if (!context.plain) {
      MICA_ASSIGN_OR_RETURN(number, context.store.addText(value, digest));
    }
    rows.push_back(row(context.names.sourceFile(name), number, std::count(value.begin(), value.end(), '\n'),
                       trace::hexDigits(digest)));
  }
  return rows;
}

std::string countOf(size_t n, const char *thing) {
  return groupDigits(static_cast<int64_t>(n)) + " " + thing + (n == 1 ? "" : "s");
}

} // namespace

Result<ArtifactData> artifactData(const fs::path &folder, TextStore &store, const ArtifactOptions &options) {
  // Where they cannot be unpacked, snapshots are the files that are missing.
  const Status unsealed = artifact::unseal(folder / "passes_dump");
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact,
                        options.traced ? artifact::Artifact::openTexts(folder) : artifact::Artifact::open(folder));
  std::future<PassDiffs> comparing;
  if (!options.plain)
    comparing = std::async(std::launch::async, [&] { return comparePasses(folder, options.scratch); });
  Names names(options.redact, options.constants);
  ArtifactContext context{artifact, store, names, options.plain, options.traced, options.folder, {}, {}, {}};
  context.tensors = options.tensors;
  if (!unsealed)
    context.notes.push_back(names.redacts()  ? "the snapshots are not unpacked"
                            : options.traced ? "the snapshots are packed, and need mica-compile to be unpacked"
                                             : unsealed.error().message);
  const artifact::Manifest &manifest = artifact.manifest();
  for (size_t i = 0; i < manifest.kernels.size(); ++i) {
    context.kernelNumbers[manifest.kernels[i].name] = static_cast<int>(i);
    names.addKernel(manifest.kernels[i].name);
  }
  for (size_t i = 0; i < manifest.files.size(); ++i)
    context.fileNumbers[manifest.files[i].path] = static_cast<int>(i);
  ArtifactData data;
  const fs::path shown = fs::absolute(folder).lexically_normal();
  data.name = names.text((shown.has_filename() ? shown : shown.parent_path()).filename().string());
  if (options.redact)
    data.name = "artifact";
  if (!options.name.empty())
    data.name = options.name;
  MICA_ASSIGN_OR_RETURN(Json files, filesPart(context));
  MICA_ASSIGN_OR_RETURN(Json sources, sourcesPart(context, options.sources));
  MICA_ASSIGN_OR_RETURN(const Json decisions, decisionsPart(context));
  MICA_ASSIGN_OR_RETURN(Json runs, runsPart(context));
  Json diffs;
  if (comparing.valid()) {
    PassDiffs compared = comparing.get();
    diffs = std::move(compared.found);
    if (!compared.why.empty() && !listMember(diffs, "comparisons").size())
      context.notes.push_back(compared.why);
  }
  MICA_ASSIGN_OR_RETURN(const Json passes, passesPart(context, diffs));
  Json json = programPart(context);
  json["name"] = data.name;
  json["traced"] = options.traced;
  data.holdsValues = context.holdsValues && options.constants && !options.redact;
  data.elided = context.holdsValues && !options.constants;
  json["holdsValues"] = data.holdsValues;
  json["elided"] = data.elided;
  json["files"] = std::move(files);
  json["sources"] = std::move(sources);
  json["lists"] = taskListsPart(context);
  for (const Json *part : {&passes, &decisions})
    json.update(*part);
  json["runs"] = std::move(runs);
  json["notes"] = context.notes;
  size_t snapshots = 0;
  for (const artifact::FileRecord &file : manifest.files)
    snapshots += file.path.starts_with("passes_dump/") && file.path.ends_with(".mlir");
  data.summary = data.name + ": " + countOf(manifest.kernels.size(), "kernel") + " of " +
                 countOf(manifest.ops.size(), "op") + ", " + countOf(snapshots, "snapshot") + ", " +
                 countOf(json["runs"].size(), "run") + "\n";
  for (const std::string &note : context.notes)
    data.summary += "  " + note + "\n";
  data.json = printJsonLine(json);
  return data;
}

} // namespace mica::report
