//===- ConnectRanks.cpp - ranks as processes of MPI ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// MPI, through the plug-in for the library whose launcher started this process.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/Patience.h"
#include "mica/Runtime/Communicator.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <tuple>

namespace mica::runtime {
namespace {

constexpr size_t kMessageBytes = 512;

class MpiRank final : public Communicator {
public:
  /// `closes`: the library is of this communicator alone.
  MpiRank(const mica_ranks_api_v1 &api, bool closes) : api(api), closes(closes) {}
  /// After a failure the others may never come to the end, for which MPI would wait: the launcher ends them.
  ~MpiRank() override {
    if (closes && !failed)
      api.close();
  }

  int32_t rank() const override { return api.rank(); }
  int32_t size() const override { return api.size(); }
  std::string_view library() const override { return api.library(); }
  bool isRemote() const override { return true; }

  Status run(const GroupCall &call, const std::atomic<bool> &cancelled) override {
    std::lock_guard<std::mutex> lock(mutex);
    const mica_ranks_call_v1 passed{int32_t(call.kind),
                                    int32_t(call.dtype),
                                    call.reduction,
                                    call.root,
                                    call.sendTo,
                                    call.receiveFrom,
                                    int32_t(call.members.size()),
                                    call.self,
                                    call.members.data(),
                                    call.send,
                                    call.receive,
                                    call.count,
                                    dtypeBytes(call.dtype)};
    char message[kMessageBytes] = "";
    void *request = nullptr;
    if (api.start(&passed, &request, message, sizeof message) != 0)
      return Error{ErrorCode::Io, std::string("MPI: ") + message, ""};
    Patience patience;
    for (int32_t complete = 0;;) {
      if (api.test(request, &complete, message, sizeof message) != 0)
        return Error{ErrorCode::Io, std::string("MPI: ") + message, ""};
      if (complete)
        return {};
      if (cancelled.load(std::memory_order_relaxed))
        return Error{ErrorCode::Difference, "the call was cancelled", ""};
      if (patience.wait() && watch)
        if (const std::string gone = watch(); !gone.empty())
          return Error{ErrorCode::Difference, gone, ""};
    }
  }

  void abort(const std::string &) override { failed = true; }

private:
  const mica_ranks_api_v1 &api;
  const bool closes;
  std::atomic<bool> failed{false};
  std::mutex mutex; ///< of runs that overlap: MPI is initialized for one thread at a time
};

void combine(int32_t dtype, int32_t reduction, void *into, const void *other, int64_t count) {
  combineElements(DType(dtype), reduction, into, other, count);
}

/// Where the plug-in may be: beside this code, or where an installed tool has its libraries.
std::vector<std::string> pluginPaths(const std::string &file) {
  std::vector<std::string> paths;
  Dl_info info;
  if (::dladdr(reinterpret_cast<const void *>(&combine), &info) != 0 && info.dli_fname) {
    const std::filesystem::path folder = std::filesystem::absolute(info.dli_fname).parent_path();
    paths = {(folder / file).string(), (folder / ".." / "lib" / file).string()};
  }
  std::error_code ignored;
  if (const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored); !self.empty())
    paths.push_back((self.parent_path() / ".." / "lib" / file).string());
  paths.push_back(file);
  return paths;
}

Status checkVersion(const mica_ranks_api_v1 &api) {
  if (api.version == MICA_RANKS_VERSION)
    return {};
  return Error{ErrorCode::Unsupported,
               "has version " + std::to_string(api.version) +
                   " of the interface between ranks, this Mica has version " + std::to_string(MICA_RANKS_VERSION),
               ""};
}

Result<std::shared_ptr<Communicator>> open(const std::string &launcher) {
  const std::string file = "libmica-" + launcher + ".so";
  std::string reasons;
  for (const std::string &path : pluginPaths(file)) {
    // MPI loads parts of itself that look for its symbols.
    void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
      const char *reason = ::dlerror();
      reasons += std::string(reasons.empty() ? "" : "; ") + (reason ? reason : path.c_str());
      continue;
    }
    const auto opener = reinterpret_cast<mica_ranks_open_fn_v1>(::dlsym(library, MICA_RANKS_OPEN_SYMBOL));
    char message[kMessageBytes] = "";
    const mica_ranks_api_v1 *api = opener ? opener(combine, message, sizeof message) : nullptr;
    if (!api)
      return Error{ErrorCode::Unsupported, path + ": " + (opener ? message : "it is no plug-in of Mica"), ""};
    if (const Status known = checkVersion(*api); !known)
      return Error{known.error().code, path + ": " + known.error().message, "install the plug-in of this Mica"};
    return std::shared_ptr<Communicator>(std::make_shared<MpiRank>(*api, /*closes=*/true));
  }
  return Error{ErrorCode::Unsupported, "the plug-in for MPI cannot be loaded: " + reasons,
               "it is built where the headers of the library are: apt-get install lib" + launcher +
                   "-dev; without MPI, --ranks=threads runs all ranks in one process"};
}

} // namespace

std::optional<RankLauncher> rankLauncher() {
  for (const auto &[library, rank, size, local] :
       {std::tuple("openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
        std::tuple("mpich", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID")})
    if (const char *count = std::getenv(size)) {
      const char *number = std::getenv(rank), *here = std::getenv(local);
      const int32_t own = number ? std::atoi(number) : 0;
      return RankLauncher{library, own, std::atoi(count), here ? std::atoi(here) : own};
    }
  return std::nullopt;
}

Result<std::shared_ptr<Communicator>> communicatorOf(const mica_ranks_api_v1 &api) {
  MICA_RETURN_IF_ERROR(checkVersion(api));
  return std::shared_ptr<Communicator>(std::make_shared<MpiRank>(api, /*closes=*/false));
}

Result<std::shared_ptr<Communicator>> connectRanks(const std::string &launcher) {
  // MPI is initialized once in a process.
  static std::mutex mutex;
  static std::shared_ptr<Communicator> connected;
  std::lock_guard<std::mutex> lock(mutex);
  if (!connected) {
    MICA_ASSIGN_OR_RETURN(connected, open(launcher));
  }
  return connected;
}

} // namespace mica::runtime
