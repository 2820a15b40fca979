//===- Cuda/Nccl.cpp - the functions of NCCL that Mica calls ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Cuda/Nccl.h"

#include "lib/Runtime/SharedLibrary.h"

namespace mica::runtime::nccl {

static constexpr const char *kInstall = "install NCCL 2.14 or later: apt-get install libnccl2, of NVIDIA's repository";

/// "2.8.3" of 2803, as versions before 2.9 are counted, and "2.21.5" of 22105.
static std::string textOf(int version) {
  const int unit = version < 10000 ? 1000 : 10000;
  return std::to_string(version / unit) + "." + std::to_string(version % unit / 100) + "." +
         std::to_string(version % 100);
}

Result<std::shared_ptr<const Library>> Library::open(const std::string &file) {
  MICA_ASSIGN_OR_RETURN(SharedLibrary loaded, SharedLibrary::open(file, kInstall));
  std::shared_ptr<Library> library(new Library());
  // An old one lacks some of the functions: its version says more than their names.
  loaded.find(library->getVersion, "ncclGetVersion", /*isNeeded=*/false);
  int version = 0;
  if (library->getVersion && library->getVersion(&version) == kSuccess && version < 21400)
    return Error{ErrorCode::Unsupported, file + " is NCCL " + textOf(version) + ", expected 2.14 or later", kInstall};
#define MICA_NCCL_LOAD(name, symbol, parameters) loaded.find(library->name, symbol, /*isNeeded=*/true);
  MICA_NCCL_FUNCTIONS(MICA_NCCL_LOAD)
#undef MICA_NCCL_LOAD
  loaded.find(library->getErrorString, "ncclGetErrorString", /*isNeeded=*/true);
  loaded.find(library->getLastError, "ncclGetLastError", /*isNeeded=*/false);
  if (!loaded.missing().empty())
    return Error{ErrorCode::Unsupported, file + " lacks " + loaded.missing(), kInstall};
  library->named = "NCCL " + textOf(version);
  return std::shared_ptr<const Library>(std::move(library));
}

Error Library::error(const std::string &what, Code code, Comm comm) const {
  const char *text = getErrorString(code);
  std::string message = "NCCL: " + what + ": " + (text ? text : "unknown error") + " (" + std::to_string(code) + ")";
  if (const char *last = getLastError ? getLastError(comm) : nullptr; last && *last)
    message += ": " + std::string(last);
  return {ErrorCode::Io, message, "NCCL_DEBUG=INFO makes NCCL print what it does"};
}

} // namespace mica::runtime::nccl
