//===- PipelineWalk.cpp - positions of running passes -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PipelineWalk.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Index/PipelineWalk.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

bool compiler::isAdaptor(Pass *pass) { return pass->getName().contains("OpToOpPassAdaptor"); }

PipelineWalk::Frame *PipelineWalk::current() {
  std::vector<Frame> &own = frames[llvm::get_threadid()];
  return own.empty() || !own.back().nodes ? nullptr : &own.back();
}

void PipelineWalk::start(const PipelineNode &root) {
  frames.clear();
  groups.clear();
  frames[llvm::get_threadid()].push_back({&root.children, 0});
}

void PipelineWalk::enterPipeline(std::optional<OperationName> name, const Pass *parent) {
  Frame frame;
  if (auto group = groups.find(parent); group != groups.end())
    for (const PipelineNode *node : group->second)
      if (!name || node->name == name->getStringRef() || node->name == OpPassManager::getAnyOpAnchorName()) {
        frame.nodes = &node->children;
        if (name && node->name == name->getStringRef())
          break;
      }
  frames[llvm::get_threadid()].push_back(frame);
}

void PipelineWalk::leavePipeline() {
  std::vector<Frame> &own = frames[llvm::get_threadid()];
  if (!own.empty())
    own.pop_back();
}

const PipelineNode *PipelineWalk::next() {
  Frame *frame = current();
  if (!frame || frame->cursor == frame->nodes->size())
    return nullptr;
  const PipelineNode *node = &(*frame->nodes)[frame->cursor++];
  return node->isNest ? nullptr : node;
}

void PipelineWalk::enterAdaptor(Pass *pass) {
  Frame *frame = current();
  if (!frame)
    return;
  std::vector<const PipelineNode *> &group = groups[pass];
  group.clear();
  std::string text;
  llvm::raw_string_ostream os(text);
  pass->printAsTextualPipeline(os);
  std::optional<PipelineNode> printed = parsePipelineText("group(" + text + ")");
  size_t count = printed ? printed->children.size() : 1;
  for (; count && frame->cursor < frame->nodes->size() && (*frame->nodes)[frame->cursor].isNest; --count)
    group.push_back(&(*frame->nodes)[frame->cursor++]);
}

void PipelineWalk::leaveAdaptor(Pass *pass) { groups.erase(pass); }
