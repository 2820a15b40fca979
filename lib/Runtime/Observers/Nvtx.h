//===- Nvtx.h - ranges of launches for NVIDIA's profilers -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime. A profiler that wants ranges names its library in NVTX_INJECTION64_PATH, as it does for every
// program that uses NVTX; nobody else pays for them.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OBSERVERS_NVTX_H
#define MICA_LIB_RUNTIME_OBSERVERS_NVTX_H

#include "mica/Runtime/Observer.h"

namespace mica::runtime {

/// An observer that makes a range of each launch, "mica.softmax [3f2a91c07b1e] softmax_5x64xf32 on gpu:0", from when it
/// is handed to its device until it is complete. Null where NVTX_INJECTION64_PATH is not set or its library does not
/// take ranges; the log topic runtime says why.
std::unique_ptr<Observer> createNvtxObserver();

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_OBSERVERS_NVTX_H
