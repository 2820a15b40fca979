//===- MachineProbe.h - what the machine can do at most --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The ends of a roofline, measured on the machine that runs: floating-point operations, and bytes of memory, in a
// second.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_MACHINEPROBE_H
#define MICA_LIB_RUNTOOL_BENCH_MACHINEPROBE_H

#include <cstdint>
#include <string>

namespace mica::bench {

/// With `threads` threads at once.
struct MachineLimits {
  int threads = 1;
  double flops = 0; ///< f32 operations in a second, a fused multiplication and addition being two
  double bytes = 0; ///< read and written in a second, of arrays that no cache holds (a = b + s c)
};

/// Takes 0.2 s and more, and 768 MiB of memory, less where a quarter of the free memory is less.
MachineLimits probeMachine(int threads);

/// "Intel(R) Xeon(R) .., 2 CPUs, vectors of 64 bytes".
std::string machineName();

/// Bytes of the largest cache; 0: unknown. What is smaller need not come from memory in each run.
int64_t largestCacheBytes();

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_MACHINEPROBE_H
