//===- TensorProto.h - tensors of ONNX test data ---------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A .pb file beside an ONNX model (test_data_set_0/input_0.pb) is one TensorProto message
// (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) in protobuf's wire format. Read here without protobuf, as
// artifacts run on machines that have none.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_TENSORPROTO_H
#define MICA_COMPARE_TENSORPROTO_H

#include "mica/Compare/TensorArchive.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace mica {

/// The tensor in `file`. Errors name the file: NotFound, Io; Damaged (cut off, or sizes and elements that disagree);
/// Unsupported (text, sequences, elements in another file). Elements of types that programs carry in others are as
/// these: int4, uint4, int2 and uint2 are i4, float8e4m3fnuz, float8e5m2fnuz and float4e2m1 are f32. Integers of the
/// width of `expected` are returned as `expected`, signed or unsigned, and so is a ui16 where bf16 is expected.
Result<HostTensor> readTensorProto(const std::filesystem::path &file, std::optional<DType> expected = {});

/// The same for contents in memory; `file` is used in messages.
Result<HostTensor> parseTensorProto(std::string_view contents, std::string_view file,
                                    std::optional<DType> expected = {});

/// The tensor in a file of one tensor: .pb as above, any other name as readNpy().
Result<HostTensor> readTensorFile(const std::filesystem::path &file, std::optional<DType> expected = {},
                                  const TypeCheck &check = {});

} // namespace mica

#endif // MICA_COMPARE_TENSORPROTO_H
