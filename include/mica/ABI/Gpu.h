//===- Gpu.h - the contract between the host side of GPU kernels and the runtime -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// On a GPU target the function `mica_kernel_<name>` of program.so (Kernel.h) is a wrapper on the host: from the sizes
// in `scalars` it works out grids and parameters and asks the runtime, through the table `gpu` of its arguments, for
// one launch or several. They are put into a queue of the device, in order, and the wrapper returns without waiting for
// them. The addresses in `buffers` and `scratch` are the device's: the wrapper may add to them, and must not read
// through them.
//
// Memory for what a kernel computes on the way lies in `scratch`, where its size does not depend on `scalars`; else the
// wrapper asks for it. It belongs to the queue, in its order: what is given back may be given again at once, as
// launches that get it come after those that had it. Since launches may be kept and run again without the wrapper,
// addresses that it is given in the same state of the queue for the same numbers are the same.
//
// What is launched is an entry of `kernels/<kernel>/kernel.ptx` or `kernel.cubin` of the artifact. For target `sim` the
// wrapper and the simulated code both lie in program.so, and the wrapper calls the simulator (Sim.h); `gpu` is NULL
// then, as it is on the CPU.
//
// Kernels that check themselves have a log in memory that the device and the host can both reach: `checks` of the
// arguments is the device's address of a mica_gpu_check_log_v1, with a record per site behind it. A thread whose check
// fails counts, the first one at a site writes what it saw, and it goes on: a load gives 0, a store is dropped. So a
// log is as large as the kernel has sites however often they fail, nothing is lost of the first, and the context of the
// device stays usable. The host reads it when the task is complete, for which it need not wait longer than for the
// task. Plain C; see Kernel.h for versioning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_GPU_H
#define MICA_ABI_GPU_H

#include "mica/ABI/Checks.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One launch. Owned by the wrapper; the runtime has copied what it needs, the parameters' values too, when `launch`
/// returns.
typedef struct mica_gpu_launch_v1 {
  const char *entry;             ///< `.entry` of the kernel's code
  const char *kernel;            ///< the kernel of the manifest whose code has it: the folder below kernels/
  uint32_t grid[3];              ///< blocks in x, y, z; where one of them is 0, nothing runs and that is no error
  uint32_t block[3];             ///< threads of a block in x, y, z
  uint32_t dynamic_shared_bytes; ///< of dynamic workgroup memory of a block
  int32_t param_count;           ///< how many parameters the entry has
  void *const *params;           ///< the address of each parameter's value, on the host, of the size the entry declares
} mica_gpu_launch_v1;

/// One site of a kernel on a device. All zero before the launch.
typedef struct mica_gpu_check_record_v1 {
  int64_t count;                     ///< how often it failed; counted atomically
  int64_t order;                     ///< of the first failure: how many sites of the log had failed before
  int64_t block[3];                  ///< and the block it was in
  int64_t thread[3];                 ///< and its thread
  int64_t num_values;                ///< and how many of `values` it wrote
  int64_t values[MICA_CHECK_VALUES]; ///< as in mica_check_record_v1
} mica_gpu_check_record_v1;

/// What lies before the records of a launch's log.
typedef struct mica_gpu_check_log_v1 {
  int64_t failed;      ///< how many sites failed; counted atomically
  int64_t is_error;    ///< the runtime's: nonzero where a failed check makes the task fail
  int64_t found;       ///< how many sites stored NaN or an infinity, which are no failed checks; counted atomically
  int64_t reserved[5]; ///< 0
} mica_gpu_check_log_v1;

/// What a wrapper returns that got no memory; the runtime knows why.
#define MICA_GPU_NO_MEMORY 19780

/// What the runtime does for wrappers. `allocate` and `release` need MICA_FEATURE_GPU_MEMORY. Owned by the runtime;
/// valid during the call of the wrapper, on its thread.
typedef struct mica_gpu_services_v1 {
  void *queue; ///< for `launch`
  /// Queues a launch. 0, or a nonzero code with which the wrapper returns at once; the runtime keeps the reason in
  /// words.
  int32_t (*launch)(void *queue, const mica_gpu_launch_v1 *launch);
  /// Memory of the device for the launches that follow: at least `bytes` bytes, which have no value yet, aligned to
  /// MICA_BUFFER_ALIGNMENT. NULL where there is not as much: then the wrapper launches nothing more and returns
  /// MICA_GPU_NO_MEMORY; the runtime keeps the reason in words.
  void *(*allocate)(void *queue, int64_t bytes);
  /// Gives back what `allocate` gave, NULL too. What is left when the wrapper returns is given back then.
  void (*release)(void *queue, void *memory);
} mica_gpu_services_v1;

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_GPU_H
