//===- FormGroups.cpp - which ops go into one kernel ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Marks each op that runs in a kernel with the number of its group (`mica_sched.group`). The mark is all that
// mica-dispatch-outline-kernels looks at, so a layer can be edited to group ops differently.
//
//   %1 = linalg.generic ... matmul       {mica_sched.group = 0 : i64}
//   %2 = linalg.generic ... add bias     {mica_sched.group = 0 : i64}
//   %3 = linalg.generic ... transpose    {mica_sched.group = 1 : i64}
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace mica {
#define GEN_PASS_DEF_FORMGROUPS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
class FormGroups : public mica::impl::FormGroupsBase<FormGroups> {
public:
  using FormGroupsBase::FormGroupsBase;

  void runOnOperation() override {
    int64_t next = 0;
    Builder builder(&getContext());
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isKernelWork(op))
        return WalkResult::advance();
      op->setAttr(sched::kGroupAttr, builder.getI64IntegerAttr(next++));
      return WalkResult::skip();
    });
  }
};
} // namespace
