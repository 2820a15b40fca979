//===- Shadow.cpp - evaluating ops without rounding ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Shadow.h. Between ops, values keep the precision in which the op left them: an op that computes in its own type
// first rounds its operands.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Shadow.h"

#include "dialects/Mica/Reference/Bounds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;

namespace mica::reference {
namespace {

/// Ops that evaluate nested ops, which round themselves.
bool isControlFlow(Operation *op) {
  return isa<func::CallOp>(op) || (op->getNumRegions() != 0 && !isa<linalg::LinalgOp>(op));
}

/// Moves elements, makes constants, or casts to a wider type.
bool isTransparent(Operation *op) {
  return isa<arith::ExtFOp>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
         (boundRule(op).kind == BoundRule::Kind::Move && !isa<linalg::LinalgOp>(op));
}

/// In place. `isWide`: to f32, if the type is narrower.
void roundTo(Tensor &tensor, bool isWide) {
  if (!tensor.elementType().isFloat || tensor.isBuffer())
    return;
  const ElementType narrow = tensor.elementType();
  if (!isWide || narrow.bits >= 64)
    return tensor.roundAll();
  // f32 is not rounded: its next wider type is that of the cells.
  if (narrow.bits >= 32)
    return;
  Tensor wide = tensor.retyped(DType::F32);
  wide.roundAll();
  tensor = wide.retyped(narrow);
}

SmallVector<HostTensor> asDoubles(ArrayRef<Tensor> tensors) {
  SmallVector<HostTensor> host;
  for (const Tensor &tensor : tensors)
    host.push_back(tensor.elementType().isFloat && !tensor.isBuffer() ? tensor.retyped(DType::F64).toHost()
                                                                      : HostTensor());
  return host;
}

} // namespace

LogicalResult runInShadow(Operation *op, const OpTable::Fn &fn, Operands in, Results &out, Evaluator &evaluator) {
  if (isControlFlow(op))
    return fn(op, in, out, evaluator);
  const Shadow &shadow = *evaluator.options.shadow;
  const bool isMoved = isTransparent(op);
  const bool isWide = shadow.wide.contains(op);
  if (!isMoved && !shadow.isExact)
    for (Tensor &operand : in)
      roundTo(operand, isWide);
  {
    const WithoutRounding exact;
    if (failed(fn(op, in, out, evaluator)))
      return failure();
  }
  if (isMoved)
    return success();
  const bool isSeen =
      shadow.onOp && llvm::any_of(out, [](const Tensor &result) { return result.elementType().isFloat; });
  const SmallVector<HostTensor> before = isSeen ? asDoubles(out) : SmallVector<HostTensor>();
  if (!shadow.isExact)
    for (Tensor &result : out)
      roundTo(result, isWide);
  if (isSeen)
    shadow.onOp(op, before, asDoubles(out));
  return success();
}

} // namespace mica::reference
