//===- ContractionCost.h - what the selection of a contraction's config compares ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The sizes and operands of a contraction, and the model of the time that its register blocks take. Read by the
// selection of configs (ContractionPlan.cpp) and of stored panels (PanelPlan.cpp).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_CONTRACTIONCOST_H
#define MICA_PASSES_CODEGEN_CPU_CONTRACTIONCOST_H

#include "mica/Support/Checked.h"
#include "passes/Codegen/CPU/ContractionPlan.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace mica::cpu {

/// Assumed for a dynamic size, which is usually a batch.
inline constexpr int64_t kUnknownSize = 64;

/// Whether every result of `map` is a distinct loop: no sums, no constants.
inline bool isSubsetOfLoops(mlir::AffineMap map) { return map.isProjectedPermutation(/*allowZeroInResults=*/false); }

/// The properties of an op on which the selection depends.
struct ContractionShape {
  mutable mlir::linalg::LinalgOp op; ///< queries of an interface are not const
  llvm::SmallVector<int64_t> sizes;  ///< per loop, may be dynamic
  mlir::AffineMap resultMap;
  llvm::SmallVector<std::pair<unsigned, mlir::AffineMap>>
      inputs; ///< tensors of rank > 0 that the body reads, by operand

  int64_t repeats; ///< how often the op runs in a row with other rows alone

  explicit ContractionShape(mlir::linalg::LinalgOp op, int64_t repeats = 1)
      : op(op), sizes(op.getStaticLoopRanges()), repeats(repeats) {
    resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (auto [i, input] : llvm::enumerate(op.getDpsInputOperands()))
      if (mlir::isa<mlir::RankedTensorType>(input->get().getType()) && !op.getMatchingBlockArgument(input).use_empty())
        inputs.push_back({static_cast<unsigned>(i), op.getMatchingIndexingMap(input)});
  }

  bool isParallel(unsigned dim) const { return mlir::linalg::isParallelIterator(op.getIteratorTypesArray()[dim]); }
  bool isStatic(unsigned dim) const { return !mlir::ShapedType::isDynamic(sizes[dim]); }
  int64_t sizeOr(unsigned dim, int64_t other) const { return isStatic(dim) ? sizes[dim] : other; }
  int64_t size(unsigned dim) const { return sizeOr(dim, kUnknownSize); }
  int64_t elementBytes() const {
    return std::max<int64_t>(1, op.getRegionOutputArgs()[0].getType().getIntOrFloatBitWidth() / 8);
  }

  /// The work of one result element and of all of them, in multiply-adds.
  int64_t reductionSize() const {
    int64_t product = 1;
    for (unsigned d = 0; d < sizes.size(); ++d)
      if (!isParallel(d))
        product = mica::saturatingMul(product, size(d));
    return product;
  }
  int64_t parallelSize() const {
    int64_t product = 1;
    for (unsigned d = 0; d < sizes.size(); ++d)
      if (isParallel(d))
        product = mica::saturatingMul(product, size(d));
    return product;
  }
  /// How many results read each element of `map`'s operand.
  int64_t reuse(mlir::AffineMap map) const {
    int64_t product = repeats;
    for (unsigned d = 0; d < sizes.size(); ++d)
      if (isParallel(d) && !map.isFunctionOfDim(d))
        product = mica::saturatingMul(product, size(d));
    return product;
  }
  /// Whether an input that moves along loop `laneDim` and not along `rowDim` exceeds `bytes`. Windows are not counted:
  /// their steps read the same elements again.
  bool isLaneOperandLarger(int64_t laneDim, int64_t rowDim, int64_t bytes) const {
    return llvm::any_of(inputs, [&](auto &input) {
      int64_t elements = elementBytes();
      for (unsigned d = 0; d < sizes.size(); ++d)
        if (input.second.isFunctionOfDim(d))
          elements = mica::saturatingMul(elements, size(d));
      return elements > bytes && isSubsetOfLoops(input.second) && input.second.isFunctionOfDim(laneDim) &&
             (rowDim < 0 || !input.second.isFunctionOfDim(rowDim));
    });
  }
};

/// Cost model for `rows` x `columns` results in blocks of `r` x `u` vectors of `lanes`, in cycles per reduction step:
/// one multiply-add and two loads a cycle, and at least eight independent accumulators to hide the latency. Edges cost
/// as much as their smaller blocks. The first pass over a panel that comes from memory takes `vectorCycles` per vector
/// at least; while later ones read it from a cache, memory is idle.
struct BlockCost {
  int64_t rows, columns, lanes, vectorCycles = 0;

  /// Bytes that a core reads from memory in a cycle, to about a half more or less on the machines that were measured.
  static constexpr int64_t kBytesPerCycle = 4;
  BlockCost(int64_t rows, int64_t columns, int64_t lanes) : rows(rows), columns(columns), lanes(lanes) {}
  BlockCost(const ContractionShape &shape, const ContractionPlan &plan, const CpuTarget &target, int64_t rows,
            int64_t columns)
      : rows(rows), columns(columns), lanes(plan.lanes) {
    if (shape.isLaneOperandLarger(plan.laneDim, plan.rowDim, 2 * target.l2Bytes))
      vectorCycles = lanes * shape.elementBytes() / kBytesPerCycle;
  }

  static int64_t block(int64_t r, int64_t u) { return std::max<int64_t>({8, r * u, r + u}); }
  int64_t columnPass(int64_t r, int64_t u, bool isFirst) const {
    auto cost = [&](int64_t vectors) { return std::max(block(r, vectors), isFirst ? vectors * vectorCycles : 0); };
    int64_t panel = u * lanes, rest = columns % panel;
    return columns / panel * cost(u) + (rest ? cost(llvm::divideCeil(rest, lanes)) : 0);
  }
  int64_t total(int64_t r, int64_t u) const {
    int64_t rest = rows % r;
    return columnPass(r, u, /*isFirst=*/true) + (rows / r - 1) * columnPass(r, u, /*isFirst=*/false) +
           (rest ? columnPass(rest, u, /*isFirst=*/false) : 0);
  }
};

/// The blocks of the form Transposed that take the least time.
struct TransposedBlock {
  int64_t cost = std::numeric_limits<int64_t>::max(); ///< as BlockCost
  int64_t rows = 0, columns = 0;                      ///< of the config
};

/// The cheapest block of the form Transposed, with vectors along plan.rowDim; no rows if there is none that takes less
/// time than `plan`. That every input is contiguous or constant along plan.rowDim is for the caller to see to.
TransposedBlock betterTransposedBlock(const ContractionShape &shape, const CpuTarget &target,
                                      const ContractionPlan &plan);

/// Whether the products are combined by one op, from whose neutral element sums may start.
bool hasOneCombiner(mlir::linalg::LinalgOp op);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_CONTRACTIONCOST_H
