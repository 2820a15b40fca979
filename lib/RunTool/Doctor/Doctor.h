//===- Doctor/Doctor.h - mica-run --doctor ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: tests every detector on planted faults, and on clean twins.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_DOCTOR_DOCTOR_H
#define MICA_LIB_RUNTOOL_DOCTOR_DOCTOR_H

#include "lib/RunTool/Options.h"

namespace mica::runtool {

/// Prints the findings and cost of each detector, as a table or (options.json) as JSON. The user's switches apply: a
/// disabled detector finds nothing. Returns the exit code: 3 if a fault was missed or wrongly named, or a clean twin
/// raised an alarm. Fails with NotFound if the programs that the build makes are missing (share/mica/doctor beside
/// bin).
Result<int> runDoctor(const Options &options);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_DOCTOR_DOCTOR_H
