//===- Nvtx.cpp - ranges of launches for NVIDIA's profilers ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The profiler's side of NVTX, version 3, without its headers: the library exports InitializeInjectionNvtx2, which is
// given a function that finds tables, and writes its own functions over the pointers of the table of callbacks that it
// wants to hear of. Of those only nvtxRangeStartA and nvtxRangeEnd are called here. Once per process, as NVTX does it.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Observers/Nvtx.h"

#include "mica/Support/Log.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <unordered_map>

namespace mica::runtime {
namespace {

// Numbers and types of NVTX's binary interface.
using FunctionPointer = void (*)();
using GetExportTable = const void *(*)(uint32_t table);
using Initialize = int (*)(GetExportTable getExportTable);
using RangeStart = uint64_t (*)(const char *message);
using RangeEnd = void (*)(uint64_t range);
enum : uint32_t { kCallbacks = 1, kVersionInfo = 3 };                // NvtxExportTableID
enum : uint32_t { kModuleCore = 1 };                                 // NvtxCallbackModule
enum : uint32_t { kRangeStartA = 5, kRangeEnd = 7, kCoreSize = 16 }; // NvtxCallbackIdCore

struct CallbackTable {
  size_t structSize;
  int (*getModuleFunctionTable)(uint32_t module, FunctionPointer ***table, unsigned *size);
};
struct VersionTable {
  size_t structSize;
  uint32_t version, reserved;
  void (*setInjectionVersion)(uint32_t version);
};

FunctionPointer core[kCoreSize];              ///< what the profiler writes
FunctionPointer *corePointers[kCoreSize + 1]; ///< where; the last is null

int getModuleFunctionTable(uint32_t module, FunctionPointer ***table, unsigned *size) {
  if (module != kModuleCore)
    return 0;
  for (size_t i = 1; i < kCoreSize; ++i)
    corePointers[i] = &core[i];
  if (table)
    *table = corePointers;
  if (size)
    *size = kCoreSize;
  return 1;
}

const void *getExportTable(uint32_t table) {
  static const CallbackTable callbacks{sizeof callbacks, getModuleFunctionTable};
  static const VersionTable versions{sizeof versions, 3, 0, [](uint32_t) {}};
  return table == kCallbacks ? static_cast<const void *>(&callbacks) : table == kVersionInfo ? &versions : nullptr;
}

/// Why there are no ranges; "" where there are.
std::string initialize() {
  const char *path = std::getenv("NVTX_INJECTION64_PATH");
  if (!path || !*path)
    return "NVTX_INJECTION64_PATH is not set";
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); // It stays: the profiler's functions are called until the end.
  if (!library)
    return std::string("the profiler's library cannot be loaded: ") + dlerror();
  auto begin = reinterpret_cast<Initialize>(dlsym(library, "InitializeInjectionNvtx2"));
  if (!begin)
    return std::string(path) + " has no InitializeInjectionNvtx2";
  if (begin(getExportTable) == 0 || !core[kRangeStartA] || !core[kRangeEnd])
    return std::string(path) + " takes no ranges";
  return "";
}

class NvtxObserver final : public Observer {
public:
  void onLaunch(const LaunchEvent &event) override {
    std::string text = event.kernel->opKinds.empty() ? event.kernel->rootKind : event.kernel->opKinds.front();
    if (event.opIds && !event.opIds->empty())
      text += " [" + event.opIds->front() + "]";
    text += " " + event.kernel->name + " on " + std::string(event.device);
    const uint64_t range = reinterpret_cast<RangeStart>(core[kRangeStartA])(text.c_str());
    const std::lock_guard lock(mutex);
    open[event.id] = range;
  }
  void onComplete(const LaunchEvent &event) override {
    uint64_t range = 0;
    {
      const std::lock_guard lock(mutex);
      const auto found = open.find(event.id);
      if (found == open.end())
        return;
      range = found->second;
      open.erase(found);
    }
    reinterpret_cast<RangeEnd>(core[kRangeEnd])(range);
  }

private:
  std::mutex mutex;
  std::unordered_map<uint64_t, uint64_t> open; ///< ranges by launch
};

} // namespace

std::unique_ptr<Observer> createNvtxObserver() {
  const char *path = std::getenv("NVTX_INJECTION64_PATH");
  if (!path || !*path)
    return nullptr;
  static const std::string problem = initialize();
  if (problem.empty())
    return std::make_unique<NvtxObserver>();
  MICA_LOG(Runtime, Warning) << "no NVTX ranges: " << problem;
  return nullptr;
}

} // namespace mica::runtime
