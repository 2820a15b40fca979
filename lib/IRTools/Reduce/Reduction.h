//===- Reduction.h - IR cut down while a test of it holds ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the engine of mica-reduce, mica-bisect and mica-test-gen. It proposes simpler forms of a module in a fixed
// order, has several tested at once, and takes the first in that order for which the test holds. So the result does not
// depend on how many are tested at once, nor on how long a test takes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_REDUCE_REDUCTION_H
#define MICA_LIB_IRTOOLS_REDUCE_REDUCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <memory>

namespace mica::irtools {

/// A test of one candidate that is under way. Its end gives the test up.
class RunningTest {
public:
  virtual ~RunningTest() = default;
  /// Waits for the result.
  virtual bool holds() = 0;
};

/// Starts the test of a candidate, which may be IR that does not verify, and whose life may end before that of the
/// test. Null: it does not hold.
using StartTest = std::function<std::unique_ptr<RunningTest>(mlir::ModuleOp)>;

/// Tests at once on this machine.
unsigned defaultJobs();

/// How far a reduction has come: with the module as it is then, it goes on as if it had not been interrupted.
struct ReductionPosition {
  size_t way = 0;     ///< the way of cutting
  size_t chunk = 0;   ///< how many items at once; 0: the way begins
  size_t end = 0;     ///< one past the next items
  bool found = false; ///< whether this round has already found something
};

struct ReductionOptions {
  /// Which ways of cutting are used. Removals leave what remains as it was written.
  enum class Ways { Removals, All };
  Ways ways = Ways::All;
  unsigned jobs = 1; ///< tests at once
  std::function<bool()> mayGoOn = [] { return true; };
  /// Called with each smaller form that was found.
  std::function<void(mlir::ModuleOp, const ReductionPosition &)> found = [](mlir::ModuleOp, const ReductionPosition &) {
  };
  ReductionPosition begin;
};

/// Replaces `module` by the smallest form found for which the test holds. Whether it does for `module` is not tested.
/// Threading of the context must be off.
void reduceModule(mlir::OwningOpRef<mlir::ModuleOp> &module, const StartTest &start, const ReductionOptions &options);

/// Gives every op and block argument of `module` an unknown location.
void stripLocations(mlir::ModuleOp module);

/// Resources in `module`, whose bytes a test cannot hold, become splats of ones.
void replaceResources(mlir::ModuleOp module);

/// All ops in the text of `module`, itself apart; bodies that follow from the name of an op do not count.
int64_t countOps(mlir::ModuleOp module);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_REDUCE_REDUCTION_H
