//===- RowGroup.h - structured ops that share rows --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A row group is a run of structured ops on buffers, at least one of which reduces, whose loops are all rows first and
// then what lies within a row:
//
//   reduce   sums or the like over a row, to a number per row
//   map      an element of the row each
//   scalar   a number per row
//
// One cooperative group does all ops of a group for a row: what one op writes in a row only the same row's later ops
// read, and of elements within a row each thread reads only what it has written itself. So nobody waits for memory.
// Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_ROWGROUP_H
#define MICA_PASSES_CODEGEN_GPU_ROWGROUP_H

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace mica::device {

/// How a cooperative group divides a row.
struct RowPlan {
  int64_t group = 0;    ///< number within the function: ops with the same one are a launch
  int64_t lanes = 32;   ///< threads of a cooperative group: whole warps
  int64_t elements = 1; ///< consecutive elements that a thread takes at once
  std::string reason;   ///< why it was selected, for readers

  codegen::GpuReductionConfigAttr toAttr(mlir::MLIRContext *context) const;
  /// Nullopt where `op` has none.
  static std::optional<RowPlan> of(mlir::Operation *op);
};

/// One op of a group with its loops in the group's order: rows, then what lies within one.
struct RowOp {
  enum class Kind { Scalar, Map, Reduce };
  mutable mlir::linalg::GenericOp op; ///< queries of an interface are not const
  Kind kind = Kind::Scalar;
  llvm::SmallVector<unsigned> place; ///< of each of the op's loops among the group's

  /// The indexing map of `operand` from the group's loops; `loops`: how many there are.
  mlir::AffineMap mapOf(mlir::OpOperand &operand, unsigned loops) const;
};

struct RowGroup {
  unsigned rows = 0, inner = 0;     ///< loops over rows and within one
  llvm::SmallVector<int64_t> sizes; ///< of them all
  llvm::SmallVector<RowOp> ops;     ///< in order

  unsigned loops() const { return rows + inner; }
  /// Elements of a row and how many rows there are; nullopt where only the host at run time knows.
  std::optional<int64_t> innerSize() const;
  std::optional<int64_t> rowCount() const;
  /// How many consecutive elements each access of a row can take in `bytes` bytes; 1 where they do not lie side by
  /// side.
  int64_t elementsAtOnce(int64_t bytes) const;
};

/// Verifies that `group` can be launched as the configs of its ops say: they agree, and each access of `plan.elements`
/// lies within a row, aligned, in at most 16 bytes. The error on the op names the possible values.
llvm::LogicalResult verifyPlan(const RowPlan &plan, const RowGroup &group);

/// The op that makes one element of a reduction of two, with its neutral element; of each result of `op`.
struct Combiner {
  mlir::Operation *op;
  mlir::TypedAttr neutral;
};
/// Nullopt, with why, where a result is not combined by one op that has a neutral element.
std::optional<llvm::SmallVector<Combiner>> combinersOf(mlir::linalg::GenericOp op, std::string &why);

/// The group that a cooperative group should do with the reduction `run[seed]`: the widest part of `run` (consecutive
/// ops with nothing that has effects in between) around it, beginning at `from` at the earliest. `begin` gets where it
/// begins. Nullopt with why, empty where a thread per result is as good.
std::optional<RowGroup> groupAround(llvm::ArrayRef<mlir::linalg::GenericOp> run, size_t from, size_t seed,
                                    size_t &begin, std::string &why);

/// The group of ops that are known to make one (what groupAround() gave).
RowGroup groupOf(llvm::ArrayRef<mlir::linalg::GenericOp> ops);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_ROWGROUP_H
