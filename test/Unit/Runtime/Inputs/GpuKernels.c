//===- GpuKernels.c - the kernels of TestKernels.c for a GPU ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Clang makes PTX of it, so that the conformance suite runs on real devices too. The wrappers are those of GpuDevice.h:
// an entry gets its buffers and scalars by value, and a block is a share of the work, which its first thread does.
//
//===-----------------------------------------------------------------------------------------------------------===//

typedef long long Number;
typedef struct {
  Number *buffers[3];
  Number scalars[3];
} GpuParams;

#define ENTRY(name) __attribute__((device_kernel)) void name##_main(GpuParams given, char *scratch, void *log)
#define BLOCK ((Number)__nvvm_read_ptx_sreg_ctaid_x())
#define BLOCKS ((Number)__nvvm_read_ptx_sreg_nctaid_x())
#define FIRST_THREAD_ONLY                                                                                              \
  if (__nvvm_read_ptx_sreg_tid_x() != 0)                                                                               \
  return
#define FOR_SHARE(i, n) for (Number i = (n)*BLOCK / BLOCKS; i < (n) * (BLOCK + 1) / BLOCKS; ++i)

static void spin(Number rounds) {
  for (volatile Number i = 0; i < rounds; ++i) {
  }
}

ENTRY(fill) {
  FIRST_THREAD_ONLY;
  FOR_SHARE(i, given.scalars[0])
  given.buffers[0][i] = given.scalars[1];
}

ENTRY(add) {
  FIRST_THREAD_ONLY;
  FOR_SHARE(i, given.scalars[2])
  given.buffers[2][i] = given.buffers[0][i] + given.buffers[1][i];
}

ENTRY(bias) {
  FIRST_THREAD_ONLY;
  FOR_SHARE(i, given.scalars[1])
  given.buffers[2][i] = given.buffers[0][i] + given.buffers[1][i % 4];
}

ENTRY(cover) {
  FIRST_THREAD_ONLY;
  FOR_SHARE(i, given.scalars[0])
  __atomic_fetch_add(&given.buffers[0][i], 1, __ATOMIC_RELAXED);
}

ENTRY(stamp) {
  FIRST_THREAD_ONLY;
  Number *notes = given.buffers[0], id = given.scalars[1];
  notes[1 + 2 * id] = __atomic_add_fetch(&notes[0], 1, __ATOMIC_RELAXED);
  spin(given.scalars[2]);
  notes[2 + 2 * id] = __atomic_add_fetch(&notes[0], 1, __ATOMIC_RELAXED);
}

ENTRY(fail) {}

/// Blocks share the scratch memory of a launch, so the first one does it all.
ENTRY(scratch) {
  FIRST_THREAD_ONLY;
  if (BLOCK != 0)
    return;
  int whole = 1;
  for (int i = 0; i < 1000; ++i)
    ((volatile char *)scratch)[i] = 1;
  for (int i = 0; i < 1000; ++i)
    whole &= ((volatile char *)scratch)[i];
  for (Number i = 0; i < given.scalars[0]; ++i)
    given.buffers[0][i] = whole;
}

ENTRY(where) {
  FIRST_THREAD_ONLY;
  given.buffers[1][0] = (Number)given.buffers[0];
}

ENTRY(borrow) {}

ENTRY(hold) {}
