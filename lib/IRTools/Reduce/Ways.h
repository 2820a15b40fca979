//===- Ways.h - ways of simplifying IR ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: each way lists what it can simplify, and applies the simplification to a part of the list. It lists nothing
// that is already simplified, so that a reduction terminates.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_REDUCE_WAYS_H
#define MICA_LIB_IRTOOLS_REDUCE_WAYS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <limits>
#include <vector>

namespace mica::irtools {

/// An item to simplify: an op, or a part of it, in one of several manners.
struct ReductionItem {
  mlir::Operation *op = nullptr;
  int64_t index = 0;
  int64_t choice = 0;
};
using ReductionItems = std::vector<ReductionItem>;

struct ReductionWay {
  /// The order must depend only on the text of the module.
  void (*list)(mlir::ModuleOp module, ReductionItems &items);
  /// Returns whether there is a candidate to test; if not, the module may be left in any state.
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

/// A hash of a module without locations: equal modules have equal hashes.
uint64_t fingerprintOf(mlir::ModuleOp module);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_REDUCE_WAYS_H
