//===- Machine.h - measured properties of a machine -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The machine file: all properties of a machine that code depends on and that no flag sets. A compile uses no other
// properties of the machine it runs on, so with the file of another machine it gives the same result as there.
//
//     {"format": "mica-machine", "schema": "1.0", "triple": "x86_64-pc-linux-gnu", "cpu": "sapphirerapids",
//      "features": ["avx2", ...], "l1_data_bytes": 49152, "l2_bytes": 2097152}
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_MACHINE_H
#define MICA_SUPPORT_MACHINE_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace mica {

struct Machine {
  std::string triple, cpu;              ///< as LLVM names them
  std::vector<std::string> features;    ///< that code may use, as /proc/cpuinfo names them
  int64_t l1DataBytes = 0, l2Bytes = 0; ///< of one core; 0: unknown
};

std::string printMachine(const Machine &machine);
/// Errors: as readFile; Damaged, with the key.
Result<Machine> readMachine(const std::filesystem::path &file);

/// Bytes of the first core's level 1 data cache and level 2 cache; 0 if unknown.
std::pair<int64_t, int64_t> dataCacheSizes();
/// The value of `name` ("model name", "flags") for the first processor in /proc/cpuinfo; "" if absent.
std::string cpuinfoLine(std::string_view name);

} // namespace mica

#endif // MICA_SUPPORT_MACHINE_H
