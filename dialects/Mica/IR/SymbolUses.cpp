//===- SymbolUses.cpp - counting symbol uses ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SymbolUses.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/SymbolUses.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mica;

bool SymbolUses::isUsed(Operation *symbol) const {
  return isUsed(symbol->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()));
}

void SymbolUses::count(Operation *root, int64_t each) {
  root->walk([&](Operation *op) {
    op->getAttrDictionary().walk<WalkOrder::PreOrder>([&](SymbolRefAttr name) {
      uses[name.getRootReference()] += each;
      for (FlatSymbolRefAttr nested : name.getNestedReferences())
        uses[nested.getAttr()] += each;
      // The nested references are counted.
      return WalkResult::skip();
    });
  });
}

void SymbolUses::erase(Operation *op) {
  count(op, -1);
  op->erase();
}
