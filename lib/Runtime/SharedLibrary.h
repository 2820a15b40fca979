//===- SharedLibrary.h - libraries of drivers -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Drivers are opened when a program needs them, and their functions are looked up by name.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_SHAREDLIBRARY_H
#define MICA_LIB_RUNTIME_SHAREDLIBRARY_H

#include "mica/Support/Status.h"

#include <dlfcn.h>

#include <string>
#include <type_traits>
#include <utility>

namespace mica::runtime {

/// An open library. It is not closed here: some drivers start threads that run its code until the process ends.
class SharedLibrary {
public:
  /// Opens `file`. Unsupported, with what the loader said and `hint`, where there is none.
  static Result<SharedLibrary> open(const std::string &file, std::string hint) {
    void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle)
      return SharedLibrary(handle);
    const char *why = dlerror();
    return Error{ErrorCode::Unsupported, file + " not found: " + (why ? why : "the loader does not say why"),
                 std::move(hint)};
  }

  /// Sets `function` to `symbol`; null where the library lacks it, which is noted if it `isNeeded`.
  template <typename Function> void find(Function *&function, const char *symbol, bool isNeeded) {
    void *address = dlsym(handle, symbol);
    function = reinterpret_cast<Function *>(address);
    if (!address && isNeeded)
      absent += (absent.empty() ? "" : ", ") + std::string(symbol);
  }
  /// The functions that are needed and absent, joined by commas.
  const std::string &missing() const { return absent; }

  void *get() const { return handle; }

private:
  explicit SharedLibrary(void *handle) : handle(handle) {}
  void *handle;
  std::string absent;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_SHAREDLIBRARY_H
