//===- LegalizeFloatStorage.cpp - storing narrow floats as integers -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// After mica-codegen-expand-narrow-float-casts there is no arithmetic on these floats, but LLVM still converts them to
// f32, by library calls with which programs are not linked, if a vector of them crosses blocks or is loaded under a
// mask. As integers they are moved unchanged. Loads and stores are kept: pointers have no element type.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/NarrowFloats.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mica {
#define GEN_PASS_DEF_LEGALIZEFLOATSTORAGEPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct LegalizeFloatStoragePass : mica::impl::LegalizeFloatStoragePassBase<LegalizeFloatStoragePass> {
  using LegalizeFloatStoragePassBase::LegalizeFloatStoragePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    carried.clear();
    return mica::readSmallFloats(context, types, carried);
  }

  void runOnOperation() override {
    Type bits = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](FloatType type) -> std::optional<Type> { return isCarried(type) ? std::optional(bits) : std::nullopt; });
    // Values of constants, whose type must match the result's.
    replacer.addReplacement([&](FloatAttr value) -> std::optional<std::pair<Attribute, WalkResult>> {
      if (!isCarried(value.getType()))
        return std::nullopt;
      return std::pair(IntegerAttr::get(bits, value.getValue().bitcastToAPInt()), WalkResult::skip());
    });
    replacer.addReplacement([&](DenseElementsAttr values) -> std::optional<std::pair<Attribute, WalkResult>> {
      if (!isCarried(values.getElementType()))
        return std::nullopt;
      return std::pair(Attribute(values.bitcast(bits)), WalkResult::skip());
    });
    replacer.addReplacement([&](LLVM::LLVMStructType type) -> std::optional<Type> {
      if (type.isIdentified())
        return std::nullopt;
      SmallVector<Type> body;
      for (Type inner : type.getBody())
        body.push_back(replacer.replace(inner));
      return LLVM::LLVMStructType::getLiteral(type.getContext(), body, type.isPacked());
    });
    for (Operation &op : getOperation()->getRegion(0).front())
      if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
        replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  }

private:
  bool isCarried(Type type) const { return llvm::is_contained(carried, type); }

  SmallVector<Type> carried;
};
} // namespace
