//===- LowerToLLVM.cpp - from loops and vectors to the LLVM dialect ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The order in which upstream's conversions run, shared by kernels and host functions. Each relies on what
// the one before left: subviews are split into base and offset before anything becomes a descriptor; vector
// transfers become loops or one-dimensional loads before vectors are converted; what math has no LLVM
// intrinsic for becomes a call into libm. The rest goes in one conversion: one per dialect casts between them, to
// take the casts out again, and each is a snapshot of the record.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mica::addLowerToLLVMPasses(OpPassManager &pm, ArrayRef<std::string> emulatedFloats) {
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createConvertSCFToCFPass());
  pm.addPass(createConvertExpm1Log1pPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vectorOptions;
  vectorOptions.reassociateFPReductions = true;
  vectorOptions.force32BitVectorIndices = false; // A mask of 2^32 lanes is none of 0.
  vectorOptions.vectorTransposeLowering = vector::VectorTransposeLowering::Shuffle16x16;
  pm.addPass(createConvertVectorToLLVMPass(vectorOptions));
  // Not by name: the pass fails on a name of a dialect that is not loaded, and a snapshot continued alone loads what it
  // holds.
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createDefineExtremaPass());
  if (!emulatedFloats.empty())
    pm.addPass(createLegalizeFloatStoragePass({llvm::to_vector(emulatedFloats)}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
