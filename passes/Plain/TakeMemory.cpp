//===- TakeMemory.cpp - memory of plain code comes from the runtime ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// No code is shared with the optimizing pipelines that could compute a wrong number: only where memory comes from.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Cpu/Passes.h"
#include "passes/Plain/Passes.h"

namespace mica {
#define GEN_PASS_DEF_TAKEMEMORY
#include "passes/Plain/Passes.h.inc"
} // namespace mica

namespace {
class TakeMemory : public mica::impl::TakeMemoryBase<TakeMemory> {
public:
  using TakeMemoryBase::TakeMemoryBase;

  void runOnOperation() override {
    if (mlir::failed(mica::lowerDynamicAllocs(getOperation(), /*stackBytes=*/1 << 16, keepsAll)))
      signalPassFailure();
  }
};
} // namespace
