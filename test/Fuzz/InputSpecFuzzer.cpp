//===- InputSpecFuzzer.cpp - the values of --input= -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Files are left out: their readers have fuzzers of their own.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Compare/InputSpec.h"
#include "mica/Compare/Print.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<InputSpec> spec = parseInputSpec(fuzz::view(data, size));
  if (!spec) {
    fuzz::checkRefusal(spec.error());
    return 0;
  }
  // A large literal is right but slow.
  int64_t elements = 1;
  for (int64_t dim : spec->shape)
    elements *= dim;
  if (spec->kind == InputSpec::Kind::File || elements > (1 << 16))
    return 0;
  const artifact::TensorSpec argument{"x", spec->dtype.value_or(DType::F32), spec->shape};
  Result<HostTensor> tensor = makeInput(*spec, argument, 0);
  if (!tensor) {
    fuzz::checkRefusal(tensor.error());
    return 0;
  }
  fuzz::expect(tensor->dtype == argument.dtype && tensor->shape == argument.shape, "the input has its type");
  formatTensor(*tensor);
  return 0;
}
