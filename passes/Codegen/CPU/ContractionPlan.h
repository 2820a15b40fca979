//===- ContractionPlan.h - how a contraction, convolution or pooling is computed ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One description covers matmul, batch matmul, matvec, any einsum of two operands, convolution and pooling: a
// linalg op with reduction loops is cut into register blocks of `rows` x `lanes` results, where `lanes` run
// along one parallel loop whose elements lie side by side in the result. Two forms:
//
//   outer  for each step of the reduction: lanes of one operand times one element of the other, per row
//          (needs an operand that is contiguous along the lane loop, or whose panel is packed to be)
//   dot    for each result: lanes along a reduction loop, added up at the end (small row counts, operand
//   [out][in])
//
// The plan is chosen by mica-cpu-select-contraction-config, lies on the op as #mica_codegen.contraction_config, and is
// obeyed by mica-cpu-tile-contraction and mica-cpu-vectorize-contraction.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_CONTRACTIONPLAN_H
#define MICA_PASSES_CODEGEN_CPU_CONTRACTIONPLAN_H

#include "dialects/MicaCodegen/IR/LaneAccess.h"
#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace mica::cpu {

/// What a plan may count on.
struct CpuTarget {
  int64_t vectorBits = 512;
  int64_t l1Bytes = 32 * 1024;
  int64_t l2Bytes = 1024 * 1024;

  /// Vector registers the code may use.
  int64_t numRegisters() const { return vectorBits >= 512 ? 32 : 16; }
};

using codegen::classifyAccess;
using codegen::LaneAccess;

/// Vector registers that a step of a register block has in use.
struct RegisterUse {
  int64_t accumulators = 0;
  int64_t operands = 0; ///< vectors of the inputs
  int64_t total() const { return accumulators + operands; }
};

struct ContractionPlan {
  using Form = codegen::ContractionForm;
  Form form = Form::Outer;
  /// Parallel loop the results of a register block run along, side by side in the result.
  int64_t laneDim = -1;
  /// Parallel loop of the block's rows; -1: blocks of one row.
  int64_t rowDim = -1;
  /// Reduction loop the lanes run along (Dot only).
  int64_t dotDim = -1;
  /// Rows of a block.
  int64_t rows = 1;
  /// Results of a block along laneDim: a multiple of the vector length in the form Outer.
  int64_t columns = 1;
  /// Elements of one vector.
  int64_t lanes = 1;
  /// Input whose panels of `columns` results are copied to a packed buffer first, once for all rows, which do not move
  /// it; -1: none.
  int64_t packOperand = -1;
  /// Whether blocks with equal lanes follow each other (the panel stays in the first cache), or blocks with
  /// equal rows.
  bool lanesOuter = true;
  /// Size of the outer tile of every loop, 0: not cut. Cut parallel loops are distributed; cut reduction
  /// loops run inside.
  llvm::SmallVector<int64_t> tile;

  /// Whether the loop of a block's rows moves the operand that `map` is of.
  bool movesWithRows(mlir::AffineMap map) const { return rowDim >= 0 && map.isFunctionOfDim(rowDim); }

  /// Why, for people.
  std::string reason;

  /// What a block of `rows` x `columns` results of `elementBits` needs, where each register holds `vectorBits`. An
  /// input that every row reads stays in registers for all rows; of the others there is one vector at a time.
  RegisterUse registerUse(int64_t elementBits, int64_t vectorBits) const;

  codegen::ContractionConfigAttr toAttr(mlir::MLIRContext *context) const;
  static ContractionPlan fromAttr(codegen::ContractionConfigAttr config);
};

/// The op of `func` that these passes handle, if there is exactly one such op that carries the function's
/// work: a contraction, convolution or pooling on tensors. Plain reductions of one operand are not among
/// them.
mlir::linalg::LinalgOp findContraction(mlir::func::FuncOp func);

/// Whether the vector form of `op`'s body can be made: every op in it is elementwise, a constant or
/// linalg.index.
bool hasVectorizableBody(mlir::linalg::LinalgOp op);

/// Makes transposes, broadcasts and copies in front of `op`'s inputs part of its indexing maps.
void foldOperandMoves(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op);

/// The plan for `op`, or nullopt where no lane loop exists (then the general strategy takes the kernel).
std::optional<ContractionPlan> planContraction(mlir::linalg::LinalgOp op, const CpuTarget &target);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_CONTRACTIONPLAN_H
