//===- Constraints.cpp - what the verifiers of the dialect `mica` share ------------------------------------------===//
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

using namespace mlir;
using namespace mica;
using namespace mica::constraints;

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
    return op->emitOpError() << "(" << label << ") takes elements of " << describe(elements) << ", not " << first;
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
    return op->emitOpError() << "(" << label << ") the elements of " << name << " are of " << describe(elements)
                             << ", not " << element;
  return success();
}

LogicalResult constraints::verifySameType(Operation *op, StringRef label) {
  if (op->getOperand(0).getType() != op->getResult(0).getType())
    return op->emitOpError() << "(" << label << ") the result has the operand's type " << op->getOperand(0).getType()
                             << ", but is written as " << op->getResult(0).getType();
  return success();
}

LogicalResult constraints::verifyRank(Operation *op, StringRef label, StringRef name, Value value, int64_t rank) {
  int64_t found = cast<RankedTensorType>(value.getType()).getRank();
  if (found != rank)
    return op->emitOpError() << "(" << label << ") " << name << " has rank " << rank << ", not " << found;
  return success();
}

LogicalResult constraints::verifyList(Operation *op, StringRef label, StringRef name, ArrayRef<int64_t> values,
                                      size_t count, int64_t least) {
  if (values.size() != count)
    return op->emitOpError() << "(" << label << ") " << name << " has " << count << " values, not " << values.size();
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
    if (l != 1 && r != 1 && !mayBeEqual(l, r))
      return op->emitOpError() << "(" << sizeLabel << ") sizes differ and none is 1: dim " << dim << " of " << lhsName
                               << " is " << l << ", of " << rhsName << " " << r;
  }
  return success();
}
