//===- Checks.h - what kernels that check themselves tell the runtime ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A kernel that was compiled with checks is given a log, `checks` of mica_kernel_args_v1, with a record for each of its
// sites. It never stops at a failed check: it counts the site, and keeps the numbers of the first time. The log belongs
// to one launch, whose shares write to it at the same time; the runtime reads it when the launch is complete. Plain C;
// see Kernel.h for versioning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_CHECKS_H
#define MICA_ABI_CHECKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most numbers that a record keeps: three for each of eight dimensions.
#define MICA_CHECK_VALUES 24

/// What a kernel returns when a check of level safe or all failed in one of its shares.
#define MICA_STATUS_CHECK_FAILED 19779

/// One site. All zero before the launch.
typedef struct mica_check_record_v1 {
  /// How often it failed, of uses of uninitialized elements; counted atomically.
  int64_t count;
  /// Of the first failure: how many sites of the log had failed before.
  int64_t order;
  /// And the share of the work that it was in.
  int64_t share;
  /// And how many of `values` it wrote.
  int64_t num_values;
  /// Of an access: index, size and extent for each dimension, outermost first. Of a use of uninitialized memory: before
  /// them the number of the allocation. Else what the site's message is about.
  int64_t values[MICA_CHECK_VALUES];
} mica_check_record_v1;

/// A launch's log.
typedef struct mica_check_log_v1 {
  /// How many sites failed; counted atomically.
  int64_t failed;
  /// One per site of the kernel.
  mica_check_record_v1 *records;
  /// The rest is for kernels with shadows alone (MICA_FEATURE_SHADOWS). One per buffer of
  /// the launch: an int16_t for each element, 0 where it was written, else the number of the allocation.
  int16_t *const *shadows;
  /// Number of the first allocation inside the kernel.
  int64_t origin;
  /// Nonzero: `shadows` say something. 0: every element is written of the buffers that are read, and the kernel writes
  /// every element of the others; `shadows` may be NULL then.
  int64_t partly;
} mica_check_log_v1;

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_CHECKS_H
