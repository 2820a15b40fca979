//===- FakeCuda.cpp - a stand-in for NVIDIA's driver, for tests ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// No GPU: a shared object named libcuda.so.1 that has the functions of the driver that Mica calls, for machines without
// one. It shows misuse that hardware may hide:
//
//   - memory of the device can be touched by the kernels and copies of this driver alone; anybody else gets SIGSEGV
//   - streams keep what they are given and run it when somebody waits, the latest that is allowed: who forgets to wait,
//     or to make one stream wait for another, sees old data; asking whether they are done makes them run, too
//   - freeing twice, events nobody recorded, work without a current context, captures that allocate: reported as errors
//
// A "PTX" text is `// fake: FILE.so`: its entries are the functions of that object, called with (params, grid, block)
// for each block. With FAKE_CUDA_NOTHING set other texts with `.entry` are taken too; what they would do is not done,
// and only takes time. FAKE_CUDA, read at cuInit and at each launch, injects failures: NAME=CODE[@N] makes the Nth call
// (1 is the first, which is the default) of driver function NAME fail with CODE; kernel:ENTRY=CODE makes that entry
// fail when it runs. FAKE_CUDA_DEVICES: how many devices there are, which are one.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

using Code = int;
enum : Code {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinary = 209,
  kInvalidPtx = 218,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kCaptureUnsupported = 900,
};

using Entry = void (*)(void **params, const unsigned *grid, const unsigned *block);

struct Event {
  uint64_t recorded = 0; ///< how many records were asked for
  uint64_t reached = 0;  ///< and how many the stream came to
  double milliseconds = 0;
};

/// A piece of work of a stream.
struct Work {
  std::function<Code()> run; ///< what it does; kNotReady: it waits for another process, and has to be asked again
  Event *waitFor = nullptr;  ///< or an event to wait for
  uint64_t record = 0;       ///< up to which record of it
};

struct Graph {
  std::vector<std::function<Code()>> nodes;
};

struct Stream {
  bool isRunning = false; ///< further up on the stack, where it waits for an event
  std::vector<Work> queue;
  Graph *capture = nullptr;
};

struct Function {
  Entry entry;
  std::string name;
  int sharedBytes = 48 * 1024;
};

struct Module {
  void *handle;
  std::map<std::string, Function> functions;
  std::string text; ///< whose entries do nothing; no handle then
};

struct Fake {
  std::recursive_mutex mutex;
  bool isInitialized = false;
  bool isContextMade = false;
  Code sticky = kSuccess;
  double clock = 0;                  ///< milliseconds; goes on with each kernel
  std::map<uint64_t, size_t> memory; ///< blocks by address
  size_t inUse = 0, most = size_t(1) << 30;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::set<Graph *> graphs;
  std::map<std::string, int> calls;
  std::map<std::string, std::pair<Code, int>> failures; ///< code, number of the call
  std::map<std::string, int> graphLaunches;
};

Fake &fake() {
  static Fake *instance = new Fake(); // outlives whoever unloads late
  return *instance;
}
thread_local bool isCurrent = false;

void readFailures() {
  const char *text = std::getenv("FAKE_CUDA");
  fake().failures.clear();
  for (const char *at = text; at && *at;) {
    const char *end = std::strchr(at, ',');
    const std::string item = end ? std::string(at, end) : std::string(at);
    at = end ? end + 1 : nullptr;
    const size_t equals = item.find('='), number = item.find('@');
    if (equals != item.npos)
      fake().failures[item.substr(0, equals)] = {std::atoi(item.c_str() + equals + 1),
                                                 number == item.npos ? 1 : std::atoi(item.c_str() + number + 1)};
  }
}

/// What call of `name` gives before it does anything.
Code enter(const char *name, bool needsContext = true) {
  Fake &f = fake();
  const int number = ++f.calls[name];
  if (!f.isInitialized)
    return kNotInitialized;
  if (needsContext && !(isCurrent && f.isContextMade))
    return kInvalidContext;
  if (f.sticky)
    return f.sticky;
  auto failure = f.failures.find(name);
  return failure != f.failures.end() && failure->second.second == number ? failure->second.first : kSuccess;
}
#define ENTER(...)                                                                                                     \
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);                                                            \
  if (Code entered = enter(__func__ __VA_OPT__(, ) __VA_ARGS__))                                                       \
  return entered

size_t pages(size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

/// While it lives the device's memory can be touched.
struct Unlock {
  Unlock() { protect(PROT_READ | PROT_WRITE); }
  ~Unlock() { protect(PROT_NONE); }
  static void protect(int how) {
    for (auto &[address, bytes] : fake().memory)
      mprotect(reinterpret_cast<void *>(address), pages(bytes), how);
  }
};

bool isMemory(uint64_t address, size_t bytes) {
  auto after = fake().memory.upper_bound(address);
  if (after == fake().memory.begin())
    return false;
  --after;
  return address + bytes <= after->first + after->second;
}

Code runStream(Stream &stream);

/// Until `event` has come to its record number `record`: whichever stream has it.
Code runUntil(Event &event, uint64_t record) {
  bool waits = false;
  for (Stream *stream : fake().streams)
    if (event.reached < record && !stream->isRunning) {
      const Code code = runStream(*stream);
      if (code && code != kNotReady)
        return code;
      waits |= code == kNotReady;
    }
  return event.reached >= record ? kSuccess : waits ? kNotReady : kInvalidValue;
}

Code runStream(Stream &stream) {
  struct Running {
    bool &flag;
    explicit Running(bool &flag) : flag(flag) { flag = true; }
    ~Running() { flag = false; }
  } running(stream.isRunning);
  while (!stream.queue.empty()) {
    Work work = std::move(stream.queue.front());
    stream.queue.erase(stream.queue.begin());
    const Code code = work.waitFor ? runUntil(*work.waitFor, work.record) : work.run();
    if (code == kNotReady) {
      stream.queue.insert(stream.queue.begin(), std::move(work));
      return code;
    }
    if (code) {
      fake().sticky = code;
      return code;
    }
  }
  return kSuccess;
}

Code put(Stream *stream, std::function<Code()> run) {
  if (fake().streams.count(stream) == 0)
    return kInvalidHandle;
  if (stream->capture)
    stream->capture->nodes.push_back(std::move(run));
  else
    stream->queue.push_back({std::move(run)});
  return kSuccess;
}

/// Asks `run` until it is ready; others may use the driver meanwhile.
template <typename Run> Code whenReady(Run run) {
  for (;; ::usleep(100)) {
    std::lock_guard<std::recursive_mutex> lock(fake().mutex);
    if (const Code code = run(); code != kNotReady)
      return code;
  }
}

bool anyCapture() {
  return std::any_of(fake().streams.begin(), fake().streams.end(), [](Stream *s) { return s->capture != nullptr; });
}

Code allocate(uint64_t *address, size_t bytes) {
  Fake &f = fake();
  if (bytes == 0)
    return kInvalidValue;
  if (anyCapture())
    return kCaptureUnsupported;
  if (f.inUse + bytes > f.most)
    return kOutOfMemory;
  void *memory = mmap(nullptr, pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return kOutOfMemory;
  std::memset(memory, 0xEE, pages(bytes)); // nobody wrote it
  mprotect(memory, pages(bytes), PROT_NONE);
  *address = reinterpret_cast<uint64_t>(memory);
  f.memory[*address] = bytes;
  f.inUse += bytes;
  return kSuccess;
}

Code release(uint64_t address) {
  Fake &f = fake();
  auto found = f.memory.find(address);
  if (found == f.memory.end())
    return kInvalidValue;
  munmap(reinterpret_cast<void *>(address), pages(found->second));
  f.inUse -= found->second;
  f.memory.erase(found);
  return kSuccess;
}

} // namespace

extern "C" {

/// What tests ask: how often a function of the driver was called.
int fakeCudaCalls(const char *name) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  return fake().calls[name];
}
/// Blocks of memory, streams, events and graphs that were not given back.
int fakeCudaLeaks() {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  return int(fake().memory.size() + fake().streams.size() + fake().events.size() + fake().graphs.size());
}
/// Work of `milliseconds` that does nothing, for stand-ins of libraries.
Code fakeCudaSpend(Stream *stream, double milliseconds) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  return put(stream, [milliseconds]() -> Code {
    fake().clock += milliseconds;
    return kSuccess;
  });
}
/// Adds work that may give kNotReady, for stand-ins of libraries. It may touch the device's memory.
Code fakeCudaPut(Stream *stream, Code (*run)(void *), void *data) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  return put(stream, [run, data]() -> Code {
    const Unlock unlock;
    return run(data);
  });
}
int fakeCudaIsMemory(uint64_t address, size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  return isMemory(address, bytes);
}
/// A new device, as after a start of the process, with `most` bytes of memory.
void fakeCudaReset(uint64_t most) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  fake().sticky = kSuccess;
  fake().calls.clear();
  fake().most = most;
  readFailures();
}

Code cuInit(unsigned) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  fake().isInitialized = true;
  readFailures();
  return enter("cuInit", false);
}
Code cuDriverGetVersion(int *version) {
  *version = 12040;
  return kSuccess;
}
Code cuDeviceGetCount(int *count) {
  ENTER(false);
  const char *text = std::getenv("FAKE_CUDA_DEVICES");
  *count = text ? std::atoi(text) : 1;
  return kSuccess;
}
Code cuDeviceGet(int *device, int ordinal) {
  ENTER(false);
  int count = 0;
  cuDeviceGetCount(&count);
  *device = ordinal;
  return ordinal >= 0 && ordinal < count ? kSuccess : kInvalidDevice;
}
Code cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, size_t(length), "Fake GPU (tests only)");
  return kSuccess;
}
Code cuDeviceGetAttribute(int *value, int attribute, int) {
  ENTER(false);
  *value = attribute == 75 ? 8 : attribute == 76 ? 0 : 1;
  return kSuccess;
}
Code cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = fake().most;
  return kSuccess;
}
Code cuDevicePrimaryCtxRetain(void **context, int) {
  ENTER(false);
  fake().isContextMade = true;
  *context = &fake();
  return kSuccess;
}
Code cuDevicePrimaryCtxRelease_v2(int) { return kSuccess; }
Code cuCtxSetCurrent(void *context) {
  isCurrent = context != nullptr;
  return kSuccess;
}
Code cuGetErrorName(Code code, const char **name) {
  static const std::map<Code, const char *> names = {{kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
                                                     {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                     {kNoDevice, "CUDA_ERROR_NO_DEVICE"},
                                                     {kNoBinary, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                                                     {kInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
                                                     {kNotFound, "CUDA_ERROR_NOT_FOUND"},
                                                     {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  auto found = names.find(code);
  *name = found == names.end() ? nullptr : found->second;
  return found == names.end() ? kInvalidValue : kSuccess;
}
Code cuGetErrorString(Code code, const char **text) {
  *text = code == kIllegalAddress ? "an illegal memory access was encountered"
          : code == kNoDevice     ? "no CUDA-capable device is detected"
          : code == kInvalidPtx   ? "a PTX JIT compilation failed"
                                  : "invalid";
  return kSuccess;
}

Code cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  ENTER();
  return allocate(address, bytes);
}
Code cuMemFree_v2(uint64_t address) {
  ENTER();
  return release(address);
}
Code cuMemAllocAsync(uint64_t *address, size_t bytes, Stream *) {
  ENTER();
  return allocate(address, bytes);
}
Code cuMemFreeAsync(uint64_t address, Stream *stream) {
  ENTER();
  return put(stream, [address] { return release(address); });
}
Code cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  ENTER();
  *memory = std::malloc(bytes);
  return *memory ? kSuccess : kOutOfMemory;
}
Code cuMemFreeHost(void *memory) {
  std::free(memory);
  return kSuccess;
}
Code cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, Stream *stream) {
  ENTER();
  return put(stream, [=]() -> Code {
    if (!isMemory(to, bytes))
      return kInvalidValue;
    const Unlock unlock;
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return kSuccess;
  });
}
Code cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, Stream *stream) {
  ENTER();
  return put(stream, [=]() -> Code {
    if (!isMemory(from, bytes))
      return kInvalidValue;
    const Unlock unlock;
    std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
    return kSuccess;
  });
}

Code cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, Stream *stream) {
  ENTER();
  return put(stream, [=]() -> Code {
    if (!isMemory(from, bytes) || !isMemory(to, bytes))
      return kInvalidValue;
    const Unlock unlock;
    std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes);
    fake().clock += 0.25;
    return kSuccess;
  });
}

/// CUDA_MEMCPY2D, of which pieces on the device alone are known here.
struct RowCopy {
  size_t fromX, fromY;
  unsigned fromType;
  const void *fromHost;
  uint64_t from;
  void *fromArray;
  size_t fromPitch, toX, toY;
  unsigned toType;
  void *toHost;
  uint64_t to;
  void *toArray;
  size_t toPitch, bytes, rows;
};
Code cuMemcpy2DAsync_v2(const RowCopy *given, Stream *stream) {
  ENTER();
  const RowCopy copy = *given;
  if (copy.fromType != 2 || copy.toType != 2 || copy.fromX || copy.fromY || copy.toX || copy.toY || copy.rows == 0 ||
      copy.bytes == 0 || copy.fromPitch < copy.bytes || copy.toPitch < copy.bytes)
    return kInvalidValue;
  return put(stream, [copy]() -> Code {
    if (!isMemory(copy.from, (copy.rows - 1) * copy.fromPitch + copy.bytes) ||
        !isMemory(copy.to, (copy.rows - 1) * copy.toPitch + copy.bytes))
      return kInvalidValue;
    const Unlock unlock;
    for (size_t row = 0; row < copy.rows; ++row)
      std::memcpy(reinterpret_cast<void *>(copy.to + row * copy.toPitch),
                  reinterpret_cast<const void *>(copy.from + row * copy.fromPitch), copy.bytes);
    return kSuccess;
  });
}
Code cuMemsetD8Async(uint64_t memory, unsigned char value, size_t bytes, Stream *stream) {
  ENTER();
  return put(stream, [=]() -> Code {
    if (!isMemory(memory, bytes))
      return kInvalidValue;
    const Unlock unlock;
    std::memset(reinterpret_cast<void *>(memory), value, bytes);
    return kSuccess;
  });
}

Code cuStreamCreate(Stream **stream, unsigned) {
  ENTER();
  *stream = new Stream();
  fake().streams.insert(*stream);
  return kSuccess;
}
Code cuStreamDestroy_v2(Stream *stream) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  if (fake().streams.erase(stream) == 0)
    return kInvalidHandle;
  if (!fake().sticky)
    runStream(*stream);
  delete stream;
  return kSuccess;
}
static Code queryStream(Stream *stream) {
  if (fake().streams.count(stream) == 0)
    return kInvalidHandle;
  return stream->capture ? kCaptureUnsupported : runStream(*stream);
}
static Code enterOnce(const char *name) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  return enter(name);
}
Code cuStreamSynchronize(Stream *stream) {
  if (const Code code = enterOnce(__func__))
    return code;
  return whenReady([&] { return queryStream(stream); });
}
Code cuStreamQuery(Stream *stream) {
  ENTER();
  return queryStream(stream);
}
Code cuStreamWaitEvent(Stream *stream, Event *event, unsigned) {
  ENTER();
  if (fake().events.count(event) == 0 || fake().streams.count(stream) == 0 || event->recorded == 0)
    return kInvalidHandle;
  stream->queue.push_back({nullptr, event, event->recorded});
  return kSuccess;
}

Code cuEventCreate(Event **event, unsigned) {
  ENTER();
  *event = new Event();
  fake().events.insert(*event);
  return kSuccess;
}
Code cuEventDestroy_v2(Event *event) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  if (fake().events.erase(event) == 0)
    return kInvalidHandle;
  delete event;
  return kSuccess;
}
Code cuEventRecord(Event *event, Stream *stream) {
  ENTER();
  if (fake().events.count(event) == 0)
    return kInvalidHandle;
  const uint64_t record = ++event->recorded;
  return put(stream, [event, record]() -> Code {
    event->reached = record;
    event->milliseconds = fake().clock;
    return kSuccess;
  });
}
static Code queryEvent(Event *event) {
  if (fake().events.count(event) == 0 || event->recorded == 0)
    return kInvalidHandle;
  return runUntil(*event, event->recorded);
}
Code cuEventSynchronize(Event *event) {
  if (const Code code = enterOnce(__func__))
    return code;
  return whenReady([&] { return queryEvent(event); });
}
Code cuEventQuery(Event *event) {
  ENTER();
  return queryEvent(event);
}
Code cuEventElapsedTime(float *milliseconds, Event *begin, Event *end) {
  ENTER();
  if (begin->reached == 0 || end->reached < end->recorded)
    return kInvalidHandle;
  *milliseconds = float(end->milliseconds - begin->milliseconds);
  return kSuccess;
}

Code cuModuleLoadDataEx(Module **module, const void *image, unsigned count, int *options, void **values) {
  ENTER();
  const std::string text = static_cast<const char *>(image), mark = "// fake: ";
  if (text.starts_with("// binary for another device"))
    return kNoBinary;
  if (std::getenv("FAKE_CUDA_NOTHING") && text.find(".entry ") != text.npos) {
    *module = new Module{nullptr, {}, text};
    return kSuccess;
  }
  void *handle = nullptr;
  if (text.starts_with(mark))
    handle = dlopen(text.substr(mark.size(), text.find('\n') - mark.size()).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    for (unsigned i = 0; i + 1 < count; ++i)
      if (options[i] == 5) // where the error log goes
        std::snprintf(static_cast<char *>(values[i]), 100, "fake ptxas, line 1; fatal: Unexpected '%.8s'\n",
                      text.c_str());
    return kInvalidPtx;
  }
  *module = new Module{handle, {}, {}};
  return kSuccess;
}
Code cuModuleUnload(Module *module) {
  if (module->handle)
    dlclose(module->handle);
  delete module;
  return kSuccess;
}
Code cuModuleGetFunction(Function **function, Module *module, const char *name) {
  ENTER();
  void *entry = module->handle ? dlsym(module->handle, name) : nullptr;
  if (!entry && module->text.find(".entry " + std::string(name) + "(") == std::string::npos)
    return kNotFound;
  Function &found = module->functions[name];
  found.entry = reinterpret_cast<Entry>(entry);
  found.name = name;
  *function = &found;
  return kSuccess;
}
Code cuFuncSetAttribute(Function *function, int attribute, int value) {
  ENTER();
  if (attribute != 8 || value > 99 * 1024)
    return kInvalidValue;
  function->sharedBytes = value;
  return kSuccess;
}

Code cuLaunchKernel(Function *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                    unsigned blockY, unsigned blockZ, unsigned sharedBytes, Stream *stream, void **params, void **) {
  ENTER();
  if (blockX * blockY * blockZ == 0 || blockX * blockY * blockZ > 1024 || int(sharedBytes) > function->sharedBytes)
    return kInvalidValue;
  // The driver copies the values; how large they are the entry says, here by a symbol beside it.
  std::vector<std::vector<char>> values;
  if (function->entry) {
    const std::string sizesName = function->name + "_params";
    Dl_info info;
    dladdr(reinterpret_cast<void *>(function->entry), &info);
    void *handle = dlopen(info.dli_fname, RTLD_NOW | RTLD_LOCAL);
    const auto *sizes = static_cast<const int *>(dlsym(handle, sizesName.c_str()));
    for (int i = 0; sizes && sizes[i]; ++i)
      values.emplace_back(static_cast<char *>(params[i]), static_cast<char *>(params[i]) + sizes[i]);
    dlclose(handle);
  }
  auto failure = fake().failures.find("kernel:" + function->name);
  const Code injected = failure == fake().failures.end() ? kSuccess : failure->second.first;
  const Entry entry = function->entry;
  return put(stream, [=]() mutable -> Code {
    if (injected)
      return injected;
    const Unlock unlock;
    std::vector<void *> pointers;
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    const unsigned grid[] = {gridX, gridY, gridZ}, block[] = {blockX, blockY, blockZ};
    if (entry)
      entry(pointers.data(), grid, block);
    fake().clock += 0.5;
    return kSuccess;
  });
}

Code cuStreamBeginCapture_v2(Stream *stream, int) {
  ENTER();
  if (stream->capture)
    return kCaptureUnsupported;
  stream->capture = new Graph();
  fake().graphs.insert(stream->capture);
  return kSuccess;
}
Code cuStreamEndCapture(Stream *stream, Graph **graph) {
  ENTER();
  *graph = stream->capture;
  stream->capture = nullptr;
  return *graph ? kSuccess : kInvalidValue;
}
Code cuGraphInstantiateWithFlags(Graph **exec, Graph *graph, unsigned long long) {
  ENTER();
  *exec = new Graph(*graph);
  fake().graphs.insert(*exec);
  return kSuccess;
}
Code cuGraphLaunch(Graph *exec, Stream *stream) {
  ENTER();
  for (const std::function<Code()> &node : exec->nodes)
    if (Code code = put(stream, node))
      return code;
  return kSuccess;
}
Code cuGraphDestroy(Graph *graph) {
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);
  if (fake().graphs.erase(graph) == 0)
    return kInvalidHandle;
  delete graph;
  return kSuccess;
}
Code cuGraphExecDestroy(Graph *graph) { return cuGraphDestroy(graph); }

} // extern "C"
