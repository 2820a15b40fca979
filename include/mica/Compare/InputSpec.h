//===- InputSpec.h - values of --input ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Parses --input=: `@x.npy`, `@x.npz:name` and `@x.safetensors:name`, `4x8xf32=0.5` (one value for all elements),
// `2x2xf32=1,2,3,4`, `random:SEED[:LO:HI]`, and `4x8xf32=random:SEED[:LO:HI]` if the entry's shape is dynamic. The
// default of an input is random:<position> for floats and 0 for integers.
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

/// A parsed --input=.
struct InputSpec {
  enum class Kind { File, Literal, Random };
  Kind kind = Kind::Random;
  std::string text; ///< as written, for messages
  std::filesystem::path file;
  std::string tensor; ///< File: the tensor of an archive; "" where none is named
  /// Literal and Random: the type in front of '=', if given. Otherwise the argument's type is used.
  std::optional<DType> dtype;
  std::vector<int64_t> shape;
  std::vector<std::string> values; ///< Literal: one, or one per element
  uint64_t seed = 0;
  bool isDefault = false; ///< Random: a type alone; filled as an argument without --input is
  /// Random: uniform in [low, high); absent: [-1, 1) for floats, 0 to 9 for integers.
  std::optional<double> low, high;
};

/// Errors (InvalidInput) quote the text and list the valid forms.
Result<InputSpec> parseInputSpec(std::string_view text);

/// The tensor that `spec` describes, checked against argument `position` of an entry. Errors name the argument, both
/// types, and the dimension that does not match.
Result<HostTensor> makeInput(const InputSpec &spec, const artifact::TensorSpec &argument, size_t position);

/// Fails if the machine lacks the memory for makeDefaultInput; the error names the input.
Status checkDefaultInput(const artifact::TensorSpec &argument, size_t position);

/// The tensor for argument `position` if it has no --input. A dynamic dimension is 1. `note` receives a description:
/// "input 0 (x: 4x8xf32) is random:0, uniform in [-1, 1)".
HostTensor makeDefaultInput(const artifact::TensorSpec &argument, size_t position, std::string &note);

/// Fills with elements uniform in [low, high), integers for integer types; a seed gives the same values on every
/// machine.
void fillRandom(HostTensor &tensor, uint64_t seed, double low, double high);

/// "4x8xf32", "f32"; sizes only, no "?".
Result<artifact::TensorSpec> parseTensorType(std::string_view text);

/// Whether `tensor` can be argument `argument`; the error says why not.
Status checkArgument(const HostTensor &tensor, const artifact::TensorSpec &argument, size_t position);

} // namespace mica

#endif // MICA_COMPARE_INPUTSPEC_H
