//===- LowerSparseTensors.cpp - lowering sparse tensors -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The part of upstream's pipeline `sparsifier` for tensors, with generated code for the storage formats instead of its
// runtime library. It bufferizes the whole program. Programs without sparse tensors are not changed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/SparseTensor/Pipelines/Passes.h"
#include "mlir/Dialect/SparseTensor/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

namespace mica {
#define GEN_PASS_DEF_LOWERSPARSETENSORS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

static bool isSparse(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_present<sparse_tensor::SparseTensorEncodingAttr>(tensor.getEncoding());
}

namespace {
struct LowerSparseTensors : mica::impl::LowerSparseTensorsBase<LowerSparseTensors> {
  void runOnOperation() override {
    auto found = getOperation().walk([](Operation *op) {
      return isa_and_present<sparse_tensor::SparseTensorDialect>(op->getDialect()) ||
                     llvm::any_of(op->getResultTypes(), isSparse)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    OpPassManager pm("builtin.module");
    pm.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
    sparse_tensor::SparsifierOptions options;
    bufferization::OneShotBufferizationOptions bufferize = getBufferizationOptionsForSparsification(false);
    pm.addPass(createSparsificationAndBufferizationPass(
        bufferize, options.sparsificationOptions(), /*createSparseDeallocs=*/false, /*enableRuntimeLibrary=*/false,
        /*enableBufferInitialization=*/false, /*vectorLength=*/0, /*enableVLAVectorization=*/false,
        /*enableSIMDIndex32=*/false, /*enableGPULibgen=*/false, SparseEmitStrategy::kFunctional,
        SparseParallelizationStrategy::kNone));
    pm.addPass(createStorageSpecifierToLLVMPass());
    if (failed(runPipeline(pm, getOperation())))
      signalPassFailure();
  }
};
} // namespace
