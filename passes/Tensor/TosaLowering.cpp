//===- TosaLowering.cpp - lowering tosa in phase tensor ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pipeline that lowers tosa to mica, and ops without an equivalent there to linalg, tensor, arith and scf.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Passes.h"
#include "passes/Tensor/TosaConversions.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToMLProgram/TosaToMLProgram.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

void mica::addUpstreamTosaConversions(OpPassManager &pm, llvm::function_ref<void()> addOwn) {
  // Control flow first: the other conversions do not support ops nested in tosa loops.
  pm.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  addOwn();
  pm.addPass(createTosaToMLProgram());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(tosa::createTosaToLinalgNamed());
  functions.addPass(tosa::createTosaToLinalg());
  TosaToArithPassOptions arith;
  arith.includeApplyRescale = true;
  arith.use32Bit = false;
  functions.addPass(createTosaToArithPass(arith));
  functions.addPass(createTosaToTensorPass());
}

void mica::buildTosaLowering(OpPassManager &pm, bool keepsGather) {
  addUpstreamTosaConversions(pm, [&] {
    pm.addPass(createConvertTosaToMica({keepsGather}));
    pm.addPass(createLowerTosaImages());
  });
  pm.addPass(createVerifyTosaLowered());
}
