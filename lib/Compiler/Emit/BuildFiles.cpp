//===- BuildFiles.cpp - the files of this build of the compiler ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BuildFiles.h. Asks the dynamic linker for its loaded files, because RUNPATH, LD_LIBRARY_PATH and the system's
// cache determine them.
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
        // The main program has an empty name here, and the kernel's vdso has no file.
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
