//===- Quantized.cpp - quantized elements as integers -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An op that computes becomes, as the specification defines it, an op on the floats that the elements express:
//
//   %0 = stablehlo.add %a, %b : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
// becomes
//   each operand: (convert(a) - 3) * 0.5
//   %0 = stablehlo.add on these
//   convert(round_nearest_even(clamp(-128, %0 / 0.5 + 3, 127)))
//
// An op that moves elements, or carries them, works on the integers that store them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"
#include "passes/StableHLO/Complex.h"
#include "passes/StableHLO/Refusals.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

static quant::QuantizedType quantizedOf(Type type) {
  return dyn_cast<quant::QuantizedType>(getElementTypeOrSelf(type));
}
static bool isQuantized(Type type) { return bool(quantizedOf(type)); }

static Type storageOf(quant::QuantizedType type) {
  return IntegerType::get(type.getContext(), type.getStorageTypeIntegralWidth(),
                          type.isSigned() ? IntegerType::Signless : IntegerType::Unsigned);
}

namespace {
/// Scales and zero points, one of each or one for each index of a dimension.
struct Parameters {
  SmallVector<double> scales;
  SmallVector<int64_t> zeros;
  std::optional<int64_t> axis;
};
} // namespace

static std::optional<Parameters> parametersOf(quant::QuantizedType type) {
  if (auto uniform = dyn_cast<quant::UniformQuantizedType>(type))
    return Parameters{{uniform.getScale()}, {uniform.getZeroPoint()}, std::nullopt};
  if (auto uniform = dyn_cast<quant::UniformQuantizedPerAxisType>(type))
    return Parameters{SmallVector<double>(uniform.getScales()), SmallVector<int64_t>(uniform.getZeroPoints()),
                      uniform.getQuantizedDimension()};
  return std::nullopt;
}

/// Whether the same integers express the same numbers; the dimension of scales may be another one.
static bool expressAlike(quant::QuantizedType a, quant::QuantizedType b) {
  const auto one = parametersOf(a), other = parametersOf(b);
  return one && other && storageOf(a) == storageOf(b) && a.getExpressedType() == b.getExpressedType() &&
         one->scales == other->scales && one->zeros == other->zeros && one->axis.has_value() == other->axis.has_value();
}

/// Ops that carry values of several types.
static bool carries(Operation *op) {
  return isa<hlo::WhileOp, hlo::IfOp, hlo::CaseOp, hlo::ReturnOp, hlo::OptimizationBarrierOp, hlo::CompositeOp,
             hlo::CustomCallOp>(op) ||
         !isa_and_present<hlo::StableHLODialect>(op->getDialect());
}

/// Ops with a computation on the elements, which is rewritten itself, and collective ops.
static bool computesInRegion(Operation *op) {
  return isa<hlo::ReduceOp, hlo::ReduceWindowOp, hlo::SelectAndScatterOp, hlo::ScatterOp, hlo::SortOp, hlo::MapOp,
             hlo::AllGatherOp, hlo::AllReduceOp, hlo::ReduceScatterOp, hlo::AllToAllOp, hlo::CollectiveBroadcastOp,
             hlo::CollectivePermuteOp>(op);
}

bool hlotypes::movesElements(Operation *op) {
  return isa<hlo::BroadcastOp, hlo::BroadcastInDimOp, hlo::DynamicBroadcastInDimOp, hlo::ReshapeOp,
             hlo::DynamicReshapeOp, hlo::TransposeOp, hlo::ReverseOp, hlo::SliceOp, hlo::DynamicSliceOp,
             hlo::DynamicUpdateSliceOp, hlo::RealDynamicSliceOp, hlo::ConcatenateOp, hlo::GatherOp,
             hlo::DynamicGatherOp, hlo::PadOp, hlo::DynamicPadOp, hlo::SelectOp>(op);
}

bool hlotypes::carriesElements(Operation *op) { return carries(op) || computesInRegion(op); }

namespace {
class Quantizer : public Arith {
public:
  Quantizer(OpBuilder &builder, Location loc) : Arith(builder, loc) {}

  Value dequantized(Value value) {
    RankedTensorType type = tensorOf(value);
    const quant::QuantizedType quantized = quantizedOf(type);
    const Parameters parameters = *parametersOf(quantized);
    Value stored = hlo::BitcastConvertOp::create(builder, loc, type.clone(storageOf(quantized)), value);
    // A difference of integers of 32 bits needs more.
    stored = as(stored, builder.getIntegerType(quantized.getStorageTypeIntegralWidth() < 32 ? 32 : 64));
    Value difference = sub(stored, spread(stored, parameters, [&](size_t i) { return double(parameters.zeros[i]); }));
    Value number = as(difference, quantized.getExpressedType());
    return mul(number, spread(number, parameters, [&](size_t i) { return parameters.scales[i]; }));
  }

  Value quantize(Value number, RankedTensorType type) {
    const quant::QuantizedType quantized = quantizedOf(type);
    const Parameters parameters = *parametersOf(quantized);
    number = div(number, spread(number, parameters, [&](size_t i) { return parameters.scales[i]; }));
    number = add(number, spread(number, parameters, [&](size_t i) { return double(parameters.zeros[i]); }));
    number = hlo::ClampOp::create(builder, loc, number.getType(), constant(number, quantized.getStorageTypeMin()),
                                  number, constant(number, quantized.getStorageTypeMax()));
    number = hlo::RoundEvenOp::create(builder, loc, number.getType(), number);
    Value stored = as(number, storageOf(quantized));
    return hlo::BitcastConvertOp::create(builder, loc, type, stored);
  }

private:
  static Attribute attribute(Type element, double value) {
    if (auto floats = dyn_cast<FloatType>(element)) {
      APFloat number(value);
      bool losesInfo = false;
      number.convert(floats.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      return FloatAttr::get(floats, number);
    }
    return IntegerAttr::get(element, int64_t(value));
  }

  Value constant(Value like, double value) {
    return constantLike(like, cast<TypedAttr>(attribute(tensorOf(like).getElementType(), value)));
  }

  /// The parameters as a tensor of the type of `like`.
  Value spread(Value like, const Parameters &parameters, llvm::function_ref<double(size_t)> valueOf) {
    if (!parameters.axis)
      return constant(like, valueOf(0));
    RankedTensorType type = tensorOf(like);
    SmallVector<Attribute> values;
    for (size_t i = 0; i < parameters.scales.size(); ++i)
      values.push_back(attribute(type.getElementType(), valueOf(i)));
    RankedTensorType listType = type.clone({int64_t(values.size())});
    Value list = hlo::ConstantOp::create(builder, loc, listType, DenseElementsAttr::get(listType, values));
    return broadcast(list, like, *parameters.axis);
  }
};
} // namespace

/// Checks that the code below works for a quantized value of `op`.
static LogicalResult verifyType(Operation *op, Type type) {
  const quant::QuantizedType quantized = quantizedOf(type);
  if (!quantized)
    return success();
  const auto parameters = parametersOf(quantized);
  if (!parameters || !quantized.getExpressedType())
    return hlotomica::refuse(op, "elements are quantized neither per tensor nor per axis");
  const unsigned width = quantized.getStorageTypeIntegralWidth();
  if (!llvm::is_contained({4u, 8u, 16u, 32u}, width))
    return hlotomica::refuse(op, "quantized elements are stored in " + Twine(width) +
                                     " bits; 4, 8, 16 and 32 are supported");
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return hlotomica::refuse(op, "quantized elements are those of tensors");
  if (parameters->axis && (*parameters->axis < 0 || *parameters->axis >= tensor.getRank() ||
                           tensor.getDimSize(*parameters->axis) != int64_t(parameters->scales.size())))
    return hlotomica::refuse(op, "a quantized tensor has one scale for each index of its quantized dimension");
  return success();
}

/// Rewrites an op that computes with quantized elements.
static LogicalResult expandOp(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  llvm::erase_if(types, [](Type type) { return !isQuantized(type); });
  if (types.empty())
    return success();
  if (isa<hlo::BitcastConvertOp, hlo::GetDimensionSizeOp, hlo::ConstantOp>(op) || carries(op))
    return success();
  for (Type type : types)
    if (failed(verifyType(op, type)))
      return failure();
  const bool areAlike =
      llvm::all_of(types, [&](Type type) { return expressAlike(quantizedOf(type), quantizedOf(types.front())); });
  if (computesInRegion(op))
    return areAlike ? success() : hlotomica::refuse(op, "all quantized elements have one type");
  if (movesElements(op) && areAlike)
    return success();
  OpBuilder builder(op);
  Quantizer quantizer(builder, op->getLoc());
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isQuantized(operand.getType()) ? quantizer.dequantized(operand) : operand);
  SmallVector<Type> results;
  for (Type type : op->getResultTypes())
    results.push_back(isQuantized(type) ? Type(cast<RankedTensorType>(type).clone(quantizedOf(type).getExpressedType()))
                                        : type);
  SmallVector<Value> values;
  if (isa<hlo::UniformQuantizeOp, hlo::UniformDequantizeOp>(op))
    values = operands;
  else
    llvm::append_range(values, rebuilt(builder, op, operands, results)->getResults());
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    if (isQuantized(result.getType()))
      value = quantizer.quantize(value, tensorOf(result));
    result.replaceAllUsesWith(value);
  }
  op->erase();
  return success();
}

LogicalResult hlotypes::expandQuantized(ModuleOp module) {
  const LogicalResult result = hlotomica::forEachFunction(module, [](Operation *function) {
    SmallVector<Operation *> ops;
    function->walk([&](Operation *op) { ops.push_back(op); });
    LogicalResult status = success();
    for (Operation *op : ops)
      if (failed(expandOp(op)))
        status = failure();
    return status;
  });
  if (failed(result))
    return failure();
  AttrTypeReplacer replacer;
  replacer.addReplacement([](quant::QuantizedType type) { return storageOf(type); });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  // The value of a constant may have unsigned integers where the type has signless ones.
  module.walk([](hlo::ConstantOp constant) {
    auto value = dyn_cast<DenseIntElementsAttr>(constant.getValue());
    if (value && value.getType() != constant.getType())
      constant.setValueAttr(value.bitcast(getElementTypeOrSelf(constant.getType())));
  });
  module.walk([](hlo::BitcastConvertOp bitcast) {
    if (bitcast.getOperand().getType() != bitcast.getType())
      return;
    bitcast.getResult().replaceAllUsesWith(bitcast.getOperand());
    bitcast.erase();
  });
  return success();
}
