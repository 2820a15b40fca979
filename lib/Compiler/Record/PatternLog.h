//===- PatternLog.h - recording applied rewrite patterns ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream dispatches an action for each attempt to apply a pattern (greedy and conversion drivers alike), but not its
// result. So the op that the pass runs on is hashed before and after each attempt, which is slow and therefore
// optional. Folding and the removal of dead ops are not patterns and are not listed.
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

/// A pattern application that changed the IR.
struct PatternStep {
  std::string pattern; ///< its debug name; by default the name of its class
  std::string op;      ///< kind of the op it was applied to
  std::vector<std::string> ids;
  std::vector<std::string> sources;
  int64_t opsBefore = 0, opsAfter = 0; ///< in the op that the pass runs on
  int depth = 0;                       ///< enclosing pattern applications: a conversion legalizes recursively
};

class PatternLog {
public:
  /// Installs an action handler on `context`; null if it has one already.
  static std::shared_ptr<PatternLog> listen(mlir::MLIRContext &context);

  /// Begins recording on this thread, for changes to `root`.
  void begin(mlir::Operation *root);
  /// The patterns applied on this thread since begin, in order.
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
