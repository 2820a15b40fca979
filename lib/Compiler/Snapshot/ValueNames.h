//===- ValueNames.h - names of values and blocks ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Assigns each value and block the name that MLIR's printer gives it: the name suggested by the enclosing op, made
// unique, or a number.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_VALUENAMES_H
#define MICA_LIB_COMPILER_SNAPSHOT_VALUENAMES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/raw_ostream.h"

namespace mica::compiler {

class ValueNames {
public:
  /// Assigns names inside `op`, and drops all others.
  void start(mlir::Operation *op);

  /// "%3", or "%3#1" of a group of several results.
  void print(llvm::raw_ostream &os, mlir::Value value) const;
  /// The results in front of the " = " of an op that has some.
  void printResults(llvm::raw_ostream &os, mlir::Operation *op) const;
  /// "^bb1".
  llvm::StringRef of(mlir::Block *block) const { return blocks.lookup(block).name; }
  /// The position of a block in its region.
  int positionOf(mlir::Block *block) const { return blocks.lookup(block).position; }
  /// The arguments of `region` get the names of `names`, except where these are null.
  void shadow(mlir::Region &region, mlir::ValueRange names);
  /// The interface by which `op` suggests names; null: none.
  mlir::OpAsmOpInterface interfaceOf(mlir::Operation *op) const;

private:
  struct Name {
    llvm::StringRef text; ///< without %; empty: `number`
    unsigned number = 0;  ///< of the value
    int inGroup = -1;     ///< of the result in its group; -1: alone in it
  };
  struct BlockName {
    llvm::StringRef name = "INVALIDBLOCK";
    int position = -1;
  };
  void nameRegion(mlir::Region &region);
  void nameBlock(mlir::Block &block);
  void nameResults(mlir::Operation &op);
  Name nameFor(llvm::StringRef wanted);
  llvm::StringRef makeUnique(llvm::StringRef wanted);

  llvm::DenseMap<mlir::Value, Name> values;
  llvm::DenseMap<mlir::Block *, BlockName> blocks;
  llvm::DenseSet<llvm::StringRef> used;       ///< in the region and those around it
  llvm::SmallVector<llvm::StringRef> inOrder; ///< the same, in order
  llvm::BumpPtrAllocator memory;
  unsigned nextValue = 0, nextArgument = 0, nextConflict = 0;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_VALUENAMES_H
