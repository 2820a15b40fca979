//===- Checks.h - logs of kernels compiled with run-time checks ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A kernel that was compiled with checks receives a log, `checks` of mica_kernel_args_v1, with one record per check
// site. A failed check never stops the kernel: it increments the site's count, and the first failure stores its values.
// The log belongs to one launch, whose work partitions write to it concurrently; the runtime reads it when the launch
// is complete. Plain C; see Kernel.h for versioning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_CHECKS_H
#define MICA_ABI_CHECKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of values in a record: three for each of eight dimensions.
#define MICA_CHECK_VALUES 24

/// Status of a kernel in which a check of level safe or all failed.
#define MICA_STATUS_CHECK_FAILED 19779

/// The record of one check site. All zero before the launch.
typedef struct mica_check_record_v1 {
  /// Number of failures; for uses of uninitialized memory, of elements. Incremented atomically.
  int64_t count;
  /// Of the first failure: the number of sites in the log that had failed before it.
  int64_t order;
  /// Of the first failure: the work partition.
  int64_t share;
  /// Of the first failure: the number of values stored in `values`.
  int64_t num_values;
  /// For an access: index, size and extent per dimension, outermost first. For a use of uninitialized memory: the
  /// number of the allocation, then the same. For other checks: the values that the site's message formats.
  int64_t values[MICA_CHECK_VALUES];
} mica_check_record_v1;

/// The log of one launch.
typedef struct mica_check_log_v1 {
  /// Number of sites with a failure; incremented atomically.
  int64_t failed;
  /// One per check site of the kernel.
  mica_check_record_v1 *records;
  /// The remaining members are used only by kernels with shadow memory (MICA_FEATURE_SHADOWS). One array per buffer of
  /// the launch, with an int16_t per element: 0 if the element was written, else the number of the allocation.
  int16_t *const *shadows;
  /// The number of the first allocation inside the kernel.
  int64_t origin;
  /// Nonzero: `shadows` is valid. 0: all elements of the buffers that are read are initialized, and the kernel writes
  /// all elements of the other buffers; `shadows` may be NULL.
  int64_t partly;
} mica_check_log_v1;

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_CHECKS_H
