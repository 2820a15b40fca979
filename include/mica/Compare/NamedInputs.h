//===- NamedInputs.h - matching arguments with tensors of files by name -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Finds the tensor of an archive for each argument: by the argument's name (docs/ABI.md says where it comes from), then
// arg<N>, then arr_<N>, the name that numpy.savez gives to unnamed arrays.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_NAMEDINPUTS_H
#define MICA_COMPARE_NAMEDINPUTS_H

#include "mica/Artifact/Manifest.h"
#include "mica/Compare/TensorArchive.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mica {

using Archives = std::vector<std::shared_ptr<const TensorArchive>>;

/// The location of an argument's tensor.
struct NamedInput {
  std::shared_ptr<const TensorArchive> archive;
  std::string tensor;
};

struct NamedInputs {
  std::vector<std::optional<NamedInput>> arguments; ///< one per argument of the entry
  std::vector<std::string> notes;                   ///< one line per file: which tensors were used, and which were not
};

/// The names by which argument `position` is looked up, in order of preference.
std::vector<std::string> argumentNames(const artifact::TensorSpec &argument, size_t position);

/// Binds the arguments for which `given` is false (the others have an --input). InvalidInput: two files have a tensor
/// for one argument, or a file has none for any argument; the message names files, arguments and tensors.
Result<NamedInputs> bindByName(const Archives &archives, const artifact::EntryRecord &entry,
                               const std::vector<bool> &given);

} // namespace mica

#endif // MICA_COMPARE_NAMEDINPUTS_H
