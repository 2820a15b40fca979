//===- ArgumentNames.h - names of arguments as attributes -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The name of an argument is its attribute `mica.name`, else that in its location (docs/Tools/mica-run.md). Text
// without debug information has no locations, and a declaration has no locations of arguments.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_ARGUMENTNAMES_H
#define MICA_PASSES_TENSOR_ARGUMENTNAMES_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Adds the attribute to each argument whose name is only in its location.
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
