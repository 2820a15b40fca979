//===- AttributeRules.h - verifying discardable attributes by tables ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A dialect lists its discardable attributes in a table; an attribute that is not listed is an error, so that a
// misspelled one is never ignored.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_ATTRIBUTERULES_H
#define MICA_DIALECTS_ATTRIBUTERULES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mica {

/// One discardable attribute.
struct AttributeRule {
  llvm::StringLiteral name;           ///< with the dialect's prefix: "mica_codegen.distribute"
  bool (*isPlace)(mlir::Operation *); ///< whether it is allowed on such an operation
  bool (*isValid)(mlir::Attribute);   ///< whether such a value is allowed
  llvm::StringLiteral expected;       ///< description of both, for errors: "no value, on a function"
};

/// Verifies `attribute` of `op` by `rules`; `of` is "" for an attribute of the operation, or names the part of it that
/// has the attribute, for errors.
inline llvm::LogicalResult verifyByRules(mlir::Operation *op, mlir::NamedAttribute attribute,
                                         llvm::ArrayRef<AttributeRule> rules, llvm::StringRef of = "") {
  for (const AttributeRule &rule : rules) {
    if (attribute.getName() != rule.name)
      continue;
    if (rule.isPlace(op) && rule.isValid(attribute.getValue()))
      return mlir::success();
    return op->emitOpError() << of << "has '" << rule.name << "' = " << attribute.getValue() << ", expected "
                             << rule.expected;
  }
  return op->emitOpError() << of << "has the unknown attribute '" << attribute.getName().getValue() << "'";
}

// Predicates that several dialects' tables use.

inline bool isAnyOp(mlir::Operation *) { return true; }
inline bool isFunction(mlir::Operation *op) { return mlir::isa<mlir::FunctionOpInterface>(op); }
inline bool isModule(mlir::Operation *op) { return mlir::isa<mlir::ModuleOp>(op); }

inline bool isUnit(mlir::Attribute value) { return mlir::isa<mlir::UnitAttr>(value); }
inline bool isText(mlir::Attribute value) {
  auto text = mlir::dyn_cast<mlir::StringAttr>(value);
  return text && !text.empty();
}
inline bool isTexts(mlir::Attribute value) {
  auto array = mlir::dyn_cast<mlir::ArrayAttr>(value);
  return array && llvm::all_of(array, [](mlir::Attribute element) { return mlir::isa<mlir::StringAttr>(element); });
}
/// An integer of `width` bits from `least` to `most`.
inline bool isInteger(mlir::Attribute value, unsigned width, int64_t least, int64_t most) {
  auto number = mlir::dyn_cast<mlir::IntegerAttr>(value);
  return number && number.getType().isInteger(width) && number.getInt() >= least && number.getInt() <= most;
}
/// A nonnegative i64.
inline bool isCount(mlir::Attribute value) { return isInteger(value, 64, 0, INT64_MAX); }
/// One of `names`.
inline bool isOneOf(mlir::Attribute value, llvm::ArrayRef<llvm::StringLiteral> names) {
  auto text = mlir::dyn_cast<mlir::StringAttr>(value);
  return text && llvm::is_contained(names, text.getValue());
}

} // namespace mica

#endif // MICA_DIALECTS_ATTRIBUTERULES_H
