//===- Originals.cpp - the compiler's versions of editable files --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The first line is "mica-originals 1 FORM SIZE": the compression of the rest (zstd, zlib, none), and its uncompressed
// size. The rest is, for each file, a line "BYTES PATH" and the contents.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/Originals.h"

#include "mica/Artifact/Edits.h"
#include "mica/Support/Compress.h"
#include "mica/Support/Files.h"
#include "mica/Support/MappedFile.h"

#include "llvm/ADT/StringRef.h"

using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// The fastest level already reduces IR to a fifteenth of its size.
static constexpr llvm::StringLiteral kHead = "mica-originals 2\n";

Result<std::string> compiler::packOriginals(const fs::path &folder, const std::vector<std::string> &paths) {
  Compressor plain;
  for (const std::string &path : paths) {
    MICA_ASSIGN_OR_RETURN(const std::unique_ptr<MappedFile> file, MappedFile::open(folder / path));
    plain.add(std::to_string(file->size()) + " " + path + "\n");
    plain.add(file->contents());
  }
  return kHead.str() + plain.finish();
}

Result<std::map<std::string, std::string>> compiler::readOriginals(const fs::path &folder) {
  const fs::path file = folder / artifact::kOriginalsFile;
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  const Error damaged{ErrorCode::Damaged,
                      file.string() + " is damaged: the compiler's own files cannot be read from it",
                      "compile the model again"};
  if (!llvm::StringRef(text).starts_with(kHead))
    return damaged;
  const Result<std::string> plain = decompress(std::string_view(text).substr(kHead.size()), file.string());
  if (!plain)
    return damaged;
  std::map<std::string, std::string> contents;
  for (llvm::StringRef rest = *plain; !rest.empty();) {
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
