//===- RawOutputs.h - the files other tools read ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: raw.jsonl, chromium_events.json and compile_directory.json, with the fields and in the order that readers of
// tlparse's output expect.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_RAWOUTPUTS_H
#define MICA_LIB_REPORT_LOG_RAWOUTPUTS_H

#include "lib/Report/Log/LogModel.h"
#include "mica/Support/Status.h"

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mica::report {

/// A file that is written in large pieces. The first failure is kept and ends the writing.
class OutputFile {
public:
  static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path &file);
  ~OutputFile();
  void write(std::string_view text) {
    buffer += text;
    if (buffer.size() >= kBuffer)
      flush();
  }
  std::string &pending() { return buffer; } ///< to append to; call write("") after it
  Status finish();

private:
  OutputFile() = default;
  void flush();

  static constexpr size_t kBuffer = size_t(1) << 20;
  std::filesystem::path path;
  std::string buffer;
  int descriptor = -1;
  Status status;
};

/// Timing events of one log or of several ranks as one JSON list. An argument of at least a kilobyte that an earlier
/// event carried is replaced by the position of that event.
class EventsFile {
public:
  static Result<std::unique_ptr<EventsFile>> create(const std::filesystem::path &file);
  /// `process`: stands for the event's pid, so that ranks are processes of their own.
  void add(const trace::Record &record, std::optional<int64_t> process);
  Status finish();

private:
  std::unique_ptr<OutputFile> file;
  int64_t count = 0;
  std::map<std::array<uint64_t, 2>, int64_t> arguments;
};

/// Every envelope but strings and events, with what its line said and the file of its payload. The first line is the
/// string table.
class RawFile {
public:
  static Result<std::unique_ptr<RawFile>> create(const std::filesystem::path &file);
  void add(const trace::Record &record, const std::string &timestamp, const std::string &payloadFile);
  /// The table is known only at the end, so the file is put together here.
  Status finish(const std::vector<std::string> &strings);

private:
  std::filesystem::path path;
  std::unique_ptr<OutputFile> body;
};

/// compile_directory.json: what each compile left.
std::string compileDirectory(const LogModel &model);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_RAWOUTPUTS_H
