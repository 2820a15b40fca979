//===- CheckLog.h - what the checks of one launch found --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime. Made with the launch, so nothing on the way to a kernel allocates; read when it is complete.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CHECKLOG_H
#define MICA_LIB_RUNTIME_CHECKLOG_H

#include "lib/Runtime/Replay.h"
#include "mica/ABI/Checks.h"
#include "mica/ABI/Gpu.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/FaultInfo.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mica::runtime {

class Program;
class ShadowMemory;

/// Puts `values` in the places "{0}", "{1}", .. of `text`; "{1:f}" shows one as the bits of a f64.
void fillPlaces(std::string &text, std::span<const int64_t> values);

/// What is wrong with an access, of index, size and extent for each dimension: "index 8 in dimension 0, whose extent is
/// 8 (at [8], extent 8)".
std::string accessProblem(const int64_t *values, int64_t rank);

class CheckLog {
public:
  /// For launches of `kernel`, which has checks, at `site` of the program's dispatches (-1: unknown). `shadows` tells
  /// of allocations; null where no kernel has shadows.
  CheckLog(const Program &program, const artifact::KernelRecord &kernel, int64_t site,
           const ShadowMemory *shadows = nullptr);
  CheckLog(const CheckLog &) = delete;
  CheckLog &operator=(const CheckLog &) = delete;

  /// Whether `kernel` of `program` makes its checks on a device: its log is a mica_gpu_check_log_v1 then.
  static bool isOnDevice(const Program &program, const artifact::KernelRecord &kernel);
  /// Bytes of such a log.
  int64_t deviceBytes() const;
  /// Where it lies: memory of that size, all zero, which stays.
  void setDeviceLog(void *memory);

  /// For the launch; of a device, the address of its log.
  mica_check_log_v1 *log() { return device ? reinterpret_cast<mica_check_log_v1 *>(device) : &shared; }
  bool anyFailed() const { return (device ? device->failed : shared.failed) != 0; }
  /// The site that failed first. Only where anyFailed(), as the next two.
  const artifact::CheckRecord &firstSite() const { return kernel.checks->sites[firstFailed()]; }
  /// What failed first, in words that name operation, position, buffer and numbers, and how many other sites failed.
  /// `known`: where it fails, if a replay found that.
  std::string firstFailure(const std::optional<FailedElement> &known = {}) const;
  /// Its operation.
  FaultInfo firstFault() const;
  /// A line for each site that failed since clear() and was not told of before.
  std::vector<std::string> newFailures();
  /// Everything counts from 0 again.
  void clear();

  /// Whether loops of the kernel report how far they are (artifact::kLoopSite).
  bool hasLoops() const;
  /// What those say that reported since clearLoops(), a line each. Any thread, also while the kernel runs.
  std::vector<std::string> loops() const;
  void clearLoops();

private:
  void readDevice() const;
  std::string whereFirst(size_t site) const;
  /// After readDevice(). What nan-check finds (lib/Runtime/NanRecords.h) is no failure.
  bool hasFailed(size_t site) const;
  size_t firstFailed() const;
  std::string describe(size_t site, const std::optional<FailedElement> &known = {}) const;
  /// The buffer that it accesses.
  std::string describeBuffer(const artifact::CheckRecord &check) const;
  /// Of the tensor that `check` is about, as Program::sourceShape().
  std::vector<int64_t> sourceShape(const artifact::CheckRecord &check) const;
  std::string describeUse(const artifact::CheckRecord &check, const mica_check_record_v1 &record) const;

  const Program &program;
  const artifact::KernelRecord &kernel;
  const int64_t dispatch;
  const ShadowMemory *const shadows;
  mutable std::vector<mica_check_record_v1> records; ///< of a device: what readDevice() read
  std::vector<bool> told;
  mica_check_log_v1 shared{};
  mica_gpu_check_log_v1 *device = nullptr; ///< null: the kernel is code of the CPU
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_CHECKLOG_H
