//===- Ways.h - ways of making IR simpler -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: each way lists what it could make simpler, and does so to some of it. It lists no thing that is already as
// simple as it makes it, so that a reduction ends.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_REDUCE_WAYS_H
#define MICA_LIB_IRTOOLS_REDUCE_WAYS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <limits>
#include <vector>

namespace mica::irtools {

/// Something to make simpler: an op, or a part of it, in one of several manners.
struct ReductionItem {
  mlir::Operation *op = nullptr;
  int64_t index = 0;
  int64_t choice = 0;
};
using ReductionItems = std::vector<ReductionItem>;

struct ReductionWay {
  /// In an order that depends on the text of the module alone.
  void (*list)(mlir::ModuleOp module, ReductionItems &items);
  /// Whether there is a candidate to test; where there is none, the module may be left in any state.
  bool (*cut)(llvm::ArrayRef<ReductionItem> items);
  size_t most = std::numeric_limits<size_t>::max(); ///< items at once
};

llvm::ArrayRef<ReductionWay> removals();     ///< functions, ops, arguments, results, attributes; large constants
llvm::ArrayRef<ReductionWay> replacements(); ///< results of ops by other values
llvm::ArrayRef<ReductionWay> controlWays();  ///< loops, conditions, branches
llvm::ArrayRef<ReductionWay> numberWays();   ///< constants and numbers in attributes
llvm::ArrayRef<ReductionWay> shapeWays();    ///< sizes, ranks, element types

/// Whether `op` has a body that is not printed, as linalg.add has: it follows from the name.
bool hasImpliedBody(mlir::Operation *op);

/// A splat of `number` of the type of `constant`, or null where there is none.
mlir::DenseElementsAttr splatLike(mlir::ElementsAttr constant, int64_t number);

/// A number for what a module is, places aside: equal modules have equal ones.
uint64_t fingerprintOf(mlir::ModuleOp module);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_REDUCE_WAYS_H
