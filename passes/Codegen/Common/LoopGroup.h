//===- LoopGroup.h - linalg ops that become one loop nest ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What VectorizeLoops.cpp decides before it writes a loop: which neighbouring linalg.generic ops on buffers share one
// nest, in which order the dimensions are looped over, along which one the code is vectorized and how wide.
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
  mlir::Operation *combiner = nullptr; ///< null: the body is no known reduction and stays scalar
  mlir::vector::CombiningKind kind = mlir::vector::CombiningKind::ADD;
  mlir::TypedAttr neutral; ///< of the element type
};

/// One op of a group.
struct GroupMember {
  mlir::linalg::GenericOp op;
  unsigned firstReduction = 0;             ///< position in the loop order from which on all dimensions are reductions
  llvm::SmallVector<Reduction> reductions; ///< one per result; empty where nothing is reduced
  /// The op finds the position of an extremum: results (value, position), of which the comparison is `argCompare`.
  mlir::Operation *argCompare = nullptr;
  /// One per result of an op that reduces: the result is indexed by a reduction, so each step writes an element of its
  /// own (a running sum), and the steps are made in order.
  llvm::SmallVector<bool> writtenPerStep;

  bool reduces() const { return !reductions.empty(); }
  bool scans() const { return llvm::is_contained(writtenPerStep, true); }
};

/// Ops that share one loop nest, in program order.
struct LoopGroup {
  llvm::SmallVector<GroupMember> members;
  llvm::SmallVector<mlir::OpFoldResult> sizes; ///< per dimension; empty until `computeSizes` made them
  llvm::SmallVector<unsigned> order;           ///< dimensions from the outermost loop to the innermost
  std::optional<unsigned> vectorDim;           ///< none: scalar code
  llvm::SmallVector<int64_t> lanes;            ///< widths of the loops along `vectorDim`, falling, the last is 1

  unsigned numDims() const { return order.size(); }
  unsigned positionOf(unsigned dim) const { return llvm::find(order, dim) - order.begin(); }
};

/// How the address of an operand of type `type`, accessed through `map`, changes with `dim`; nullopt if not linearly.
Access classifyAccess(mlir::Type type, mlir::AffineMap map, unsigned dim);

/// The last position in the group's loop order of a dimension that `map` uses; -1 if it uses none.
int lastPosition(const LoopGroup &group, mlir::AffineMap map);

/// Collects, starting at `first`, the generics of its block that can share one nest with it, and decides order, vector
/// dimension and widths. `vectorBits` 0: scalar code, no sharing. The nest must be placed where the last member is.
LoopGroup formGroup(mlir::linalg::GenericOp first, int64_t vectorBits);

/// Why a group has no vector dimension, and whether vectors could have been better: nobody wanted them, or one element
/// gains nothing by them.
struct ReasonForScalars {
  llvm::StringRef text;
  bool isLoss = false;
};

/// Of the group that begins with `first`.
ReasonForScalars reasonForScalars(mlir::linalg::GenericOp first, int64_t vectorBits);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_COMMON_LOOPGROUP_H
