//===- Replay.cpp - runs a kernel's replays, to find the operation and the element at fault --------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header, and mica-codegen-build-replay and mica-codegen-build-fault-replay for what the code does and reports.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Replay.h"

#include "lib/Runtime/KernelMemory.h"
#include "lib/Runtime/UnitDims.h"
#include "mica/ABI/Checks.h"
#include "mica/ABI/Kernel.h"
#include "mica/Runtime/Program.h"
#include "mica/Runtime/Tensor.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace mica::runtime {
namespace {

std::string numberText(int64_t bits) {
  if (std::isnan(std::bit_cast<double>(bits)))
    return "nan";
  char text[32];
  std::snprintf(text, sizeof text, "%g", std::bit_cast<double>(bits));
  return text;
}

/// "math.log 1" -> "math.log", 1. Of the message of a check without an element, as of vectors, "" and -1.
std::pair<std::string, int64_t> splitMessage(std::string_view message) {
  const size_t blank = message.rfind(' ');
  int64_t count = -1;
  if (blank == message.npos || message.find(' ') != blank)
    return {"", -1};
  std::from_chars(message.data() + blank + 1, message.data() + message.size(), count);
  return {std::string(message.substr(0, blank)), count};
}

/// How the messages of a fault replay begin that are about floats.
constexpr std::string_view kFloatPrefix = "float ";

bool isAboutFloat(const artifact::CheckRecord &site) { return site.message.starts_with(kFloatPrefix); }

/// The first report of a value of the wanted kind.
const mica_check_record_v1 *firstOf(const std::vector<mica_check_record_v1> &records, bool nan) {
  const mica_check_record_v1 *first = nullptr;
  for (const mica_check_record_v1 &record : records)
    if (record.count > 0 && record.num_values > 0 && std::isnan(std::bit_cast<double>(record.values[0])) == nan &&
        (!first || record.order < first->order))
      first = &record;
  return first;
}

/// "[0, 4]" of the values of a report from `first` on, in a tensor whose sizes in the source are `shape`; "" if none
/// is left.
std::string elementText(std::span<const int64_t> values, size_t first, const std::vector<int64_t> &shape) {
  if (first >= values.size())
    return "";
  std::string text;
  for (int64_t index : withUnitDims(values.subspan(first), shape, {0}))
    text += (text.empty() ? "[" : ", ") + std::to_string(index);
  return text + "]";
}

/// ", at element [0, 4] of %q".
std::string atElement(const std::string &element, const std::string &tensor) {
  return element.empty() ? "" : ", at element " + element + (tensor.empty() ? "" : " of " + tensor);
}

std::span<const int64_t> valuesOf(const mica_check_record_v1 &record) {
  return {record.values, size_t(std::clamp<int64_t>(record.num_values, 0, MICA_CHECK_VALUES))};
}

NanOrigin describe(const Program &program, const Launch &launch, const artifact::CheckRecord &site,
                   const mica_check_record_v1 &record) {
  const std::string &kernel = launch.record->name;
  return describeNanOrigin(
      program.describeCheck(kernel, launch.site, site), program.faultInfo(kernel, launch.site, site), site.message,
      valuesOf(record), program.resultName(kernel, launch.site, site), program.resultShape(kernel, launch.site, site));
}

FailedElement describeFailed(const Program &program, const Launch &launch, const artifact::CheckRecord &site,
                             const mica_check_record_v1 &record) {
  const auto [inner, given] = splitMessage(site.message);
  const std::span<const int64_t> values = valuesOf(record);
  const size_t operands = given < 0 ? values.size() : std::min(size_t(given), values.size());
  FailedElement failed{site, "", program.faultInfo(launch.record->name, launch.site, site)};
  for (size_t i = 0; i < operands; ++i)
    failed.fault.operands += (i ? ", " : "") + std::to_string(values[i]);
  failed.fault.element = elementText(values, operands, program.resultShape(launch.record->name, launch.site, site));
  failed.text =
      (operands > 0 ? ", " + (inner.empty() ? failed.fault.opKind : inner) + "(" + failed.fault.operands + ")" : "") +
      atElement(failed.fault.element, program.resultName(launch.record->name, launch.site, site));
  return failed;
}

/// What `function`, a replay of `launch` that takes `further` scalars, reports; nothing where there is no memory.
std::optional<std::vector<mica_check_record_v1>> runReplay(const Launch &launch, const artifact::KernelReplay &replay,
                                                           mica_kernel_fn_v1 function,
                                                           const std::vector<int64_t> &further = {}) {
  const artifact::KernelRecord &kernel = *launch.record;
  int64_t given = kernel.scalarArgs;
  for (const artifact::BindingRecord &binding : kernel.bindings)
    given += std::count_if(binding.type.shape.begin(), binding.type.shape.end(), [](int64_t size) { return size < 0; });
  std::vector<int64_t> scalars(launch.scalars, launch.scalars + given);
  scalars.insert(scalars.end(), further.begin(), further.end());
  std::vector<mica_check_record_v1> records(replay.sites.size());
  mica_check_log_v1 log{};
  log.records = records.data();
  Result<Buffer> scratch = Buffer::allocate(std::max<int64_t>(replay.scratchBytes, 1));
  if (!scratch)
    return std::nullopt;
  void *const *buffers = launch.operands ? launch.operands : launch.buffers;
  mica_kernel_args_v1 args{buffers, scalars.data(), scratch->data(), 0, 1, &log, nullptr};
  KernelMemory memory;
  if (memory.call([&] { return function(&args); }) == MICA_STATUS_NO_MEMORY)
    return std::nullopt;
  return records;
}

bool isReplayable(const Program &program, const Launch &launch) {
  return !program.isEdited() && (launch.operands || !overwritesOperands(*launch.record));
}

} // namespace

NanOrigin describeNanOrigin(const std::string &where, FaultInfo place, std::string_view message,
                            std::span<const int64_t> values, const std::string &tensor,
                            const std::vector<int64_t> &shape) {
  const auto [inner, given] = splitMessage(message);
  NanOrigin origin{"", std::move(place)};
  if (values.empty())
    return origin;
  const size_t operands = std::min(size_t(std::max<int64_t>(given, 0)), values.size() - 1);
  for (size_t i = 0; i < operands; ++i)
    origin.fault.operands += (i ? ", " : "") + numberText(values[1 + i]);
  origin.fault.element = elementText(values, 1 + operands, shape);
  origin.text = where + " gives " + numberText(values[0]) + ", " + inner + "(" + origin.fault.operands + ")" +
                atElement(origin.fault.element, tensor);
  return origin;
}

bool overwritesOperands(const artifact::KernelRecord &kernel) {
  return std::any_of(kernel.bindings.begin(), kernel.bindings.end(),
                     [](const auto &binding) { return binding.access == artifact::Access::ReadWrite; });
}

bool findsDiscardedNans(const artifact::KernelRecord &kernel) {
  return kernel.faultReplay &&
         std::any_of(kernel.faultReplay->sites.begin(), kernel.faultReplay->sites.end(), isAboutFloat);
}

/// What the fault replay of `launch` records, by site; nothing where there is none, or it cannot run.
static std::optional<std::vector<mica_check_record_v1>> runFaultReplay(const Program &program, const Launch &launch) {
  const int64_t index = program.findKernel(launch.record->name);
  const mica_kernel_fn_v1 function = index >= 0 ? program.faultReplayFunction(size_t(index)) : nullptr;
  if (!function || !isReplayable(program, launch))
    return std::nullopt;
  return runReplay(launch, *launch.record->faultReplay, function);
}

/// Runs the fault replay of `launch`, and gives the first NaN, or infinity, that originated.
static std::optional<NanOrigin> findInWhole(const Program &program, const Launch &launch, bool nan) {
  const artifact::KernelRecord &kernel = *launch.record;
  const std::optional<std::vector<mica_check_record_v1>> records = runFaultReplay(program, launch);
  if (!records)
    return std::nullopt;
  const mica_check_record_v1 *first = nullptr;
  for (size_t i = 0; i < records->size(); ++i) {
    const mica_check_record_v1 &record = (*records)[i];
    if (record.count > 0 && record.num_values > 0 && isAboutFloat(kernel.faultReplay->sites[i]) &&
        std::isnan(std::bit_cast<double>(record.values[0])) == nan && (!first || record.order < first->order))
      first = &record;
  }
  if (!first)
    return std::nullopt;
  artifact::CheckRecord site = kernel.faultReplay->sites[size_t(first - records->data())];
  site.message.erase(0, kFloatPrefix.size());
  return describe(program, launch, site, *first);
}

std::optional<NanOrigin> findDiscardedNan(const Program &program, const Launch &launch) {
  return findInWhole(program, launch, /*nan=*/true);
}

std::optional<FailedElement> findFailedElement(const Program &program, const Launch &launch,
                                               const artifact::CheckRecord &site) {
  const artifact::KernelRecord &kernel = *launch.record;
  const std::optional<std::vector<mica_check_record_v1>> records = runFaultReplay(program, launch);
  if (!records)
    return std::nullopt;
  int64_t found = -1;
  auto isSame = [&](size_t i) {
    const artifact::CheckRecord &other = kernel.faultReplay->sites[i];
    return other.ops == site.ops && other.part == site.part;
  };
  for (size_t i = 0; i < records->size(); ++i)
    if ((*records)[i].count > 0 && !isAboutFloat(kernel.faultReplay->sites[i]) &&
        (found < 0 || isSame(i) > isSame(size_t(found)) ||
         (isSame(i) == isSame(size_t(found)) && (*records)[i].order < (*records)[size_t(found)].order)))
      found = int64_t(i);
  if (found < 0)
    return std::nullopt;
  return describeFailed(program, launch, kernel.faultReplay->sites[size_t(found)], (*records)[size_t(found)]);
}

std::optional<NanOrigin> findNanOrigin(const Program &program, const Launch &launch, size_t output,
                                       const std::vector<int64_t> &indices, bool nan) {
  const artifact::KernelRecord &kernel = *launch.record;
  const int64_t index = program.findKernel(kernel.name);
  const mica_kernel_fn_v1 function = index >= 0 ? program.replayFunction(size_t(index)) : nullptr;
  // Code on buffers: what is computed for one element alone is not known.
  if (!function && findsDiscardedNans(kernel))
    return findInWhole(program, launch, nan);
  if (!function || !isReplayable(program, launch))
    return std::nullopt;
  size_t mostIndices = indices.size();
  for (const artifact::BindingRecord &binding : kernel.bindings)
    if (binding.access != artifact::Access::Read)
      mostIndices = std::max(mostIndices, binding.type.shape.size());
  std::vector<int64_t> further{int64_t(output)};
  further.insert(further.end(), indices.begin(), indices.end());
  further.resize(1 + mostIndices);
  const std::optional<std::vector<mica_check_record_v1>> reported =
      runReplay(launch, *kernel.replay, function, further);
  if (!reported)
    return std::nullopt;
  const std::vector<mica_check_record_v1> &records = *reported;
  const mica_check_record_v1 *first = firstOf(records, nan);
  if (!first)
    return std::nullopt;
  NanOrigin origin = describe(program, launch, kernel.replay->sites[size_t(first - records.data())], *first);
  // NaN of infinities that the kernel made itself.
  const mica_check_record_v1 *infinite = nan ? firstOf(records, false) : nullptr;
  if (infinite && infinite->order < first->order)
    origin.text +=
        "; " + describe(program, launch, kernel.replay->sites[size_t(infinite - records.data())], *infinite).text;
  return origin;
}

} // namespace mica::runtime
