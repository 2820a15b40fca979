//===- Cuda.h - NVIDIA GPUs -------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Uses the CUDA driver, whose library is opened on the first call. No toolkit is needed.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_CUDA_H
#define MICA_RUNTIME_CUDA_H

#include "mica/Runtime/Backend.h"

namespace mica::runtime {

/// Device `ordinal` of the driver in `library`, for programs of --target=cuda. Fails with Unsupported, and the message
/// of the loader or driver, if there is no driver or no such device. `graphs`: repeated launches are submitted as CUDA
/// graphs; otherwise one by one.
Result<std::unique_ptr<Backend>> createCudaBackend(int ordinal, std::string name,
                                                   const std::string &library = "libcuda.so.1", bool graphs = true);

/// A line per device: name, sm, multiprocessors, memory, driver. Fails as createCudaBackend().
Result<std::vector<std::string>> describeCudaDevices(const std::string &library = "libcuda.so.1");

} // namespace mica::runtime

#endif // MICA_RUNTIME_CUDA_H
