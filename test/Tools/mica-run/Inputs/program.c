// A program as the compiler would make it, by hand: y = x * w + 1 for each row, and the number of rows.
#include "mica/ABI/Host.h"

#include <stdlib.h>

MICA_DEFINE_PROGRAM_HEADER(0, "tests");

int32_t mica_kernel_affine(const mica_kernel_args_v1 *args) {
  const float *x = args->buffers[0], *w = args->buffers[1];
  float *y = args->buffers[2];
  for (int64_t row = args->part; row < args->scalars[0]; row += args->parts)
    for (int64_t i = 0; i < 3; ++i)
      y[3 * row + i] = x[3 * row + i] * w[i] + 1;
  return 0;
}

int32_t mica_kernel_count(const mica_kernel_args_v1 *args) {
  if (getenv("FAKE_HANG"))
    for (volatile int64_t i = 0;; ++i) {
    }
  if (getenv("FAKE_CRASH"))
    *(volatile int *)8 = 1;
  if (getenv("FAKE_ERROR"))
    return 7;
  *(int64_t *)args->buffers[0] = args->scalars[0];
  return 0;
}

int32_t mica_entry_affine(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  const int64_t sizes[2] = {dims[0], 3};
  void *y = api->result(ctx, 0, sizes, 2), *n = api->result(ctx, 1, 0, 0);
  if (!y || !n)
    return 1;
  void *const buffers[3] = {args[0], y, n};
  if (api->submit(ctx, 0, buffers, dims))
    return 1;
  return api->wait(ctx);
}

int32_t mica_entry_refuse(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  return api->fail(ctx, "the model asked for it");
}
