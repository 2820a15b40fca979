//===- LegalizeFloatStorage.cpp - floats that no register holds, as their bits ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Behind mica-codegen-expand-narrow-float-casts nothing computes with these floats, but LLVM still converts them to
// f32, by calls of functions that programs are not linked with, where a vector of them goes from one block to another
// or is loaded under a mask. As integers they are moved as they are. Loads and stores stay loads and stores: pointers
// have no element type.
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
    // Values of constants, whose type is that of a result.
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
    for (Operation &op : getOperation().getBody()->getOperations())
      if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
        replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  }

private:
  bool isCarried(Type type) const { return llvm::is_contained(carried, type); }

  SmallVector<Type> carried;
};
} // namespace
