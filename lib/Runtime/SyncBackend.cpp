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
    launchAndWait(launch);
    launch.done(launch);
  }
};

} // namespace

std::unique_ptr<Backend> syncBackend(std::unique_ptr<Backend> inner) {
  return std::make_unique<SyncBackend>(std::move(inner));
}

} // namespace mica::runtime
