//===- KeepOpIds.h - keeping ids in rewrites --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A listener for rewriters that run upstream's patterns, whose new ops have the location of only one of the ops that
// they replace, or none.
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

/// Adds to an op the ids of the op that it replaces, if it was created for that or computes the same: new ops, and
/// equal ops of the same kind. A new op also gets the ids of operands that only the replaced op used, and that it does
/// not use. An existing op of another kind that a fold substitutes (x for x * 1) keeps its ids, since its computation
/// does not change.
///
/// Locations are uniqued in the context, so merging thousands of ops into one, one after another, would create
/// thousands of long locations. Therefore locations are only collected while patterns run, and set on the remaining ops
/// when this listener is destroyed.
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
  /// `location`, followed by the nodes `parts`. Nodes are shared.
  struct Node {
    mlir::LocationAttr location; ///< may be null
    bool isKept;                 ///< even if its ids are known
    llvm::SmallVector<size_t, 2> parts;
  };

  size_t addNode(mlir::LocationAttr location, llvm::ArrayRef<size_t> parts, bool isKept = false);
  /// A node for all origins of `op`.
  size_t nodeOf(mlir::Operation *op);
  /// Nodes of ops that are only used by `op`, which is being erased, and not by a new op: the replacement of `op`
  /// includes their computation.
  llvm::SmallVector<size_t> absorbedBy(mlir::Operation *op);
  /// Adds nodes to those collected for `op`.
  void collect(mlir::Operation *op, llvm::ArrayRef<size_t> parts);
  /// For `op`, created by a pattern: collects what is collected for the ops whose location it has, and its location
  /// itself if that is long.
  void collectFromPattern(mlir::Operation *op);
  void addCollected(mlir::Operation *op, size_t node) const;

  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Operation *, size_t> collected; ///< a node for each op that does not carry all ids yet
  llvm::DenseSet<mlir::Operation *> fresh;             ///< created since the last replacement
  llvm::DenseSet<mlir::Operation *> unread;            ///< absorbed, and not yet erased
  mlir::Operation *root = nullptr;                     ///< the op to which the last pattern was applied
};

/// Fuses the location of `op` with `others`, if these have ids that it does not have.
void addOpIds(mlir::Operation *op, llvm::ArrayRef<mlir::Location> others);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_KEEPOPIDS_H
