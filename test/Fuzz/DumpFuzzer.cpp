//===- DumpFuzzer.cpp - the index of a dump ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// An index is what another process left, maybe on another machine.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Dump/Dump.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<dump::Dump> dump = dump::Dump::parse(fuzz::view(data, size), "dump.jsonl");
  if (!dump) {
    fuzz::checkRefusal(dump.error());
    return 0;
  }
  for (const dump::Tensor &tensor : dump->tensors()) {
    fuzz::expect(tensor.launch < dump->launches().size(), "a tensor is of a launch");
    fuzz::expect(tensor.binding < dump->siteOf(tensor).bindings.size(), "a tensor is a buffer of its kernel");
    fuzz::expect(tensor.bytes >= 0 && tensor.elements() * dtypeBytes(tensor.dtype) == tensor.bytes, "a size is one");
    fuzz::expect(tensor.statistics.finite() >= 0, "there are no more NaN than elements");
    dump->opOf(tensor);
    fuzz::expect(!dump->payload(tensor), "an index alone has no elements");
  }
  return 0;
}
