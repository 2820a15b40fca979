//===- Driver.h - the functions of the CUDA driver that Mica calls ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The driver's library is opened when a program wants a GPU, so that Mica needs neither a toolkit to be built nor a
// driver to start. What is declared here is the part of the driver's binary interface that is used, under names of our
// own.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CUDA_DRIVER_H
#define MICA_LIB_RUNTIME_CUDA_DRIVER_H

#include "mica/Support/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace mica::runtime::cuda {

using Code = int; ///< CUresult; 0 is success
using DeviceAddress = uint64_t;
using Device = int;
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;
using Event = struct EventTag *;
using Graph = struct GraphTag *;
using GraphExec = struct GraphExecTag *;

/// A copy of rows (CUDA_MEMCPY2D).
struct RowCopy {
  enum : unsigned { kDevice = 2 }; ///< CU_MEMORYTYPE_DEVICE
  size_t fromX = 0, fromY = 0;
  unsigned fromType = kDevice;
  const void *fromHost = nullptr;
  DeviceAddress from = 0;
  void *fromArray = nullptr;
  size_t fromPitch = 0;
  size_t toX = 0, toY = 0;
  unsigned toType = kDevice;
  void *toHost = nullptr;
  DeviceAddress to = 0;
  void *toArray = nullptr;
  size_t toPitch = 0;
  size_t bytes = 0, rows = 0;
};
static_assert(sizeof(RowCopy) == 128, "as the driver has it");

/// Codes that are distinguished.
enum : Code { kSuccess = 0, kOutOfMemory = 2, kNoBinaryForGpu = 209, kNotFound = 500, kNotReady = 600 };

/// Name, symbol of the driver, parameters; all give a Code.
#define MICA_CUDA_FUNCTIONS(X)                                                                                         \
  X(init, "cuInit", (unsigned flags))                                                                                  \
  X(driverGetVersion, "cuDriverGetVersion", (int *version))                                                            \
  X(deviceGetCount, "cuDeviceGetCount", (int *count))                                                                  \
  X(deviceGet, "cuDeviceGet", (Device * device, int ordinal))                                                          \
  X(deviceGetName, "cuDeviceGetName", (char *name, int length, Device device))                                         \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, Device device))                            \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t * bytes, Device device))                                            \
  X(primaryContextRetain, "cuDevicePrimaryCtxRetain", (Context * context, Device device))                              \
  X(primaryContextRelease, "cuDevicePrimaryCtxRelease_v2", (Device device))                                            \
  X(contextSetCurrent, "cuCtxSetCurrent", (Context context))                                                           \
  X(getErrorName, "cuGetErrorName", (Code code, const char **name))                                                    \
  X(getErrorString, "cuGetErrorString", (Code code, const char **text))                                                \
  X(memAlloc, "cuMemAlloc_v2", (DeviceAddress * memory, size_t bytes))                                                 \
  X(memFree, "cuMemFree_v2", (DeviceAddress memory))                                                                   \
  X(memHostAlloc, "cuMemHostAlloc", (void **memory, size_t bytes, unsigned flags))                                     \
  X(memFreeHost, "cuMemFreeHost", (void *memory))                                                                      \
  X(copyToDevice, "cuMemcpyHtoDAsync_v2", (DeviceAddress to, const void *from, size_t bytes, Stream stream))           \
  X(copyToHost, "cuMemcpyDtoHAsync_v2", (void *to, DeviceAddress from, size_t bytes, Stream stream))                   \
  X(copyRows, "cuMemcpy2DAsync_v2", (const RowCopy *copy, Stream stream))                                              \
  X(setBytes, "cuMemsetD8Async", (DeviceAddress memory, unsigned char value, size_t bytes, Stream stream))             \
  X(streamCreate, "cuStreamCreate", (Stream * stream, unsigned flags))                                                 \
  X(streamDestroy, "cuStreamDestroy_v2", (Stream stream))                                                              \
  X(streamSynchronize, "cuStreamSynchronize", (Stream stream))                                                         \
  X(streamQuery, "cuStreamQuery", (Stream stream))                                                                     \
  X(streamWaitEvent, "cuStreamWaitEvent", (Stream stream, Event event, unsigned flags))                                \
  X(eventCreate, "cuEventCreate", (Event * event, unsigned flags))                                                     \
  X(eventDestroy, "cuEventDestroy_v2", (Event event))                                                                  \
  X(eventRecord, "cuEventRecord", (Event event, Stream stream))                                                        \
  X(eventQuery, "cuEventQuery", (Event event))                                                                         \
  X(eventSynchronize, "cuEventSynchronize", (Event event))                                                             \
  X(eventElapsedTime, "cuEventElapsedTime", (float *milliseconds, Event begin, Event end))                             \
  X(moduleLoadDataEx, "cuModuleLoadDataEx",                                                                            \
    (Module * module, const void *image, unsigned count, int *options, void **values))                                 \
  X(moduleUnload, "cuModuleUnload", (Module module))                                                                   \
  X(moduleGetFunction, "cuModuleGetFunction", (Function * function, Module module, const char *name))                  \
  X(functionSetAttribute, "cuFuncSetAttribute", (Function function, int attribute, int value))                         \
  X(launchKernel, "cuLaunchKernel",                                                                                    \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,              \
     unsigned blockZ, unsigned sharedBytes, Stream stream, void **params, void **extra))

/// Those an older driver may not have; null there.
#define MICA_CUDA_OPTIONAL_FUNCTIONS(X)                                                                                \
  X(memAllocAsync, "cuMemAllocAsync", (DeviceAddress * memory, size_t bytes, Stream stream))                           \
  X(memFreeAsync, "cuMemFreeAsync", (DeviceAddress memory, Stream stream))                                             \
  X(copyOnDevice, "cuMemcpyDtoDAsync_v2", (DeviceAddress to, DeviceAddress from, size_t bytes, Stream stream))         \
  X(beginCapture, "cuStreamBeginCapture_v2", (Stream stream, int mode))                                                \
  X(endCapture, "cuStreamEndCapture", (Stream stream, Graph * graph))                                                  \
  X(graphInstantiate, "cuGraphInstantiateWithFlags", (GraphExec * exec, Graph graph, unsigned long long flags))        \
  X(graphLaunch, "cuGraphLaunch", (GraphExec exec, Stream stream))                                                     \
  X(graphDestroy, "cuGraphDestroy", (Graph graph))                                                                     \
  X(graphExecDestroy, "cuGraphExecDestroy", (GraphExec exec))

/// The driver of this machine. Immutable once open; closed with the last user.
class Driver {
public:
  /// Opens `library` and starts the driver. Unsupported, with what the loader or the driver said, where there is none.
  static Result<std::shared_ptr<const Driver>> open(const std::string &library = "libcuda.so.1");
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;
  ~Driver();

#define MICA_CUDA_MEMBER(name, symbol, parameters) Code(*name) parameters = nullptr;
  MICA_CUDA_FUNCTIONS(MICA_CUDA_MEMBER)
  MICA_CUDA_OPTIONAL_FUNCTIONS(MICA_CUDA_MEMBER)
#undef MICA_CUDA_MEMBER

  /// Success, or an error that says what was tried ("cannot upload 64 bytes"), and the driver's text, name and code.
  Status check(Code code, const std::string &what) const;
  /// "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)".
  std::string text(Code code) const;
  /// Whether streams can be captured as graphs.
  bool hasGraphs() const {
    return beginCapture && endCapture && graphInstantiate && graphLaunch && graphDestroy && graphExecDestroy;
  }
  int count() const { return devices; }
  int version() const { return driverVersion; } ///< 1000 * major + 10 * minor of the CUDA it knows

private:
  Driver() = default;
  void *handle = nullptr;
  int devices = 0, driverVersion = 0;
};

/// After it the context is of no more use: the driver answers every call with the same code.
bool isSticky(Code code);

} // namespace mica::runtime::cuda

#endif // MICA_LIB_RUNTIME_CUDA_DRIVER_H
