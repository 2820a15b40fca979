//===- VerifySupport.h - shared by the verifiers of the dialect `mica` -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef MICA_DIALECTS_MICA_IR_VERIFYSUPPORT_H
#define MICA_DIALECTS_MICA_IR_VERIFYSUPPORT_H
#include "dialects/Mica/IR/MicaDialect.h"
#include "mlir/IR/TypeUtilities.h"
namespace mica::verify {
using namespace mlir;
inline bool isDynamic(int64_t size) { return ShapedType::isDynamic(size); }
inline bool mayBeEqual(int64_t lhs, int64_t rhs) { return isDynamic(lhs) || isDynamic(rhs) || lhs == rhs; }
inline std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os, [&](int64_t size) { isDynamic(size) ? os << '?' : os << size; }, "x");
  return shape.empty() ? "a scalar" : text;
}
template <typename OpTy> LogicalResult verifyResult(OpTy op, StringRef label) {
  SmallVector<Type> inferred;
  if (failed(OpTy::inferReturnTypes(op.getContext(), std::nullopt, op->getOperands(),
                                    op->getDiscardableAttrDictionary(), op->getPropertiesStorage(), op->getRegions(),
                                    inferred)))
    return op.emitOpError() << "(" << label << ") no result type follows from the operands";
  if (!haveCompatibleTypes(inferred, op->getResultTypes()))
    return op.emitOpError() << "(" << label << ") the result is " << inferred[0] << ", but is written as "
                            << op->getResultTypes()[0];
  return success();
}
inline LogicalResult verifySameType(Operation *op, StringRef label) {
  if (op->getOperand(0).getType() != op->getResult(0).getType())
    return op->emitOpError() << "(" << label << ") the result has the operand's type " << op->getOperand(0).getType()
                             << ", but is written as " << op->getResult(0).getType();
  return success();
}
inline LogicalResult verifyRank(Operation *op, StringRef label, StringRef name, Value value, int64_t rank) {
  int64_t found = cast<RankedTensorType>(value.getType()).getRank();
  if (found != rank)
    return op->emitOpError() << "(" << label << ") " << name << " has rank " << rank << ", not " << found;
  return success();
}
inline LogicalResult verifyList(Operation *op, StringRef label, StringRef name, ArrayRef<int64_t> values, size_t count,
                                int64_t least) {
  if (values.size() != count)
    return op->emitOpError() << "(" << label << ") " << name << " has " << count << " values, not " << values.size();
  for (int64_t value : values)
    if (value < least)
      return op->emitOpError() << "(" << label << ") " << name << " holds " << value << ", the least is " << least;
  return success();
}
inline LogicalResult verifyAxis(Operation *op, StringRef label, int64_t axis) {
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  if (axis < 0 || axis >= rank)
    return op->emitOpError() << "(" << label << ") axis " << axis << " is outside of the operand's rank " << rank;
  return success();
}
} // namespace mica::verify
#endif
