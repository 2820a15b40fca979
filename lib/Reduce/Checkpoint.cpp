//===- Checkpoint.cpp - how far an interrupted reduction came -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Checkpoint.h. Three lines: what it is of, the position, the pipeline.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Reduce/Checkpoint.h"

#include "mica/Support/Files.h"

#include "llvm/ADT/StringExtras.h"

using namespace mica;
using namespace mica::reduce;
namespace fs = std::filesystem;

static constexpr llvm::StringLiteral kHeader = "mica-reduce-state 1 ";

fs::path reduce::checkpointFile(const fs::path &output) { return output.string() + ".state"; }

Status reduce::writeCheckpoint(const fs::path &output, const Checkpoint &checkpoint) {
  const irtools::ReductionPosition &at = checkpoint.position;
  return writeFileAtomic(checkpointFile(output),
                         kHeader.str() + checkpoint.key + "\n" + std::to_string(at.way) + " " +
                             std::to_string(at.chunk) + " " + std::to_string(at.end) + " " + std::to_string(at.found) +
                             " " + std::to_string(checkpoint.keepsLocations) + "\n" + checkpoint.pipeline + "\n");
}

Result<Checkpoint> reduce::readCheckpoint(const fs::path &output, const std::string &key) {
  const fs::path file = checkpointFile(output);
  std::error_code ignored;
  if (!fs::exists(file, ignored) || !fs::exists(output, ignored))
    return Error{ErrorCode::NotFound, "there is nothing to resume: no " + file.string() + " beside " + output.string(),
                 "leave out --resume; a reduction that came to its end leaves no such file"};
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  llvm::SmallVector<llvm::StringRef> lines, numbers;
  llvm::StringRef(text).split(lines, '\n');
  const Error damaged{ErrorCode::InvalidInput, file.string() + " is no state of mica-reduce",
                      "leave out --resume to begin again"};
  if (lines.size() < 3 || !lines[0].consume_front(kHeader))
    return damaged;
  if (lines[0] != key)
    return Error{ErrorCode::InvalidInput, file.string() + " is of another file, test or pipeline",
                 "give those of the call that was interrupted, or leave out --resume to begin again"};
  Checkpoint checkpoint{key, lines[2].str(), {}, false};
  irtools::ReductionPosition &at = checkpoint.position;
  unsigned found = 0, locations = 0;
  lines[1].split(numbers, ' ');
  if (numbers.size() != 5 || numbers[0].getAsInteger(10, at.way) || numbers[1].getAsInteger(10, at.chunk) ||
      numbers[2].getAsInteger(10, at.end) || numbers[3].getAsInteger(10, found) ||
      numbers[4].getAsInteger(10, locations))
    return damaged;
  at.found = found != 0;
  checkpoint.keepsLocations = locations != 0;
  return checkpoint;
}
