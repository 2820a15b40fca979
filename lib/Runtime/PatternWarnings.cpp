//===- PatternWarnings.cpp - patterns of switches that match nothing -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A check or a log that looks at nothing looks like one that finds nothing.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/PatternWarnings.h"

#include "mica/Support/Text.h"

#include <algorithm>
#include <set>

namespace mica::runtime {
namespace {

/// What patterns can match.
struct Names {
  explicit Names(const artifact::Manifest &program) {
    for (const artifact::KernelRecord &kernel : program.kernels) {
      kernels.insert(kernel.name);
      kinds.insert(kernel.rootKind);
      kinds.insert(kernel.opKinds.begin(), kernel.opKinds.end());
      ids.insert(kernel.opIds.begin(), kernel.opIds.end());
    }
    for (const artifact::SiteRecord &site : program.sites)
      ids.insert(site.opIds.begin(), site.opIds.end());
  }
  std::set<std::string> kernels, kinds, ids;
};

/// Of each of the comma-separated `patterns` that matches none of `lists`.
void addUnmatched(std::string_view name, const std::string &patterns, const std::string &what,
                  const std::vector<const std::set<std::string> *> &lists, std::vector<std::string> &into) {
  std::vector<std::string> candidates;
  for (const std::set<std::string> *list : lists)
    candidates.insert(candidates.end(), list->begin(), list->end());
  for (const std::string &pattern : splitText(patterns, ',')) {
    if (pattern.empty() || std::any_of(candidates.begin(), candidates.end(),
                                       [&](const std::string &candidate) { return matchesNames(pattern, candidate); }))
      continue;
    const std::string nearest = nearestName(pattern, candidates);
    into.push_back(std::string(name) + "=" + pattern + " matches no " + what + " of the program" +
                   (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }
}

} // namespace

std::vector<std::string> unmatchedPatterns(const artifact::Manifest &program, const Switches &switches,
                                           const std::vector<std::string> &devices) {
  std::vector<std::string> texts;
  const Names names(program);
  auto add = [&](Switch which, const std::string &what, const std::vector<const std::set<std::string> *> &lists) {
    if (switches.source(which) == SwitchSource::File)
      return;
    std::string patterns = switches.text(which);
    std::replace(patterns.begin(), patterns.end(), '+', ',');
    // A program without kernels has nothing to match, whatever the pattern.
    if (!program.kernels.empty() || patterns != "*")
      addUnmatched(switchTable()[size_t(which)].name, patterns, what, lists, texts);
  };
  // Host functions have operations that no kernel has.
  std::set<std::string> hostKinds, hostIds;
  for (const artifact::OpRecord &op : program.ops) {
    hostKinds.insert(op.kind);
    hostIds.insert(op.id);
  }
  const std::set<std::string> deviceNames(devices.begin(), devices.end());
  add(Switch::DumpKernel, "kernel", {&names.kernels});
  add(Switch::DumpKind, "kind", {&names.kinds});
  add(Switch::DumpOp, "id", {&names.ids});
  add(Switch::NanCheck, "kernel, kind or id", {&names.kernels, &names.kinds, &names.ids, &hostKinds, &hostIds});
  add(Switch::OpLogKernel, "kernel", {&names.kernels});
  add(Switch::OpLogKind, "kind", {&names.kinds});
  add(Switch::OpLogOp, "id", {&names.ids});
  add(Switch::OpLogTarget, "device", {&deviceNames});
  return texts;
}

} // namespace mica::runtime
