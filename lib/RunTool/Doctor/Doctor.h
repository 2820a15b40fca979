//===- Doctor/Doctor.h - mica-run --doctor ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: tries every detector on faults that are planted, and on clean twins.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_DOCTOR_DOCTOR_H
#define MICA_LIB_RUNTOOL_DOCTOR_DOCTOR_H

#include "lib/RunTool/Options.h"

namespace mica::runtool {

/// Prints what each detector found and costs, as a table or (options.json) as JSON. The user's switches count: what
/// they turn off finds nothing. Gives the exit code: 3 where a fault was missed, wrongly named, or a clean twin gave an
/// alarm. Fails with NotFound where the programs are not there that the build makes (share/mica/doctor beside bin).
Result<int> runDoctor(const Options &options);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_DOCTOR_DOCTOR_H
