//===- OpNumbering.cpp - numbering the ops of a program ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpNumbering.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/OpNumbering.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/IR/OpIds.h"
#include "dialects/StableHLO/IR/StableHLODialect.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mica;

bool mica::holdsOpsOfProgram(Operation *op) {
  return isa<RegionBranchOpInterface, IfOp, WhileOp, tosa::IfOp, tosa::WhileOp, stablehlo::IfOp, stablehlo::CaseOp,
             stablehlo::WhileOp>(op);
}

namespace {
class Numbering {
public:
  explicit Numbering(llvm::function_ref<void(const NumberedOp &)> visit) : visit(visit) {}

  void run(ModuleOp module) {
    module.walk([&](Operation *op) {
      for (llvm::StringRef id : getOpIds(op))
        given.insert(id);
    });
    module.walk([&](FunctionOpInterface function) {
      llvm::StringMap<int64_t> ordinals;
      walk(function.getFunctionBody(), function.getName(), ordinals);
      return WalkResult::skip();
    });
  }

private:
  void walk(Region &region, llvm::StringRef function, llvm::StringMap<int64_t> &ordinals) {
    for (Operation &op : region.getOps()) {
      // A yield is part of its parent op; a constant is a value, not an operation.
      if (!op.hasTrait<OpTrait::IsTerminator>() && !op.hasTrait<OpTrait::ConstantLike>()) {
        llvm::StringRef kind = op.getName().getStringRef();
        int64_t ordinal = ordinals[kind]++;
        llvm::SmallVector<llvm::StringRef> ids = getOpIds(&op);
        visit({&op, function, ordinal, ids.empty() ? newId(function, kind, ordinal) : ids.front().str()});
      }
      // The insertions of a parallel loop are in its terminator.
      if (holdsOpsOfProgram(&op) || isa<InParallelOpInterface>(op))
        for (Region &inner : op.getRegions())
          walk(inner, function, ordinals);
    }
  }

  /// The id; if two ops of one program had the same hash, the kind would be varied.
  std::string newId(llvm::StringRef function, llvm::StringRef kind, int64_t ordinal) {
    std::string id = makeOpId(function, kind, ordinal);
    for (std::string varied = kind.str(); !given.insert(id).second;) {
      varied += "'";
      id = makeOpId(function, varied, ordinal);
    }
    return id;
  }

  llvm::function_ref<void(const NumberedOp &)> visit;
  llvm::StringSet<> given;
};
} // namespace

void mica::forEachNumberedOp(ModuleOp module, llvm::function_ref<void(const NumberedOp &)> visit) {
  Numbering(visit).run(module);
}
