//===- Passes.h - passes of the area Cpu ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes declared in Passes.td beside this file, and the builder of the
// phases this area makes up (passes/Pipelines/Phases.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CPU_PASSES_H
#define MICA_PASSES_CPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
class RewritePatternSet;
} // namespace mlir

namespace mica {

/// On a kernel's function whose last argument is the place for launches of mica-cpu-convert-kernel-entry.
inline constexpr llvm::StringLiteral kLaunchesAttr = "mica_gpu.launches";
/// That place: a pointer to mica_gpu_services_v1, then at this offset in bytes an i32, the status.
inline constexpr int64_t kLaunchStatusOffset = 8;

/// In the functions of `module`: allocations become calls of the runtime's memory service, as mica-cpu-lower-dynamic-allocs says.
mlir::LogicalResult lowerDynamicAllocs(mlir::ModuleOp module, int64_t stackBytes, bool keepsAll);

/// Bytes that an element of a temporary takes, as LLVM lays out arrays: i48 takes 8.
int64_t temporaryElementBytes(mlir::Type element);

/// Appends the conversion of vector, scf, memref, affine, arith, math, index, cf, func and ub to the LLVM
/// dialect to `pm`, which is anchored on builtin.module.
void addLowerToLLVMPasses(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> emulatedFloats);

/// Appends what takes a kernel's module from tensors to buffers, copies as structured ops, to `kernel`.
void addKernelBufferization(mlir::OpPassManager &kernel);

/// Expansions of math functions on f32; see mica-cpu-approximate-math.
void populateApproximateMathPatterns(mlir::RewritePatternSet &patterns, bool extrema = true);

/// Patterns of mica-cpu-expand-powers.
void populateExpandPowersPatterns(mlir::RewritePatternSet &patterns);

/// Loads and stores of i4, powers of integers; see mica-cpu-emulate-integers.
void populateEmulateIntegersPatterns(mlir::RewritePatternSet &patterns);

/// Conversions between f8 types, the 16-bit floats that are to be emulated, and others as arithmetic on bits; see
/// mica-cpu-emulate-small-floats.
void populateExpandSmallFloatPatterns(mlir::RewritePatternSet &patterns, bool emulateF16, bool emulateBF16);

#define GEN_PASS_DECL
#include "passes/Cpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Cpu/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_CPU_PASSES_H
