//===- Instrument.h - what is put into the simulator's kernels before they are cut ------------------------------===//
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

/// Puts tests before the accesses of `kernel`, a function in the LLVM dialect that still calls markers, as its
/// `mica_sim.checks` say.
llvm::LogicalResult instrumentKernel(mlir::LLVM::LLVMFuncOp kernel, Tables &tables);

/// Puts a point into each loop of `kernel` that waits for what another thread writes; see SpinWaits.cpp. Before its
/// accesses are tested.
void markSpinWaits(mlir::LLVM::LLVMFuncOp kernel, Tables &tables);

/// Whether `pointer` is certainly to memory of the thread: it comes from an allocation in the kernel.
bool isOwnMemory(mlir::Value pointer);

} // namespace mica::sim

#endif // MICA_PASSES_CODEGEN_SIM_INSTRUMENT_H
