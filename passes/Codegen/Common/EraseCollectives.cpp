//===- EraseCollectives.cpp - pass mica-codegen-erase-collectives -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Passes.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {
#define GEN_PASS_DEF_ERASECOLLECTIVESPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

namespace {
class EraseCollectives : public mica::impl::EraseCollectivesPassBase<EraseCollectives> {
public:
  void runOnOperation() override {
    bool erased = false;
    getOperation().walk([&](mica::sched::CollectiveOp op) {
      op.erase();
      erased = true;
    });
    if (!erased)
      markAllAnalysesPreserved();
  }
};
} // namespace
