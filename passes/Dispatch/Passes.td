//===- Passes.td - passes of the area Dispatch ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_PASSES
#define MICA_PASSES_DISPATCH_PASSES

include "mlir/Pass/PassBase.td"

#endif // MICA_PASSES_DISPATCH_PASSES
