//===- RunRecords.cpp - what graphs do at run time, by their compiles --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/RunRecords.h"

#include "lib/Report/Artifact/Context.h"
#include "lib/Support/Json.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <cmath>

namespace mica::report {

static constexpr size_t kMostSteps = 20'000, kLongestStep = 200;
static constexpr std::string_view kNamespace = "_c10d_functional.";

std::vector<std::string> listedSteps(std::string_view text) {
  std::vector<trace::JsonMember> members;
  trace::scanJson(text, &members);
  std::string_view list = text;
  for (const trace::JsonMember &member : members)
    if (member.depth == 1 && member.value.starts_with('[') && !list.starts_with('['))
      list = member.value;
  std::vector<std::string> steps;
  if (!list.starts_with('['))
    return steps;
  for (const std::string_view step : trace::jsonElements(list)) {
    if (steps.size() >= kMostSteps)
      break;
    const std::string_view part = step.substr(0, kLongestStep);
    steps.push_back(trace::jsonString(part).value_or(trace::validUtf8(part)));
  }
  return steps;
}

GraphOps readGraphOps(std::string_view text) {
  GraphOps graph;
  Json json = Json::parse(trace::strictJson(text), nullptr, false);
  if (json.is_discarded()) {
    graph.tensors.emplace_back("damaged");
    return graph;
  }
  Json &ops = json.is_object() && json.contains("ops") ? json["ops"] : json;
  if (!ops.is_array())
    return graph;
  for (Json &op : ops) {
    if (graph.tensors.size() >= kMostSteps)
      break;
    if (op.is_object()) {
      const auto time = op.find("estimated_runtime_ns");
      const double ns = time != op.end() && time->is_number() ? time->get<double>() : 0;
      graph.estimated.push_back({textMember(op, "name"), textMember(op, "type"), std::isfinite(ns) ? ns : 0});
      op.erase("estimated_runtime_ns");
    }
    graph.tensors.push_back(printJsonLine(op).substr(0, 2 * kLongestStep));
  }
  return graph;
}

std::string collectiveName(std::string_view op) {
  const size_t at = op.rfind(kNamespace);
  // Names that were masked, or of another library, stay whole.
  std::string name(op);
  if (at != std::string_view::npos) {
    op.remove_prefix(at + kNamespace.size());
    name = op.substr(0, op.find('.'));
  }
  while (name.ends_with('_')) // in place
    name.pop_back();
  return trace::validUtf8(name);
}

CodeCollectives collectivesInCode(std::string_view code) {
  CodeCollectives found;
  for (size_t at = 0; (at = code.find(kNamespace, at)) != std::string_view::npos;) {
    at += kNamespace.size();
    const std::string_view call = code.substr(at, code.find('(', at) - at);
    // What names an op without calling it: an import, a comment.
    if (call.size() > 80 || call.find_first_of(" \n#") != std::string_view::npos)
      continue;
    const std::string name = collectiveName(std::string(kNamespace) + std::string(call));
    if (name == "wait_tensor")
      ++found.waits;
    else if (found.names.size() < kMostSteps)
      found.names.push_back(name);
  }
  return found;
}

} // namespace mica::report
