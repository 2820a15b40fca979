//===- Result.cpp - the numbers of mica-bench ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/Result.h"

#include "lib/Support/Json.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"
#include "mica/Support/Version.h"

#include <string_view>

namespace mica::bench {

const MachineLimits *Results::limitsWith(int threads) const {
  for (const MachineLimits &limit : limits)
    if (limit.threads == threads)
      return &limit;
  return nullptr;
}

static Json toJson(const Measurement &measurement) {
  Json counters = Json::object(), kernels = Json::array();
  for (const auto &[name, count] : measurement.counters)
    counters[name] = count;
  for (const runtime::KernelTimes::Entry &kernel : measurement.kernels)
    kernels.push_back({{"kernel", kernel.kernel},
                       {"launches", kernel.launches},
                       {"ns", kernel.totalNs},
                       {"fastest_ns", kernel.minNs},
                       {"slowest_ns", kernel.maxNs},
                       {"flops", kernel.flops}});
  return {{"program", measurement.program},
          {"entry", measurement.entry},
          {"target", measurement.target},
          {"threads", measurement.threads},
          {"flops", measurement.flops},
          {"least_bytes", measurement.leastBytes},
          {"observed_ns", measurement.observedNs},
          {"busy_ns", measurement.busyNs},
          {"counters", counters},
          {"kernels", kernels},
          {"samples_ns", measurement.samples}};
}

Status writeResults(const Results &results, const std::filesystem::path &file) {
  JsonPrinter printer;
  printer.add("format", schemaFormat(Schema::Bench));
  printer.add("version", schemaVersion(Schema::Bench));
  printer.add("mica", std::string(version()));
  printer.add("machine", results.machine);
  printer.add("cache_bytes", results.cacheBytes);
  printer.addList("limits", results.limits, [](const MachineLimits &limit) {
    return Json{{"threads", limit.threads}, {"flops_per_second", limit.flops}, {"bytes_per_second", limit.bytes}};
  });
  printer.addList("measurements", results.measurements, toJson);
  return writeFile(file, printer.finish());
}

static Measurement parseMeasurement(const JsonCursor &item) {
  Measurement measurement;
  measurement.program = item.field("program").string();
  measurement.entry = item.field("entry").string();
  measurement.target = item.field("target").string();
  measurement.threads = static_cast<int>(item.field("threads").integer(1, 1 << 20));
  measurement.flops = item.field("flops").integer(-1);
  measurement.leastBytes = item.field("least_bytes").integer(0);
  measurement.observedNs = item.field("observed_ns").number();
  measurement.busyNs = item.field("busy_ns").number();
  item.field("counters").forEachMember([&](const std::string &name, const JsonCursor &value) {
    measurement.counters.emplace_back(name, value.number());
  });
  item.field("kernels").forEach([&](const JsonCursor &kernel, size_t) {
    measurement.kernels.push_back({kernel.field("kernel").string(), kernel.field("launches").integer(0),
                                   kernel.field("ns").integer(0), kernel.field("fastest_ns").integer(0),
                                   kernel.field("slowest_ns").integer(0), kernel.field("flops").integer(-1)});
  });
  item.field("samples_ns").forEach([&](const JsonCursor &value, size_t) {
    measurement.samples.push_back(value.number());
  });
  return measurement;
}

Result<Results> readResults(const std::filesystem::path &file) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file.string()));
  JsonReport report{file.string(), "give a file that mica-bench --json=FILE wrote", {}};
  const JsonCursor root(document.root(), report);
  if (const std::string format = root.field("format").string();
      !report.failure && format != schemaFormat(Schema::Bench))
    root.fail("is of the format '" + format + "', not '" + schemaFormat(Schema::Bench) + "'");
  const std::string written = report.failure ? "" : root.field("version").string();
  if (!report.failure &&
      std::string_view(written).substr(0, written.find('.')) != std::to_string(schemaInfo(Schema::Bench).major))
    root.fail("is of version " + written + ", and " + schemaVersion(Schema::Bench) + " is read");
  Results results;
  if (!report.failure) {
    results.machine = root.field("machine").string();
    results.cacheBytes = root.field("cache_bytes").integer(0);
    root.field("limits").forEach([&](const JsonCursor &item, size_t) {
      results.limits.push_back({static_cast<int>(item.field("threads").integer(1, 1 << 20)),
                                item.field("flops_per_second").number(), item.field("bytes_per_second").number()});
    });
    root.field("measurements").forEach([&](const JsonCursor &item, size_t) {
      results.measurements.push_back(parseMeasurement(item));
    });
  }
  if (report.failure)
    return *report.failure;
  return results;
}

} // namespace mica::bench
