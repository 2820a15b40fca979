//===- PassDiffs.h - what each pass did, by structure -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: mica-diff compares by structure, and needs the compiler half; it is started as a child where it is found.
// Without it pages compare texts.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_ARTIFACT_PASSDIFFS_H
#define MICA_LIB_REPORT_ARTIFACT_PASSDIFFS_H

#include "lib/Support/Json.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::report {

struct PassDiffs {
  Json found;      ///< mica-diff's JSON; null where there is none
  std::string why; ///< where there is none
};

/// mica-diff's JSON of `arguments`, a record or two programs. `scratch`: a folder for what the child writes, under
/// names that begin with `stem`. It is ended after `secondsLimit` (0: never).
PassDiffs runMicaDiff(const std::vector<std::string> &arguments, const std::filesystem::path &scratch,
                      const std::string &stem, double secondsLimit = 0);

/// Compares the snapshots of the record in `artifact`. `scratch`: a folder for what the child writes. A mica-diff that
/// fails is no error of the report.
PassDiffs comparePasses(const std::filesystem::path &artifact, const std::filesystem::path &scratch);

} // namespace mica::report

#endif // MICA_LIB_REPORT_ARTIFACT_PASSDIFFS_H
