//===- Import.h - ONNX models as programs ---------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads a model.onnx. A build without libonnx-dev has the same functions; they say which package is missing.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_IMPORT_H
#define MICA_IMPORT_ONNX_IMPORT_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

namespace mica::importer {

/// Whether `bytes` are to be read as an ONNX model: by the name of the file, or, of a standard input, by the first
/// field.
bool looksLikeOnnx(llvm::StringRef file, llvm::StringRef bytes);

/// The model in `bytes` as a module with one function, not verified. `file` is its path as given; external data lie in
/// its folder. A text of the model with a line per node is added to `sources` under the name of the file, and the
/// locations point into it. What cannot be imported is reported at its node; the error says in one line what it comes
/// to.
Result<mlir::OwningOpRef<mlir::ModuleOp>> importOnnx(const std::string &file, llvm::StringRef bytes,
                                                     mlir::MLIRContext &context, llvm::SourceMgr &sources);

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_IMPORT_H
