//===- ArgumentNames.h - names of arguments as attributes -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An argument is called what its attribute `mica.name` says, else its location (docs/Tools/mica-run.md). Text without
// debug information has no locations, and a function without a body has none of its arguments.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_ARGUMENTNAMES_H
#define MICA_PASSES_TENSOR_ARGUMENTNAMES_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Gives each argument that only its location names that name as an attribute.
inline void nameArguments(mlir::func::FuncOp function) {
  if (function.isExternal())
    return;
  for (mlir::BlockArgument argument : function.getArguments())
    if (auto location = llvm::dyn_cast<mlir::NameLoc>(argument.getLoc());
        location && !function.getArgAttr(argument.getArgNumber(), kNameAttr))
      function.setArgAttr(argument.getArgNumber(), kNameAttr, location.getName());
}

} // namespace mica

#endif // MICA_PASSES_TENSOR_ARGUMENTNAMES_H
