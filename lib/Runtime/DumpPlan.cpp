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
#include <map>
#include <set>
#include <string_view>

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
  if (switches.isSet(Switch::DumpMinBytes))
    plan.least = switches.bytes(Switch::DumpMinBytes);
  const Patterns kernels(switches, Switch::DumpKernel), kinds(switches, Switch::DumpKind),
      ops(switches, Switch::DumpOp), names(switches, Switch::DumpName), roles(switches, Switch::DumpRole);
  for (const std::string &role : splitText(roles.text, ','))
    if (!role.empty() && role != "input" && role != "output" && role != "inout" && role != "inside")
      return Error{ErrorCode::InvalidInput, "dump-role=" + role + ": unknown value",
                   unknownNameHint(role, {"input", "output", "inout", "inside"})};
  const bool selects = kernels.isSet() || kinds.isSet() || ops.isSet() || names.isSet() || roles.isSet();
  const artifact::Manifest &manifest = program.manifest();
  std::map<std::string_view, const artifact::OpRecord *> records, tagged;
  for (const artifact::OpRecord &op : manifest.ops) {
    records.emplace(op.id, &op);
    if (op.isTagged)
      tagged.emplace(op.id, &op);
  }
  if (plan.askedLevel == 1 && !selects && tagged.empty())
    return Error{ErrorCode::InvalidInput, "dump-tensors=1 dumps the tensors that are selected, and none is",
                 "select by dump-op, dump-kernel, dump-kind, dump-name or dump-role, by the attribute mica_check.dump "
                 "of an operation, or dump all with dump-tensors=2"};
  const bool exact = switches.flag(Switch::DumpExact);
  if (exact && !manifest.options.count("dump-exact"))
    return Error{ErrorCode::Unsupported, "dump-exact needs a program that was compiled with it",
                 "mica-compile FILE --mica-debug=dump-exact; mica-run compiles such a variant itself"};
  std::set<std::string_view> stored;
  std::map<std::string_view, std::string_view> keeper;
  auto addPlace = [&](const artifact::KernelRecord &kernel, int64_t site) {
    const std::vector<std::string> &ids = site < 0 ? kernel.opIds : manifest.sites[size_t(site)].opIds;
    const bool takesPlace = kernels.takes(kernel.name) &&
                            (kinds.takes(kernel.rootKind) || kinds.takesAny(kernel.opKinds)) &&
                            (!ops.isSet() || ops.takesAny(ids));
    std::vector<DumpDetail> &details = plan.details.emplace_back();
    bool isLogged = plan.askedLevel > 1;
    for (const std::string &id : ids)
      if (tagged.count(id))
        keeper.emplace(id, kernel.name);
    // Whether a tensor is the result of a tagged operation. `op`: in `ids`; -1: of any of them.
    auto isTagged = [&](int64_t op) {
      bool found = false;
      for (size_t i = 0; i < ids.size(); ++i)
        if ((op < 0 || size_t(op) == i) && tagged.count(ids[i])) {
          stored.insert(ids[i]);
          found = true;
        }
      return found;
    };
    auto add = [&](bool isSelected) {
      const DumpDetail rest = plan.askedLevel == 1   ? DumpDetail::Nothing
                              : plan.askedLevel == 2 ? DumpDetail::Elements
                                                     : DumpDetail::Statistics;
      details.push_back(isSelected ? DumpDetail::Elements : rest);
      isLogged |= details.back() != DumpDetail::Nothing;
    };
    for (size_t i = 0; i < kernel.bindings.size(); ++i) {
      const artifact::BindingRecord &binding = kernel.bindings[i];
      const bool isSelected = selects && takesPlace &&
                              (!names.isSet() || names.takes(program.tensorName(kernel, site, i))) &&
                              (!roles.isSet() || roles.takes(roleOf(binding.access)));
      const bool isKept = binding.access != artifact::Access::Read && isTagged(binding.op);
      add(isSelected || isKept);
    }
    if (exact && kernel.dumpReplay)
      for (const artifact::DumpReplay::Tensor &tensor : kernel.dumpReplay->tensors) {
        const auto record = size_t(tensor.op) < ids.size() ? records.find(ids[size_t(tensor.op)]) : records.end();
        const std::string name = record == records.end() ? "" : record->second->name;
        const bool isSelected =
            selects && takesPlace && (!names.isSet() || names.takes(name)) && (!roles.isSet() || roles.takes("inside"));
        const bool isKept = isTagged(tensor.op);
        add(isSelected || isKept);
      }
    plan.logged.push_back(isLogged);
  };
  for (size_t i = 0; i < manifest.sites.size(); ++i)
    if (const int64_t kernel = program.findKernel(manifest.sites[i].kernel); kernel >= 0)
      addPlace(manifest.kernels[size_t(kernel)], int64_t(i));
    else {
      plan.details.emplace_back();
      plan.logged.push_back(false);
    }
  for (const auto &[id, op] : tagged)
    if (!stored.count(id))
      plan.hiddenOps.push_back({op, keeper.count(id) ? std::string(keeper.at(id)) : ""});
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    addPlace(kernel, -1);
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
      auto bytesOf = [&](const artifact::TensorSpec &type) {
        int64_t bytes = dtypeBytes(type.dtype);
        for (int64_t size : type.shape) {
          sum.isLeast |= size < 0;
          bytes = saturatingMul(bytes, std::max<int64_t>(size, 1));
        }
        return bytes;
      };
      for (size_t i = record.bindings.size(); i < details[place].size(); ++i) {
        const int64_t bytes = bytesOf(record.dumpReplay->tensors[i - record.bindings.size()].type);
        sum.tensors += details[place][i] != DumpDetail::Nothing;
        if (details[place][i] == DumpDetail::Elements && takesBytes(bytes))
          sum.bytes = saturatingAdd(sum.bytes, bytes);
      }
      for (size_t i = 0; i < record.bindings.size(); ++i) {
        if (details[place][i] == DumpDetail::Nothing)
          continue;
        const int64_t bytes = bytesOf(record.bindings[i].type);
        // What is read was mostly written, and is not written again.
        const bool isWritten = record.bindings[i].access != artifact::Access::Read;
        sum.tensors += 1;
        if (details[place][i] == DumpDetail::Elements && takesBytes(bytes) &&
            (isWritten || list.buffers[size_t(task.buffers[i])].kind != artifact::BufferKind::Arena))
          sum.bytes = saturatingAdd(sum.bytes, bytes);
      }
    }
  return sum;
}

} // namespace mica::runtime
