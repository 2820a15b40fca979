//===- FindLogs.cpp - the logs of a folder ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Names of logs are dedicated_log_torch_trace_[rank_N_]<anything>.log, .log.gz or .log.zst. Everything
// else in a folder is left alone.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/LogReport.h"

#include "mica/Support/Files.h"
#include "mica/Support/Text.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <fstream>
#include <map>

namespace fs = std::filesystem;

namespace mica::report {
namespace {

constexpr std::string_view kStem = "dedicated_log_torch_trace_";
constexpr std::string_view kRank = "rank_";

bool endsAsLog(std::string_view name) {
  return name.ends_with(".log") || name.ends_with(".log.gz") || name.ends_with(".log.zst");
}

/// The rank in a log's name, -1 where there is none, or nothing where it is not the name of a log.
std::optional<int64_t> rankOfName(const std::string &name) {
  if (!name.starts_with(kStem) || !endsAsLog(name))
    return std::nullopt;
  std::string_view rest = std::string_view(name).substr(kStem.size());
  if (!rest.starts_with(kRank))
    return -1;
  rest.remove_prefix(kRank.size());
  const std::string_view digits = rest.substr(0, rest.find_first_not_of("0123456789"));
  return trace::jsonInteger(digits).value_or(-1);
}

struct Found {
  LogFile file;
  fs::file_time_type time;
  uintmax_t bytes;
};

/// Whether a log is of a call that compiled nothing: its second record is the artifact `tool`, of no compile.
bool isOfToolAlone(const fs::path &log) {
  std::ifstream stream(log);
  std::string line;
  for (int records = 0; records < 2 && std::getline(stream, line);)
    records += !line.starts_with('\t');
  return line.find("{\"artifact\": {\"name\": \"tool\"") != std::string::npos &&
         line.find("\"frame_id\"") == std::string::npos;
}

/// Logs of calls that compiled nothing, such as mica-report's own, are none where there are others.
Result<std::vector<Found>> listLogs(const fs::path &folder) {
  std::vector<Found> logs;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    const std::optional<int64_t> rank = rankOfName(entry.path().filename().string());
    std::error_code ignored;
    if (rank && entry.is_regular_file(ignored))
      logs.push_back({{entry.path(), *rank}, entry.last_write_time(ignored), entry.file_size(ignored)});
  }
  if (error)
    return systemError("read", folder, error.value());
  auto others =
      std::stable_partition(logs.begin(), logs.end(), [](const Found &log) { return !isOfToolAlone(log.file.path); });
  if (others != logs.begin())
    logs.erase(others, logs.end());
  std::sort(logs.begin(), logs.end(), [](const Found &a, const Found &b) { return a.file.path < b.file.path; });
  return logs;
}

/// One log per rank: of several runs in one folder the newest counts, and empty files are none.
std::vector<LogFile> newestOfEachRank(const std::vector<Found> &logs) {
  std::map<int64_t, const Found *> ranks;
  for (const Found &log : logs) {
    if (log.file.rank < 0 || log.bytes == 0)
      continue;
    const Found *&slot = ranks[log.file.rank];
    if (!slot || slot->time < log.time)
      slot = &log;
  }
  std::vector<LogFile> files;
  for (const auto &[rank, log] : ranks)
    files.push_back(log->file);
  return files;
}

} // namespace

Result<std::vector<LogFile>> findLogs(const fs::path &path, LogChoice choice) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!fs::exists(path, error))
      return systemError("read", path, ENOENT);
    if (choice != LogChoice::Only)
      return Error{ErrorCode::InvalidInput,
                   path.string() + " is a file, and --latest and --all-ranks choose from a folder",
                   "give the folder, or leave the flag out"};
    return std::vector<LogFile>{{path, rankOfName(path.filename().string()).value_or(-1)}};
  }
  MICA_ASSIGN_OR_RETURN(const std::vector<Found> logs, listLogs(path));
  if (logs.empty())
    return Error{ErrorCode::InvalidInput, path.string() + " holds neither an artifact nor a trace log",
                 "an artifact has a manifest.json; a trace log is named " + std::string(kStem) + "*.log"};
  if (choice == LogChoice::Latest) {
    const auto latest =
        std::max_element(logs.begin(), logs.end(), [](const Found &a, const Found &b) { return a.time < b.time; });
    return std::vector<LogFile>{latest->file};
  }
  if (choice == LogChoice::AllRanks) {
    std::vector<LogFile> files = newestOfEachRank(logs);
    if (files.empty())
      return Error{ErrorCode::InvalidInput, "no log in " + path.string() + " names a rank", "use --latest instead"};
    return files;
  }
  if (logs.size() == 1)
    return std::vector<LogFile>{logs.front().file};
  std::vector<std::string> names;
  for (const Found &log : logs)
    names.push_back(log.file.path.filename().string());
  return Error{ErrorCode::InvalidInput,
               path.string() + " holds " + std::to_string(logs.size()) + " logs: " + joinNames(names, 4),
               "--latest takes the newest, --all-ranks one of each rank; or name a file"};
}

bool isLog(const fs::path &path) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored))
    return true;
  if (!fs::is_directory(path, ignored) || fs::exists(path / "manifest.json", ignored))
    return false;
  for (const fs::directory_entry &entry : fs::directory_iterator(path, ignored))
    if (endsAsLog(entry.path().filename().string()))
      return true;
  return false;
}

} // namespace mica::report
