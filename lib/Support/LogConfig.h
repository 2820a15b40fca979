//===- LogConfig.h - parsing the configuration of logs -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: parses the values of the MICA_LOGS variables.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_SUPPORT_LOGCONFIG_H
#define MICA_LIB_SUPPORT_LOGCONFIG_H

#include "mica/Support/Log.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica::detail {

/// detail::logMasks for `topics`.
Result<std::array<uint32_t, 4>> parseLogTopics(std::string_view topics);

/// The format of a line as a list of parts: literal text, or the value of a field.
struct LogFormat {
  enum class Field { Text, Level, LevelName, Time, Pid, Thread, File, Line, Rank, Device, Kernel, Topic, Message };
  struct Part {
    Field field;
    std::string text; ///< of Field::Text
  };
  enum class Form { Full, Short, Json, Pattern };
  Form form = Form::Full;
  std::vector<Part> parts; ///< of Form::Pattern
};
Result<LogFormat> parseLogFormat(std::string_view format);

/// "0,2" -> 0, 2; "" -> empty, which means all.
Result<std::vector<int>> parseLogRanks(std::string_view ranks);

} // namespace mica::detail

#endif // MICA_LIB_SUPPORT_LOGCONFIG_H
