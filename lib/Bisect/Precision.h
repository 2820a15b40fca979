//===- Precision.h - which ops lose the precision of the results --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: evaluates a program without rounding, with it, and with it but for some ops.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_PRECISION_H
#define MICA_LIB_BISECT_PRECISION_H

#include "lib/Bisect/Entry.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mica::bisect {

/// Errors of one op, over all times that it was evaluated: norms of differences, relative to the norm of what the op
/// gives without any rounding.
struct OpError {
  mlir::Operation *op = nullptr;
  size_t position = 0; ///< in the order of evaluation
  double in = 0;       ///< from what it takes: computed exactly on rounded operands
  double own = 0;      ///< from rounding its own result
  double out = 0;      ///< of its result, both together
};

struct Precision {
  double error = 0;         ///< of the results, in relative L2, where each op rounds to its own type
  double limit = 0;         ///< asked for
  double allWide = 0;       ///< where no op does
  std::vector<OpError> ops; ///< those that compute floats, by their own error, largest first
  /// Ops whose wider type brings the error under the limit; without any of them it is not. Nothing: not even all do, or
  /// the time was over.
  std::optional<std::vector<mlir::Operation *>> mending;
  double mended = 0;    ///< the error then
  std::string problem;  ///< why there is no `mending`
  int64_t attempts = 0; ///< evaluations
};

/// `limit` 0: a tenth of the error. Fails (Unsupported) where the evaluator does not take the program, or its entry
/// gives no floats.
Result<Precision> findPrecision(mlir::ModuleOp program, const Entry &entry, double limit, double seconds);

/// For the terminal; ends with a newline.
std::string describe(const Precision &precision);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_PRECISION_H
