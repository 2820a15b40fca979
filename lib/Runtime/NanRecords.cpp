//===- NanRecords.cpp - what kernels on a device noted of what they stored --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/NanRecords.h"

#include "lib/Runtime/CheckLog.h"
#include "lib/Runtime/UnitDims.h"

#include <cstring>

namespace mica::runtime {
namespace {

mica_gpu_check_log_v1 *logOf(const Program &program, const Launch &launch) {
  return launch.checks && CheckLog::isOnDevice(program, *launch.record)
             ? reinterpret_cast<mica_gpu_check_log_v1 *>(launch.checks)
             : nullptr;
}

mica_gpu_check_record_v1 *recordsOf(mica_gpu_check_log_v1 *log) {
  return reinterpret_cast<mica_gpu_check_record_v1 *>(log + 1);
}

} // namespace

bool NanRecords::saysFinite() const {
  const auto &checks = launch.record->checks;
  if (!checks || checks->finite != "all" || !launch.record->hostReason.empty())
    return false;
  const mica_gpu_check_log_v1 *log = logOf(program, launch);
  return !log || log->found == 0;
}

std::vector<NanRecords::Storer> NanRecords::storersOf(int64_t binding, const std::vector<int64_t> &shape,
                                                      bool nan) const {
  std::vector<Storer> storers;
  mica_gpu_check_log_v1 *log = logOf(program, launch);
  if (!log || log->found == 0)
    return storers;
  const std::vector<artifact::CheckRecord> &sites = launch.record->checks->sites;
  auto triple = [](const int64_t *id) {
    return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
  };
  for (size_t i = 0; i < sites.size(); ++i) {
    const mica_gpu_check_record_v1 &record = recordsOf(log)[i];
    if (sites[i].kind != (nan ? artifact::kNanSite : artifact::kInfinitySite) || sites[i].binding != binding ||
        record.count == 0)
      continue;
    Storer storer;
    storer.text = "stored by " + program.describeOps(launch.record->name, launch.site, sites[i].ops) + " in thread " +
                  triple(record.thread) + " of block " + triple(record.block);
    // Per dimension index, size and extent (reportedValues of passes/Check).
    if (record.num_values == int64_t(3 * shape.size())) {
      storer.element = 0;
      for (size_t d = 0; d < shape.size() && storer.element >= 0; ++d) {
        const int64_t index = record.values[3 * d];
        storer.element = index >= 0 && index < shape[d] ? storer.element * shape[d] + index : -1;
      }
    } else if (record.num_values == 3 && record.values[0] >= 0 && record.values[0] < record.values[2]) {
      storer.element = record.values[0]; // of the whole buffer as one dimension
    }
    if (storer.element >= 0) {
      std::vector<int64_t> place(shape.size());
      int64_t rest = storer.element;
      for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
        place[d] = rest % shape[d];
      std::string text;
      for (int64_t index : withUnitDims(place, program.sourceShape(*launch.record, launch.site, size_t(binding)), {0}))
        text += (text.empty() ? "" : ", ") + std::to_string(index);
      storer.text += " at [" + text + "]";
    }
    if (record.count > 1)
      storer.text += ", the first of " + std::to_string(record.count) + " times";
    storers.push_back(std::move(storer));
  }
  return storers;
}

void NanRecords::clear() const {
  mica_gpu_check_log_v1 *log = logOf(program, launch);
  if (!log || log->found == 0)
    return;
  log->found = 0;
  const std::vector<artifact::CheckRecord> &sites = launch.record->checks->sites;
  for (size_t i = 0; i < sites.size(); ++i)
    if (sites[i].isFinding())
      std::memset(recordsOf(log) + i, 0, sizeof(mica_gpu_check_record_v1));
}

} // namespace mica::runtime
