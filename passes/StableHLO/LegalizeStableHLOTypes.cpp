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

#include "dialects/Mica/IR/SignlessTypes.h"
#include "dialects/StableHLO/IR/CHLODialect.h"
#include "dialects/StableHLO/IR/SdyDialect.h"
#include "passes/StableHLO/Common.h"
#include "passes/StableHLO/Complex.h"
#include "passes/StableHLO/Passes.h"
#include "passes/StableHLO/Ranks.h"
#include "passes/StableHLO/Refusals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"

namespace mica {
#define GEN_PASS_DEF_LEGALIZESTABLEHLOTYPES
#include "passes/StableHLO/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
namespace hlo = mica::stablehlo;

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

static std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

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
  mica::makeSignless(module);
}

/// Why no program of one process has the op; empty for others.
static StringRef reasonAgainst(Operation *op) {
  if (isa<hlo::InfeedOp, hlo::OutfeedOp>(op))
    return "a program has no queue to a host; make the values arguments and results of the function";
  if (isa<hlo::SendOp, hlo::RecvOp>(op))
    return "a program runs as one process, without others";
  if (isa<sdy::ManualComputationOp>(op))
    return "it has to be all of its function, manual along all axes of its mesh, with each argument of the function as "
           "one operand; other programs of shard_map are to be exported for one device";
  if (isa<hlo::AsyncStartOp, hlo::AsyncDoneOp>(op))
    return "nothing runs asynchronously; export the program with the ops that it starts in their places";
  return "";
}

/// Annotations of how tensors are spread over devices; they do not change what is computed.
static void eraseShardings(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<sdy::ShardingConstraintOp, sdy::ReshardOp>(op))
      op->replaceAllUsesWith(op->getOperands());
    if (isa<sdy::ShardingConstraintOp, sdy::ReshardOp, sdy::ShardingGroupOp, sdy::MeshOp>(op))
      return op->erase();
    const auto isSharding = [](NamedAttribute attribute) { return attribute.getName().strref().starts_with("sdy."); };
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (isSharding(attribute))
        op->removeDiscardableAttr(attribute.getName());
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (NamedAttribute attribute : function.getArgAttrs(i))
        if (isSharding(attribute))
          function.removeArgAttr(i, attribute.getName());
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      for (NamedAttribute attribute : function.getResultAttrs(i))
        if (isSharding(attribute))
          function.removeResultAttr(i, attribute.getName());
  });
}

/// Elements that no other type carries.
static bool isUnsupported(Type type) {
  return isa<Float4E2M1FNType, Float6E2M3FNType, Float6E3M2FNType, Float8E8M0FNUType>(getElementTypeOrSelf(type));
}

static LogicalResult refuseOps(Operation *function) {
  LogicalResult status = success();
  function->walk([&](Operation *op) {
    const StringRef reason = reasonAgainst(op);
    Type element;
    for (Type type :
         llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes())))
      if (isUnsupported(type))
        element = getElementTypeOrSelf(type);
    if (isa_and_present<hlo::StableHLODialect, chlo::CHLODialect>(op->getDialect()) && element)
      status = hlotomica::refuse(op, "elements are of type " + text(element) + ", with which no op computes");
    else if (!reason.empty())
      status = hlotomica::refuse(op, reason);
  });
  return status;
}

/// Bounds of dynamic sizes, which no conversion needs.
static void eraseBounds(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](RankedTensorType type) -> std::optional<Type> {
    if (isa_and_present<hlo::BoundsAttr>(type.getEncoding()))
      return RankedTensorType::get(type.getShape(), type.getElementType());
    return std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
}

static bool hasBounds(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_present<hlo::BoundsAttr>(tensor.getEncoding());
}

namespace {
struct LegalizeStableHLOTypes : mica::impl::LegalizeStableHLOTypesBase<LegalizeStableHLOTypes> {
  using LegalizeStableHLOTypesBase::LegalizeStableHLOTypesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const bool useShardings = bool(module->removeAttr(kUseShardingsAttr));
    if (!getContext().getLoadedDialect<hlo::StableHLODialect>() || !usesStableHLO(module)) {
      if (!useShardings)
        return markAllAnalysesPreserved();
      module.emitError() << "--shard=annotations: the program has no ops of stablehlo, whose annotations it would use";
      return signalPassFailure();
    }
    hlotypes::convertToRanks(module);
    if (failed(hlotomica::forEachFunction(module, refuseOps)))
      return signalPassFailure();
    if (bool used = false; useShardings) {
      if (failed(hlotypes::convertAnnotations(module, used)))
        return signalPassFailure();
      if (!used) {
        module.emitError() << "--shard=annotations: no argument, result or operation is annotated with sdy.sharding, "
                              "mhlo.sharding or sdy.sharding_constraint, or the program is for each rank already";
        return signalPassFailure();
      }
    }
    if (getContext().getLoadedDialect<sdy::SdyDialect>())
      eraseShardings(module);
    if (hasElements(module, hasBounds))
      eraseBounds(module);
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
          return isa_and_present<hlo::StableHLODialect, chlo::CHLODialect, sdy::SdyDialect>(op->getDialect())
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
