//===- OpOrder.h - reordered ops within a block -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Two ops may be swapped if one of them has no effects, if both only read, or if they access different allocations. Any
// other reordering is a move.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_OPORDER_H
#define MICA_LIB_IRTOOLS_OPORDER_H

#include "lib/IRTools/MatchOps.h"

namespace mica::irtools {

struct HarmfulMove {
  mlir::Operation *before, *after; ///< the op that was moved
  mlir::Operation *passed;         ///< an op of the second module with which it was swapped
};

/// The moves among the ops of block `before` and of its partner.
std::vector<HarmfulMove> findHarmfulMoves(mlir::Block *before, const OpTable &table, const Matching &matching);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_OPORDER_H
