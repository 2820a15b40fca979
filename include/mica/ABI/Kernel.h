//===- Kernel.h - the contract between generated kernels and the runtime ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What a compiled kernel looks like to the runtime. Plain C, no includes beyond libc: the compiler emits code against
// this text and the runtime calls through it, so it changes by the rules of Program.h alone.
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

/// Alignment in bytes of every buffer the runtime hands to a kernel, and of `scratch`.
#define MICA_BUFFER_ALIGNMENT 64

/// What a kernel call receives. Owned by the caller for the length of the call.
typedef struct mica_kernel_args_v1 {
  /// One base address per buffer binding of the kernel, in the order of its launch record. Never aliases another
  /// binding that is written.
  void *const *buffers;
  /// First every dynamic dimension of every binding (binding by binding, outermost dimension first), then the kernel's
  /// own scalar arguments; each widened to 64 bits.
  const int64_t *scalars;
  /// Memory for this call alone, of the launch record's `scratch_bytes`; NULL where that is 0. Contents undefined.
  void *scratch;
  /// This call's share of the kernel's work: share `part` of `parts` equal ones, 0 <= part < parts. All `parts` calls
  /// together do the work once; they may run at the same time, in any order. A serial kernel is called with (0, 1).
  int64_t part;
  int64_t parts;
  /// The launch's log. Read by kernels that were compiled with checks (MICA_FEATURE_CHECKS). For those that launch code
  /// on a GPU or in the simulator, the device's address of a mica_gpu_check_log_v1 (MICA_FEATURE_GPU_CHECKS).
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
