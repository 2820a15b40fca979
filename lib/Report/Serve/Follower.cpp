//===- Follower.cpp - a report that is made anew as its sources change --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Serve/Follower.h"

#include "lib/Report/Diff/Side.h"
#include "lib/Report/PassDump/RecordDump.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/ChangesFile.h"
#include "mica/Support/Files.h"

namespace fs = std::filesystem;

namespace mica::report {

namespace {
constexpr size_t kMostFiles = 20000;

void addStamp(const fs::path &file, std::string &text) {
  std::error_code error;
  const uintmax_t size = fs::is_regular_file(file, error) ? fs::file_size(file, error) : 0;
  text += file.filename().string() + " " + std::to_string(size) + " " +
          std::to_string(fs::last_write_time(file, error).time_since_epoch().count()) + "\n";
}
} // namespace

Result<Follower> Follower::create(const std::string &path, LogChoice choice, LogReportOptions options,
                                  const std::optional<std::string> &output) {
  Follower follower;
  follower.path = path;
  follower.choice = choice;
  follower.options = std::move(options);
  follower.options.served = true;
  if (isReport(path)) {
    follower.fixed = true;
    follower.options.output = path;
    return follower;
  }
  if (output) {
    follower.options.output = *output;
  } else {
    MICA_ASSIGN_OR_RETURN(ScratchFolder scratch, ScratchFolder::create("mica-report"));
    follower.options.output = scratch.path() / "report";
    follower.scratch = std::move(scratch);
  }
  if (choice == LogChoice::Only && isDumpOrRecord(path)) {
    follower.options.dump = path;
    MICA_RETURN_IF_ERROR(follower.make());
    follower.options.force = true;
    return follower;
  }
  follower.ofLogs = isLog(path) || choice != LogChoice::Only;
  if (!follower.ofLogs) {
    if (Result<artifact::Artifact> opened = artifact::Artifact::open(path); !opened)
      return opened.error();
    follower.options.artifacts.insert(follower.options.artifacts.begin(), path);
  }
  MICA_RETURN_IF_ERROR(follower.make());
  follower.options.force = true;
  return follower;
}

std::string Follower::stamp() const {
  std::string text;
  std::error_code error;
  if (ofLogs)
    if (const Result<std::vector<LogFile>> logs = findLogs(path, choice))
      for (const LogFile &log : *logs)
        addStamp(log.path, text);
  size_t count = 0;
  if (!options.dump.empty()) {
    addStamp(options.dump, text);
    for (auto entry = fs::recursive_directory_iterator(options.dump, error);
         !error && entry != fs::end(entry) && ++count < kMostFiles; entry.increment(error))
      addStamp(entry->path(), text);
  }
  for (const fs::path &artifact : options.artifacts)
    for (auto entry = fs::recursive_directory_iterator(artifact, error); !error && entry != fs::end(entry);
         entry.increment(error))
      // The comparison that a report asks for leaves one file.
      if (entry->path().filename() != artifact::kChangesFile && ++count < kMostFiles)
        addStamp(entry->path(), text);
  return text;
}

Status Follower::make() {
  const auto began = std::chrono::steady_clock::now();
  std::string now = stamp();
  std::vector<LogFile> logs;
  if (ofLogs) {
    MICA_ASSIGN_OR_RETURN(logs, findLogs(path, choice));
  }
  if (const Result<LogReportResult> written = writeLogReport(logs, options); !written)
    return written.error();
  made = std::move(now);
  ++reports;
  next = std::chrono::steady_clock::now() + 2 * (std::chrono::steady_clock::now() - began);
  return Status::ok();
}

std::pair<fs::path, std::string> Follower::look() {
  if (!fixed && std::chrono::steady_clock::now() >= next && stamp() != made) {
    // It may be whole at the next look.
    const Status ignored = make();
    (void)ignored;
  }
  return {options.output, std::to_string(reports)};
}

} // namespace mica::report
