//===- ConvertMma.cpp - converting bf16 mma operations ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The registers of the inputs have 32 bits with two elements each; those of the accumulators one f32.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTMMAPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The registers of a fragment of bf16, as i32.
static SmallVector<Value> registersOf(OpBuilder &builder, Location loc, Value fragment) {
  SmallVector<Value> registers;
  auto word = VectorType::get({1}, builder.getI32Type());
  for (int64_t i = 0; i < cast<VectorType>(fragment.getType()).getDimSize(0); ++i) {
    Value pair = vector::ExtractOp::create(builder, loc, fragment, i);
    registers.push_back(
        vector::ExtractOp::create(builder, loc, vector::BitCastOp::create(builder, loc, word, pair), 0));
  }
  return registers;
}

static void convert(nvgpu::MmaSyncOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<VectorType>(op.getMatrixC().getType());
  const int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  SmallVector<Value> sums;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      sums.push_back(vector::ExtractOp::create(builder, loc, op.getMatrixC(), ArrayRef<int64_t>{i, j}));
  auto result =
      LLVM::LLVMStructType::getLiteral(op.getContext(), SmallVector<Type>(sums.size(), type.getElementType()));
  constexpr NVVM::MMATypes kType = NVVM::MMATypes::bf16;
  Value product = NVVM::MmaOp::create(builder, loc, result, registersOf(builder, loc, op.getMatrixA()),
                                      registersOf(builder, loc, op.getMatrixB()), sums, op.getMmaShapeAsArray(),
                                      std::nullopt, std::nullopt, std::array{kType, kType},
                                      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  SmallVector<Value> values;
  for (size_t i = 0; i < sums.size(); ++i)
    values.push_back(LLVM::ExtractValueOp::create(builder, loc, product, static_cast<int64_t>(i)));
  op->getResult(0).replaceAllUsesWith(vector::FromElementsOp::create(builder, loc, type, values).getResult());
  op.erase();
}

namespace {
struct ConvertMmaPass : mica::impl::ConvertMmaPassBase<ConvertMmaPass> {
  void runOnOperation() override {
    SmallVector<nvgpu::MmaSyncOp> ops;
    getOperation().walk([&](nvgpu::MmaSyncOp op) {
      if (cast<VectorType>(op.getMatrixA().getType()).getElementType().isBF16())
        ops.push_back(op);
    });
    for (nvgpu::MmaSyncOp op : ops)
      convert(op);
  }
};
} // namespace
