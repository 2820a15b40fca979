//===- MicaDialect.cpp - the dialect `mica` ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration of the dialect's operations and attributes, and the making of constants for folded values.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/Mica/IR/MicaDialect.cpp.inc"
#include "dialects/Mica/IR/MicaEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Mica/IR/MicaAttrs.cpp.inc"

namespace {
/// Every op may be moved into the function that calls its own: none has a meaning that depends on where it is.
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

llvm::LogicalResult mica::MicaDialect::verifyOperationAttribute(mlir::Operation *op, mlir::NamedAttribute attribute) {
  if (attribute.getName() != kKindAttr)
    return mlir::success();
  auto text = llvm::dyn_cast<mlir::StringAttr>(attribute.getValue());
  if (!text || text.empty())
    return op->emitOpError()
           << "has '" << kKindAttr << "' = " << attribute.getValue()
           << ", which is to be a kind of op as a string, such as \"matmul\"; remove it or correct it";
  return mlir::success();
}
