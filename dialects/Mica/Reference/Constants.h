//===- Constants.h - constant attributes as values --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Converts dense<...>, splats, dense_resource<...> and scalars to Tensors.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_CONSTANTS_H
#define MICA_DIALECTS_MICA_REFERENCE_CONSTANTS_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// The cell of an integer, index, boolean or float attribute; nothing for others.
std::optional<Cell> scalarOf(mlir::Attribute attribute);
/// The value of a scalar or elements attribute; an error at `op` if its bytes are missing or have the wrong size.
llvm::FailureOr<Tensor> tensorOf(mlir::Operation *op, mlir::Attribute attribute, const Evaluator &evaluator);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_CONSTANTS_H
