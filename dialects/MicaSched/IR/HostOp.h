//===- HostOp.h - functions for ops that no kernel takes ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The names by which host functions call such functions. They are lowered by the reference lowering, apart from the
// host functions that call them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_HOSTOP_H
#define MICA_DIALECTS_MICASCHED_IR_HOSTOP_H

#include "mlir/Support/LLVM.h"

namespace mica::sched {

/// On a function: it has the ops that no kernel takes (A15).
inline constexpr llvm::StringLiteral kHostOpAttr = "mica_sched.host_op";

/// In the LLVM dialect, every call of such a function is between calls of these two:
/// void begin(ptr api, ptr ctx), and i32 status(), which is not 0 if the function failed.
inline constexpr llvm::StringLiteral kHostOpBegin = "mica_host_op_begin", kHostOpStatus = "mica_host_op_status";

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_HOSTOP_H
