//===- OpTable.h - hashes of the ops of a module ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Hashes are per block: a value from outside of the block only contributes its type, so that a change in one block does
// not affect nested ones. When corresponding outer values are known, `context` includes them. Hashes do not depend on
// SSA names, the order of attributes, the order of ops without effects, or the order of operands of commutative ops.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_OPTABLE_H
#define MICA_LIB_IRTOOLS_OPTABLE_H

#include "mica/IRTools/Document.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"

#include <map>

namespace mica::irtools {

/// Makes attributes of two parses in one context comparable: the second parse of a file renames its resource handles.
class AttributeNames {
public:
  AttributeNames();
  AttributeNames(const AttributeNames &) = delete;
  mlir::Attribute canonical(mlir::Attribute attr) { return replacer.replace(attr); }
  mlir::Type canonical(mlir::Type type) { return replacer.replace(type); }
  /// The inherent and discardable attributes of `op`, canonical.
  mlir::DictionaryAttr attributesOf(mlir::Operation *op);

private:
  mlir::AttrTypeReplacer replacer;
  std::map<std::pair<const void *, std::string>, mlir::Attribute> resources;
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> distinct;
};

/// The hashes and properties of one op.
struct OpEntry {
  mlir::Operation *op;
  uint64_t base = 0;    ///< name, attributes, types, and everything in its regions
  uint64_t up = 0;      ///< base, and its operands, transitively
  uint64_t down = 0;    ///< base, and its users, transitively
  uint64_t context = 0; ///< `up`; after hashInContext() also values from outside of the block
  uint64_t origin = 0;  ///< ids and source positions; 0 none
  /// `base` without the symbol's own name and, for a symbol table, those of the symbols in it; 0 if the op is not a
  /// symbol.
  uint64_t nameless = 0;
  bool isCommutative = false; ///< its operands may be swapped
  bool isPure = false;        ///< neither it nor any nested op has effects
  bool isValue = false;       ///< a constant: its results depend only on its attributes
};

class OpTable {
public:
  OpTable(const Document &document, AttributeNames &names);

  /// All ops below the root, in pre-order.
  llvm::ArrayRef<OpEntry> entries() const { return all; }
  const OpEntry &of(mlir::Operation *op) const { return all[index.lookup(op)]; }
  OpEntry &of(mlir::Operation *op) { return all[index.lookup(op)]; }
  bool holds(mlir::Operation *op) const { return index.count(op) != 0; }
  int64_t indexOf(mlir::Operation *op) const { return index.lookup(op); }
  /// Sets `context` of the ops in `block`; `token` identifies values from outside, 0 for those known by type only.
  void hashInContext(mlir::Block &block, llvm::function_ref<uint64_t(mlir::Value)> token);
  /// The hash of all ops in `block`.
  uint64_t hashOf(mlir::Block *block) const { return blockHashes.lookup(block); }

private:
  void number(mlir::Operation *op);
  uint64_t hashBlock(mlir::Block &block);
  void hashOp(mlir::Operation *op);
  uint64_t hashWithoutNames(mlir::Operation *op);
  void hashUses(mlir::Block &block);
  void findCaptures();

  AttributeNames &names;
  std::vector<OpEntry> all;
  llvm::DenseMap<mlir::Operation *, int64_t> index;
  llvm::DenseMap<mlir::Block *, uint64_t> blockHashes;
  /// Blocks whose ops use values from outside.
  llvm::DenseSet<mlir::Block *> opened;
  /// Uses in the regions of an op of values of the op's block.
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::OpOperand *>> captures;
};

/// Whether the operands of `op` may be swapped.
bool isCommutative(mlir::Operation *op);

/// The ancestor of `op` (or itself) in `block`; null if there is none.
mlir::Operation *ancestorIn(mlir::Block *block, mlir::Operation *op);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_OPTABLE_H
