//===- OtherInputs.h - inputs beside the default ones ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: default integers are 0 and default sizes are 1, so that any program can be run with them. Many faults do not
// show with such inputs.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_OTHERINPUTS_H
#define MICA_LIB_BISECT_OTHERINPUTS_H

#include "lib/Bisect/Entry.h"

#include <optional>

namespace mica::bisect {

/// `entry` with inputs of the `number`th other kind, from 1; its first `given` inputs, which the user gave, stay.
/// `notes` tell of the others, as values of --input. Nothing where there is no such kind, or it would give the same
/// inputs.
std::optional<Entry> otherInputs(const Entry &entry, size_t given, unsigned number, std::vector<std::string> &notes);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_OTHERINPUTS_H
