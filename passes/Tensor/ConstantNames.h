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

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace mica {

/// "mica_" and 32 hex digits: the hash of `bytes` (XXH3, 128 bits).
std::string constantName(llvm::ArrayRef<char> bytes);

/// The resource of `bytes` with that name; made if there is none.
mlir::DenseResourceElementsAttr constantResource(mlir::RankedTensorType type, std::vector<char> bytes);

} // namespace mica

#endif // MICA_PASSES_TENSOR_CONSTANTNAMES_H
