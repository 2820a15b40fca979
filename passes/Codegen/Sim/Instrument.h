//===- Instrument.h - instrumenting the simulator's kernels -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to passes/Codegen/Sim.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_SIM_INSTRUMENT_H
#define MICA_PASSES_CODEGEN_SIM_INSTRUMENT_H

#include "passes/Codegen/Sim/Tables.h"

namespace mica::sim {

/// Inserts tests before the accesses of `kernel`, a function in the LLVM dialect that still calls markers, as requested
/// by its `mica_sim.checks`.
llvm::LogicalResult instrumentKernel(mlir::LLVM::LLVMFuncOp kernel, Tables &tables);

/// Inserts a convergence point into each loop of `kernel` that waits for a write of another thread; see SpinWaits.cpp.
/// Must run before accesses are instrumented.
void markSpinWaits(mlir::LLVM::LLVMFuncOp kernel, Tables &tables);

/// Whether `pointer` certainly points to private memory of the thread: it is derived from an allocation in the kernel.
bool isOwnMemory(mlir::Value pointer);

} // namespace mica::sim

#endif // MICA_PASSES_CODEGEN_SIM_INSTRUMENT_H
