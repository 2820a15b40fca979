//===- Outputs.cpp - the results of a run -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Outputs.h"

#include "lib/RunTool/Inputs.h"
#include "mica/Compare/Npy.h"
#include "mica/Compare/Print.h"
#include "mica/Compare/TensorArchive.h"

#include <cstdio>
#include <map>
#include <set>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// The argument whose new value result `index` is, as text; nothing for most results.
std::string describeUpdate(const artifact::EntryRecord &entry, size_t index) {
  int64_t argument = entry.results[index].updates;
  if (argument < 0)
    return "";
  const std::string &name = entry.args[size_t(argument)].name;
  return " (argument " + std::to_string(argument) + (name.empty() ? "" : ", " + name) +
         ", which the program stores to)";
}

/// Per archive, the position and name of each result that is written to it, in order.
using ArchivePlan = std::map<fs::path, std::vector<std::pair<size_t, std::string>>>;

ArchivePlan planArchives(const Options &options, const artifact::EntryRecord &entry) {
  ArchivePlan plan;
  for (size_t i = 0; i < options.outputs.size(); ++i)
    if (archiveForm(options.outputs[i].file))
      plan[options.outputs[i].file].push_back(
          {i, options.outputs[i].tensor.empty() ? resultName(entry, i) : options.outputs[i].tensor});
  if (!options.outputArchive.empty())
    for (size_t i = 0; i < entry.results.size(); ++i)
      plan[options.outputArchive].push_back({i, resultName(entry, i)});
  return plan;
}

} // namespace

std::string resultName(const artifact::EntryRecord &entry, size_t i) {
  return entry.results[i].name.empty() ? "result" + std::to_string(i) : entry.results[i].name;
}

Status checkOutputs(const Options &options, const artifact::EntryRecord &entry) {
  if (options.outputs.size() > entry.results.size())
    return Error{ErrorCode::InvalidInput,
                 std::to_string(options.outputs.size()) + " --output for " + std::to_string(entry.results.size()) +
                     " results: " + signature(entry),
                 "--output is given once per result, in order"};
  for (const auto &[file, members] : planArchives(options, entry)) {
    std::set<std::string_view> names;
    for (const auto &[position, name] : members)
      if (!names.insert(name).second)
        return Error{ErrorCode::InvalidInput, file.string() + ": two results have the name '" + name + "'",
                     "name them with --output=@" + file.string() + ":NAME"};
  }
  return {};
}

Status writeOutputs(const Options &options, const artifact::EntryRecord &entry, std::span<const HostTensor> results) {
  for (size_t i = 0; i < options.outputs.size(); ++i)
    if (!archiveForm(options.outputs[i].file))
      MICA_RETURN_IF_ERROR(writeNpy(options.outputs[i].file, results[i]));
  for (const auto &[file, members] : planArchives(options, entry)) {
    std::vector<NamedTensor> tensors;
    for (const auto &[position, name] : members)
      tensors.push_back({name, &results[position]});
    MICA_RETURN_IF_ERROR(writeTensorArchive(file, tensors));
  }
  if (!options.outputArchive.empty())
    return {};
  for (size_t i = options.outputs.size(); i < results.size(); ++i)
    std::printf("result %zu%s: %s\n%s\n", i, describeUpdate(entry, i).c_str(), results[i].typeString().c_str(),
                formatTensor(results[i]).c_str());
  return {};
}

} // namespace mica::runtool
