//===- BlockBuilder.h - index arithmetic, loops and vectors of register blocks ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Building blocks of register-block code (BlockEmitter.h): loops over rows, lanes and single elements of the root's
// iteration space, loads and stores of vectors along the lane loop, and the bodies of linalg ops on vectors.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_BLOCKBUILDER_H
#define MICA_PASSES_CODEGEN_CPU_BLOCKBUILDER_H

#include "passes/Codegen/CPU/ContractionPlan.h"
#include "passes/Codegen/CPU/FusedGroup.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mica::cpu {

class BlockBuilder {
protected:
  /// The position of a register block in the iteration space: one value per loop of the root.
  using Point = llvm::SmallVector<mlir::OpFoldResult>;
  using Values = llvm::SmallVector<mlir::Value>;

  BlockBuilder(mlir::RewriterBase &rewriter, FusedGroup &group, const ContractionPlan &plan)
      : b(rewriter), group(group), plan(plan), root(group.root), loc(group.root.getLoc()) {}

  /// The lanes of a block: `vectors` vectors, of which only the first `count` elements are valid if `count` is set.
  struct Lanes {
    int64_t vectors;
    std::optional<mlir::OpFoldResult> count;
  };

  // --- index arithmetic
  mlir::OpFoldResult constant(int64_t value) { return b.getIndexAttr(value); }
  mlir::Value value(mlir::OpFoldResult v) { return mlir::getValueOrCreateConstantIndexOp(b, loc, v); }
  mlir::OpFoldResult apply(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands) {
    return mlir::affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  mlir::OpFoldResult add(mlir::OpFoldResult v, int64_t offset) {
    return offset == 0 ? v : apply(b.getAffineDimExpr(0) + offset, {v});
  }
  mlir::OpFoldResult smaller(mlir::OpFoldResult x, mlir::OpFoldResult y) {
    mlir::AffineMap map = mlir::AffineMap::get(2, 0, {b.getAffineDimExpr(0), b.getAffineDimExpr(1)}, b.getContext());
    return mlir::affine::makeComposedFoldedAffineMin(b, loc, map, {x, y});
  }
  Values indices(mlir::AffineMap map, const Point &point) {
    Values result;
    for (mlir::AffineExpr expr : map.getResults()) {
      if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr))
        result.push_back(value(point[dim.getPosition()]));
      else
        result.push_back(value(mlir::affine::makeComposedFoldedAffineApply(
            b, loc, mlir::AffineMap::get(map.getNumDims(), 0, expr), point)));
    }
    return result;
  }

  // --- loops
  Values forLoop(mlir::OpFoldResult lower, mlir::OpFoldResult upper, int64_t step, mlir::ValueRange carried,
                 llvm::function_ref<Values(mlir::OpFoldResult, mlir::ValueRange)> body);
  Values unitLoops(llvm::ArrayRef<unsigned> dims, Point &point, mlir::ValueRange carried,
                   llvm::function_ref<Values(mlir::ValueRange)> body);
  void unitLoops(llvm::ArrayRef<unsigned> dims, Point &point, llvm::function_ref<void()> body) {
    unitLoops(dims, point, {}, [&](mlir::ValueRange) {
      body();
      return Values();
    });
  }
  /// Runs `body` once per `step` iterations of loop `dim` from `from` on, and at the end for the remaining ones, whose
  /// number is `rest`; nullopt: all are there.
  Values strips(unsigned dim, mlir::OpFoldResult from, int64_t step, Point &point, mlir::ValueRange carried,
                llvm::function_ref<Values(std::optional<mlir::OpFoldResult> rest, mlir::ValueRange)> body);
  void countedBlocks(unsigned dim, int64_t block, Point &point, llvm::function_ref<void(int64_t)> body);
  void laneBlocks(Point &point, llvm::function_ref<void(Lanes)> body);

  // --- values
  mlir::Value loadVector(mlir::Value buffer, mlir::ValueRange position, int64_t lanes, mlir::Value mask);
  void storeVector(mlir::Value v, mlir::Value buffer, mlir::ValueRange position, mlir::Value mask);
  void storeLanes(mlir::Value v, mlir::Value buffer, Values position, const Lanes &lanes, int64_t vector,
                  int64_t width);
  mlir::Value gather(mlir::Value buffer, mlir::AffineMap map, const Point &point, int64_t lanes,
                     std::optional<mlir::OpFoldResult> last);
  mlir::Value loadStrided(mlir::Value buffer, mlir::AffineMap map, const Point &point, int64_t lanes, int64_t stride,
                          std::optional<mlir::OpFoldResult> count);
  mlir::Value loadScattered(mlir::Value buffer, mlir::AffineMap map, const Point &point, const Lanes &lanes,
                            int64_t vector, int64_t width);
  mlir::Value toVector(mlir::Value v, int64_t lanes) {
    return mlir::isa<mlir::VectorType>(v.getType())
               ? v
               : mlir::vector::BroadcastOp::create(b, loc, mlir::VectorType::get({lanes}, v.getType()), v).getResult();
  }
  /// The values of loop `dim` in `lanes` adjacent elements.
  mlir::Value indexVector(mlir::OpFoldResult first, int64_t lanes) {
    mlir::Value steps = mlir::vector::StepOp::create(b, loc, mlir::VectorType::get({lanes}, b.getIndexType()));
    return mlir::arith::AddIOp::create(b, loc, toVector(value(first), lanes), steps);
  }
  std::optional<mlir::OpFoldResult> countFor(const Lanes &lanes, int64_t vector, int64_t width);
  mlir::Value maskFor(const Lanes &lanes, int64_t vector, int64_t width);
  Values emitBody(mlir::linalg::LinalgOp op, int64_t width, llvm::function_ref<mlir::Value(mlir::OpOperand *)> operand,
                  llvm::function_ref<mlir::Value(unsigned)> index);

  mlir::RewriterBase &b;
  FusedGroup &group;
  const ContractionPlan &plan;
  mlir::linalg::LinalgOp root;
  mlir::Location loc;
  llvm::SmallVector<mlir::OpFoldResult> sizes; ///< of the root's loops; must be set before any loop is created
};

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_BLOCKBUILDER_H
