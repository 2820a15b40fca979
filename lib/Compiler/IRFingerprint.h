//===- IRFingerprint.h - whether a pass changed anything --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private. Upstream's OperationFingerPrint hashes the addresses of operations, so a pass that builds the same IR again counts
// as a change or not by where the allocator puts it. Here values and blocks count by their number in a walk; what remains are
// attributes, types and locations, of which a context has one each.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_IRFINGERPRINT_H
#define MICA_LIB_COMPILER_IRFINGERPRINT_H

#include "mlir/IR/Operation.h"

namespace mica::compiler {

struct IRFingerprint {
  uint64_t hash; ///< equal for equal IR with equal locations, within one context and process
  int64_t ops;   ///< operations, `op` among them
};

/// Linear in the operations.
IRFingerprint fingerprintOf(mlir::Operation *op);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_IRFINGERPRINT_H
