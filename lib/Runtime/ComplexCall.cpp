//===- ComplexCall.cpp - calls with complex arguments and results -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header. Arguments are checked here, so that errors count them as the caller does.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ComplexCall.h"

#include "mica/Support/Checked.h"

#include <algorithm>

namespace mica::runtime {

/// Memory for `tensor`, whose type and shape are set.
static Status allocateFor(Tensor &tensor) {
  const std::optional<int64_t> bytes = checkedBytes(tensor.shape, dtypeBytes(tensor.dtype));
  if (!bytes)
    return Error{ErrorCode::InvalidInput, shapedTypeString(tensor.shape, tensor.dtype) + " is more than 2^63 bytes",
                 ""};
  if (tensor.buffer && tensor.buffer.capacity() >= *bytes)
    return {};
  MICA_ASSIGN_OR_RETURN(tensor.buffer, Buffer::allocate(*bytes));
  return {};
}

Status ComplexCall::checkRelatedSizes(std::span<const TensorView> inputs) const {
  const auto nameOf = [&](int64_t argument, int64_t dimension) {
    const artifact::TensorSpec &spec = entry.args[size_t(argument)];
    return "dimension " + std::to_string(dimension) + " of argument " + std::to_string(argument) +
           (!spec.name.empty()         ? " ('" + spec.name + "')"
            : !spec.sourceName.empty() ? " (" + spec.sourceName + ")"
                                       : "");
  };
  for (const artifact::SizeRelation &relation : entry.relatedSizes) {
    const int64_t size = inputs[size_t(relation.argument)].shape[size_t(relation.dimension)];
    const int64_t other =
        relation.other < 0 ? relation.size : inputs[size_t(relation.other)].shape[size_t(relation.otherDimension)];
    if (size != other)
      return Error{ErrorCode::InvalidInput,
                   "entry '" + entry.name + "': " + nameOf(relation.argument, relation.dimension) + " is " +
                       std::to_string(size) + ", but " +
                       (relation.other < 0
                            ? "it should be " + std::to_string(other)
                            : nameOf(relation.other, relation.otherDimension) + " is " + std::to_string(other)),
                   "pass inputs with matching sizes"};
  }
  return {};
}

Result<std::span<const TensorView>> ComplexCall::split(std::span<const TensorView> inputs) {
  if (inputs.size() != entry.args.size())
    return Error{ErrorCode::InvalidInput,
                 "entry '" + entry.name + "' takes " + std::to_string(entry.args.size()) + " arguments, " +
                     std::to_string(inputs.size()) + " were given",
                 ""};
  arguments.resize(2 * inputs.size());
  views.clear();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorView &input = inputs[i];
    const artifact::TensorSpec &spec = entry.args[i];
    const bool fits =
        input.dtype == spec.dtype &&
        std::equal(input.shape.begin(), input.shape.end(), spec.shape.begin(), spec.shape.end(),
                   [](int64_t size, int64_t wanted) { return size >= 0 && (wanted < 0 || wanted == size); });
    if (!fits)
      return Error{ErrorCode::InvalidInput,
                   "entry '" + entry.name + "': argument " + std::to_string(i) +
                       (spec.name.empty() ? "" : " ('" + spec.name + "')") + " is " +
                       shapedTypeString({input.shape.begin(), input.shape.end()}, input.dtype) + ", it should be " +
                       shapedTypeString(spec.shape, spec.dtype),
                   ""};
    if (!isComplex(input.dtype)) {
      views.push_back(input);
      continue;
    }
    Tensor &re = arguments[2 * i], &im = arguments[2 * i + 1];
    for (Tensor *part : {&re, &im}) {
      part->dtype = partOf(input.dtype);
      part->shape.assign(input.shape.begin(), input.shape.end());
      MICA_RETURN_IF_ERROR(allocateFor(*part));
    }
    splitComplex(input.data, re.numElements(), dtypeBytes(re.dtype), re.buffer.data(), im.buffer.data());
    views.push_back(re.view());
    views.push_back(im.view());
  }
  MICA_RETURN_IF_ERROR(checkRelatedSizes(inputs));
  return std::span<const TensorView>(views);
}

Status ComplexCall::join(std::vector<Tensor> &into) {
  into.resize(entry.results.size());
  size_t next = 0;
  for (size_t i = 0; i < into.size(); ++i) {
    Tensor &first = parts[next++];
    if (!isComplex(entry.results[i].dtype)) {
      std::swap(into[i], first);
      continue;
    }
    into[i].dtype = entry.results[i].dtype;
    into[i].shape = first.shape;
    MICA_RETURN_IF_ERROR(allocateFor(into[i]));
    joinComplex(first.buffer.data(), parts[next++].buffer.data(), first.numElements(), dtypeBytes(first.dtype),
                into[i].buffer.data());
  }
  return {};
}

} // namespace mica::runtime
