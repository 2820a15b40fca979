//===- CpuFeatures.cpp - what this machine's CPU can do --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/CpuFeatures.h"

#include <fstream>
#include <set>
#include <sstream>

namespace mica::runtime {

Result<std::vector<std::string>> missingCpuFeatures(std::span<const std::string> needed,
                                                    const std::filesystem::path &cpuinfo) {
  std::vector<std::string> missing;
  if (needed.empty())
    return missing;
  std::ifstream file(cpuinfo);
  std::set<std::string> present;
  // The first processor speaks for all: the kernel shows only what every one of them has. "flags" on x86, "Features" on
  // ARM.
  for (std::string line; present.empty() && std::getline(file, line);) {
    if (line.rfind("flags", 0) != 0 && line.rfind("Features", 0) != 0)
      continue;
    size_t colon = line.find(':');
    std::istringstream words(colon == std::string::npos ? "" : line.substr(colon + 1));
    for (std::string word; words >> word;)
      present.insert(word);
  }
  if (present.empty())
    return Error{ErrorCode::Unsupported,
                 cpuinfo.string() +
                     ": does not list this CPU's features, so the program's requirements cannot be checked",
                 "mount /proc"};
  for (const std::string &feature : needed)
    if (!present.count(feature))
      missing.push_back(feature);
  return missing;
}

} // namespace mica::runtime
