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

/// The first `turned` elements of each position of a tensor of heads, as pairs that are rotated, by angles whose
/// cosines and sines are [b, 1, s, turned / 2]. Interleaved pairs are neighbours; others are half of `turned` apart.
/// The number of elements is static. Refuses the node where the operands do not fit.
mlir::Value rotated(Node &node, mlir::Value heads, mlir::Value cosines, mlir::Value sines, int64_t turned,
                    bool isInterleaved);

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_HEADS_H
