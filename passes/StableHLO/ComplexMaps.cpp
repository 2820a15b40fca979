//===- ComplexMaps.cpp - maps of complex elements ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A complex value becomes two, and a map has one result. The ops of its computation work on whole tensors as well:
//
//   %0 = "stablehlo.map"(%x) ({ ^bb0(%a: tensor<complex<f32>>):
//     %1 = stablehlo.negate %a : tensor<complex<f32>>
//     stablehlo.return %1 : tensor<complex<f32>> }) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// becomes
//   %0 = stablehlo.negate %x : tensor<4xcomplex<f32>>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

static bool isComplex(Type type) { return isa<ComplexType>(getElementTypeOrSelf(type)); }

/// Whether the op works elementwise on a tensor of any shape, or is a constant of one value.
static bool worksOnTensors(Operation &op) {
  const bool isScalar = llvm::all_of(op.getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  });
  if (op.getNumResults() != 1 || op.getNumRegions() != 0 || !isScalar)
    return false;
  if (auto constant = dyn_cast<hlo::ConstantOp>(op))
    return isa<DenseElementsAttr>(constant.getValue());
  return op.getNumOperands() != 0 &&
         (op.hasTrait<OpTrait::SameOperandsAndResultShape>() || isa<hlo::SelectOp, hlo::ClampOp>(op));
}

static void inlineMap(hlo::MapOp map) {
  Block &body = map.getComputation().front();
  auto shape = cast<RankedTensorType>(map.getType());
  if (map.getInputs().empty() || !llvm::all_of(body.without_terminator(), worksOnTensors))
    return;
  OpBuilder builder(map);
  IRMapping whole;
  whole.map(body.getArguments(), map.getInputs());
  const auto wholeOf = [&](Value value) {
    if (!whole.contains(value))
      whole.map(value, Arith(builder, map.getLoc()).broadcast(value, map.getInputs().front(), {}));
    return whole.lookup(value);
  };
  for (Operation &op : body.without_terminator()) {
    for (Value operand : op.getOperands())
      wholeOf(operand);
    if (isa<hlo::ConstantOp>(op) && !shape.hasStaticShape()) {
      // The other ops take it in the sizes of the operands.
      whole.map(op.getResult(0),
                Arith(builder, op.getLoc()).broadcast(builder.clone(op)->getResult(0), map.getInputs().front(), {}));
      continue;
    }
    const RankedTensorType type = shape.clone(getElementTypeOrSelf(op.getResult(0)));
    Operation *copy = builder.clone(op, whole);
    copy->getResult(0).setType(type);
    if (auto constant = dyn_cast<hlo::ConstantOp>(copy))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).resizeSplat(type));
  }
  map.getResult().replaceAllUsesWith(wholeOf(body.getTerminator()->getOperand(0)));
  map.erase();
}

void hlotypes::inlineComplexMaps(ModuleOp module) {
  module.walk([](hlo::MapOp map) {
    bool isOfComplex = llvm::any_of(map->getOperandTypes(), isComplex) || isComplex(map.getType());
    map.getComputation().walk(
        [&](Operation *op) { isOfComplex = isOfComplex || llvm::any_of(op->getResultTypes(), isComplex); });
    if (isOfComplex)
      inlineMap(map);
  });
}
