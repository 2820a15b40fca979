//===- KernelNames.h - names of kernels -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A kernel is named after its root, the fused ops, and its iteration space: matmul_add_relu_256x1024x1024_f32.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_KERNELNAMES_H
#define MICA_PASSES_DISPATCH_KERNELNAMES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

#include <string>

namespace mica {

/// The kind of a kernel of `ops` around `root`: the name of a known combination ("softmax", "layer_norm", "rms_norm"),
/// else the kind of the root.
std::string kernelKind(llvm::ArrayRef<mlir::Operation *> ops, mlir::Operation *root);

/// The name for a kernel of `ops` around `root`: [a-z0-9_], short enough that a number can be appended.
std::string kernelName(llvm::ArrayRef<mlir::Operation *> ops, mlir::Operation *root);

/// `name`, with the first free of _1, _2, ... appended if `symbols` contains it.
std::string uniqueKernelName(llvm::StringRef name, mlir::SymbolTable &symbols);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_KERNELNAMES_H
