//===- CeilDivisions.h - affine divisions that round up ----------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream lowers `a ceildiv c` of a map as -((-a) / c) where a <= 0, and -a overflows for the least number
// (docs/UpstreamFindings.md). As `(a floordiv c) - ((-(a mod c)) floordiv c)` no part of it does, but simplifications
// of maps lead back; so ops with such maps become arithmetic.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_CEILDIVISIONS_H
#define MICA_PASSES_CHECK_CEILDIVISIONS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"

namespace mica {

/// `map` without a ceildiv of a number that may be negative. `operands`: those of the map; none if they are not known.
mlir::AffineMap expandCeilDivisions(mlir::AffineMap map, mlir::ValueRange operands);

/// Whether a map or set of `op`, an affine op, has a ceildiv of a number that may be negative.
bool roundsUp(mlir::Operation *op);

/// Rewrites the ops below `root` that round up to arithmetic, and then all affine loops and accesses beside them.
llvm::LogicalResult expandCeilDivisions(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_CHECK_CEILDIVISIONS_H
