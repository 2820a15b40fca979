//===- Model.h - the messages of an ONNX file -----------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// onnx.proto as libonnx-dev compiles it (ModelProto, GraphProto, NodeProto, TensorProto, ...), and the element types of
// later versions of the format, which that version does not name.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_MODEL_H
#define MICA_IMPORT_ONNX_MODEL_H

#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif
#include <onnx/onnx_pb.h>

namespace mica::importer {

/// TensorProto.DataType of ONNX 1.14 to 1.20 (https://onnx.ai/onnx/api/classes.html#tensorproto).
inline constexpr int32_t kFloat8E4M3FN = 17, kFloat8E4M3FNUZ = 18, kFloat8E5M2 = 19, kFloat8E5M2FNUZ = 20, kUint4 = 21,
                         kInt4 = 22, kFloat4E2M1 = 23, kFloat8E8M0 = 24, kUint2 = 25, kInt2 = 26;

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_MODEL_H
