//===- SpirvModuleFuzzer.cpp - kernel.spv -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What the OpenCL back end reads of a module; its code is the driver's to read.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpenCL/SpirvModule.h"
#include "test/Fuzz/Fuzz.h"

using namespace mica;
using runtime::opencl::SpirvModule;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Result<SpirvModule> module = SpirvModule::parse(std::string(fuzz::view(data, size)), "kernel.spv");
  if (!module) {
    fuzz::checkRefusal(module.error());
    return 0;
  }
  const std::vector<uint32_t> words = module->withPlainZeros();
  const std::string plain(reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint32_t));
  const Result<SpirvModule> second = SpirvModule::parse(plain, "again.spv");
  fuzz::expect(second.isOk(), "a module with plain zeros can be read");
  fuzz::expect(second->withPlainZeros() == words, "and has no other zeros");
  fuzz::expect(second->capabilities == module->capabilities && second->entries.size() == module->entries.size(),
               "and says the same");
  return 0;
}
