//===- List.cpp - lists and statistics of a dump -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/List.h"

#include "lib/DumpTool/Selection.h"
#include "lib/Support/Json.h"
#include "mica/Support/Text.h"

namespace mica::dumptool {
namespace {

std::string padded(std::string text, size_t width) {
  if (text.size() < width)
    text.append(width - text.size(), ' ');
  return text;
}

std::string_view endName(dump::Launch::End end) {
  constexpr std::string_view kNames[] = {"done", "failed", "skipped", "running"};
  return kNames[size_t(end)];
}

} // namespace

std::string statisticsText(const dump::Statistics &values) {
  std::string text;
  if (values.finite() > 0)
    text = "min " + numberText(values.min) + ", max " + numberText(values.max) + ", mean " + numberText(values.mean) +
           ", largest " + numberText(values.absMax) + ", ";
  return text + std::to_string(values.nan) + " NaN, " + std::to_string(values.inf) + " Inf, " +
         std::to_string(values.zero) + (values.zero == 1 ? " zero" : " zeros") + " of " + groupDigits(values.count);
}

std::string summaryText(const dump::Dump &dump) {
  std::string text = "dump of " + dump.program() + " (" + dump.target() + "), level " + std::to_string(dump.level()) +
                     ": " + groupDigits(int64_t(dump.tensors().size())) + " tensors of " +
                     groupDigits(int64_t(dump.launches().size())) + " launches\n";
  for (const dump::Missing &missing : dump.missing())
    text += "missing: " + groupDigits(missing.tensors) + " tensors of " + byteSize(missing.bytes) + ": " + missing.why +
            "\n";
  if (dump.lostLaunches() > 0)
    text += "missing: results of " + groupDigits(dump.lostLaunches()) + " launches: out of memory\n";
  size_t skipped = 0;
  for (size_t i = 0; i < dump.launches().size(); ++i) {
    const dump::Launch &launch = dump.launches()[i];
    const dump::Site &site = dump.sites()[launch.site];
    skipped += launch.end == dump::Launch::End::Skipped;
    if (launch.end == dump::Launch::End::Failed)
      text += "failed: " + launchText(dump, i) + ", with status " + std::to_string(launch.status) +
              (site.ops.empty() ? "" : ": " + opText(site.ops[0])) + "\n";
    else if (launch.end == dump::Launch::End::Running)
      text += (dump.ended() ? "not noted: " : "running when the process ended: ") + launchText(dump, i) +
              (site.ops.empty() ? "" : ": " + opText(site.ops[0])) + "\n";
  }
  if (skipped > 0)
    text += "skipped after the failure: " + groupDigits(int64_t(skipped)) + " launches\n";
  if (!dump.ended())
    text += "the process ended before the run did: what it had written is here" +
            std::string(dump.incompleteLine() ? ", but for a line that was cut off" : "") + "\n";
  return text;
}

std::string listText(const dump::Dump &dump, std::span<const size_t> chosen, bool withStatistics) {
  std::string text;
  for (size_t index : chosen) {
    const dump::Tensor &tensor = dump.tensors()[index];
    const dump::Launch &launch = dump.launchOf(tensor);
    const dump::Op *op = dump.opOf(tensor);
    text += padded("#" + std::to_string(index), 6) +
            padded(std::to_string(launch.number) + (launch.iteration > 0 ? "." + std::to_string(launch.iteration) : ""),
                   7) +
            padded(tensor.isAfter ? "after" : "before", 7) +
            padded(std::string(dump::roleName(dump.bindingOf(tensor).role)), 7) + padded(tensorText(dump, tensor), 30) +
            " ";
    if (withStatistics) {
      text += tensor.hash.empty() ? "unknown" : statisticsText(tensor.statistics);
      if (tensor.sampledBytes > 0)
        text += ", a sample of " + groupDigits(tensor.elements());
    } else {
      text += padded(dump.siteOf(tensor).kernel, 24) + " " + (op ? opText(*op) : "");
      if (!tensor.isAfter)
        text += (op ? ", from " : "from ") + (sourceText(tensor).empty() ? "the host" : sourceText(tensor)) +
                (tensor.isChanged ? ", changed since" : "");
      if (tensor.statistics.nan + tensor.statistics.inf > 0)
        text +=
            "; " + std::to_string(tensor.statistics.nan) + " NaN, " + std::to_string(tensor.statistics.inf) + " Inf";
    }
    if (!tensor.missing.empty())
      text += "; missing: " + tensor.missing;
    while (text.ends_with(' '))
      text.pop_back();
    text += '\n';
  }
  return text;
}

std::string listJson(const dump::Dump &dump, std::span<const size_t> chosen) {
  Json root;
  root["program"] = dump.program();
  root["target"] = dump.target();
  root["level"] = dump.level();
  root["ended"] = dump.ended();
  root["missing"] = Json::array();
  for (const dump::Missing &missing : dump.missing())
    root["missing"].push_back({{"why", missing.why}, {"tensors", missing.tensors}, {"bytes", missing.bytes}});
  root["tensors"] = Json::array();
  for (size_t index : chosen) {
    const dump::Tensor &tensor = dump.tensors()[index];
    const dump::Site &site = dump.siteOf(tensor);
    const dump::Launch &launch = dump.launchOf(tensor);
    Json item;
    item["tensor"] = index;
    item["launch"] = launch.number;
    item["call"] = launch.call;
    item["iteration"] = launch.iteration;
    item["end"] = std::string(endName(launch.end));
    item["kernel"] = site.kernel;
    item["kind"] = site.kind;
    item["device"] = site.device;
    item["binding"] = tensor.binding;
    item["role"] = std::string(dump::roleName(dump.bindingOf(tensor).role));
    item["stage"] = tensor.isAfter ? "after" : "before";
    item["name"] = dump.bindingOf(tensor).name;
    if (const dump::Op *op = dump.opOf(tensor)) {
      item["op"] = op->id;
      item["op_kind"] = op->kind;
      item["source"] = op->source;
    }
    if (!tensor.isAfter) {
      item["from"] = tensor.fromLaunch >= 0 ? sourceText(tensor) : tensor.from;
      item["changed"] = tensor.isChanged;
    }
    item["dtype"] = std::string(dtypeName(tensor.dtype));
    item["shape"] = tensor.shape;
    item["bytes"] = tensor.bytes;
    item["has_elements"] = tensor.offset >= 0;
    if (!tensor.missing.empty())
      item["missing"] = tensor.missing;
    if (!tensor.hash.empty()) {
      const dump::Statistics &values = tensor.statistics;
      item["hash"] = tensor.hash;
      if (tensor.sampledBytes > 0)
        item["sampled_bytes"] = tensor.sampledBytes;
      item["statistics"] = {{"count", values.count}, {"min", values.min},        {"max", values.max},
                            {"mean", values.mean},   {"abs_max", values.absMax}, {"nan", values.nan},
                            {"inf", values.inf},     {"zero", values.zero}};
    }
    root["tensors"].push_back(std::move(item));
  }
  return printJson(root);
}

} // namespace mica::dumptool
