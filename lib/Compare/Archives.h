//===- Archives.h - archive formats -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the readers and writers behind TensorArchive.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPARE_ARCHIVES_H
#define MICA_LIB_COMPARE_ARCHIVES_H

#include "mica/Compare/TensorArchive.h"

namespace mica {

using ArchiveResult = Result<std::shared_ptr<const TensorArchive>>;

/// `owner` keeps `contents` alive.
ArchiveResult openNpz(std::string_view contents, std::string file, std::shared_ptr<const void> owner);
ArchiveResult openSafetensors(std::string_view contents, std::string file, std::shared_ptr<const void> owner);

/// A file as pieces to be written in order; `texts` owns those that are not tensors, in a deque because appending to it
/// does not move elements.
class FilePieces {
public:
  void addText(std::string text);
  void addBytes(std::string_view bytes) {
    pieces.push_back(bytes);
    total += bytes.size();
  }
  uint64_t size() const { return total; }
  std::span<const std::string_view> all() const { return pieces; }

private:
  std::vector<std::unique_ptr<std::string>> texts;
  std::vector<std::string_view> pieces;
  uint64_t total = 0;
};

FilePieces npzPieces(std::span<const NamedTensor> tensors);
Result<FilePieces> safetensorsPieces(std::span<const NamedTensor> tensors);

inline std::string_view bytesOf(const HostTensor &tensor) {
  return {reinterpret_cast<const char *>(tensor.data.data()), tensor.data.size()};
}

} // namespace mica

#endif // MICA_LIB_COMPARE_ARCHIVES_H
