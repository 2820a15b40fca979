//===- LogTime.h - when a record was written -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: records carry local time without year and zone. Where the log holds timing events, which count from 1970,
// both are known.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_LOGTIME_H
#define MICA_LIB_REPORT_LOG_LOGTIME_H

#include "mica/Trace/Record.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace mica::report {

class LogTime {
public:
  /// Reads the beginning of `file` for an event, or for metrics with a start_time; without either the year is that of
  /// the file's last change.
  explicit LogTime(const std::filesystem::path &file);

  /// Whether times are UTC; else they are the writer's, of an unknown zone.
  bool isUtc() const { return known; }
  /// "2024-12-06T23:18:15.925000Z"; without Z where the zone is unknown.
  const std::string &text(const trace::Record &record);

private:
  void find(const std::string &text);

  bool known = false;
  int64_t zoneSeconds = 0; ///< to take off local time
  int64_t anchorSeconds;   ///< since 1970: records are taken to be in the year that brings them nearest
  /// The last answer: many records share their second.
  std::string lastSecond, lastText;
};

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_LOGTIME_H
