//===- IRFingerprint.cpp - whether a pass changed anything ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See IRFingerprint.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/IRFingerprint.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace {
class Fingerprint {
public:
  mica::compiler::IRFingerprint of(Operation *op) {
    visit(op);
    return {static_cast<uint64_t>(hash), ops};
  }

private:
  template <typename... Parts> void add(const Parts &...parts) { hash = llvm::hash_combine(hash, parts...); }
  /// A value or block gets its number where it is met first.
  unsigned number(const void *thing) { return numbers.try_emplace(thing, numbers.size()).first->second; }

  void visit(Operation *op) {
    ++ops;
    add(op->getName().getAsOpaquePointer(), op->getLoc().getAsOpaquePointer(),
        op->getDiscardableAttrDictionary().getAsOpaquePointer(), op->hashProperties(), op->getNumOperands(),
        op->getNumResults(), op->getNumSuccessors(), op->getNumRegions());
    for (Value operand : op->getOperands())
      add(number(operand.getAsOpaquePointer()));
    for (Block *successor : op->getSuccessors())
      add(number(successor));
    for (OpResult result : op->getResults())
      add(number(result.getAsOpaquePointer()), result.getType().getAsOpaquePointer());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        add(number(&block), block.getNumArguments());
        for (BlockArgument argument : block.getArguments())
          add(number(argument.getAsOpaquePointer()), argument.getType().getAsOpaquePointer(),
              argument.getLoc().getAsOpaquePointer());
        for (Operation &inner : block)
          visit(&inner);
        // Where the block ends.
        add(~0u);
      }
  }

  llvm::hash_code hash = 0;
  int64_t ops = 0;
  llvm::DenseMap<const void *, unsigned> numbers;
};
} // namespace

mica::compiler::IRFingerprint mica::compiler::fingerprintOf(Operation *op) { return Fingerprint().of(op); }
