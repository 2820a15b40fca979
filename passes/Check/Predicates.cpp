//===- Predicates.cpp - taking predicates of checks as true ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Predicates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;
using namespace mica;

/// Inlines the then region of `branch`.
static void inlineThen(scf::IfOp branch) {
  Operation *yield = branch.thenBlock()->getTerminator();
  branch->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  branch->getBlock()->getOperations().splice(branch->getIterator(), branch.thenBlock()->getOperations());
  branch->erase();
}

void mica::replaceByTrue(Operation *predicate) {
  OpBuilder builder(predicate);
  // Inlining erases the other region and the yield, which may use the predicate too, so users are looked up anew.
  auto isBranch = llvm::IsaPred<scf::IfOp>;
  for (auto user = llvm::find_if(predicate->getUsers(), isBranch); user != predicate->user_end();
       user = llvm::find_if(predicate->getUsers(), isBranch))
    inlineThen(cast<scf::IfOp>(*user));
  if (!predicate->use_empty()) {
    Value yes = arith::ConstantOp::create(builder, predicate->getLoc(), builder.getBoolAttr(true));
    predicate->replaceAllUsesWith(ValueRange{yes});
  }
  predicate->erase();
}

bool mica::isBeyondRank(Value value) {
  auto op = value.getDefiningOp<ShapedDimOpInterface>();
  auto type = op ? dyn_cast<ShapedType>(op.getShapedValue().getType()) : ShapedType();
  if (!type || !type.hasRank())
    return false;
  std::optional<int64_t> dim = getConstantIntValue(op.getDimension());
  return dim && (*dim < 0 || *dim >= type.getRank());
}
