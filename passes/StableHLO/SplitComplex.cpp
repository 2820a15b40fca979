//===- SplitComplex.cpp - converting complex values to pairs -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops of control flow and with computations get both parts in the place of each complex operand, result and argument;
// ops that move elements are made once for each part. Functions take and return two tensors for a complex one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"
#include "passes/StableHLO/ComplexValues.h"
#include "passes/StableHLO/Refusals.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

static Type partType(Type type) {
  return cast<RankedTensorType>(type).clone(cast<ComplexType>(getElementTypeOrSelf(type)).getElementType());
}

static SmallVector<Type> flattened(TypeRange types) {
  SmallVector<Type> all;
  for (Type type : types)
    all.append(isComplex(type) ? 2 : 1, isComplex(type) ? partType(type) : type);
  return all;
}

namespace {
class Splitter : ComplexValues {
public:
  LogicalResult run(func::FuncOp function) {
    splitFunction(function);
    if (isFailed)
      return failure();
    eraseReplaced();
    return success();
  }

private:
  void refuse(Operation *op) {
    op->emitOpError("is not supported in this form: elements are complex");
    isFailed = true;
  }

  void splitFunction(func::FuncOp function) {
    splitRegion(function.getBody(), /*inPairs=*/false);
    const FunctionType type = function.getFunctionType();
    flattenSignature(function, [](Type type) { return flattened(type); });
    markImaginaryParts(function, type);
  }

  /// `inPairs`: the arguments are pairs of elements, as those of a comparator.
  void splitRegion(Region &region, bool inPairs) {
    for (Block &block : region) {
      const size_t count = block.getNumArguments();
      SmallVector<BlockArgument> old(block.getArguments());
      const unsigned step = inPairs ? 2 : 1;
      unsigned next = 0;
      for (size_t i = 0; i < count; i += step) {
        if (!isComplex(old[i].getType())) {
          next += step;
          continue;
        }
        SmallVector<BlockArgument> made;
        for (unsigned k = 0; k < 2 * step; ++k)
          made.push_back(block.insertArgument(next + step + k, partType(old[i].getType()), old[i].getLoc()));
        for (unsigned k = 0; k < step; ++k) {
          parts[old[i + k]] = {made[k], made[k + step]};
          arguments.push_back(old[i + k]);
        }
        next += 3 * step;
      }
      for (Operation &op : llvm::make_early_inc_range(block))
        splitOp(&op);
    }
  }

  void splitOp(Operation *op) {
    for (Region &region : op->getRegions())
      splitRegion(region, isa<hlo::SortOp>(op));
    if (llvm::none_of(op->getOperandTypes(), isComplex) && llvm::none_of(op->getResultTypes(), isComplex))
      return;
    OpBuilder builder(op);
    if (isa<func::CallOp, func::ReturnOp, hlo::ReturnOp, hlo::WhileOp, hlo::IfOp, hlo::CaseOp, hlo::ReduceOp,
            hlo::ReduceWindowOp, hlo::ScatterOp, hlo::SortOp, hlo::OptimizationBarrierOp>(op))
      return flatten(op, builder);
    if (isa<hlo::CustomCallOp, hlocheck::ExpectEqOp, hlocheck::ExpectAlmostEqOp, hlocheck::ExpectCloseOp>(op)) {
      // A check may return whether it holds.
      if (op->getNumResults() > 1)
        return refuse(op);
      Operation *re = clone(op, builder, 0), *im = clone(op, builder, 1);
      if (op->getNumResults() == 1)
        op->getResult(0).replaceAllUsesWith(
            hlo::AndOp::create(builder, op->getLoc(), op->getResult(0).getType(), re->getResult(0), im->getResult(0)));
      replaced.push_back(op);
      return;
    }
    if (isa<hlocheck::ExpectEqConstOp, hlocheck::ExpectAlmostEqConstOp>(op))
      return splitConstantCheck(op, builder);
    const std::optional<Parts> result = compute(op, builder);
    if (!result)
      return refuse(op);
    replace(op, *result);
  }

  /// The op on the real or on the imaginary parts.
  Operation *clone(Operation *op, OpBuilder &builder, unsigned part) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(partOf(operand, part));
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(isComplex(type) ? partType(type) : type);
    OperationState state(op->getLoc(), op->getName(), operands, types, op->getAttrs());
    return builder.create(state);
  }

  void flatten(Operation *op, OpBuilder &builder) {
    replaceByFlat(op, rebuilt(builder, op, flatOperands(op), flattened(op->getResultTypes())));
  }

  /// The real and imaginary parts of a constant.
  static std::optional<std::pair<DenseElementsAttr, DenseElementsAttr>> split(Attribute value) {
    auto elements = dyn_cast<DenseElementsAttr>(value);
    auto element = elements ? dyn_cast<ComplexType>(elements.getElementType()) : ComplexType();
    if (!element || !isa<FloatType>(element.getElementType()))
      return std::nullopt;
    auto type = cast<RankedTensorType>(partType(elements.getType()));
    if (elements.isSplat()) {
      const auto one = elements.getSplatValue<std::complex<APFloat>>();
      return std::pair(DenseElementsAttr::get(type, one.real()), DenseElementsAttr::get(type, one.imag()));
    }
    SmallVector<APFloat> re, im;
    for (const std::complex<APFloat> &one : elements.getValues<std::complex<APFloat>>()) {
      re.push_back(one.real());
      im.push_back(one.imag());
    }
    return std::pair(DenseElementsAttr::get(type, re), DenseElementsAttr::get(type, im));
  }

  void splitConstantCheck(Operation *op, OpBuilder &builder) {
    const auto constants = split(op->getAttr("value"));
    if (!constants)
      return refuse(op);
    for (unsigned part : {0u, 1u}) {
      NamedAttrList attributes(op->getAttrDictionary());
      attributes.set("value", part == 0 ? constants->first : constants->second);
      OperationState state(op->getLoc(), op->getName(), partOf(op->getOperand(0), part), TypeRange(), attributes);
      builder.create(state);
    }
    replaced.push_back(op);
  }

  std::optional<Parts> compute(Operation *op, OpBuilder &builder) {
    Arith arith(builder, op->getLoc());
    const auto partsOf = [&](Value value) { return parts.lookup(value); };
    if (auto constant = dyn_cast<hlo::ConstantOp>(op)) {
      const auto constants = split(constant.getValue());
      if (!constants)
        return std::nullopt;
      const auto make = [&](DenseElementsAttr value) -> Value {
        return hlo::ConstantOp::create(builder, op->getLoc(), value.getType(), value);
      };
      return Parts{make(constants->first), make(constants->second)};
    }
    if (isa<hlo::ComplexOp>(op))
      return Parts{op->getOperand(0), op->getOperand(1)};
    if (isa<hlo::RealOp>(op))
      return Parts{partOf(op->getOperand(0), 0), Value()};
    if (isa<hlo::ImagOp>(op))
      return Parts{partOf(op->getOperand(0), 1), Value()};
    if (isa<hlo::ConvertOp>(op)) {
      Value from = op->getOperand(0);
      const Type to = op->getResult(0).getType();
      const Type element = isComplex(to) ? getElementTypeOrSelf(partType(to)) : getElementTypeOrSelf(to);
      Value re = arith.as(partOf(from, 0), element);
      if (!isComplex(to))
        return Parts{re, Value()};
      return Parts{re, isComplex(from.getType()) ? arith.as(partOf(from, 1), element) : arith.number(re, 0)};
    }
    if (auto fft = dyn_cast<hlo::FftOp>(op)) {
      const Parts operand =
          isComplex(fft.getOperand().getType()) ? partsOf(fft.getOperand()) : Parts{fft.getOperand(), Value()};
      return computeFft(fft, operand, builder);
    }
    if (isa<hlo::DotGeneralOp, hlo::DotOp, hlo::ConvolutionOp>(op)) {
      if (!isComplex(op->getOperand(0).getType()) || !isComplex(op->getOperand(1).getType()))
        return std::nullopt;
      const auto product = [&](unsigned left, unsigned right) -> Value {
        SmallVector<Value> operands{partOf(op->getOperand(0), left), partOf(op->getOperand(1), right)};
        OperationState state(op->getLoc(), op->getName(), operands, partType(op->getResult(0).getType()),
                             op->getAttrs());
        return builder.create(state)->getResult(0);
      };
      return Parts{arith.sub(product(0, 0), product(1, 1)), arith.add(product(0, 1), product(1, 0))};
    }
    if (isa<hlo::BroadcastInDimOp, hlo::ReshapeOp, hlo::TransposeOp, hlo::ReverseOp, hlo::SliceOp, hlo::ConcatenateOp,
            hlo::PadOp, hlo::DynamicSliceOp, hlo::DynamicUpdateSliceOp, hlo::SelectOp, hlo::GatherOp,
            hlo::DynamicBroadcastInDimOp, hlo::DynamicReshapeOp, hlo::DynamicPadOp, hlo::RealDynamicSliceOp,
            hlo::DynamicGatherOp>(op))
      return Parts{clone(op, builder, 0)->getResult(0), clone(op, builder, 1)->getResult(0)};
    if (isa<hlo::IotaOp>(op)) {
      Value re = clone(op, builder, 0)->getResult(0);
      return Parts{re, arith.number(re, 0)};
    }
    if (isa<hlo::GetDimensionSizeOp>(op))
      return Parts{clone(op, builder, 0)->getResult(0), Value()};
    SmallVector<Parts> operands;
    for (Value operand : op->getOperands()) {
      if (!isComplex(operand.getType()))
        return std::nullopt;
      operands.push_back(partsOf(operand));
    }
    if (operands.empty())
      return std::nullopt;
    return computeComplex(op, operands, builder);
  }

  bool isFailed = false;
};
} // namespace

LogicalResult hlotypes::splitComplex(ModuleOp module) {
  inlineComplexMaps(module);
  return hlotomica::forEachFunction(module, [](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    return function ? Splitter().run(function) : success();
  });
}
