//===- Constraints.h - helpers of the dialect's verifiers --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Checks that many operations share; each reports an error with the given constraint label. Internal to
// dialects/Mica/IR.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_CONSTRAINTS_H
#define MICA_DIALECTS_MICA_IR_CONSTRAINTS_H

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/IR/SizeRequirements.h"

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

inline mlir::RankedTensorType typeOf(mlir::Value value) { return llvm::cast<mlir::RankedTensorType>(value.getType()); }
inline bool isDynamic(int64_t size) { return mlir::ShapedType::isDynamic(size); }
/// Whether two sizes may be equal at run time.
inline bool mayBeEqual(int64_t lhs, int64_t rhs) { return isDynamic(lhs) || isDynamic(rhs) || lhs == rhs; }

/// The size of a dimension of an operand or result, called `name` in messages.
inline ConstrainedSize sizeIn(llvm::StringRef name, mlir::Value tensor, int64_t dim) {
  return {name.str(), tensor, dim};
}
/// All sizes of a tensor from dimension `first` on.
inline llvm::SmallVector<ConstrainedSize> sizesFrom(llvm::StringRef name, mlir::Value tensor, int64_t first) {
  llvm::SmallVector<ConstrainedSize> sizes;
  for (int64_t dim = first, rank = llvm::cast<mlir::RankedTensorType>(tensor.getType()).getRank(); dim < rank; ++dim)
    sizes.push_back(sizeIn(name, tensor, dim));
  return sizes;
}
/// A size that is a constant or an operand.
inline ConstrainedSize sizeGiven(const llvm::Twine &name, mlir::OpFoldResult size) {
  return {name.str(), mlir::Value(), 0, size};
}
/// Whether `requirement` may hold, according to the static sizes. If these do not decide it, openSizeRequirements()
/// lists it.
bool mayHold(SizeRequirement requirement);
/// Likewise, for two equal sizes, the first one being `times` the second.
bool mayBeEqual(mlir::Operation *op, llvm::StringRef label, ConstrainedSize lhs, ConstrainedSize rhs,
                int64_t times = 1);
/// Likewise, for a size of at least `least`; `why` is appended to the message.
bool mayBeAtLeast(mlir::Operation *op, llvm::StringRef label, ConstrainedSize size, int64_t least,
                  const llvm::Twine &why = "");
/// Likewise, for a size that is divisible by `divisor`, called `name`.
bool mayDivide(mlir::Operation *op, llvm::StringRef label, llvm::StringRef name, int64_t divisor, ConstrainedSize size);
/// Likewise, for equal ranks and sizes of `lhs` and `rhs`.
bool mayHaveSizes(mlir::Operation *op, llvm::StringRef label, llvm::StringRef name, mlir::Value lhs,
                  llvm::ArrayRef<ConstrainedSize> rhs);

/// As mayHaveSizes, for a result, whose sizes are determined by the operation: a `?` in its type matches any.
bool mayHaveResultSizes(mlir::Operation *op, llvm::StringRef label, mlir::Value result,
                        llvm::ArrayRef<ConstrainedSize> sizes);

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
/// Two operands have the same rank (`rankLabel`), and in every dimension equal sizes or one that is statically 1
/// (`sizeLabel`).
llvm::LogicalResult verifyBroadcast(mlir::Operation *op, llvm::StringRef rankLabel, llvm::StringRef sizeLabel,
                                    llvm::StringRef lhsName, mlir::Value lhs, llvm::StringRef rhsName, mlir::Value rhs);

/// Adds to openSizeRequirements() the sizes that are static in the written result types but not in the inferred ones.
void addWrittenSizes(mlir::Operation *op, llvm::StringRef label, mlir::TypeRange inferred);

/// The last constraint of an operation with inferred result type.
template <typename OpTy> llvm::LogicalResult verifyResult(OpTy op, llvm::StringRef label) {
  llvm::SmallVector<mlir::Type> inferred;
  if (llvm::failed(OpTy::inferReturnTypes(op.getContext(), std::nullopt, op->getOperands(),
                                          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
                                          op->getRegions(), inferred)))
    return op.emitOpError() << "(" << label << ") no result type follows from the operands";
  if (!OpTy::isCompatibleReturnTypes(inferred, op->getResultTypes()))
    return op.emitOpError() << "(" << label << ") the result must be " << inferred[0] << ", got "
                            << op->getResultTypes()[0];
  addWrittenSizes(op, label, inferred);
  return llvm::success();
}

/// (C1) to (C4) of the binary elementwise operations.
template <typename OpTy> llvm::LogicalResult verifyBinary(OpTy op, Elements elements) {
  if (llvm::failed(verifyElements(op, elements)) ||
      llvm::failed(verifyBroadcast(op, "C2", "C3", "lhs", op.getLhs(), "rhs", op.getRhs())))
    return llvm::failure();
  return verifyResult(op, "C4");
}

/// (C1) and (C2) of the unary elementwise operations.
inline llvm::LogicalResult verifyUnary(mlir::Operation *op, Elements elements) {
  return llvm::failure(llvm::failed(verifyElements(op, elements)) || llvm::failed(verifySameType(op, "C2")));
}

} // namespace mica::constraints

#endif // MICA_DIALECTS_MICA_IR_CONSTRAINTS_H
