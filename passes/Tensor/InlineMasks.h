//===- InlineMasks.h - vector.mask becomes the mask of the op inside ----------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Upstream's lowering of vector.mask replaces the mask that a transfer or gather has already, and its lowering of
// vector.multi_reduction drops the mask of one without dimensions (docs/UpstreamFindings.md).
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_INLINEMASKS_H
#define MICA_PASSES_TENSOR_INLINEMASKS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace mica {

/// Gives each masked transfer below `root` a minor identity for a map: a vector of the buffer's last dimensions, in its
/// order, that is reshaped, broadcast and transposed before or after. Upstream's conversion to loops takes parts of the
/// mask of other dimensions where the map permutes, repeats or leaves out some.
void orderMaskedTransfers(mlir::Operation *root);

/// Replaces each vector.mask below `root` around a transfer or a gather by the op itself, whose mask becomes the
/// conjunction of both, and around a vector.multi_reduction without dimensions by arithmetic and a select. Others stay.
/// Then orders masked transfers.
void inlineMasks(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_INLINEMASKS_H
