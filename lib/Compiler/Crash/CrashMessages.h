//===- CrashMessages.h - messages about failed passes -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The commands and messages of PassRecorder for failures and crashes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CRASH_CRASHMESSAGES_H
#define MICA_LIB_COMPILER_CRASH_CRASHMESSAGES_H

#include "lib/Compiler/Crash/CrashRecord.h"
#include "lib/Compiler/Index/RecordedPipelines.h"

#include <map>
#include <memory>
#include <string>

namespace mica::compiler {

/// Quotes `text` as one word of a shell command.
std::string shellWord(llvm::StringRef text);

/// " --load-pass-plugin=p.so --pass-pipeline='...'": the flags of `options` and `pipeline`, each after a blank.
std::string optArguments(const RecorderOptions &options, llvm::StringRef pipeline);

/// The pipeline that runs the pass on a file with its op alone: a module becomes the program, another op is nested in
/// it.
std::string pipelineOnOp(const RecordedPass &pass);

/// "pass cse (7) on k".
std::string passTitle(const RecordedPass &pass, llvm::StringRef shortPath);

/// Messages for a crash in a pass: the part that is the same for all ops that it runs on. Each is made once.
class CrashMessages {
public:
  /// The message for the pass at `position`.
  const std::shared_ptr<const CrashRecord::Command> &of(const RecorderOptions &options, RecordedPipelines &pipelines,
                                                        int position);
  /// Must be called when the pipelines change.
  void clear() { known.clear(); }

private:
  std::map<int, std::shared_ptr<const CrashRecord::Command>> known; ///< by position
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CRASH_CRASHMESSAGES_H
