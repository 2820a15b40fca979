//===- TransposeVectors.h - transposing square blocks in registers ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A square block of n vectors of n elements, n a power of two, is transposed by log2(n) stages of n two-operand
// shuffles, each of which is one instruction where the ISA interleaves registers.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_TRANSPOSEVECTORS_H
#define MICA_PASSES_CODEGEN_COMMON_TRANSPOSEVECTORS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace mica::cpu {

/// The columns of the block whose rows are `rows`: as many vectors as each has elements, a power of two.
inline llvm::SmallVector<mlir::Value> transposeVectors(mlir::OpBuilder &b, mlir::Location loc,
                                                       llvm::SmallVector<mlir::Value> rows) {
  // Interleaving row i with row i + n/2, log2(n) times, transposes the block.
  int64_t count = rows.size(), half = count / 2;
  llvm::SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < half; ++i) {
    low.append({i, count + i});
    high.append({half + i, count + half + i});
  }
  for (int64_t stage = 1; stage < count; stage *= 2) {
    llvm::SmallVector<mlir::Value> next;
    for (int64_t i = 0; i < half; ++i) {
      next.push_back(mlir::vector::ShuffleOp::create(b, loc, rows[i], rows[i + half], low));
      next.push_back(mlir::vector::ShuffleOp::create(b, loc, rows[i], rows[i + half], high));
    }
    rows = std::move(next);
  }
  return rows;
}

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_COMMON_TRANSPOSEVECTORS_H
