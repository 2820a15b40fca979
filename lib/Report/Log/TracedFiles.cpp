//===- TracedFiles.cpp - artifacts put together from what a log holds of them -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A manifest begins an artifact of its process. What the compiler wrote is found by its process; what a run left later,
// by the compile it ran.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/TracedFiles.h"

#include "lib/Support/Json.h"
#include "mica/Support/Base64.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>

namespace fs = std::filesystem;

namespace mica::report {

bool isTracedFile(std::string_view file) {
  static constexpr std::string_view kFolders[] = {"passes_dump", "kernels", "host", "report", "runs"};
  constexpr size_t kLongestName = 160, kMostParts = 3;
  if (file == "manifest.json")
    return true;
  const std::vector<std::string> parts = splitText(std::string(file), '/');
  if (parts.size() < 2 || parts.size() > kMostParts ||
      std::find(std::begin(kFolders), std::end(kFolders), parts[0]) == std::end(kFolders))
    return false;
  return std::all_of(parts.begin(), parts.end(), [](const std::string &part) {
    return !part.empty() && part.size() <= kLongestName && part[0] != '.' &&
           std::all_of(part.begin(), part.end(), [](unsigned char c) {
             return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                    c == '-' || c == '.' || c == '@' || c == '#';
           });
  });
}

/// Members of the key "mica": what the format has no key for.
static std::vector<trace::JsonMember> extras(const trace::Record &record) {
  std::vector<trace::JsonMember> members;
  for (const trace::JsonMember &member : record.members)
    if (member.depth == 1 && member.key == "mica")
      trace::scanJson(member.value, &members);
  return members;
}

void TracedFiles::write(const TracedArtifact &artifact, std::string_view file, std::string_view contents) {
  const fs::path path = artifact.folder / file;
  // Names that are a file here and a folder there make no artifact, and are no error of the report's.
  if (makeFolder(path.parent_path()))
    (void)writeFile(path, contents);
}

void TracedFiles::take(const trace::Record &record) {
  if (!record.payload.data() || record.cut || record.kind.empty() || record.event)
    return;
  std::string file, content;
  for (const trace::JsonMember &member : extras(record)) {
    if (member.key == "file")
      file = trace::jsonString(member.value).value_or("");
    if (member.key == "content")
      content = trace::jsonString(member.value).value_or("");
  }
  if (file == "manifest.json") {
    if (artifacts.size() >= kMost) {
      ++leftOut;
      return;
    }
    artifacts.push_back({scratch / std::to_string(artifacts.size()),
                         record.compile.withoutAttempt(),
                         record.pid,
                         trace::md5(record.payload),
                         {},
                         record.line});
  }
  const bool ofRun = file.starts_with("runs/");
  const auto owner = std::find_if(artifacts.rbegin(), artifacts.rend(), [&](const TracedArtifact &artifact) {
    // An entry's unit is the first entry's, or one of those after it.
    return ofRun ? artifact.compile.frameCompile == record.compile.frameCompile &&
                       artifact.compile.frame <= record.compile.frame
                 : artifact.pid == record.pid;
  });
  if (owner == artifacts.rend())
    return;
  if (content == "line_maps") {
    const Json maps = Json::parse(record.payload, nullptr, false);
    if (maps.is_object())
      for (const auto &[text, map] : maps.items())
        if (isTracedFile(text) && map.is_object())
          write(*owner, text + ".map.json", printJsonLine(map));
  } else if (!isTracedFile(file)) {
    return;
  } else if (content == "base64") {
    owner->packLine = record.line;
    if (const std::optional<std::string> bytes = decodeBase64(record.payload))
      write(*owner, file, *bytes);
  } else {
    if (file.starts_with("kernels/"))
      owner->kernels.emplace(splitText(file, '/')[1], record.compile.withoutAttempt());
    write(*owner, file, record.payload);
  }
}

} // namespace mica::report
