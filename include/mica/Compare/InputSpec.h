//===- InputSpec.h - inputs as users write them ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The values of --input=: `@x.npy`, `@x.npz:name` and `@x.safetensors:name`, `4x8xf32=0.5` (one value for all
// elements), `2x2xf32=1,2,3,4`, `random:SEED[:LO:HI]`, and `4x8xf32=random:SEED[:LO:HI]` where the entry's shape is
// dynamic. An input that is left out is random:<position> for floats and 0 for integers.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_INPUTSPEC_H
#define MICA_COMPARE_INPUTSPEC_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// One --input= in parts.
struct InputSpec {
  enum class Kind { File, Literal, Random };
  Kind kind = Kind::Random;
  std::string text; ///< as written, for messages
  std::filesystem::path file;
  std::string tensor; ///< File: the tensor of an archive; "" where none is named
  /// Literal and Random, where written: the type in front of '='. Without, it is the argument's.
  std::optional<DType> dtype;
  std::vector<int64_t> shape;
  std::vector<std::string> values; ///< Literal: one, or one per element
  uint64_t seed = 0;
  /// Random: uniform in [low, high); absent: [-1, 1) for floats, 0 to 9 for integers.
  std::optional<double> low, high;
};

/// Errors (InvalidInput) quote the text and show the forms there are.
Result<InputSpec> parseInputSpec(std::string_view text);

/// The tensor `spec` describes, checked against argument `position` of an entry. Errors name the argument, both types,
/// and the dimension that does not fit.
Result<HostTensor> makeInput(const InputSpec &spec, const artifact::TensorSpec &argument, size_t position);

/// Whether the machine has the memory for what makeDefaultInput makes; the error names the input.
Status checkDefaultInput(const artifact::TensorSpec &argument, size_t position);

/// The tensor for argument `position` when no --input is given for it. A dynamic dimension is 1. `note` receives a
/// description of it: "input 0 (x: 4x8xf32) is random:0, uniform in [-1, 1)".
HostTensor makeDefaultInput(const artifact::TensorSpec &argument, size_t position, std::string &note);

/// Elements uniform in [low, high), whole numbers for integer types; the same for a seed on every machine.
void fillRandom(HostTensor &tensor, uint64_t seed, double low, double high);

/// "4x8xf32", "f32"; sizes only, no "?".
Result<artifact::TensorSpec> parseTensorType(std::string_view text);

/// Whether `tensor` can be argument `argument`; the error says why not.
Status checkArgument(const HostTensor &tensor, const artifact::TensorSpec &argument, size_t position);

} // namespace mica

#endif // MICA_COMPARE_INPUTSPEC_H
