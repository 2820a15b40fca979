//===- Passes.h - passes of the area Codegen/Reference ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The reference lowering compiles a recorded snapshot of any phase to the LLVM dialect, by upstream's conversions and
// without Mica's optimizing passes. It shares with the pipeline only the semantics of ops (mica to linalg, tosa to
// mica) and the ABI.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_PASSES_H
#define MICA_PASSES_CODEGEN_REFERENCE_PASSES_H

#include "dialects/MicaSched/IR/LaunchAttr.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace mica {

#define GEN_PASS_DECL
#include "passes/Codegen/Reference/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/Reference/Passes.h.inc"

using sched::kPlainEntryAttr;
/// The prefix of every function that the reference lowering makes.
inline constexpr llvm::StringLiteral kPlainPrefix = "mica_plain_";
/// The global with the lowest permitted stack address, in programs with recursive functions.
inline constexpr llvm::StringLiteral kPlainStackLimit = "mica_plain_stack_limit";

/// In a program in the LLVM dialect: creates the global `name` with the message `text`, with a suffix if the name is
/// taken.
mlir::LLVM::GlobalOp makeMessage(mlir::ModuleOp program, mlir::Location loc, llvm::StringRef name,
                                 llvm::StringRef text);
/// The runtime service `name`, declared on first use.
mlir::LLVM::LLVMFuncOp plainService(mlir::ModuleOp program, llvm::StringRef name, mlir::Type result,
                                    llvm::ArrayRef<mlir::Type> arguments);

/// Lowers any snapshot to functions without kernels and task lists, with large constants externalized. The remaining
/// `mica_sched` ops are those that the artifact describes.
void buildReferenceProgram(mlir::OpPassManager &pm);
/// Lowers that to the LLVM dialect. `emulatedFloats` as option `types` of mica-codegen-expand-narrow-float-casts.
/// `beforeEntries` adds passes that run on the program in the LLVM dialect, before entries are created. With
/// `keepsSignatures`, the signatures of entries are kept.
void buildReferenceCode(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> emulatedFloats,
                        llvm::function_ref<void(mlir::OpPassManager &)> beforeEntries = {},
                        bool keepsSignatures = false);

/// Of kernels alone, as phase schedule leaves them: loops on buffers, one call for all the work.
void buildReferenceKernels(mlir::OpPassManager &pm);
/// From there, or from what phase kernel leaves, to the LLVM dialect.
void buildReferenceKernelCode(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> emulatedFloats);

/// `mica-reference-lowering`: both.
void registerReferencePipeline();

/// Whether the program's host functions are LLVM functions, as in phase `lowered`: then the runtime executes its task
/// lists, and only kernels are lowered.
bool hasLoweredHost(mlir::ModuleOp program);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_REFERENCE_PASSES_H
