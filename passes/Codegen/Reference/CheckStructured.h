//===- CheckStructured.h - checking the sizes of structured ops ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Part of mica-reference-check-reshapes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_CHECKSTRUCTURED_H
#define MICA_PASSES_CODEGEN_REFERENCE_CHECKSTRUCTURED_H

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

namespace mica {

/// Asserts before `op`, on tensors or buffers, that dimensions indexed by one loop are equal, and that positions given
/// by other maps are in bounds, unless a loop has no iterations. Static sizes that are known to match are not asserted;
/// a static size of 0 is not checked by upstream's verifier.
void checkStructured(mlir::linalg::LinalgOp op);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_REFERENCE_CHECKSTRUCTURED_H
