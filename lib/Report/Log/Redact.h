//===- Redact.h - records without what they say ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: a record whose code, names, paths and constants are masked, while its kind, ids, sizes, times and layout
// stay. Everything of a report is made of records, so what is masked here is in no part of it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_REDACT_H
#define MICA_LIB_REPORT_LOG_REDACT_H

#include "mica/Trace/Record.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mica::report {

/// `text` with each letter and each byte beyond ASCII as 'x' and each digit as '0': blanks, punctuation and lengths
/// stay.
std::string maskText(std::string_view text);

/// Redacts the records of one log, in order. Names of functions and timing events get numbers, the same name the same
/// number; files are named by the number of their string.
class Redactor {
public:
  /// Replaces the pieces of `record` by masked ones, which live until the next call.
  void redact(trace::Record &record);

private:
  std::string number(std::string_view prefix, std::string_view name);
  std::string maskJson(std::string_view text, std::string_view kind);
  std::string maskValue(std::string_view value, std::string_view key, std::string_view kind, int depth, bool inStack);

  std::map<std::string, int> numbers;
  trace::Digest digest{}; ///< of the masked payload
  std::string envelope, payload, eventText;
  std::vector<trace::JsonMember> eventMembers;
};

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_REDACT_H
