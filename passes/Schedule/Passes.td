//===- Passes.td - passes of the area Schedule ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_PASSES
#define MICA_PASSES_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

#endif // MICA_PASSES_SCHEDULE_PASSES
