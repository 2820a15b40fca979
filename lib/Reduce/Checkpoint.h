//===- Checkpoint.h - how far an interrupted reduction came -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the file OUT.state beside the smallest form so far, OUT. It goes when the reduction comes to its end.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REDUCE_CHECKPOINT_H
#define MICA_LIB_REDUCE_CHECKPOINT_H

#include "lib/IRTools/Reduce/Reduction.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <string>

namespace mica::reduce {

struct Checkpoint {
  std::string key;      ///< of the file, the command and the pipeline as given
  std::string pipeline; ///< as it is now
  irtools::ReductionPosition position;
  bool keepsLocations = false; ///< those of the file are part of what is reduced
};

std::filesystem::path checkpointFile(const std::filesystem::path &output);

Status writeCheckpoint(const std::filesystem::path &output, const Checkpoint &checkpoint);

/// That of a reduction to `output`. NotFound where there is none; InvalidInput where it is of another file, command or
/// pipeline than `key`, or is no checkpoint.
Result<Checkpoint> readCheckpoint(const std::filesystem::path &output, const std::string &key);

} // namespace mica::reduce

#endif // MICA_LIB_REDUCE_CHECKPOINT_H
