//===- InputSets.h - inputs that are made up for a check ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Three sets, each for what the others miss: sums without rounding, everyday numbers, and what is rare. Integers stay
// in the ranges that the program needs of them (report/input_ranges.json), so that made-up inputs have a meaning.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_INPUTSETS_H
#define MICA_COMPARE_INPUTSETS_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// Nan and Infinity are the runs of the set `adversarial` in which one element of one tensor is not finite.
enum class InputSet { Exact, Random, Adversarial, Nan, Infinity };

/// "exact inputs", "random inputs", "adversarial inputs", "inputs with one NaN", "inputs with one infinity".
std::string_view inputSetName(InputSet set);

/// "exact,random" in the order given, each once; `adversarial` stands for its three runs. InvalidInput: an unknown
/// name, or none.
Result<std::vector<InputSet>> parseInputSets(std::string_view text);

/// What an entry's integer argument may be without undefined behavior, as far as that is known.
struct ValueRange {
  std::optional<int64_t> low, high;
  bool isNotZero = false; ///< nor -1: a divisor
  bool isSize = false;    ///< a size, or a number of iterations: 1 is made up
};

/// Per argument of `entry`, from report/input_ranges.json of `artifact`; unknown ranges where there is no such file.
Result<std::vector<ValueRange>> readInputRanges(const std::filesystem::path &artifact,
                                                const artifact::EntryRecord &entry);

/// The tensor of `set` for argument `position`. A dynamic dimension is 1. `isSpecial`: of Nan and Infinity, whether it
/// is this tensor that has the element.
HostTensor makeSetInput(InputSet set, const artifact::TensorSpec &argument, size_t position, const ValueRange &range,
                        bool isSpecial);

} // namespace mica

#endif // MICA_COMPARE_INPUTSETS_H
