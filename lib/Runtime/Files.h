//===- Files.h - the files of an artifact in memory ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_FILES_H
#define MICA_LIB_RUNTIME_FILES_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <memory>
#include <string>

namespace mica::runtime {

/// A shared object of generated code. Before the loader sees it, its header is held against the file's size and this
/// machine: a truncated object would end in SIGBUS inside dlopen.
class SharedLibrary {
public:
  static Result<std::unique_ptr<SharedLibrary>> open(const std::filesystem::path &file);
  SharedLibrary(const SharedLibrary &) = delete;
  SharedLibrary &operator=(const SharedLibrary &) = delete;
  ~SharedLibrary();
  /// Address of `name`; Damaged, naming file and symbol.
  Result<void *> symbol(const std::string &name) const;

private:
  SharedLibrary(void *handle, std::filesystem::path file) : handle(handle), file(std::move(file)) {}
  void *handle;
  std::filesystem::path file;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_FILES_H
