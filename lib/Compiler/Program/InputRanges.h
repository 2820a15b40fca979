//===- InputRanges.h - which integers an entry can be called with -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: report/input_ranges.json, for tools that make inputs up: what an integer argument may be, as far as its uses
// as a divisor, a shift amount, an index or a size say so.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_PROGRAM_INPUTRANGES_H
#define MICA_LIB_COMPILER_PROGRAM_INPUTRANGES_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mica::compiler {

/// {"schema": 1, "ranges": [{"entry": "main", "argument": 1, "use": "index", "low": 0, "high": 7}, ...]}: for each
/// argument with a known use, which is `divisor`, `shift`, `index` or `size`. An argument that is the operand of
/// arithmetic before it is used so has one value for which that is known.
std::string printInputRanges(mlir::ModuleOp program);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_PROGRAM_INPUTRANGES_H
