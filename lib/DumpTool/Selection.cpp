//===- Selection.cpp - the tensors that flags select -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/Selection.h"

#include "lib/DumpTool/Slice.h"
#include "mica/Support/Text.h"

#include <cstdio>
#include <set>

namespace mica::dumptool {

bool isSelected(const dump::Dump &dump, size_t index, const Selection &selection) {
  const dump::Tensor &tensor = dump.tensors()[index];
  const dump::Site &site = dump.siteOf(tensor);
  const dump::Launch &launch = dump.launchOf(tensor);
  const dump::Binding &binding = dump.bindingOf(tensor);
  auto is = [](const std::optional<int64_t> &wanted, int64_t value) { return !wanted || *wanted == value; };
  if (!is(selection.tensor, int64_t(index)) || !is(selection.launch, launch.number) ||
      !is(selection.iteration, launch.iteration) || !is(selection.call, launch.call))
    return false;
  if (selection.nonFinite && tensor.statistics.nan + tensor.statistics.inf == 0)
    return false;
  if (selection.changed && !tensor.isChanged)
    return false;
  if (!selection.stage.empty() && (selection.stage == "after") != tensor.isAfter)
    return false;
  auto anyKind = [&] {
    bool any = matchesNames(selection.kinds, site.kind);
    for (const dump::Op &op : site.ops)
      any = any || matchesNames(selection.kinds, op.kind);
    return any;
  };
  if (!matchesNames(selection.kernels, site.kernel) || !anyKind() ||
      !matchesNames(selection.roles, dump::roleName(binding.role)) ||
      !matchesNames(selection.dtypes, dtypeName(tensor.dtype)) || !matchesNames(selection.names, binding.name))
    return false;
  if (selection.ops.empty())
    return true;
  const dump::Op *op = dump.opOf(tensor);
  return op && matchesNames(selection.ops, op->id);
}

Result<std::vector<size_t>> select(const dump::Dump &dump, const Selection &selection) {
  std::vector<size_t> found;
  for (size_t i = 0; i < dump.tensors().size(); ++i)
    if (isSelected(dump, i, selection))
      found.push_back(i);
  if (!found.empty() || !selection.isSet() || selection.nonFinite || selection.changed)
    return found;
  std::set<std::string> kernels, names;
  for (const dump::Site &site : dump.sites()) {
    kernels.insert(site.kernel);
    for (const dump::Binding &binding : site.bindings)
      names.insert(binding.name);
  }
  return Error{ErrorCode::NotFound,
               "the dump has no such tensor among its " + groupDigits(int64_t(dump.tensors().size())),
               "kernels: " + joinNames({kernels.begin(), kernels.end()}) +
                   "; names: " + joinNames({names.begin(), names.end()})};
}

std::string tensorName(const dump::Dump &dump, const dump::Tensor &tensor) {
  const dump::Binding &binding = dump.bindingOf(tensor);
  if (tensor.from.starts_with("constant"))
    return "constant " + std::to_string(tensor.binding);
  // The source has no name for what a reshape makes; the launch that wrote it may know one.
  const bool isNamed = !binding.name.empty() && !binding.name.starts_with("buffer ");
  const int64_t source = tensor.fromLaunch < 0 ? -1 : dump.written(tensor.fromLaunch, tensor.fromBinding);
  if (!isNamed && source >= 0)
    return tensorName(dump, dump.tensors()[size_t(source)]);
  return binding.name.empty() ? "buffer " + std::to_string(tensor.binding) : binding.name;
}

std::string tensorText(const dump::Dump &dump, const dump::Tensor &tensor) {
  return tensorName(dump, tensor) + " (" + shapedTypeString(tensor.shape, tensor.dtype) + ")";
}

std::string sourceText(const dump::Tensor &tensor) {
  // Of the hash in a constant's name the first digits tell it from others.
  constexpr size_t kShown = sizeof("constant mica_") - 1 + 8;
  return tensor.fromLaunch >= 0 ? "launch " + std::to_string(tensor.fromLaunch) : tensor.from.substr(0, kShown);
}

std::string opText(const dump::Op &op) {
  return op.kind + " [" + op.id + "]" + (op.source.empty() ? "" : " at " + op.source);
}

std::string launchText(const dump::Dump &dump, size_t index) {
  const dump::Launch &launch = dump.launches()[index];
  return "kernel " + dump.sites()[launch.site].kernel + ", launch " + std::to_string(launch.number) +
         (launch.iteration > 0 ? ", iteration " + std::to_string(launch.iteration) : "");
}

std::string numberText(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string memberName(const dump::Dump &dump, size_t index) {
  std::string name = std::to_string(index) + "_";
  for (char c : tensorName(dump, dump.tensors()[index]))
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += c;
    else if (c == ' ' || c == '_' || c == '.')
      name += '_';
  return name;
}

Result<HostTensor> readPart(const dump::Dump &dump, const dump::Tensor &tensor,
                            const std::optional<std::string> &slice) {
  MICA_ASSIGN_OR_RETURN(HostTensor whole, dump.read(tensor));
  if (!slice || slice->empty())
    return whole;
  return sliceOf(whole, *slice);
}

} // namespace mica::dumptool
