//===- InputSets.h - generated inputs for checks ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Three sets of inputs: values whose sums are exact, ordinary random values, and edge cases. Integers stay in the
// ranges that the program requires (report/input_ranges.json), so that generated inputs are valid.
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

/// Parses "exact,random": in the order given, each once; `adversarial` stands for its three runs. InvalidInput: an
/// unknown name, or none.
Result<std::vector<InputSet>> parseInputSets(std::string_view text);

/// The values of an entry's integer argument without undefined behavior, as far as known.
struct ValueRange {
  std::optional<int64_t> low, high;
  bool isNotZero = false; ///< nor -1: a divisor
  bool isSize = false;    ///< a size, or an iteration count: 1 is generated
};

/// Per argument of `entry`, from report/input_ranges.json of `artifact`; unrestricted if there is no such file.
Result<std::vector<ValueRange>> readInputRanges(const std::filesystem::path &artifact,
                                                const artifact::EntryRecord &entry);

/// The tensor of `set` for argument `position`. A dynamic dimension is 1. `isSpecial`: for Nan and Infinity, whether
/// this tensor has the special element.
HostTensor makeSetInput(InputSet set, const artifact::TensorSpec &argument, size_t position, const ValueRange &range,
                        bool isSpecial);

} // namespace mica

#endif // MICA_COMPARE_INPUTSETS_H
