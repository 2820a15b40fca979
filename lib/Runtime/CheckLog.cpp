//===- CheckLog.cpp - what the checks of one launch found ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/CheckLog.h"

#include "lib/Runtime/LoopWatch.h"

#include "lib/Runtime/Shadows.h"
#include "lib/Runtime/UnitDims.h"
#include "mica/Runtime/Program.h"
#include "mica/Support/Targets.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace mica::runtime {

CheckLog::CheckLog(const Program &program, const artifact::KernelRecord &kernel, int64_t site,
                   const ShadowMemory *shadows)
    : program(program), kernel(kernel), dispatch(site), shadows(shadows), records(kernel.checks->sites.size()),
      told(kernel.checks->sites.size()) {
  shared.records = records.data();
}

bool CheckLog::isOnDevice(const Program &program, const artifact::KernelRecord &kernel) {
  const TargetInfo *target = findTarget(program.manifest().target);
  return kernel.checks && !kernel.checks->sites.empty() && target && target->launches && kernel.hostReason.empty();
}

int64_t CheckLog::deviceBytes() const {
  return int64_t(sizeof(mica_gpu_check_log_v1) + records.size() * sizeof(mica_gpu_check_record_v1));
}

void CheckLog::setDeviceLog(void *memory) {
  device = static_cast<mica_gpu_check_log_v1 *>(memory);
  const auto &options = program.manifest().options;
  const auto level = options.find("assert-level");
  device->is_error = level == options.end() || level->second != "warn";
}

static const mica_gpu_check_record_v1 *recordsOf(const mica_gpu_check_log_v1 *log) {
  return reinterpret_cast<const mica_gpu_check_record_v1 *>(log + 1);
}

/// What the launch left, in the form of the CPU's.
void CheckLog::readDevice() const {
  for (size_t i = 0; device && i < records.size(); ++i) {
    const mica_gpu_check_record_v1 &from = recordsOf(device)[i];
    mica_check_record_v1 &to = records[i];
    to.count = from.count;
    to.order = from.order;
    to.num_values = std::clamp<int64_t>(from.num_values, 0, MICA_CHECK_VALUES);
    std::copy(std::begin(from.values), std::end(from.values), std::begin(to.values));
  }
}

/// ", first in thread (3,0,0) of block (1,0,0)"; of the CPU nothing: how work is partitioned is no matter of the
/// program.
std::string CheckLog::whereFirst(size_t site) const {
  if (!device)
    return "";
  auto text = [](const int64_t *id) {
    return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
  };
  const mica_gpu_check_record_v1 &record = recordsOf(device)[site];
  return ", first in thread " + text(record.thread) + " of block " + text(record.block);
}

void CheckLog::clear() {
  if (!anyFailed() && !(device && device->found != 0))
    return;
  if (device) {
    device->failed = device->found = 0;
    std::memset(device + 1, 0, size_t(deviceBytes()) - sizeof *device);
  }
  std::fill(records.begin(), records.end(), mica_check_record_v1{});
  shared.failed = 0;
}

/// "[4, 0:16]": index and, where it is more than one element, the first that is no longer part of it.
static std::string accessText(const int64_t *values, int64_t rank) {
  std::string text = "[";
  for (int64_t dim = 0; dim < rank; ++dim) {
    const int64_t index = values[3 * dim], size = values[3 * dim + 1];
    text += (dim ? ", " : "") + std::to_string(index);
    if (size != 1)
      text += ":" + std::to_string(int64_t(uint64_t(index) + uint64_t(size)));
  }
  return text + "]";
}

static std::string extentsText(const int64_t *values, int64_t rank) {
  std::string text;
  for (int64_t dim = 0; dim < rank; ++dim)
    text += (dim ? "x" : "") + std::to_string(values[3 * dim + 2]);
  return text;
}

/// "index 8 in dimension 0, whose extent is 8", of the first dimension that is left.
static std::string violatedBound(const int64_t *values, int64_t rank) {
  for (int64_t dim = 0; dim < rank; ++dim) {
    const int64_t index = values[3 * dim], size = values[3 * dim + 1], extent = values[3 * dim + 2];
    if (size < 0)
      return "size " + std::to_string(size) + " in dimension " + std::to_string(dim);
    if (index < 0 || index >= extent || size > extent - index)
      return "index " + std::to_string(index < 0 ? index : std::max(index, extent)) + " in dimension " +
             std::to_string(dim) + ", whose extent is " + std::to_string(extent);
  }
  return "a slice that lies outside";
}

std::string accessProblem(const int64_t *values, int64_t rank) {
  return violatedBound(values, rank) + " (at " + accessText(values, rank) + ", extent " +
         (rank ? extentsText(values, rank) : "one element") + ")";
}

void fillPlaces(std::string &text, std::span<const int64_t> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string number = "{" + std::to_string(i);
    char real[32];
    std::snprintf(real, sizeof real, "%g", std::bit_cast<double>(values[i]));
    const bool isReal = text.find(number + ":f}") != text.npos;
    const std::string shown = isReal ? real : std::to_string(values[i]);
    const std::string place = number + (isReal ? ":f}" : "}");
    for (size_t at = text.find(place); at != text.npos; at = text.find(place, at))
      text.replace(at, place.size(), shown);
  }
}

/// Whether `operation`, which begins with its kind, makes a view of another buffer or tensor.
static bool makesView(std::string_view operation) {
  const std::string_view kind = operation.substr(0, operation.find(' '));
  return kind == "memref.subview" || kind == "tensor.extract_slice" || kind.ends_with(".expand_shape") ||
         kind.ends_with(".collapse_shape");
}

std::vector<int64_t> CheckLog::sourceShape(const artifact::CheckRecord &check) const {
  return check.binding < 0 ? std::vector<int64_t>() : program.sourceShape(kernel, dispatch, size_t(check.binding));
}

std::string CheckLog::describeBuffer(const artifact::CheckRecord &check) const {
  const int64_t index = check.binding;
  const std::string name = program.nameOfOp(kernel.name, dispatch, check.temporary);
  if (index < 0)
    return name.empty() ? "a buffer inside the kernel" : name + " (inside the kernel)";
  const artifact::BindingRecord &binding = kernel.bindings[size_t(index)];
  const bool isCopied = check.kind == "store" && binding.access == artifact::Access::Read;
  const bool isView = !name.empty() && makesView(program.describeOps(kernel.name, dispatch, {check.temporary}));
  return (isView ? name + ", a view of " : "") + program.tensorName(kernel, dispatch, size_t(index)) + " (" +
         shapedTypeString(withUnitDims(binding.type.shape, sourceShape(check), {1}), binding.type.dtype) + ", " +
         (isCopied                                    ? "updated in a copy"
          : binding.access == artifact::Access::Read  ? "read"
          : binding.access == artifact::Access::Write ? "written"
                                                      : "read and written") +
         ")";
}

/// " reads 3 uninitialized elements of buffer 0 (8xf32, read), the first at [5]; they are of ..."
std::string CheckLog::describeUse(const artifact::CheckRecord &check, const mica_check_record_v1 &record) const {
  const int64_t rank = (record.num_values - 1) / 3;
  std::string text = " reads " + std::to_string(record.count) + " uninitialized " +
                     (record.count == 1 ? "element of " : "elements of ") + describeBuffer(check);
  if (rank > 0) {
    const std::vector<int64_t> values =
        withUnitDims({record.values + 1, size_t(3 * rank)}, sourceShape(check), {0, 1, 1});
    text += ", the first at " + accessText(values.data(), int64_t(values.size() / 3));
  }
  return text + "; of " + (shadows ? shadows->describeOrigin(record.values[0]) : "an unknown allocation");
}

/// "7, 0".
static std::string valuesText(const mica_check_record_v1 &record) {
  std::string text;
  for (int64_t i = 0; i < record.num_values; ++i)
    text += (i ? ", " : "") + std::to_string(record.values[i]);
  return text;
}

std::string CheckLog::describe(size_t site, const std::optional<FailedElement> &known) const {
  const artifact::CheckRecord &check = kernel.checks->sites[site];
  const mica_check_record_v1 &record = records[site];
  std::string text = program.describeCheck(kernel.name, dispatch, known ? known->site : check);
  const int64_t rank = record.num_values / 3;
  if (check.kind == "use")
    return text + describeUse(check, record) + whereFirst(site);
  if (check.kind.empty()) {
    std::string message = check.message;
    const bool hasPlaces = message.find("{0") != message.npos;
    fillPlaces(message, {record.values, size_t(record.num_values)});
    text += ": " + message;
    const std::string values = hasPlaces ? "" : valuesText(record);
    if (known)
      text += known->text;
    else if (!values.empty())
      text += " (" + values + ")";
  } else {
    const std::vector<int64_t> values = withUnitDims({record.values, size_t(3 * rank)}, sourceShape(check), {0, 1, 1});
    const std::string problem = accessProblem(values.data(), int64_t(values.size() / 3));
    text += " " + check.kind + "s outside " + describeBuffer(check) + ": " + problem;
    if (known)
      text += known->text;
  }
  if (record.count > 1)
    text += ", " + std::to_string(record.count) + " times";
  return text + whereFirst(site);
}

bool CheckLog::hasFailed(size_t site) const {
  return records[site].count != 0 && !kernel.checks->sites[site].isFinding();
}

size_t CheckLog::firstFailed() const {
  readDevice();
  size_t first = 0;
  bool any = false;
  for (size_t i = 0; i < records.size(); ++i)
    if (hasFailed(i) && (!any || records[i].order < records[first].order)) {
      first = i;
      any = true;
    }
  return first;
}

FaultInfo CheckLog::firstFault() const {
  const size_t first = firstFailed();
  FaultInfo fault = program.faultInfo(kernel.name, dispatch, kernel.checks->sites[first]);
  if (const artifact::CheckRecord &site = kernel.checks->sites[first];
      site.kind.empty() && site.message.find("{0") == site.message.npos)
    fault.operands = valuesText(records[first]);
  return fault;
}

std::string CheckLog::firstFailure(const std::optional<FailedElement> &known) const {
  std::string text = describe(firstFailed(), known);
  int64_t others = -1;
  for (size_t i = 0; i < records.size(); ++i)
    others += hasFailed(i);
  if (others > 0)
    text += "; " + std::to_string(others) + " more check" + (others > 1 ? "s" : "") + " of this kernel failed";
  return text;
}

bool CheckLog::hasLoops() const {
  return !device && std::any_of(kernel.checks->sites.begin(), kernel.checks->sites.end(),
                                [](const artifact::CheckRecord &site) { return site.isLoop(); });
}

std::vector<std::string> CheckLog::loops() const {
  std::vector<std::string> lines;
  for (size_t i = 0; i < records.size() && !device; ++i) {
    const artifact::CheckRecord &site = kernel.checks->sites[i];
    // The kernel writes them while this is read: a number is of some iteration.
    const volatile mica_check_record_v1 &record = records[i];
    const int64_t written = record.num_values, count = std::clamp<int64_t>(written, 0, MICA_CHECK_VALUES);
    if (!site.isLoop() || count == 0)
      continue;
    std::vector<int64_t> values;
    for (int64_t v = 0; v < count; ++v) {
      const int64_t value = record.values[v];
      values.push_back(value);
    }
    lines.push_back("the loop " + program.describeCheck(kernel.name, dispatch, site) + ": " +
                    describeLoopState(site.message, values));
  }
  return lines;
}

void CheckLog::clearLoops() {
  for (size_t i = 0; i < records.size(); ++i)
    if (kernel.checks->sites[i].isLoop())
      records[i] = {};
}

std::vector<std::string> CheckLog::newFailures() {
  readDevice();
  std::vector<std::string> lines;
  for (size_t i = 0; i < records.size(); ++i)
    if (hasFailed(i) && !told[i]) {
      told[i] = true;
      lines.push_back(describe(i));
    }
  return lines;
}

} // namespace mica::runtime
