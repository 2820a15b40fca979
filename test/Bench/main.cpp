//===- main.cpp - mica-bench-cases ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Runs one benchmark case by every contender, in turns within one process, compares their results, and prints one
// JSON object per contender: median, minimum and maximum in microseconds, rate, and the median ratio of paired
// samples against Mica.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Contender.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

using namespace mica::bench;
using Clock = std::chrono::steady_clock;

static std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (int64_t s : {512, 1024, 2048}) {
    Case c{"matmul_" + std::to_string(s), Case::Kind::Matmul};
    c.m = c.n = c.k = s;
    c.flops = 2.0 * s * s * s;
    cases.push_back(c);
  }
  Case conv{"conv2d_56x56x64_3x3x64", Case::Kind::Conv2d};
  conv.height = conv.width = 56;
  conv.channels = conv.filters = 64;
  conv.kernel = 3;
  conv.flops = 2.0 * 56 * 56 * 64 * 64 * 9;
  cases.push_back(conv);
  auto rows = [&](const char *name, Case::Kind kind, int64_t m, int64_t n) {
    Case c{name, kind};
    c.m = m;
    c.n = n;
    c.bytes = 8.0 * m * n;
    cases.push_back(c);
  };
  rows("softmax_1024x1024", Case::Kind::Softmax, 1024, 1024);
  rows("layer_norm_4096x1024", Case::Kind::LayerNorm, 4096, 1024);
  rows("gelu_4096x4096", Case::Kind::Gelu, 4096, 4096);
  Case mlp{"mlp_784_512_512_10_b64", Case::Kind::Mlp};
  mlp.m = 64;
  mlp.layers = {784, 512, 512, 10};
  mlp.flops = 2.0 * 64 * (784 * 512 + 512 * 512 + 512 * 10);
  cases.push_back(mlp);
  Case block{"block_s128_d768_h12", Case::Kind::Block};
  block.m = 128;
  block.n = 768;
  block.k = 3072;
  block.kernel = 12;
  block.flops = 2.0 * 128 * (4.0 * 768 * 768 + 2.0 * 768 * 3072 + 2.0 * 128 * 768);
  cases.push_back(block);
  return cases;
}

static Inputs makeInputs(const Case &c) {
  Inputs inputs;
  std::mt19937 engine(1);
  auto add = [&](std::vector<int64_t> shape, float scale = 1.0f) {
    int64_t count = 1;
    for (int64_t d : shape)
      count *= d;
    std::normal_distribution<float> normal(0.0f, scale);
    std::vector<float> values(count);
    for (float &v : values)
      v = normal(engine);
    inputs.tensors.push_back(std::move(values));
    inputs.shapes.push_back(std::move(shape));
  };
  switch (c.kind) {
  case Case::Kind::Matmul:
    add({c.m, c.k});
    add({c.k, c.n});
    break;
  case Case::Kind::Conv2d:
    add({1, c.height, c.width, c.channels});
    add({c.kernel, c.kernel, c.channels, c.filters}, 0.05f);
    break;
  case Case::Kind::LayerNorm:
    add({c.m, c.n});
    add({c.n});
    add({c.n});
    break;
  case Case::Kind::Softmax:
  case Case::Kind::Gelu:
    add({c.m, c.n});
    break;
  case Case::Kind::Mlp:
    add({c.m, c.layers[0]});
    for (size_t i = 1; i < c.layers.size(); ++i) {
      add({c.layers[i - 1], c.layers[i]}, 0.05f);
      add({c.layers[i]});
    }
    break;
  case Case::Kind::Block:
    add({1, c.m, c.n});
    break;
  }
  return inputs;
}

static double relativeL2(const std::vector<float> &a, const std::vector<float> &b) {
  double difference = 0, norm = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
    norm += double(b[i]) * b[i];
  }
  return std::sqrt(difference / std::max(norm, 1e-300));
}

/// Runs `contender` for at least 30 milliseconds. A thread that slept often shares its caller's CPU until the system
/// moves it, some milliseconds later; a sample taken before that measures the system's scheduler.
static void warmUp(Contender &contender) {
  auto start = Clock::now();
  do
    contender.run();
  while (Clock::now() - start < std::chrono::milliseconds(30));
}

/// Microseconds of one run, as the mean of `repeat`.
static double sample(Contender &contender, int repeat) {
  auto start = Clock::now();
  for (int i = 0; i < repeat; ++i)
    contender.run();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / repeat;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "--list")) {
    for (const Case &c : allCases())
      std::printf("%s\n", c.name.c_str());
    return 0;
  }
  if (argc != 4 && argc != 5) {
    std::fprintf(stderr, "usage: mica-bench-cases CASE ARTIFACT THREADS [ROUNDS]   |   --list\n");
    return 1;
  }
  std::vector<Case> cases = allCases();
  auto found = std::find_if(cases.begin(), cases.end(), [&](const Case &c) { return c.name == argv[1]; });
  if (found == cases.end()) {
    std::fprintf(stderr, "mica-bench-cases: no case '%s'; --list names them\n", argv[1]);
    return 1;
  }
  const Case &c = *found;
  int threads = std::atoi(argv[3]), rounds = argc == 5 ? std::atoi(argv[4]) : 15;
  Inputs inputs = makeInputs(c);
  std::vector<std::unique_ptr<Contender>> contenders;
  contenders.push_back(makeMica(c, inputs, argv[2], threads));
  for (auto make : {makeOpenBlas, makeOneDnn})
    if (auto contender = make(c, inputs, threads))
      contenders.push_back(std::move(contender));

  std::vector<int> repeat;
  std::vector<std::vector<double>> samples(contenders.size());
  std::vector<double> error(contenders.size(), 0.0);
  std::vector<float> reference;
  for (size_t i = 0; i < contenders.size(); ++i) {
    contenders[i]->run();
    double once = sample(*contenders[i], 1);
    repeat.push_back(std::clamp(int(10000.0 / std::max(once, 0.01)), 1, 5000));
    if (i == 0)
      reference = contenders[i]->result();
    else if (contenders[i]->complete())
      error[i] = relativeL2(reference, contenders[i]->result());
    if (error[i] > 1e-4) {
      std::fprintf(stderr, "mica-bench-cases: %s and mica differ on %s: relative L2 %g\n", contenders[i]->name(),
                   argv[1], error[i]);
      return 3;
    }
  }
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < contenders.size(); ++i) {
      // The other libraries' idle threads spin for some milliseconds before they sleep; let them.
      if (threads > 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
      warmUp(*contenders[i]);
      samples[i].push_back(sample(*contenders[i], repeat[i]));
    }
  for (size_t i = 0; i < contenders.size(); ++i) {
    double mid = median(samples[i]);
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round)
      ratios.push_back(samples[i][round] / samples[0][round]);
    std::printf("{\"case\": \"%s\", \"threads\": %d, \"peer\": \"%s\", \"median_us\": %.2f, \"min_us\": %.2f, "
                "\"max_us\": %.2f, \"gflops\": %.1f, \"gbps\": %.1f, \"mica_speed\": %.3f, \"relative_l2\": %.2g}\n",
                argv[1], threads, contenders[i]->name(), mid, *std::min_element(samples[i].begin(), samples[i].end()),
                *std::max_element(samples[i].begin(), samples[i].end()), c.flops / mid * 1e-3, c.bytes / mid * 1e-3,
                median(ratios), error[i]);
  }
  return 0;
}
