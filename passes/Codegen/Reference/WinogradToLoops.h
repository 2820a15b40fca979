//===- WinogradToLoops.h - Winograd's transforms as loops over scalar elements ----------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Part of the pass mica-reference-decompose-tensors.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_WINOGRADTOLOOPS_H
#define MICA_PASSES_CODEGEN_REFERENCE_WINOGRADTOLOOPS_H

#include "mlir/IR/Operation.h"

namespace mica::plain {

/// Replaces every linalg.winograd_*_transform on float tensors in `function` by loops.
void convertWinograd(mlir::Operation *function);

} // namespace mica::plain

#endif // MICA_PASSES_CODEGEN_REFERENCE_WINOGRADTOLOOPS_H
