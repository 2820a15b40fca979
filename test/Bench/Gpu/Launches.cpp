//===- Launches.cpp - what a launch costs beside the driver's own call ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "test/Bench/Gpu/Launches.h"

#include "mica/Runtime/Context.h"
#include "mica/Runtime/Cuda.h"
#include "mica/Support/Files.h"

#include <chrono>

namespace mica::bench {
namespace {

using namespace runtime;

double microseconds(const std::function<void()> &work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

/// The entries of the program in one context.
class Chain {
public:
  Chain(const std::shared_ptr<const Program> &program, const std::string &library, bool graphs)
      : one(take(program->findEntry("one"))), many(take(program->findEntry("many"))) {
    ContextOptions options;
    options.backends.push_back(take(createCudaBackend(0, "gpu:0", library, graphs)));
    context = take(Context::create(program, std::move(options)));
    const artifact::TensorSpec &spec = program->manifest().entries[one].args[0];
    input.dtype = spec.dtype;
    input.shape = spec.shape;
    input.buffer = take(Buffer::allocate(input.bytes()));
    std::fill_n(input.as<char>(), input.bytes(), 0);
  }

  double timeOne() { return time(one); }
  double timeMany() { return time(many); }

private:
  double time(size_t entry) {
    const TensorView view = input.view();
    return microseconds([&] { check(context->invoke(entry, {&view, 1}, results)); });
  }

  size_t one, many;
  std::unique_ptr<Context> context;
  Tensor input;
  std::vector<Tensor> results;
};

/// Launches of the program's kernel by the driver.
class Raw {
public:
  Raw(Device &device, const Program &program) : device(device) {
    const artifact::KernelRecord &kernel = program.manifest().kernels.front();
    const std::string text = take(readFile(program.folder() / "kernels" / kernel.name / "kernel.ptx"));
    const std::string mark = ".entry ";
    const size_t at = text.find(mark);
    if (at == text.npos)
      check(Error{ErrorCode::Damaged, "the kernel " + kernel.name + " has no entry", ""});
    const size_t name = at + mark.size();
    function = device.load(text, text.substr(name, text.find_first_of("( \n", name) - name));
    for (uint64_t &buffer : buffers)
      buffer = device.allocate(4096);
  }
  ~Raw() {
    device.makeCurrent();
    for (auto exec : graphs)
      if (exec)
        device.driver().graphExecDestroy(exec);
    for (uint64_t buffer : buffers)
      device.release(buffer);
  }

  double time(int launches) {
    return microseconds([&] {
      launch(launches);
      device.wait();
    });
  }
  /// As one call of the driver; `which`: 0 or 1, of two lengths that are captured once each.
  double timeGraph(int which, int launches) {
    const cuda::Driver &driver = device.driver();
    if (!graphs[which]) {
      cuda::Graph graph = nullptr;
      device.expect(driver.beginCapture(device.stream(), 1), "begin a capture");
      launch(launches);
      device.expect(driver.endCapture(device.stream(), &graph), "end a capture");
      device.expect(driver.graphInstantiate(&graphs[which], graph, 0), "make a graph");
      driver.graphDestroy(graph);
    }
    return microseconds([&] {
      device.expect(driver.graphLaunch(graphs[which], device.stream()), "launch a graph");
      device.wait();
    });
  }

private:
  void launch(int launches) {
    for (int i = 0; i < launches; ++i) {
      void *params[] = {&buffers[i % 2], &buffers[(i + 1) % 2]};
      device.expect(device.driver().launchKernel(function, 1, 1, 1, 32, 1, 1, 0, device.stream(), params, nullptr),
                    "launch a kernel");
    }
  }

  Device &device;
  cuda::Function function = nullptr;
  uint64_t buffers[2] = {0, 0};
  cuda::GraphExec graphs[2] = {nullptr, nullptr};
};

} // namespace

LaunchCosts measureLaunches(Device &device, const std::filesystem::path &artifact, const std::string &library,
                            int pairs) {
  const std::shared_ptr<const Program> program = take(Program::load(artifact));
  const size_t many = take(program->findEntry("many"));
  int launches = 0;
  for (const artifact::TaskList &list : program->taskLists())
    if (list.name.starts_with(program->manifest().entries[many].name))
      launches += int(list.tasks.size());
  if (launches < 2)
    check(Error{ErrorCode::Damaged, artifact.string() + " launches nothing to be timed", ""});
  LaunchCosts costs;
  Raw raw(device, *program);
  auto measure = [&](bool graphs, double &rawCost, double &ourCost, double &over) {
    Chain ours(program, library, graphs);
    std::vector<double> raws, owns, differences;
    // The first ones load code, warm the clocks up, and make graphs.
    for (int i = -10; i < pairs; ++i) {
      device.makeCurrent();
      const double rawLaunch =
          graphs ? raw.timeGraph(1, launches) - raw.timeGraph(0, 1) : raw.time(launches) - raw.time(1);
      const double ourLaunch = ours.timeMany() - ours.timeOne();
      if (i < 0)
        continue;
      raws.push_back(rawLaunch / (launches - 1));
      owns.push_back(ourLaunch / (launches - 1));
      differences.push_back(owns.back() - raws.back());
    }
    rawCost = median(raws);
    ourCost = median(owns);
    over = median(differences);
  };
  measure(false, costs.raw, costs.ours, costs.over);
  if (device.driver().hasGraphs())
    measure(true, costs.rawGraph, costs.oursGraph, costs.overGraph);
  device.makeCurrent();
  return costs;
}

} // namespace mica::bench
