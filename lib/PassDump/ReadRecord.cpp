//===- ReadRecord.cpp - records of passes as dumps ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What mica-opt --record and mica::record write: index.json lists the passes as they ran, with the snapshot of each
// that changed something (docs/Artifact.md).
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/PassDump/Readers.h"

#include "lib/Support/Json.h"

#include <map>

namespace fs = std::filesystem;

namespace mica::passdump {

static constexpr const char *kIndex = "index.json";
static constexpr size_t kLongestIndex = size_t(1) << 30;

/// The member `key` of an object, if it is text; else "".
static std::string textOf(const Json &object, const char *key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}
static bool isSet(const Json &object, const char *key) {
  return object.is_object() && object.value(key, Json()) == Json(true);
}

/// The index of the record; its root is an object with lists of passes and runs.
static Result<JsonDocument> readIndex(const fs::path &folder) {
  const fs::path file = folder / kIndex;
  std::error_code error;
  if (const auto size = fs::file_size(file, error); error || size > kLongestIndex)
    return Error{ErrorCode::InvalidInput, file.string() + (error ? " is not there" : " is too long"), ""};
  Dump scratch;
  MICA_ASSIGN_OR_RETURN(const std::string_view text, loadFile(file, scratch));
  MICA_ASSIGN_OR_RETURN(JsonDocument index, parseJson(text, file.string()));
  const Json &root = index.root();
  if (!root.is_object() || !root.value("passes", Json()).is_array() || !root.value("records", Json()).is_array())
    return Error{ErrorCode::InvalidInput, file.string() + " is no index of a record", ""};
  return index;
}

bool isRecord(const fs::path &folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kIndex, error) && readIndex(folder).isOk();
}

namespace {
class RecordReader {
public:
  RecordReader(const fs::path &folder, Dump &dump) : folder(folder), dump(dump) {}

  /// Adds the state of a snapshot; one that cannot be read is a note.
  Status addState(State state, const std::string &file) {
    if (file.empty()) {
      state.unchanged = true;
      dump.states.push_back(std::move(state));
      return Status::ok();
    }
    std::error_code error;
    // Names in an index are those of files beside it.
    if (fs::path(file).filename() != file || !fs::is_regular_file(folder / file, error)) {
      ++missing;
      dump.notes.push_back(file + " is not in the record");
      return Status::ok();
    }
    MICA_ASSIGN_OR_RETURN(state.text, loadFile(folder / file, dump));
    // Behind the text, a packed file has a frame with the map of its lines.
    state.text = state.text.substr(0, state.text.find('\0'));
    state.where = file;
    ++read;
    dump.states.push_back(std::move(state));
    return Status::ok();
  }

  const fs::path &folder;
  Dump &dump;
  size_t read = 0, missing = 0;
};
} // namespace

Status readRecord(const fs::path &folder, Dump &dump) {
  MICA_ASSIGN_OR_RETURN(const JsonDocument index, readIndex(folder));
  const Json &root = index.root();
  const std::string tool = textOf(root, "tool");
  dump.kind = "record of passes" + (tool.empty() ? "" : ", by " + tool);
  std::map<int64_t, std::string> names;
  for (const Json &pass : root["passes"])
    if (const Json position = pass.is_object() ? pass.value("position", Json()) : Json(); position.is_number_integer())
      names[position.get<int64_t>()] = textOf(pass, "pass");
  RecordReader reader(folder, dump);
  if (const std::string input = textOf(root, "input"); !input.empty()) {
    State state;
    state.pass = "input";
    state.when = State::When::Stage;
    MICA_RETURN_IF_ERROR(reader.addState(std::move(state), input));
  }
  for (const Json &run : root["records"]) {
    const Json position = run.is_object() ? run.value("position", Json()) : Json();
    if (!position.is_number_integer())
      continue;
    State state;
    state.pass = state.argument = names[position.get<int64_t>()];
    if (state.pass.empty())
      state.pass = "pass " + std::to_string(position.get<int64_t>());
    const std::string op = textOf(run, "op");
    state.anchor = op.empty() ? "" : "@" + op;
    state.failed = isSet(run, "failed");
    MICA_RETURN_IF_ERROR(reader.addState(std::move(state), isSet(run, "changed") ? textOf(run, "file") : ""));
  }
  if (!reader.read)
    return Error{ErrorCode::InvalidInput, folder.string() + " has none of the snapshots that its index names",
                 "if they are in an archive: mica-report --unpack " + folder.string()};
  return Status::ok();
}

} // namespace mica::passdump
