//===- Capture.h - capturing tensors that kernels write ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: a wrapper of a device that, when a launch is complete, writes each tensor that the kernel wrote to a file.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CAPTURE_H
#define MICA_LIB_RUNTOOL_CAPTURE_H

#include "mica/Runtime/Backend.h"
#include "mica/Support/HostTensor.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace mica::runtool {

/// One tensor a launch wrote.
struct CapturedTensor {
  std::string kernel;
  int64_t site = -1;
  size_t binding = 0;
  DType dtype = DType::F32;
  std::filesystem::path file; ///< .npy
};

/// The captured tensors; shared by the device and readers after the invocation.
struct Captures {
  std::filesystem::path folder;
  std::mutex mutex;
  std::vector<CapturedTensor> tensors; ///< in the order of completion
  Status failure;                      ///< the first file that could not be written
};

/// Wraps `inner`; `captures` must outlive it.
std::unique_ptr<runtime::Backend> captureBackend(std::unique_ptr<runtime::Backend> inner, Captures &captures);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CAPTURE_H
