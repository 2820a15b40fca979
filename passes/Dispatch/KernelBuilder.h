//===- KernelBuilder.h - building kernels from groups of ops ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The part of mica-dispatch-outline-kernels that builds kernels: the interface of a group, the kernel's module, its
// name, and the merging of equal kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_KERNELBUILDER_H
#define MICA_PASSES_DISPATCH_KERNELBUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace mica {

/// The inputs and outputs of a group of ops of one block.
struct GroupInterface {
  llvm::SmallVector<mlir::Operation *> ops;      ///< in the order of the block
  llvm::SetVector<mlir::Value> tensors;          ///< inputs: each is a buffer of the kernel
  llvm::SetVector<mlir::Value> scalars;          ///< integers and index: scalar arguments
  llvm::SetVector<mlir::Value> boxedScalars;     ///< floats: passed as tensors of rank 0
  llvm::SetVector<mlir::Operation *> recomputed; ///< constants and similar ops, cloned into the kernel, operands first
  llvm::SmallVector<mlir::Value> results;        ///< used outside of the group: output buffers
  /// Tensors whose buffer is updated to a result; these are the first of `results`, in the order of `tensors`.
  llvm::MapVector<mlir::Value, mlir::Value> updated;
};

/// Computes the interface of `ops`, given in block order. Fails with an error if a value has a type that kernels do not
/// support.
mlir::FailureOr<GroupInterface> analyzeGroup(llvm::ArrayRef<mlir::Operation *> ops);

/// A kernel and the ids of the ops that one group represents in it.
struct BuiltKernel {
  mlir::ModuleOp module;
  mlir::ArrayAttr opIds; ///< aligned with the `mica_sched.op_ids` of `module`
};

/// Builds kernels into one program; equal ones are built once.
class KernelBuilder {
public:
  explicit KernelBuilder(mlir::ModuleOp program);

  /// The kernel for `group`: a new module at the front of the program (after existing kernels), or an equal one.
  BuiltKernel build(const GroupInterface &group);

private:
  mlir::ModuleOp program;
  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::ModuleOp> byText;
  mlir::Operation *lastKernel = nullptr;
};

} // namespace mica

#endif // MICA_PASSES_DISPATCH_KERNELBUILDER_H
