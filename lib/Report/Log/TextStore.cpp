//===- TextStore.cpp - texts of a report, each once ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Packs of about a megabyte are deflated on another thread while the log is read on.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/TextStore.h"

#include "mica/Support/Base64.h"
#include "mica/Support/Files.h"
#include "mica/Trace/JsonScan.h"

#include <zlib.h>

namespace fs = std::filesystem;

namespace mica::report {
namespace {

constexpr size_t kPackBytes = size_t(1) << 20;
constexpr size_t kPacksAhead = 4;
constexpr int kLevel = 4;

} // namespace

std::string packText(std::string_view bytes, int level) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef *>(out.data()), &size, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size(),
            level);
  out.resize(size);
  return encodeBase64(out);
}

std::string packScript(std::string_view name, std::string_view packed) {
  return "micaData(\"" + std::string(name) + "\",\"" + std::string(packed) + "\")\n";
}

Result<int64_t> TextStore::addText(std::string_view text, const trace::Digest &digest) {
  const auto [found, isNew] = texts.emplace(digest, count);
  if (!isNew)
    return found->second;
  if (open.empty())
    firsts.push_back(count);
  open += (open.empty() ? "[" : ",") + trace::quoteJson(text);
  if (open.size() >= kPackBytes)
    MICA_RETURN_IF_ERROR(flush());
  return count++;
}

Status TextStore::flush() {
  if (open.empty())
    return Status::ok();
  auto work = [text = std::move(open) + "]"] { return packText(text, kLevel); };
  open.clear();
  packing.push_back(std::async(std::launch::async, std::move(work)));
  return packing.size() > kPacksAhead ? takeOldest() : Status::ok();
}

Status TextStore::takeOldest() {
  std::string text = packing.front().get();
  packing.pop_front();
  const std::string name = "pack" + std::to_string(written++);
  if (inMemory) {
    packed.push_back(std::move(text));
    return Status::ok();
  }
  return writeFile(folder / "data" / (name + ".js"), packScript(name, text));
}

Status TextStore::finish() {
  MICA_RETURN_IF_ERROR(flush());
  while (!packing.empty())
    MICA_RETURN_IF_ERROR(takeOldest());
  return Status::ok();
}

Result<std::string> TextStore::addFile(const std::string &url, std::string_view text, const trace::Digest &digest) {
  if (!files)
    return std::string();
  const fs::path file = folder / url;
  if (folders.insert(file.parent_path().string()).second)
    MICA_RETURN_IF_ERROR(makeFolder(file.parent_path()));
  const auto [found, isNew] = paths.emplace(digest, url);
  if (!isNew) {
    std::error_code error;
    fs::create_hard_link(folder / found->second, file, error);
    return error ? found->second : url;
  }
  MICA_RETURN_IF_ERROR(writeFile(file, text));
  return url;
}

} // namespace mica::report
