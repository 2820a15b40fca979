//===- Detect.cpp - which files are ONNX models ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Import.h. Without protobuf too, so that a build without it can say what is missing.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Import/ONNX/Import.h"

bool mica::importer::looksLikeOnnx(llvm::StringRef file, llvm::StringRef bytes) {
  if (file.ends_with(".onnx"))
    return true;
  // Field 1 (ir_version) as a varint of one byte, then field 2 (producer_name) or one of the fields of messages.
  return file == "-" && bytes.size() > 4 && bytes[0] == 0x08 && bytes[1] > 0 && bytes[1] < 32 &&
         (bytes[2] == 0x12 || bytes[2] == 0x3a || bytes[2] == 0x42);
}
