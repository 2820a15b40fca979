//===- Launches.h - what a launch costs beside the driver's own call --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Of a program that is a chain of small kernels: its entry `many` launches `kMany` of them, `one` a single one, so the
// difference of the two is what launches cost, whatever else a call does. The driver launches the same kernel as often.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_BENCH_GPU_LAUNCHES_H
#define MICA_TEST_BENCH_GPU_LAUNCHES_H

#include "test/Bench/Gpu/Device.h"

#include <filesystem>

namespace mica::bench {

/// Microseconds per launch, of the host's clock; medians. `over...`: medians of the differences of pairs.
struct LaunchCosts {
  double raw = 0, ours = 0, over = 0;                ///< launch by launch
  double rawGraph = 0, oursGraph = 0, overGraph = 0; ///< as one graph; 0 where the driver has none
};

/// `artifact`: the program above. `library`: the driver.
LaunchCosts measureLaunches(Device &device, const std::filesystem::path &artifact, const std::string &library,
                            int pairs);

} // namespace mica::bench

#endif // MICA_TEST_BENCH_GPU_LAUNCHES_H
