//===- OpTable.h - the ops of a module with hashes of what is above and below them ------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Hashes are per block: a value from outside the block counts with its type only, so a change in one block does not
// spread to those inside it. Once it is known which outer values correspond, `context` counts them too. They do not
// depend on SSA names, on the order of attributes, on the order of ops that have no effects, or on that of the operands
// of commutative ops.
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

/// Attributes of two parses in one context made comparable: the second parse of a file renames its resource handles.
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

/// What is known of one op.
struct OpEntry {
  mlir::Operation *op;
  uint64_t base = 0;    ///< name, attributes, types, everything in its regions
  uint64_t up = 0;      ///< base, and all it is computed from
  uint64_t down = 0;    ///< base, and all that is made of it
  uint64_t context = 0; ///< `up`; after hashInContext() with the values from outside the block told apart
  uint64_t origin = 0;  ///< ids and source positions; 0 none
  /// `base` without its own symbol's name and, in a symbol table, those of the symbols in it; 0 for an op that is no
  /// symbol.
  uint64_t nameless = 0;
  bool isCommutative = false; ///< its operands may change places
  bool isPure = false;        ///< has no effects, nor has anything inside
  bool isValue =
      false; ///< its results depend on nothing but its attributes: a constant, which is the same wherever it stands
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
  /// Sets `context` of the ops in `block`; `token` tells its values from outside apart, 0 for those that are known by
  /// type only.
  void hashInContext(mlir::Block &block, llvm::function_ref<uint64_t(mlir::Value)> token);
  /// Everything in `block`.
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
  /// Blocks whose ops take values from outside.
  llvm::DenseSet<mlir::Block *> opened;
  /// Uses inside the regions of an op of values of the block it stands in.
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::OpOperand *>> captures;
};

/// Whether the operands of `op` may change places.
bool isCommutative(mlir::Operation *op);

/// The ancestor of `op` (or itself) that stands in `block`; null if there is none.
mlir::Operation *ancestorIn(mlir::Block *block, mlir::Operation *op);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_OPTABLE_H
