//===- Constraints.h - what the verifiers of the dialect `mica` share --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Checks that many operations have among their constraints, each reporting under the label it is given. Internal to
// dialects/Mica/IR.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_CONSTRAINTS_H
#define MICA_DIALECTS_MICA_IR_CONSTRAINTS_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

namespace mica::constraints {

/// Sets of element types; join them with |.
enum class Elements : unsigned {
  Float = 1, ///< f64 f32 f16 bf16 f8E4M3FN f8E5M2
  Int = 2,   ///< i64 i32 i16 i8 i4
  Bool = 4,  ///< i1
  Number = Float | Int,
  IntOrBool = Int | Bool,
  Any = Float | Int | Bool
};

bool isAllowed(mlir::Type element, Elements elements);
/// "a float type or i1" for messages.
std::string describe(Elements elements);

inline bool isDynamic(int64_t size) { return mlir::ShapedType::isDynamic(size); }
/// Whether two sizes may be equal at run time.
inline bool mayBeEqual(int64_t lhs, int64_t rhs) { return isDynamic(lhs) || isDynamic(rhs) || lhs == rhs; }
/// `2x?x4` for messages.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// All tensor operands, or the first `count` of them, have one element type, which is one of `elements`.
llvm::LogicalResult verifyElements(mlir::Operation *op, Elements elements, llvm::StringRef label = "C1",
                                   size_t count = -1);
/// The element type of one operand is one of `elements`.
llvm::LogicalResult verifyElementsOf(mlir::Operation *op, llvm::StringRef name, mlir::Value value, Elements elements,
                                     llvm::StringRef label = "C1");
/// The result has exactly the first operand's type.
llvm::LogicalResult verifySameType(mlir::Operation *op, llvm::StringRef label);
llvm::LogicalResult verifyRank(mlir::Operation *op, llvm::StringRef label, llvm::StringRef name, mlir::Value value,
                               int64_t rank);
/// A list attribute has `count` values, none below `least`.
llvm::LogicalResult verifyList(mlir::Operation *op, llvm::StringRef label, llvm::StringRef name,
                               llvm::ArrayRef<int64_t> values, size_t count, int64_t least);
/// `axis` is a dimension of the first operand.
llvm::LogicalResult verifyAxis(mlir::Operation *op, llvm::StringRef label, int64_t axis);
/// Two operands have the same rank (`rankLabel`), and in every dimension the same size or one that is statically 1
/// (`sizeLabel`).
llvm::LogicalResult verifyBroadcast(mlir::Operation *op, llvm::StringRef rankLabel, llvm::StringRef sizeLabel,
                                    llvm::StringRef lhsName, mlir::Value lhs, llvm::StringRef rhsName, mlir::Value rhs);

/// The last constraint of an operation with inferred result type.
template <typename OpTy> llvm::LogicalResult verifyResult(OpTy op, llvm::StringRef label) {
  llvm::SmallVector<mlir::Type> inferred;
  if (llvm::failed(OpTy::inferReturnTypes(op.getContext(), std::nullopt, op->getOperands(),
                                          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
                                          op->getRegions(), inferred)))
    return op.emitOpError() << "(" << label << ") no result type follows from the operands";
  if (!OpTy::isCompatibleReturnTypes(inferred, op->getResultTypes()))
    return op.emitOpError() << "(" << label << ") the result is " << inferred[0] << ", but is written as "
                            << op->getResultTypes()[0];
  return llvm::success();
}

/// (C1) to (C4) of the two-operand elementwise operations.
template <typename OpTy> llvm::LogicalResult verifyBinary(OpTy op, Elements elements) {
  if (llvm::failed(verifyElements(op, elements)) ||
      llvm::failed(verifyBroadcast(op, "C2", "C3", "lhs", op.getLhs(), "rhs", op.getRhs())))
    return llvm::failure();
  return verifyResult(op, "C4");
}

/// (C1) and (C2) of the one-operand elementwise operations.
inline llvm::LogicalResult verifyUnary(mlir::Operation *op, Elements elements) {
  return llvm::failure(llvm::failed(verifyElements(op, elements)) || llvm::failed(verifySameType(op, "C2")));
}

} // namespace mica::constraints

#endif // MICA_DIALECTS_MICA_IR_CONSTRAINTS_H
