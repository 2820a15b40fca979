//===- LaunchInfo.h - launch records of kernels -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The launch record of a kernel is derived from its function at the end of phase kernel. It cannot be derived from the
// LLVM dialect, so phase lowered begins by attaching it to the kernel's module (mica-schedule-record-launches).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_LAUNCHINFO_H
#define MICA_PASSES_SCHEDULE_LAUNCHINFO_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mica {

/// The value of the attribute `mica_sched.launch` (A13 of the dialect `mica_sched`): the one attached to the kernel,
/// else computed from the function of the kernel's name. Null, with `problem` set, if `kernel` has neither, or its
/// function is not a kernel.
mlir::DictionaryAttr launchInfo(mlir::ModuleOp kernel, std::string &problem);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_LAUNCHINFO_H
