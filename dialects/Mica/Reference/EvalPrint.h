//===- EvalPrint.h - programs that print ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// vector.print and the runtime's helpers (printMemrefF32, printI64, ...; include/mica/ABI/Helpers.h), which programs
// declare and call.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_EVALPRINT_H
#define MICA_DIALECTS_MICA_REFERENCE_EVALPRINT_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// Whether the evaluator implements the external function `name`.
bool isHelper(llvm::StringRef name);
/// Evaluates a call of it: prints its operand in the runtime's format, or returns its result.
llvm::LogicalResult callHelper(mlir::Operation *call, mlir::func::FuncOp helper, Operands in, Results &out,
                               Evaluator &evaluator);
void addPrintOps(OpTable &table);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_EVALPRINT_H
