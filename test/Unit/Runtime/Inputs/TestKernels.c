//===- TestKernels.c - a program written by hand, for the runtime's tests --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What the compiler would emit, in C against include/mica/ABI alone. Everything is i64; a kernel's scalars begin with
// the dynamic dimensions of its bindings. TestProgram.h describes these kernels to the manifest. Compiled as it is for
// the CPU, and with one of the headers beside it, which says how a kernel's body comes to run, for another device.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/ABI/Host.h"
#include "mica/ABI/Kernel.h"
#include "mica/ABI/Memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// Of each temporary of `borrow`: with a limit, more than there is for larger n, and beyond 600 than there can be.
static inline int64_t borrowedBytes(const mica_kernel_args_v1 *args) {
  const int64_t n = args->scalars[0], limit = args->scalars[2];
  return limit == 0 || n <= limit ? n * 8 : n < 600 ? (int64_t)1 << 40 : INT64_MAX;
}

#ifdef MICA_TEST_DEVICE
#include MICA_TEST_DEVICE
#else
MICA_DEFINE_PROGRAM_HEADER(MICA_FEATURE_CHECKS | MICA_FEATURE_SHADOWS | MICA_FEATURE_SIZES, "tests");
/// `blocks`: shares of the work that a device makes which runs a kernel's blocks itself.
#define KERNEL(name, blocks) int32_t mica_kernel_##name(const mica_kernel_args_v1 *args)
#endif

/// Every kernel refuses buffers that are not as promised.
enum { kMisaligned = 77 };

static int misaligned(const mica_kernel_args_v1 *args, int count) {
  for (int i = 0; i < count; ++i)
    if ((uintptr_t)args->buffers[i] % MICA_BUFFER_ALIGNMENT != 0)
      return 1;
  return 0;
}

/// [*begin, *end): this call's share of n.
static void share(const mica_kernel_args_v1 *args, int64_t n, int64_t *begin, int64_t *end) {
  *begin = n * args->part / args->parts;
  *end = n * (args->part + 1) / args->parts;
}

static void spin(int64_t rounds) {
  for (volatile int64_t i = 0; i < rounds; ++i) {
  }
}

/// out[?] = value. Scalars: n, value.
KERNEL(fill, 4) {
  int64_t *out = (int64_t *)args->buffers[0], begin, end;
  if (misaligned(args, 1))
    return kMisaligned;
  share(args, args->scalars[0], &begin, &end);
  for (int64_t i = begin; i < end; ++i)
    out[i] = args->scalars[1];
  return 0;
}

/// out[?] = a[?] + b[?]. Scalars: n, n, n.
KERNEL(add, 4) {
  const int64_t *a = (const int64_t *)args->buffers[0], *b = (const int64_t *)args->buffers[1];
  int64_t *out = (int64_t *)args->buffers[2], begin, end;
  if (misaligned(args, 3))
    return kMisaligned;
  share(args, args->scalars[2], &begin, &end);
  for (int64_t i = begin; i < end; ++i)
    out[i] = a[i] + b[i];
  return 0;
}

/// out[?] = in[?] + weights[4][i % 4], modulo 2^64: tests put bits of floats there. Scalars: n, n.
KERNEL(bias, 4) {
  const int64_t *in = (const int64_t *)args->buffers[0], *weights = (const int64_t *)args->buffers[1];
  int64_t *out = (int64_t *)args->buffers[2], begin, end;
  if (misaligned(args, 3))
    return kMisaligned;
  share(args, args->scalars[1], &begin, &end);
  for (int64_t i = begin; i < end; ++i)
    out[i] = (int64_t)((uint64_t)in[i] + (uint64_t)weights[i % 4]);
  return 0;
}

/// counts[?] += 1 over this share. Scalars: n.
KERNEL(cover, 4) {
  int64_t *counts = (int64_t *)args->buffers[0], begin, end;
  share(args, args->scalars[0], &begin, &end);
  for (int64_t i = begin; i < end; ++i)
    __atomic_fetch_add(&counts[i], 1, __ATOMIC_RELAXED);
  spin(500);
  return 0;
}

/// log[?]: log[0] is a clock; notes in log[1 + 2 id] and log[2 + 2 id] when this launch began and ended. Scalars: n,
/// id, rounds to spin.
KERNEL(stamp, 1) {
  int64_t *log = (int64_t *)args->buffers[0], id = args->scalars[1];
  int64_t began = __atomic_add_fetch(&log[0], 1, __ATOMIC_RELAXED);
  __atomic_store_n(&log[1 + 2 * id], began, __ATOMIC_RELAXED);
  spin(args->scalars[2]);
  __atomic_store_n(&log[2 + 2 * id], __atomic_add_fetch(&log[0], 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  return 0;
}

/// Fails with `code` in its last share. Scalars: n, code.
KERNEL(fail, 2) { return args->part == args->parts - 1 ? (int32_t)args->scalars[1] : 0; }

/// Fills its scratch, waits, and fails with 9 if it is not as it was left; out[?] = 1 over the share. Scalars: n.
KERNEL(scratch, 4) {
  enum { kBytes = 1000 };
  unsigned char *scratch = (unsigned char *)args->scratch;
  int64_t *out = (int64_t *)args->buffers[0], begin, end;
  if (!scratch || (uintptr_t)scratch % MICA_BUFFER_ALIGNMENT != 0)
    return kMisaligned;
  memset(scratch, (int)args->part + 1, kBytes);
  usleep(100); // long enough for other shares to begin, also on a busy machine
  for (int i = 0; i < kBytes; ++i)
    if (scratch[i] != (unsigned char)(args->part + 1))
      return 9;
  share(args, args->scalars[0], &begin, &end);
  for (int64_t i = begin; i < end; ++i)
    out[i] = 1;
  return 0;
}

/// out[0] = address of in[?], as a number. Scalars: n.
KERNEL(where, 1) {
  ((int64_t *)args->buffers[1])[0] = (int64_t)(uintptr_t)args->buffers[0];
  return args->scratch ? 1 : 0; // it asked for none
}

/// out[?] = 5 x[?]. Scalars: n, n, limit. On a GPU its wrapper asks for memory.
KERNEL(borrow, 1) {
  const int64_t *x = (const int64_t *)args->buffers[0];
  int64_t *out = (int64_t *)args->buffers[1], begin, end;
  share(args, args->scalars[0], &begin, &end);
  for (int64_t i = begin; i < end; ++i)
    out[i] = 5 * x[i];
  return borrowedBytes(args) < 0;
}

/// Comes to no end before x[0] is set: asleep in between where `asleep` is 1. Scalars: n, asleep.
KERNEL(hold, 1) {
  while (__atomic_load_n((int64_t *)args->buffers[0], __ATOMIC_ACQUIRE) == 0)
    if (args->scalars[1] == 1)
      usleep(1000);
  return 0;
}

#ifndef MICA_TEST_DEVICE
/// A temporary of x[0] by x[1] floats, by the table of Memory.h; out[0] = 1.
const mica_memory_api_v1 *mica_memory_api;
const int64_t mica_signature_hog[] = {
    MICA_SIGNATURE_VERSION, MICA_SIGNATURE_ALLOCATES, 0, 1, 0, 2, 0, 8, 1, -1, 1, 8, 1, -1};
KERNEL(hog, 1) {
  char *memory = (char *)mica_memory_api->allocate("f32", 4, (const int64_t *)args->buffers[0], 2);
  if ((uintptr_t)memory % MICA_BUFFER_ALIGNMENT != 0)
    return kMisaligned;
  memory[0] = 1;
  mica_memory_api->release(memory);
  *(int64_t *)args->buffers[1] = 1;
  return 0;
}

/// What the code of an artifact should not do, chosen by x[0]; out[0] is what the system said of it.
const int64_t mica_signature_harm[] = {MICA_SIGNATURE_VERSION, 0, 0, 1, 0, 2, 0, 8, 1, -1, 1, 8, 1, -1};
KERNEL(harm, 1) {
  const int64_t action = *(const int64_t *)args->buffers[0];
  int64_t *out = (int64_t *)args->buffers[1];
  *out = action;
  switch (action) {
  case 1:
    *(volatile int *)8 = 1;
    break;
  case 2:
    for (volatile int64_t turns = 0;; ++turns) {
    }
  case 3:
    // Volatile, or the compiler knows that nobody reads it.
    for (volatile char *memory; (memory = malloc((size_t)1 << 28)) != 0;)
      for (size_t page = 0; page < (size_t)1 << 28; page += 4096)
        memory[page] = 1;
    *out = -errno;
    break;
  case 4:
    *out = open("written-by-an-isolated-call", O_CREAT | O_WRONLY, 0600) < 0 ? -errno : 0;
    break;
  case 5:
    *out = fork() < 0 ? -errno : 0;
    break;
  case 6:
    *out = socket(AF_INET, SOCK_STREAM, 0) < 0 ? -errno : 0;
    break;
  case 7:
    *out = getenv("MICA_TEST_SECRET") ? 1 : 0;
    break;
  case 8: { // an answer of its own making, 1 TiB long
    const char head[] = "MISICAK1\x40\0\0\0\0\0\0\0"
                        "{\"tensors\": [{\"dtype\": \"i64\", \"shape\": [137438953472]}]}        ";
    *out = pwrite(4, head, sizeof head - 1, 0);
    _exit(0);
  }
  case 9:
    _exit(3);
  default:
    return (int32_t)action;
  }
  return 0;
}

/// A tensor of x[0] by x[1] floats on the host, and then as `single`.
int32_t mica_entry_sized(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims);
const int64_t mica_entry_signature_sized[] = {MICA_SIGNATURE_VERSION, 0, 1, 8, 1, -1};
const int64_t mica_entry_signature_four[] = {MICA_SIGNATURE_VERSION, 0, 1, 8, 1, 4};
#endif

// Host functions. Unless said otherwise: one argument x[?], one result out[?] of the same size.

/// The scalars of every list: n, 1, 2, 3, ...
enum { kScalars = 512 };

static int32_t submit(const mica_host_api_v1 *api, void *ctx, int64_t list, void *from, void *to, int64_t n) {
  int64_t scalars[kScalars];
  void *buffers[2] = {from, to};
  for (int64_t i = 0; i < kScalars; ++i)
    scalars[i] = i == 0 ? n : i;
  return api->submit(ctx, list, buffers, scalars);
}

/// Task list 0 with parameters (x, out).
int32_t mica_entry_single(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  void *out = api->result(ctx, 0, dims, 1);
  if (api->abi_version != MICA_ABI_VERSION || !out || submit(api, ctx, 0, args[0], out, dims[0]))
    return 1;
  return api->wait(ctx);
}

/// Task list 0 with (x, between), then task list 1 with (between, out); `between` is from alloc.
int32_t mica_entry_double(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  void *between = api->alloc(ctx, dims[0] * 8), *out = api->result(ctx, 0, dims, 1);
  if (!between || !out)
    return 1;
  if (submit(api, ctx, 0, args[0], between, dims[0]) || submit(api, ctx, 1, between, out, dims[0]))
    return 1;
  return api->wait(ctx);
}

/// As `single`, but an odd size fails.
int32_t mica_entry_even(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  if (dims[0] % 2)
    return api->fail(ctx, "shape mismatch: the length of x must be even");
  return mica_entry_single(api, ctx, args, dims);
}

/// Task list 0 with (constant 0, out).
int32_t mica_entry_weights(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  void *weights = api->constant(ctx, 0), *out = api->result(ctx, 0, dims, 1);
  (void)args;
  return !weights || !out || submit(api, ctx, 0, weights, out, dims[0]);
}

int32_t mica_entry_forgetful(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  (void)api, (void)ctx, (void)args, (void)dims;
  return 0; // gives no result
}

int32_t mica_entry_silent(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  (void)api, (void)ctx, (void)args, (void)dims;
  return 5; // and no reason
}

/// What a host function must not do, chosen by n.
int32_t mica_entry_wrong(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  int64_t negative = -4, matrix[2] = {2, 2};
  (void)args;
  switch (dims[0]) {
  case 0:
    return !api->result(ctx, 0, &negative, 1);
  case 1:
    return !api->result(ctx, 0, matrix, 2);
  case 2:
    return !api->result(ctx, 1, dims, 1);
  case 3:
    return !api->constant(ctx, 99);
  case 4:
    return api->submit(ctx, 99, 0, 0);
  case 5:
    return !api->alloc(ctx, -1);
  case 6:
    return !api->result(ctx, 0, dims, 1) || !api->result(ctx, 0, dims, 1);
  default:
    return !api->alloc(ctx, INT64_MAX);
  }
}

#ifndef MICA_TEST_DEVICE
/// As `single`, compiled for four elements.
int32_t mica_entry_four(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  return mica_entry_single(api, ctx, args, dims);
}

int32_t mica_entry_sized(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  if (!api->allocate(ctx, "aaaaaaaaaaaa f32", 4, (const int64_t *)args[0], 2))
    return 1;
  if (api->bytes(ctx, "bbbbbbbbbbbb f32", 4, (const int64_t *)args[0], 2) < 0)
    return 1;
  return mica_entry_single(api, ctx, args, dims);
}
#endif
