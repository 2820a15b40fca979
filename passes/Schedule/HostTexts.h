//===- HostTexts.h - constant texts of host functions -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What host functions name to the runtime: messages, and the operations that ask for memory.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_HOSTTEXTS_H
#define MICA_PASSES_SCHEDULE_HOSTTEXTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace mica {

/// Constant texts of a program, each a global. Names are kept here: looking a symbol up in the program takes time
/// proportional to all of its symbols.
class HostTexts {
public:
  explicit HostTexts(mlir::ModuleOp program);

  /// The address of the text of `op`, by its id, and the element type of `type`: "3f2a91c07b1e f32", for messages about
  /// sizes. Same texts share one global.
  mlir::Value sized(mlir::OpBuilder &builder, mlir::Operation *op, mlir::MemRefType type);

  /// The address of `text`.
  mlir::Value message(mlir::OpBuilder &builder, mlir::Location loc, std::string text);

  /// Makes the globals of all texts asked for, the latest first in the program.
  void define();

private:
  struct Text {
    mlir::Location loc;
    std::string name, text;
  };

  mlir::ModuleOp program;
  llvm::StringSet<> names; ///< of all symbols
  std::vector<Text> made;
  unsigned next = 0; ///< number of the next message
};

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_HOSTTEXTS_H
