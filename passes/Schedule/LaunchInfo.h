//===- LaunchInfo.h - how a kernel is launched, as an attribute -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the runtime has to know of a kernel is read off its function at the end of phase kernel. The LLVM dialect no
// longer says it, so phase lowered begins with writing it down on the kernel's module (mica-schedule-record-launches).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_LAUNCHINFO_H
#define MICA_PASSES_SCHEDULE_LAUNCHINFO_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mica {

/// The value of the attribute `mica_sched.launch` (A13 of the dialect `mica_sched`): what the kernel carries, else
/// computed from the function of the kernel's name. Null, with `problem` set, where `kernel` has neither, or its
/// function is not that of a kernel.
mlir::DictionaryAttr launchInfo(mlir::ModuleOp kernel, std::string &problem);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_LAUNCHINFO_H
