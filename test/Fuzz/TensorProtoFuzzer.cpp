//===- TensorProtoFuzzer.cpp - tensors of ONNX test data -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The first byte chooses the expected element type. What is read has as many bytes as its shape says.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Compare/TensorProto.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::optional<DType> expected;
  if (data[0] <= static_cast<uint8_t>(DType::Index))
    expected = static_cast<DType>(data[0]);
  Result<HostTensor> tensor = parseTensorProto(fuzz::view(data + 1, size - 1), "x.pb", expected);
  if (!tensor) {
    fuzz::checkRefusal(tensor.error());
    return 0;
  }
  fuzz::expect(tensor->numElements() * dtypeBytes(tensor->dtype) == static_cast<int64_t>(tensor->data.size()),
               "the elements fill the shape");
  return 0;
}
