//===- MemoryLimit.cpp - the memory limit for tensors ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header. Control groups: in version 2 each group from the process's own to the root may have a memory.max; in
// version 1 a memory.limit_in_bytes. Inside a container the group's own folder is often not visible under its name, but
// as the root of the mounted tree, which is examined too.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Support/MemoryLimit.h"

#include "mica/Support/Checked.h"
#include "mica/Support/Text.h"

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <system_error>
#include <unistd.h>

namespace mica {
namespace {

struct SystemLimit {
  int64_t bytes = std::numeric_limits<int64_t>::max();
  const char *source = "the address space";

  void lower(int64_t to, const char *because) {
    if (to < bytes) {
      bytes = to;
      source = because;
    }
  }
};

/// The number in `file`; nothing if it has none ("max") or cannot be read.
std::optional<int64_t> numberIn(const std::filesystem::path &file) {
  std::ifstream stream(file);
  std::string text;
  if (!(stream >> text))
    return std::nullopt;
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number <= 0)
    return std::nullopt;
  return number;
}

/// Lowers `limit` to those of the control groups from `group` up to the root of the tree mounted at `mount`.
void lowerToGroups(SystemLimit &limit, const std::filesystem::path &mount, std::string group, const char *file) {
  for (;;) {
    if (std::optional<int64_t> bytes = numberIn(mount.string() + group + "/" + file))
      limit.lower(*bytes, "the memory limit of the control group");
    if (group.empty() || group == "/")
      return;
    group.resize(group.find_last_of('/'));
  }
}

SystemLimit readSystemLimit() {
  SystemLimit limit;
  struct sysinfo info = {};
  if (::sysinfo(&info) == 0) {
    const std::optional<int64_t> bytes = checkedMul(int64_t(info.totalram + info.totalswap), info.mem_unit);
    if (bytes && *bytes > 0)
      limit.lower(*bytes, info.totalswap ? "physical memory and swap" : "physical memory, no swap");
  }
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos)
      continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty())
      lowerToGroups(limit, "/sys/fs/cgroup", group, "memory.max");
    else if (("," + controllers + ",").find(",memory,") != std::string::npos)
      lowerToGroups(limit, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
  }
  for (auto [which, name] : {std::pair(RLIMIT_AS, "RLIMIT_AS"), std::pair(RLIMIT_DATA, "RLIMIT_DATA")}) {
    struct rlimit own = {};
    if (::getrlimit(which, &own) == 0 && own.rlim_cur != RLIM_INFINITY &&
        own.rlim_cur < rlim_t(std::numeric_limits<int64_t>::max()))
      limit.lower(int64_t(own.rlim_cur), name);
  }
  return limit;
}

const SystemLimit &systemLimit() {
  static const SystemLimit limit = readSystemLimit();
  return limit;
}

std::atomic<int64_t> chosenLimit{-1};
std::atomic<int64_t> taken{0};

} // namespace

int64_t memoryLimit() {
  const int64_t chosen = chosenLimit.load(std::memory_order_relaxed);
  return chosen >= 0 ? chosen : systemLimit().bytes;
}

std::string memoryLimitSource() {
  return chosenLimit.load(std::memory_order_relaxed) >= 0 ? "the switch memory-limit" : systemLimit().source;
}

void setMemoryLimit(int64_t bytes) { chosenLimit.store(bytes, std::memory_order_relaxed); }

int64_t memoryTaken() { return taken.load(std::memory_order_relaxed); }

bool takeMemory(int64_t bytes) {
  const int64_t limit = memoryLimit();
  int64_t before = taken.load(std::memory_order_relaxed);
  do {
    if (bytes > limit || before > limit - bytes)
      return false;
  } while (!taken.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
  return true;
}

void giveMemoryBack(int64_t bytes) { taken.fetch_sub(bytes, std::memory_order_relaxed); }

/// Bytes that this thread has taken in small blocks and not counted yet; negative if it released more.
static constinit thread_local int64_t uncounted = 0;

/// Counts the rest when a thread ends.
struct UncountedRest {
  ~UncountedRest() {
    taken.fetch_add(uncounted, std::memory_order_relaxed);
    uncounted = 0;
  }
};

/// Counts `uncounted` when it exceeds the threshold. A separate function, to keep the fast path short.
[[gnu::cold, gnu::noinline]] static bool countSmall(int64_t last) {
  static thread_local UncountedRest rest;
  if (uncounted < 0)
    giveMemoryBack(-uncounted);
  else if (!takeMemory(uncounted)) {
    uncounted -= last;
    return false;
  }
  uncounted = 0;
  return true;
}

bool takeSmallMemory(int64_t bytes) {
  uncounted += bytes;
  return uncounted < kUncountedBytes || countSmall(bytes);
}

void giveSmallMemoryBack(int64_t bytes) {
  uncounted -= bytes;
  if (uncounted < -kUncountedBytes)
    countSmall(0);
}

Error outOfMemory(int64_t bytes, const std::string &what, const std::string &where) {
  const int64_t held = memoryTaken();
  return {ErrorCode::Io,
          "out of memory" + (where.empty() ? "" : " in " + where) + ": " +
              (bytes < 0 ? std::string("2^63 bytes or more") : byteSize(bytes)) + (what.empty() ? "" : " for " + what) +
              ", limit " + byteSize(memoryLimit()) + " (" + memoryLimitSource() + ")" +
              (held >= (1 << 20) ? ", of which " + byteSize(held) + " are taken" : ""),
          "use smaller inputs or free memory; --mica-debug=memory-limit=BYTES sets another limit"};
}

/// Set before any other thread starts.
static std::string_view terminatedTool;
static std::terminate_handler formerHandler = nullptr;

/// Writes "TOOL: error: WHAT" and what follows it.
[[noreturn]] static void endWith(std::string_view what, std::string_view rest) {
  for (std::string_view text : {terminatedTool, std::string_view(": error: "), what, rest})
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
      break;
  ::_exit(exitCode(ErrorCode::Io));
}

void endWithoutMemory() { endWith("out of memory", "\n  hint: use smaller inputs or free memory\n"); }

/// Must not allocate.
[[noreturn]] static void onTerminate() {
  bool isMemory = false;
  try {
    if (std::current_exception())
      throw;
  } catch (const std::bad_alloc &) {
    isMemory = true;
  } catch (const std::length_error &) {
    isMemory = true;
  } catch (const std::system_error &failure) {
    // A thread could not be started.
    endWith(failure.what(), "\n");
  } catch (...) {
    // A fault of Mica: abort with the stack of the fault.
  }
  if (!isMemory) {
    formerHandler();
    std::abort();
  }
  endWithoutMemory();
}

void makeOutOfMemoryAnError(std::string_view tool) {
  terminatedTool = tool;
  formerHandler = std::set_terminate(onTerminate);
}

Status checkTensorSize(std::span<const int64_t> shape, DType dtype) {
  const std::vector<int64_t> sizes(shape.begin(), shape.end());
  for (int64_t size : sizes)
    if (size < 0)
      return Error{ErrorCode::InvalidInput, "a tensor cannot have the size " + std::to_string(size), ""};
  const std::optional<int64_t> bytes = checkedBytes(shape, dtypeBytes(dtype));
  if (!bytes)
    return outOfMemory(-1, "tensor<" + shapedTypeString(sizes, dtype) + ">");
  const int64_t limit = memoryLimit();
  if (*bytes > limit || memoryTaken() > limit - *bytes)
    return outOfMemory(*bytes, "tensor<" + shapedTypeString(sizes, dtype) + ">");
  return {};
}

Result<HostTensor> makeHostTensor(DType dtype, std::vector<int64_t> shape) {
  MICA_RETURN_IF_ERROR(checkTensorSize(shape, dtype));
  const std::optional<int64_t> bytes = checkedBytes(shape, dtypeBytes(dtype));
  const std::string type = "tensor<" + shapedTypeString(shape, dtype) + ">";
  try {
    return HostTensor(dtype, std::move(shape));
  } catch (const std::bad_alloc &) {
    return outOfMemory(*bytes, type);
  } catch (const std::length_error &) {
    return outOfMemory(*bytes, type);
  }
}

} // namespace mica
