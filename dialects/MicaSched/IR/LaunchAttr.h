//===- LaunchAttr.h - the attributes of phase lowered -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// In the LLVM dialect these attributes record what memrefs and ops expressed before: how kernels are launched and which
// constants host functions read.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_LAUNCHATTR_H
#define MICA_DIALECTS_MICASCHED_IR_LAUNCHATTR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mica::sched {

/// On a kernel: its launch record (A13).
inline constexpr llvm::StringLiteral kLaunchAttr = "mica_sched.launch";
/// On a program: the constants by the numbers that host functions use (A14).
inline constexpr llvm::StringLiteral kConstantsAttr = "mica_sched.constants";
/// On an entry's function in the reference lowering: the entry's name, then its type before bufferization; from
/// mica-reference-call-runtime on also the attributes of its arguments and results.
inline constexpr llvm::StringLiteral kPlainEntryAttr = "plain_entry";

/// The maximum number of checks and shadowed allocations of a kernel.
inline constexpr size_t kMaxCheckSites = size_t(1) << 20;
inline constexpr int64_t kMaxShadows = int64_t(1) << 16;

/// Kinds of sites that are not checks, as in launch.json.
inline constexpr llvm::StringLiteral kNanSiteKind = "nan", kInfinitySiteKind = "infinity", kLoopSiteKind = "loop";

/// Whether `value` satisfies (A13); else an error at `op`.
llvm::LogicalResult verifyLaunch(mlir::Operation *op, mlir::Attribute value);
/// Whether `value` satisfies (A14); else an error at `op`.
llvm::LogicalResult verifyConstants(mlir::Operation *op, mlir::Attribute value);

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_LAUNCHATTR_H
