//===- BuildModel.h - from records to what a log says ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: takes the records of a log in order, writes the files that grow with the log, and gives the model at the
// end.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_BUILDMODEL_H
#define MICA_LIB_REPORT_LOG_BUILDMODEL_H

#include "lib/Report/Log/LogModel.h"
#include "lib/Report/Log/RawOutputs.h"
#include "lib/Report/Log/TextStore.h"

#include <filesystem>
#include <string>

namespace mica::report {

struct BuildOptions {
  std::string folder; ///< of the log's own files below the report's, "" or "rank_3/"
  bool texts = true;  ///< products go into the packs too
  bool redact = false;
  bool constants = false; ///< texts keep the elements of constants
  bool ranks = false;     ///< one of several: events name the rank as process
  /// A folder for artifacts that are put together from the log; the caller removes it.
  std::filesystem::path scratch;
};

/// A file name that stays in its folder, whatever `text` is: letters, digits, '.', '_' and '-', at most 100, and none
/// in front that hides it.
std::string safeFileName(std::string_view text);

/// Reads `log` to its end. `report`: the report's folder, in which options.folder exists.
Result<LogModel> buildModel(const std::filesystem::path &log, const std::filesystem::path &report, TextStore &store,
                            EventsFile &events, const BuildOptions &options);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_BUILDMODEL_H
