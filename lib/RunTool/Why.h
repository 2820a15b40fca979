//===- Why.h - why an element is what it is -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: --why and --who-uses. The run dumps its tensors, and mica-compile follows the element in the reference
// evaluator, with the run's values beside it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_WHY_H
#define MICA_LIB_RUNTOOL_WHY_H

#include "lib/RunTool/Checks.h"

namespace mica::runtool {

/// The element `text` with its tensor named as mica-compile knows it: result0, the id of an op, or arg0. `text` names
/// it as the source does, by position, or is "nan" or "largest". InvalidInput: there is no such tensor.
Result<std::string> elementName(const std::string &text, bool isArgument, const artifact::Manifest &manifest,
                                const artifact::EntryRecord &entry);

/// Prints the answer. Its exit code is that of mica-compile: ErrorCode::Difference if the element differs from the
/// reference's.
Result<CheckOutcome> explainElement(const Options &options, const std::filesystem::path &artifact,
                                    const artifact::Manifest &manifest, const artifact::EntryRecord &entry,
                                    const RunFolder &run);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_WHY_H
