//===- SelectReductionConfig.cpp - selecting the configs of reductions on a GPU -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Finds row groups in each sequence of structured ops without effects in between, and numbers them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/ContractionPlan.h"
#include "passes/Codegen/GPU/FusibleSequences.h"
#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/GPU/RowGroup.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

namespace mica {
#define GEN_PASS_DEF_GPUSELECTREDUCTIONCONFIGPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica::device;

/// Threads of a cooperative group if the length of a row is dynamic, and the maximum.
static constexpr int64_t kUnknownLanes = 128, kMostLanes = 512;
/// Accesses of a row per thread before more threads are used.
static constexpr int64_t kAccesses = 8;

static int64_t chooseLanes(const RowGroup &group, int64_t elements) {
  std::optional<int64_t> size = group.innerSize();
  if (!size)
    return kUnknownLanes;
  int64_t each = llvm::divideCeil(*size, elements * kAccesses);
  return std::clamp<int64_t>(llvm::bit_ceil<uint64_t>(std::max<int64_t>(each, 1)), 32, kMostLanes);
}

namespace {
struct GPUSelectReductionConfigPass : mica::impl::GPUSelectReductionConfigPassBase<GPUSelectReductionConfigPass> {
  using GPUSelectReductionConfigPassBase::GPUSelectReductionConfigPassBase;

  void runOnOperation() override {
    next = 0;
    forEachRun(
        getOperation(), [](linalg::GenericOp op) { return !ContractionPlan::of(op); },
        [&](ArrayRef<linalg::GenericOp> run) { plan(run); });
  }

private:
  void plan(ArrayRef<linalg::GenericOp> run) {
    size_t from = 0;
    for (size_t seed = 0; seed < run.size(); ++seed) {
      Location loc = run[seed]->getLoc();
      size_t begin = seed;
      std::string why;
      std::optional<RowGroup> group = groupAround(run, from, seed, begin, why);
      if (!group) {
        if (!why.empty())
          remark::missed(loc, remark::RemarkOpts::name("strategy-rejected").category("reduction"))
              << remark::add("a thread per result: {0}", why)
              << remark::metric("Rejected", "a cooperative group per row")
              << remark::metric("Selected", "a thread per result") << remark::reason("{0}", why);
        continue;
      }
      RowPlan rows;
      rows.group = next++;
      rows.elements = vectorBytes > 0 ? group->elementsAtOnce(vectorBytes) : 1;
      // Prefer smaller accesses over idle threads.
      for (std::optional<int64_t> size = group->innerSize(); size && rows.elements > 1 && *size / rows.elements < 32;)
        rows.elements /= 2;
      rows.lanes = chooseLanes(*group, rows.elements);
      if (std::optional<int64_t> size = group->innerSize())
        rows.reason = llvm::formatv("rows of {0} elements, {1} accesses of a thread to each", *size,
                                    llvm::divideCeil(*size, rows.lanes * rows.elements));
      else
        rows.reason = "the length of a row is known at run time only";
      for (RowOp &each : group->ops)
        each.op->setAttr(mica::codegen::kLoweringConfigAttr, rows.toAttr(&getContext()));
      remark::passed(loc, remark::RemarkOpts::name("planned").category("reduction"))
          << remark::add("{0}, for {1} operations", rows.toAttr(&getContext()).describe(), group->ops.size());
      from = seed = begin + group->ops.size() - 1;
      ++from;
    }
  }

  int64_t next = 0;
};
} // namespace
