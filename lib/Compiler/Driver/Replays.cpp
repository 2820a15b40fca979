//===- Replays.cpp - code that finds a faulty operation and element ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Copies of the kernels at the end of phase schedule, as tensors, are compiled by mica-codegen-build-replay (all
// kernels, with nan-check), mica-codegen-build-fault-replay (kernels with remaining checks) or
// mica-codegen-build-dump-replay (all kernels, with dump-exact), and the unoptimized CPU pipeline. They are not
// recorded. Replays are optional: if one cannot be made, the kernel is compiled without.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "lib/Compiler/Driver/Compilation.h"
#include "mica/ABI/Memory.h"
#include "mica/Compiler/Program/Describe.h"
#include "passes/Check/IntegerPowers.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// The ids of the operations that compute the bindings of `kernel`, the likeliest first: that of the result, and those
/// of what it is a view of.
static std::map<unsigned, std::vector<std::string>> resultIds(ModuleOp kernel) {
  std::map<unsigned, std::vector<std::string>> ids;
  kernel.walk([&](bufferization::MaterializeInDestinationOp result) {
    Value written = result.getDest();
    while (auto view = written.getDefiningOp<ViewLikeOpInterface>())
      written = view.getViewSource();
    auto argument = dyn_cast<BlockArgument>(written);
    if (!argument)
      return;
    auto add = [&](Operation *op) {
      for (StringRef id : getOpIds(op->getLoc()))
        ids[argument.getArgNumber()].push_back(id.str());
    };
    add(result);
    for (Operation *op = result.getSource().getDefiningOp(); op; op = op->getOperand(0).getDefiningOp()) {
      add(op);
      if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp, tensor::ExtractSliceOp>(op))
        break;
    }
  });
  return ids;
}

static bool holdsProbes(ModuleOp kernel) {
  return kernel.walk([](check::FailedOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// In the LLVM dialect: renames the symbols that the kernel owns.
static void renameSymbols(ModuleOp kernel, std::string_view prefix, const std::string &name) {
  if (Operation *entry = kernel.lookupSymbol("mica_kernel_" + name))
    SymbolTable::setSymbolName(entry, "mica_kernel_" + std::string(prefix) + name);
  if (Operation *signature = kernel.lookupSymbol(MICA_SIGNATURE_PREFIX + name))
    signature->erase();
}

/// Whether the kernel may keep a check that its fault replay can locate. With level user alone, the program shows this.
static bool mayKeepChecks(ModuleOp kernel, llvm::StringRef level) {
  if (level == "none")
    return false;
  return level != "user" ||
         kernel
             .walk([](Operation *op) {
               const bool divides =
                   isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
                       arith::CeilDivUIOp, arith::FloorDivSIOp, index::DivSOp, index::DivUOp, index::RemSOp,
                       index::RemUOp, index::CeilDivSOp, index::CeilDivUOp, index::FloorDivSOp>(op);
               return divides || mayInvertZero(op) || isa<cf::AssertOp, check::FailedOp, tensor::ExtractOp>(op)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// Whether the kernel can compute a NaN from finite numbers and then discard it.
static bool mayDiscardNan(ModuleOp kernel) {
  bool makes = false, discards = false;
  kernel.walk([&](Operation *op) {
    makes |= isa<arith::DivFOp, arith::RemFOp, math::LogOp, math::Log2Op, math::Log10Op, math::Log1pOp, math::SqrtOp,
                 math::RsqrtOp, math::PowFOp, math::AsinOp, math::AcosOp, math::AcoshOp, math::AtanhOp>(op);
    discards |= isa<arith::CmpFOp, arith::MinNumFOp, arith::MaxNumFOp, arith::FPToSIOp, arith::FPToUIOp>(op) ||
                (isa<arith::SelectOp>(op) && isa<FloatType>(op->getResult(0).getType()));
  });
  return makes && discards;
}

/// Code on buffers has no elements that can be recomputed separately.
static bool isOnBuffers(ModuleOp kernel) {
  return kernel.walk([](sched::BufferRegionOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether the fault replay of the kernel finds NaN.
static bool probesFloats(ModuleOp kernel) { return isOnBuffers(kernel) || mayDiscardNan(kernel); }

/// Whether one of the checks that a fault replay makes was not eliminated.
static bool keepsChecks(const artifact::KernelRecord &kernel) {
  return kernel.checks && llvm::any_of(kernel.checks->sites, [](const artifact::CheckRecord &site) {
           return site.kind.empty() || site.kind == "load";
         });
}

void Compilation::copyKernels() {
  if (!artifact || options.plain || isSimulated() || !kernels)
    return;
  for (ModuleOp kernel : kernelsOf(program()))
    resultsOf[kernel.getName().value_or("").str()] = resultIds(kernel);
  const TargetInfo &info = target.backend->info();
  if (info.isCompiledOnly)
    return;
  replays = ModuleOp::create(program().getLoc());
  dumpReplays = ModuleOp::create(program().getLoc());
  faultReplays = ModuleOp::create(program().getLoc());
  for (ModuleOp kernel : kernelsOf(program())) {
    if (options.nanCheck)
      replays->push_back(kernel.clone());
    if (options.dumpExact)
      dumpReplays->push_back(kernel.clone());
    if (mayKeepChecks(kernel, mica::checkLevel(pipelineOptions)) || (options.nanCheck && probesFloats(kernel)))
      faultReplays->push_back(kernel.clone());
  }
}

/// The manifest describes the kernels by now.
void Compilation::lowerReplays() {
  if (artifact)
    for (artifact::KernelRecord &record : artifact->manifest.kernels)
      for (const auto &[binding, ids] : resultsOf[record.name])
        for (const std::string &id : ids)
          if (auto it = llvm::find(record.opIds, id);
              it != record.opIds.end() && binding < record.bindings.size() && record.bindings[binding].op < 0)
            record.bindings[binding].op = it - record.opIds.begin();
  if (!replays)
    return;
  for (ModuleOp kernel : kernelsOf(*faultReplays))
    if (!(options.nanCheck && probesFloats(kernel)) &&
        llvm::none_of(artifact->manifest.kernels, [&](const artifact::KernelRecord &record) {
          return record.name == kernel.getName().value_or("") && keepsChecks(record);
        }))
      kernel.erase();
  lowerReplays(*replays, CodeUnit::Kind::Replay);
  lowerReplays(*faultReplays, CodeUnit::Kind::FaultReplay);
  lowerReplays(*dumpReplays, CodeUnit::Kind::DumpReplay);
}

/// The tensors that a dump replay stores; nothing where the kernel keeps none inside. `ids`: of the kernel's ops.
static std::vector<artifact::DumpReplay::Tensor> describeInside(ModuleOp kernel, ArrayRef<std::string> ids) {
  std::vector<artifact::DumpReplay::Tensor> tensors;
  for (auto function : kernel.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto id = function.getArgAttrOfType<StringAttr>(i, check::kInsideAttr);
      std::optional<artifact::TensorSpec> type = id ? specOf(function.getArgumentTypes()[i]) : std::nullopt;
      const auto *op = id ? llvm::find(ids, id.getValue().str()) : ids.end();
      if (!id)
        continue;
      // A buffer of which nothing is known cannot be given to the replay.
      if (!type || op == ids.end())
        return {};
      artifact::DumpReplay::Tensor &made = tensors.emplace_back();
      made.type = *type;
      made.op = op - ids.begin();
      if (auto sizes = function.getArgAttrOfType<DenseI64ArrayAttr>(i, check::kInsideSizesAttr))
        for (int64_t at = 0; at + 1 < sizes.size(); at += 2)
          made.sizes.push_back({sizes[at], sizes[at + 1]});
    }
  return tensors;
}

static std::string_view prefixOf(CodeUnit::Kind kind) {
  return kind == CodeUnit::Kind::FaultReplay  ? artifact::kFaultReplayPrefix
         : kind == CodeUnit::Kind::DumpReplay ? artifact::kDumpReplayPrefix
                                              : artifact::kReplayPrefix;
}

void Compilation::lowerReplays(ModuleOp copies, CodeUnit::Kind kind) {
  if (kernelsOf(copies).empty())
    return;
  const bool ofFaults = kind == CodeUnit::Kind::FaultReplay, ofDumps = kind == CodeUnit::Kind::DumpReplay;
  // For every target: the host has the kernels' inputs when a check fails.
  const codegen::Target &host = *lookupTarget("cpu");
  PipelineOptions plain;
  plain.copyOptionValuesFrom(pipelineOptions);
  plain.optLevel = 0;
  plain.assertLevel = std::string("user");
  plain.trackReads = false;
  plain.nanCheck = false;
  plain.target = std::string("cpu");
  auto run = [&](llvm::function_ref<void(OpPassManager &)> build) {
    // No diagnostics: an error here is not a fault of the program.
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    PassManager pm(&context, "builtin.module");
    pm.enableVerifier(options.verifyEach);
    build(pm);
    return succeeded(pm.run(copies));
  };
  std::map<std::string, artifact::DumpReplay> dumps;
  if (ofDumps) {
    if (!run([&](OpPassManager &pm) { pm.nest<ModuleOp>().addNestedPass<func::FuncOp>(createBuildDumpReplayPass()); }))
      return;
    for (ModuleOp kernel : kernelsOf(copies)) {
      const std::string name = kernel.getName().value_or("").str();
      for (const artifact::KernelRecord &record : artifact->manifest.kernels)
        if (record.name == name)
          dumps[name].tensors = describeInside(kernel, record.opIds);
      if (dumps[name].tensors.empty())
        kernel.erase();
    }
  }
  const bool made = run([&](OpPassManager &pm) {
    OpPassManager &kernel = pm.nest<ModuleOp>();
    kernel.addPass(createDecomposeOpsPass());
    if (ofFaults)
      kernel.addNestedPass<func::FuncOp>(createBuildFaultReplayPass({/*floats=*/options.nanCheck}));
    else if (!ofDumps)
      kernel.addNestedPass<func::FuncOp>(createBuildReplayPass());
    host.buildKernelPhase(pm, plain);
  });
  std::map<std::string, artifact::KernelReplay> records;
  for (ModuleOp kernel : kernelsOf(copies)) {
    Result<artifact::KernelRecord> described =
        made && (ofDumps || holdsProbes(kernel))
            ? describeKernel(kernel)
            : Result<artifact::KernelRecord>(Error{ErrorCode::Unsupported, "", ""});
    if (!described || !(ofDumps || described->checks)) {
      kernel.erase();
      continue;
    }
    if (ofDumps) {
      dumps[described->name].scratchBytes = described->scratchBytes;
      if (described->checks)
        dumps[described->name].checks = static_cast<int64_t>(described->checks->sites.size());
      continue;
    }
    artifact->resolveParts(kernel, described->opIds, described->checks->sites);
    records[described->name] = {described->scratchBytes, std::move(described->checks->sites)};
  }
  if (!run([&](OpPassManager &pm) { host.buildLoweredPhase(pm, plain); }))
    return;
  for (ModuleOp kernel : kernelsOf(copies)) {
    const std::string name = kernel.getName().value_or("").str();
    renameSymbols(kernel, prefixOf(kind), name);
    units.push_back({kind, name, OwningOpRef<ModuleOp>(kernel.clone())});
    for (artifact::KernelRecord &record : artifact->manifest.kernels)
      if (record.name == name && ofDumps)
        record.dumpReplay = std::move(dumps[name]);
      else if (record.name == name)
        (ofFaults ? record.faultReplay : record.replay) = std::move(records[name]);
  }
}
