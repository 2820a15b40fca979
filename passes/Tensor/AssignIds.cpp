//===- AssignIds.cpp - give every op of the program its id
//------------------------------------------------------===//
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
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mica {
#define GEN_PASS_DEF_ASSIGNIDS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether the regions of `op` hold ops of the program, as opposed to the op's own computation.
static bool isControlFlow(Operation *op) {
  return isa<RegionBranchOpInterface, tosa::IfOp, tosa::WhileOp>(op);
}

namespace {
class AssignIds : public mica::impl::AssignIdsBase<AssignIds> {
public:
  void runOnOperation() override {
    given.clear();
    getOperation().walk([&](Operation *op) {
      for (llvm::StringRef id : mica::getOpIds(op))
        given.insert(id);
    });
    getOperation().walk([&](FunctionOpInterface function) {
      llvm::StringMap<int64_t> ordinals;
      assign(function.getFunctionBody(), function.getName(), ordinals);
      return WalkResult::skip();
    });
  }

private:
  void assign(Region &region, llvm::StringRef function, llvm::StringMap<int64_t> &ordinals) {
    for (Operation &op : region.getOps()) {
      // A yield is part of the op around it; a constant is a value, not something that runs.
      bool counted = !op.hasTrait<OpTrait::IsTerminator>() && !op.hasTrait<OpTrait::ConstantLike>();
      if (counted) {
        int64_t ordinal = ordinals[op.getName().getStringRef()]++;
        if (!mica::hasOpIds(op.getLoc())) {
          std::string id = uniqueId(function, op.getName().getStringRef(), ordinal);
          op.setLoc(mica::withOpIds(op.getLoc(), llvm::StringRef(id)));
        }
      } else if (Operation *parent = op.getParentOp();
                 op.hasTrait<OpTrait::IsTerminator>() && isControlFlow(parent)) {
        if (!mica::hasOpIds(op.getLoc()))
          op.setLoc(mica::withOpIds(op.getLoc(), mica::getOpIds(parent)));
      }
      if (op.getNumRegions() == 0)
        continue;
      if (isControlFlow(&op))
        for (Region &inner : op.getRegions())
          assign(inner, function, ordinals);
      else
        mica::propagateIdsToBody(&op);
    }
  }

  /// The id, with the kind varied in the (never seen) case that two ops of one program hash alike.
  std::string uniqueId(llvm::StringRef function, llvm::StringRef kind, int64_t ordinal) {
    std::string id = mica::makeOpId(function, kind, ordinal);
    for (std::string varied = kind.str(); !given.insert(id).second;) {
      varied += "'";
      id = mica::makeOpId(function, varied, ordinal);
    }
    return id;
  }

  llvm::StringSet<> given;
};
} // namespace
