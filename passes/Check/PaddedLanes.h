//===- PaddedLanes.h - divisions in lanes that are padding -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// Tiles at an edge are read by masks, and the lanes that are masked off hold 0: nothing may fail there.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_PADDEDLANES_H
#define MICA_PASSES_CHECK_PADDEDLANES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Before: `%q = arith.divsi %x, %y : vector<8xi32>`, where %x or %y is computed from what a pass reads by the mask %m.
/// After: in the lanes that %m leaves out, the divisor is 1.
void definePaddedDivisions(mlir::func::FuncOp function);

} // namespace mica

#endif // MICA_PASSES_CHECK_PADDEDLANES_H
