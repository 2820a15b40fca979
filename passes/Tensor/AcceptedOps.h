//===- AcceptedOps.h - which ops a program may be made of -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A question about names alone, so that it can also be asked of a text that does not parse.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_ACCEPTEDOPS_H
#define MICA_PASSES_TENSOR_ACCEPTEDOPS_H

#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace mica {

/// Why an op is not supported as input, and what to do.
struct OpRefusal {
  std::string what, advice;
};

/// The refusal of ops named `name` ("memref.load"), nothing where a program may have them. `isRegistered`: MLIR has an
/// op of that name. `onHost`: the program has no kernels, and all of it is lowered in host functions.
std::optional<OpRefusal> refusalOf(llvm::StringRef name, bool isRegistered, bool onHost = false);

} // namespace mica

#endif // MICA_PASSES_TENSOR_ACCEPTEDOPS_H
