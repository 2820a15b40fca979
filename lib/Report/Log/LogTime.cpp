//===- LogTime.cpp - when a record was written -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See LogTime.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/LogTime.h"

#include "mica/Trace/Reader.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <sys/stat.h>
#include <zlib.h>

namespace mica::report {
namespace {

constexpr size_t kSearched = size_t(256) << 10;
/// So much is searched where there is no event: metrics come at the end of a compile.
constexpr size_t kSearchedFar = size_t(8) << 20;
constexpr int64_t kDay = 86400, kQuarterHour = 900;

int64_t digits(std::string_view text, size_t at, size_t count) {
  int64_t value = 0;
  std::from_chars(text.data() + at, text.data() + at + count, value);
  return value;
}

/// Seconds from 1970 to the record's local time as if it were UTC, in `year`.
int64_t localSeconds(const trace::Record &record, int64_t year) {
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(static_cast<int>(year)),
                            month(static_cast<unsigned>(digits(record.date, 0, 2))),
                            day(static_cast<unsigned>(digits(record.date, 2, 2)))};
  return sys_days(date).time_since_epoch().count() * kDay + digits(record.time, 0, 2) * 3600 +
         digits(record.time, 3, 2) * 60 + digits(record.time, 6, 2);
}

int64_t yearOf(int64_t seconds) {
  using namespace std::chrono;
  return int(year_month_day(sys_days(days(static_cast<int>(std::floor(double(seconds) / kDay))))).year());
}

/// The local time, in the year that brings it nearest to `anchor`.
int64_t nearest(const trace::Record &record, int64_t anchor) {
  const int64_t year = yearOf(anchor);
  int64_t best = localSeconds(record, year);
  for (const int64_t other : {localSeconds(record, year - 1), localSeconds(record, year + 1)})
    if (std::abs(other - anchor) < std::abs(best - anchor))
      best = other;
  return best;
}

/// The first `most` bytes of a log, compressed or not.
std::string beginningOf(const std::filesystem::path &file, size_t most) {
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> stream(gzopen(file.c_str(), "rb"), gzclose);
  std::string text(most, '\0');
  const int got = stream ? gzread(stream.get(), text.data(), static_cast<unsigned>(most)) : 0;
  text.resize(static_cast<size_t>(std::max(got, 0)));
  return text;
}

/// When the record was written, or something that began shortly before: microseconds since 1970, 0 if it does not say.
double microsecondsOf(const trace::Record &record) {
  if (record.event)
    return record.event->microseconds;
  if (!record.kind.ends_with("compilation_metrics"))
    return 0;
  const std::optional<double> seconds = trace::jsonNumber(record.field("start_time"));
  return seconds ? *seconds * 1e6 : 0;
}

} // namespace

LogTime::LogTime(const std::filesystem::path &file) {
  struct ::stat status = {};
  const bool isThere = ::stat(file.c_str(), &status) == 0;
  anchorSeconds = isThere ? status.st_mtime : 0;
  find(beginningOf(file, kSearched));
  if (!known && isThere && status.st_size > static_cast<off_t>(kSearched / 8))
    find(beginningOf(file, kSearchedFar));
}

void LogTime::find(const std::string &text) {
  trace::readLogText(text,
                     [&](trace::Record &record) {
                       // Between 1980 and 2200: others are no times.
                       constexpr double kLow = 315532800e6, kHigh = 7258118400e6;
                       const double time = known ? 0 : microsecondsOf(record);
                       if (time < kLow || time > kHigh || record.date.empty())
                         return;
                       const int64_t seconds = static_cast<int64_t>(time / 1e6);
                       const int64_t difference = nearest(record, seconds) - seconds;
                       if (std::abs(difference) > 15 * 3600)
                         return; // no zone is that far: the event is of another day
                       known = true;
                       anchorSeconds = seconds;
                       zoneSeconds =
                           (difference + (difference < 0 ? -1 : 1) * kQuarterHour / 2) / kQuarterHour * kQuarterHour;
                     },
                     {.threads = 1});
}

const std::string &LogTime::text(const trace::Record &record) {
  constexpr size_t kFraction = 20, kFractionOfTime = 9;
  const std::string second = std::string(record.date) + std::string(record.time.substr(0, kFractionOfTime));
  if (second == lastSecond)
    return lastText.replace(kFraction, 6, record.time.substr(kFractionOfTime));
  const int64_t seconds = nearest(record, anchorSeconds) - zoneSeconds;
  const int64_t day = static_cast<int64_t>(std::floor(double(seconds) / kDay));
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(static_cast<int>(day)))};
  const int64_t rest = seconds - day * kDay;
  char out[64];
  std::snprintf(out, sizeof out, "%04d-%02u-%02uT%02d:%02d:%02d.%.6s%s", int(date.year()), unsigned(date.month()),
                unsigned(date.day()), int(rest / 3600), int(rest / 60 % 60), int(rest % 60),
                std::string(record.time.substr(9)).c_str(), known ? "Z" : "");
  lastSecond = second;
  return lastText = out;
}

} // namespace mica::report
