//===- KeepOpIds.h - ids survive rewrites that know nothing of them ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A listener for the rewriters of upstream's patterns, whose new ops have the location of one of the ops they were made
// from, or of none.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_KEEPOPIDS_H
#define MICA_DIALECTS_MICA_IR_KEEPOPIDS_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace mica {

/// Adds to an op the ids of the op it replaces, where it was made for that or computes the same: new ops, and twins of
/// one kind. A new op also gets the ids of what only the replaced op read, and it does not. An op that a fold puts in
/// the place of another kind (x for x * 1) computes what it did before and keeps its ids.
class KeepOpIds : public mlir::RewriterBase::Listener {
public:
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationErased(mlir::Operation *op) override;
  void notifyOperationReplaced(mlir::Operation *op, mlir::Operation *replacement) override;
  void notifyOperationReplaced(mlir::Operation *op, mlir::ValueRange replacement) override;

private:
  llvm::DenseSet<mlir::Operation *> fresh; ///< made since the last replacement
};

/// Gives `op` the location made of its own and `others`, where these hold ids that it does not carry.
void addOpIds(mlir::Operation *op, llvm::ArrayRef<mlir::Location> others);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_KEEPOPIDS_H
