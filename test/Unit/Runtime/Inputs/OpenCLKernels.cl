//===- OpenCLKernels.cl - the kernels of TestKernels.c for OpenCL devices ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Clang makes SPIR-V of it, so that the conformance suite runs on real drivers. The wrappers are those of GpuDevice.h:
// an entry gets its buffers and scalars one by one, and a block is a share of the work, which its first thread does.
//
//===-----------------------------------------------------------------------------------------------------------===//

typedef long Number;
unsigned long __attribute__((overloadable)) get_group_id(unsigned);
unsigned long __attribute__((overloadable)) get_num_groups(unsigned);
unsigned long __attribute__((overloadable)) get_local_id(unsigned);

// What a log of checks begins with, and what its record does (mica/ABI/Gpu.h).
typedef struct {
  Number failed, isError, found, reserved[5];
  Number count, order, block[3], thread[3], numValues, values[3];
} Log;

#define ENTRY(name)                                                                                                    \
  __kernel void name##_main(__global Number *a, __global Number *b, __global Number *c, Number n, Number m, Number k,  \
                            __global char *scratch, __global Log *log)
#define BLOCK ((Number)get_group_id(0))
#define BLOCKS ((Number)get_num_groups(0))
#define FIRST_THREAD_ONLY                                                                                              \
  if (get_local_id(0) != 0)                                                                                            \
  return
#define FOR_SHARE(i, size) for (Number i = (size)*BLOCK / BLOCKS; i < (size) * (BLOCK + 1) / BLOCKS; ++i)

/// What a kernel with checks does that stores behind 8 elements in thread 7 of each block but the first.
static void failCheck(__global Log *log) {
  if (!log || BLOCK == 0 || __atomic_fetch_add(&log->count, 1, __ATOMIC_RELAXED) != 0)
    return;
  log->order = __atomic_fetch_add(&log->failed, 1, __ATOMIC_RELAXED);
  log->block[0] = BLOCK;
  log->thread[0] = 7;
  log->numValues = 3;
  log->values[0] = 8;
  log->values[1] = 1;
  log->values[2] = 8;
}

static void spin(Number rounds) {
  for (volatile Number i = 0; i < rounds; ++i) {
  }
}

ENTRY(fill) {
  FIRST_THREAD_ONLY;
  FOR_SHARE(i, n)
  a[i] = m;
  failCheck(log);
}

ENTRY(add) {
  FIRST_THREAD_ONLY;
  FOR_SHARE(i, k)
  c[i] = a[i] + b[i];
}

ENTRY(bias) {
  FIRST_THREAD_ONLY;
  FOR_SHARE(i, m)
  c[i] = a[i] + b[i % 4];
}

ENTRY(cover) {
  FIRST_THREAD_ONLY;
  FOR_SHARE(i, n)
  __atomic_fetch_add(&a[i], 1, __ATOMIC_RELAXED);
}

ENTRY(stamp) {
  FIRST_THREAD_ONLY;
  a[1 + 2 * m] = __atomic_add_fetch(&a[0], 1, __ATOMIC_RELAXED);
  spin(k);
  a[2 + 2 * m] = __atomic_add_fetch(&a[0], 1, __ATOMIC_RELAXED);
}

ENTRY(fail) {}

/// Blocks share the scratch memory of a launch, so the first one does it all.
ENTRY(scratch) {
  FIRST_THREAD_ONLY;
  if (BLOCK != 0)
    return;
  int whole = 1;
  for (int i = 0; i < 1000; ++i)
    ((volatile __global char *)scratch)[i] = 1;
  for (int i = 0; i < 1000; ++i)
    whole &= ((volatile __global char *)scratch)[i];
  for (Number i = 0; i < n; ++i)
    a[i] = whole;
}

ENTRY(where) {
  FIRST_THREAD_ONLY;
  b[0] = (Number)a;
}

ENTRY(borrow) {}

/// `m` times some milliseconds.
ENTRY(hold) {
  FIRST_THREAD_ONLY;
  spin(m << 22);
  if (m == 0)
    a[0] = 0;
}
