//===- FakeCublas.c - a stand-in for cuBLAS, for tests ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// On the stand-in for the driver. It computes nothing: a product takes 0.25 ms of the device's time, and larger ones
// than 1024 are refused.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <dlfcn.h>

static void *queue;

int cublasCreate_v2(void **handle) {
  *handle = &queue;
  return 0;
}
int cublasDestroy_v2(void *handle) { return handle != &queue; }
int cublasSetStream_v2(void *handle, void *stream) {
  queue = stream;
  return handle != &queue;
}
int cublasGetVersion_v2(void *handle, int *version) {
  *version = 120405;
  return handle != &queue;
}
int cublasGemmEx(void *handle, int transA, int transB, int m, int n, int k, const void *alpha, const void *a, int typeA,
                 int strideA, const void *b, int typeB, int strideB, const void *beta, void *c, int typeC, int strideC,
                 int computeType, int algorithm) {
  (void)alpha, (void)beta, (void)a, (void)b, (void)c, (void)computeType, (void)algorithm;
  // Column-major: as many rows as the strides say, and no product larger than the stand-in takes.
  if (handle != &queue || transA || transB || strideA != m || strideB != k || strideC != m || n > 1024 ||
      typeA != typeB || typeA != typeC)
    return 7;
  int (*spend)(void *stream, double milliseconds) = 0;
  *(void **)&spend = dlsym(dlopen(MICA_FAKE_CUDA, RTLD_NOW), "fakeCudaSpend");
  return spend ? spend(queue, 0.25) : 1;
}
