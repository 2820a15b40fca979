//===- InsideTensors.h - what a kernel keeps inside ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime; the switch dump-exact. The kernel itself stays as it is: its dump replay
// (artifact::DumpReplay) computes the same from the same inputs.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_INSIDETENSORS_H
#define MICA_LIB_RUNTIME_INSIDETENSORS_H

#include "mica/ABI/Kernel.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Tensor.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <vector>

namespace mica::runtime {

/// One of artifact::DumpReplay::tensors of one launch.
struct InsideTensor {
  std::vector<int64_t> shape;
  int64_t elements = 1;
  Buffer data;
};

/// Runs `function`, the dump replay of the kernel of `launch`, whose buffers still hold what it reads. Io: no memory.
Result<std::vector<InsideTensor>> computeInside(const Launch &launch, mica_kernel_fn_v1 function);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_INSIDETENSORS_H
