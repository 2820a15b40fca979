//===- SignlessTypes.h - integers without signedness -----------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_SIGNLESSTYPES_H
#define MICA_DIALECTS_MICA_IR_SIGNLESSTYPES_H

#include "mlir/IR/BuiltinOps.h"

namespace mica {

/// Whether the elements of `type`, or `type` itself, are signed or unsigned integers, such as ui8.
bool hasSignedness(mlir::Type type);

/// Whether they are unsigned integers.
bool isUnsigned(mlir::Type type);

/// Makes every integer type of `module` signless, and the constants with it, whose bits stay. What ops mean by the
/// signedness of their operands is lost.
void makeSignless(mlir::ModuleOp module);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_SIGNLESSTYPES_H
