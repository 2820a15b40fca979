//===- TextStore.h - texts of a report, each once --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: products become files under stable names, equal ones by hard link, and texts for the pages go into packs
// that a page loads when it needs them: deflated, and as scripts, because a page opened from a disk may load nothing
// else.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_TEXTSTORE_H
#define MICA_LIB_REPORT_LOG_TEXTSTORE_H

#include "mica/Support/Status.h"
#include "mica/Trace/Md5.h"

#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <future>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace mica::report {

struct DigestHash {
  size_t operator()(const trace::Digest &digest) const {
    size_t hash;
    std::memcpy(&hash, digest.data(), sizeof hash);
    return hash;
  }
};

/// `bytes`, deflated with a zlib header, in base64.
std::string packText(std::string_view bytes, int level);

/// Writes the script that gives pages the data `name` of the report.
std::string packScript(std::string_view name, std::string_view packed);

class TextStore {
public:
  /// `folder` exists. `files`: whether products become files.
  TextStore(std::filesystem::path folder, bool files) : folder(std::move(folder)), files(files) {}

  /// Puts a text into the packs, once; its number. `digest` is its MD5.
  Result<int64_t> addText(std::string_view text, const trace::Digest &digest);

  /// Makes `url`, a path below the report's folder made of safe names only, hold the text. Gives the path that does:
  /// another one where the file system has no hard links.
  Result<std::string> addFile(const std::string &url, std::string_view text, const trace::Digest &digest);

  /// Writes what is left. No texts may be added after it.
  Status finish();

  /// The first text of each pack.
  const std::vector<int64_t> &packs() const { return firsts; }
  /// The packs themselves instead of files, for a report in one file.
  bool inMemory = false;
  std::vector<std::string> packed;

private:
  Status flush();
  Status takeOldest();

  std::filesystem::path folder;
  bool files;
  std::unordered_map<trace::Digest, int64_t, DigestHash> texts;
  std::unordered_map<trace::Digest, std::string, DigestHash> paths;
  std::unordered_set<std::string> folders;
  std::string open; ///< the JSON list of the pack at hand, without its end
  std::vector<int64_t> firsts;
  int64_t count = 0;
  std::deque<std::future<std::string>> packing;
  size_t written = 0;
};

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_TEXTSTORE_H
