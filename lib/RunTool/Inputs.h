//===- Inputs.h - the inputs of a run ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: one tensor per argument, from --input, --inputs, --golden-data, or generated, with a note.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_INPUTS_H
#define MICA_LIB_RUNTOOL_INPUTS_H

#include "lib/RunTool/Options.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Compare/TensorArchive.h"
#include "mica/Runtime/Tensor.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace mica::runtool {

/// "forward(x: ?x8xf32) -> (?x4xf32)".
std::string signature(const artifact::EntryRecord &entry);

/// An input for the runtime: owned aligned memory, or aligned bytes of a mapped file.
class Input {
public:
  static Result<Input> own(const HostTensor &tensor);
  /// Uses the mapped bytes if they are aligned and need no conversion, else copies them once.
  static Result<Input> map(const MappedTensor &tensor, std::shared_ptr<const TensorArchive> archive, bool writable);

  runtime::TensorView view() const { return {dtype, shape, archive ? data.data() : owned.buffer.data()}; }
  /// The bytes in the format of a file.
  std::string_view bytes() const;
  DType type() const { return dtype; }
  const std::vector<int64_t> &sizes() const { return shape; }
  bool isMapped() const { return archive != nullptr; }

private:
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  runtime::Tensor owned;
  std::shared_ptr<const TensorArchive> archive; ///< keeps `data` mapped; null if the memory is `owned`
  std::string_view data;
};

/// One per argument of `entry`; prints a note for tensors bound by name and for generated ones, unless `quiet`.
/// Generated inputs are of `set`, if one is given, within `ranges`.
Result<std::vector<Input>> makeInputs(const Options &options, const artifact::EntryRecord &entry,
                                      std::span<const ValueRange> ranges, std::optional<InputSet> set, bool quiet);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_INPUTS_H
