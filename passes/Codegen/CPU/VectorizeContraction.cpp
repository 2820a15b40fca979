//===- VectorizeContraction.cpp - register blocks for kernels with a config --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// After bufferization, replaces the linalg ops of a kernel with a config by loops over register blocks
// (BlockEmitter.h): the contraction with the ops fused with it, and the remaining elementwise ops, such as the fill and
// the epilogue of a tiled reduction.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/BlockEmitter.h"
#include "passes/Codegen/CPU/ContractionPlan.h"
#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"

namespace mica {
#define GEN_PASS_DEF_VECTORIZECONTRACTIONPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::cpu;

namespace {
struct VectorizeContractionPass : mica::impl::VectorizeContractionPassBase<VectorizeContractionPass> {
  using VectorizeContractionPassBase::VectorizeContractionPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    SmallVector<linalg::LinalgOp> planned;
    func.walk([&](linalg::LinalgOp op) {
      if (codegen::loweringConfigOf<codegen::ContractionConfigAttr>(op) && op.getNumReductionLoops() > 0)
        planned.push_back(op);
    });
    if (planned.empty())
      return;
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : planned) {
      const auto config = codegen::loweringConfigOf<codegen::ContractionConfigAttr>(op);
      const ContractionPlan plan = ContractionPlan::fromAttr(config);
      Location loc = op.getLoc();
      const int64_t productBits = std::max<int64_t>(int8DotBits, int16PairBits);
      if (plan.form == ContractionPlan::Form::Interleaved && 32 * plan.lanes > productBits) {
        op.emitOpError() << "'" << codegen::kLoweringConfigAttr << "': the form interleaved with lanes = " << plan.lanes
                         << ", but the target adds products of 8-bit integers to "
                         << (productBits == 0 ? std::string("no vectors (those of x86 do)")
                                              : "at most " + std::to_string(productBits / 32) + " lanes")
                         << "; expected the form outer or dot" << (productBits == 0 ? "" : ", or fewer lanes");
        return signalPassFailure();
      }
      if (failed(emitGroup(rewriter, collectGroup(op, plan), plan, /*hasByteDots=*/32 * plan.lanes <= int8DotBits))) {
        op.emitOpError() << "cannot be lowered as its '" << codegen::kLoweringConfigAttr << "' says: " << config;
        return signalPassFailure();
      }
      remark::passed(loc, remark::RemarkOpts::name("vectorized").category("vectorization"))
          << remark::add("{0}", config.describe());
    }
  }
};
} // namespace
