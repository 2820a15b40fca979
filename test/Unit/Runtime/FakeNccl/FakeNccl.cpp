//===- FakeNccl.cpp - a stand-in for NCCL, for tests -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The functions of NCCL that Mica calls, on the stand-in for the driver (../FakeCuda), between processes or threads of
// one machine: what a rank sends is a file, in a folder of FAKE_NCCL_FOLDER that the unique id names. Calls begin when
// their stream comes to them, and wait there for the others. It shows misuse that the library may not notice:
//
//   - a call while another one of the same communicator is still in progress, or after an abort
//   - buffers that are no memory of the device; ranks that are not in one call, which never ends, as in the library
//   - communicators that were not given back (fakeNcclLeaks)
//
// FAKE_NCCL=NAME=CODE[@N][/RANK],... makes the Nth call (1 is the default) of function NAME fail with CODE, on rank
// RANK or all; `async=CODE[@N]` makes the Nth call that a stream comes to fail there. FAKE_NCCL_LOG=FILE: each call is
// a line of FILE.RANK. FAKE_NCCL_VERSION: of the library.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

enum Code : int { kSuccess = 0, kInternal = 3, kInvalidArgument = 4, kInvalidUsage = 5, kRemote = 6, kInProgress = 7 };
constexpr int kNotReady = 600; // CUDA_ERROR_NOT_READY
struct UniqueId {
  char bytes[128];
};
struct Config {
  size_t size;
  unsigned magic, version;
  int blocking;
};

struct Comm {
  std::filesystem::path folder;
  int rank, size;
  bool isConnected = false, isAborted = false, isFinalized = false;
  bool isPending = false; ///< the latest call is in progress until somebody asks
  int async = kSuccess;
  uint64_t calls = 0;                                     ///< collectives so far
  std::map<std::pair<bool, int>, uint64_t> messages = {}; ///< sent to and received from each rank so far
  uint64_t begun = 0;                                     ///< pieces of work that a stream came to
};

/// One collective, or what a group sends and receives.
struct Work {
  Comm *comm = nullptr;
  std::string name;
  const void *send = nullptr;
  void *receive = nullptr;
  size_t count = 0;
  int type = 0, reduction = 0, root = 0;
  uint64_t number = 0;
  struct Message {
    bool isSent;
    const void *from;
    void *to;
    size_t bytes;
    int peer;
    uint64_t number;
    bool isDone = false;
  };
  std::vector<Message> messages = {};
  bool isBegun = false;
};

struct Fake {
  std::mutex mutex;
  std::set<Comm *> comms;
  std::map<std::string, int> calls;
  void *driver = dlopen(MICA_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
};
Fake &fake() {
  static Fake *instance = new Fake();
  return *instance;
}
thread_local int groupDepth = 0;
thread_local std::vector<Work *> grouped;
thread_local void *groupStream = nullptr;
thread_local std::string lastError;

int fail(int code, const std::string &why) {
  lastError = why;
  return code;
}

/// What FAKE_NCCL has for call number `number` of `name`; 0: nothing.
int injected(const std::string &name, int number, int rank) {
  const char *text = std::getenv("FAKE_NCCL");
  std::istringstream items(text ? text : "");
  for (std::string item; std::getline(items, item, ',');) {
    const size_t equals = item.find('='), at = item.find('@'), slash = item.find('/');
    if (item.substr(0, equals) != name || equals == item.npos)
      continue;
    if (slash != item.npos && rank >= 0 && std::atoi(item.c_str() + slash + 1) != rank)
      continue;
    if ((at == item.npos ? 1 : std::atoi(item.c_str() + at + 1)) == number)
      return std::atoi(item.c_str() + equals + 1);
  }
  return 0;
}

void note(const Comm &comm, const std::string &line) {
  if (const char *file = std::getenv("FAKE_NCCL_LOG"))
    std::ofstream(file + ("." + std::to_string(comm.rank)), std::ios::app) << line << "\n";
}

/// What a call of `name` gives before it does anything.
int enter(const char *name, Comm *comm) {
  std::lock_guard<std::mutex> lock(fake().mutex);
  const int number = ++fake().calls[name];
  if (comm && fake().comms.count(comm) == 0)
    return fail(kInvalidArgument, std::string(name) + ": no communicator");
  if (const int code = injected(name, number, comm ? comm->rank : -1))
    return fail(code, "injected into " + std::string(name));
  return kSuccess;
}
int enterCall(const char *name, Comm *comm) {
  if (const int code = enter(name, comm))
    return code;
  if (comm->isAborted || comm->isFinalized || !comm->isConnected)
    return fail(kInvalidUsage, std::string(name) + ": the communicator is not connected, or ended");
  if (comm->isPending)
    return fail(kInvalidUsage, std::string(name) + ": a call of the communicator is in progress");
  return kSuccess;
}

size_t bytesOf(int type) {
  constexpr size_t kBytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return type >= 0 && type < 10 ? kBytes[type] : 0;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Files
//===-----------------------------------------------------------------------------------------------------------===//

void writeWhole(const std::filesystem::path &file, const std::string &head, const void *data, size_t bytes) {
  const std::filesystem::path part = file.string() + ".part";
  {
    std::ofstream stream(part, std::ios::binary);
    stream << head << '\n';
    stream.write(static_cast<const char *>(data), std::streamsize(bytes));
  }
  std::filesystem::rename(part, file);
}
/// False while it is not there.
bool readWhole(const std::filesystem::path &file, std::string &head, std::string &data) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return false;
  std::getline(stream, head);
  std::stringstream rest;
  rest << stream.rdbuf();
  data = rest.str();
  return true;
}
bool allHave(const Comm &comm, const char *what) {
  for (int rank = 0; rank < comm.size; ++rank)
    if (!std::filesystem::exists(comm.folder / (what + std::to_string(rank))))
      return false;
  return true;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Elements
//===-----------------------------------------------------------------------------------------------------------===//

template <typename T> T combined(T a, T b, int reduction) {
  switch (reduction) {
  case 1:
    return T(a * b);
  case 2:
    return a > b ? a : b;
  case 3:
    return a < b ? a : b;
  default:
    return T(a + b);
  }
}
template <typename T, typename Wide = T>
void combineAs(const std::vector<std::string> &parts, size_t first, size_t count, int reduction, char *into) {
  for (size_t i = 0; i < count; ++i) {
    auto at = [&](size_t rank) {
      T value;
      std::memcpy(&value, parts[rank].data() + (first + i) * sizeof(T), sizeof(T));
      return Wide(value);
    };
    Wide value = at(0);
    for (size_t rank = 1; rank < parts.size(); ++rank)
      value = combined(value, at(rank), reduction);
    if (reduction == 4)
      value = Wide(value / Wide(parts.size()));
    const T narrow = T(value);
    std::memcpy(into + i * sizeof(T), &narrow, sizeof(T));
  }
}
/// The upper half of a float.
struct BFloat {
  uint16_t bits = 0;
  BFloat() = default;
  explicit BFloat(float value) {
    uint32_t all;
    std::memcpy(&all, &value, 4);
    bits = uint16_t((all + 0x7FFF + (all >> 16 & 1)) >> 16);
  }
  explicit operator float() const {
    const uint32_t all = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &all, 4);
    return value;
  }
};
void combine(int type, const std::vector<std::string> &parts, size_t first, size_t count, int reduction, char *into) {
  switch (type) {
  case 0:
    return combineAs<int8_t, uint8_t>(parts, first, count, reduction, into);
  case 1:
    return combineAs<uint8_t>(parts, first, count, reduction, into);
  case 2:
    return reduction < 2 ? combineAs<uint32_t>(parts, first, count, reduction, into)
                         : combineAs<int32_t>(parts, first, count, reduction, into);
  case 3:
    return combineAs<uint32_t>(parts, first, count, reduction, into);
  case 4:
    return reduction < 2 ? combineAs<uint64_t>(parts, first, count, reduction, into)
                         : combineAs<int64_t>(parts, first, count, reduction, into);
  case 5:
    return combineAs<uint64_t>(parts, first, count, reduction, into);
  case 6:
    return combineAs<_Float16, float>(parts, first, count, reduction, into);
  case 7:
    return combineAs<float>(parts, first, count, reduction, into);
  case 8:
    return combineAs<double>(parts, first, count, reduction, into);
  default:
    return combineAs<BFloat, float>(parts, first, count, reduction, into);
  }
}

//===-----------------------------------------------------------------------------------------------------------===//
// What a stream does
//===-----------------------------------------------------------------------------------------------------------===//

bool isMemory(const void *address, size_t bytes) {
  const auto ask = reinterpret_cast<int (*)(uint64_t, size_t)>(dlsym(fake().driver, "fakeCudaIsMemory"));
  return bytes == 0 || ask(reinterpret_cast<uint64_t>(address), bytes) != 0;
}

int runMessages(Work &work) {
  Comm &comm = *work.comm;
  bool isDone = true;
  for (Work::Message &message : work.messages) {
    const int from = message.isSent ? comm.rank : message.peer, to = message.isSent ? message.peer : comm.rank;
    const std::filesystem::path file =
        comm.folder / ("m" + std::to_string(from) + "-" + std::to_string(to) + "." + std::to_string(message.number));
    if (message.isDone)
      continue;
    if (message.isSent) {
      writeWhole(file, std::to_string(message.bytes), message.from, message.bytes);
      message.isDone = true;
      continue;
    }
    std::string head, data;
    if (!readWhole(file, head, data) || head != std::to_string(message.bytes)) {
      isDone = false; // of another size: the library would wait, too
      continue;
    }
    std::memcpy(message.to, data.data(), message.bytes);
    std::filesystem::remove(file);
    message.isDone = true;
  }
  return isDone ? kSuccess : kNotReady;
}

int runCollective(Work &work) {
  Comm &comm = *work.comm;
  const auto size = size_t(comm.size);
  const size_t bytes = work.count * bytesOf(work.type);
  const std::string head = work.name + " " + std::to_string(work.count) + " " + std::to_string(work.type) + " " +
                           std::to_string(work.reduction) + " " + std::to_string(work.root);
  auto fileOf = [&](size_t rank) {
    return comm.folder / ("c" + std::to_string(work.number) + "." + std::to_string(rank));
  };
  if (!work.isBegun)
    writeWhole(fileOf(size_t(comm.rank)), head, work.send, work.name == "ncclReduceScatter" ? bytes * size : bytes);
  work.isBegun = true;
  std::vector<std::string> parts(size);
  for (size_t rank = 0; rank < size; ++rank)
    if (std::string other; !readWhole(fileOf(rank), other, parts[rank]) || other != head)
      return kNotReady;
  auto *into = static_cast<char *>(work.receive);
  if (work.name == "ncclAllGather") {
    for (size_t rank = 0; rank < size; ++rank)
      std::memcpy(into + rank * bytes, parts[rank].data(), bytes);
  } else if (work.name == "ncclBroadcast") {
    std::memcpy(into, parts[size_t(work.root)].data(), bytes);
  } else if (work.name == "ncclReduceScatter") {
    combine(work.type, parts, size_t(comm.rank) * work.count, work.count, work.reduction, into);
  } else if (work.name == "ncclAllReduce" || comm.rank == work.root) {
    combine(work.type, parts, 0, work.count, work.reduction, into);
  }
  return kSuccess;
}

int runWork(void *data) {
  Work *work = static_cast<Work *>(data);
  std::unique_lock<std::mutex> lock(fake().mutex);
  if (fake().comms.count(work->comm) == 0 || work->comm->isAborted) {
    delete work;
    return kSuccess;
  }
  Comm &comm = *work->comm;
  if (!work->isBegun)
    if (const int code = injected("async", int(++comm.begun), comm.rank))
      comm.async = code;
  if (comm.async != kSuccess) {
    work->isBegun = true;
    return kNotReady;
  }
  const int code = work->messages.empty() ? runCollective(*work) : runMessages(*work);
  work->isBegun = true;
  if (code == kSuccess)
    delete work;
  return code;
}

int put(Work *work, void *stream) {
  const auto add = reinterpret_cast<int (*)(void *, int (*)(void *), void *)>(dlsym(fake().driver, "fakeCudaPut"));
  Comm *comm = work->comm;
  comm->isPending = true;
  if (add(stream, runWork, work) == 0)
    return kInProgress;
  delete work;
  comm->isPending = false;
  return fail(1, "no stream"); // ncclUnhandledCudaError
}

int collective(const char *name, const void *send, void *receive, size_t count, int type, int reduction, int root,
               Comm *comm, void *stream) {
  if (const int code = enterCall(name, comm))
    return code;
  note(*comm, std::string(name) + " count=" + std::to_string(count) + " type=" + std::to_string(type) + " reduction=" +
                  std::to_string(reduction) + " root=" + std::to_string(root) + " ranks=" + std::to_string(comm->size));
  const size_t bytes = count * bytesOf(type), all = bytes * size_t(comm->size);
  const bool gathers = !std::strcmp(name, "ncclAllGather"), scatters = !std::strcmp(name, "ncclReduceScatter");
  if (bytesOf(type) == 0 || reduction < 0 || reduction > 4 || root < 0 || root >= comm->size || groupDepth > 0)
    return fail(kInvalidArgument, std::string(name) + ": type, reduction or root");
  const bool receives = std::strcmp(name, "ncclReduce") != 0 || comm->rank == root;
  if (!isMemory(send, scatters ? all : bytes) || (receives && !isMemory(receive, gathers ? all : bytes)))
    return fail(kInvalidArgument, std::string(name) + ": a buffer is no memory of the device");
  return put(new Work{comm, name, send, receive, count, type, reduction, root, comm->calls++}, stream);
}

int message(const char *name, bool isSent, const void *from, void *to, size_t count, int type, int peer, Comm *comm,
            void *stream) {
  if (const int code = enterCall(name, comm))
    return code;
  note(*comm, std::string(name) + " count=" + std::to_string(count) + " type=" + std::to_string(type) +
                  " peer=" + std::to_string(peer) + " ranks=" + std::to_string(comm->size));
  const size_t bytes = count * bytesOf(type);
  if (bytesOf(type) == 0 || peer < 0 || peer >= comm->size || groupDepth == 0 || !isMemory(isSent ? from : to, bytes) ||
      (!grouped.empty() && grouped.front()->comm != comm))
    return fail(kInvalidArgument, std::string(name) + ": type, peer or buffer, or it is in no group");
  if (grouped.empty())
    grouped.push_back(new Work{comm, "group"});
  groupStream = stream;
  grouped.front()->messages.push_back({isSent, from, to, bytes, peer, comm->messages[{isSent, peer}]++});
  return kSuccess;
}

} // namespace

extern "C" {

/// Communicators that were not given back.
int fakeNcclLeaks() {
  std::lock_guard<std::mutex> lock(fake().mutex);
  return int(fake().comms.size());
}

/// Counts calls anew.
void fakeNcclReset() {
  std::lock_guard<std::mutex> lock(fake().mutex);
  fake().calls.clear();
}

int ncclGetVersion(int *version) {
  const char *text = std::getenv("FAKE_NCCL_VERSION");
  *version = text ? std::atoi(text) : 22105;
  return kSuccess;
}
const char *ncclGetErrorString(int code) {
  switch (code) {
  case kInvalidArgument:
    return "invalid argument";
  case kInvalidUsage:
    return "invalid usage";
  case kRemote:
    return "remote process exited or there was a network error";
  default:
    return "internal error";
  }
}
const char *ncclGetLastError(Comm *) { return lastError.c_str(); }

int ncclGetUniqueId(UniqueId *id) {
  if (const int code = enter("ncclGetUniqueId", nullptr))
    return code;
  const char *base = std::getenv("FAKE_NCCL_FOLDER");
  std::snprintf(id->bytes, sizeof id->bytes, "%s/fake-nccl.XXXXXX", base ? base : "/tmp");
  return mkdtemp(id->bytes) ? kSuccess : fail(kInternal, "no folder");
}

int ncclCommInitRankConfig(Comm **comm, int size, UniqueId id, int rank, Config *config) {
  if (rank < 0 || rank >= size || config->size < sizeof(size_t) + 12 || config->magic != 0xcafebeef ||
      config->version < 21400 || config->blocking != 0)
    return fail(kInvalidArgument, "ncclCommInitRankConfig: rank or configuration");
  auto *made = new Comm{id.bytes, rank, size};
  {
    std::lock_guard<std::mutex> lock(fake().mutex);
    fake().comms.insert(made);
  }
  if (const int code = enter("ncclCommInitRankConfig", made)) {
    std::lock_guard<std::mutex> lock(fake().mutex);
    fake().comms.erase(made);
    delete made;
    return code;
  }
  note(*made, "ncclCommInitRankConfig ranks=" + std::to_string(size));
  writeWhole(made->folder / ("here" + std::to_string(rank)), "", "", 0);
  *comm = made;
  return kInProgress;
}

int ncclCommGetAsyncError(Comm *comm, int *code) {
  std::lock_guard<std::mutex> lock(fake().mutex);
  if (fake().comms.count(comm) == 0)
    return kInvalidArgument;
  if (!comm->isConnected)
    comm->isConnected = allHave(*comm, "here");
  *code = comm->async != kSuccess ? comm->async : comm->isConnected && !comm->isPending ? kSuccess : kInProgress;
  if (comm->isFinalized && *code == kSuccess && !allHave(*comm, "left"))
    *code = kInProgress;
  comm->isPending = false;
  return kSuccess;
}

int ncclCommFinalize(Comm *comm) {
  if (const int code = enterCall("ncclCommFinalize", comm))
    return code;
  comm->isFinalized = true;
  writeWhole(comm->folder / ("left" + std::to_string(comm->rank)), "", "", 0);
  note(*comm, "ncclCommFinalize");
  return kInProgress;
}

static int release(Comm *comm) {
  std::lock_guard<std::mutex> lock(fake().mutex);
  if (fake().comms.erase(comm) == 0)
    return kInvalidArgument;
  delete comm;
  return kSuccess;
}
int ncclCommDestroy(Comm *comm) {
  if (const int code = enter("ncclCommDestroy", comm))
    return code;
  note(*comm, "ncclCommDestroy");
  return release(comm);
}
int ncclCommAbort(Comm *comm) {
  if (const int code = enter("ncclCommAbort", comm))
    return code;
  note(*comm, "ncclCommAbort");
  return release(comm);
}

int ncclGroupStart() {
  ++groupDepth;
  return kSuccess;
}
int ncclGroupEnd() {
  if (groupDepth-- <= 0)
    return fail(kInvalidUsage, "ncclGroupEnd without a start");
  if (groupDepth > 0 || grouped.empty())
    return kSuccess;
  Work *work = grouped.front();
  grouped.clear();
  // A message to the rank itself has to be received in the same group.
  int own = 0;
  for (const Work::Message &message : work->messages)
    own += message.peer == work->comm->rank ? (message.isSent ? 1 : -1) : 0;
  if (own != 0)
    return fail(kInvalidUsage, "a message to the rank itself that it does not receive");
  if (const int code = enter("ncclGroupEnd", work->comm))
    return code;
  return put(work, groupStream);
}

int ncclAllReduce(const void *send, void *receive, size_t count, int type, int reduction, Comm *comm, void *stream) {
  return collective("ncclAllReduce", send, receive, count, type, reduction, 0, comm, stream);
}
int ncclReduce(const void *send, void *receive, size_t count, int type, int reduction, int root, Comm *comm,
               void *stream) {
  return collective("ncclReduce", send, receive, count, type, reduction, root, comm, stream);
}
int ncclReduceScatter(const void *send, void *receive, size_t count, int type, int reduction, Comm *comm,
                      void *stream) {
  return collective("ncclReduceScatter", send, receive, count, type, reduction, 0, comm, stream);
}
int ncclAllGather(const void *send, void *receive, size_t count, int type, Comm *comm, void *stream) {
  return collective("ncclAllGather", send, receive, count, type, 0, 0, comm, stream);
}
int ncclBroadcast(const void *send, void *receive, size_t count, int type, int root, Comm *comm, void *stream) {
  return collective("ncclBroadcast", send, receive, count, type, 0, root, comm, stream);
}
int ncclSend(const void *send, size_t count, int type, int peer, Comm *comm, void *stream) {
  return message("ncclSend", true, send, nullptr, count, type, peer, comm, stream);
}
int ncclRecv(void *receive, size_t count, int type, int peer, Comm *comm, void *stream) {
  return message("ncclRecv", false, nullptr, receive, count, type, peer, comm, stream);
}

} // extern "C"
