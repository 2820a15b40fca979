//===- DecomposeWinograd.h - decomposing Winograd's transforms to matmuls ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Part of mica-dispatch-generalize-ops. Internal to passes/Dispatch.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_DECOMPOSEWINOGRAD_H
#define MICA_PASSES_DISPATCH_DECOMPOSEWINOGRAD_H

#include "mlir/IR/PatternMatch.h"

namespace mica {

/// Lowers linalg.winograd_{filter,input,output}_transform on tensors to linalg.generic.
void populateDecomposeWinogradPatterns(mlir::RewritePatternSet &patterns);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_DECOMPOSEWINOGRAD_H
