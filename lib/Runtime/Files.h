//===- Files.h - the files of an artifact in memory ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_FILES_H
#define MICA_LIB_RUNTIME_FILES_H

#include "mica/Support/PrivateFile.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace mica::runtime {

/// A shared object of generated code. What is loaded is a private copy: the bytes that were verified, whatever becomes
/// of the file. Before the loader sees it, its header is held against its size and this machine: a truncated object
/// would end in SIGBUS inside dlopen.
class SharedLibrary {
public:
  /// `check`: Damaged where the hash of the contents is not what it should be.
  static Result<std::unique_ptr<SharedLibrary>> open(const std::filesystem::path &file,
                                                     const std::function<Status(const std::string &hash)> &check);
  SharedLibrary(const SharedLibrary &) = delete;
  SharedLibrary &operator=(const SharedLibrary &) = delete;
  ~SharedLibrary();
  /// Address of `name`; Damaged, naming file and symbol.
  Result<void *> symbol(const std::string &name) const;

private:
  SharedLibrary(void *handle, std::filesystem::path file, PrivateFile copy)
      : handle(handle), file(std::move(file)), copy(std::move(copy)) {}
  void *handle;
  std::filesystem::path file;
  PrivateFile copy; ///< its descriptor is part of the name by which the loader knows the object
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_FILES_H
