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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mica {

/// Adds to an op the ids of the op it replaces, where it was made for that or computes the same: new ops, and twins of
/// one kind. A new op also gets the ids of what only the replaced op read, and it does not. An op that a fold puts in
/// the place of another kind (x for x * 1) computes what it did before and keeps its ids.
///
/// Locations are unique in the context: an op that thousands of others are merged into, one after another, would leave
/// thousands of long locations there. So locations are only collected while patterns run, and given to the ops that are
/// left when this listener is destroyed.
class KeepOpIds : public mlir::RewriterBase::Listener {
public:
  KeepOpIds() = default;
  KeepOpIds(const KeepOpIds &) = delete;
  KeepOpIds &operator=(const KeepOpIds &) = delete;
  ~KeepOpIds() override;

  void notifyPatternBegin(const mlir::Pattern &pattern, mlir::Operation *op) override;
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationErased(mlir::Operation *op) override;
  void notifyOperationReplaced(mlir::Operation *op, mlir::Operation *replacement) override;
  void notifyOperationReplaced(mlir::Operation *op, mlir::ValueRange replacement) override;

private:
  /// `location`, then those of the nodes `parts`. Ops share nodes.
  struct Node {
    mlir::LocationAttr location; ///< may be null
    bool isKept;                 ///< also where its ids are known
    llvm::SmallVector<size_t, 2> parts;
  };

  size_t addNode(mlir::LocationAttr location, llvm::ArrayRef<size_t> parts, bool isKept = false);
  /// A node of all that `op` came from.
  size_t nodeOf(mlir::Operation *op);
  /// Nodes of what `op`, about to go, is the only reader of and no new op reads: what replaces `op` computes that too.
  llvm::SmallVector<size_t> absorbedBy(mlir::Operation *op);
  /// Adds nodes to what is collected for `op`.
  void collect(mlir::Operation *op, llvm::ArrayRef<size_t> parts);
  /// Collects for `op`, which a pattern made, what is collected for the ops whose location it has, and its location
  /// itself if that is long.
  void collectFromPattern(mlir::Operation *op);
  void addCollected(mlir::Operation *op, size_t node) const;

  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Operation *, size_t> collected; ///< a node for each op that does not carry all ids yet
  llvm::DenseSet<mlir::Operation *> fresh;             ///< made since the last replacement
  llvm::DenseSet<mlir::Operation *> unread;            ///< absorbed, and not yet erased
  mlir::Operation *root = nullptr;                     ///< what the last pattern was applied to
};

/// Gives `op` the location made of its own and `others`, where these hold ids that it does not carry.
void addOpIds(mlir::Operation *op, llvm::ArrayRef<mlir::Location> others);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_KEEPOPIDS_H
