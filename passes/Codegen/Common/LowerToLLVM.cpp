//===- LowerToLLVM.cpp - lowering loops and vectors to the LLVM dialect ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The sequence of upstream's conversions, shared by kernels and host functions. Each relies on the previous one:
// subviews are split into base and offset before descriptors are created; vector transfers become loops or
// one-dimensional loads before vectors are converted; math ops without an LLVM intrinsic become calls into libm. The
// remaining dialects are converted at once: with one conversion per dialect there would be intermediate casts, and a
// snapshot of each.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"
#include "passes/Pipelines/Canonicalize.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mica::addLowerToLLVMPasses(OpPassManager &pm, ArrayRef<std::string> emulatedFloats) {
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createExpandCeilDivisionsPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createConvertSCFToCFPass());
  pm.addPass(createConvertExpm1Log1pPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vectorOptions;
  vectorOptions.reassociateFPReductions = true;
  vectorOptions.force32BitVectorIndices = false; // a mask of 2^32 lanes must not wrap to 0
  vectorOptions.vectorTransposeLowering = vector::VectorTransposeLowering::Shuffle16x16;
  pm.addPass(createConvertVectorToLLVMPass(vectorOptions));
  // No dialect filter: the pass fails on the name of a dialect that is not loaded, and a compile that is resumed from a
  // snapshot only loads the dialects in it.
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createDefineExtremaPass());
  if (!emulatedFloats.empty())
    pm.addPass(createLegalizeFloatStoragePass({llvm::to_vector(emulatedFloats)}));
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
}
