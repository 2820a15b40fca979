//===- LegalizeStableHLOTypes.cpp - pass legalize-stablehlo-types ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Sizes that constants give are computed first, and composites expanded. Complex values become pairs. Then unsigned
// integers become signless ones; the ops keep the attribute stablehlo.unsigned, which lists for all operands, then all
// results, which were unsigned.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/CHLODialect.h"
#include "passes/StableHLO/Complex.h"
#include "passes/StableHLO/Passes.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

namespace mica {
#define GEN_PASS_DEF_LEGALIZESTABLEHLOTYPES
#include "passes/StableHLO/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
namespace hlo = mica::stablehlo;

static bool isUnsigned(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && integer.isUnsigned();
}

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

static Type signless(IntegerType type) { return IntegerType::get(type.getContext(), type.getWidth()); }

/// Whether a value of `op` has elements for which `test` holds.
static bool hasElements(ModuleOp module, llvm::function_ref<bool(Type)> test) {
  return module
      .walk([&](Operation *op) {
        if (llvm::any_of(op->getResultTypes(), test))
          return WalkResult::interrupt();
        for (Region &region : op->getRegions())
          for (Block &block : region)
            if (llvm::any_of(block.getArgumentTypes(), test))
              return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

static void eraseSignedness(ModuleOp module) {
  module.walk([&](Operation *op) {
    if (!isa_and_present<hlo::StableHLODialect, hlocheck::CheckDialect>(op->getDialect()))
      return;
    SmallVector<bool> flags = llvm::map_to_vector(op->getOperandTypes(), isUnsigned);
    llvm::append_range(flags, llvm::map_range(op->getResultTypes(), isUnsigned));
    if (llvm::is_contained(flags, true))
      op->setDiscardableAttr(hlo::kUnsignedAttr, DenseBoolArrayAttr::get(op->getContext(), flags));
  });
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

namespace {
struct LegalizeStableHLOTypes : mica::impl::LegalizeStableHLOTypesBase<LegalizeStableHLOTypes> {
  using LegalizeStableHLOTypesBase::LegalizeStableHLOTypesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!getContext().getLoadedDialect<hlo::StableHLODialect>() || !usesStableHLO(module))
      return markAllAnalysesPreserved();
    if (hasElements(module, [](Type type) { return isa<TupleType, hlo::TokenType>(type); }))
      hlotypes::flattenTuples(module);
    if (hasElements(module, [](Type type) { return isa<quant::QuantizedType>(getElementTypeOrSelf(type)); }) &&
        failed(hlotypes::expandQuantized(module)))
      return signalPassFailure();
    // Composites that broadcast need static sizes, and their functions may have dynamic ones.
    if (hasElements(module, isDynamic) && failed(hlotypes::refineShapes(module)))
      return signalPassFailure();
    hlotypes::expandComposites(module);
    if (hasElements(module, hlotypes::isSmall) && failed(hlotypes::widenSmallTypes(module)))
      return signalPassFailure();
    if (hasElements(module, [](Type type) { return isa<ComplexType>(getElementTypeOrSelf(type)); }) &&
        failed(hlotypes::splitComplex(module)))
      return signalPassFailure();
    if (hasElements(module, isUnsigned))
      eraseSignedness(module);
  }

private:
  static bool usesStableHLO(ModuleOp module) {
    return module
        .walk([](Operation *op) {
          return isa_and_present<hlo::StableHLODialect, chlo::CHLODialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                                             : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
