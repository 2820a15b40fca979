//===- Play.h - a pass that makes only some of its steps ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: in a copy of this process. MLIR asks an action handler before every attempt of a pattern; one that is
// withheld did not match. Folds and common subexpressions are no actions, so these are made one by one in the input of
// the pass.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_PLAY_H
#define MICA_LIB_BISECT_PLAY_H

#include "lib/Bisect/Runner.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace mica::bisect {

inline constexpr int64_t kAllAttempts = std::numeric_limits<int64_t>::max();

/// An attempt that changed something.
struct Made {
  int64_t attempt = 0; ///< from 1, among those that changed nothing too
  std::string name, op, location;
};

/// What came of letting a pass make its first attempts.
struct Played {
  mlir::OwningOpRef<mlir::ModuleOp> state;     ///< null: the pass did not come to its end with IR that verifies
  int64_t attempts = 0;                        ///< that there were, those that were withheld too
  std::vector<Made> made;                      ///< where they were asked for
  std::string before, after;                   ///< of the attempt to be shown: the function around it
  mlir::OwningOpRef<mlir::ModuleOp> stateThen; ///< right after that
};

/// What to do and to note.
struct Script {
  int64_t limit = kAllAttempts; ///< attempts to be made
  bool lists = false;           ///< which of them change something
  int64_t shown = 0;            ///< the attempt to be shown, and listed
};

class Player;
/// Makes steps of one kind in a module, each through Player::attempt.
using Steps = std::function<mlir::LogicalResult(mlir::ModuleOp, Player &)>;

/// The applications of patterns of a pipeline.
Steps patternsOf(const std::string &pipeline);
/// Every fold of an op, until there is none.
mlir::LogicalResult makeFolds(mlir::ModuleOp module, Player &player);
mlir::LogicalResult makeCommonSubexpressions(mlir::ModuleOp module, Player &player);

/// `op` with what is inside it.
std::string printedAlone(mlir::Operation *op);

Played play(mlir::ModuleOp input, const Steps &steps, const Script &script, const Limits &limits);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_PLAY_H
