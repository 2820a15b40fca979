//===- RecordDump.cpp - records of passes as dumps --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See RecordDump.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/PassDump/RecordDump.h"

#include "lib/Report/PassIndex.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/SnapshotFile.h"

namespace fs = std::filesystem;

namespace mica::report {

static fs::path indexOf(const fs::path &folder) { return folder / "index.json"; }

static bool isRecord(const fs::path &folder) {
  std::error_code error;
  return fs::is_regular_file(indexOf(folder), error) && !artifact::isArtifact(folder);
}

static Result<passdump::Dump> readRecord(const fs::path &folder) {
  MICA_ASSIGN_OR_RETURN(const PassIndex index, readPassIndex(indexOf(folder)));
  passdump::Dump dump;
  dump.kind = "record of passes" + (index.tool.empty() ? "" : ", by " + index.tool);
  std::optional<Error> problem;
  size_t read = 0;
  auto add = [&](passdump::State state, const std::string &file) {
    state.unchanged = file.empty();
    if (!file.empty()) {
      // Names in an index are those of files beside it.
      Result<std::string> text = fs::path(file).filename() == file
                                     ? artifact::readText(folder / file)
                                     : Error{ErrorCode::Damaged, file + " is not in the record", ""};
      if (!text) {
        problem = problem ? problem : text.error();
        dump.notes.push_back(text.error().message);
        return;
      }
      state.text = dump.storage.emplace_back(std::move(*text));
      state.where = file;
      ++read;
    }
    dump.states.push_back(std::move(state));
  };
  if (!index.input.empty()) {
    passdump::State input;
    input.pass = "input";
    input.when = passdump::State::When::Stage;
    add(std::move(input), index.input);
  }
  for (const PassRun &run : index.runs) {
    passdump::State state;
    state.pass = state.argument = run.pass;
    state.anchor = run.op.empty() ? "" : "@" + run.op;
    state.failed = run.failed;
    add(std::move(state), run.file);
  }
  if (!read && problem)
    return *problem;
  return dump;
}

bool isDumpOrRecord(const fs::path &path) { return isRecord(path) || passdump::isDump(path); }

Result<passdump::Dump> readDumpOrRecord(const fs::path &path) {
  return path != "-" && isRecord(path) ? readRecord(path) : passdump::readDump(path);
}

} // namespace mica::report
