//===- Convert.h - the two halves of convert-gpu-to-sim ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to passes/Codegen/Sim.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_SIM_CONVERT_H
#define MICA_PASSES_CODEGEN_SIM_CONVERT_H

#include "passes/Codegen/Sim/Markers.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"

namespace mica::sim {

/// Replaces the device queries in a kernel's function, whose body is that of `kernel`. Fails with an error at the first
/// op that the simulator does not support.
llvm::LogicalResult convertKernelOps(mlir::func::FuncOp function, Markers &markers);

/// Replaces the matrices that the threads of a warp hold together (!gpu.mma_matrix) in a kernel's function by a vector
/// per thread. Fails with an error at the first op with one that the simulator does not support.
llvm::LogicalResult convertSubgroupMatrices(mlir::func::FuncOp function, Markers &markers);

/// Replaces ops of mbarriers, bulk copies and products of a warpgroup, of the dialect NVVM, in a kernel's function.
/// Fails with an error at those that the simulator does not support.
llvm::LogicalResult convertBulkOps(mlir::func::FuncOp function, Markers &markers);

/// Records that accesses of a kernel need more than the barriers of the block to be ordered.
void notePartialBarriers(mlir::func::FuncOp function);

/// Replaces the device ops in host functions of `module`. `kernels`: the function of each kernel, by "module::kernel".
llvm::LogicalResult convertHostOps(mlir::ModuleOp module, const llvm::StringMap<mlir::func::FuncOp> &kernels,
                                   Markers &markers);

/// Adds a buffer of `type`, which has a static shape, to the static workgroup memory of `function`, at a multiple of
/// `alignment` bytes, a power of two, and at least of 16; returns it.
mlir::Value placeInWorkgroup(mlir::OpBuilder &builder, mlir::Location loc, mlir::func::FuncOp function,
                             mlir::MemRefType type, Markers &markers, int64_t alignment = 16);

/// A buffer of `type` at `address` (an index), with the dynamic sizes `sizes`.
mlir::Value bufferAtAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type, mlir::Value address,
                            mlir::ValueRange sizes);

/// Bytes of one element; 0 if it is not a whole number.
int64_t elementBytesOf(mlir::Type element);

} // namespace mica::sim

#endif // MICA_PASSES_CODEGEN_SIM_CONVERT_H
