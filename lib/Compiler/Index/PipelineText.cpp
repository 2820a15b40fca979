//===- PipelineText.cpp - positions of passes in a pipeline -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PipelineText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Index/PipelineText.h"

#include "llvm/ADT/STLExtras.h"

using namespace mica::compiler;

std::string PipelineNode::text() const {
  if (!isNest)
    return name + options;
  std::string inner;
  for (const PipelineNode &child : children) {
    if (!inner.empty())
      inner += ",";
    inner += child.text();
  }
  return name + "(" + inner + ")";
}

int PipelineNode::countPasses() const {
  if (!isNest)
    return 1;
  int count = 0;
  for (const PipelineNode &child : children)
    count += child.countPasses();
  return count;
}

namespace {
class Reader {
public:
  Reader(llvm::StringRef text, int position) : rest(text), position(position) {}

  bool readNode(PipelineNode &node) {
    rest = rest.ltrim();
    node.name = rest.take_until([](char c) { return c == '(' || c == '{' || c == ',' || c == ')'; }).rtrim().str();
    rest = rest.drop_until([](char c) { return c == '(' || c == '{' || c == ',' || c == ')'; });
    if (node.name.empty())
      return false;
    if (rest.consume_front("(")) {
      node.isNest = true;
      return readList(node.children);
    }
    if (rest.starts_with("{")) {
      size_t length = lengthOfBraces();
      if (length == 0)
        return false;
      node.options = rest.take_front(length).str();
      rest = rest.drop_front(length);
    }
    node.position = position++;
    return true;
  }

  bool atEnd() { return rest.trim().empty(); }

private:
  /// Reads up to and including the closing parenthesis.
  bool readList(std::vector<PipelineNode> &nodes) {
    rest = rest.ltrim();
    if (rest.consume_front(")"))
      return true;
    while (true) {
      nodes.emplace_back();
      if (!readNode(nodes.back()))
        return false;
      rest = rest.ltrim();
      if (rest.consume_front(","))
        continue;
      return rest.consume_front(")");
    }
  }

  /// Length of the options at the start of `rest`, including braces; 0 if there is no closing brace. Braces in quotes
  /// are ignored.
  size_t lengthOfBraces() const {
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; i < rest.size(); ++i) {
      char c = rest[i];
      if (quote) {
        if (c == '\\')
          ++i;
        else if (c == quote)
          quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '{') {
        ++depth;
      } else if (c == '}' && --depth == 0) {
        return i + 1;
      }
    }
    return 0;
  }

  llvm::StringRef rest;
  int position;
};
} // namespace

std::optional<PipelineNode> mica::compiler::parsePipelineText(llvm::StringRef text, int firstPosition) {
  Reader reader(text, firstPosition);
  PipelineNode root;
  if (!reader.readNode(root) || !root.isNest || !reader.atEnd())
    return std::nullopt;
  return root;
}

/// Copies of the nodes of `nodes` that contain a pass for which `keep` is true, restricted to those passes.
static std::vector<PipelineNode> filter(const std::vector<PipelineNode> &nodes, llvm::function_ref<bool(int)> keep) {
  std::vector<PipelineNode> result;
  for (const PipelineNode &node : nodes) {
    if (!node.isNest) {
      if (keep(node.position))
        result.push_back(node);
      continue;
    }
    std::vector<PipelineNode> children = filter(node.children, keep);
    if (children.empty())
      continue;
    PipelineNode cut = node;
    cut.children = std::move(children);
    result.push_back(std::move(cut));
  }
  return result;
}

static std::string filteredText(const std::vector<PipelineNode> &roots, llvm::function_ref<bool(int)> keep) {
  PipelineNode all;
  all.isNest = true;
  all.name = roots.empty() ? "builtin.module" : roots.front().name;
  for (const PipelineNode &root : roots)
    for (PipelineNode &node : filter(root.children, keep))
      all.children.push_back(std::move(node));
  return all.text();
}

std::string mica::compiler::pipelineRange(const std::vector<PipelineNode> &roots, int after, int last) {
  return filteredText(roots, [&](int position) { return position > after && position <= last; });
}
