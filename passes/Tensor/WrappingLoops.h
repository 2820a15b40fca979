//===- WrappingLoops.h - loops whose variable may overflow -------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// A loop ends where its variable would pass the upper bound, also if that number does not fit the type. Upstream's
// conversion to branches lets it wrap: from 0 to 127 by 100, in i8, it goes on at -56 (docs/UpstreamFindings.md). And
// most of what is written for scf.for, upstream and here, takes the bounds for signed numbers.
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_WRAPPINGLOOPS_H
#define MICA_PASSES_TENSOR_WRAPPINGLOOPS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace mica {

/// Makes each scf.for below `root` that compares unsigned numbers, or whose variable may overflow a type of less than
/// 64 bits, a loop over signed numbers of 64 bits. A dimension of 64 bits of scf.for or scf.parallel that may overflow
/// counts its iterations, or runs over smaller numbers if the bound is that large. Bounds that are sizes, and constant
/// steps by which positions in memory are counted, need neither.
void widenWrappingLoops(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_WRAPPINGLOOPS_H
