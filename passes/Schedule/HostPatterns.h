//===- HostPatterns.h - patterns that lower host functions ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the files of convert-mica-sched-to-llvm share. Internal to that pass.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_HOSTPATTERNS_H
#define MICA_PASSES_SCHEDULE_HOSTPATTERNS_H

#include "passes/Schedule/HostTexts.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace mica {

/// Base of patterns for ops that pass their name to the runtime.
template <typename Op> struct NamingPattern : public mlir::ConvertOpToLLVMPattern<Op> {
  NamingPattern(const mlir::LLVMTypeConverter &converter, HostTexts &texts, mlir::PatternBenefit benefit = 1)
      : mlir::ConvertOpToLLVMPattern<Op>(converter, benefit), texts(texts) {}
  HostTexts &texts;
};

/// Lowers the memory of host functions, allocated, released and returned, and checks of its sizes. `texts` outlives the
/// patterns.
void populateHostMemoryPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns,
                                HostTexts &texts);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_HOSTPATTERNS_H
