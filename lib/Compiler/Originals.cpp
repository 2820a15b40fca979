//===- Originals.cpp - what the compiler wrote, for files that are edited by hand -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The first line is "mica-originals 1 FORM SIZE": how the rest is compressed (zstd, zlib, none), and its size before. That is,
// for each file, a line "BYTES PATH" and the contents.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Originals.h"

#include "mica/Artifact/Edits.h"
#include "mica/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// The fastest level: texts of IR come to a fifteenth even so.
static constexpr int kZstdLevel = 1;

Result<std::string> compiler::packOriginals(const fs::path &folder, const std::vector<std::string> &paths) {
  std::string plain;
  for (const std::string &path : paths) {
    MICA_ASSIGN_OR_RETURN(std::string contents, readFile(folder / path));
    plain += std::to_string(contents.size()) + " " + path + "\n" + contents;
  }
  llvm::SmallVector<uint8_t, 0> bytes;
  const char *form = "none";
  if (llvm::compression::zstd::isAvailable()) {
    llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(plain), bytes, kZstdLevel);
    form = "zstd";
  } else if (llvm::compression::zlib::isAvailable()) {
    llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(plain), bytes,
                                      llvm::compression::zlib::BestSpeedCompression);
    form = "zlib";
  }
  std::string text = std::string("mica-originals 1 ") + form + " " + std::to_string(plain.size()) + "\n";
  return text + (bytes.empty() ? plain : llvm::toStringRef(bytes).str());
}

Result<std::map<std::string, std::string>> compiler::readOriginals(const fs::path &folder) {
  const fs::path file = folder / artifact::kOriginalsFile;
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  const Error damaged{ErrorCode::Damaged,
                      file.string() + " is damaged: the compiler's own files cannot be read from it",
                      "compile the model again"};
  auto [head, packed] = llvm::StringRef(text).split('\n');
  llvm::SmallVector<llvm::StringRef, 4> words;
  head.split(words, ' ');
  uint64_t size = 0;
  if (words.size() != 4 || words[0] != "mica-originals" || words[1] != "1" || words[3].getAsInteger(10, size))
    return damaged;
  llvm::SmallVector<uint8_t, 0> bytes;
  llvm::Error failure = llvm::Error::success();
  if (words[2] == "zstd" && llvm::compression::zstd::isAvailable())
    failure = llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(packed), bytes, size);
  else if (words[2] == "zlib" && llvm::compression::zlib::isAvailable())
    failure = llvm::compression::zlib::decompress(llvm::arrayRefFromStringRef(packed), bytes, size);
  else if (words[2] != "none")
    return damaged;
  if (failure) {
    llvm::consumeError(std::move(failure));
    return damaged;
  }
  std::map<std::string, std::string> contents;
  llvm::StringRef rest = words[2] == "none" ? packed : llvm::toStringRef(bytes);
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    auto [count, path] = line.split(' ');
    uint64_t length = 0;
    if (count.getAsInteger(10, length) || length > after.size())
      return damaged;
    contents[path.str()] = after.take_front(length).str();
    rest = after.drop_front(length);
  }
  return contents;
}
