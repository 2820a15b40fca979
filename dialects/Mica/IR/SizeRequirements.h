//===- SizeRequirements.h - constraints that only sizes at run time decide ---------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A verifier decides a labelled constraint as far as sizes are static, and lists the undecided rest, from which
// run-time checks are generated (dialects/MicaSched/IR/ReshapeChecks.cpp), so that both have one definition.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_SIZEREQUIREMENTS_H
#define MICA_DIALECTS_MICA_IR_SIZEREQUIREMENTS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"

namespace mica {

/// A size in a constraint.
struct ConstrainedSize {
  /// The name of its tensor in messages: "lhs".
  std::string name;
  /// The tensor, or null: then `size` is a constant or an operand of type index.
  mlir::Value tensor;
  int64_t dim = 0;
  mlir::OpFoldResult size = {};
  /// The result that `dim` belongs to, if the size is the inferred one, from which the written type may differ.
  int64_t inferredResult = -1;

  /// The value, if it is static.
  std::optional<int64_t> known() const;
  /// "dim 1 of lhs".
  std::string text() const;
};

/// Requires that `expression`, of one symbol per entry of `sizes`, is 0 or, if it is not an equality, at least 0.
struct SizeRequirement {
  std::string label; ///< of the constraint: "C3"
  mlir::AffineExpr expression;
  bool isEquality;
  llvm::SmallVector<ConstrainedSize, 2> sizes;
  std::string message; ///< if the constraint is violated; {0}, {1}, .. are replaced by the sizes
};

/// The requirements of a valid mica operation that its types do not decide, in the order of its constraints; empty for
/// other operations. Runs the operation's verifier.
llvm::SmallVector<SizeRequirement> openSizeRequirements(mlir::Operation *op);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_SIZEREQUIREMENTS_H
