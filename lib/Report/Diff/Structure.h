//===- Structure.h - IR that differs, compared by structure -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: texts of IR that differ as texts may be the same program: mica-diff says. Where it is not at hand, or does
// not understand one, texts it is, and that is said.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_DIFF_STRUCTURE_H
#define MICA_LIB_REPORT_DIFF_STRUCTURE_H

#include "lib/Report/Diff/CompareSides.h"

#include <filesystem>

namespace mica::report {

/// Compares the IR among the products of `difference`; what is the same but for names and order goes. `scratch`: a
/// folder that exists. Errors: Io.
Status compareStructures(const Side &before, const Side &after, SideDifference &difference,
                         const std::filesystem::path &scratch);

} // namespace mica::report

#endif // MICA_LIB_REPORT_DIFF_STRUCTURE_H
