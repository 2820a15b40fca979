//===- Kernel.h - the contract between generated kernels and the runtime ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The calling convention of compiled kernels. Plain C, without includes beyond libc. Compiler and runtime both depend
// on it, so it changes only by the rules of Program.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_KERNEL_H
#define MICA_ABI_KERNEL_H

#include "mica/ABI/Checks.h"
#include "mica/ABI/Gpu.h"
#include "mica/ABI/Program.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Alignment in bytes of all buffers that the runtime passes to a kernel, and of `scratch`.
#define MICA_BUFFER_ALIGNMENT 64

/// The arguments of a kernel call. Owned by the caller for the duration of the call.
typedef struct mica_kernel_args_v1 {
  /// One base address per buffer binding of the kernel, in the order of its launch record. A binding that is written
  /// aliases no other binding.
  void *const *buffers;
  /// First every dynamic dimension of every binding (binding by binding, outermost dimension first), then the kernel's
  /// own scalar arguments; each widened to 64 bits.
  const int64_t *scalars;
  /// Uninitialized memory for this call alone, of the launch record's `scratch_bytes`; NULL if that is 0.
  void *scratch;
  /// The work partition of this call: partition `part` of `parts` equal ones, 0 <= part < parts. All `parts` calls
  /// together do the work once; they may run concurrently, in any order. A serial kernel is called with (0, 1).
  int64_t part;
  int64_t parts;
  /// The launch's log, for kernels compiled with checks (MICA_FEATURE_CHECKS). For wrappers of GPU or simulator code,
  /// the device address of a mica_gpu_check_log_v1 (MICA_FEATURE_GPU_CHECKS).
  mica_check_log_v1 *checks;
  /// The device's queue, for wrappers of kernels on a GPU (MICA_FEATURE_GPU). NULL on the CPU and in the simulator.
  const mica_gpu_services_v1 *gpu;
} mica_kernel_args_v1;

/// A kernel: the symbol `mica_kernel_<name>` of program.so. Returns 0, or a nonzero code that makes the task fail.
typedef int32_t (*mica_kernel_fn_v1)(const mica_kernel_args_v1 *args);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_KERNEL_H
