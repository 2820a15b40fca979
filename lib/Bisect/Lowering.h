//===- Lowering.h - what lowers the rest of a program -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: programs arrive lowered in parts, in dialects that Mica's own pipeline does not take.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_LOWERING_H
#define MICA_LIB_BISECT_LOWERING_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mica::bisect {

/// Whether functions of the LLVM dialect are part of `program`, which Mica does not compile.
bool isLowered(mlir::ModuleOp program);

/// A pipeline of upstream's passes that takes `program`, of upstream's dialects in any mixture, to the LLVM dialect.
/// It names the passes that its ops need.
std::string restOfLowering(mlir::ModuleOp program);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_LOWERING_H
