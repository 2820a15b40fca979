//===- IndexSwitches.h - scf.index_switch on numbers of 32 bits ---------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Upstream's conversion to cf.switch truncates the number, and the cases, to 32 bits: 4294967296 takes the case 0
// (docs/UpstreamFindings.md).
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_INDEXSWITCHES_H
#define MICA_PASSES_TENSOR_INDEXSWITCHES_H

namespace mlir {
class Operation;
} // namespace mlir

namespace mica {

/// Gives each scf.index_switch below `root` an operand that is below 2^31, and such cases. A number beyond becomes one
/// that no case has; a case beyond becomes a free number, to which the operand is mapped.
void narrowIndexSwitches(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_INDEXSWITCHES_H
