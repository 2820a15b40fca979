//===- Gpu.h - the contract between the host side of GPU kernels and the runtime -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// On a GPU target the function `mica_kernel_<name>` of program.so (Kernel.h) is a host-side wrapper: it computes grids
// and parameters from the sizes in `scalars`, and queues one or more launches through the table `gpu` of its arguments.
// The launches run on the device in order, and the wrapper returns without waiting for them. The addresses in `buffers`
// and `scratch` are device addresses: the wrapper may add to them, but must not dereference them.
//
// Temporary memory of a kernel lies in `scratch` if its size does not depend on `scalars`; else the wrapper allocates
// it. Allocations are ordered with the launches of the queue: released memory can be reused at once, because the
// launches that use it next run after those that used it before. Launches may be recorded and replayed without the
// wrapper, so equal requests in the same state of the queue must return equal addresses.
//
// A launch runs an entry of `kernels/<kernel>/kernel.ptx` or `kernel.cubin` of the artifact. For target `sim` both the
// wrapper and the simulated code lie in program.so, and the wrapper calls the simulator (Sim.h); `gpu` is then NULL, as
// it is on the CPU.
//
// Kernels compiled with checks have a log in memory that both the device and the host can access: `checks` of the
// arguments is the device address of a mica_gpu_check_log_v1, followed by one record per check site. A thread whose
// check fails increments the count and continues, where a load yields 0 and a store is dropped; the first failing
// thread of a site stores its values. So the size of the log depends only on the number of sites, the first failure of
// each site is complete, and the device's context stays usable. The host reads the log when the task is complete. Plain
// C; see Kernel.h for versioning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_GPU_H
#define MICA_ABI_GPU_H

#include "mica/ABI/Checks.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One launch. Owned by the wrapper; `launch` copies what it needs, including the parameters' values, before it
/// returns.
typedef struct mica_gpu_launch_v1 {
  const char *entry;             ///< `.entry` of the kernel's code
  const char *kernel;            ///< the kernel of the manifest whose code has the entry: the folder below kernels/
  uint32_t grid[3];              ///< blocks in x, y, z; if one of them is 0, nothing runs, and this is not an error
  uint32_t block[3];             ///< threads of a block in x, y, z
  uint32_t dynamic_shared_bytes; ///< dynamic workgroup memory of a block
  int32_t param_count;           ///< number of parameters of the entry
  void *const *params;           ///< host address of each parameter's value, which has the size that the entry declares
} mica_gpu_launch_v1;

/// The record of one check site of a kernel on a device. All zero before the launch.
typedef struct mica_gpu_check_record_v1 {
  int64_t count;                     ///< number of failures; incremented atomically
  int64_t order;                     ///< of the first failure: the number of sites in the log that had failed before it
  int64_t block[3];                  ///< of the first failure: the block
  int64_t thread[3];                 ///< of the first failure: the thread
  int64_t num_values;                ///< of the first failure: the number of values in `values`
  int64_t values[MICA_CHECK_VALUES]; ///< as in mica_check_record_v1
} mica_gpu_check_record_v1;

/// The header of a launch's log, in front of the records.
typedef struct mica_gpu_check_log_v1 {
  int64_t failed;      ///< number of sites with a failure; incremented atomically
  int64_t is_error;    ///< set by the runtime: nonzero if a failed check makes the task fail
  int64_t found;       ///< number of sites that stored NaN or an infinity (not failed checks); incremented atomically
  int64_t reserved[5]; ///< 0
} mica_gpu_check_log_v1;

/// Status of a wrapper whose allocation failed; the runtime keeps the reason.
#define MICA_GPU_NO_MEMORY 19780

/// Services of the runtime for wrappers. `allocate` and `release` need MICA_FEATURE_GPU_MEMORY. Owned by the runtime;
/// valid during the call of the wrapper, on its thread.
typedef struct mica_gpu_services_v1 {
  void *queue; ///< for `launch`
  /// Queues a launch. Returns 0, or a nonzero code, which the wrapper must return at once; the runtime keeps the error
  /// message.
  int32_t (*launch)(void *queue, const mica_gpu_launch_v1 *launch);
  /// Allocates at least `bytes` bytes of uninitialized device memory for the launches that follow, aligned to
  /// MICA_BUFFER_ALIGNMENT. Returns NULL on failure: the wrapper then launches nothing more and returns
  /// MICA_GPU_NO_MEMORY; the runtime keeps the error message.
  void *(*allocate)(void *queue, int64_t bytes);
  /// Releases memory that `allocate` returned; NULL is allowed. Memory that the wrapper does not release is released
  /// when it returns.
  void (*release)(void *queue, void *memory);
} mica_gpu_services_v1;

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_GPU_H
