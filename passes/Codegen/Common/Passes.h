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
class Operation;
class RewritePatternSet;
} // namespace mlir

namespace mica {
struct PipelineOptions;

/// The launch place: a pointer to mica_gpu_services_v1, then, at this offset in bytes, the status as an i32.
inline constexpr int64_t kLaunchStatusOffset = 8;

/// Replaces allocations in the functions of `module` by calls of the runtime's memory service; see
/// mica-codegen-lower-dynamic-allocs.
mlir::LogicalResult lowerDynamicAllocs(mlir::ModuleOp module, int64_t stackBytes, bool keepsAll);

/// Size in bytes of an element of a temporary in LLVM's array layout: 8 for i48.
int64_t temporaryElementBytes(mlir::Type element);

/// Appends the conversion of vector, scf, memref, affine, arith, math, index, cf, func and ub to the LLVM
/// dialect to `pm`, which is anchored on builtin.module.
void addLowerToLLVMPasses(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> emulatedFloats);

/// Canonicalizes with a limit on iterations, so that endless rewriting only costs the simplification of a kernel, and
/// eliminates common subexpressions.
void addCleanup(mlir::OpPassManager &pm);

/// Appends the passes that bufferize a kernel's module, with copies as structured ops, to `kernel`. If checks follow,
/// the program's accesses keep their views until then.
void addKernelBufferization(mlir::OpPassManager &kernel, const PipelineOptions &options);

/// Appends the checks that `options` request to `kernel`, which is anchored on a kernel's module; none if they request
/// none. Loops must still be structured. Existing checks are kept. `programAccesses`: as of mica-check-insert.
void addKernelChecks(mlir::OpPassManager &kernel, const PipelineOptions &options, bool programAccesses = true);

/// Computes sums of narrow floats in f32, in all ops below `root`; see mica-codegen-promote-accumulators.
void promoteAccumulators(mlir::Operation *root);

/// Expansions of math functions on f32; see mica-codegen-approximate-math.
void populateApproximateMathPatterns(mlir::RewritePatternSet &patterns, bool extrema = true);

/// Patterns of mica-codegen-expand-powers.
void populateExpandPowersPatterns(mlir::RewritePatternSet &patterns);

/// Emulation of i4 loads and stores and of integer powers; see mica-codegen-emulate-narrow-ints.
void populateEmulateNarrowIntsPatterns(mlir::RewritePatternSet &patterns);

/// Conversions between f8 types, emulated 16-bit floats and other types as arithmetic on bits; see
/// mica-codegen-expand-narrow-float-casts.
void populateExpandNarrowFloatPatterns(mlir::RewritePatternSet &patterns, bool emulateF16, bool emulateBF16);

#define GEN_PASS_DECL
#include "passes/Codegen/Common/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/Common/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_PASSES_H
