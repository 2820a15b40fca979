//===- AssignIds.cpp - assigning ids to ops ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One walk per function, counting ops of each kind in the order they are printed:
//
//   %0 = linalg.matmul ...  loc("m.mlir":3:8)      first of its kind
//   %1 = linalg.generic ... loc("m.mlir":4:8)
//     %2 = arith.addf ...   loc("m.mlir":6:10)
//   =>
//   %0 = linalg.matmul ...  loc(fused<"mica.op:<sha256(f, linalg.matmul, 0)>">["m.mlir":3:8])
//   %1 = linalg.generic ... loc(fused<"mica.op:<sha256(f, linalg.generic, 0)>">["m.mlir":4:8])
//     %2 = arith.addf ...   loc(fused<"mica.op:<the generic's>">["m.mlir":6:10])
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "mica/Support/Text.h"
#include "passes/Tensor/OpNumbering.h"
#include "passes/Tensor/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace mica {
#define GEN_PASS_DEF_ASSIGNIDS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
class AssignIds : public mica::impl::AssignIdsBase<AssignIds> {
public:
  using AssignIdsBase::AssignIdsBase;

  void runOnOperation() override {
    mica::forEachNumberedOp(getOperation(), [&](const mica::NumberedOp &numbered) {
      Operation *op = numbered.op;
      const bool isTagged = op->removeDiscardableAttr(mica::check::kDumpAttr) || isToBeTagged(op, numbered.id);
      if (isTagged && !mica::hasTag(op->getLoc(), mica::kDumpTag))
        op->setLoc(mica::withTag(op->getLoc(), mica::kDumpTag));
      if (!mica::hasOpIds(op->getLoc()))
        op->setLoc(mica::withOpIds(op->getLoc(), llvm::StringRef(numbered.id)));
    });
    // Ops inside of an op's own computation, and the yields of control flow, are parts of that op.
    getOperation().walk<WalkOrder::PreOrder>([](Operation *op) {
      if (!mica::hasOpIds(op->getLoc()))
        return;
      if (!mica::holdsOpsOfProgram(op))
        return mica::propagateIdsToBody(op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (Operation *last = block.empty() ? nullptr : &block.back();
              last && last->hasTrait<OpTrait::IsTerminator>() && !mica::hasOpIds(last->getLoc()))
            last->setLoc(mica::withOpIds(last->getLoc(), mica::getOpIds(op)));
    });
  }

private:
  bool isToBeTagged(Operation *op, llvm::StringRef id) {
    return !tagged.empty() &&
           (mica::matchesNames(tagged, id.str()) || mica::matchesNames(tagged, op->getName().getStringRef().str()));
  }
};
} // namespace
