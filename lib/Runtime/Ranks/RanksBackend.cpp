//===- RanksBackend.cpp - kernels that are exchanges -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A wrapper of the device that runs exchanges: their kernels become calls of the session, on the thread that would have
// run the kernel. So one thread communicates while others compute.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/RankSession.h"
#include "mica/Runtime/ForwardingBackend.h"

#include <unordered_map>

namespace mica::runtime {
namespace {

struct Exchange final : WrappedLaunch {
  RankSession *session = nullptr;
  size_t kernel = 0;
  LaunchFailure failure;
  /// The exchange that the calling thread is about to perform.
  static thread_local Exchange *current;

  void begun() override {
    current = this;
    WrappedLaunch::begun();
  }
};
thread_local Exchange *Exchange::current = nullptr;

/// Stands for the code of each of these kernels.
int32_t performCurrent(const mica_kernel_args_v1 *) {
  Exchange &exchange = *Exchange::current;
  const Status status = exchange.session->perform(exchange.kernel, exchange.inner);
  if (status)
    return 0;
  exchange.failure = {status.error().message, std::nullopt, status.error().code};
  return MICA_STATUS_CHECK_FAILED;
}

class RanksBackend final : public ForwardingBackend {
public:
  RanksBackend(std::unique_ptr<Backend> inner, const Program &program, RankSession &session)
      : ForwardingBackend(std::move(inner)), program(program), session(session) {}

  Result<KernelHandle> load(const KernelSource &source) override {
    if (!source.record->collective)
      return inner->load(source);
    KernelSource performed = source;
    performed.function = performCurrent;
    MICA_ASSIGN_OR_RETURN(const KernelHandle handle, inner->load(performed));
    kernels[handle] = size_t(source.record - program.manifest().kernels.data());
    return handle;
  }

  void launch(Launch &launch) override {
    const auto known = kernels.find(launch.kernel);
    if (known == kernels.end())
      return inner->launch(launch);
    Exchange &exchange = exchanges.of(launch);
    exchange.session = &session;
    exchange.kernel = known->second;
    exchange.failure = {};
    exchange.start([](Launch &inner) {
      auto &exchange = static_cast<Exchange &>(WrappedLaunch::of(inner));
      if (!exchange.failure.message.empty())
        inner.failure = &exchange.failure;
      exchange.finish();
    });
    exchange.slices = 1; // it is performed once, whoever asks for slices
    inner->launch(exchange.inner);
  }

private:
  const Program &program;
  RankSession &session;
  std::unordered_map<KernelHandle, size_t> kernels;
  WrappedLaunches<Exchange> exchanges;
};

} // namespace

std::unique_ptr<Backend> ranksBackend(std::unique_ptr<Backend> inner, const Program &program, RankSession &session) {
  return std::make_unique<RanksBackend>(std::move(inner), program, session);
}

} // namespace mica::runtime
