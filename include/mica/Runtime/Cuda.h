//===- Cuda.h - GPUs of NVIDIA ----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// By the CUDA driver, whose library is opened when one of these is called. No toolkit is needed.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_CUDA_H
#define MICA_RUNTIME_CUDA_H

#include "mica/Runtime/Backend.h"

namespace mica::runtime {

/// Device `ordinal` of the driver in `library`, for programs of --target=cuda. Fails with Unsupported, and what loader
/// or driver said, where there is no driver or no such device. Without `graphs` launches that come again are launched
/// one by one, as often as they come.
Result<std::unique_ptr<Backend>> createCudaBackend(int ordinal, std::string name,
                                                   const std::string &library = "libcuda.so.1", bool graphs = true);

/// A line per device: name, sm, multiprocessors, memory, driver. Fails as createCudaBackend().
Result<std::vector<std::string>> describeCudaDevices(const std::string &library = "libcuda.so.1");

} // namespace mica::runtime

#endif // MICA_RUNTIME_CUDA_H
