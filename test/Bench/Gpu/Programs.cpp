//===- Programs.cpp - how long a program's kernels take on a GPU ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "test/Bench/Gpu/Programs.h"

#include "mica/Runtime/Cuda.h"
#include "mica/Runtime/Observer.h"

#include <random>

namespace mica::bench {

using namespace runtime;

/// Adds up what launches on the device took. Kernels that are code of the CPU are part of no time here: a program with
/// such is refused.
class TimedProgram::DeviceTimes : public Observer {
public:
  void onLaunch(const LaunchEvent &) override {}
  void onComplete(const LaunchEvent &event) override { nanoseconds += double(event.endNs - event.startNs); }
  double nanoseconds = 0;
};

/// Numbers of both signs whose magnitude is from 0.5 up to 1: neither tiny nor all alike, which makes arithmetic cost
/// less power.
static void fillRandomly(Tensor &tensor, uint32_t seed) {
  std::mt19937 random(seed);
  auto fill = [&](auto *data, auto mask, auto exponent) {
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      data[i] = std::remove_reference_t<decltype(*data)>((random() & mask) | exponent);
  };
  switch (tensor.dtype) {
  case DType::F32:
    return fill(tensor.as<uint32_t>(), 0x807FFFFFu, 0x3F000000u);
  case DType::F16:
    return fill(tensor.as<uint16_t>(), 0x83FFu, 0x3800u);
  case DType::BF16:
    return fill(tensor.as<uint16_t>(), 0x807Fu, 0x3F00u);
  default:
    std::fill_n(tensor.as<char>(), tensor.bytes(), 0);
  }
}

Result<std::unique_ptr<TimedProgram>> TimedProgram::load(const std::filesystem::path &artifact,
                                                         const std::string &library) {
  std::unique_ptr<TimedProgram> made(new TimedProgram());
  MICA_ASSIGN_OR_RETURN(made->program, Program::load(artifact));
  const artifact::Manifest &manifest = made->program->manifest();
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    if (!kernel.hostReason.empty())
      return Error{ErrorCode::Unsupported, "kernel " + kernel.name + " is code of the CPU", ""};
  made->times = std::make_unique<DeviceTimes>();
  ContextOptions options;
  options.observers.push_back(made->times.get());
  MICA_ASSIGN_OR_RETURN(auto backend, createCudaBackend(0, "gpu:0", library));
  options.backends.push_back(std::move(backend));
  MICA_ASSIGN_OR_RETURN(made->context, Context::create(made->program, std::move(options)));
  for (const artifact::TensorSpec &spec : manifest.entries[0].args) {
    Tensor input;
    input.dtype = spec.dtype;
    input.shape = spec.shape;
    MICA_ASSIGN_OR_RETURN(input.buffer, Buffer::allocate(input.bytes()));
    fillRandomly(input, uint32_t(made->inputs.size() + 1));
    made->inputs.push_back(std::move(input));
  }
  return made;
}

TimedProgram::~TimedProgram() = default;

Result<double> TimedProgram::time() {
  std::vector<TensorView> views;
  for (const Tensor &input : inputs)
    views.push_back(input.view());
  times->nanoseconds = 0;
  MICA_RETURN_IF_ERROR(context->invoke(0, views, results));
  return times->nanoseconds * 1e-6;
}

int64_t TimedProgram::bytes() const {
  int64_t sum = 0;
  auto add = [&](const std::vector<artifact::TensorSpec> &specs) {
    for (const artifact::TensorSpec &spec : specs) {
      int64_t bytes = dtypeBytes(spec.dtype);
      for (int64_t size : spec.shape)
        bytes *= size;
      sum += bytes;
    }
  };
  add(program->manifest().entries[0].args);
  add(program->manifest().entries[0].results);
  return sum;
}

} // namespace mica::bench
