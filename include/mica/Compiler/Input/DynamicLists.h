//===- DynamicLists.h - checks of values for dynamic entries that MLIR does not make ------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Many ops have a list of integers, such as `static_low` of tensor.pad, and one operand for each dynamic entry. The
// verifiers of some ops of MLIR 22 do not count the operands: verifier, printer and passes read beyond them. Only the
// generic form, and bytecode, can have such an op. See docs/UpstreamFindings.md.
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_INPUT_DYNAMICLISTS_H
#define MICA_COMPILER_INPUT_DYNAMICLISTS_H

#include "mlir/IR/Operation.h"

namespace mica::compiler {

/// Emits an error for the first op of `program` that has not one operand for each dynamic entry of its lists. `program`
/// need not be verified, and the error does not print the op.
llvm::LogicalResult verifyDynamicLists(mlir::Operation *program);

/// Whether `text` has an op in generic form that verifyDynamicLists checks.
bool mayHaveUncheckedLists(llvm::StringRef text);

} // namespace mica::compiler

#endif // MICA_COMPILER_INPUT_DYNAMICLISTS_H
