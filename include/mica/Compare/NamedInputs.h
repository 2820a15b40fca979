//===- NamedInputs.h - arguments by name ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Which tensor of which file is which argument. An argument is looked for by its name (docs/ABI.md says where that
// comes from), then as arg<N>, then as arr_<N>, which is what numpy.savez calls arrays that are given without names.
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

/// Where an argument's tensor is.
struct NamedInput {
  std::shared_ptr<const TensorArchive> archive;
  std::string tensor;
};

struct NamedInputs {
  std::vector<std::optional<NamedInput>> arguments; ///< one per argument of the entry
  std::vector<std::string> notes;                   ///< one line per file: what it gave, what of it was not used
};

/// The names argument `position` is looked for under, best first.
std::vector<std::string> argumentNames(const artifact::TensorSpec &argument, size_t position);

/// Binds the arguments for which `given` does not hold (those with an --input of their own). InvalidInput: two files
/// have the tensor of one argument, or a file has none of any argument; the message names files, arguments and tensors.
Result<NamedInputs> bindByName(const Archives &archives, const artifact::EntryRecord &entry,
                               const std::vector<bool> &given);

} // namespace mica

#endif // MICA_COMPARE_NAMEDINPUTS_H
