//===- SnapshotName.cpp - finding a snapshot of the record -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/SnapshotName.h"

#include "lib/Support/Json.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <charconv>
#include <set>
#include <vector>

namespace mica::artifact {
namespace {

/// One run of a pass.
struct Place {
  int64_t position = 0;
  std::string phase;
  bool changed = false;
};

std::string placeText(const Place &place) {
  return std::to_string(place.position) + " (" + (place.phase.empty() ? "" : "phase " + place.phase + ", ") +
         (place.changed ? "changed something" : "changed nothing") + ")";
}

} // namespace

Result<int64_t> findSnapshot(const std::filesystem::path &folder, const std::string &text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isNumber = error == std::errc() && end == text.data() + text.size();
  if (isNumber && number < 0)
    return Error{ErrorCode::InvalidInput, "snapshots are numbered from 0, the input; got " + text, ""};
  if (isNumber)
    return number;
  if (text == "input")
    return int64_t(0);
  const std::filesystem::path file = folder / "passes_dump" / "index.json";
  const Result<std::string> contents = readFile(file);
  if (!contents)
    return Error{contents.error().code, "no snapshot '" + text + "': " + contents.error().message,
                 "an artifact has a record unless it was compiled with --dump-passes=off"};
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(*contents, file.string()));
  JsonReport report{file.string(), "the record was cut off or edited; compile the model again", {}};
  const JsonCursor root(document.root(), report);
  std::set<int64_t> changed;
  root.field("records").forEach([&](const JsonCursor &item, size_t) {
    if (item.has("file") && !item.field("file").string().empty())
      changed.insert(item.field("position").integer(0));
  });
  std::vector<Place> places;
  std::vector<std::string> names;
  root.field("passes").forEach([&](const JsonCursor &item, size_t) {
    const std::string pass = item.field("pass").string();
    names.push_back(pass);
    const int64_t position = item.field("position").integer(0);
    if (pass == text)
      places.push_back({position, item.has("phase") ? item.field("phase").string() : "", changed.count(position) != 0});
  });
  if (report.failure)
    return *report.failure;
  if (places.empty())
    return Error{ErrorCode::InvalidInput, "no pass '" + text + "' in the record of " + folder.string(),
                 unknownNameHint(text, names)};
  std::vector<Place> effective;
  for (const Place &place : places)
    if (place.changed)
      effective.push_back(place);
  if (places.size() == 1 || effective.size() == 1)
    return places.size() == 1 ? places[0].position : effective[0].position;
  std::vector<std::string> texts;
  for (const Place &place : places)
    texts.push_back(placeText(place));
  return Error{ErrorCode::InvalidInput,
               "pass '" + text + "' runs " + std::to_string(places.size()) + " times in the record of " +
                   folder.string() + ": " + joinNames(texts),
               "say which by its number"};
}

} // namespace mica::artifact
