//===- DumpPlan.cpp - what the switches dump-* select ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/DumpPlan.h"

#include "mica/Support/Checked.h"
#include "mica/Support/Text.h"

#include <algorithm>

namespace mica::runtime {
namespace {

/// The patterns of a switch, as matchesNames() takes them.
struct Patterns {
  Patterns(const Switches &switches, Switch which) : text(switches.text(which)) {
    std::replace(text.begin(), text.end(), '+', ',');
  }
  bool isSet() const { return !text.empty(); }
  bool takes(std::string_view name) const { return matchesNames(text, name); }
  bool takesAny(const std::vector<std::string> &names) const {
    return std::any_of(names.begin(), names.end(), [&](const std::string &name) { return takes(name); });
  }
  std::string text;
};

std::string_view roleOf(artifact::Access access) {
  return access == artifact::Access::Read ? "input" : access == artifact::Access::Write ? "output" : "inout";
}

} // namespace

Result<std::optional<DumpPlan>> DumpPlan::from(const Switches &switches, const Program &program) {
  const std::string &level = switches.text(Switch::DumpTensors);
  if (level == "0")
    return std::optional<DumpPlan>();
  DumpPlan plan;
  plan.manifest = &program.manifest();
  plan.askedLevel = level[0] - '0';
  if (switches.isSet(Switch::DumpMaxBytes))
    plan.limit = switches.bytes(Switch::DumpMaxBytes);
  const Patterns kernels(switches, Switch::DumpKernel), kinds(switches, Switch::DumpKind),
      ops(switches, Switch::DumpOp), names(switches, Switch::DumpName), roles(switches, Switch::DumpRole);
  for (const std::string &role : splitText(roles.text, ','))
    if (!role.empty() && role != "input" && role != "output" && role != "inout")
      return Error{ErrorCode::InvalidInput, "dump-role=" + role + ": unknown value",
                   unknownNameHint(role, {"input", "output", "inout"})};
  const bool selects = kernels.isSet() || kinds.isSet() || ops.isSet() || names.isSet() || roles.isSet();
  if (plan.askedLevel == 1 && !selects)
    return Error{ErrorCode::InvalidInput, "dump-tensors=1 dumps the tensors that are selected, and none is",
                 "select by dump-op, dump-kernel, dump-kind, dump-name or dump-role, or dump all with dump-tensors=2"};
  const artifact::Manifest &manifest = program.manifest();
  auto add = [&](const artifact::KernelRecord &kernel, int64_t site) {
    const std::vector<std::string> &ids = site < 0 ? kernel.opIds : manifest.sites[size_t(site)].opIds;
    const bool takesPlace = kernels.takes(kernel.name) &&
                            (kinds.takes(kernel.rootKind) || kinds.takesAny(kernel.opKinds)) &&
                            (!ops.isSet() || ops.takesAny(ids));
    std::vector<DumpDetail> &details = plan.details.emplace_back();
    bool isLogged = plan.askedLevel > 1;
    for (size_t i = 0; i < kernel.bindings.size(); ++i) {
      const bool isSelected = takesPlace && (!names.isSet() || names.takes(program.tensorName(kernel, site, i))) &&
                              (!roles.isSet() || roles.takes(roleOf(kernel.bindings[i].access)));
      const DumpDetail rest = plan.askedLevel == 1   ? DumpDetail::Nothing
                              : plan.askedLevel == 2 ? DumpDetail::Elements
                                                     : DumpDetail::Statistics;
      details.push_back(isSelected && selects ? DumpDetail::Elements : rest);
      isLogged |= details.back() != DumpDetail::Nothing;
    }
    plan.logged.push_back(isLogged);
  };
  for (size_t i = 0; i < manifest.sites.size(); ++i)
    if (const int64_t kernel = program.findKernel(manifest.sites[i].kernel); kernel >= 0)
      add(manifest.kernels[size_t(kernel)], int64_t(i));
    else {
      plan.details.emplace_back();
      plan.logged.push_back(false);
    }
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    add(kernel, -1);
  return std::optional<DumpPlan>(std::move(plan));
}

size_t DumpPlan::placeOf(int64_t site, const artifact::KernelRecord &kernel) const {
  const bool known = site >= 0 && size_t(site) < manifest->sites.size();
  return known ? size_t(site) : manifest->sites.size() + size_t(&kernel - manifest->kernels.data());
}

DumpPlan::Estimate DumpPlan::estimate(const Program &program) const {
  Estimate sum;
  for (const artifact::TaskList &list : program.taskLists())
    for (const artifact::TaskRecord &task : list.tasks) {
      const int64_t kernel = program.findKernel(task.kernel);
      if (kernel < 0)
        continue;
      const artifact::KernelRecord &record = manifest->kernels[size_t(kernel)];
      const size_t place = placeOf(task.site, record);
      sum.isLeast |= place < manifest->sites.size() && !manifest->sites[place].loop.empty();
      for (size_t i = 0; i < record.bindings.size(); ++i) {
        if (details[place][i] == DumpDetail::Nothing)
          continue;
        int64_t bytes = dtypeBytes(record.bindings[i].type.dtype);
        for (int64_t size : record.bindings[i].type.shape) {
          sum.isLeast |= size < 0;
          bytes = saturatingMul(bytes, std::max<int64_t>(size, 1));
        }
        // What is read was mostly written, and is not written again.
        const bool isWritten = record.bindings[i].access != artifact::Access::Read;
        sum.tensors += 1;
        if (details[place][i] == DumpDetail::Elements && bytes <= limit &&
            (isWritten || list.buffers[size_t(task.buffers[i])].kind != artifact::BufferKind::Arena))
          sum.bytes = saturatingAdd(sum.bytes, bytes);
      }
    }
  return sum;
}

} // namespace mica::runtime
