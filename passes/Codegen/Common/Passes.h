//===- Passes.h - passes of the area Codegen/Common ---------------------------------------------------------------===//
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

#ifndef MICA_PASSES_CODEGEN_COMMON_PASSES_H
#define MICA_PASSES_CODEGEN_COMMON_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
class RewritePatternSet;
} // namespace mlir

namespace mica {
struct PipelineOptions;

/// That place: a pointer to mica_gpu_services_v1, then at this offset in bytes an i32, the status.
inline constexpr int64_t kLaunchStatusOffset = 8;

/// In the functions of `module`: allocations become calls of the runtime's memory service, as
/// mica-codegen-lower-dynamic-allocs says.
mlir::LogicalResult lowerDynamicAllocs(mlir::ModuleOp module, int64_t stackBytes, bool keepsAll);

/// Bytes that an element of a temporary takes, as LLVM lays out arrays: i48 takes 8.
int64_t temporaryElementBytes(mlir::Type element);

/// Appends the conversion of vector, scf, memref, affine, arith, math, index, cf, func and ub to the LLVM
/// dialect to `pm`, which is anchored on builtin.module.
void addLowerToLLVMPasses(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> emulatedFloats);

/// Canonicalizes with a limit on iterations, so that endless rewriting costs a kernel its simplification only, and
/// eliminates common subexpressions.
void addCleanup(mlir::OpPassManager &pm);

/// Appends what takes a kernel's module from tensors to buffers, copies as structured ops, to `kernel`.
void addKernelBufferization(mlir::OpPassManager &kernel);

/// Appends the checks that `options` ask for to `kernel`, which is anchored on a kernel's module; none where they ask
/// for none. Loops still say what they run over here. What is checked already stays as it is.
void addKernelChecks(mlir::OpPassManager &kernel, const PipelineOptions &options);

/// Expansions of math functions on f32; see mica-codegen-approximate-math.
void populateApproximateMathPatterns(mlir::RewritePatternSet &patterns, bool extrema = true);

/// Patterns of mica-codegen-expand-powers.
void populateExpandPowersPatterns(mlir::RewritePatternSet &patterns);

/// Loads and stores of i4, powers of integers; see mica-codegen-emulate-narrow-ints.
void populateEmulateNarrowIntsPatterns(mlir::RewritePatternSet &patterns);

/// Conversions between f8 types, the 16-bit floats that are to be emulated, and others as arithmetic on bits; see
/// mica-codegen-expand-narrow-float-casts.
void populateExpandNarrowFloatPatterns(mlir::RewritePatternSet &patterns, bool emulateF16, bool emulateBF16);

#define GEN_PASS_DECL
#include "passes/Codegen/Common/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/Common/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_PASSES_H
