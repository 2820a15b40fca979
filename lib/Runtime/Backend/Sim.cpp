//===- Backend/Sim.cpp - the simulator of GPU kernels as a device ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A kernel's function is a wrapper that calls the simulator (mica/ABI/Sim.h) once or several times; it runs on the
// thread that launches, one launch after the other. What the checks of the simulator found becomes the reason why the
// launch failed, and the first line it names the place.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Clock.h"
#include "lib/Runtime/KernelMemory.h"
#include "lib/Runtime/Memory.h"
#include "lib/Runtime/Sim/Simulator.h"
#include "mica/Runtime/Backend.h"
#include "mica/Runtime/FaultInfo.h"

#include <charconv>
#include <deque>
#include <utility>

namespace mica::runtime {
namespace {

/// The operation and the place of "memref.store at k.mlir:12:5"; what is not told stays empty.
FaultInfo faultAt(const std::string &site) {
  FaultInfo fault;
  const size_t at = site.find(" at ");
  fault.opKind = site.substr(0, at);
  if (at == site.npos)
    return fault;
  std::string place = site.substr(at + 4);
  int64_t numbers[2] = {0, 0}; // column, line
  for (int64_t &number : numbers) {
    const size_t colon = place.rfind(':');
    const char *end = place.data() + place.size();
    if (colon == place.npos || std::from_chars(place.data() + colon + 1, end, number).ptr != end)
      return fault;
    place.resize(colon);
  }
  fault.file = std::move(place);
  fault.line = numbers[1];
  fault.column = numbers[0];
  return fault;
}

class SimBackend final : public Backend {
public:
  SimBackend(sim::Schedule schedule, std::string name) : simulator(std::move(schedule)), deviceName(std::move(name)) {}

  std::string_view name() const override { return deviceName; }
  int parallelism() const override { return 1; }
  bool inOrder() const override { return true; }

  Result<KernelHandle> load(const KernelSource &source) override {
    if (!source.function)
      return Error{ErrorCode::Unsupported, "kernel '" + source.record->name + "' has no code for " + deviceName,
                   "compile the program with --target=sim"};
    void *scratch = nullptr;
    if (source.record->scratchBytes > 0) {
      MICA_ASSIGN_OR_RETURN(scratch, allocate(source.record->scratchBytes));
    }
    kernels.push_back({source.function, scratch, source.allocates});
    return KernelHandle(&kernels.back());
  }
  Status reserve(size_t) override { return Status::ok(); }

  Result<void *> allocate(int64_t bytes) override { return blocks.allocate(bytes); }
  void release(void *memory, int64_t) override { blocks.release(memory); }

  void launch(Launch &launch) override {
    int32_t code = 0;
    launch.parts = 1;
    launch.failure = nullptr;
    if (!launch.cancelled->load(std::memory_order_relaxed)) {
      if (launch.timed)
        launch.startNs = steadyNs();
      if (launch.monitor)
        launch.monitor->begun();
      code = run(launch);
    }
    launch.status.store(code, std::memory_order_relaxed);
    if (launch.timed)
      launch.endNs = steadyNs();
    launch.nextPlace = nullptr;
    launch.done(launch);
  }
  void drain(const std::atomic<int32_t> &) override {}

private:
  struct Kernel {
    mica_kernel_fn_v1 function;
    void *scratch;
    bool allocates;
  };
  int32_t run(Launch &launch) {
    const auto *kernel = static_cast<const Kernel *>(launch.kernel);
    const mica_kernel_args_v1 args{launch.buffers, launch.scalars, kernel->scratch, 0, 1, launch.checks, nullptr};
    int32_t code = 0;
    {
      const sim::SimulatorScope scope(&simulator);
      code = kernel->allocates ? memory.call([&] { return kernel->function(&args); }) : kernel->function(&args);
    }
    if (code == MICA_STATUS_NO_MEMORY && kernel->allocates) {
      failures.push_back({memory.error().message, std::nullopt});
      failures.back().op = memory.failedNumber();
      failures.back().place = memory.failedPlace();
      launch.failure = &failures.back();
      return code;
    }
    sim::Findings found = simulator.takeFindings();
    // What the kernel's own checks found, of the same accesses, says what was accessed too.
    const auto *log = reinterpret_cast<const mica_gpu_check_log_v1 *>(launch.checks);
    if (log && launch.record->hostReason.empty() && log->is_error != 0 && log->failed != 0)
      return MICA_STATUS_CHECK_FAILED;
    if (found.text.empty())
      return code;
    if (found.isMemory)
      found.text = "kernel '" + launch.record->name + "' gets no memory for a temporary: " + found.text;
    const int32_t why = found.isMemory ? MICA_GPU_NO_MEMORY : code != 0 ? code : MICA_STATUS_CHECK_FAILED;
    failures.push_back({std::move(found.text), faultAt(found.firstSite)});
    launch.failure = &failures.back();
    return why;
  }

  sim::Simulator simulator;
  const std::string deviceName;
  std::deque<Kernel> kernels; // addresses stay
  HostBlocks blocks;
  KernelMemory memory;                ///< of kernels that are code of the CPU
  std::deque<LaunchFailure> failures; ///< few: a context takes no further work after the first
};

} // namespace

Result<std::unique_ptr<Backend>> createSimBackend(const std::string &schedule, std::string name) {
  MICA_ASSIGN_OR_RETURN(sim::Schedule parsed, sim::Schedule::parse(schedule));
  return std::unique_ptr<Backend>(std::make_unique<SimBackend>(std::move(parsed), std::move(name)));
}

} // namespace mica::runtime
