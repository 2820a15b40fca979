//===- MicaDialect.cpp - the dialect `mica` ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration of the dialect's operations and attributes, and materialization of constants for folded values.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"

#include "dialects/AttributeRules.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/Mica/IR/MicaDialect.cpp.inc"
#include "dialects/Mica/IR/MicaEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Mica/IR/MicaAttrs.cpp.inc"

namespace {
/// Every op may be inlined: none depends on its surroundings.
struct MicaInlinerInterface : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final { return true; }
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool, mlir::IRMapping &) const final { return true; }
};
} // namespace

void mica::MicaDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Mica/IR/MicaAttrs.cpp.inc"
      >();
  registerMicaDialectOperations(this);
  addInterfaces<MicaInlinerInterface>();
}

mlir::Operation *mica::MicaDialect::materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value,
                                                        mlir::Type type, mlir::Location loc) {
  if (auto elements = llvm::dyn_cast<mlir::ElementsAttr>(value))
    return elements.getType() == type ? ConstantOp::create(builder, loc, elements) : nullptr;
  return mlir::arith::ConstantOp::materialize(builder, value, type, loc);
}

/// Required equalities of argument sizes: {sizes = array<i64: ...>, op = "..."} each.
static bool isSizeRelations(mlir::Attribute value) {
  auto array = llvm::dyn_cast<mlir::ArrayAttr>(value);
  return array && llvm::all_of(array, [](mlir::Attribute element) {
           auto relation = llvm::dyn_cast<mlir::DictionaryAttr>(element);
           auto sizes = relation ? relation.getAs<mlir::DenseI64ArrayAttr>("sizes") : nullptr;
           return sizes && sizes.size() == 5 && relation.getAs<mlir::StringAttr>("op");
         });
}

static bool isIndexNumber(mlir::Attribute value) { return mica::isInteger(value, 64, INT64_MIN, INT64_MAX); }

static constexpr mica::AttributeRule kRules[] = {
    {mica::kKindAttr, mica::isAnyOp, mica::isText, "a kind of operation as a string, such as \"matmul\""},
    {mica::kInPlaceAttr, mica::isAnyOp, mica::isUnit, "no value"},
    {mica::kLoopKindAttr, mica::isAnyOp, mica::isText, "a string that is not empty"},
    {mica::kRelatedSizesAttr, mica::isFunction, isSizeRelations,
     "an array of {sizes = array<i64: five numbers>, op = \"...\"}, on a function"},
    {mica::kStageAttr, mica::isModule, [](mlir::Attribute value) { return llvm::isa<mlir::DictionaryAttr>(value); },
     "a dictionary as --compile-to=PHASE writes it, on the program"},
    {mica::kSoftmaxAttr, mica::isAnyOp, mica::isUnit, "no value"},
    {mica::kApartAttr, mica::isAnyOp, isIndexNumber, "an i64"},
    {mica::kUsedAttr, mica::isAnyOp, mica::isUnit, "no value"},
};

static constexpr mica::AttributeRule kValueRules[] = {
    {mica::kNameAttr, mica::isFunction, mica::isText,
     "a string that is not empty, on an argument or result of a function"},
    {mica::kUnsignedAttr, mica::isFunction, mica::isUnit, "no value, on an argument or result of a function"},
    {mica::kImaginaryAttr, mica::isFunction, mica::isUnit, "no value, on an argument or result of a function"},
    {mica::kShareElementsAttr, mica::isFunction, mica::isCount, "an i64 of at least 0, on an argument of a function"},
};

llvm::LogicalResult mica::MicaDialect::verifyOperationAttribute(mlir::Operation *op, mlir::NamedAttribute attribute) {
  return verifyByRules(op, attribute, kRules);
}

/// An imaginary part follows its real part.
static llvm::LogicalResult verifyImaginary(mlir::Operation *op, mlir::NamedAttribute attribute, mlir::TypeRange types,
                                           unsigned number, llvm::function_ref<bool(unsigned)> isImaginary,
                                           const char *kind) {
  // In a function of LLVM, types say less.
  if (attribute.getName() != mica::kImaginaryAttr || op->getName().getStringRef() != "func.func")
    return llvm::success();
  const mlir::Type element = mlir::getElementTypeOrSelf(types[number]);
  if (number == 0 || types[number - 1] != types[number] || isImaginary(number - 1) ||
      !(element.isF32() || element.isF64()))
    return op->emitOpError() << kind << " " << number << " has '" << mica::kImaginaryAttr << "' and type "
                             << types[number]
                             << ", expected f32 or f64 elements, and before it a real part of this type";
  return llvm::success();
}

llvm::LogicalResult mica::MicaDialect::verifyRegionArgAttribute(mlir::Operation *op, unsigned, unsigned number,
                                                                mlir::NamedAttribute attribute) {
  if (failed(verifyByRules(op, attribute, kValueRules, "argument " + std::to_string(number) + " ")))
    return llvm::failure();
  auto function = llvm::cast<mlir::FunctionOpInterface>(op);
  const auto isImaginary = [&](unsigned i) { return bool(function.getArgAttr(i, kImaginaryAttr)); };
  return verifyImaginary(op, attribute, function.getArgumentTypes(), number, isImaginary, "argument");
}

llvm::LogicalResult mica::MicaDialect::verifyRegionResultAttribute(mlir::Operation *op, unsigned, unsigned number,
                                                                   mlir::NamedAttribute attribute) {
  if (failed(verifyByRules(op, attribute, kValueRules, "result " + std::to_string(number) + " ")))
    return llvm::failure();
  auto function = llvm::cast<mlir::FunctionOpInterface>(op);
  const auto isImaginary = [&](unsigned i) { return bool(function.getResultAttr(i, kImaginaryAttr)); };
  return verifyImaginary(op, attribute, function.getResultTypes(), number, isImaginary, "result");
}
