//===- VerifyOps.cpp - constraints of the dialect `mica` ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The labelled constraints of each operation, in the order of its description. A message begins with the constraint's
// label and names the values that break it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"
#include "mica/Support/Checked.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;

//===------------------------------------------------------------------------------------------------------------===//
// Elementwise
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult AddOp::verifyConstraints() { return verifyBinary(*this, Elements::Number); }
LogicalResult SubOp::verifyConstraints() { return verifyBinary(*this, Elements::Number); }
LogicalResult MulOp::verifyConstraints() { return verifyBinary(*this, Elements::Any); }
LogicalResult DivOp::verifyConstraints() { return verifyBinary(*this, Elements::Number); }
LogicalResult MaxOp::verifyConstraints() { return verifyBinary(*this, Elements::Any); }
LogicalResult MinOp::verifyConstraints() { return verifyBinary(*this, Elements::Any); }

LogicalResult NegOp::verifyConstraints() { return verifyUnary(*this, Elements::Number); }
LogicalResult ExpOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult TanhOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult ErfOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult SigmoidOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult ReluOp::verifyConstraints() { return verifyUnary(*this, Elements::Number); }
LogicalResult GeluOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult SiluOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }

//===------------------------------------------------------------------------------------------------------------===//
// Contraction
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult MatmulOp::verifyConstraints() {
  if (failed(verifyElements(*this, Elements::Number)))
    return failure();
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  int64_t lhsRank = lhs.getRank(), rhsRank = rhs.getRank();
  if (lhsRank < 2 || rhsRank < 2 || (lhsRank != rhsRank && lhsRank != 2 && rhsRank != 2))
    return emitOpError() << "(C2) ranks are at least 2, and equal or one of them 2, but lhs has rank " << lhsRank
                         << " and rhs has " << rhsRank;
  int64_t lhsDim = getLhsContractedDim(), rhsDim = getRhsContractedDim();
  if (!mayBeEqual(*this, "C3", sizeIn("lhs", getLhs(), lhsDim), sizeIn("rhs", getRhs(), rhsDim)))
    return emitOpError() << "(C3) contracted sizes differ: lhs dim " << lhsDim << " is " << lhs.getDimSize(lhsDim)
                         << ", rhs dim " << rhsDim << " is " << rhs.getDimSize(rhsDim);
  if (lhsRank == rhsRank)
    for (int64_t dim = 0; dim < lhsRank - 2; ++dim)
      if (lhs.getDimSize(dim) != 1 && rhs.getDimSize(dim) != 1 &&
          !mayBeEqual(*this, "C4", sizeIn("lhs", getLhs(), dim), sizeIn("rhs", getRhs(), dim)))
        return emitOpError() << "(C4) batch sizes differ and none is 1: dim " << dim << " of lhs is "
                             << lhs.getDimSize(dim) << ", of rhs " << rhs.getDimSize(dim);
  return verifyResult(*this, "C5");
}

//===------------------------------------------------------------------------------------------------------------===//
// Reduction
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult ReduceOp::verifyConstraints() {
  bool isMean = getKind() == ReduceKind::Mean;
  bool takesBool = getKind() == ReduceKind::Max || getKind() == ReduceKind::Min;
  auto elements = isMean      ? constraints::Elements::Float
                  : takesBool ? constraints::Elements::Any
                              : constraints::Elements::Number;
  if (failed(constraints::verifyElements(*this, elements)))
    return failure();
  if (getDims().empty())
    return emitOpError() << "(C2) dims is empty";
  int64_t rank = getInput().getType().getRank();
  for (auto [index, dim] : llvm::enumerate(getDims())) {
    if (dim < 0 || dim >= rank)
      return emitOpError() << "(C2) dims[" << index << "] is " << dim << ", outside of the operand's rank " << rank;
    if (index > 0 && getDims()[index - 1] >= dim)
      return emitOpError() << "(C2) dims is strictly increasing, but " << dim << " follows " << getDims()[index - 1];
  }
  return verifyResult(*this, "C3");
}

LogicalResult SoftmaxOp::verifyConstraints() {
  return failure(failed(verifyElements(*this, Elements::Float)) || failed(verifyAxis(*this, "C2", getAxis())) ||
                 failed(verifySameType(*this, "C3")));
}

LogicalResult LayerNormOp::verifyConstraints() {
  if (failed(verifyElements(*this, Elements::Float)) || failed(verifyAxis(*this, "C2", getAxis())))
    return failure();
  ArrayRef<int64_t> normalized = getInput().getType().getShape().drop_front(getAxis());
  auto verifyParameter = [&](StringRef name, Value value) -> LogicalResult {
    if (!value)
      return success();
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    if (!mayHaveSizes(*this, "C3", name, value, sizesFrom("the input", getInput(), getAxis())))
      return emitOpError() << "(C3) the " << name << " must have the shape of the input from dim " << getAxis()
                           << " on, " << shapeText(normalized) << ", got " << shapeText(shape);
    return success();
  };
  if (failed(verifyParameter("scale", getScale())) || failed(verifyParameter("bias", getBias())))
    return failure();
  if (!getEpsilon().isFinite() || getEpsilon().isNegative())
    return emitOpError() << "(C4) epsilon must be finite and not negative, got " << getEpsilonAttr();
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Shape
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult ConstantOp::verifyConstraints() {
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(getValue()))
    return emitOpError() << "(C1) the value must be dense or dense_resource, got " << getValue();
  return success();
}

LogicalResult TransposeOp::verifyConstraints() {
  int64_t rank = getInput().getType().getRank();
  ArrayRef<int64_t> permutation = getPermutation();
  if (static_cast<int64_t>(permutation.size()) != rank)
    return emitOpError() << "(C1) permutation must have one value per dimension of the operand, " << rank << ", got "
                         << permutation.size();
  SmallVector<bool> seen(rank, false);
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= rank)
      return emitOpError() << "(C1) permutation holds " << dim << ", outside of the operand's rank " << rank;
    if (seen[dim])
      return emitOpError() << "(C1) permutation holds " << dim << " twice";
    seen[dim] = true;
  }
  return verifyResult(*this, "C2");
}

/// (C1) of the operations whose result type is written: it has the operand's element type.
static LogicalResult verifyKeepsElements(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()), to = getElementTypeOrSelf(op->getResult(0).getType());
  if (from != to)
    return op->emitOpError() << "(C1) the result must have the operand's element type " << from << ", got " << to;
  return success();
}

LogicalResult ReshapeOp::verifyConstraints() {
  if (failed(verifyKeepsElements(*this)))
    return failure();
  RankedTensorType from = getInput().getType(), to = getType();
  if (to.getNumDynamicDims() > 1)
    return emitOpError() << "(C2) at most one dimension of the result is dynamic, but it is "
                         << shapeText(to.getShape());
  SmallVector<int64_t> known(to.getShape());
  llvm::erase_if(known, [](int64_t size) { return isDynamic(size); });
  const std::optional<int64_t> product = checkedElements(known);
  if (!product)
    return emitOpError() << "(C3) the result " << shapeText(to.getShape()) << " has more elements than can be counted";
  const int64_t others = *product;
  if (!to.hasStaticShape() && others == 0)
    return emitOpError() << "(C3) the dynamic dimension cannot be inferred from " << shapeText(to.getShape())
                         << ": the product of the others is 0";
  if (!from.hasStaticShape())
    return success();
  const std::optional<int64_t> elements = checkedElements(from.getShape());
  if (!elements)
    return emitOpError() << "(C3) the operand " << shapeText(from.getShape())
                         << " has more elements than can be counted";
  if (to.hasStaticShape() ? *elements != others : *elements % others != 0)
    return emitOpError() << "(C3) the operand has " << *elements << " elements (" << shapeText(from.getShape()) << "), "
                         << (to.hasStaticShape() ? "the result " : "no multiple of the result's ") << others << " ("
                         << shapeText(to.getShape()) << ")";
  return success();
}

LogicalResult BroadcastOp::verifyConstraints() {
  if (failed(verifyKeepsElements(*this)))
    return failure();
  ArrayRef<int64_t> from = getInput().getType().getShape(), to = getType().getShape();
  if (to.size() < from.size())
    return emitOpError() << "(C2) the result's rank must be at least the operand's " << from.size() << ", got "
                         << to.size();
  int64_t added = to.size() - from.size();
  auto resultSize = [&](int64_t dim) {
    if (!isDynamic(to[dim]))
      return sizeIn("the result", getResult(), dim);
    const size_t index = llvm::count_if(to.take_front(dim), isDynamic);
    return sizeGiven("dim " + Twine(dim) + " of the result",
                     index < getSizes().size() ? OpFoldResult(getSizes()[index]) : OpFoldResult());
  };
  for (auto [dim, size] : llvm::enumerate(from))
    if (size != 1 && !mayBeEqual(*this, "C3", sizeIn("the operand", getInput(), dim), resultSize(dim + added)))
      return emitOpError() << "(C3) dim " << dim << " of the operand is " << size << ", neither 1 nor dim "
                           << dim + added << " of the result, " << to[dim + added];
  int64_t dynamic = getType().getNumDynamicDims();
  if (static_cast<int64_t>(getSizes().size()) != dynamic)
    return emitOpError() << "(C4) one size must be given per dynamic dimension of the result, " << dynamic << ", got "
                         << getSizes().size();
  return success();
}
