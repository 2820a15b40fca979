//===- CrashMessages.h - what is said of a pass that went wrong ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The commands and texts of PassRecorder's failures and crashes.
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

/// `text` as one word of a shell command.
std::string shellWord(llvm::StringRef text);

/// " --load-pass-plugin=p.so --pass-pipeline='...'": the flags of `options` and `pipeline`, each after a blank.
std::string optArguments(const RecorderOptions &options, llvm::StringRef pipeline);

/// The pipeline that runs the pass where its op is alone: a module is the program, another op lies right in it.
std::string pipelineOnOp(const RecordedPass &pass);

/// "pass cse (7) on k".
std::string passTitle(const RecordedPass &pass, llvm::StringRef shortPath);

/// What is left where the process dies in a pass: what is the same for all ops that it runs on. Each is made once.
class CrashMessages {
public:
  /// Of the pass at `position`.
  const std::shared_ptr<const CrashRecord::Command> &of(const RecorderOptions &options, RecordedPipelines &pipelines,
                                                        int position);
  /// To be called where the pipelines change.
  void clear() { known.clear(); }

private:
  std::map<int, std::shared_ptr<const CrashRecord::Command>> known; ///< by position
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CRASH_CRASHMESSAGES_H
