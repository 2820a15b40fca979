//===- AcceptedOps.h - ops that are supported as input ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Depends on names only, so that it can also be applied to text that does not parse.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_ACCEPTEDOPS_H
#define MICA_PASSES_TENSOR_ACCEPTEDOPS_H

#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace mica {

/// Why an op is not supported as input, and a hint.
struct OpRefusal {
  std::string what, advice;
};

/// The reason for rejecting ops named `name` ("memref.load"), nothing if they are supported. `isRegistered`: MLIR has
/// an op of that name. `onHost`: the program runs in host functions, without kernels.
std::optional<OpRefusal> refusalOf(llvm::StringRef name, bool isRegistered, bool onHost = false);

} // namespace mica

#endif // MICA_PASSES_TENSOR_ACCEPTEDOPS_H
