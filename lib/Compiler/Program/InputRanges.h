//===- InputRanges.h - valid ranges of integer inputs -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: report/input_ranges.json, for tools that generate inputs: the valid values of an integer argument, derived
// from its uses as a divisor, shift amount, index or size.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_PROGRAM_INPUTRANGES_H
#define MICA_LIB_COMPILER_PROGRAM_INPUTRANGES_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mica::compiler {

/// {"schema": 1, "ranges": [{"entry": "main", "argument": 1, "use": "index", "low": 0, "high": 7}, ...]}: for each
/// argument with a known use, which is `divisor`, `shift`, `index` or `size`. An argument with arithmetic before its
/// use gets one value that is known to be valid.
std::string printInputRanges(mlir::ModuleOp program);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_PROGRAM_INPUTRANGES_H
