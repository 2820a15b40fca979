//===- OnnxFuzzer.cpp - ONNX models -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Imports a model. It is refused with an error, by the importer or the verifier, or becomes a program that is the same
// after it was printed and parsed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/FuzzPrograms.h"

#include "mica/Import/ONNX/Import.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Programs programs;
  llvm::SourceMgr sources;
  const llvm::StringRef bytes = fuzz::view(data, size);
  auto model = importer::importOnnx("/nonexistent/model.onnx", bytes, programs.context, sources);
  if (!model) {
    fuzz::checkRefusal(model.error());
    return 0;
  }
  // The tools verify what was imported.
  if (failed(mlir::verify(**model))) {
    programs.checkRefused("a model whose program is not valid");
    return 0;
  }
  programs.checkProgram(**model);
  return 0;
}
