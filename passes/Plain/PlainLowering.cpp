//===- PlainLowering.cpp - the pipeline mica-plain-lowering -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Two halves, between which the artifact writes the constants down. Each conversion is upstream's own and changes one
// dialect; nothing is fused, tiled, vectorized or folded. One-shot bufferization decides what is copied; no memory is freed
// before the invocation ends.
//
// A program of phase `lowered` has kernels to lower and nothing else: the nested pipeline. In every other phase no nested
// module is left after the first half, and the nested pipeline does nothing.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Cpu/Passes.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Plain/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mica;

void mica::buildPlainProgram(OpPassManager &pm) {
  pm.addPass(createResolveGlobals());
  pm.addPass(createGuardFolds());
  // These two and no more of phase tensor: they give a function on buffers the results that its callers see.
  pm.addPass(createStructureControlFlow());
  pm.addPass(createLiftBuffers());
  buildTosaLowering(pm);
  pm.addPass(createCallKernels());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createConvertMicaToLoops());
  functions.addPass(createDecomposeTensors());
  functions.addPass(createPlaceOnBuffers());
  pm.addPass(createShareConstants());
}

/// From loops on buffers to the LLVM dialect, for a module of functions.
static void addLoopsToLLVM(OpPassManager &pm, ArrayRef<std::string> emulatedFloats) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createForallToForLoopPass());
  functions.addPass(createExpandPowersPass());
  functions.addPass(createEmulateIntegersPass());
  functions.addPass(createEmulateSmallFloatsPass({llvm::to_vector(emulatedFloats)}));
  functions.addPass(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertExpm1Log1pPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  FinalizeMemRefToLLVMConversionPassOptions memory;
  memory.useGenericFunctions = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (!emulatedFloats.empty())
    pm.addPass(createCarrySmallFloatsPass({llvm::to_vector(emulatedFloats)}));
}

void mica::buildPlainCode(OpPassManager &pm, ArrayRef<std::string> emulatedFloats,
                          llvm::function_ref<void(OpPassManager &)> beforeEntries) {
  OpPassManager &kernels = pm.nest<ModuleOp>();
  kernels.addPass(createConvertKernelEntryPass());
  addLoopsToLLVM(kernels, emulatedFloats);

  pm.addPass(createCallRuntime());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferize.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createSettleViews());
  pm.addPass(createConvertCopiesPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  addLoopsToLLVM(pm, emulatedFloats);
  if (beforeEntries)
    beforeEntries(pm);
  pm.addPass(createMakeEntries());
}

namespace {
struct PlainOptions : PassPipelineOptions<PlainOptions> {
  ListOption<std::string> emulatedFloats{
      *this, "emulated-floats",
      llvm::cl::desc("16-bit floats (f16, bf16) that the host does not convert to and from f32")};
};
} // namespace

void mica::registerPlainPipeline() {
  PassPipelineRegistration<PlainOptions>(
      "mica-plain-lowering", "From any layer of any phase to the LLVM dialect, by upstream's conversions alone",
      [](OpPassManager &pm, const PlainOptions &options) {
        buildPlainProgram(pm);
        buildPlainCode(pm, options.emulatedFloats);
      });
}
