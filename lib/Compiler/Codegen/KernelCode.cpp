//===- KernelCode.cpp - generating the code of all kernels of a program -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The longest tasks start first: the host functions, then kernels by number of operations.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Codegen/KernelCode.h"

#include "mica/Compiler/Program/Describe.h"
#include "passes/Codegen/GPU/Passes.h"

#include "mlir/IR/Threading.h"
#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <chrono>
#include <limits>
#include <optional>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

OwningOpRef<ModuleOp> compiler::takeDeviceModule(ModuleOp kernel) {
  auto device = kernel.lookupSymbol<gpu::GPUModuleOp>(kGpuModuleName);
  if (!device)
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc(), kernel.getName());
  module->getBody()->getOperations().splice(module->getBody()->begin(), device.getBody()->getOperations());
  device.erase();
  return module;
}

std::vector<CodeUnit> compiler::codeUnits(ModuleOp program) {
  std::vector<CodeUnit> units;
  for (ModuleOp kernel : kernelsOf(program)) {
    std::string name = kernel.getName().value_or("").str();
    OwningOpRef<ModuleOp> copy = kernel.clone();
    if (OwningOpRef<ModuleOp> device = takeDeviceModule(*copy))
      units.push_back({CodeUnit::Kind::Device, name, std::move(device)});
    units.push_back({CodeUnit::Kind::Kernel, name, std::move(copy)});
  }
  units.push_back({CodeUnit::Kind::Host, "host", hostModule(program)});
  return units;
}

static CodegenOptions optionsOf(const CodeUnit &unit, const CodeSettings &settings) {
  const bool isReplay = unit.kind == CodeUnit::Kind::Replay || unit.kind == CodeUnit::Kind::FaultReplay ||
                        unit.kind == CodeUnit::Kind::DumpReplay;
  const bool isPlain = unit.kind == CodeUnit::Kind::Kernel && llvm::is_contained(settings.plainKernels, unit.name);
  CodegenOptions options;
  options.optLevel = isReplay || isPlain ? 0 : settings.optLevel;
  // Debug lines point into kernel.mlir; the host functions have no such file.
  if (unit.kind != CodeUnit::Kind::Host && !isReplay)
    options.lineFile = "kernels/" + unit.name + "/kernel.mlir";
  if (settings.passLimit && unit.kind == CodeUnit::Kind::Kernel && unit.name == settings.limitedKernel)
    options.passLimit = settings.passLimit;
  if (!isPlain)
    options.llvmPlugins = settings.llvmPlugins;
  return options;
}

Status compiler::generateUnits(std::vector<CodeUnit> &units, const Target &target, const CodeSettings &settings,
                               Progress &progress, const std::function<void(const std::string &, bool)> &onCode,
                               const std::function<void()> &meanwhile) {
  std::vector<std::optional<Result<GeneratedCode>>> results(units.size());
  std::vector<std::pair<size_t, size_t>> order; // weight, position
  for (auto [position, unit] : llvm::enumerate(units)) {
    size_t weight = unit.kind == CodeUnit::Kind::Host ? std::numeric_limits<size_t>::max() : 0;
    if (weight == 0)
      unit.module->walk([&](Operation *) { ++weight; });
    order.push_back({weight, position});
  }
  llvm::stable_sort(order, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::atomic<int64_t> done{0};
  MLIRContext *context = units.front().module->getContext();
  parallelFor(context, 0, 1 + units.size(), [&](size_t turn) {
    if (turn == 0) {
      if (meanwhile)
        meanwhile();
      return;
    }
    const size_t i = order[turn - 1].second;
    CodeUnit &unit = units[i];
    const auto start = std::chrono::steady_clock::now();
    progress.step(done, units.size(), "code of " + unit.name);
    if (onCode)
      onCode(unit.name, /*begins=*/true);
    results[i] = generateCode(*unit.module, unit.kind == CodeUnit::Kind::Device ? *target.device : target.host,
                              optionsOf(unit, settings));
    if (onCode)
      onCode(unit.name, /*begins=*/false);
    unit.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    ++done;
  });
  progress.clear();
  for (size_t i = 0; i < units.size(); ++i) {
    if (!*results[i])
      return results[i]->status();
    units[i].code = std::move(**results[i]);
  }
  return Status::ok();
}
