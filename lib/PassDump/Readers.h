//===- Readers.h - one reader per form of dump -------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private: what fills a Dump.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_PASSDUMP_READERS_H
#define MICA_LIB_PASSDUMP_READERS_H

#include "mica/PassDump/Dump.h"

namespace mica::passdump {

/// A line that says which pass the text after it belongs to.
struct Header {
  State state;
  size_t begin = 0, end = 0; ///< of the header, the end of its line included
  std::string_view lead;     ///< what stands before it on the line
  bool isDeleted = false;    ///< the pass deleted what it ran on, or was left out: no text follows
};
/// The first header at or behind `from`.
std::optional<Header> findHeader(std::string_view text, size_t from);

/// A log with such lines.
void splitLog(std::string_view text, Dump &dump);
/// A log of either form, one of several: what was compiled is named after `name`. False where it is none.
bool readLog(std::string_view text, const std::string &name, Dump &dump);
/// The compilations of a trace of tritonparse: a JSON object per line.
void readTritonparse(std::string_view text, Dump &dump);

/// Whether `folder` holds dumps in files of their own.
bool isDumpFolder(const std::filesystem::path &folder);
Status readFolder(const std::filesystem::path &folder, Dump &dump);

/// A whole file, unpacked where it is compressed by gzip or zstd. Errors: those of reading, Damaged.
Result<std::string_view> loadFile(const std::filesystem::path &file, Dump &dump);

} // namespace mica::passdump

#endif // MICA_LIB_PASSDUMP_READERS_H
