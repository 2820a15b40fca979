//===- Heads.h - what operators of attention have in common --------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Tensors of heads have the dimensions batch, head, position, element.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_HEADS_H
#define MICA_IMPORT_ONNX_HEADS_H

#include "lib/Import/ONNX/Node.h"

namespace mica::importer {

inline mlir::RankedTensorType typeOf(mlir::Value tensor) {
  return llvm::cast<mlir::RankedTensorType>(tensor.getType());
}

/// [b, s, heads * d] as [b, heads, s, d]; a tensor of rank 4 as it is.
mlir::Value withHeads(Node &node, mlir::Value value, int64_t heads);
/// [b, heads, s, d] as [b, s, heads * d].
mlir::Value withoutHeads(Node &node, mlir::Value value);

/// The operands of attention. The heads of the query are a multiple of those of key and value, which serve that many
/// in a row.
struct Heads {
  mlir::Value query, key, value;
  mlir::Value mask;     ///< of i1, or added to the scores; null: none
  mlir::Value position; ///< with `isCausal`: a scalar i64; query s attends to key t if t <= s + position
  bool isCausal = false;
  double scale = 0, softcap = 0; ///< a soft cap of 0 is none
  bool isCappedFirst = false;    ///< the soft cap is applied before masks are, not after
};

/// How far scores are computed when they are a result of their own (qk_matmul_output_mode).
enum class ScoreStage { Product = 0, Masked = 1, Capped = 2, Weights = 3 };

/// [b, heads, s, e]. `scores`: receives the scores at `stage`, if it is not null. Refuses the node where the operands
/// do not fit.
mlir::Value attended(Node &node, const Heads &heads, ScoreStage stage = ScoreStage::Product,
                     mlir::Value *scores = nullptr);

/// Sets result 0 to attention, as [b, s, heads * e] if `isFlat`; where the node has them, results 1 and 2 to key and
/// value, and result 3 to the scores at `stage`.
mlir::LogicalResult setAttention(Node &node, const Heads &heads, bool isFlat, ScoreStage stage = ScoreStage::Product);

/// Pairs of elements that are rotated by angles: cosines and sines are rows [n, size / 2] that `positions` [b, s]
/// choose, or [b, s, size / 2] where `positions` is null.
struct Rotation {
  mlir::Value cosines, sines, positions;
  int64_t size = 0;           ///< how many elements of each head are rotated, the first ones
  bool isInterleaved = false; ///< pairs are neighbours; others are size / 2 apart
};
/// `heads`, whose number of elements is static, rotated. Refuses the node where the operands do not fit.
mlir::Value rotated(Node &node, mlir::Value heads, const Rotation &rotation);

/// An integer element of a tensor, as an index.
mlir::Value indexAt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor, mlir::ValueRange position);

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_HEADS_H
