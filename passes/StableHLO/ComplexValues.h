//===- ComplexValues.h - the parts of a function's complex values -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What legalize-stablehlo-types and mica-tensor-split-complex keep while they replace complex values by pairs: the
// parts of each value, and the ops and block arguments that are erased in the end.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_COMPLEXVALUES_H
#define MICA_PASSES_STABLEHLO_COMPLEXVALUES_H

#include "passes/StableHLO/ComplexFormulas.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"

namespace mica {

inline bool isComplex(mlir::Type type) { return llvm::isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(type)); }
inline bool isAnyComplex(mlir::TypeRange types) { return llvm::any_of(types, isComplex); }

class ComplexValues {
public:
  /// `value` itself where it is real, or has no parts because its op was refused.
  mlir::Value partOf(mlir::Value value, unsigned part) const {
    const auto it = parts.find(value);
    if (it == parts.end())
      return value;
    return part == 0 ? it->second.re : it->second.im;
  }

  /// The operands of `op`, with both parts in the place of each complex one.
  llvm::SmallVector<mlir::Value> flatOperands(mlir::Operation *op) const {
    llvm::SmallVector<mlir::Value> all;
    for (mlir::Value operand : op->getOperands()) {
      all.push_back(partOf(operand, 0));
      if (isComplex(operand.getType()))
        all.push_back(partOf(operand, 1));
    }
    return all;
  }

  /// Replaces the only result of `op`; `im` is not read where it is real.
  void replace(mlir::Operation *op, ComplexParts result) {
    mlir::Value from = op->getResult(0);
    if (isComplex(from.getType()))
      parts[from] = result;
    else
      from.replaceAllUsesWith(result.re);
    replaced.push_back(op);
  }

  /// Replaces `op` by `made`, which has both parts in the place of each complex result.
  void replaceByFlat(mlir::Operation *op, mlir::Operation *made) {
    unsigned next = 0;
    for (mlir::Value result : op->getResults()) {
      if (isComplex(result.getType())) {
        parts[result] = {made->getResult(next), made->getResult(next + 1)};
        next += 2;
      } else {
        result.replaceAllUsesWith(made->getResult(next++));
      }
    }
    replaced.push_back(op);
  }

  /// Erases what was replaced. Ops in regions must have been replaced before the op that they belong to.
  void eraseReplaced() {
    for (mlir::Operation *op : replaced) {
      op->dropAllUses();
      op->erase();
    }
    for (mlir::BlockArgument argument : llvm::reverse(arguments)) {
      argument.dropAllUses();
      argument.getOwner()->eraseArgument(argument.getArgNumber());
    }
  }

  llvm::DenseMap<mlir::Value, ComplexParts> parts;
  llvm::SmallVector<mlir::Operation *> replaced;
  llvm::SmallVector<mlir::BlockArgument> arguments;
};

} // namespace mica

#endif // MICA_PASSES_STABLEHLO_COMPLEXVALUES_H
