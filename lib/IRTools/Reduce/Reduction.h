//===- Reduction.h - reducing IR while a test succeeds ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the engine of mica-reduce, mica-bisect and mica-test-gen. It proposes simpler forms of a module in a fixed
// order, tests several at once, and takes the first in that order whose test succeeds. So the result depends neither on
// the number of concurrent tests nor on their duration.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_REDUCE_REDUCTION_H
#define MICA_LIB_IRTOOLS_REDUCE_REDUCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <memory>

namespace mica::irtools {

/// A running test of one candidate. Destruction cancels the test.
class RunningTest {
public:
  virtual ~RunningTest() = default;
  /// Waits for the result.
  virtual bool holds() = 0;
};

/// Starts the test of a candidate, which may not verify, and which may be destroyed before the test ends. Null: the
/// test fails.
using StartTest = std::function<std::unique_ptr<RunningTest>(mlir::ModuleOp)>;

/// The default number of concurrent tests on this machine.
unsigned defaultJobs();

/// The progress of a reduction: with the module at that time, it can be resumed.
struct ReductionPosition {
  size_t way = 0;     ///< the current way
  size_t chunk = 0;   ///< number of items at once; 0: the way has not begun
  size_t end = 0;     ///< one past the next items
  bool found = false; ///< whether this round has already found something
};

struct ReductionOptions {
  /// Which ways are used. Removals leave the rest of the IR unchanged.
  enum class Ways { Removals, All };
  Ways ways = Ways::All;
  unsigned jobs = 1; ///< concurrent tests
  std::function<bool()> mayGoOn = [] { return true; };
  /// Called with each smaller form that was found.
  std::function<void(mlir::ModuleOp, const ReductionPosition &)> found = [](mlir::ModuleOp, const ReductionPosition &) {
  };
  ReductionPosition begin;
};

/// Replaces `module` by the smallest form found for which the test succeeds. `module` itself is not tested. Threading
/// of the context must be off.
void reduceModule(mlir::OwningOpRef<mlir::ModuleOp> &module, const StartTest &start, const ReductionOptions &options);

/// Gives every op and block argument of `module` an unknown location.
void stripLocations(mlir::ModuleOp module);

/// Replaces resources in `module`, whose bytes a test cannot contain, by splats of ones.
void replaceResources(mlir::ModuleOp module);

/// All ops in the text of `module`, itself apart; bodies that follow from the name of an op do not count.
int64_t countOps(mlir::ModuleOp module);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_REDUCE_REDUCTION_H
