//===- UnrolledVectors.cpp - vectors that are too long to be unrolled ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See UnrolledVectors.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/UnrolledVectors.h"

#include "mica/Support/Checked.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// The first type among those of `op` that is too long; null: none.
static VectorType tooLong(Operation *op) {
  auto longest = [](TypeRange types) -> VectorType {
    for (Type type : types) {
      auto vector = dyn_cast<VectorType>(type);
      if (!vector)
        continue;
      int64_t elements = 1;
      for (int64_t size : vector.getShape())
        elements = mica::saturatingMul(elements, size);
      if (elements > mica::kMostUnrolledElements)
        return vector;
    }
    return {};
  };
  VectorType found = longest(op->getOperandTypes());
  return found ? found : longest(op->getResultTypes());
}

LogicalResult mica::checkUnrolledVectors(Operation *root) {
  const WalkResult result = root->walk([](Operation *op) {
    if (!isa_and_present<vector::VectorDialect>(op->getDialect()))
      return WalkResult::advance();
    VectorType type = tooLong(op);
    if (!type)
      return WalkResult::advance();
    op->emitOpError() << "has a vector that is too long to be unrolled: got " << type << ", expected at most "
                      << kMostUnrolledElements << " elements";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
