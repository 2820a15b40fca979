//===- LowerDynamicAllocs.cpp - allocating memory from the runtime ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shared with the optimizing pipelines, since it does not affect computed values: it only changes where memory is
// allocated.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Reference/Passes.h"

namespace mica {
#define GEN_PASS_DEF_REFERENCELOWERDYNAMICALLOCS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

namespace {
class ReferenceLowerDynamicAllocs : public mica::impl::ReferenceLowerDynamicAllocsBase<ReferenceLowerDynamicAllocs> {
public:
  using ReferenceLowerDynamicAllocsBase::ReferenceLowerDynamicAllocsBase;

  void runOnOperation() override {
    if (mlir::failed(mica::lowerDynamicAllocs(getOperation(), /*stackBytes=*/1 << 16, keepsAll)))
      signalPassFailure();
  }
};
} // namespace
