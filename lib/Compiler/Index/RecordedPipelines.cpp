//===- RecordedPipelines.cpp - the recorded pipelines -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordedPipelines.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Index/RecordedPipelines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// Position of the first pass in `node`, 0 if it has none.
static int firstPosition(const PipelineNode &node) {
  if (!node.isNest)
    return node.position;
  for (const PipelineNode &child : node.children)
    if (int position = firstPosition(child))
      return position;
  return 0;
}

void RecordedPipelines::add(PassManager &manager, llvm::ArrayRef<PhaseSpan> phases) {
  managers.push_back(&manager);
  spans.emplace_back(phases.begin(), phases.end());
  read();
}

void RecordedPipelines::describe(const PipelineNode &node, const std::string &path) {
  for (const PipelineNode &child : node.children) {
    if (child.isNest) {
      describe(child, path + "(" + child.name);
      continue;
    }
    RecordedPass &info = infos[child.position - 1];
    info.position = child.position;
    info.name = child.name;
    info.options = child.options;
    info.anchor = path + std::string(llvm::count(path, '('), ')');
  }
}

void RecordedPipelines::findEnds(const PipelineNode &node) {
  std::map<std::string, int> last;
  for (const PipelineNode &child : node.children) {
    if (child.isNest)
      findEnds(child);
    else
      last[pass(child.position).phase] = child.position;
  }
  for (auto &[phase, position] : last)
    ends[position - 1] = 1;
}

bool RecordedPipelines::read() {
  std::vector<std::string> now;
  for (PassManager *manager : managers) {
    llvm::raw_string_ostream os(now.emplace_back());
    manager->printAsTextualPipeline(os);
  }
  if (now == printed)
    return false;
  printed = std::move(now);
  trees.clear();
  int next = 1;
  for (const std::string &text : printed) {
    std::optional<PipelineNode> root = parsePipelineText(text, next);
    trees.push_back(root ? std::move(*root) : PipelineNode());
    next += trees.back().countPasses();
  }
  infos.assign(next - 1, RecordedPass());
  ends.assign(next - 1, 0);
  texts.clear();
  for (auto [root, phases] : llvm::zip_equal(trees, spans)) {
    describe(root, root.name);
    int position = firstPosition(root);
    for (auto &[phase, count] : phases)
      for (int n = 0; n < count && position > 0 && position < next; ++n, ++position)
        infos[position - 1].phase = phase;
    findEnds(root);
  }
  return true;
}

int RecordedPipelines::wholeState(int position, DumpMode mode) const {
  if (keepsEverySnapshot(mode))
    return position;
  int count = static_cast<int>(infos.size());
  while (position > 0 && position < count && pass(position).phase == pass(position + 1).phase)
    --position;
  return position;
}

const std::string &RecordedPipelines::between(int from, int last) {
  std::string &text = texts[{from, last}];
  if (text.empty())
    text = pipelineRange(trees, from, last);
  return text;
}
