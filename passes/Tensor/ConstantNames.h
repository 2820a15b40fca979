//===- ConstantNames.h - names of weights -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The names of large constants after phase input.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_CONSTANTNAMES_H
#define MICA_PASSES_TENSOR_CONSTANTNAMES_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace mica {

/// "mica_" and 32 hex digits: the hash of `bytes` (XXH3, 128 bits).
std::string constantName(llvm::ArrayRef<char> bytes);

} // namespace mica

#endif // MICA_PASSES_TENSOR_CONSTANTNAMES_H
