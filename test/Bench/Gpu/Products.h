//===- Products.h - products of matrices by cuBLAS --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The library is opened when the program runs, and is not needed: without it products are timed alone.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_BENCH_GPU_PRODUCTS_H
#define MICA_TEST_BENCH_GPU_PRODUCTS_H

#include "test/Bench/Gpu/Device.h"

namespace mica::bench {

/// Row-major m x k times k x n.
struct Product {
  std::string type; ///< "bf16", "f16", "tf32", "f32": of inputs and results, which are f32 for tf32; sums are f32
  int m = 0, n = 0, k = 0;
};

class Cublas {
public:
  /// Null, and `why`, where the library is not there or does not start. `name`: "" for the newest of the usual names.
  static std::unique_ptr<Cublas> open(const Device &device, const std::string &name, std::string &why);
  ~Cublas();
  const std::string &version() const { return text; } ///< "cuBLAS 12.4.5"

  /// Queues a product on the device's stream. Addresses are the device's; false where the library refuses it.
  bool multiply(const Product &product, uint64_t a, uint64_t b, uint64_t c) const;

private:
  Cublas() = default;
  void *library = nullptr, *handle = nullptr;
  std::string text;
  int (*destroy)(void *) = nullptr;
  int (*gemm)(void *handle, int transA, int transB, int m, int n, int k, const void *alpha, const void *a, int typeA,
              int strideA, const void *b, int typeB, int strideB, const void *beta, void *c, int typeC, int strideC,
              int computeType, int algorithm) = nullptr;
};

} // namespace mica::bench

#endif // MICA_TEST_BENCH_GPU_PRODUCTS_H
