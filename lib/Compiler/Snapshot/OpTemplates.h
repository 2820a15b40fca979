//===- OpTemplates.h - text templates of ops ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Most ops of a program differ from others only in their values: they have the same head (SnapshotArchiveReader.h) and
// operand types. The text of one is cached as a template, with holes for values and blocks.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_OPTEMPLATES_H
#define MICA_LIB_COMPILER_SNAPSHOT_OPTEMPLATES_H

#include "lib/Compiler/Snapshot/AttributeTexts.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// An op that was built from a head.
struct BuiltOp {
  mlir::Operation *op;
  unsigned head;
};

/// The text of ops of one head and one list of operand types, after their results.
struct OpTemplate {
  enum Kind : unsigned { Operand, Successor };
  struct Hole {
    size_t at; ///< in the text
    Kind kind;
    unsigned index;
  };
  OpTemplate() = default;
  OpTemplate(mlir::Operation *op, llvm::StringRef dialect)
      : operandTypes(op->operand_type_begin(), op->operand_type_end()), dialect(dialect) {}

  llvm::SmallVector<mlir::Type, 4> operandTypes;
  llvm::StringRef dialect; ///< whose prefix is omitted there
  std::string text;
  llvm::SmallVector<Hole, 4> holes;
  llvm::SmallVector<SymbolText *, 0> visits; ///< that assign aliases, in order
};

class OpTemplates {
public:
  /// Null if unknown.
  const OpTemplate *find(unsigned head, mlir::Operation *op, llvm::StringRef dialect) const {
    if (head >= byHead.size())
      return nullptr;
    for (const OpTemplate &known : byHead[head])
      if (known.dialect == dialect && llvm::equal(known.operandTypes, op->getOperandTypes()))
        return &known;
    return nullptr;
  }
  void add(unsigned head, OpTemplate &&known) {
    if (head >= byHead.size())
      byHead.resize(head + 1);
    byHead[head].push_back(std::move(known));
  }

  /// Whether a template can be made from `op`: it prints nothing outside of itself, and its operands are distinct.
  static bool canLearn(mlir::Operation *op);

private:
  std::vector<llvm::SmallVector<OpTemplate, 1>> byHead;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_OPTEMPLATES_H
