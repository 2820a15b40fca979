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

/// How often each name is referred to in a program, found in one walk: SymbolTable::symbolKnownUseEmpty() walks the
/// program for each symbol it is asked about. References in nested symbol tables count for the name, whatever it means
/// there.
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
