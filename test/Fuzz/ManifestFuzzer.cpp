//===- ManifestFuzzer.cpp - manifest.json -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What the reader takes is printed and read again.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Artifact/Manifest.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<artifact::Manifest> manifest = artifact::parseManifest(fuzz::view(data, size), "manifest.json");
  if (!manifest) {
    fuzz::checkRefusal(manifest.error());
    return 0;
  }
  const std::string text = artifact::printManifest(*manifest);
  Result<artifact::Manifest> second = artifact::parseManifest(text, "again.json");
  fuzz::expect(second.isOk(), "a printed manifest can be read");
  fuzz::expect(artifact::printManifest(*second) == text, "and prints the same");
  for (const artifact::KernelRecord &kernel : manifest->kernels)
    fuzz::expect(!artifact::printLaunch(kernel).empty(), "a kernel has a launch record");
  return 0;
}
