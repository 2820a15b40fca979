//===- EpilogueEmitter.h - initial values and epilogues of contractions -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For contiguous results of a contraction along n: computes the initial values of their accumulators, applies the
// epilogue to the results, and stores them. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_EPILOGUEEMITTER_H
#define MICA_PASSES_CODEGEN_GPU_EPILOGUEEMITTER_H

#include "passes/Codegen/GPU/ContractionLaunch.h"
#include "passes/Codegen/GPU/LoopPositions.h"

namespace mica::device {

class EpilogueEmitter {
public:
  EpilogueEmitter(mlir::RewriterBase &rewriter, const ContractionGroup &group, const ContractionPlan &plan)
      : rewriter(rewriter), loc(group.product.op.getLoc()), group(group), product(group.product), plan(plan) {}

  /// Sets the position of the block's first result.
  void place(const LoopPositions &corner);
  /// The initial values for `count` results, the first at `m` and `n` of the block's tile.
  llvm::SmallVector<mlir::Value> start(mlir::Value m, mlir::Value n, int64_t count);
  /// Stores those results that are in bounds.
  void give(mlir::Value m, mlir::Value n, llvm::ArrayRef<mlir::Value> values);

private:
  /// A buffer from which results are loaded or to which they are stored.
  struct Place {
    mlir::Value buffer; ///< or a scalar
    Access access;
  };
  Place placeOf(mlir::Value buffer, mlir::AffineMap map);
  llvm::SmallVector<Place> placesOf(mlir::linalg::GenericOp op);
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> compute(mlir::linalg::GenericOp op, llvm::ArrayRef<Place> places,
                                                            const LoopPositions &at, int64_t count,
                                                            llvm::ArrayRef<mlir::Value> results);
  void giveInside(const LoopPositions &at, llvm::ArrayRef<mlir::Value> values);
  bool movesAlongN(const Access &access);
  bool liesSideBySide(const Access &access, int64_t count);
  llvm::SmallVector<mlir::Value> loadRun(const Place &from, const LoopPositions &at, int64_t count);
  void storeRun(const Place &to, const LoopPositions &at, llvm::ArrayRef<mlir::Value> values);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b);

  mlir::RewriterBase &rewriter;
  mlir::Location loc;
  const ContractionGroup &group;
  const Contraction &product;
  const ContractionPlan &plan;
  std::optional<LoopPositions> corner;
  Place result;
  llvm::SmallVector<Place> ofFill, ofEpilogue; ///< their operands
};

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_EPILOGUEEMITTER_H
