//===- Unavailable.cpp - a build without libonnx --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Import.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Import/ONNX/Import.h"

using namespace mica;

Result<mlir::OwningOpRef<mlir::ModuleOp>> importer::importOnnx(const std::string &file, llvm::StringRef,
                                                               mlir::MLIRContext &, llvm::SourceMgr &) {
  return Error{ErrorCode::Unsupported, file + ": this build reads no ONNX models: it was built without libonnx",
               "install libonnx-dev and libprotobuf-dev (tools/scripts/bootstrap.sh onnx) and build Mica again"};
}
