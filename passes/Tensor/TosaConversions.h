//===- TosaConversions.h - upstream's conversions of tosa ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shared by the optimizing pipelines and the reference lowering; each has its own passes for ops that upstream does not
// convert correctly.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_TOSACONVERSIONS_H
#define MICA_PASSES_TENSOR_TOSACONVERSIONS_H

#include "mlir/Pass/PassManager.h"

namespace mica {

/// Adds upstream's conversions of tosa to linalg, arith, tensor and scf, in the required order. `addOwn` is called
/// after the conversion of control flow, to add the passes for ops that upstream does not convert correctly.
void addUpstreamTosaConversions(mlir::OpPassManager &pm, llvm::function_ref<void()> addOwn);

} // namespace mica

#endif // MICA_PASSES_TENSOR_TOSACONVERSIONS_H
