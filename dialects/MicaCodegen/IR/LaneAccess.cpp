//===- LaneAccess.cpp - accesses of an operand along a loop ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LaneAccess.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/LaneAccess.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mica::codegen;

std::optional<int64_t> mica::codegen::coefficientOf(AffineExpr expr, unsigned dim) {
  if (auto d = dyn_cast<AffineDimExpr>(expr))
    return d.getPosition() == dim ? 1 : 0;
  if (isa<AffineConstantExpr, AffineSymbolExpr>(expr))
    return 0;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = coefficientOf(binary.getLHS(), dim), rhs = coefficientOf(binary.getRHS(), dim);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  if (*lhs == 0 && *rhs == 0)
    return 0;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && constant)
    return *lhs * constant.getValue();
  return std::nullopt;
}

LaneAccess mica::codegen::classifyAccess(AffineMap map, unsigned dim, int64_t *stride) {
  LaneAccess access = LaneAccess::Uniform;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    std::optional<int64_t> coefficient = coefficientOf(expr, dim);
    if (coefficient && *coefficient == 0)
      continue;
    if (!coefficient || i + 1 != map.getNumResults())
      return LaneAccess::Other;
    access = *coefficient == 1 ? LaneAccess::Contiguous : LaneAccess::Strided;
    if (stride)
      *stride = *coefficient;
  }
  return access;
}
