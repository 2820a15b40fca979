//===- Foreign.h - programs in files of other formats ---------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For tools that read MLIR and nothing else, such as MlirOptMain.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_FOREIGN_H
#define MICA_IMPORT_FOREIGN_H

#include "mica/Support/Status.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mica::importer {

/// The program of `input` as MLIR: itself if it is MLIR, the bytecode in a file of jax.export, and of an ONNX model the
/// import as bytecode, whose locations name nodes. `file` is its path as given. An error's notes are printed.
Result<std::unique_ptr<llvm::MemoryBuffer>> asMlir(std::unique_ptr<llvm::MemoryBuffer> input, const std::string &file,
                                                   const mlir::DialectRegistry &registry);

} // namespace mica::importer

#endif // MICA_IMPORT_FOREIGN_H
