//===- ContextInputs.cpp - the inputs of an invocation ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Compares the inputs of a call with the entry's arguments, and the sizes that ops need to be equal.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ContextImpl.h"
#include "mica/ABI/Host.h"
#include "mica/Support/Checked.h"
#include "mica/Support/Log.h"

#include <algorithm>
#include <cstring>

namespace mica::runtime {

Error ContextImpl::inputError(const Entry &entry, size_t argument, const std::string &what) const {
  const artifact::TensorSpec &spec = entry.record->args[argument];
  std::string name = spec.name.empty() ? "" : " ('" + spec.name + "')";
  return {ErrorCode::InvalidInput,
          "entry '" + entry.record->name + "': argument " + std::to_string(argument) + name + " " + what, ""};
}

void ContextImpl::prepareSizeChecks(Entry &entry) {
  auto positionOf = [&](int64_t argument, int64_t dimension) {
    for (int64_t i = 0; i < argument; ++i)
      dimension += int64_t(entry.record->args[size_t(i)].shape.size());
    return dimension;
  };
  for (const artifact::SizeRelation &relation : entry.record->relatedSizes)
    entry.sizeChecks.push_back({size_t(positionOf(relation.argument, relation.dimension)),
                                relation.other < 0 ? -1 : positionOf(relation.other, relation.otherDimension),
                                relation.size, size_t(&relation - entry.record->relatedSizes.data())});
}

/// The sizes that an operation needs to be equal, and are not.
Error ContextImpl::unequalSizes(const Entry &entry, const Entry::SizeCheck &check) const {
  const artifact::SizeRelation &relation = entry.record->relatedSizes[check.relation];
  auto dimensionOf = [&](int64_t argument, int64_t dimension) {
    const std::string &name = entry.record->args[size_t(argument)].name;
    const std::string &sourceName = entry.record->args[size_t(argument)].sourceName;
    return "dimension " + std::to_string(dimension) + " of argument " + std::to_string(argument) +
           (!name.empty()         ? " ('" + name + "')"
            : !sourceName.empty() ? " (" + sourceName + ")"
                                  : "");
  };
  return {ErrorCode::InvalidInput,
          "entry '" + entry.record->name + "': " + dimensionOf(relation.argument, relation.dimension) + " is " +
              std::to_string(entry.dims[check.position]) + ", but " +
              (check.other < 0 ? "it should be " + std::to_string(relation.size)
                               : dimensionOf(relation.other, relation.otherDimension) + " is " +
                                     std::to_string(entry.dims[size_t(check.other)])) +
              "; " + (relation.op.empty() ? "an operation" : program->describeOp(relation.op)) + " needs " +
              (check.other < 0 ? "that" : "them to be equal"),
          "pass inputs with matching sizes"};
}

/// The bytes, which are 0, of an input with sizes so large before a 0 that they cannot be multiplied; the error of any
/// other that does not fit. `dims` gets the sizes.
Result<int64_t> ContextImpl::readHugeEmpty(const Entry &entry, size_t argument, const TensorView &input,
                                           int64_t *dims) const {
  const artifact::TensorSpec &spec = entry.record->args[argument];
  const std::string type = shapedTypeString({input.shape.begin(), input.shape.end()}, input.dtype);
  const bool fits = input.dtype == spec.dtype && std::equal(input.shape.begin(), input.shape.end(), spec.shape.begin(),
                                                            spec.shape.end(), [](int64_t size, int64_t wanted) {
                                                              return size >= 0 && (wanted < 0 || wanted == size);
                                                            });
  if (!fits)
    return inputError(entry, argument, "is " + type + ", it should be " + shapedTypeString(spec.shape, spec.dtype));
  const std::optional<int64_t> bytes = checkedBytes(input.shape, dtypeBytes(spec.dtype));
  if (!bytes)
    return inputError(entry, argument, "is " + type + ", more than 2^63 bytes");
  std::copy(input.shape.begin(), input.shape.end(), dims);
  return *bytes;
}

Status ContextImpl::readInputs(Entry &entry, std::span<const TensorView> inputs) {
  const std::vector<artifact::TensorSpec> &specs = entry.record->args;
  if (inputs.size() != specs.size())
    return Error{ErrorCode::InvalidInput,
                 "entry '" + entry.record->name + "' takes " + std::to_string(specs.size()) + " arguments, " +
                     std::to_string(inputs.size()) + " were given",
                 ""};
  int64_t *dims = entry.dims.data();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorView &input = inputs[i];
    const artifact::TensorSpec &spec = specs[i];
    int64_t *const first = dims;
    bool fits = input.dtype == spec.dtype && input.shape.size() == spec.shape.size();
    int64_t bytes = dtypeBytes(spec.dtype);
    for (size_t d = 0; fits && d < input.shape.size(); ++d) {
      int64_t size = input.shape[d];
      fits = size >= 0 && (spec.shape[d] < 0 || spec.shape[d] == size) && !__builtin_mul_overflow(bytes, size, &bytes);
      *dims++ = size;
    }
    if (!fits) [[unlikely]] {
      MICA_ASSIGN_OR_RETURN(bytes, readHugeEmpty(entry, i, input, first));
      dims = first + input.shape.size();
    }
    if (!input.data && bytes != 0)
      return inputError(entry, i, "has no memory");
    entry.args[i] = const_cast<void *>(input.data);
    if (!input.data || reinterpret_cast<uintptr_t>(input.data) % MICA_BUFFER_ALIGNMENT != 0) {
      // Kernels rely on the alignment.
      MICA_ASSIGN_OR_RETURN(entry.args[i], pool.allocate(bytes));
      if (bytes)
        MICA_LOG(PerfHints, Info) << bytes << " bytes copied at each call: argument " << i << " of "
                                  << entry.record->name << " does not lie at a multiple of " << MICA_BUFFER_ALIGNMENT
                                  << " bytes, as kernels need it; give it memory that does";
      if (bytes)
        std::memcpy(entry.args[i], input.data, size_t(bytes));
    }
  }
  for (const Entry::SizeCheck &check : entry.sizeChecks)
    if (entry.dims[check.position] != (check.other < 0 ? check.size : entry.dims[size_t(check.other)]))
      return unequalSizes(entry, check);
  return Status::ok();
}

/// What comes from outside is written.
Status ContextImpl::adoptInputs(const Entry &entry) {
  shadows->begin();
  allocations = 0;
  const int64_t *dims = entry.dims.data();
  for (size_t i = 0; i < entry.args.size(); ++i) {
    int64_t bytes = dtypeBytes(entry.record->args[i].dtype);
    for (size_t d = 0; d < entry.record->args[i].shape.size(); ++d)
      bytes *= *dims++;
    MICA_RETURN_IF_ERROR(shadows->adopt(entry.args[i], bytes, /*written=*/true, "argument " + std::to_string(i)));
  }
  const std::vector<artifact::ConstantRecord> &constants = program->manifest().constants;
  for (size_t i = 0; i < constants.size(); ++i)
    MICA_RETURN_IF_ERROR(
        shadows->adopt(program->constant(i), constants[i].bytes, /*written=*/true,
                       "a constant (" + shapedTypeString(constants[i].type.shape, constants[i].type.dtype) + ")"));
  return {};
}

} // namespace mica::runtime
