//===- MicaContender.cpp - a benchmark case run by Mica ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Loads the case's artifact through the runtime and calls its only entry.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Contender.h"

#include "mica/Runtime/Context.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mica::bench {
namespace {

[[noreturn]] void fail(const Error &error) {
  std::fprintf(stderr, "bench: %s\n", error.message.c_str());
  std::exit(1);
}

template <typename T> T take(Result<T> result) {
  if (!result)
    fail(result.error());
  return *std::move(result);
}

class MicaContender : public Contender {
public:
  MicaContender(const Inputs &inputs, const std::string &artifact, int threads) {
    runtime::ContextOptions options;
    options.threads = threads;
    context = take(runtime::Context::create(take(runtime::Program::load(artifact)), std::move(options)));
    for (size_t i = 0; i < inputs.tensors.size(); ++i) {
      HostTensor host(DType::F32, inputs.shapes[i]);
      std::memcpy(host.data.data(), inputs.tensors[i].data(), host.data.size());
      tensors.push_back(take(runtime::Tensor::fromHost(host)));
    }
    for (const runtime::Tensor &tensor : tensors)
      views.push_back(tensor.view());
  }

  const char *name() const override { return "mica"; }
  void run() override {
    if (Status status = context->invoke(0, views, results); !status)
      fail(status.error());
  }
  std::vector<float> result() const override {
    const float *data = results.front().as<float>();
    return {data, data + results.front().numElements()};
  }

private:
  std::unique_ptr<runtime::Context> context;
  std::vector<runtime::Tensor> tensors, results;
  std::vector<runtime::TensorView> views;
};

} // namespace

std::unique_ptr<Contender> makeMica(const Case &, const Inputs &inputs, const std::string &artifact, int threads) {
  return std::make_unique<MicaContender>(inputs, artifact, threads);
}

} // namespace mica::bench
