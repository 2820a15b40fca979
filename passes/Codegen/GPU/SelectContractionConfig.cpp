//===- SelectContractionConfig.cpp - selecting the configs of contractions on a GPU -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Attaches configs (ContractionPlan.h) to contractions and the ops fused with them, and reports rejected strategies.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/GPU/ContractionLaunch.h"
#include "passes/Codegen/GPU/FusibleSequences.h"
#include "passes/Codegen/GPU/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-gpu-select-contraction-config"

namespace mica {
#define GEN_PASS_DEF_GPUSELECTCONTRACTIONCONFIGPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica::device;

namespace {
struct GPUSelectContractionConfigPass : mica::impl::GPUSelectContractionConfigPassBase<GPUSelectContractionConfigPass> {
  using GPUSelectContractionConfigPassBase::GPUSelectContractionConfigPassBase;

  void runOnOperation() override {
    next = 0;
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && !isa<linalg::GenericOp>(op))
        named.push_back(op);
    });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
    forEachRun(
        getOperation(), [](linalg::GenericOp) { return true; }, [&](ArrayRef<linalg::GenericOp> run) { plan(run); });
  }

private:
  void plan(ArrayRef<linalg::GenericOp> run) {
    for (size_t at = 0; at < run.size(); ++at) {
      if (ContractionPlan::of(run[at]))
        continue;
      std::optional<ContractionGroup> group = contractionGroupAt(run, at);
      // The epilogue of one contraction may be the initialization of another one.
      if (!group ||
          llvm::any_of(group->ops(), [](linalg::GenericOp op) { return ContractionPlan::of(op).has_value(); }))
        continue;
      SmallVector<RejectedStrategy> rejected;
      bool isSmall = false;
      std::optional<ContractionPlan> chosen =
          planContraction(group->product, Device{computeCapability, workgroupBytes, allowTf32}, rejected, isSmall);
      Location loc = run[at]->getLoc();
      LDBG() << group->ops().size() << " ops at " << loc << ": " << rejected.size() << " strategies rejected, "
             << (chosen ? mica::codegen::stringifyGpuContractionStrategy(chosen->strategy) : "none chosen");
      for (auto [i, each] : llvm::enumerate(rejected)) {
        StringRef instead = i + 1 < rejected.size()
                                ? mica::codegen::stringifyGpuContractionStrategy(rejected[i + 1].strategy)
                            : chosen ? mica::codegen::stringifyGpuContractionStrategy(chosen->strategy)
                                     : "a thread per result";
        remark::missed(loc, remark::RemarkOpts::name("strategy-rejected").category("contraction"))
            << remark::add("{0} instead of {1}: {2}", instead,
                           mica::codegen::stringifyGpuContractionStrategy(each.strategy), each.why)
            << remark::metric("Rejected", mica::codegen::stringifyGpuContractionStrategy(each.strategy))
            << remark::metric("Selected", instead) << remark::reason("{0}", each.why);
      }
      if (!chosen)
        continue;
      chosen->group = next++;
      for (const RejectedStrategy &each : rejected)
        chosen->reason +=
            "; not " + mica::codegen::stringifyGpuContractionStrategy(each.strategy).str() + ": " + each.why;
      const mica::codegen::GpuContractionConfigAttr config = chosen->toAttr(&getContext());
      for (linalg::GenericOp op : group->ops()) {
        op->setAttr(mica::codegen::kLoweringConfigAttr, config);
        op->setAttr(mica::codegen::kKeepLoopsAttr, UnitAttr::get(&getContext()));
      }
      remark::passed(loc, remark::RemarkOpts::name("planned").category("contraction"))
          << remark::add("{0}", config.describe()) << remark::metric("Strategy", config.describe());
    }
  }

  int64_t next = 0;
};
} // namespace
