//===- SymbolUses.h - which symbols of a program are used ----------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_SYMBOLUSES_H
#define MICA_DIALECTS_MICA_IR_SYMBOLUSES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mica {

/// Counts the references to each name in a program by one walk: SymbolTable::symbolKnownUseEmpty() would walk the
/// program for each symbol. References in nested symbol tables count for the name, even if they refer to another
/// symbol.
class SymbolUses {
public:
  explicit SymbolUses(mlir::Operation *root) { count(root, 1); }

  bool isUsed(mlir::StringAttr name) const { return uses.lookup(name) > 0; }
  bool isUsed(mlir::Operation *symbol) const;
  /// Erases `op`, and the uses in it.
  void erase(mlir::Operation *op);

private:
  void count(mlir::Operation *root, int64_t each);

  llvm::DenseMap<mlir::StringAttr, int64_t> uses;
};

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_SYMBOLUSES_H
