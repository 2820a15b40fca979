//===- CpuFeatures.h - what this machine's CPU can do ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CPUFEATURES_H
#define MICA_LIB_RUNTIME_CPUFEATURES_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace mica::runtime {

/// Those of `needed` that this CPU lacks, in their order. Names are the ones of /proc/cpuinfo ("avx2", "avx512f"); a
/// name it does not know is one that the CPU lacks. `cpuinfo` is for tests. Fails with Unsupported when the file cannot
/// be read: running code that may not fit is no answer.
Result<std::vector<std::string>> missingCpuFeatures(std::span<const std::string> needed,
                                                    const std::filesystem::path &cpuinfo = "/proc/cpuinfo");

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_CPUFEATURES_H
