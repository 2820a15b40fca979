//===- LoopGroup.h - grouping linalg ops into one loop nest -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The decisions of VectorizeLoops.cpp: which adjacent linalg.generic ops on buffers share one nest, the order of its
// loops, the dimension that is vectorized, and the vector width.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_LOOPGROUP_H
#define MICA_PASSES_CODEGEN_COMMON_LOOPGROUP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mica::cpu {

/// How an operand's address changes with one loop dimension.
enum class Access { Invariant, Contiguous, Strided };

/// How one result of an op that reduces is combined.
struct Reduction {
  mlir::Operation *combiner = nullptr; ///< null: the body is not a known reduction and stays scalar
  mlir::vector::CombiningKind kind = mlir::vector::CombiningKind::ADD;
  mlir::TypedAttr neutral; ///< of the element type
};

/// One op of a group.
struct GroupMember {
  mlir::linalg::GenericOp op;
  unsigned firstReduction = 0;             ///< position in the loop order from which on all dimensions are reductions
  llvm::SmallVector<Reduction> reductions; ///< one per result; empty without reductions
  /// Set if the op finds the position of an extremum: its results are (value, position), compared by `argCompare`.
  mlir::Operation *argCompare = nullptr;
  /// One per result of an op with reductions: the result is indexed by a reduction, so each step writes a separate
  /// element (a running sum), and the steps must run in order.
  llvm::SmallVector<bool> writtenPerStep;

  bool reduces() const { return !reductions.empty(); }
  bool scans() const { return llvm::is_contained(writtenPerStep, true); }
};

/// Ops that share one loop nest, in program order.
struct LoopGroup {
  llvm::SmallVector<GroupMember> members;
  llvm::SmallVector<mlir::OpFoldResult> sizes; ///< per dimension; empty before `computeSizes`
  llvm::SmallVector<unsigned> order;           ///< dimensions from the outermost loop to the innermost
  std::optional<unsigned> vectorDim;           ///< none: scalar code
  llvm::SmallVector<int64_t> lanes;            ///< widths of the loops along `vectorDim`, decreasing, the last is 1
  /// Set if inputs are contiguous along this dimension and results along `vectorDim`: the two innermost loops run over
  /// square blocks of `lanes.front()` elements a side, which are transposed in registers.
  std::optional<unsigned> transposedDim;

  unsigned numDims() const { return order.size(); }
  unsigned positionOf(unsigned dim) const { return llvm::find(order, dim) - order.begin(); }
};

/// How the address of an operand of type `type`, accessed through `map`, changes with `dim`.
Access classifyAccess(mlir::Type type, mlir::AffineMap map, unsigned dim);

/// Whether an input is strided along `dim` but contiguous along `other`, so that square blocks of it can be loaded
/// along `other` and transposed.
bool isTransposed(mlir::OpOperand &operand, unsigned dim, unsigned other);

/// The last position in the group's loop order of a dimension that `map` uses; -1 if it uses none.
int lastPosition(const LoopGroup &group, mlir::AffineMap map);

/// Collects, starting at `first`, the generics of its block that can share a nest with it, and selects loop order,
/// vector dimension and widths. `vectorBits` 0: scalar code, no sharing. The nest must be placed at the last member.
LoopGroup formGroup(mlir::linalg::GenericOp first, int64_t vectorBits);

/// Why a group has no vector dimension, and whether this is a loss: not if vectorization is disabled or there is only
/// one element.
struct ReasonForScalars {
  llvm::StringRef text;
  /// What to change in the program, for perf hints; "" if nothing is lost.
  llvm::StringRef advice;
};

/// The reason for the group that begins with `first`.
ReasonForScalars reasonForScalars(mlir::linalg::GenericOp first, int64_t vectorBits);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_COMMON_LOOPGROUP_H
