//===- ShapeClasses.cpp - which calls share kernels --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Specialize/ShapeClasses.h"

#include <algorithm>

namespace mica::runtime {

static std::string argumentName(const artifact::EntryRecord &entry, uint32_t argument) {
  const std::string &name = entry.args[argument].name;
  return name.empty() ? "arg" + std::to_string(argument) : name;
}

std::string describeGuard(const artifact::EntryRecord &entry, const Guard &guard) {
  const artifact::TensorSpec &spec = entry.args[guard.argument];
  std::string text = "argument " + std::to_string(guard.argument) +
                     (spec.name.empty() ? "" : " ('" + spec.name + "')") + ", dimension " +
                     std::to_string(guard.dimension) + " == " + std::to_string(guard.size);
  if (spec.position)
    text += " (" + spec.position->file + ":" + std::to_string(spec.position->line) + ":" +
            std::to_string(spec.position->column) + ")";
  return text;
}

std::string guardCode(const artifact::EntryRecord &entry, const Guard &guard) {
  return argumentName(entry, guard.argument) + ".shape[" + std::to_string(guard.dimension) +
         "] == " + std::to_string(guard.size);
}

std::string specializationText(const artifact::EntryRecord &entry, std::span<const Guard> guards) {
  std::string text = entry.name + ":";
  for (const Guard &guard : guards)
    text += (text.back() == ':' ? "" : ",") + std::to_string(guard.argument) + "." + std::to_string(guard.dimension) +
            "=" + std::to_string(guard.size);
  return text;
}

SpecializePolicy SpecializePolicy::from(const Switches &switches) {
  const std::string &mode = switches.text(Switch::Specialize);
  return {mode == "exact"  ? Mode::Exact
          : mode == "auto" ? Mode::Auto
                           : Mode::Off,
          switches.count(Switch::SpecializeAfter), switches.count(Switch::SpecializeLimit),
          switches.flag(Switch::SpecializeWait)};
}

ShapeClasses::ShapeClasses(const artifact::EntryRecord &entry, const SpecializePolicy &policy)
    : entry(entry), policy(policy) {
  for (uint32_t a = 0; a < entry.args.size(); ++a)
    for (uint32_t d = 0; d < entry.args[a].shape.size(); ++d)
      if (entry.args[a].shape[d] < 0)
        dimensions.push_back({a, d});
  sizes.resize(dimensions.size());
  isOpen = policy.mode != SpecializePolicy::Mode::Off && !dimensions.empty();
}

bool ShapeClasses::readSizes(std::span<const TensorView> inputs) {
  if (inputs.size() != entry.args.size())
    return false;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const Dimension &d = dimensions[i];
    if (inputs[d.argument].shape.size() != entry.args[d.argument].shape.size())
      return false;
    sizes[i] = inputs[d.argument].shape[d.dimension];
    // Of nothing there is nothing to make faster.
    if (sizes[i] <= 0)
      return false;
  }
  return true;
}

bool ShapeClasses::varies(size_t dimension) const {
  const Dimension &d = dimensions[dimension];
  return policy.mode == SpecializePolicy::Mode::Auto &&
         std::any_of(requested.begin(), requested.end(), [&](const std::vector<Guard> &guards) {
           return std::none_of(guards.begin(), guards.end(), [&](const Guard &guard) {
             return guard.argument == d.argument && guard.dimension == d.dimension && guard.size == sizes[dimension];
           });
         });
}

ShapeClasses::Decision ShapeClasses::note(std::span<const TensorView> inputs) {
  Decision decision;
  if (!isOpen || !readSizes(inputs))
    return decision;
  for (const std::vector<Guard> &before : requested)
    if (hold(before, inputs))
      return decision; // on its way, or it failed
  std::vector<Guard> guards;
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (varies(i))
      sizes[i] = -1;
    else
      guards.push_back({dimensions[i].argument, dimensions[i].dimension, sizes[i]});
  if (guards.empty()) {
    decision.kind = Decision::Kind::AllVary;
    isOpen = false;
  } else if (policy.after > 1) {
    auto seen = uses.find(sizes);
    if (seen == uses.end() && uses.size() >= kMostSeen)
      return decision;
    if (++uses[sizes] < policy.after)
      return decision;
  }
  for (const std::vector<Guard> &before : requested) {
    auto failed = std::find_if(before.begin(), before.end(), [&](const Guard &guard) { return !guard.holds(inputs); });
    decision.failed.push_back(describeGuard(entry, *failed) + " failed: it is " +
                              std::to_string(inputs[failed->argument].shape[failed->dimension]));
  }
  if (guards.empty())
    return decision;
  if (int64_t(requested.size()) >= policy.limit) {
    decision.kind = Decision::Kind::Limit;
    isOpen = false;
    return decision;
  }
  decision.kind = Decision::Kind::Compile;
  requested.push_back(guards);
  decision.guards = std::move(guards);
  return decision;
}

} // namespace mica::runtime
