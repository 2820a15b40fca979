//===- PatternLog.h - which rewrite pattern changed which op ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream announces each attempt to apply a pattern (greedy and conversion drivers alike) as an action, but not what
// came of it. So the op that the pass runs on is hashed before and after each attempt: slow, and only done where it was
// asked for. Folding, and the removal of dead ops, are no patterns and are not listed.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_PATTERNLOG_H
#define MICA_LIB_COMPILER_RECORD_PATTERNLOG_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mica::compiler {

/// One pattern that changed something.
struct PatternStep {
  std::string pattern; ///< as it calls itself; by default the name of its class
  std::string op;      ///< kind of the op it was applied to
  std::vector<std::string> ids;
  std::vector<std::string> sources;
  int64_t opsBefore = 0, opsAfter = 0; ///< in all that the pass runs on
  int depth = 0;                       ///< patterns it was applied in: a conversion legalises what it made at once
};

class PatternLog {
public:
  /// Begins to listen to the patterns of `context`; null where its actions are listened to already.
  static std::shared_ptr<PatternLog> listen(mlir::MLIRContext &context);

  /// What this thread does from now on changes `root`.
  void begin(mlir::Operation *root);
  /// What was applied on this thread since begin, in order.
  std::vector<PatternStep> end();

private:
  struct Thread {
    mlir::Operation *root = nullptr;
    std::vector<PatternStep> steps;
    int depth = 0;
  };
  void apply(llvm::function_ref<void()> attempt, const mlir::tracing::Action &action);

  std::mutex mutex;
  llvm::DenseMap<uint64_t, std::unique_ptr<Thread>> threads;
};

/// The text of a file that lists `steps`.
std::string printPatternSteps(llvm::ArrayRef<PatternStep> steps);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_PATTERNLOG_H
