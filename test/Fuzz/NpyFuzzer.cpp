//===- NpyFuzzer.cpp - .npy files -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The first byte chooses the expected type, so that descrs that stand for several types are all met.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Compare/Npy.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::optional<DType> expected;
  if (data[0] <= static_cast<uint8_t>(DType::Index))
    expected = static_cast<DType>(data[0]);
  Result<HostTensor> tensor = parseNpy(fuzz::view(data + 1, size - 1), "x.npy", expected);
  if (!tensor) {
    fuzz::checkRefusal(tensor.error());
    return 0;
  }
  const std::string again =
      npyHeader(*tensor) + std::string(reinterpret_cast<const char *>(tensor->data.data()), tensor->data.size());
  Result<HostTensor> second = parseNpy(again, "again.npy", tensor->dtype);
  fuzz::expect(second.isOk(), "what was read can be written and read");
  fuzz::expect(second->dtype == tensor->dtype && second->shape == tensor->shape && second->data == tensor->data,
               "and is the same");
  return 0;
}
