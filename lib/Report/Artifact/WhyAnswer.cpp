//===- WhyAnswer.cpp - the answer to mica-run --why for the page -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The file lies in the folder of a run, where anybody may have edited it: what does not fit is left out.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/WhyAnswer.h"

#include "lib/Report/Artifact/Context.h"
#include "mica/Support/Files.h"
#include "mica/Trace/JsonScan.h"

namespace mica::report {
namespace {

constexpr size_t kMostNodes = 5000, kMostEdges = 50000;

/// A number, or one of the texts that stand for those that JSON has not.
Json numberOf(const Json &object, const char *key) {
  const auto it = object.find(key);
  if (it == object.end() || !(it->is_number() || it->is_string()))
    return nullptr;
  return it->is_string() ? Json(trace::validUtf8(it->get<std::string>())) : *it;
}

Json textOf(const Json &object, const char *key) { return trace::validUtf8(textMember(object, key)); }

bool isList(const Json &object, const char *key, size_t most) {
  const auto it = object.find(key);
  return it != object.end() && it->is_array() && it->size() <= most;
}

} // namespace

Json whyRow(std::string_view text) {
  const Json root = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!root.is_object() || !isList(root, "nodes", kMostNodes) || !isList(root, "edges", kMostEdges) ||
      root["nodes"].empty())
    return nullptr;
  Json nodes = Json::array(), edges = Json::array();
  for (const Json &node : root["nodes"]) {
    if (!node.is_object())
      return nullptr;
    nodes.push_back(row(textOf(node, "kind"), textOf(node, "op"), textOf(node, "source"), textOf(node, "name"),
                        textOf(node, "index"), integerMember(node, "iteration"), numberOf(node, "compiled"),
                        numberOf(node, "reference"), numberOf(node, "bound"), booleanMember(node, "differs"),
                        textOf(node, "kernel"), integerMember(node, "pruned")));
  }
  const auto count = static_cast<int64_t>(nodes.size());
  for (const Json &edge : root["edges"]) {
    if (!edge.is_object())
      return nullptr;
    const int64_t from = integerMember(edge, "from", -1), to = integerMember(edge, "to", -1);
    if (from < 0 || from >= count || to < 0 || to >= count)
      return nullptr;
    edges.push_back(row(from, to, numberOf(edge, "share"), textOf(edge, "kind")));
  }
  const int64_t first = integerMember(root, "first_difference", -1);
  return row(textOf(root, "question"), std::move(nodes), std::move(edges), first < count ? first : int64_t(-1),
             integerMember(root, "pruned"));
}

Json whyOf(const std::filesystem::path &file, std::vector<std::string> &notes) {
  const Result<std::string> text = readFile(file);
  if (!text)
    return nullptr;
  Json made = whyRow(*text);
  if (made.is_null())
    notes.push_back("why.json of a run is no answer of --why, and is not shown");
  return made;
}

} // namespace mica::report
