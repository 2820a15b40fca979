//===- DumpFolderFuzzer.cpp - both files of a dump ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The input is an index, a byte 0, and dump.bin. What the reader takes lies inside of dump.bin, and can be read whole,
// hashed and compared with what the index says.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Dump/Dump.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <fstream>

using namespace mica;

namespace {

void write(const std::filesystem::path &file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc).write(bytes.data(), std::streamsize(bytes.size()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Result<ScratchFolder> folder = ScratchFolder::create("mica-fuzz-dump");
  fuzz::expect(folder.isOk(), "there is a folder to write to");
  const std::string_view input = fuzz::view(data, size);
  const size_t end = std::min(input.find('\0'), input.size());
  const std::string_view payload = input.substr(std::min(end + 1, input.size()));
  write(folder->path() / dump::kIndexFile, input.substr(0, end));
  write(folder->path() / dump::kPayloadFile, payload);
  const Result<dump::Dump> dump = dump::Dump::open(folder->path());
  if (!dump) {
    fuzz::checkRefusal(dump.error());
    return 0;
  }
  int64_t read = 0;
  for (const dump::Tensor &tensor : dump->tensors()) {
    const Result<std::span<const uint8_t>> bytes = dump->payload(tensor);
    if (!bytes) {
      fuzz::checkRefusal(bytes.error());
      continue;
    }
    fuzz::expect(int64_t(bytes->size()) == tensor.bytes && tensor.offset >= dump::kPayloadBegin &&
                     uint64_t(tensor.offset) + bytes->size() <= payload.size(),
                 "elements lie in dump.bin");
    // Many tensors may share the same elements.
    if ((read += tensor.bytes) > (1 << 20))
      break;
    const Result<HostTensor> copy = dump->read(tensor);
    fuzz::expect(copy.isOk() && std::equal(copy->data.begin(), copy->data.end(), bytes->begin(), bytes->end()),
                 "a copy has the same bytes");
    const Result<std::string> hash = dump->hashOfElements(tensor, 0);
    const Result<bool> verified = dump->verify(tensor);
    fuzz::expect(hash.isOk() && verified.isOk(), "elements that are there can be hashed");
    fuzz::expect(tensor.sampledBytes > 0 || *verified == (*hash == tensor.hash), "verified is what has the hash");
  }
  return 0;
}
