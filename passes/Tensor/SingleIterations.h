//===- SingleIterations.h - parallel loops of one iteration ------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Canonicalization replaces an scf.forall of one iteration by its body, and gives the insertions of its terminator the
// location of the loop. A fault of one would be reported there, and not at the insertion.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_SINGLEITERATIONS_H
#define MICA_PASSES_TENSOR_SINGLEITERATIONS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace mica {

/// Replaces each scf.forall below `root` that certainly has one iteration by its body, whose insertions keep their
/// locations.
void promoteSingleIterations(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_SINGLEITERATIONS_H
