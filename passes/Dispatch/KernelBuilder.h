//===- KernelBuilder.h - makes a kernel of a group of ops -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The half of mica-dispatch-outline-kernels that builds kernels: what a group takes and gives, the kernel's module, its
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

/// What a group of ops of one block takes from around it and gives back.
struct GroupInterface {
  llvm::SmallVector<mlir::Operation *> ops;      ///< in the order of the block
  llvm::SetVector<mlir::Value> tensors;          ///< read, each one buffer of the kernel
  llvm::SetVector<mlir::Value> scalars;          ///< integers and index: scalar arguments
  llvm::SetVector<mlir::Value> boxedScalars;     ///< floats: passed as tensors of rank 0
  llvm::SetVector<mlir::Operation *> recomputed; ///< constants and the like, made again inside, operands first
  llvm::SmallVector<mlir::Value> results;        ///< used outside of the group: buffers written
  /// Tensors whose buffer takes the elements of a result, which are the first of `results`, in the order of `tensors`.
  llvm::MapVector<mlir::Value, mlir::Value> updated;
};

/// Reads the interface of `ops`, given in block order. Fails with an error where a value has a type no kernel takes.
mlir::FailureOr<GroupInterface> analyzeGroup(llvm::ArrayRef<mlir::Operation *> ops);

/// A kernel and the ids of the ops that one group stands for in it.
struct BuiltKernel {
  mlir::ModuleOp module;
  mlir::ArrayAttr opIds; ///< aligned with the `mica_sched.op_ids` of `module`
};

/// Builds kernels into one program; equal ones are built once.
class KernelBuilder {
public:
  explicit KernelBuilder(mlir::ModuleOp program);

  /// The kernel for `group`: a new module at the front of the program (after the kernels already made), or an equal
  /// one.
  BuiltKernel build(const GroupInterface &group);

private:
  mlir::ModuleOp program;
  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::ModuleOp> byText;
  mlir::Operation *lastKernel = nullptr;
};

} // namespace mica

#endif // MICA_PASSES_DISPATCH_KERNELBUILDER_H
