//===- LaneAccess.h - accesses of an operand along a loop --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Classifies the indexing maps of structured operations, for the selection of vectors and for verifiers.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICACODEGEN_IR_LANEACCESS_H
#define MICA_DIALECTS_MICACODEGEN_IR_LANEACCESS_H

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace mica::codegen {

/// The accesses of an operand along one loop.
enum class LaneAccess {
  Uniform,    ///< the index does not depend on the loop
  Contiguous, ///< adjacent iterations access adjacent elements
  Strided,    ///< the loop advances the last index by a constant other than 1
  Other       ///< the loop advances another index
};

/// Classifies `map` (from loops to indices of an operand) along loop `dim`. `stride` receives the step of the last
/// index if the access is Strided.
LaneAccess classifyAccess(mlir::AffineMap map, unsigned dim, int64_t *stride = nullptr);

/// The coefficient of dim `dim` in `expr`; nullopt if the expression is not linear in it.
std::optional<int64_t> coefficientOf(mlir::AffineExpr expr, unsigned dim);

} // namespace mica::codegen

#endif // MICA_DIALECTS_MICACODEGEN_IR_LANEACCESS_H
