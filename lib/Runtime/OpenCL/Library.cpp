//===- OpenCL/Library.cpp - the functions of OpenCL that Mica calls ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpenCL/Library.h"

#include "lib/Runtime/SharedLibrary.h"

namespace mica::runtime::opencl {

Result<std::shared_ptr<const Library>> Library::open(const std::string &file) {
  MICA_ASSIGN_OR_RETURN(
      SharedLibrary loaded,
      SharedLibrary::open(file, "install the device's OpenCL driver and the loader (Debian: ocl-icd-libopencl1, and "
                                "pocl-opencl-icd for the CPU), or compile with --target=cpu or --target=sim"));
  std::shared_ptr<Library> library(new Library());
#define MICA_OPENCL_FIND(name, symbol, result, parameters) loaded.find(library->name, symbol, /*isNeeded=*/true);
#define MICA_OPENCL_TRY(name, symbol, result, parameters) loaded.find(library->name, symbol, /*isNeeded=*/false);
  MICA_OPENCL_FUNCTIONS(MICA_OPENCL_FIND)
  MICA_OPENCL_OPTIONAL_FUNCTIONS(MICA_OPENCL_TRY)
#undef MICA_OPENCL_FIND
#undef MICA_OPENCL_TRY
  if (!loaded.missing().empty())
    return Error{ErrorCode::Unsupported, file + " lacks " + loaded.missing(),
                 "install a loader of OpenCL 2.1 or later"};
  return std::shared_ptr<const Library>(std::move(library));
}

Status Library::check(Code code, const std::string &what) const {
  if (code == kSuccess)
    return {};
  return Error{ErrorCode::Io, "OpenCL: " + what + ": " + codeText(code),
               isFinal(code) ? "the device takes no more work: run the program again" : ""};
}

std::string Library::deviceText(Device device, uint32_t what) const {
  size_t size = 0;
  if (getDeviceInfo(device, what, 0, nullptr, &size) != kSuccess || size == 0)
    return "";
  std::string text(size, '\0');
  if (getDeviceInfo(device, what, size, text.data(), nullptr) != kSuccess)
    return "";
  text.resize(text.find('\0') == text.npos ? size : text.find('\0'));
  return text;
}

uint64_t Library::deviceNumber(Device device, uint32_t what) const {
  // Little-endian: a number of 32 bits leaves the upper half 0.
  uint64_t number = 0;
  return getDeviceInfo(device, what, sizeof number, &number, nullptr) == kSuccess ? number : 0;
}

namespace {
struct CodeName {
  Code code;
  const char *name;
};
} // namespace

static constexpr CodeName kNames[] = {
    {-1, "CL_DEVICE_NOT_FOUND"},
    {-2, "CL_DEVICE_NOT_AVAILABLE"},
    {-3, "CL_COMPILER_NOT_AVAILABLE"},
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {-5, "CL_OUT_OF_RESOURCES"},
    {-6, "CL_OUT_OF_HOST_MEMORY"},
    {-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
    {-11, "CL_BUILD_PROGRAM_FAILURE"},
    {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {-17, "CL_LINK_PROGRAM_FAILURE"},
    {-30, "CL_INVALID_VALUE"},
    {-32, "CL_INVALID_PLATFORM"},
    {-33, "CL_INVALID_DEVICE"},
    {-34, "CL_INVALID_CONTEXT"},
    {-36, "CL_INVALID_COMMAND_QUEUE"},
    {-42, "CL_INVALID_BINARY"},
    {-43, "CL_INVALID_BUILD_OPTIONS"},
    {-44, "CL_INVALID_PROGRAM"},
    {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {-46, "CL_INVALID_KERNEL_NAME"},
    {-48, "CL_INVALID_KERNEL"},
    {-49, "CL_INVALID_ARG_INDEX"},
    {-50, "CL_INVALID_ARG_VALUE"},
    {-51, "CL_INVALID_ARG_SIZE"},
    {-52, "CL_INVALID_KERNEL_ARGS"},
    {-53, "CL_INVALID_WORK_DIMENSION"},
    {-54, "CL_INVALID_WORK_GROUP_SIZE"},
    {-55, "CL_INVALID_WORK_ITEM_SIZE"},
    {-56, "CL_INVALID_GLOBAL_OFFSET"},
    {-58, "CL_INVALID_EVENT"},
    {-59, "CL_INVALID_OPERATION"},
    {-61, "CL_INVALID_BUFFER_SIZE"},
    {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

std::string codeText(Code code) {
  for (const CodeName &known : kNames)
    if (known.code == code)
      return std::string(known.name) + ", " + std::to_string(code);
  return "OpenCL error " + std::to_string(code);
}

bool isFinal(Code code) {
  return code == kDeviceNotFound || code == kDeviceNotAvailable || code == kInvalidDevice || code == kInvalidContext ||
         code == kInvalidQueue;
}

} // namespace mica::runtime::opencl
