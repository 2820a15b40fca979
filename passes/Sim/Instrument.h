//===- Instrument.h - tests of shadows in the simulator's kernels -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to passes/Sim.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SIM_INSTRUMENT_H
#define MICA_PASSES_SIM_INSTRUMENT_H

#include "passes/Sim/Tables.h"

namespace mica::sim {

/// Puts tests before the accesses of `kernel`, a function in the LLVM dialect that still calls markers, as its `mica_sim.checks`
/// say.
llvm::LogicalResult instrumentKernel(mlir::LLVM::LLVMFuncOp kernel, Tables &tables);

} // namespace mica::sim

#endif // MICA_PASSES_SIM_INSTRUMENT_H
