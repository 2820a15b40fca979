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
// Upstream's pass `sparsification-and-bufferization` decides which tensors may be written in place, and then moves
// tensors out of loops in which they are. So its steps are run here one by one, without the loop-invariant code motion.
// And as everywhere, an init that a linalg op does not read is not uninitialized if the op writes only a part of it
// (docs/UpstreamFindings.md).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
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

/// Gives `op` a copy of each init that it neither reads nor certainly writes whole.
static void copyPartialInits(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || llvm::any_of(op->getOperandTypes(), isSparse))
    return;
  OpBuilder b(op);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (op.payloadUsesValueFromOperand(&init) || op.getMatchingIndexingMap(&init).isPermutation() ||
        isa_and_present<tensor::EmptyOp>(init.get().getDefiningOp()))
      continue;
    init.set(bufferization::AllocTensorOp::create(b, op.getLoc(), cast<RankedTensorType>(init.get().getType()),
                                                  /*dynamicSizes=*/ValueRange(), /*copy=*/init.get()));
  }
}

/// Bufferizes what is left when sparse tensors are lowered. Copies are in place already.
static LogicalResult bufferizeDense(ModuleOp program, bufferization::OneShotBufferizationOptions options,
                                    bufferization::BufferizationState &state) {
  options.opFilter.allowOperation([](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    return !llvm::any_of(op->getResultTypes(), isSparse) && !llvm::any_of(op->getOperandTypes(), isSparse) &&
           !(function && (llvm::any_of(function.getArgumentTypes(), isSparse) ||
                          llvm::any_of(function.getResultTypes(), isSparse)));
  });
  if (failed(bufferization::bufferizeModuleOp(program, options, state)))
    return failure();
  bufferization::removeBufferizationAttributesInModule(program);
  return success();
}

namespace {
struct LowerSparseTensors : mica::impl::LowerSparseTensorsBase<LowerSparseTensors> {
  LogicalResult lower() {
    ModuleOp program = getOperation();
    OpPassManager first("builtin.module");
    first.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
    first.addPass(createPreSparsificationRewritePass());
    first.addNestedPass<func::FuncOp>(bufferization::createEmptyTensorToAllocTensorPass());
    if (failed(runPipeline(first, program)))
      return failure();
    bufferization::OneShotBufferizationOptions bufferize = getBufferizationOptionsForSparsification(false);
    bufferization::BufferizationState state;
    if (failed(bufferization::insertTensorCopies(program, bufferize, state)))
      return failure();
    sparse_tensor::SparsifierOptions options;
    OpPassManager sparse("builtin.module");
    sparse.addPass(createSparseReinterpretMapPass(ReinterpretMapScope::kGenericOnly));
    sparse.addPass(createSparsificationPass(options.sparsificationOptions()));
    sparse.addNestedPass<func::FuncOp>(createStageSparseOperationsPass());
    sparse.addPass(createLowerSparseOpsToForeachPass(/*enableRT=*/false, /*enableConvert=*/true));
    sparse.addPass(createSparseReinterpretMapPass(ReinterpretMapScope::kExceptGeneric));
    sparse.addNestedPass<func::FuncOp>(createLowerForeachToSCFPass());
    sparse.addPass(createSparseTensorCodegenPass(/*createSparseDeallocs=*/false, /*enableBufferInitialization=*/false));
    sparse.addPass(createSparseBufferRewritePass(/*enableBufferInitialization=*/false));
    if (failed(runPipeline(sparse, program)) || failed(bufferizeDense(program, bufferize, state)))
      return failure();
    OpPassManager last("builtin.module");
    last.addPass(createStorageSpecifierToLLVMPass());
    return runPipeline(last, program);
  }

  void runOnOperation() override {
    auto found = getOperation().walk([](Operation *op) {
      return isa_and_present<sparse_tensor::SparseTensorDialect>(op->getDialect()) ||
                     llvm::any_of(op->getResultTypes(), isSparse)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    getOperation()->walk(copyPartialInits);
    mica::copyReturnedConstants(getOperation());
    mica::copySharedYields(getOperation());
    if (failed(lower()))
      signalPassFailure();
  }
};
} // namespace
