//===- RunShapes.cpp - calls of one context with several shapes --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// usage: run-shapes ARTIFACT ENTRY SWITCHES SHAPES...     SHAPES: "24x64,64x32", f32, one per argument
// Each call is made twice: by a context with SWITCHES, and by one that runs the kernels for any size. Prints a line per
// call, and "same" where the results agree within 1e-5 relative. With MICA_RUN_SHAPES_TIMES=N also the median time of N
// calls.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/InputSpec.h"
#include "mica/Runtime/Context.h"
#include "mica/Runtime/RunTrace.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Log.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace mica;
using namespace mica::runtime;

static double medianMicroseconds(Context &context, size_t entry, std::span<const TensorView> views, int times) {
  std::vector<double> all;
  std::vector<Tensor> results;
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    (void)context.invoke(entry, views, results);
    all.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

static double relativeDifference(const HostTensor &a, const HostTensor &b) {
  double difference = 0, norm = 0;
  for (int64_t i = 0; i < a.numElements(); ++i) {
    difference += std::pow(a.asDouble(i) - b.asDouble(i), 2);
    norm += std::pow(b.asDouble(i), 2);
  }
  return std::sqrt(difference / std::max(norm, 1e-300));
}

static Status run(int argc, char **argv) {
  MICA_RETURN_IF_ERROR(configureLogs(logOptionsFromEnvironment(), "run-shapes"));
  MICA_ASSIGN_OR_RETURN(const auto program, Program::load(argv[1]));
  MICA_ASSIGN_OR_RETURN(const size_t entry, program->findEntry(argv[2]));
  ContextOptions options, plain;
  options.threads = plain.threads = 1;
  options.trace = RunTrace::fromEnvironment();
  MICA_RETURN_IF_ERROR(options.switches.set(argv[3], SwitchSource::Api));
  MICA_ASSIGN_OR_RETURN(const auto context, Context::create(program, std::move(options)));
  MICA_ASSIGN_OR_RETURN(const auto reference, Context::create(program, std::move(plain)));
  const char *times = std::getenv("MICA_RUN_SHAPES_TIMES");
  for (int call = 4; call < argc; ++call) {
    std::vector<HostTensor> inputs;
    for (const std::string &shape : splitText(argv[call], ',')) {
      MICA_ASSIGN_OR_RETURN(const artifact::TensorSpec type, parseTensorType(shape + "xf32"));
      HostTensor tensor(type.dtype, type.shape);
      for (int64_t i = 0; i < tensor.numElements(); ++i)
        tensor.setDouble(i, double((i * 37 + int64_t(inputs.size()) * 11) % 101) / 50 - 1);
      inputs.push_back(std::move(tensor));
    }
    const std::vector<TensorView> views(inputs.begin(), inputs.end());
    MICA_ASSIGN_OR_RETURN(const std::vector<Tensor> results, context->invoke(entry, views));
    MICA_ASSIGN_OR_RETURN(const std::vector<Tensor> expected, reference->invoke(entry, views));
    double worst = results.size() == expected.size() ? 0 : 1;
    for (size_t i = 0; i < results.size() && i < expected.size(); ++i) {
      const HostTensor a = results[i].toHost(), b = expected[i].toHost();
      worst = std::max(worst, a.shape == b.shape ? relativeDifference(a, b) : 1);
    }
    std::printf("%s: %s", argv[call], worst <= 1e-5 ? "same" : "DIFFERENT");
    if (times)
      std::printf("; %.2f us, for any size %.2f us", medianMicroseconds(*context, entry, views, std::atoi(times)),
                  medianMicroseconds(*reference, entry, views, std::atoi(times)));
    std::printf("\n");
    std::fflush(stdout);
  }
  return {};
}

int main(int argc, char **argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: run-shapes ARTIFACT ENTRY SWITCHES SHAPES...\n");
    return 1;
  }
  const Status status = run(argc, argv);
  if (!status)
    std::fprintf(stderr, "error: %s\n", status.error().message.c_str());
  return status ? 0 : 1;
}
