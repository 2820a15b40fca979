//===- Constraints.cpp - helpers of the dialect's verifiers ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Constraints.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;

/// The list to which this thread's verifiers add undecided requirements; null except in openSizeRequirements().
static thread_local SmallVectorImpl<SizeRequirement> *collected = nullptr;

static bool has(Elements elements, Elements one) {
  return static_cast<unsigned>(elements) & static_cast<unsigned>(one);
}

bool constraints::isAllowed(Type element, Elements elements) {
  if (isa<FloatType>(element))
    return has(elements, Elements::Float);
  return has(elements, element.isInteger(1) ? Elements::Bool : Elements::Int);
}

std::string constraints::describe(Elements elements) {
  SmallVector<StringRef> names;
  if (has(elements, Elements::Float))
    names.push_back("a float type");
  if (has(elements, Elements::Int))
    names.push_back("an integer type");
  if (has(elements, Elements::Bool))
    names.push_back("i1");
  return llvm::join(names, " or ");
}

std::optional<int64_t> ConstrainedSize::known() const {
  if (inferredResult >= 0)
    return std::nullopt;
  if (!tensor)
    return getConstantIntValue(size);
  const int64_t number = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  return isDynamic(number) ? std::nullopt : std::optional(number);
}

std::string ConstrainedSize::text() const {
  return tensor || inferredResult >= 0 ? "dim " + std::to_string(dim) + " of " + name : name;
}

bool constraints::mayHold(SizeRequirement requirement) {
  MLIRContext *context = requirement.expression.getContext();
  SmallVector<AffineExpr> known;
  for (auto [index, size] : llvm::enumerate(requirement.sizes)) {
    const std::optional<int64_t> number = size.known();
    known.push_back(number ? getAffineConstantExpr(*number, context) : getAffineSymbolExpr(index, context));
  }
  AffineExpr value = simplifyAffineExpr(requirement.expression.replaceSymbols(known), 0, known.size());
  if (auto number = dyn_cast<AffineConstantExpr>(value))
    return requirement.isEquality ? number.getValue() == 0 : number.getValue() >= 0;
  if (collected)
    collected->push_back(std::move(requirement));
  return true;
}

bool constraints::mayBeEqual(Operation *op, StringRef label, ConstrainedSize lhs, ConstrainedSize rhs, int64_t times) {
  if (lhs.tensor && lhs.tensor == rhs.tensor && lhs.dim == rhs.dim && times == 1)
    return true;
  AffineExpr one, other;
  bindSymbols(op->getContext(), one, other);
  std::string message = lhs.text() + " is {0}, " + rhs.text() + " is {1}; ";
  message += times == 1 ? "they have to be equal" : "the first has to be " + std::to_string(times) + " times the other";
  return mayHold({label.str(), one - other * times, /*isEquality=*/true, {lhs, rhs}, message});
}

bool constraints::mayBeAtLeast(Operation *op, StringRef label, ConstrainedSize size, int64_t least, const Twine &why) {
  const std::string message = size.text() + " is {0}, but has to be at least " + std::to_string(least) + why.str();
  return mayHold(
      {label.str(), getAffineSymbolExpr(0, op->getContext()) - least, /*isEquality=*/false, {size}, message});
}

bool constraints::mayDivide(Operation *op, StringRef label, StringRef name, int64_t divisor, ConstrainedSize size) {
  const std::string message =
      size.text() + " is {0}, but has to be a multiple of " + name.str() + ", " + std::to_string(divisor);
  return mayHold(
      {label.str(), getAffineSymbolExpr(0, op->getContext()) % divisor, /*isEquality=*/true, {size}, message});
}

bool constraints::mayHaveSizes(Operation *op, StringRef label, StringRef name, Value lhs,
                               ArrayRef<ConstrainedSize> rhs) {
  bool may = cast<RankedTensorType>(lhs.getType()).getRank() == static_cast<int64_t>(rhs.size());
  for (size_t dim = 0; may && dim < rhs.size(); ++dim)
    may = mayBeEqual(op, label, sizeIn(name, lhs, dim), rhs[dim]);
  return may;
}

bool constraints::mayHaveResultSizes(Operation *op, StringRef label, Value result, ArrayRef<ConstrainedSize> sizes) {
  auto type = cast<RankedTensorType>(result.getType());
  bool may = type.getRank() == static_cast<int64_t>(sizes.size());
  for (size_t dim = 0; may && dim < sizes.size(); ++dim)
    may = type.isDynamicDim(dim) || mayBeEqual(op, label, sizes[dim], sizeIn("the result", result, dim));
  return may;
}

void constraints::addWrittenSizes(Operation *op, StringRef label, TypeRange inferred) {
  if (!collected)
    return;
  for (auto [index, types] : llvm::enumerate(llvm::zip(inferred, op->getResultTypes()))) {
    auto from = cast<RankedTensorType>(std::get<0>(types)), to = cast<RankedTensorType>(std::get<1>(types));
    for (auto [dim, size] : llvm::enumerate(to.getShape())) {
      if (isDynamic(size) || !from.isDynamicDim(dim))
        continue;
      ConstrainedSize result{op->getNumResults() == 1 ? "the result" : "result " + std::to_string(index), Value(),
                             int64_t(dim)};
      result.inferredResult = int64_t(index);
      std::string message = result.text() + " is {0}, but its type says " + std::to_string(size);
      collected->push_back(
          {label.str(), getAffineSymbolExpr(0, op->getContext()) - size, /*isEquality=*/true, {result}, message});
    }
  }
}

SmallVector<SizeRequirement> mica::openSizeRequirements(Operation *op) {
  SmallVector<SizeRequirement> open;
  if (!isa_and_present<MicaDialect>(op->getDialect()))
    return open;
  collected = &open;
  // The operation is valid: its verifier reports nothing.
  (void)op->getName().verifyInvariants(op);
  collected = nullptr;
  return open;
}

std::string constraints::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os, [&](int64_t size) { isDynamic(size) ? os << '?' : os << size; }, "x");
  return shape.empty() ? "a scalar" : text;
}

LogicalResult constraints::verifyElements(Operation *op, Elements elements, StringRef label, size_t count) {
  Type first = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!isAllowed(first, elements))
    return op->emitOpError() << "(" << label << ") must have elements of " << describe(elements) << ", got " << first;
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (index < count && isa<RankedTensorType>(type) && getElementTypeOrSelf(type) != first)
      return op->emitOpError() << "(" << label << ") operands have one element type, but operand 0 has " << first
                               << " and operand " << index << " has " << getElementTypeOrSelf(type);
  return success();
}

LogicalResult constraints::verifyElementsOf(Operation *op, StringRef name, Value value, Elements elements,
                                            StringRef label) {
  Type element = getElementTypeOrSelf(value.getType());
  if (!isAllowed(element, elements))
    return op->emitOpError() << "(" << label << ") the elements of " << name << " must be of " << describe(elements)
                             << ", got " << element;
  return success();
}

LogicalResult constraints::verifySameType(Operation *op, StringRef label) {
  if (op->getOperand(0).getType() != op->getResult(0).getType())
    return op->emitOpError() << "(" << label << ") the result must have the operand's type "
                             << op->getOperand(0).getType() << ", got " << op->getResult(0).getType();
  return success();
}

LogicalResult constraints::verifyRank(Operation *op, StringRef label, StringRef name, Value value, int64_t rank) {
  int64_t found = cast<RankedTensorType>(value.getType()).getRank();
  if (found != rank)
    return op->emitOpError() << "(" << label << ") " << name << " must have rank " << rank << ", got " << found;
  return success();
}

LogicalResult constraints::verifyList(Operation *op, StringRef label, StringRef name, ArrayRef<int64_t> values,
                                      size_t count, int64_t least) {
  if (values.size() != count)
    return op->emitOpError() << "(" << label << ") " << name << " must have " << count << " values, got "
                             << values.size();
  for (int64_t value : values)
    if (value < least)
      return op->emitOpError() << "(" << label << ") " << name << " holds " << value << ", the least is " << least;
  return success();
}

LogicalResult constraints::verifyAxis(Operation *op, StringRef label, int64_t axis) {
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  if (axis < 0 || axis >= rank)
    return op->emitOpError() << "(" << label << ") axis " << axis << " is outside of the operand's rank " << rank;
  return success();
}

LogicalResult constraints::verifyBroadcast(Operation *op, StringRef rankLabel, StringRef sizeLabel, StringRef lhsName,
                                           Value lhs, StringRef rhsName, Value rhs) {
  ArrayRef<int64_t> left = cast<RankedTensorType>(lhs.getType()).getShape();
  ArrayRef<int64_t> right = cast<RankedTensorType>(rhs.getType()).getShape();
  if (left.size() != right.size())
    return op->emitOpError() << "(" << rankLabel << ") operands have the same rank, but " << lhsName << " has rank "
                             << left.size() << " and " << rhsName << " has " << right.size()
                             << "; mica.reshape or mica.broadcast brings one up";
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip(left, right))) {
    auto [l, r] = sizes;
    if (l != 1 && r != 1 && !mayBeEqual(op, sizeLabel, sizeIn(lhsName, lhs, dim), sizeIn(rhsName, rhs, dim)))
      return op->emitOpError() << "(" << sizeLabel << ") sizes differ and none is 1: dim " << dim << " of " << lhsName
                               << " is " << l << ", of " << rhsName << " " << r;
  }
  return success();
}
