//===- Runs.cpp - what the runs of an artifact left: launches and numbers -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Events of each run in runs/, paired by launch; and what can be said of the tensors a run kept: their ranges, their
// NaN and Inf, a fingerprint.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Context.h"
#include "lib/Report/Artifact/DumpTensors.h"
#include "lib/Report/Artifact/WhyAnswer.h"

#include "mica/Compare/Npy.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Text.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <cmath>

namespace fs = std::filesystem;

namespace mica::report {

namespace {
constexpr size_t kMostRuns = 8, kMostLaunches = 200000, kMostTensors = 5000;
constexpr uintmax_t kLongestTensor = uintmax_t(256) << 20;

/// Rows: launch id, kernel, site, device, handed over, begun, done (ns since the first), parts, status, thread.
Result<Json> launchesOf(ArtifactContext &context, const fs::path &file) {
  struct Launch {
    int64_t id, site = -1, handed = -1, begun = -1, done = -1, parts = 0, status = 0, thread = -1;
    std::string kernel, device;
  };
  std::vector<Launch> launches;
  std::map<int64_t, size_t> numbers;
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  int64_t first = INT64_MAX;
  double unixMs = 0;
  for (size_t begin = 0; begin < text.size() && launches.size() < kMostLaunches;) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const Json line = Json::parse(text.begin() + static_cast<ptrdiff_t>(begin),
                                  text.begin() + static_cast<ptrdiff_t>(end), nullptr, false);
    begin = end + 1;
    if (line.is_object() && line.contains("unix_ns"))
      unixMs = numberMember(line, "unix_ns") / 1e6;
    const std::string event = textMember(line, "event");
    if (event != "launch" && event != "complete")
      continue;
    const int64_t id = integerMember(line, "id");
    const auto [found, isNew] = numbers.emplace(id, launches.size());
    if (isNew)
      launches.emplace_back().id = id;
    Launch &launch = launches[found->second];
    if (event == "launch") {
      launch.site = integerMember(line, "site", -1);
      launch.handed = integerMember(line, "ns", -1);
      launch.kernel = textMember(line, "kernel");
      launch.device = textMember(line, "device");
      first = std::min(first, launch.handed);
    } else {
      launch.begun = integerMember(line, "start_ns", -1);
      launch.done = integerMember(line, "ns", -1);
      launch.parts = integerMember(line, "parts");
      launch.status = integerMember(line, "status");
      launch.thread = integerMember(line, "thread", -1);
    }
  }
  Json rows = Json::array();
  int64_t failed = 0;
  auto since = [&](int64_t ns) {
    return ns < 0 || first == INT64_MAX ? int64_t(-1) : std::max<int64_t>(0, ns - first);
  };
  for (const Launch &launch : launches) {
    failed += launch.status != 0 || launch.done < 0;
    rows.push_back(row(launch.id, context.kernelNumber(launch.kernel), launch.site,
                       context.names.text(context.names.redacts() ? "" : launch.device), since(launch.handed),
                       since(launch.begun < 0 ? launch.handed : launch.begun), since(launch.done), launch.parts,
                       launch.status, launch.thread));
  }
  MICA_ASSIGN_OR_RETURN(const int64_t number, context.addText(printJsonLine(rows)));
  return Json{number, launches.size(), failed, unixMs};
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// What a tensor holds. Columns: where, task, binding, type, bytes, smallest, largest, mean of the finite ones, NaN,
/// Inf, zeros, elements, fingerprint.
Json tensorRow(const std::string &where, const std::string &name, int64_t launch, int kernel, int64_t binding,
               const HostTensor &tensor, bool redacts) {
  double least = INFINITY, most = -INFINITY, sum = 0;
  int64_t nan = 0, inf = 0, zero = 0, finite = 0;
  const int64_t count = tensor.numElements();
  for (int64_t i = 0; i < count; ++i) {
    const double value = tensor.asDouble(i);
    if (std::isnan(value)) {
      ++nan;
    } else if (std::isinf(value)) {
      ++inf;
    } else {
      least = std::min(least, value);
      most = std::max(most, value);
      sum += value;
      zero += value == 0;
      ++finite;
    }
  }
  const std::string_view bytes(reinterpret_cast<const char *>(tensor.data.data()), tensor.data.size());
  return row(where, name, launch, kernel, binding, tensor.typeString(), tensor.data.size(),
             redacts ? Json(nullptr) : number(least), redacts ? Json(nullptr) : number(most),
             redacts || !finite ? Json(nullptr) : number(sum / static_cast<double>(finite)), nan, inf, zero, count,
             redacts ? "" : hashHex(bytes).substr(0, 12));
}

/// "000003_<kernel>_<binding>.npy": what kernel 3 in order wrote.
struct CaptureName {
  int64_t launch = -1, binding = -1;
  std::string kernel;
};
CaptureName captureName(const std::string &stem) {
  CaptureName name;
  const size_t first = stem.find('_'), last = stem.rfind('_');
  if (first == std::string::npos || last <= first)
    return name;
  auto integer = [](const std::string &text) {
    const bool digits = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? std::stoll(text) : -1;
  };
  return {integer(stem.substr(0, first)), integer(stem.substr(last + 1)), stem.substr(first + 1, last - first - 1)};
}

Json tensorsOf(ArtifactContext &context, const fs::path &run) {
  Json rows = Json::array();
  for (const char *folder : {"data/in", "captures", "data/out"}) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(run / folder, error))
      if (entry.path().extension() == ".npy" && liesInside(context.artifact.folder(), entry.path()) &&
          entry.file_size(error) <= kLongestTensor)
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path &file : files) {
      if (rows.size() >= kMostTensors)
        return rows;
      const Result<HostTensor> tensor = readNpy(file);
      if (!tensor)
        continue;
      const bool capture = folder == std::string_view("captures");
      const CaptureName name = capture ? captureName(file.stem().string()) : CaptureName();
      rows.push_back(tensorRow(folder, context.names.redacts() ? "" : trace::validUtf8(file.filename().string()),
                               name.launch, context.kernelNumber(name.kernel), name.binding, *tensor,
                               context.names.redacts()));
    }
  }
  return rows;
}
} // namespace

Result<Json> runsPart(ArtifactContext &context) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(context.artifact.path("runs"), error))
    if (!entry.is_symlink(error) && entry.is_directory(error))
      folders.push_back(entry.path());
  // Names begin with the time: the newest first.
  std::sort(folders.rbegin(), folders.rend());
  Json runs = Json::array();
  int64_t room = kMostElementBytes;
  for (size_t i = 0; i < folders.size() && i < kMostRuns; ++i) {
    Json launches{-1, 0, 0, 0};
    if (const fs::path events = folders[i] / "events.jsonl"; liesInside(context.artifact.folder(), events)) {
      MICA_ASSIGN_OR_RETURN(launches, launchesOf(context, events));
    }
    Json tensors = context.plain ? Json::array() : tensorsOf(context, folders[i]);
    const std::string name = folders[i].filename().string();
    const fs::path answer = folders[i] / "why.json";
    // Values and names are what a redacted report holds none of.
    Json why = context.names.redacts() || context.plain || !liesInside(context.artifact.folder(), answer)
                   ? Json(nullptr)
                   : whyOf(answer, context.notes);
    Json dump = nullptr;
    if (!context.names.redacts() && !context.plain) {
      MICA_ASSIGN_OR_RETURN(dump, dumpOf(context, folders[i], room));
    }
    runs.push_back(row(context.names.redacts() ? "run " + std::to_string(i) : trace::validUtf8(name),
                       std::move(launches), std::move(tensors), std::move(why), std::move(dump)));
  }
  if (folders.size() > kMostRuns)
    context.notes.push_back("of " + groupDigits(static_cast<int64_t>(folders.size())) + " runs the newest " +
                            std::to_string(kMostRuns) + " are shown");
  return runs;
}

} // namespace mica::report
