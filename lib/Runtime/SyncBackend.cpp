//===- SyncBackend.cpp - one launch at a time ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/SyncBackend.h"

#include <utility>

namespace mica::runtime {
namespace {

class SyncBackend final : public Backend {
public:
  explicit SyncBackend(std::unique_ptr<Backend> inner) : inner(std::move(inner)) {}

  std::string_view name() const override { return inner->name(); }
  int parallelism() const override { return inner->parallelism(); }
  /// So the walker hands over launch after launch, each of which is complete when launch() returns.
  bool inOrder() const override { return true; }
  Result<KernelHandle> load(const KernelSource &source) override { return inner->load(source); }
  Status reserve(size_t launches) override { return inner->reserve(launches); }
  Result<void *> allocate(int64_t bytes) override { return inner->allocate(bytes); }
  void release(void *memory, int64_t bytes) override { inner->release(memory, bytes); }
  void drain(const std::atomic<int32_t> &remaining) override { inner->drain(remaining); }

  void launch(Launch &launch) override {
    void (*const walkersDone)(Launch &) = std::exchange(launch.done, release);
    void *const walker = std::exchange(launch.owner, this);
    running.store(1, std::memory_order_relaxed);
    inner->launch(launch);
    inner->drain(running);
    launch.done = walkersDone;
    launch.owner = walker;
    launch.done(launch);
  }

private:
  /// Last: after it nothing of the launch is touched by the thread that completed it.
  static void release(Launch &launch) {
    static_cast<SyncBackend *>(launch.owner)->running.fetch_sub(1, std::memory_order_seq_cst);
  }

  std::unique_ptr<Backend> inner;
  alignas(kCacheLine) std::atomic<int32_t> running{0};
};

} // namespace

std::unique_ptr<Backend> syncBackend(std::unique_ptr<Backend> inner) {
  return std::make_unique<SyncBackend>(std::move(inner));
}

} // namespace mica::runtime
