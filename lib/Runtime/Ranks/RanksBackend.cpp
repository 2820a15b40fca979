//===- RanksBackend.cpp - kernels that are exchanges -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A wrapper of the device that runs exchanges: their kernels become calls of the session, on the thread that would have
// run the kernel. So one thread communicates while others compute. On a device with a queue, they are added to it.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/NumberedBackend.h"
#include "lib/Runtime/Ranks/RankSession.h"

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

/// Stands for the code of each of these kernels. `OnDevice`: the buffers that it gets are a device's.
template <bool OnDevice> int32_t performCurrent(const mica_kernel_args_v1 *args) {
  Exchange &exchange = *Exchange::current;
  const Status status = OnDevice ? exchange.session->add(exchange.kernel, exchange.inner, args->buffers)
                                 : exchange.session->perform(exchange.kernel, exchange.inner);
  if (status)
    return 0;
  exchange.failure = {status.error().message, std::nullopt, status.error().code};
  return MICA_STATUS_CHECK_FAILED;
}

class RanksBackend final : public NumberedBackend {
public:
  RanksBackend(std::unique_ptr<Backend> inner, const Program &program, RankSession &session)
      : NumberedBackend(std::move(inner), program), session(session) {}
  ~RanksBackend() override {
    if (!inner->deviceQueue() || !session.device())
      return;
    inner->deviceQueue()->setWatch(nullptr);
    session.device()->close();
  }

  Result<KernelHandle> load(const KernelSource &source) override {
    if (!source.record->collective)
      return inner->load(source);
    KernelSource performed = source;
    performed.function = inner->deviceQueue() ? performCurrent<true> : performCurrent<false>;
    return NumberedBackend::load(performed);
  }

  void launchKernel(Launch &launch, size_t kernel) override {
    Exchange &exchange = exchanges.of(launch);
    exchange.session = &session;
    exchange.kernel = kernel;
    exchange.failure = {};
    exchange.start([](Launch &inner) {
      auto &exchange = static_cast<Exchange &>(WrappedLaunch::of(inner));
      exchange.session->complete(exchange.kernel, inner);
      if (!exchange.failure.message.empty())
        inner.failure = &exchange.failure;
      exchange.finish();
    });
    exchange.slices = 1; // it is performed once, whoever asks for slices
    inner->launch(exchange.inner);
  }

private:
  RankSession &session;
  WrappedLaunches<Exchange> exchanges;
};

} // namespace

std::unique_ptr<Backend> ranksBackend(std::unique_ptr<Backend> inner, const Program &program, RankSession &session) {
  return std::make_unique<RanksBackend>(std::move(inner), program, session);
}

} // namespace mica::runtime
