//===- PackedSnapshotFuzzer.cpp - packed snapshots and their line maps --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The bytes are a packed file, and a text to be packed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Support/Compress.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes = fuzz::view(data, size);
  if (Result<std::string> text = decompress(bytes, "0001_cse.mlir.zst"); !text)
    fuzz::checkRefusal(text.error());
  if (Result<std::string_view> map = findSkippable(bytes, "0001_cse.mlir.zst"); !map)
    fuzz::checkRefusal(map.error());
  else
    fuzz::expect(map->empty() || (map->data() >= bytes.data() && map->data() + map->size() <= bytes.data() + size),
                 "a frame lies in the file");
  const std::string packed = compress(bytes) + skippableFrame(bytes);
  Result<std::string> text = decompress(packed, "x");
  Result<std::string_view> map = findSkippable(packed, "x");
  fuzz::expect(text && *text == bytes && map && *map == bytes, "what is packed comes back");
  return 0;
}
