//===- Replays.cpp - what names the operation that a NaN originates in --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Copies of the kernels as phase schedule leaves them, as tensors, go through mica-codegen-build-replay and the
// unoptimized pipeline. They are no part of the record. A replay is a convenience: a kernel that cannot have one is
// compiled without.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "lib/Compiler/Driver/Compilation.h"
#include "mica/ABI/Memory.h"
#include "mica/Compiler/Program/Describe.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// The ids of the operations whose results the bindings of `kernel` are.
static std::map<unsigned, std::string> resultIds(ModuleOp kernel) {
  std::map<unsigned, std::string> ids;
  kernel.walk([&](bufferization::MaterializeInDestinationOp result) {
    auto argument = dyn_cast<BlockArgument>(result.getDest());
    SmallVector<StringRef> found = getOpIds(result.getLoc());
    if (argument && !found.empty())
      ids[argument.getArgNumber()] = found.front().str();
  });
  return ids;
}

static bool holdsProbes(ModuleOp kernel) {
  return kernel.walk([](check::FailedOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// In the LLVM dialect: the symbols that are the kernel's own.
static void renameSymbols(ModuleOp kernel, const std::string &name) {
  if (Operation *entry = kernel.lookupSymbol("mica_kernel_" + name))
    SymbolTable::setSymbolName(entry, "mica_kernel_" + std::string(artifact::kReplayPrefix) + name);
  if (Operation *signature = kernel.lookupSymbol(MICA_SIGNATURE_PREFIX + name))
    signature->erase();
}

void Compilation::copyKernels() {
  if (!artifact || options.plain || isSimulated() || !kernels)
    return;
  for (ModuleOp kernel : kernelsOf(program()))
    resultsOf[kernel.getName().value_or("").str()] = resultIds(kernel);
  // Elsewhere, what kernels read is not in the host's memory.
  if (isForDevice() || target.backend->info().launches || !options.nanCheck)
    return;
  replays = ModuleOp::create(program().getLoc());
  for (ModuleOp kernel : kernelsOf(program()))
    replays->push_back(kernel.clone());
}

/// What became of the kernels is in the manifest by now.
void Compilation::lowerReplays() {
  if (artifact)
    for (artifact::KernelRecord &record : artifact->manifest.kernels)
      for (const auto &[binding, id] : resultsOf[record.name])
        if (auto it = llvm::find(record.opIds, id); it != record.opIds.end() && binding < record.bindings.size())
          record.bindings[binding].op = it - record.opIds.begin();
  if (!replays)
    return;
  PipelineOptions plain;
  plain.copyOptionValuesFrom(pipelineOptions);
  plain.optLevel = 0;
  plain.assertLevel = std::string("user");
  plain.trackReads = false;
  auto run = [&](llvm::function_ref<void(OpPassManager &)> build) {
    // Silence: what goes wrong here is no fault of the program.
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    PassManager pm(&context, "builtin.module");
    pm.enableVerifier(options.verifyEach);
    build(pm);
    return succeeded(pm.run(*replays));
  };
  const bool made = run([&](OpPassManager &pm) {
    OpPassManager &kernel = pm.nest<ModuleOp>();
    kernel.addPass(createDecomposeOpsPass());
    kernel.addNestedPass<func::FuncOp>(createBuildReplayPass());
    target.backend->buildKernelPhase(pm, plain);
  });
  std::map<std::string, artifact::KernelReplay> records;
  for (ModuleOp kernel : kernelsOf(*replays)) {
    Result<artifact::KernelRecord> described =
        made && holdsProbes(kernel) ? describeKernel(kernel)
                                    : Result<artifact::KernelRecord>(Error{ErrorCode::Unsupported, "", ""});
    if (!described || !described->checks) {
      kernel.erase();
      continue;
    }
    artifact->resolveParts(kernel, described->opIds, described->checks->sites);
    records[described->name] = {described->scratchBytes, std::move(described->checks->sites)};
  }
  if (!run([&](OpPassManager &pm) { target.backend->buildLoweredPhase(pm, plain); }))
    return;
  for (ModuleOp kernel : kernelsOf(*replays)) {
    const std::string name = kernel.getName().value_or("").str();
    renameSymbols(kernel, name);
    units.push_back({CodeUnit::Kind::Replay, name, OwningOpRef<ModuleOp>(kernel.clone())});
    for (artifact::KernelRecord &record : artifact->manifest.kernels)
      if (record.name == name)
        record.replay = std::move(records[name]);
  }
}
