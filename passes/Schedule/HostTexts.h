//===- HostTexts.h - string constants of host functions ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The strings that host functions pass to the runtime: messages, and the operations that allocate memory.
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

/// String constants of a program, each a global. Their names are kept here, because a symbol lookup takes time linear
/// in the number of symbols.
class HostTexts {
public:
  explicit HostTexts(mlir::ModuleOp program);

  /// The address of a string with the id of `op` and the element type of `type`: "3f2a91c07b1e f32", for messages about
  /// sizes. Equal strings share one global.
  mlir::Value sized(mlir::OpBuilder &builder, mlir::Operation *op, mlir::MemRefType type);

  /// The address of `text`.
  mlir::Value message(mlir::OpBuilder &builder, mlir::Location loc, std::string text);

  /// Creates the globals of all requested strings, the latest first in the program.
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
