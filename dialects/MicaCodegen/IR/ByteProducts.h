//===- ByteProducts.h - sums of products of 8-bit integers --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Recognizes the contractions that processors have dot-product instructions for: 8-bit factors, less their zero points,
// with sums of 32 bits.
//
//   sum + (ext(x) - zeroX) * (ext(y) - zeroY)
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICACODEGEN_IR_BYTEPRODUCTS_H
#define MICA_DIALECTS_MICACODEGEN_IR_BYTEPRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace mica::codegen {

/// One factor of the products.
struct ByteFactor {
  unsigned input = 0;    ///< number of the operand that has the 8-bit integers
  bool isSigned = false; ///< how they are extended
  /// The 32-bit value that is subtracted from each, the same in every iteration: a value of the op's body or from
  /// outside of it; null for 0.
  mlir::Value zeroPoint;
};

/// Four products along `reductionDim` can be added to one lane: `row` is contiguous along this loop and does not move
/// along the loop of the lanes, `lane` does.
struct ByteProducts {
  ByteFactor row, lane;
};

/// The factors of `op` for lanes along `laneDim`, rows along `rowDim` (-1: one row) and products along `reductionDim`.
/// `why` receives the reason if there are none.
std::optional<ByteProducts> matchByteProducts(mlir::linalg::LinalgOp op, unsigned laneDim, int64_t rowDim,
                                              unsigned reductionDim, std::string &why);

} // namespace mica::codegen

#endif // MICA_DIALECTS_MICACODEGEN_IR_BYTEPRODUCTS_H
