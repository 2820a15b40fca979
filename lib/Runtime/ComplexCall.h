//===- ComplexCall.h - calls with complex arguments and results ----------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The code of a program takes the real and the imaginary part of a complex tensor as two (Artifact/ComplexEntry.h).
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_COMPLEXCALL_H
#define MICA_LIB_RUNTIME_COMPLEXCALL_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Tensor.h"

namespace mica::runtime {

/// Splits the complex arguments of calls of one entry, and joins its complex results. Keeps its memory for the next
/// call.
class ComplexCall {
public:
  explicit ComplexCall(const artifact::EntryRecord &entry) : entry(entry) {}

  /// The arguments of the code, valid until the next call. Fails if `inputs` do not fit the entry.
  Result<std::span<const TensorView>> split(std::span<const TensorView> inputs);
  /// `into` from `parts`, the results of the code, which keep some of the memory of `into`.
  Status join(std::vector<Tensor> &into);

  std::vector<Tensor> parts;

private:
  Status checkRelatedSizes(std::span<const TensorView> inputs) const;

  const artifact::EntryRecord &entry;
  std::vector<Tensor> arguments; ///< the parts
  std::vector<TensorView> views;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_COMPLEXCALL_H
