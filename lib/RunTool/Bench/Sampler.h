//===- Sampler.h - where the processor's time goes --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A timer that counts the time of all threads interrupts one of them, each millisecond where the system's clock is that
// fine; what it was at is noted. The compiled program has the lines of its code (kernel.mlir, the host function), which
// llvm-symbolizer reads.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_SAMPLER_H
#define MICA_LIB_RUNTOOL_BENCH_SAMPLER_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace mica::bench {

/// A line of code with the samples in it; of other code its function, or the file that it is in.
struct HotLine {
  std::string function; ///< "mica_body_matmul_..", "mica_entry_main"
  std::string file;     ///< "kernel.mlir"; "" unknown
  int line = 0;
  int64_t samples = 0;
};

struct HotLines {
  int64_t samples = 0;
  std::vector<HotLine> lines; ///< most samples first
};

/// Calls `work` while sampling, and finds the lines in the program.so of the artifact in `folder`. One at a time in a
/// process, and no other use of SIGPROF.
Result<HotLines> sampleWhile(const std::function<Status()> &work, const std::filesystem::path &folder);

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_SAMPLER_H
