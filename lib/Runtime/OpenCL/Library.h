//===- OpenCL/Library.h - the functions of OpenCL that Mica calls -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The loader of drivers (ICDs) is opened when a program wants a device, so that Mica needs neither headers to be built
// nor a driver to start. What is declared here is the part of OpenCL's binary interface that is used, under names of
// our own; the numbers are those of Khronos' cl.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPENCL_LIBRARY_H
#define MICA_LIB_RUNTIME_OPENCL_LIBRARY_H

#include "mica/Support/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace mica::runtime::opencl {

using Code = int32_t; ///< cl_int; 0 is success
using Platform = struct PlatformTag *;
using Device = struct DeviceTag *;
using Context = struct ContextTag *;
using Queue = struct QueueTag *;
using Program = struct ProgramTag *;
using Kernel = struct KernelTag *;
using Event = struct EventTag *;

/// Codes that are distinguished.
enum : Code {
  kSuccess = 0,
  kDeviceNotFound = -1,
  kDeviceNotAvailable = -2,
  kOutOfDeviceMemory = -4,
  kOutOfResources = -5,
  kOutOfHostMemory = -6,
  kBuildFailed = -11,
  kInvalidDevice = -33,
  kInvalidContext = -34,
  kInvalidQueue = -36,
  kInvalidBinary = -42,
  kInvalidGroupSize = -54,
  kNoPlatform = -1001, ///< of the loader: there are no drivers
};

/// What is asked of devices, programs, kernels and events.
enum : uint32_t {
  kPlatformVersion = 0x0901,
  kDeviceComputeUnits = 0x1002,
  kDeviceAllocation = 0x1010,
  kDeviceSingleFloats = 0x101B,
  kDeviceMemory = 0x101F,
  kDeviceLocalMemory = 0x1023,
  kDeviceName = 0x102B,
  kDeviceDriver = 0x102D,
  kDeviceVersion = 0x102F,
  kDeviceExtensions = 0x1030,
  kDeviceDoubleFloats = 0x1032,
  kDeviceSharedMemory = 0x1053,
  kDeviceLanguages = 0x105B,
  kBuildLog = 0x1183,
  kKernelGroupSize = 0x11B0,
  kKernelLocalMemory = 0x11B2,
  kKernelPointers = 0x11B6,
  kEventStatus = 0x11D3,
  kEventStart = 0x1282,
  kEventEnd = 0x1283,
};

/// Bits and properties that are passed.
enum : uint64_t {
  kAllDevices = 0xFFFFFFFF,
  kCorrectDivision = 1 << 7, ///< of kDeviceSingleFloats
  kCoarseSharing = 1 << 0,   ///< of kDeviceSharedMemory
  kReadWrite = 1 << 0,
  kQueueProperties = 0x1093,
  kProfiling = 1 << 1,
};

/// Name, symbol, result, parameters.
#define MICA_OPENCL_FUNCTIONS(X)                                                                                       \
  X(getPlatforms, "clGetPlatformIDs", Code, (uint32_t room, Platform * platforms, uint32_t * count))                   \
  X(getPlatformInfo, "clGetPlatformInfo", Code,                                                                        \
    (Platform platform, uint32_t what, size_t room, void *value, size_t *size))                                        \
  X(getDevices, "clGetDeviceIDs", Code,                                                                                \
    (Platform platform, uint64_t kinds, uint32_t room, Device * devices, uint32_t * count))                            \
  X(getDeviceInfo, "clGetDeviceInfo", Code, (Device device, uint32_t what, size_t room, void *value, size_t *size))    \
  X(createContext, "clCreateContext", Context,                                                                         \
    (const intptr_t *properties, uint32_t count, const Device *devices, void *notify, void *data, Code *code))         \
  X(releaseContext, "clReleaseContext", Code, (Context context))                                                       \
  X(releaseQueue, "clReleaseCommandQueue", Code, (Queue queue))                                                        \
  X(createProgramWithBinary, "clCreateProgramWithBinary", Program,                                                     \
    (Context context, uint32_t count, const Device *devices, const size_t *sizes, const unsigned char **binaries,      \
     Code *loaded, Code *code))                                                                                        \
  X(buildProgram, "clBuildProgram", Code,                                                                              \
    (Program program, uint32_t count, const Device *devices, const char *options, void *notify, void *data))           \
  X(getBuildInfo, "clGetProgramBuildInfo", Code,                                                                       \
    (Program program, Device device, uint32_t what, size_t room, void *value, size_t *size))                           \
  X(releaseProgram, "clReleaseProgram", Code, (Program program))                                                       \
  X(createKernel, "clCreateKernel", Kernel, (Program program, const char *name, Code *code))                           \
  X(getGroupInfo, "clGetKernelWorkGroupInfo", Code,                                                                    \
    (Kernel kernel, Device device, uint32_t what, size_t room, void *value, size_t *size))                             \
  X(releaseKernel, "clReleaseKernel", Code, (Kernel kernel))                                                           \
  X(setArgument, "clSetKernelArg", Code, (Kernel kernel, uint32_t index, size_t bytes, const void *value))             \
  X(launch, "clEnqueueNDRangeKernel", Code,                                                                            \
    (Queue queue, Kernel kernel, uint32_t dimensions, const size_t *offset, const size_t *global, const size_t *local, \
     uint32_t waits, const Event *after, Event *event))                                                                \
  X(flush, "clFlush", Code, (Queue queue))                                                                             \
  X(finish, "clFinish", Code, (Queue queue))                                                                           \
  X(waitForEvents, "clWaitForEvents", Code, (uint32_t count, const Event *events))                                     \
  X(getEventInfo, "clGetEventInfo", Code, (Event event, uint32_t what, size_t room, void *value, size_t *size))        \
  X(getEventTime, "clGetEventProfilingInfo", Code,                                                                     \
    (Event event, uint32_t what, size_t room, void *value, size_t *size))                                              \
  X(releaseEvent, "clReleaseEvent", Code, (Event event))

/// Those of OpenCL 2.0 and later; null where an older loader lacks them.
#define MICA_OPENCL_OPTIONAL_FUNCTIONS(X)                                                                              \
  X(createQueue, "clCreateCommandQueueWithProperties", Queue,                                                          \
    (Context context, Device device, const uint64_t *properties, Code *code))                                          \
  X(createProgramWithIL, "clCreateProgramWithIL", Program,                                                             \
    (Context context, const void *words, size_t bytes, Code *code))                                                    \
  X(allocate, "clSVMAlloc", void *, (Context context, uint64_t flags, size_t bytes, uint32_t alignment))               \
  X(release, "clSVMFree", void, (Context context, void *memory))                                                       \
  X(copy, "clEnqueueSVMMemcpy", Code,                                                                                  \
    (Queue queue, uint32_t waits, void *to, const void *from, size_t bytes, uint32_t count, const Event *after,        \
     Event *event))                                                                                                    \
  X(setPointer, "clSetKernelArgSVMPointer", Code, (Kernel kernel, uint32_t index, const void *value))                  \
  X(setKernelInfo, "clSetKernelExecInfo", Code, (Kernel kernel, uint32_t what, size_t bytes, const void *value))

/// The loader of this machine. Immutable once open; a copy may have other functions, for tests.
class Library {
public:
  /// Opens `file`. Unsupported, with what the system said, where there is none.
  static Result<std::shared_ptr<const Library>> open(const std::string &file = "libOpenCL.so.1");

#define MICA_OPENCL_MEMBER(name, symbol, result, parameters) result(*name) parameters = nullptr;
  MICA_OPENCL_FUNCTIONS(MICA_OPENCL_MEMBER)
  MICA_OPENCL_OPTIONAL_FUNCTIONS(MICA_OPENCL_MEMBER)
#undef MICA_OPENCL_MEMBER

  /// Success, or an error that says what was tried ("cannot upload 64 bytes"), and the code's name and number.
  Status check(Code code, const std::string &what) const;
  /// The text `what` of a device or platform; "" where there is none.
  std::string deviceText(Device device, uint32_t what) const;
  /// The number `what` of a device; 0 where it does not say.
  uint64_t deviceNumber(Device device, uint32_t what) const;

private:
  Library() = default;
};

/// "CL_OUT_OF_RESOURCES, -5".
std::string codeText(Code code);

/// After it the device takes no more work of this process.
bool isFinal(Code code);

} // namespace mica::runtime::opencl

#endif // MICA_LIB_RUNTIME_OPENCL_LIBRARY_H
