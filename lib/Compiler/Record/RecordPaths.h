//===- RecordPaths.h - paths of ops in a record -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A record identifies the op of a pass by its path from the program: symbols joined by dots. An op without a symbol is
// "#" and its index in its block.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_RECORDPATHS_H
#define MICA_LIB_COMPILER_RECORD_RECORDPATHS_H

#include "mlir/IR/Operation.h"

#include <string>

namespace mica::compiler {

/// The path component of `op`: unique in its block; dots are escaped by a backslash.
std::string pathPart(mlir::Operation *op);

/// The path from `root` to `op`; "" if they are the same.
std::string pathOf(mlir::Operation *root, mlir::Operation *op);

/// The op at `path` from `root`; null if there is none.
mlir::Operation *opAt(mlir::Operation *root, llvm::StringRef path);

/// A path for messages and file names: without escapes, and with equal adjacent symbols, such as those of a kernel's
/// module and function, merged. Two ops may share it.
std::string shortPathOf(mlir::Operation *root, mlir::Operation *op);

/// The name of a snapshot without extension: "0021_cse@matmul_relu". Valid in every file system.
std::string snapshotStem(int position, llvm::StringRef pass, llvm::StringRef shortPath);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_RECORDPATHS_H
