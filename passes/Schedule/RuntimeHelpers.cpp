//===- RuntimeHelpers.cpp - helper calls in host code -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   func.func private @printI64(i64)
//   // becomes
//   llvm.mlir.global @mica_helper_printI64() : !llvm.ptr       filled by the runtime
//   llvm.func internal @printI64(%x: i64) {
//     %f = llvm.load (llvm.mlir.addressof @mica_helper_printI64)
//     llvm.call %f(%x)
//   }
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/RuntimeHelpers.h"

#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/ABI/Helpers.h"
#include "passes/Codegen/Common/UnrolledVectors.h"

#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mica;

LogicalResult mica::declareHelpers(ModuleOp program, const LLVMTypeConverter &converter) {
  RewritePatternSet patterns(program.getContext());
  populateFuncToLLVMFuncOpConversionPattern(converter, patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  ConversionTarget target(*program.getContext());
  target.addLegalDialect<LLVM::LLVMDialect>();
  for (func::FuncOp function : llvm::make_early_inc_range(program.getOps<func::FuncOp>())) {
    if (!function.isExternal() || function->hasAttr(sched::kEntryAttr))
      continue;
    if (!function->hasAttr(sched::kHostOpAttr) &&
        llvm::any_of(function.getArgumentTypes(), [](Type type) { return isa<BaseMemRefType>(type); }))
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(program.getContext()));
    if (failed(applyPartialConversion(function, target, frozen)))
      return failure();
  }
  return success();
}

/// Calls through the pointer `mica_helper_<name>`.
static void connect(LLVM::LLVMFuncOp function) {
  OpBuilder builder(function);
  Location loc = function.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  const std::string name = (MICA_HELPER_PREFIX + function.getName()).str();
  // Functions without kernels may have brought it.
  auto slot = dyn_cast_or_null<LLVM::GlobalOp>(SymbolTable::lookupSymbolIn(function->getParentOp(), name));
  if (!slot) {
    slot =
        LLVM::GlobalOp::create(builder, loc, pointer, /*isConstant=*/false, LLVM::Linkage::External, name, Attribute());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&slot.getInitializerRegion());
    Value null = LLVM::ZeroOp::create(builder, loc, pointer);
    LLVM::ReturnOp::create(builder, loc, null);
  }
  function.setLinkage(LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  Value address = LLVM::AddressOfOp::create(builder, loc, slot);
  SmallVector<Value> operands{LLVM::LoadOp::create(builder, loc, pointer, address)};
  llvm::append_range(operands, function.getArguments());
  auto call = LLVM::CallOp::create(builder, loc, function.getFunctionType(), operands);
  LLVM::ReturnOp::create(builder, loc, call.getResults());
}

void mica::connectHelpers(ModuleOp program) {
  for (LLVM::LLVMFuncOp function : llvm::make_early_inc_range(program.getOps<LLVM::LLVMFuncOp>()))
    if (function.isExternal() && sched::isRuntimeHelper(function.getName()))
      connect(function);
}

LogicalResult mica::lowerHostVectors(func::FuncOp function) {
  auto found = function.walk([](Operation *op) {
    return isa_and_present<vector::VectorDialect>(op->getDialect()) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  if (failed(checkUnrolledVectors(function)))
    return failure();
  RewritePatternSet patterns(function.getContext());
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(patterns, vector::VectorContractLowering::Dot);
  vector::populateVectorOuterProductLoweringPatterns(patterns);
  vector::populateVectorMultiReductionLoweringPatterns(patterns, vector::VectorMultiReductionLowering::InnerParallel);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(patterns, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/false);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  GreedyRewriteConfig config;
  config.setMaxIterations(10);
  (void)applyPatternsGreedily(function, std::move(patterns), config);
  return success();
}
