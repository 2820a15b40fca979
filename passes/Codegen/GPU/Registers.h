//===- Registers.h - register-like gpu ops ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shared by the conversions of ids for NVIDIA and other GPUs.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_REGISTERS_H
#define MICA_PASSES_CODEGEN_GPU_REGISTERS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mica::device {

/// Threads of a warp; the size of a block is a multiple of it.
inline constexpr int64_t kWarp = 32;

/// The value of `dimension`, by one of three ops that read a 32-bit register each.
template <typename X, typename Y, typename Z>
mlir::Value readRegister(mlir::OpBuilder &builder, mlir::Location loc, mlir::gpu::Dimension dimension) {
  mlir::Type i32 = builder.getI32Type();
  switch (dimension) {
  case mlir::gpu::Dimension::x:
    return X::create(builder, loc, i32);
  case mlir::gpu::Dimension::y:
    return Y::create(builder, loc, i32);
  case mlir::gpu::Dimension::z:
    return Z::create(builder, loc, i32);
  }
  return {};
}

/// Calls `convert`, which may erase its op, for each op of the gpu dialect in `module`, and stops at the first failure.
inline mlir::LogicalResult convertGpuOps(mlir::gpu::GPUModuleOp module,
                                         llvm::function_ref<mlir::LogicalResult(mlir::Operation *)> convert) {
  llvm::SmallVector<mlir::Operation *> ops;
  module.walk([&](mlir::Operation *op) {
    if (llvm::isa_and_present<mlir::gpu::GPUDialect>(op->getDialect()) && op != module)
      ops.push_back(op);
  });
  for (mlir::Operation *op : ops)
    if (failed(convert(op)))
      return mlir::failure();
  return mlir::success();
}

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_REGISTERS_H
