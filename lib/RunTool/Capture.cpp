//===- Capture.cpp - capturing tensors that kernels write --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Wraps a launch's `done`: the tensors are written to files before the original is called, so that no later task can
// have changed them. On a device with separate memory the wrapper waits for each launch instead, because the device
// cannot be called from its own callback.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Capture.h"

#include "mica/Compare/Npy.h"
#include "mica/Runtime/ForwardingBackend.h"

#include <cstring>
#include <new>

namespace mica::runtool {
namespace {

using runtime::Launch;

class CaptureBackend final : public runtime::ForwardingBackend {
public:
  CaptureBackend(std::unique_ptr<runtime::Backend> inner, Captures &captures)
      : ForwardingBackend(std::move(inner)), captures(captures) {}

  void launch(Launch &launch) override {
    if (inner->deviceMemory()) {
      // Its results are downloaded before the next launch begins.
      launchAndWait(launch);
      captureIfRan(launch);
      launch.done(launch);
      return;
    }
    Captured &captured = launches.of(launch);
    captured.start(&CaptureBackend::completed);
    captured.backend = this;
    inner->launch(captured.inner);
  }

private:
  struct Captured final : runtime::WrappedLaunch {
    CaptureBackend *backend = nullptr;
  };

  static void completed(Launch &launch) {
    auto &captured = static_cast<Captured &>(runtime::WrappedLaunch::of(launch));
    captured.backend->captureIfRan(launch);
    captured.finish();
  }

  void captureIfRan(const Launch &launch) {
    const bool ran = !launch.cancelled || !launch.cancelled->load();
    if (ran && launch.status.load() == 0)
      capture(launch);
  }

  void capture(const Launch &launch) try {
    const int64_t *dynamic = launch.scalars;
    std::lock_guard<std::mutex> lock(captures.mutex);
    for (size_t i = 0; i < launch.record->bindings.size() && captures.failure; ++i) {
      const artifact::BindingRecord &binding = launch.record->bindings[i];
      std::vector<int64_t> shape = binding.type.shape;
      for (int64_t &size : shape)
        size = size < 0 ? *dynamic++ : size;
      if (binding.access == artifact::Access::Read)
        continue;
      HostTensor tensor(binding.type.dtype, std::move(shape));
      if (runtime::DeviceMemory *memory = inner->deviceMemory())
        captures.failure = memory->toHost(launch.buffers[i], int64_t(tensor.data.size()));
      if (!captures.failure)
        return;
      std::memcpy(tensor.data.data(), launch.buffers[i], tensor.data.size());
      char number[16];
      std::snprintf(number, sizeof number, "%06zu", captures.tensors.size());
      const std::filesystem::path file =
          captures.folder / (std::string(number) + "_" + launch.record->name + "_" + std::to_string(i) + ".npy");
      captures.failure = writeNpyInPlace(file, tensor);
      captures.tensors.push_back({launch.record->name, launch.site, i, binding.type.dtype, file});
    }
  } catch (const std::bad_alloc &) {
    std::lock_guard<std::mutex> lock(captures.mutex);
    captures.failure =
        Error{ErrorCode::Io, "not enough memory to keep what the kernel " + launch.record->name + " wrote", ""};
  }

  Captures &captures;
  runtime::WrappedLaunches<Captured> launches;
};

} // namespace

std::unique_ptr<runtime::Backend> captureBackend(std::unique_ptr<runtime::Backend> inner, Captures &captures) {
  return std::make_unique<CaptureBackend>(std::move(inner), captures);
}

} // namespace mica::runtool
