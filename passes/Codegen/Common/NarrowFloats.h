//===- NarrowFloats.h - parsing the names of 16-bit floats in pass options ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to passes/Codegen/CPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_SMALLFLOATS_H
#define MICA_PASSES_CODEGEN_COMMON_SMALLFLOATS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace mica {

/// Appends to `types` the floats of `names`, each `f16` or `bf16`; any other name is an error.
inline mlir::LogicalResult readSmallFloats(mlir::MLIRContext *context, llvm::ArrayRef<std::string> names,
                                           llvm::SmallVectorImpl<mlir::Type> &types) {
  for (const std::string &name : names) {
    if (name != "f16" && name != "bf16")
      return mlir::emitError(mlir::UnknownLoc::get(context))
             << "no 16-bit float '" << name << "': option types takes f16 and bf16";
    types.push_back(name == "f16" ? mlir::Type(mlir::Float16Type::get(context))
                                  : mlir::Type(mlir::BFloat16Type::get(context)));
  }
  return mlir::success();
}

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_SMALLFLOATS_H
