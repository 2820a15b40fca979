//===- InterleavedReducer.h - register blocks of dot-product instructions -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The reduction loops of a register block in the form `interleaved`: each instruction adds four products of 8-bit
// integers to each lane of 32 bits. The instruction of x86 (VPDPBUSD) multiplies unsigned by signed integers and takes
// no zero points, so other products are corrected by sums, exactly, modulo 2^32. With x of the rows, y of the lanes and
// K steps:
//
//   sum (x - zx) * (y - zy)  =  sum x * y'  -  zy' * sum x  -  zx * sum y'  +  K * zx * zy'
//
// y' is y, or y moved into the other range of 8-bit integers by 128 if x and y have the same sign; zy' is its zero
// point. On machines without that instruction, those of the even and odd steps are widened to 16 bits in registers, and
// two instructions (PMADDWD) add two products each. They need no moving.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_INTERLEAVEDREDUCER_H
#define MICA_PASSES_CODEGEN_CPU_INTERLEAVEDREDUCER_H

#include "dialects/MicaCodegen/IR/ByteProducts.h"
#include "passes/Codegen/CPU/BlockReducer.h"

namespace mica::cpu {

class InterleavedReducer : public BlockReducer {
protected:
  /// `hasByteDots`: whether there is an instruction for four products of 8-bit integers; else there is one for pairs of
  /// 16-bit integers.
  InterleavedReducer(mlir::RewriterBase &rewriter, FusedGroup &group, const ContractionPlan &plan, bool hasByteDots)
      : BlockReducer(rewriter, group, plan), hasByteDots(hasByteDots) {}

  /// Determines the factors of the root; must succeed before the other functions are called.
  mlir::LogicalResult matchFactors();
  /// Packs the factor of the lanes at `point` to [panel][outer reductions..][groups of 4 steps][vectors][GroupPart],
  /// and adds up its columns if that is needed.
  void packGroups(Point &point);
  /// Adds up the rows of the other factor at `point` if that is needed, and widens them if enough panels read them.
  void prepareRows(Point &point);
  /// The reduced values of the block, from `start` on: rows x vectors values, row by row.
  Values interleavedProducts(Point &point, int64_t rows, const Lanes &lanes, Values start);

private:
  bool needsRowSums() const { return mustMove() || factors.lane.zeroPoint; }
  bool needsColumnSums() const { return static_cast<bool>(factors.row.zeroPoint); }
  /// Whether the packed factor has to get the other sign.
  bool mustMove() const { return hasByteDots && factors.row.isSigned == factors.lane.isSigned; }
  int64_t groupLanes() const { return 4 * plan.lanes; }

  /// One vector of groups of a factor: their bytes; or, without an instruction for these, the bytes of the even and of
  /// the odd steps, as pairs of 16-bit integers.
  struct GroupPart {
    mlir::Value bytesOrEven, odd;
  };
  GroupPart partOf(mlir::Value groupBytes, bool isSigned);
  GroupPart loadPart(const Point &point, int64_t vector);
  void storePart(mlir::Value groupBytes, const Point &point, int64_t vector);
  GroupPart rowPart(const Point &point, std::optional<mlir::OpFoldResult> rest);
  mlir::Value dot(mlir::Value sum, const GroupPart &ofRow, const GroupPart &ofLane);
  bool widensRows();
  Values widePosition(const Point &point);
  void widenRow(Point &point);
  mlir::Value sumOfRow(Point &point);
  mlir::Value bytes(int64_t value);
  mlir::Value moved(mlir::Value packedBytes);
  mlir::Value evaluate(mlir::Value inBody);
  mlir::Value asLanes(mlir::Value vector, bool toBytes);
  Values groupPosition(const Point &point, int64_t vector);
  void packGroup(Point &point, const Lanes &lanes, int64_t first, std::optional<mlir::OpFoldResult> rest);
  void packTransposed(Point &point, int64_t vectors);
  void sumColumns(Point &point, const Lanes &lanes);
  mlir::Value rowTerm(Point &point, int64_t row);
  /// All reduction loops: `step` is called for each group; `rest` is the number of its steps if there may be fewer than
  /// four.
  Values groupLoops(Point &point, mlir::ValueRange carried,
                    llvm::function_ref<Values(std::optional<mlir::OpFoldResult> rest, mlir::ValueRange)> step);

  const bool hasByteDots;
  codegen::ByteProducts factors;
  llvm::SmallVector<unsigned> outerReductions; ///< all but plan.dotDim
  mlir::Value groups;                          ///< the packed factor
  mlir::Value columnSums;                      ///< [panel][columns], of the packed factor
  mlir::Value rowSums;                         ///< [row]
  mlir::Value wideRows; ///< [row][outer reductions..][groups][even and odd pair]; null: widened where they are used
  mlir::Value rowZero, laneZero; ///< zx and zy'; null for 0
};

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_INTERLEAVEDREDUCER_H
