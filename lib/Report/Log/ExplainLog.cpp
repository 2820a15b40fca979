//===- ExplainLog.cpp - everything a log knows about one op -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The artifacts are put together from the log in a temporary folder, as for its report.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/ExplainLog.h"

#include "lib/Report/Log/TracedFiles.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Report/Report.h"
#include "mica/Support/Files.h"
#include "mica/Trace/Reader.h"

#include <set>

namespace fs = std::filesystem;

namespace mica::report {

Result<std::string> explainInLogs(const std::vector<LogFile> &logs, std::string_view id) {
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-report"));
  std::string text;
  std::optional<Error> failure;
  std::set<trace::Digest> told;
  for (size_t i = 0; i < logs.size(); ++i) {
    TracedFiles traced(scratch.path() / std::to_string(i));
    MICA_ASSIGN_OR_RETURN([[maybe_unused]] const trace::ReadCounts counts,
                          trace::readLog(logs[i].path, [&](trace::Record &record) { traced.take(record); }));
    for (const TracedArtifact &program : traced.all()) {
      if (!told.insert(program.manifest).second)
        continue;
      const Result<artifact::Artifact> opened = artifact::Artifact::openTexts(program.folder);
      if (!opened) {
        failure = opened.error();
        continue;
      }
      const Result<std::string> explained = explainOp(*opened, id);
      if (!explained) {
        // An id that is no unique beginning says more than one that is not there.
        if (!failure || failure->code == ErrorCode::NotFound)
          failure = explained.error();
        continue;
      }
      text += (text.empty() ? "" : "\n") + std::string("[") + program.compile.text() + "]\n" + *explained;
    }
  }
  if (!text.empty())
    return text;
  if (!failure)
    return Error{ErrorCode::Unsupported, "no program of Mica's is in the log",
                 "ids are those of ops that mica-compile numbers; of other logs there are the pages: mica-report LOG"};
  return *failure;
}

} // namespace mica::report
