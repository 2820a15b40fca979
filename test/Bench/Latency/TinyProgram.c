//===- TinyProgram.c - the smallest program worth calling ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What the compiler emits for one addition of 16 floats, and for a chain of ten of them.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/ABI/Host.h"
#include "mica/ABI/Kernel.h"

MICA_DEFINE_PROGRAM_HEADER(0, "tests");

int32_t mica_kernel_add(const mica_kernel_args_v1 *args) {
  const float *a = (const float *)args->buffers[0], *b = (const float *)args->buffers[1];
  float *out = (float *)args->buffers[2];
  for (int i = 0; i < 16; ++i)
    out[i] = a[i] + b[i];
  return 0;
}

static int32_t run(const mica_host_api_v1 *api, void *ctx, void *const *args, int64_t list) {
  const int64_t sizes[1] = {16};
  void *buffers[3] = {args[0], args[1], api->result(ctx, 0, sizes, 1)};
  if (!buffers[2] || api->submit(ctx, list, buffers, 0))
    return 1;
  return api->wait(ctx);
}

int32_t mica_entry_one(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  (void)dims;
  return run(api, ctx, args, 0);
}

int32_t mica_entry_ten(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  (void)dims;
  return run(api, ctx, args, 1);
}
