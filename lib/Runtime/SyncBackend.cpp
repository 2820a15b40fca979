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

#include "mica/Runtime/ForwardingBackend.h"

#include <utility>

namespace mica::runtime {
namespace {

class SyncBackend final : public ForwardingBackend {
public:
  explicit SyncBackend(std::unique_ptr<Backend> inner) : ForwardingBackend(std::move(inner)) {}

  /// So the walker hands over launch after launch, each of which is complete when launch() returns.
  bool inOrder() const override { return true; }

  void launch(Launch &launch) override {
    void (*const walkersDone)(Launch &) = std::exchange(launch.done, completed);
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
  static void completed(Launch &launch) {
    static_cast<SyncBackend *>(launch.owner)->running.fetch_sub(1, std::memory_order_seq_cst);
  }

  alignas(kCacheLine) std::atomic<int32_t> running{0};
};

} // namespace

std::unique_ptr<Backend> syncBackend(std::unique_ptr<Backend> inner) {
  return std::make_unique<SyncBackend>(std::move(inner));
}

} // namespace mica::runtime
