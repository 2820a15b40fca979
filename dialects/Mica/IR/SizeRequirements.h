//===- SizeRequirements.h - constraints that only sizes at run time decide ---------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A verifier decides a labelled constraint as far as types know the sizes. What they leave open, it lists: from that
// list the checks at run time are made (dialects/MicaSched/IR/ReshapeChecks.cpp), so that both have one definition.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_SIZEREQUIREMENTS_H
#define MICA_DIALECTS_MICA_IR_SIZEREQUIREMENTS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"

namespace mica {

/// A size that a constraint is about.
struct ConstrainedSize {
  /// What has the size, in messages: "lhs".
  std::string name;
  /// The tensor, or null: then `size` is a number or an operand of type index.
  mlir::Value tensor;
  int64_t dim = 0;
  mlir::OpFoldResult size = {};
  /// Of the result `dim` is of: the size that follows from the operands, which its type may state differently.
  int64_t inferredResult = -1;

  /// The number, if it is known.
  std::optional<int64_t> known() const;
  /// "dim 1 of lhs".
  std::string text() const;
};

/// `expression`, of one symbol per entry of `sizes`, is 0 or, if it is no equality, at least 0.
struct SizeRequirement {
  std::string label; ///< of the constraint: "C3"
  mlir::AffineExpr expression;
  bool isEquality;
  llvm::SmallVector<ConstrainedSize, 2> sizes;
  std::string message; ///< what holds if the constraint is broken, with {0}, {1}, .. in the places of the sizes
};

/// What the types of a valid operation of `mica` leave open, in the order of its constraints; nothing for others. Runs
/// the operation's verifier.
llvm::SmallVector<SizeRequirement> openSizeRequirements(mlir::Operation *op);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_SIZEREQUIREMENTS_H
