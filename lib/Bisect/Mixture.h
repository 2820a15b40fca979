//===- Mixture.h - a program between the input and the output of a pass -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: takes over only the first of the changes that a pass made, whatever the pass is, by the pairs of ops that
// mica-diff finds. Ops without effects are there in both forms; of an op that the pass changed, or one with effects
// that it added or removed, a mixture has one of the two.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_MIXTURE_H
#define MICA_LIB_BISECT_MIXTURE_H

#include "mica/IRTools/Diff.h"
#include "mica/IRTools/Document.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"

#include <string>
#include <vector>

namespace mica::bisect {

/// A change that a mixture has or has not.
struct MixedChange {
  std::string what;                                    ///< "arith.subi: operand 0"; of a function: its symbol
  mlir::Operation *before = nullptr, *after = nullptr; ///< null: there was none, there is none
  mlir::Operation *at = nullptr;                       ///< what it is about: one of these, or a removed op they used
};

class Mixture {
public:
  enum class By {
    Function, ///< functions, and other symbols of the program, are taken over as a whole
    Op,
  };
  Mixture(mlir::ModuleOp before, mlir::ModuleOp after, By by);

  /// In the order of the program.
  const std::vector<MixedChange> &changes() const { return all; }
  /// With the first `taken` changes. Null where a value is used that this mixture has not; it may not verify.
  mlir::OwningOpRef<mlir::ModuleOp> make(size_t taken);

private:
  struct Pair {
    mlir::Operation *before, *after;
  };
  void mergeRegion(mlir::Region &before, mlir::Region &after, mlir::Region &into);
  void mergeBlock(mlir::Block &before, mlir::Block &after, mlir::Block &into);
  /// Not `values[a] = values[b] = now`: the second entry may move the first.
  void counterpart(mlir::Value before, mlir::Value after, mlir::Value now) {
    values[before] = now;
    values[after] = now;
  }
  void addPair(mlir::Operation *before, mlir::Operation *after, mlir::Block &into);
  void addSingle(mlir::Operation *op, bool isAdded, mlir::Block &into);
  mlir::Operation *partnerOf(mlir::Operation *op) const { return partners.lookup(op); }
  bool canMergeRegions(mlir::Operation *before, mlir::Operation *after) const;
  /// `what` is "" where there is none.
  MixedChange difference(mlir::Operation *before, mlir::Operation *after, bool isWhole) const;
  /// Whether the change of `op` is taken: an op of the input, or one that was added.
  bool isTaken(mlir::Operation *op) const;

  irtools::Document before, after;
  By by;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> partners; ///< both ways
  llvm::DenseMap<mlir::Operation *, size_t> choices;             ///< positions in `all`
  std::vector<MixedChange> all;
  // Of the mixture that is being made.
  size_t taken = 0;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;
  llvm::DenseSet<mlir::Operation *> moved;                 ///< of the input, to another place in its block
  std::vector<std::pair<Pair, bool>> pairs;                ///< with whether they are whole
  std::vector<std::pair<mlir::Operation *, bool>> singles; ///< with effects; with whether they were added
  std::vector<mlir::Operation *> order;                    ///< of `pairs` and `singles`
};

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_MIXTURE_H
