//===- BuildFiles.cpp - the files that the compiler is made of ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BuildFiles.h. The dynamic linker is asked, not searched after: RUNPATH, LD_LIBRARY_PATH and the system's cache
// decide which files these are.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/BuildFiles.h"

#include "mica/Support/Hash.h"
#include "mica/Support/Paths.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

#include <link.h>

using namespace mica;
using namespace mica::compiler;

Result<std::string> compiler::printBuild() {
  std::vector<std::string> paths{executablePath().string()};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        // The program itself has no name here, and the kernel's own object no file.
        const std::string name = info->dlpi_name ? info->dlpi_name : "";
        if (name.find('/') != std::string::npos)
          static_cast<std::vector<std::string> *>(data)->push_back(name);
        return 0;
      },
      &paths);
  llvm::json::Array files;
  for (const std::string &path : paths) {
    MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(path));
    files.push_back(llvm::json::Object{{"path", path}, {"hash", std::move(hash)}});
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{{"files", std::move(files)}}) << "\n";
  return text;
}
