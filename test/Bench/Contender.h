//===- Contender.h - one implementation of a benchmark case -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A case is run by several contenders (Mica, OpenBLAS, oneDNN) on the same inputs, in turns. Each prepares its memory
// once and then computes into it again and again, so that what is timed is the operation and not the allocation.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_BENCH_CONTENDER_H
#define MICA_TEST_BENCH_CONTENDER_H

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace mica::bench {

/// What a case computes, with its sizes; the contenders read what they need.
struct Case {
  enum class Kind { Matmul, Conv2d, Softmax, LayerNorm, Gelu, Mlp, Block };
  std::string name;
  Kind kind;
  int64_t m = 0, n = 0, k = 0; ///< matmul sizes; rows and columns of row operations in m, n
  int64_t height = 0, width = 0, channels = 0, filters = 0, kernel = 0; ///< conv2d, NHWC, stride 1, same padding
  std::vector<int64_t> layers{};                                        ///< MLP: widths from input to output, m = batch
  double flops = 0; ///< floating-point operations of one run, 0 where bytes are the measure
  double bytes = 0; ///< least traffic of one run
};

/// All inputs of a case in host memory, in the order of the Mica entry's arguments: f32, row-major.
struct Inputs {
  std::vector<std::vector<float>> tensors;
  std::vector<std::vector<int64_t>> shapes;
};

/// Memory for `count` floats, zeroed, in huge pages where the system grants them, as the runtime's own buffers are.
inline std::shared_ptr<float[]> allocateFloats(size_t count) {
  constexpr size_t kHugePage = size_t(2) << 20;
  size_t bytes = (count * sizeof(float) + kHugePage - 1) / kHugePage * kHugePage;
  auto *data = static_cast<float *>(std::aligned_alloc(kHugePage, bytes));
  madvise(data, bytes, MADV_HUGEPAGE);
  std::memset(data, 0, bytes);
  return {data, std::free};
}

class Contender {
public:
  virtual ~Contender() = default;
  virtual const char *name() const = 0;
  /// One run; the result can be read when it returns.
  virtual void run() = 0;
  /// The first result of the last run, for the comparison between contenders. Row-major f32.
  virtual std::vector<float> result() const = 0;
  /// False where only part of the case's work is done (the GEMMs of a block): such results are not compared.
  virtual bool complete() const { return true; }
};

/// The contenders; null where an implementation has no way to do the case.
std::unique_ptr<Contender> makeMica(const Case &c, const Inputs &inputs, const std::string &artifact, int threads);
std::unique_ptr<Contender> makeOpenBlas(const Case &c, const Inputs &inputs, int threads);
std::unique_ptr<Contender> makeOneDnn(const Case &c, const Inputs &inputs, int threads);

} // namespace mica::bench

#endif // MICA_TEST_BENCH_CONTENDER_H
