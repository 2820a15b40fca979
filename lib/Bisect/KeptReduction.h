//===- KeptReduction.h - how far an interrupted reduction came ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the smallest form so far and the place in the order of attempts, in the cache of outcomes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_KEPTREDUCTION_H
#define MICA_LIB_BISECT_KEPTREDUCTION_H

#include "lib/Bisect/Runner.h"
#include "lib/IRTools/Reduce/Reduction.h"

namespace mica::bisect {

class KeptReduction {
public:
  KeptReduction(Runner &runner, std::string key) : runner(runner), key(std::move(key)) {}

  /// Fills in the rest; leaves it where nothing is kept.
  void restore(mlir::MLIRContext *context);
  /// Without a cache, or on a full disk, nothing is kept.
  void save(mlir::ModuleOp found, const irtools::ReductionPosition &at, bool finished);

  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null: nothing is kept
  irtools::ReductionPosition position;
  bool isFinished = false;

private:
  Runner &runner;
  std::string key;
};

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_KEPTREDUCTION_H
