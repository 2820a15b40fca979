//===- Passes.h - passes of the area Codegen/Reference ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The reference lowering: any recorded snapshot of any phase, to the LLVM dialect, by upstream's conversions and none
// of Mica's optimising passes. What it shares with the pipeline is the meaning of ops (mica to linalg, tosa to mica)
// and the ABI.
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
/// Begins the name of every function the reference lowering makes.
inline constexpr llvm::StringLiteral kPlainPrefix = "mica_plain_";
/// The global that has the lowest address that the stack may reach, in programs with functions that call themselves.
inline constexpr llvm::StringLiteral kPlainStackLimit = "mica_plain_stack_limit";

/// `text`, which failed at the position of `op`, then `rest`.
std::string assertionMessage(mlir::Operation *op, llvm::StringRef text, llvm::StringRef rest = "");

/// In a program in the LLVM dialect: the global `name` of the string `text` of an assertion, with a suffix where the
/// name is taken.
mlir::LLVM::GlobalOp makeMessage(mlir::ModuleOp program, mlir::Location loc, llvm::StringRef name,
                                 llvm::StringRef text);
/// The service `name` of the runtime, declared at its first use.
mlir::LLVM::LLVMFuncOp plainService(mlir::ModuleOp program, llvm::StringRef name, mlir::Type result,
                                    llvm::ArrayRef<mlir::Type> arguments);

/// From any snapshot to functions without kernels and task lists, their large constants named. What is left of
/// `mica_sched` is what the artifact keeps beside the code.
void buildReferenceProgram(mlir::OpPassManager &pm);
/// From there to the LLVM dialect. `emulatedFloats` as option `types` of mica-codegen-expand-narrow-float-casts.
/// `beforeEntries` adds passes that see the program in the LLVM dialect, without the functions that the runtime calls.
/// With `keepsSignatures`, what it leaves still says what its entries take.
void buildReferenceCode(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> emulatedFloats,
                        llvm::function_ref<void(mlir::OpPassManager &)> beforeEntries = {},
                        bool keepsSignatures = false);

/// Of kernels alone, as phase schedule leaves them: loops on buffers, one call for all the work.
void buildReferenceKernels(mlir::OpPassManager &pm);
/// From there, or from what phase kernel leaves, to the LLVM dialect.
void buildReferenceKernelCode(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> emulatedFloats);

/// `mica-reference-lowering`: both.
void registerReferencePipeline();

/// True if the program's host functions are LLVM functions, as in phase `lowered`: its task lists are then left to the
/// runtime, and only kernels are lowered.
bool hasLoweredHost(mlir::ModuleOp program);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_REFERENCE_PASSES_H
