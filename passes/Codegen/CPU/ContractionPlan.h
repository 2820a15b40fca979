//===- ContractionPlan.h - the config of a contraction, convolution or pooling -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One description covers matmul, batch matmul, matvec, any einsum of two operands, convolution and pooling: a linalg op
// with reduction loops is split into register blocks of `rows` x `lanes` results, where `lanes` run along a parallel
// loop whose elements are contiguous in the result. Four forms:
//
//   outer        for each step of the reduction: lanes of one operand times one element of the other, per row
//                (needs an operand that is contiguous along the lane loop, or is packed to be)
//   dot          for each result: lanes along a reduction loop, added up at the end (few rows, operand [out][in])
//   interleaved  as outer, with four steps of the reduction by one or two instructions (products of 8-bit integers)
//   transposed   as outer with rows and columns exchanged: vectors run along the rows, and a finished block is
//                transposed (results with short rows; needs an operand that is contiguous along the row loop)
//
// mica-cpu-select-contraction-config selects the config and attaches it to the op as #mica_codegen.contraction_config;
// mica-cpu-tile-contraction and mica-cpu-vectorize-contraction apply it.
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

/// Properties of the processor on which the selection depends.
struct CpuTarget {
  int64_t vectorBits = 512;
  int64_t l1Bytes = 32 * 1024;
  int64_t l2Bytes = 1024 * 1024;
  /// The widest vector for which one instruction adds four products of 8-bit integers to each lane of 32 bits; 0: none.
  int64_t int8DotBits = 0;
  /// The widest vector for whose lanes of 32 bits one instruction adds two products of 16-bit integers; 0: none.
  int64_t int16PairBits = 0;

  /// The number of vector registers that the code may use.
  int64_t numRegisters() const { return vectorBits >= 512 ? 32 : 16; }
};

using codegen::classifyAccess;
using codegen::LaneAccess;

/// The vector registers that one step of a register block uses.
struct RegisterUse {
  int64_t accumulators = 0;
  int64_t operands = 0; ///< vectors of the inputs
  int64_t total() const { return accumulators + operands; }
};

struct ContractionPlan {
  using Form = codegen::ContractionForm;
  Form form = Form::Outer;
  /// The parallel loop of a register block's columns, contiguous in the result.
  int64_t laneDim = -1;
  /// Parallel loop of the block's rows; -1: blocks of one row.
  int64_t rowDim = -1;
  /// The reduction loop of the lanes (Dot), or of the products that one instruction adds (Interleaved).
  int64_t dotDim = -1;
  /// Rows of a block.
  int64_t rows = 1;
  /// Results of a block along laneDim: a multiple of the vector length, except in the forms Dot and Transposed.
  int64_t columns = 1;
  /// Elements of one vector.
  int64_t lanes = 1;
  /// The input whose panels of `columns` results are packed first, once for all rows, which do not index it; -1: none.
  int64_t packOperand = -1;
  /// Whether consecutive blocks have equal lanes (the panel stays in the L1 cache), or equal rows.
  bool lanesOuter = true;
  /// Tile size of every loop, 0: not tiled. Tiled parallel loops are distributed; tiled reduction loops run inside.
  llvm::SmallVector<int64_t> tile;

  /// Whether the row loop indexes the operand with map `map`.
  bool movesWithRows(mlir::AffineMap map) const { return rowDim >= 0 && map.isFunctionOfDim(rowDim); }

  /// The reason for the config, for users.
  std::string reason;

  /// The registers for a block of `rows` x `columns` results of `elementBits`, with registers of `vectorBits`. An input
  /// that every row reads stays in registers for all rows; of the others there is one vector at a time.
  RegisterUse registerUse(int64_t elementBits, int64_t vectorBits) const;

  codegen::ContractionConfigAttr toAttr(mlir::MLIRContext *context) const;
  static ContractionPlan fromAttr(codegen::ContractionConfigAttr config);
};

/// The op of `func` that these passes handle, if there is exactly one such op and it does the main work: a contraction,
/// convolution or pooling on tensors. Reductions of one operand are excluded.
mlir::linalg::LinalgOp findContraction(mlir::func::FuncOp func);

/// Whether `op` is a contraction, convolution or pooling on tensors, and no reduction of one operand.
bool isContraction(mlir::linalg::LinalgOp op);

/// The contractions of a kernel that has several (attention): each is planned for the tile of rows that it computes.
/// Empty if the kernel has one or none.
llvm::SmallVector<mlir::linalg::LinalgOp> findChainedContractions(mlir::func::FuncOp func);

/// Whether `op`'s body can be vectorized: every op in it is elementwise, a constant or linalg.index.
bool hasVectorizableBody(mlir::linalg::LinalgOp op);

/// Folds transposes, broadcasts and copies of `op`'s inputs into its indexing maps.
void foldOperandMoves(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op);

/// `op` as the linalg.generic that configs are selected for: named ops are generalized, moves of operands are folded,
/// and dimensions of one element that hide the contiguous one are dropped. Null, without changes, if there is no such
/// form.
mlir::linalg::GenericOp generalizeContraction(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// How a constant operand of a contraction is stored as panels: [loops over neither lanes nor reductions][panel]
/// [reduction loops][`columns` neighbors along `laneDim`].
struct PanelLayout {
  unsigned operand = 0;            ///< the input
  unsigned laneDim = 0;            ///< the loop of the lanes
  int64_t columns = 1;             ///< results that read one panel: divides the size of laneDim
  llvm::SmallVector<int64_t> dims; ///< the loop of each dimension of the stored operand; kPanel: number of the panel

  static constexpr int64_t kPanel = -1;
};

/// The layout in which panels of an operand of `op` are contiguous, if the plan for `op` would read them from more
/// distant places or pack them at run time. Only the operand that `isConstant` accepts.
std::optional<PanelLayout> planPanels(mlir::linalg::LinalgOp op, const CpuTarget &target,
                                      llvm::function_ref<bool(mlir::OpOperand &)> isConstant);

/// The config for `op`, or nullopt if there is no lane loop (then the general path handles the kernel). `repeats`: how
/// often the op runs in a row with other rows alone, and reads what was packed of other operands again.
std::optional<ContractionPlan> planContraction(mlir::linalg::LinalgOp op, const CpuTarget &target, int64_t repeats = 1);

/// Attaches `plan` to `op`, with a remark.
codegen::ContractionConfigAttr attachPlan(mlir::linalg::LinalgOp op, const ContractionPlan &plan);
/// Leaves a remark at `op`, for which planContraction() has no plan.
void remarkNotPlanned(mlir::linalg::LinalgOp op);

/// Tiles the reduction loops of `op` as `plan` says; the tile of the result is not affected.
llvm::LogicalResult tileReductions(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                                   const ContractionPlan &plan);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_CONTRACTIONPLAN_H
