//===- PrivateFile.h - private copies of files -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A file may be saved, truncated or replaced while it is read. A private copy is an unlinked open file: the bytes that
// were hashed are those that are compiled, and the verified bytes are those that are mapped.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_PRIVATEFILE_H
#define MICA_SUPPORT_PRIVATEFILE_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace mica {

/// A copy of a file in memory, with a descriptor; sealed, so that no process can modify it.
class PrivateFile {
public:
  /// Reads `file` ("-": the standard input) once. Errors: as readFile; Io if there is not enough memory.
  static Result<PrivateFile> copy(const std::filesystem::path &file);
  PrivateFile(PrivateFile &&other) noexcept;
  PrivateFile(const PrivateFile &) = delete;
  PrivateFile &operator=(const PrivateFile &) = delete;
  ~PrivateFile();

  /// Descriptor of the copy, at its start; closed on exec.
  int descriptor() const { return file; }
  int64_t size() const { return bytes; }
  /// hashHex() of the contents.
  const std::string &hash() const { return contentsHash; }
  /// A path of the copy while this process lives, for functions that take no descriptor, and for debuggers.
  std::filesystem::path path() const;

private:
  PrivateFile() = default;
  int file = -1;
  int64_t bytes = 0;
  std::string contentsHash;
};

} // namespace mica

#endif // MICA_SUPPORT_PRIVATEFILE_H
