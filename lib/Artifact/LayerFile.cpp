//===- LayerFile.cpp - the text of a layer on disk --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/LayerFile.h"

#include "mica/Support/Compress.h"
#include "mica/Support/Files.h"

namespace fs = std::filesystem;

namespace mica::artifact {
namespace {

fs::path with(const fs::path &file, std::string_view suffix) {
  fs::path other = file;
  other += suffix;
  return other;
}

bool isThere(const fs::path &file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

/// "a.mlir" for "a.mlir.zst".
fs::path plainName(const fs::path &file) {
  return file.extension() == kPackedSuffix ? file.parent_path() / file.stem() : file;
}

} // namespace

std::vector<StoredFile> storeLayer(const std::string &name, std::string_view text, std::string_view map) {
  if (text.size() <= kPlainLayerBytes)
    return {{name, std::string(text)}, {name + std::string(kLineMapSuffix), std::string(map)}};
  return {{name + std::string(kPackedSuffix), compress(text) + skippableFrame(compress(map))}};
}

std::vector<std::string> layerFiles(const std::string &name) {
  return {name, name + std::string(kLineMapSuffix), name + std::string(kPackedSuffix)};
}

bool textExists(const fs::path &file) { return isThere(file) || isThere(with(file, kPackedSuffix)); }

Result<std::string> readText(const fs::path &file) {
  const fs::path packed = file.extension() == kPackedSuffix ? file : with(file, kPackedSuffix);
  if (file != packed && (isThere(file) || !isThere(packed)))
    return readFile(file);
  MICA_ASSIGN_OR_RETURN(const std::string data, readFile(packed));
  return decompress(data, packed.string());
}

Result<StoredLineMap> readLineMap(const fs::path &file) {
  const fs::path plain = plainName(file), map = with(plain, kLineMapSuffix), packed = with(plain, kPackedSuffix);
  StoredLineMap result;
  if (isThere(map) || !isThere(packed)) {
    MICA_ASSIGN_OR_RETURN(result.json, readFile(map));
    return result;
  }
  MICA_ASSIGN_OR_RETURN(const std::string data, readFile(packed));
  MICA_ASSIGN_OR_RETURN(const std::string_view frame, findSkippable(data, packed.string()));
  if (frame.empty())
    return Error{ErrorCode::NotFound, packed.string() + " has no line map", ""};
  MICA_ASSIGN_OR_RETURN(result.json, decompress(frame, packed.string()));
  if (file != packed && isThere(plain)) {
    MICA_ASSIGN_OR_RETURN(result.original, decompress(data, packed.string()));
  }
  return result;
}

} // namespace mica::artifact
