//===- MicaCheckDialect.h - the dialect `mica_check` ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The dialect class, its operations, and the names that passes share.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICACHECK_IR_MICACHECKDIALECT_H
#define MICA_DIALECTS_MICACHECK_IR_MICACHECKDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.h.inc"
#include "dialects/MicaCheck/IR/MicaCheckEnums.h.inc"

#define GET_OP_CLASSES
#include "dialects/MicaCheck/IR/MicaCheckOps.h.inc"

namespace mica::check {

/// Names of the discardable attributes of a kernel's function; the dialect's description documents them.
inline constexpr llvm::StringLiteral kLevelAttr = "mica_check.level";
/// On a mica_check.failed in a host function: what it reports if that is not a failed check on integers.
inline constexpr llvm::StringLiteral kReportAttr = "mica_check.report";
/// On the program: its host functions contain such reports.
inline constexpr llvm::StringLiteral kReportsAttr = "mica_check.reports";
/// The origin of a NaN or an infinity; the values are bits of f64 (mica-check-probe-floats).
inline constexpr llvm::StringLiteral kFloatReport = "float";
/// An iteration of a loop (mica-check-watch-loops).
inline constexpr llvm::StringLiteral kLoopReport = "loop";
/// Sizes or positions that do not fit: a fault of the inputs, not of the code.
inline constexpr llvm::StringLiteral kSizesReport = "sizes";
/// An access outside of its buffer; the values are index, size and extent of each dimension.
inline constexpr llvm::StringLiteral kAccessReport = "access";
inline constexpr llvm::StringLiteral kSitesAttr = "mica_check.sites";
/// A function whose own accesses keep their views until they are checked (mica-codegen-fold-views).
inline constexpr llvm::StringLiteral kKeptViewsAttr = "mica_check.kept_views";
inline constexpr llvm::StringLiteral kInsertedAttr = "mica_check.inserted";
inline constexpr llvm::StringLiteral kUncheckedAttr = "mica_check.unchecked";
inline constexpr llvm::StringLiteral kShadowsAttr = "mica_check.shadows";
inline constexpr llvm::StringLiteral kReadsAttr = "mica_check.reads";
inline constexpr llvm::StringLiteral kFiniteAttr = "mica_check.finite";
/// On an argument.
inline constexpr llvm::StringLiteral kFillsAttr = "mica_check.fills";
/// On an argument of a dump replay: the id of the operation whose result goes there.
inline constexpr llvm::StringLiteral kInsideAttr = "mica_check.inside";
/// On the same: the sizes of its dynamic dimensions. For each, the position of a buffer and a dimension of it; or -1
/// and the position of a scalar; or -2 and the size.
inline constexpr llvm::StringLiteral kInsideSizesAttr = "mica_check.inside_sizes";
/// On an operation of the program: dumps keep its results.
inline constexpr llvm::StringLiteral kDumpAttr = "mica_check.dump";

/// The maximum number of values in a report other than that of an access.
inline constexpr size_t kMostValues = 8;

} // namespace mica::check

#endif // MICA_DIALECTS_MICACHECK_IR_MICACHECKDIALECT_H
