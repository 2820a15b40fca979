//===- SignlessTypes.cpp - integers without signedness ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/SignlessTypes.h"

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

static Type signless(IntegerType type) { return IntegerType::get(type.getContext(), type.getWidth()); }

bool mica::hasSignedness(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && !integer.isSignless();
}

bool mica::isUnsigned(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && integer.isUnsigned();
}

/// Callers go on to see what the program was written with.
static void markUnsigned(FunctionOpInterface function) {
  StringAttr name = StringAttr::get(function.getContext(), mica::kUnsignedAttr);
  UnitAttr unit = UnitAttr::get(function.getContext());
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isUnsigned(type))
      function.setArgAttr(index, name, unit);
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (isUnsigned(type))
      function.setResultAttr(index, name, unit);
}

void mica::makeSignless(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      markUnsigned(function);
  AttrTypeReplacer replacer;
  replacer.addReplacement([](IntegerType type) { return signless(type); });
  // Attributes such as a count are no elements.
  replacer.addReplacement([](IntegerAttr attribute) { return std::pair(Attribute(attribute), WalkResult::skip()); });
  replacer.addReplacement([](DenseElementsAttr attribute) {
    auto type = dyn_cast<IntegerType>(attribute.getElementType());
    Attribute result = type && !type.isSignless() ? attribute.bitcast(signless(type)) : attribute;
    return std::pair(result, WalkResult::skip());
  });
  replacer.addReplacement([](DenseResourceElementsAttr attribute) {
    auto type = dyn_cast<IntegerType>(attribute.getElementType());
    Attribute result = attribute;
    if (type && !type.isSignless())
      result = DenseResourceElementsAttr::get(attribute.getType().clone(signless(type)), attribute.getRawHandle());
    return std::pair(result, WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
}
