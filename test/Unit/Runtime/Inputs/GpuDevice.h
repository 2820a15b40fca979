//===- GpuDevice.h - the kernels of TestKernels.c behind the CUDA driver ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A kernel is a wrapper that launches the entry `<name>_main`, which the stand-in for the driver (FakeCuda) finds in
// this same object: each block runs the body for its share. The entry gets its buffers and scalars by value, as one on
// a GPU does. On the CPU, where there is no queue, the function is the body: so tasks of one program run here and
// there.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_RUNTIME_INPUTS_GPUDEVICE_H
#define MICA_TEST_UNIT_RUNTIME_INPUTS_GPUDEVICE_H

MICA_DEFINE_PROGRAM_HEADER(MICA_FEATURE_GPU | MICA_FEATURE_GPU_CHECKS | MICA_FEATURE_GPU_MEMORY, "tests");

typedef struct {
  void *buffers[3];
  int64_t scalars[3];
} GpuParams;

/// What a kernel with checks does that stores behind 8 elements in thread 7 of each block but the first.
static void failCheck(mica_gpu_check_log_v1 *log, unsigned block) {
  mica_gpu_check_record_v1 *record = (mica_gpu_check_record_v1 *)(log + 1);
  if (block == 0 || record->count++ != 0)
    return;
  record->order = log->failed++;
  record->block[0] = block;
  record->thread[0] = 7;
  record->num_values = 3;
  record->values[0] = 8;
  record->values[1] = 1;
  record->values[2] = 8;
}

/// What a kernel does that looks for NaN in the doubles it stored to its last buffer.
static void noteNan(mica_gpu_check_log_v1 *log, const GpuParams *given, unsigned block, unsigned blocks) {
  mica_gpu_check_record_v1 *record = (mica_gpu_check_record_v1 *)(log + 1);
  const int64_t size = given->scalars[0];
  const double *values = (const double *)given->buffers[2];
  for (int64_t i = size * block / blocks; i < size * (block + 1) / blocks; ++i) {
    if (values[i] == values[i] || record->count++ != 0)
      continue;
    record->order = log->found++;
    record->block[0] = block;
    record->thread[0] = 5;
    record->num_values = 3;
    record->values[0] = i;
    record->values[1] = 1;
    record->values[2] = size;
  }
}

static void runBlocks(mica_kernel_fn_v1 body, void **params, const unsigned *grid, int looks) {
  GpuParams *given = (GpuParams *)params[0];
  void *scratch = *(void **)params[1];
  mica_gpu_check_log_v1 *log = *(mica_gpu_check_log_v1 **)params[2];
  for (unsigned block = 0; block < grid[0]; ++block) {
    mica_kernel_args_v1 args = {given->buffers, given->scalars, scratch, block, grid[0], 0, 0};
    (void)body(&args);
    if (log && looks)
      noteNan(log, given, block, grid[0]);
    else if (log)
      failCheck(log, block);
  }
}

enum { kMostParams = 8 };

/// Sets the parameters of an entry, and gives their number. An entry of OpenCL gets buffers and scalars one by one: it
/// cannot take addresses within a struct.
static int32_t setParams(GpuParams *given, void **scratch, void **log, void **params) {
#ifdef MICA_TEST_FLAT_PARAMS
  for (int i = 0; i < 3; ++i) {
    params[i] = &given->buffers[i];
    params[3 + i] = &given->scalars[i];
  }
  params[6] = scratch;
  params[7] = log;
  return 8;
#else
  params[0] = given;
  params[1] = scratch;
  params[2] = log;
  return 3;
#endif
}

/// to[?] = a[?] + b[?] by the entry of `add`.
static int32_t launchAdd(const mica_kernel_args_v1 *args, void *a, void *b, void *to) {
  const int64_t n = args->scalars[0];
  GpuParams given = {{a, b, to}, {n, n, n}};
  void *none = 0, *params[kMostParams];
  const int32_t count = setParams(&given, &none, &none, params);
  const mica_gpu_launch_v1 launch = {"add_main", "borrow", {4, 1, 1}, {32, 1, 1}, 0, count, params};
  return args->gpu->launch(args->gpu->queue, &launch);
}

/// What TestKernels.c's `borrow` computes, by temporaries of which two are needed at a time; one is left to the
/// runtime.
static int32_t borrow(const mica_kernel_args_v1 *args) {
  const mica_gpu_services_v1 *gpu = args->gpu;
  const int64_t bytes = borrowedBytes(args);
  void *x = args->buffers[0], *first = gpu->allocate(gpu->queue, bytes), *second, *third;
  int32_t code;
  if (!first || !(second = gpu->allocate(gpu->queue, bytes)))
    return MICA_GPU_NO_MEMORY;
  if ((code = launchAdd(args, x, x, first)) || (code = launchAdd(args, first, x, second)))
    return code;
  gpu->release(gpu->queue, first);
  if ((third = gpu->allocate(gpu->queue, bytes)) != first)
    return 7; // it fits, and is free in the queue's order
  code = launchAdd(args, second, x, third);
  gpu->release(gpu->queue, second);
  return code ? code : launchAdd(args, third, x, args->buffers[1]);
}

/// How many buffers and scalars of the launch there are the entry does not ask: as many as TestKernels.c's kernels have
/// at most are copied where they can be read.
static int32_t launchMain(const char *kernel, const char *entry, const mica_kernel_args_v1 *args, uint32_t blocks,
                          int num_buffers, int num_scalars) {
  GpuParams given = {{0}, {0}};
  if (strcmp(kernel, "borrow") == 0)
    return borrow(args);
  for (int i = 0; i < num_buffers; ++i)
    given.buffers[i] = args->buffers[i];
  for (int i = 0; i < num_scalars; ++i)
    given.scalars[i] = args->scalars[i];
  void *scratch = args->scratch, *log = args->checks, *params[kMostParams];
  const int32_t count = setParams(&given, &scratch, &log, params);
  // A status of its own a wrapper gives without a launch.
  if (num_scalars == 2 && num_buffers == 1 && blocks == 2)
    return (int32_t)args->scalars[1];
  const mica_gpu_launch_v1 launch = {entry, kernel, {blocks, 1, 1}, {32, 1, 1}, 0, count, params};
  return args->gpu->launch(args->gpu->queue, &launch);
}

enum {
  fill_buffers = 1,
  fill_scalars = 2,
  add_buffers = 3,
  add_scalars = 3,
  bias_buffers = 3,
  bias_scalars = 2,
  cover_buffers = 1,
  cover_scalars = 1,
  stamp_buffers = 1,
  stamp_scalars = 3,
  fail_buffers = 1,
  fail_scalars = 2,
  scratch_buffers = 1,
  scratch_scalars = 1,
  where_buffers = 2,
  where_scalars = 1,
  borrow_buffers = 2,
  borrow_scalars = 3,
  hold_buffers = 1,
  hold_scalars = 2,
};

#define KERNEL(name, blocks)                                                                                           \
  static int32_t body_##name(const mica_kernel_args_v1 *args);                                                         \
  const int name##_main_params[] = {sizeof(GpuParams), sizeof(void *), sizeof(void *), 0};                             \
  void name##_main(void **params, const unsigned *grid, const unsigned *block) {                                       \
    (void)block;                                                                                                       \
    runBlocks(body_##name, params, grid, name##_buffers == 3);                                                         \
  }                                                                                                                    \
  int32_t mica_kernel_##name(const mica_kernel_args_v1 *args) {                                                        \
    return !args->gpu ? body_##name(args)                                                                              \
                      : launchMain(#name, #name "_main", args, blocks, name##_buffers, name##_scalars);                \
  }                                                                                                                    \
  static int32_t body_##name(const mica_kernel_args_v1 *args)

#endif // MICA_TEST_UNIT_RUNTIME_INPUTS_GPUDEVICE_H
