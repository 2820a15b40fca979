//===- Stacks.cpp - stacks of a log as a tree ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See Stacks.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/Stacks.h"

namespace mica::report {
namespace {

/// Frames that stand at the end of every stack: the compiler's hook, not the user's call.
bool isHook(const Frame &frame) { return frame.file.ends_with("torch/_dynamo/convert_frame.py"); }

} // namespace

int Stacks::add(std::string_view stack, const trace::StringTable &strings, std::string &problem) {
  std::vector<Frame> list;
  for (const std::string_view element : trace::jsonElements(stack)) {
    Frame frame;
    std::vector<trace::JsonMember> members;
    if (element.empty() || element.front() != '{' || !trace::scanJson(element, &members).ok) {
      problem = "a frame should be an object with line, name and filename";
      continue;
    }
    for (const trace::JsonMember &member : members) {
      if (member.key == "line")
        frame.line = trace::jsonInteger(member.value).value_or(0);
      else if (member.key == "name")
        frame.function = trace::jsonString(member.value).value_or("");
      else if (member.key == "loc")
        frame.source = trace::jsonString(member.value).value_or("");
      else if (member.key == "filename") {
        const std::optional<int64_t> id = trace::jsonInteger(member.value);
        const std::string *file = id ? strings.find(*id) : nullptr;
        if (file)
          frame.file = *file;
        else if (const std::optional<std::string> text = trace::jsonString(member.value))
          frame.file = *text; // logs before interning
        else if (!id || *id != -1)
          problem = "a frame names the file by string " + std::string(member.value.substr(0, 20)) +
                    ", which no record defined";
      }
    }
    if (frame.file.empty())
      frame.file = "(unknown)";
    list.push_back(std::move(frame));
  }
  while (!list.empty() && isHook(list.back()))
    list.pop_back();
  int node = -1;
  for (Frame &frame : list) {
    const int number = addFrame(std::move(frame));
    const auto [found, isNew] = nodeNumbers.emplace(std::pair(node, number), static_cast<int>(allNodes.size()));
    if (isNew)
      allNodes.push_back({node, number});
    node = found->second;
  }
  return node;
}

int Stacks::addFrame(Frame frame) {
  const auto [found, isNew] =
      frameNumbers.emplace(std::tuple(frame.file, frame.function, frame.line), static_cast<int>(allFrames.size()));
  if (isNew)
    allFrames.push_back(std::move(frame));
  return found->second;
}

std::string nameFiles(std::string_view json, const trace::StringTable &strings) {
  // The key cannot be part of a string, in which its second quote would be escaped.
  constexpr std::string_view kKey = "\"filename\":";
  std::string named;
  for (size_t at = json.find(kKey); at != std::string_view::npos; at = json.find(kKey)) {
    size_t begin = at + kKey.size();
    while (begin < json.size() && json[begin] == ' ')
      ++begin;
    size_t end = begin;
    while (end < json.size() && json[end] >= '0' && json[end] <= '9')
      ++end;
    const std::optional<int64_t> id = trace::jsonInteger(json.substr(begin, end - begin));
    const std::string *file = id ? strings.find(*id) : nullptr;
    named += json.substr(0, file ? begin : end);
    if (file)
      named += trace::quoteJson(*file);
    json.remove_prefix(end);
  }
  return named.append(json);
}

} // namespace mica::report
