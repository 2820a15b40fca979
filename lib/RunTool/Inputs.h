//===- Inputs.h - the inputs of a run ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: one tensor per argument, from --input, --inputs, --golden-data, or made up and said so.
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

/// An input as the runtime takes it: aligned memory of its own, or bytes of a mapped file that lie aligned.
class Input {
public:
  static Result<Input> own(const HostTensor &tensor);
  /// Takes the bytes where they lie if they are aligned and stay as they are, else copies them once.
  static Result<Input> map(const MappedTensor &tensor, std::shared_ptr<const TensorArchive> archive, bool writable);

  runtime::TensorView view() const { return {dtype, shape, archive ? data.data() : owned.buffer.data()}; }
  /// The bytes as a file holds them.
  std::string_view bytes() const;
  DType type() const { return dtype; }
  const std::vector<int64_t> &sizes() const { return shape; }
  bool isMapped() const { return archive != nullptr; }

private:
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  runtime::Tensor owned;
  std::shared_ptr<const TensorArchive> archive; ///< keeps `data` mapped; null where the memory is `owned`
  std::string_view data;
};

/// One per argument of `entry`; prints a note for what was bound by name and for what is made up, unless `quiet`. What
/// is made up is of `set`, where one is given, within `ranges`.
Result<std::vector<Input>> makeInputs(const Options &options, const artifact::EntryRecord &entry,
                                      std::span<const ValueRange> ranges, std::optional<InputSet> set, bool quiet);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_INPUTS_H
