//===- OpenBlasContender.cpp - a benchmark case run by OpenBLAS -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Matrix products only: single ones, the layers of the MLP (bias and relu by plain loops), and of the transformer
// block only its products, as a bound from below.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Contender.h"

#include <cblas.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace mica::bench {
namespace {

struct Floats {
  explicit Floats(size_t count) : memory(allocateFloats(count)), data(memory.get()), size(count) {}
  std::shared_ptr<float[]> memory;
  float *data;
  size_t size;
};

/// A copy of `values` in memory of allocateFloats.
Floats copied(const std::vector<float> &values) {
  Floats floats(values.size());
  std::copy(values.begin(), values.end(), floats.data);
  return floats;
}

void gemm(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
}

class Matmul : public Contender {
public:
  Matmul(const Case &c, const Inputs &inputs)
      : c(c), a(copied(inputs.tensors[0])), b(copied(inputs.tensors[1])), out(c.m * c.n) {}
  const char *name() const override { return "openblas"; }
  void run() override { gemm(c.m, c.n, c.k, a.data, b.data, out.data); }
  std::vector<float> result() const override { return {out.data, out.data + out.size}; }

private:
  Case c;
  Floats a, b, out;
};

/// Inputs: x, then weight and bias of each layer; relu after all but the last.
class Mlp : public Contender {
public:
  Mlp(const Case &c, const Inputs &given) : c(c) {
    for (const std::vector<float> &values : given.tensors)
      inputs.push_back(copied(values));
    for (size_t i = 1; i < c.layers.size(); ++i)
      values.emplace_back(c.m * c.layers[i]);
  }
  const char *name() const override { return "openblas"; }
  void run() override {
    const float *x = inputs[0].data;
    for (size_t i = 0; i + 1 < c.layers.size(); ++i) {
      int64_t k = c.layers[i], n = c.layers[i + 1];
      float *y = values[i].data;
      gemm(c.m, n, k, x, inputs[1 + 2 * i].data, y);
      const float *bias = inputs[2 + 2 * i].data;
      bool last = i + 2 == c.layers.size();
      for (int64_t r = 0; r < c.m; ++r)
        for (int64_t j = 0; j < n; ++j) {
          float v = y[r * n + j] + bias[j];
          y[r * n + j] = last ? v : std::max(v, 0.0f);
        }
      x = y;
    }
  }
  std::vector<float> result() const override { return {values.back().data, values.back().data + values.back().size}; }

private:
  Case c;
  std::vector<Floats> inputs, values;
};

/// The products of a transformer block: m = sequence, n = width, k = FFN width, kernel = heads.
class BlockProducts : public Contender {
public:
  explicit BlockProducts(const Case &c)
      : c(c), x(c.m * c.n), square(c.n * c.n), up(c.n * c.k), y(c.m * c.n), hidden(c.m * c.k), scores(c.m * c.m) {}
  const char *name() const override { return "openblas-products-only"; }
  bool complete() const override { return false; }
  void run() override {
    for (int i = 0; i < 4; ++i)
      gemm(c.m, c.n, c.n, x.data, square.data, y.data);
    int64_t d = c.n / c.kernel;
    for (int64_t h = 0; h < c.kernel; ++h) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, c.m, c.m, d, 1.0f, x.data + h * d, c.n, y.data + h * d, c.n,
                  0.0f, scores.data, c.m);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, c.m, d, c.m, 1.0f, scores.data, c.m, x.data + h * d, c.n,
                  0.0f, y.data + h * d, c.n);
    }
    gemm(c.m, c.k, c.n, x.data, up.data, hidden.data);
    gemm(c.m, c.n, c.k, hidden.data, up.data, y.data);
  }
  std::vector<float> result() const override { return {}; }

private:
  Case c;
  Floats x, square, up, y, hidden, scores;
};

} // namespace

std::unique_ptr<Contender> makeOpenBlas(const Case &c, const Inputs &inputs, int threads) {
  openblas_set_num_threads(threads);
  switch (c.kind) {
  case Case::Kind::Matmul:
    return std::make_unique<Matmul>(c, inputs);
  case Case::Kind::Mlp:
    return std::make_unique<Mlp>(c, inputs);
  case Case::Kind::Block:
    return std::make_unique<BlockProducts>(c);
  default:
    return nullptr;
  }
}

} // namespace mica::bench
