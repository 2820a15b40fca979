//===- LaunchAttr.h - attributes that phase lowered leaves ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A program in the LLVM dialect says by these attributes what its memrefs and ops said before: how its kernels are
// launched and which constants its host functions read.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_LAUNCHATTR_H
#define MICA_DIALECTS_MICASCHED_IR_LAUNCHATTR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mica::sched {

/// On a kernel: how it is launched (A13).
inline constexpr llvm::StringLiteral kLaunchAttr = "mica_sched.launch";
/// On a program: the constants by the numbers that the host functions ask for (A14).
inline constexpr llvm::StringLiteral kConstantsAttr = "mica_sched.constants";
/// On an entry's function in the reference lowering: the entry's name, then its type before buffers replaced tensors;
/// from mica-reference-call-runtime on also the attributes of its arguments and of its results.
inline constexpr llvm::StringLiteral kPlainEntryAttr = "plain_entry";

/// Most checks and most shadowed allocations that one kernel records.
inline constexpr size_t kMaxCheckSites = size_t(1) << 20;
inline constexpr int64_t kMaxShadows = int64_t(1) << 16;

/// Kinds of sites that are no checks, as launch.json has them.
inline constexpr llvm::StringLiteral kNanSiteKind = "nan", kInfinitySiteKind = "infinity", kLoopSiteKind = "loop";

/// Whether `value` is what (A13) demands; else an error at `op`.
llvm::LogicalResult verifyLaunch(mlir::Operation *op, mlir::Attribute value);
/// Whether `value` is what (A14) demands; else an error at `op`.
llvm::LogicalResult verifyConstants(mlir::Operation *op, mlir::Attribute value);

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_LAUNCHATTR_H
