//===- LaneAccess.h - how an operand's elements lie along a loop -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Asked of the indexing maps of structured operations, by those who choose vectors and by those who verify the choice.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICACODEGEN_IR_LANEACCESS_H
#define MICA_DIALECTS_MICACODEGEN_IR_LANEACCESS_H

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace mica::codegen {

/// How an operand's elements lie along one loop.
enum class LaneAccess {
  Uniform,    ///< the loop does not move the access
  Contiguous, ///< neighbors in the loop are neighbors in memory
  Strided,    ///< the loop moves the last index by a constant other than 1
  Other       ///< the loop moves another index
};

/// How `map` (from loops to indices of an operand) moves with loop `dim`. `stride` gets the step of the last
/// index where the access is Strided.
LaneAccess classifyAccess(mlir::AffineMap map, unsigned dim, int64_t *stride = nullptr);

/// The factor of dim `dim` in `expr`; nullopt where the expression is not linear in it.
std::optional<int64_t> coefficientOf(mlir::AffineExpr expr, unsigned dim);

} // namespace mica::codegen

#endif // MICA_DIALECTS_MICACODEGEN_IR_LANEACCESS_H
