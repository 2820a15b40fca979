//===- FailedChecks.h - reports of checks in plain code ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A check that fails is a mica_check.failed inside of a branch: its message is the name of the operation and what is
// wrong with it, "arith.divsi: integer division by zero". mica-reference-call-runtime makes a call of it, behind which
// mica-reference-make-entries leaves the function.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_FAILEDCHECKS_H
#define MICA_PASSES_CODEGEN_REFERENCE_FAILEDCHECKS_H

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace mica {

/// Reports, before `op`, that `text` holds for it, unless `ok`. `values` makes the values of the report, integers or
/// indices, inside of the branch. In the body of a structured op, the report also has the element of its first result,
/// unless it is of sizes or an access. `report`: empty, check::kSizesReport or check::kAccessReport. `name`: of the
/// operation that `op` was made of, "" its own.
void failUnless(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value ok, const llvm::Twine &text,
                llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &)> values,
                llvm::StringRef report = "", llvm::StringRef name = "");
void failUnless(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value ok, const llvm::Twine &text,
                llvm::ArrayRef<mlir::Value> values = {}, llvm::StringRef report = "", llvm::StringRef name = "");

/// The same for vectors of one shape: `ok` has to hold in every lane. The values of the first lane in which it does not
/// are reported.
void failUnlessAll(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value ok, const llvm::Twine &text,
                   llvm::ArrayRef<mlir::Value> values, llvm::StringRef name = "");

/// " at m.mlir:3:8", the innermost position; "" where none is known.
std::string positionText(mlir::Location loc);

/// The message that the runtime gets of `op`: id, or blanks and name and position; then what is wrong.
std::string reportedText(check::FailedOp op);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_REFERENCE_FAILEDCHECKS_H
