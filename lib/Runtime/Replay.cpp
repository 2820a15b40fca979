//===- Replay.cpp - computes one element again, to find where a NaN originates ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header, and mica-codegen-build-replay for what the code does and reports.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Replay.h"

#include "lib/Runtime/KernelMemory.h"
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

/// "math.log 1" -> "math.log", 1.
std::pair<std::string, int64_t> splitMessage(const std::string &message) {
  const size_t blank = message.rfind(' ');
  int64_t count = 0;
  if (blank != message.npos)
    std::from_chars(message.data() + blank + 1, message.data() + message.size(), count);
  return {message.substr(0, blank), count};
}

/// The first report of a value of the wanted kind.
const mica_check_record_v1 *firstOf(const std::vector<mica_check_record_v1> &records, bool nan) {
  const mica_check_record_v1 *first = nullptr;
  for (const mica_check_record_v1 &record : records)
    if (record.count > 0 && record.num_values > 0 && std::isnan(std::bit_cast<double>(record.values[0])) == nan &&
        (!first || record.order < first->order))
      first = &record;
  return first;
}

NanOrigin describe(const Program &program, const Launch &launch, const artifact::CheckRecord &site,
                   const mica_check_record_v1 &record) {
  const auto [inner, given] = splitMessage(site.message);
  const int64_t values = std::clamp<int64_t>(record.num_values, 1, MICA_CHECK_VALUES);
  const int64_t operands = std::clamp<int64_t>(given, 0, values - 1);
  NanOrigin origin;
  origin.fault = program.culprit(launch.record->name, launch.site, site);
  for (int64_t i = 0; i < operands; ++i)
    origin.fault.operands += (i ? ", " : "") + numberText(record.values[1 + i]);
  for (int64_t i = 1 + operands; i < values; ++i)
    origin.fault.element += (origin.fault.element.empty() ? "[" : ", ") + std::to_string(record.values[i]);
  origin.fault.element += origin.fault.element.empty() ? "" : "]";
  origin.text = program.describeCheck(launch.record->name, launch.site, site) + " gives " +
                numberText(record.values[0]) + ", " + inner + "(" + origin.fault.operands + ")";
  if (!origin.fault.element.empty()) {
    const std::string name = program.resultName(launch.record->name, launch.site, site);
    origin.text += ", at element " + origin.fault.element + (name.empty() ? "" : " of " + name);
  }
  return origin;
}

} // namespace

std::optional<NanOrigin> findNanOrigin(const Program &program, const Launch &launch, size_t output,
                                       const std::vector<int64_t> &indices, bool nan) {
  const artifact::KernelRecord &kernel = *launch.record;
  const int64_t index = program.findKernel(kernel.name);
  const mica_kernel_fn_v1 function = index >= 0 ? program.replayFunction(size_t(index)) : nullptr;
  const bool updates = std::any_of(kernel.bindings.begin(), kernel.bindings.end(),
                                   [](const auto &binding) { return binding.access == artifact::Access::ReadWrite; });
  if (!function || updates)
    return std::nullopt;
  int64_t given = kernel.scalarArgs;
  size_t mostIndices = 0;
  for (const artifact::BindingRecord &binding : kernel.bindings) {
    given += std::count_if(binding.type.shape.begin(), binding.type.shape.end(), [](int64_t size) { return size < 0; });
    if (binding.access != artifact::Access::Read)
      mostIndices = std::max(mostIndices, binding.type.shape.size());
  }
  std::vector<int64_t> scalars(launch.scalars, launch.scalars + given);
  scalars.push_back(int64_t(output));
  scalars.insert(scalars.end(), indices.begin(), indices.end());
  scalars.resize(size_t(given) + 1 + std::max(mostIndices, indices.size()));

  std::vector<mica_check_record_v1> records(kernel.replay->sites.size());
  mica_check_log_v1 log{};
  log.records = records.data();
  Result<Buffer> scratch = Buffer::allocate(std::max<int64_t>(kernel.replay->scratchBytes, 1));
  if (!scratch)
    return std::nullopt;
  mica_kernel_args_v1 args{launch.buffers, scalars.data(), scratch->data(), 0, 1, &log, nullptr};
  KernelMemory memory;
  if (memory.call([&] { return function(&args); }) == MICA_STATUS_NO_MEMORY)
    return std::nullopt;

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
