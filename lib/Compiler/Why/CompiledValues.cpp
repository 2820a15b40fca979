//===- CompiledValues.cpp - what a run of the compiled program computed -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Why/CompiledValues.h"

#include "mica/Artifact/ComplexEntry.h"
#include "mica/Compare/Npy.h"

namespace mica::compiler {

Result<CompiledValues> CompiledValues::open(const std::filesystem::path &folder, const std::vector<DType> &results) {
  CompiledValues values;
  // A complex result is one file, and two results of the program as it is evaluated.
  for (size_t file = 0; values.results.size() < results.size(); ++file) {
    MICA_ASSIGN_OR_RETURN(HostTensor tensor, readNpy(folder / "data" / "out" / (std::to_string(file) + ".npy"),
                                                     results[values.results.size()]));
    // The steps compute with signless integers, and with the parts of complex numbers.
    tensor.dtype = signlessOf(tensor.dtype);
    for (HostTensor &part : artifact::splitTensors({std::move(tensor)}))
      values.results.push_back(std::move(part));
  }
  MICA_ASSIGN_OR_RETURN(values.dump, dump::Dump::open(folder));
  for (const dump::Site &site : values.dump->sites())
    for (const dump::Op &op : site.ops)
      values.kernels.emplace(op.id, site.kernel);
  for (const dump::Launch &launch : values.dump->launches())
    for (const dump::Op &op : values.dump->sites()[launch.site].ops)
      values.lastSites[op.id] = static_cast<int64_t>(launch.site);
  for (size_t i = 0; i < values.dump->tensors().size(); ++i) {
    const dump::Tensor &tensor = values.dump->tensors()[i];
    const dump::Op *op = tensor.isAfter && tensor.offset >= 0 ? values.dump->opOf(tensor) : nullptr;
    if (op)
      values.tensors[op->id].push_back(i);
  }
  return values;
}

const HostTensor *CompiledValues::read(size_t position) {
  auto it = elements.find(position);
  if (it == elements.end()) {
    Result<HostTensor> tensor = dump->read(dump->tensors()[position]);
    if (!tensor)
      return nullptr;
    it = elements.emplace(position, *std::move(tensor)).first;
  }
  return &it->second;
}

const CompiledValues::Value &CompiledValues::of(const std::string &id, int64_t occurrence, unsigned result, DType dtype,
                                                int64_t count, llvm::function_ref<bool(const HostTensor &)> agrees) {
  Value &value = known[{id, occurrence, result}];
  const auto found = tensors.find(id);
  if (value.isLookedUp || found == tensors.end())
    return value;
  value.isLookedUp = true;
  std::map<std::pair<size_t, size_t>, int64_t> seen; // tensors of each binding of each place
  for (size_t position : found->second) {
    const dump::Tensor &tensor = dump->tensors()[position];
    const size_t site = dump->launchOf(tensor).site;
    if (tensor.dtype != dtype || tensor.elements() != count || seen[{site, tensor.binding}]++ != occurrence)
      continue;
    const HostTensor *candidate = read(position);
    const bool isResult = candidate && agrees(*candidate);
    if (isResult || (candidate && lastSites[id] == static_cast<int64_t>(site)))
      value = {candidate, dump->bindingOf(tensor).name, true};
    if (isResult)
      break;
  }
  return value;
}

std::string CompiledValues::kernelOf(const std::string &id) const {
  const auto it = kernels.find(id);
  return it == kernels.end() ? "" : it->second;
}

} // namespace mica::compiler
