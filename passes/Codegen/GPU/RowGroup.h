//===- RowGroup.h - structured ops that share rows --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A row group is a sequence of structured ops on buffers, at least one of which is a reduction, whose loops are rows
// first and then loops within a row:
//
//   reduce   reduces a row to a scalar per row
//   map      computes elements of the row
//   scalar   computes a scalar per row
//
// One cooperative group computes all ops of a group for a row: values that an op writes in a row are only read by later
// ops of the same row, and each thread reads only those elements within a row that it has written itself. So no
// synchronization through memory is needed. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_ROWGROUP_H
#define MICA_PASSES_CODEGEN_GPU_ROWGROUP_H

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace mica::device {

/// The distribution of a row over a cooperative group.
struct RowPlan {
  int64_t group = 0;    ///< number within the function: ops with the same number form a launch
  int64_t lanes = 32;   ///< threads of a cooperative group: whole warps
  int64_t elements = 1; ///< consecutive elements per access of a thread
  std::string reason;   ///< why it was selected, for users

  codegen::GpuReductionConfigAttr toAttr(mlir::MLIRContext *context) const;
  /// Nullopt where `op` has none.
  static std::optional<RowPlan> of(mlir::Operation *op);
};

/// One op of a group with its loops in the group's order: rows, then the loops within a row.
struct RowOp {
  enum class Kind { Scalar, Map, Reduce };
  mutable mlir::linalg::GenericOp op; ///< queries of an interface are not const
  Kind kind = Kind::Scalar;
  llvm::SmallVector<unsigned> place; ///< position of each of the op's loops among the group's

  /// The indexing map of `operand` from the group's `loops` loops.
  mlir::AffineMap mapOf(mlir::OpOperand &operand, unsigned loops) const;
};

struct RowGroup {
  unsigned rows = 0, inner = 0;     ///< loops over rows and within one
  llvm::SmallVector<int64_t> sizes; ///< of all loops
  llvm::SmallVector<RowOp> ops;     ///< in program order

  unsigned loops() const { return rows + inner; }
  /// Elements of a row, and the number of rows; nullopt if dynamic.
  std::optional<int64_t> innerSize() const;
  std::optional<int64_t> rowCount() const;
  /// The number of consecutive elements per access of a row of at most `bytes` bytes; 1 if they are not contiguous.
  int64_t elementsAtOnce(int64_t bytes) const;
};

/// Verifies that the configs of the ops of `group` can be launched: they agree, and each access of `plan.elements` is
/// within a row, aligned, and has at most 16 bytes. The error on the op lists the valid values.
llvm::LogicalResult verifyPlan(const RowPlan &plan, const RowGroup &group);

/// The combiner op of a reduction with its neutral element, for one result of an op.
struct Combiner {
  mlir::Operation *op;
  mlir::TypedAttr neutral;
};
/// Nullopt, with the reason, if a result is not combined by one op with a neutral element.
std::optional<llvm::SmallVector<Combiner>> combinersOf(mlir::linalg::GenericOp op, std::string &why);

/// The group for the reduction `run[seed]`: the longest part of `run` (consecutive ops without effects in between)
/// around it, beginning at `from` or later. `begin` receives its first position. Nullopt with the reason, which is
/// empty if a thread per result is as good.
std::optional<RowGroup> groupAround(llvm::ArrayRef<mlir::linalg::GenericOp> run, size_t from, size_t seed,
                                    size_t &begin, std::string &why);

/// The group of ops that are known to form one (the result of groupAround()).
RowGroup groupOf(llvm::ArrayRef<mlir::linalg::GenericOp> ops);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_ROWGROUP_H
