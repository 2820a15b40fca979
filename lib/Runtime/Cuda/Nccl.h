//===- Cuda/Nccl.h - the functions of NCCL that Mica calls ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The library is opened when ranks on GPUs want it. What is declared here is the part of its binary interface that is
// used, under names of our own; it has been the same since NCCL 2.14, the first with calls that do not block.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CUDA_NCCL_H
#define MICA_LIB_RUNTIME_CUDA_NCCL_H

#include "lib/Runtime/Cuda/Driver.h"
#include "mica/Support/Status.h"

#include <cstddef>
#include <memory>
#include <string>

namespace mica::runtime::nccl {

using Code = int; ///< ncclResult_t
enum : Code { kSuccess = 0, kInProgress = 7 };

/// ncclDataType_t
enum : int {
  kInt8 = 0,
  kUInt8 = 1,
  kInt32 = 2,
  kUInt32 = 3,
  kInt64 = 4,
  kUInt64 = 5,
  kFloat16 = 6,
  kFloat32 = 7,
  kFloat64 = 8,
  kBFloat16 = 9
};
/// ncclRedOp_t
enum : int { kSum = 0, kProduct = 1, kMax = 2, kMin = 3, kAverage = 4 };

using Comm = struct CommTag *;

/// What the ranks of a communicator find each other by.
struct UniqueId {
  char bytes[128] = {};
};

/// ncclConfig_t, as far as NCCL 2.14 has it; `size` and `version` tell later ones.
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21400;
  int blocking = 0;
};

/// Name, symbol, parameters; all give a Code.
#define MICA_NCCL_FUNCTIONS(X)                                                                                         \
  X(getVersion, "ncclGetVersion", (int *version))                                                                      \
  X(getUniqueId, "ncclGetUniqueId", (UniqueId * id))                                                                   \
  X(commInitRankConfig, "ncclCommInitRankConfig", (Comm * comm, int size, UniqueId id, int rank, Config *config))      \
  X(commFinalize, "ncclCommFinalize", (Comm comm))                                                                     \
  X(commDestroy, "ncclCommDestroy", (Comm comm))                                                                       \
  X(commAbort, "ncclCommAbort", (Comm comm))                                                                           \
  X(commGetAsyncError, "ncclCommGetAsyncError", (Comm comm, Code * code))                                              \
  X(groupStart, "ncclGroupStart", ())                                                                                  \
  X(groupEnd, "ncclGroupEnd", ())                                                                                      \
  X(allReduce, "ncclAllReduce",                                                                                        \
    (const void *send, void *receive, size_t count, int type, int reduction, Comm comm, cuda::Stream stream))          \
  X(reduce, "ncclReduce",                                                                                              \
    (const void *send, void *receive, size_t count, int type, int reduction, int root, Comm comm,                      \
     cuda::Stream stream))                                                                                             \
  X(reduceScatter, "ncclReduceScatter",                                                                                \
    (const void *send, void *receive, size_t count, int type, int reduction, Comm comm, cuda::Stream stream))          \
  X(allGather, "ncclAllGather",                                                                                        \
    (const void *send, void *receive, size_t count, int type, Comm comm, cuda::Stream stream))                         \
  X(broadcast, "ncclBroadcast",                                                                                        \
    (const void *send, void *receive, size_t count, int type, int root, Comm comm, cuda::Stream stream))               \
  X(send, "ncclSend", (const void *send, size_t count, int type, int peer, Comm comm, cuda::Stream stream))            \
  X(receive, "ncclRecv", (void *receive, size_t count, int type, int peer, Comm comm, cuda::Stream stream))

/// The library of this machine. Immutable once open.
class Library {
public:
  /// Unsupported, with what the loader said, where there is none, or one that is older than 2.14.
  static Result<std::shared_ptr<const Library>> open(const std::string &file);
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

#define MICA_NCCL_MEMBER(name, symbol, parameters) Code(*name) parameters = nullptr;
  MICA_NCCL_FUNCTIONS(MICA_NCCL_MEMBER)
#undef MICA_NCCL_MEMBER

  /// "NCCL 2.21.5".
  const std::string &name() const { return named; }
  /// "cannot sum: remote process exited or there was a network error (6)", with the latest that the library logged.
  Error error(const std::string &what, Code code, Comm comm) const;

private:
  Library() = default;
  const char *(*getErrorString)(Code code) = nullptr;
  const char *(*getLastError)(Comm comm) = nullptr; ///< null: it has none
  std::string named;
};

} // namespace mica::runtime::nccl

#endif // MICA_LIB_RUNTIME_CUDA_NCCL_H
