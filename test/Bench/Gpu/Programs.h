//===- Programs.h - how long a program's kernels take on a GPU --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_BENCH_GPU_PROGRAMS_H
#define MICA_TEST_BENCH_GPU_PROGRAMS_H

#include "test/Bench/Gpu/Device.h"

#include "mica/Runtime/Context.h"

#include <filesystem>

namespace mica::bench {

/// A program with one entry and inputs for it.
class TimedProgram {
public:
  /// `library`: the driver.
  static Result<std::unique_ptr<TimedProgram>> load(const std::filesystem::path &artifact, const std::string &library);
  ~TimedProgram();

  /// Milliseconds of the device in which its kernels ran, by events around each, of one call.
  Result<double> time();
  /// Bytes of arguments and results: what has to be read and written once at least.
  int64_t bytes() const;
  /// What its arguments are, in memory of the host.
  const runtime::Tensor &input(size_t i) const { return inputs[i]; }

private:
  TimedProgram() = default;
  class DeviceTimes;
  std::shared_ptr<const runtime::Program> program;
  std::unique_ptr<DeviceTimes> times;
  std::unique_ptr<runtime::Context> context;
  std::vector<runtime::Tensor> inputs, results;
};

} // namespace mica::bench

#endif // MICA_TEST_BENCH_GPU_PROGRAMS_H
