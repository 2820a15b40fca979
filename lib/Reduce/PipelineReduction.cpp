//===- PipelineReduction.cpp - a pipeline cut down while a test of it holds ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PipelineReduction.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Reduce/PipelineReduction.h"

#include "mica/Compiler/Index/PipelineText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <bit>
#include <deque>
#include <set>

using namespace mica;
using namespace mica::reduce;
using compiler::PipelineNode;

/// Calls `visit` with every pass of `node`.
static void forEachPass(PipelineNode &node, llvm::function_ref<void(PipelineNode &)> visit) {
  if (!node.isNest)
    visit(node);
  for (PipelineNode &child : node.children)
    forEachPass(child, visit);
}

/// Removes the passes for which `goes` is true, and nests that are empty then.
static void dropPasses(PipelineNode &node, llvm::function_ref<bool(const PipelineNode &)> goes) {
  for (PipelineNode &child : node.children)
    dropPasses(child, goes);
  llvm::erase_if(node.children,
                 [&](const PipelineNode &child) { return child.isNest ? child.children.empty() : goes(child); });
}

/// The options in "{a=1 b={2 3}}".
static std::vector<std::string> splitOptions(llvm::StringRef text) {
  std::vector<std::string> options;
  text = text.trim();
  text.consume_front("{");
  text.consume_back("}");
  std::string option;
  int depth = 0;
  char quote = 0;
  for (char c : text) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '{' || c == '}')
      depth += c == '{' ? 1 : -1;
    if (llvm::isSpace(c) && depth == 0 && !quote) {
      if (!option.empty())
        options.push_back(std::exchange(option, ""));
    } else {
      option += c;
    }
  }
  if (!option.empty())
    options.push_back(option);
  return options;
}

/// Forms of `pipeline` without some of its passes: halves of them, quarters and so on, then single ones.
static void addWithoutPasses(const PipelineNode &pipeline, std::vector<std::string> &forms) {
  const int count = pipeline.countPasses();
  for (int chunk = count ? static_cast<int>(std::bit_floor(static_cast<unsigned>(count))) : 0; chunk > 0; chunk /= 2)
    for (int end = count; end > 0; end -= chunk) {
      PipelineNode form = pipeline;
      dropPasses(form, [&](const PipelineNode &pass) { return pass.position > end - chunk && pass.position <= end; });
      forms.push_back(form.text());
    }
}

/// Forms where one pass has no options, and then those where it has one less.
static void addWithoutOptions(const PipelineNode &pipeline, std::vector<std::string> &forms) {
  auto add = [&](int position, const std::string &options) {
    PipelineNode form = pipeline;
    forEachPass(form, [&](PipelineNode &pass) {
      if (pass.position == position)
        pass.options = options;
    });
    forms.push_back(form.text());
  };
  PipelineNode copy = pipeline;
  forEachPass(copy, [&](PipelineNode &pass) {
    const std::vector<std::string> options = splitOptions(pass.options);
    if (pass.options.empty())
      return;
    add(pass.position, "");
    for (size_t without = 0; options.size() > 1 && without < options.size(); ++without) {
      std::vector<std::string> rest = options;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(without));
      add(pass.position, "{" + llvm::join(rest, " ") + "}");
    }
  });
}

std::string reduce::reducePipeline(std::string pipeline, const StartPipelineTest &start,
                                   const PipelineReductionOptions &options) {
  std::set<std::string> known{pipeline};
  while (std::optional<PipelineNode> node = compiler::parsePipelineText(pipeline)) {
    std::vector<std::string> forms;
    if (options.dropsPasses)
      addWithoutPasses(*node, forms);
    addWithoutOptions(*node, forms);
    llvm::erase_if(forms, [&](const std::string &form) { return known.count(form) != 0; });
    // The first in this order for which the test holds, whatever the number of tests at once.
    std::deque<std::pair<std::string, std::unique_ptr<irtools::RunningTest>>> running;
    std::optional<std::string> found;
    for (size_t next = 0; !found;) {
      for (; running.size() < options.jobs && next < forms.size() && options.mayGoOn(); ++next)
        running.emplace_back(forms[next], start(forms[next]));
      if (running.empty())
        break;
      auto [form, test] = std::move(running.front());
      running.pop_front();
      known.insert(form);
      if (test && test->holds())
        found = form;
    }
    if (!found)
      break;
    pipeline = *found;
    options.found(pipeline);
  }
  return pipeline;
}

int reduce::countPasses(const std::string &pipeline) {
  std::optional<PipelineNode> node = compiler::parsePipelineText(pipeline);
  return node ? node->countPasses() : 0;
}
