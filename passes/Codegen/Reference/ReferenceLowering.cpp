//===- ReferenceLowering.cpp - the pipeline mica-reference-lowering -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Two halves, between which the artifact stores the constants. Upstream's passes are used where they are correct, one
// per dialect; mica, kernels and task lists are converted by passes in this folder. Nothing is fused, tiled, vectorized
// or folded, and no pass of Mica's is shared with the optimizing pipelines
// (test/Passes/Codegen/Reference/shares-no-pass.test). No memory is freed before the invocation ends.
//
// A program of phase `lowered` only has kernels to lower, by the nested pipeline. In every other phase no nested module
// is left after the first half, and the nested pipeline does nothing.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"
#include "passes/Tensor/TosaConversions.h"

#include "mlir/Conversion/AsyncToLLVM/AsyncToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
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

void mica::buildReferenceProgram(OpPassManager &pm) {
  pm.addPass(createEraseShardings());
  pm.addPass(createLowerSparseTensors());
  pm.addPass(createTosaToMLProgram());
  pm.addPass(createStoredGlobals());
  pm.addPass(createLiftControlFlowToSCFPass());
  pm.addPass(createReturnUpdates());
  pm.addPass(createPlaceAsyncOnBuffers());
  pm.addNestedPass<func::FuncOp>(createSeparateTensors());
  // Lower all tosa ops: by upstream's conversions where they are correct, the rest to loops.
  addUpstreamTosaConversions(pm, [&] { pm.addPass(createConvertTosaToLoops()); });
  // Functions that a pipeline has converted to the LLVM dialect may hold scalar ops that it left.
  TosaToArithPassOptions scales;
  scales.includeApplyRescale = true;
  pm.addNestedPass<LLVM::LLVMFuncOp>(createTosaToArithPass(scales));
  pm.addPass(createConvertGlobals());
  // Only in host functions: accesses of kernels of later phases are those of the optimizing pipeline.
  OpPassManager &host = pm.nest<func::FuncOp>();
  host.addPass(createReferenceExpandCeilDivisions());
  host.addPass(createLowerAffinePass());
  host.addPass(createReferenceCheckAccesses());
  pm.addPass(createCallKernels());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createReferenceCheckReshapes());
  functions.addPass(createConvertMicaToLoops());
  functions.addPass(createDecomposeTensors());
  functions.addPass(createPlaceOnBuffers());
  pm.addPass(createShareConstants());
}

/// Lowers loops on buffers to the LLVM dialect, for a module of functions.
static void addLoopsToLLVM(OpPassManager &pm, ArrayRef<std::string> emulatedFloats) {
  // Also functions that a pipeline has converted to the LLVM dialect: it may have left ops of others in them.
  for (OpPassManager *functions : {&pm.nest<func::FuncOp>(), &pm.nest<LLVM::LLVMFuncOp>()}) {
    functions->addPass(createForallToForLoopPass());
    functions->addPass(createReferenceExpandCeilDivisions());
    functions->addPass(createLowerAffinePass());
    functions->addPass(createWidenComplex());
    functions->addPass(createConvertComplexToStandardPass());
    functions->addPass(createExpandScalars());
    functions->addPass(createRaiseNarrowFloats());
    functions->addPass(createComputeNarrowFloats());
    functions->addPass(createConvertVectorToSCFPass());
    functions->addPass(createExpandVectors());
    functions->addPass(createExpandScalars()); // also those created by vector accesses
  }
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createReferenceExpandCeilDivisions());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertAsyncToLLVMPass());
  // libm first: convert-math-to-llvm is inaccurate for expm1 and log1p of small values (docs/UpstreamFindings.md).
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertMathToLLVMPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.force32BitVectorIndices = false; // a mask of 2^32 lanes must not wrap to 0
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  // Before constants are converted: a memref.dim with a non-constant index stores all sizes on the stack, in every
  // iteration of the enclosing loops.
  FinalizeMemRefToLLVMConversionPassOptions memory;
  memory.useGenericFunctions = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (!emulatedFloats.empty())
    pm.addPass(createCarryBits({llvm::to_vector(emulatedFloats)}));
}

/// From what works on tensors to loops on buffers, for a module of functions.
static void addTensorsToLoops(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferize.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createNormalizeDynamicViews());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(createSkipEmptyLoops());
  pm.addPass(memref::createExpandReallocPass());
}

void mica::buildReferenceKernels(OpPassManager &pm) {
  OpPassManager &kernels = pm.nest<ModuleOp>();
  OpPassManager &functions = kernels.nest<func::FuncOp>();
  functions.addPass(createConvertMicaToLoops());
  functions.addPass(createDecomposeTensors());
  functions.addPass(createPlaceOnBuffers());
  addTensorsToLoops(kernels);
}

void mica::buildReferenceKernelCode(OpPassManager &pm, ArrayRef<std::string> emulatedFloats) {
  OpPassManager &kernels = pm.nest<ModuleOp>();
  kernels.addPass(createReferenceLowerDynamicAllocs());
  kernels.addPass(createMakeKernelEntries());
  addLoopsToLLVM(kernels, emulatedFloats);
}

void mica::buildReferenceCode(OpPassManager &pm, ArrayRef<std::string> emulatedFloats,
                              llvm::function_ref<void(OpPassManager &)> beforeEntries, bool keepsSignatures) {
  buildReferenceKernelCode(pm, emulatedFloats);

  pm.addPass(createCallRuntime());
  addTensorsToLoops(pm);
  // Regions become functions, which the runtime calls (lib/Runtime/Helpers/Async.cpp).
  pm.addPass(createLowerAsync());
  pm.addPass(createCallRuntime()); // their assertions
  ReferenceLowerDynamicAllocsOptions memory;
  memory.keepsAll = true;
  pm.addPass(createReferenceLowerDynamicAllocs(memory));
  addLoopsToLLVM(pm, emulatedFloats);
  if (beforeEntries)
    beforeEntries(pm);
  pm.addPass(createGuardRecursion());
  pm.addPass(createMakeEntries({keepsSignatures}));
}

namespace {
struct PlainOptions : PassPipelineOptions<PlainOptions> {
  ListOption<std::string> emulatedFloats{
      *this, "emulated-floats",
      llvm::cl::desc("16-bit floats (f16, bf16) that the host does not convert to and from f32")};
};
} // namespace

void mica::registerReferencePipeline() {
  PassPipelineRegistration<PlainOptions>(
      "mica-reference-lowering", "From any snapshot of any phase to the LLVM dialect, by upstream's conversions alone",
      [](OpPassManager &pm, const PlainOptions &options) {
        buildReferenceProgram(pm);
        buildReferenceCode(pm, options.emulatedFloats);
      });
}
