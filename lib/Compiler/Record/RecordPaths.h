//===- RecordPaths.h - how a record names ops ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A record names the ops that passes run on by the way to them from the program: the symbols, joined by dots. An op
// without a symbol is "#" and its place in its block.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_RECORDPATHS_H
#define MICA_LIB_COMPILER_RECORD_RECORDPATHS_H

#include "mlir/IR/Operation.h"

#include <string>

namespace mica::compiler {

/// What stands for `op` in a path: unique in its block, with no dot that is not behind a backslash.
std::string pathPart(mlir::Operation *op);

/// The path from `root` to `op`; "" if they are the same.
std::string pathOf(mlir::Operation *root, mlir::Operation *op);

/// The op that `path` leads to from `root`; null if there is none.
mlir::Operation *opAt(mlir::Operation *root, llvm::StringRef path);

/// A path for people and names of files: nothing is escaped, and equal symbols in a row, such as those of a kernel's
/// module and its function, stand once. Two ops may share it.
std::string shortPathOf(mlir::Operation *root, mlir::Operation *op);

/// The name of a snapshot without its ending: "0021_cse@matmul_relu". Fit for every file system.
std::string snapshotStem(int position, llvm::StringRef pass, llvm::StringRef shortPath);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_RECORDPATHS_H
