//===- ExplainLog.h - everything a log knows about one op -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: what `mica-report explain ID LOG` prints.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_EXPLAINLOG_H
#define MICA_LIB_REPORT_LOG_EXPLAINLOG_H

#include "lib/Report/Log/LogReport.h"

#include <string>
#include <string_view>
#include <vector>

namespace mica::report {

/// explainOp() of each program in `logs` that has the op `id` (or its unique beginning), under the compile it is of;
/// equal programs once. Snapshots are left out, with a line that says so, where they cannot be unpacked (as in
/// explainOp). NotFound where no program has it; Unsupported where the logs hold no program of Mica's.
Result<std::string> explainInLogs(const std::vector<LogFile> &logs, std::string_view id);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_EXPLAINLOG_H
