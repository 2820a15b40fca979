//===- Representations.cpp - converting bitcasts and sizes that are values ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops with sizes as operands are converted where these are constant and the type of the result is static.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

/// Element i of a wide element has its bits i * width and on, the lowest ones first.
static Converted convertBitcast(hlo::BitcastConvertOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType from = typeOf(op.getOperand());
  RankedTensorType to = typeOf(op);
  const unsigned fromBits = from.getElementTypeBitWidth(), toBits = to.getElementTypeBitWidth();
  if (fromBits == toBits)
    return convertByScalars(op, builder);
  if (isBool(from.getElementType()) || isBool(to.getElementType()))
    return refuse(op, "elements of one bit are not");
  const Type fromInteger = builder.getIntegerType(fromBits), toInteger = builder.getIntegerType(toBits);
  const auto bits = [&](OpBuilder &inner, Location at, Value value, Type type) -> Value {
    return value.getType() == type ? value : arith::BitcastOp::create(inner, at, type, value).getResult();
  };
  const int64_t rank = std::max(from.getRank(), to.getRank());
  const bool narrows = fromBits > toBits;
  SmallVector<AffineExpr> wide;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    wide.push_back(builder.getAffineDimExpr(dim));
  const AffineMap all = builder.getMultiDimIdentityMap(rank),
                  without = AffineMap::get(rank, 0, wide, builder.getContext());
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  if (!narrows)
    iterators.back() = utils::IteratorType::reduction;
  const IndexMath math(builder, loc);
  Value ratio = math.constant(std::max(fromBits, toBits) / std::min(fromBits, toBits));
  SmallVector<Value> sizes = sizesOf(builder, loc, op.getOperand());
  if (narrows) {
    sizes.push_back(ratio);
  } else {
    math.require(math.equal(sizes.back(), ratio),
                 "stablehlo.bitcast_convert: the last dimension does not have the parts of one element");
    sizes.pop_back();
  }
  to = typeOfSizes(sizes, to.getElementType());
  const auto type = RankedTensorType::get(to.getShape(), toInteger);
  Value start = narrows ? tensor::EmptyOp::create(builder, loc, to, dynamicOnes(to, sizes)).getResult()
                        : filled(builder, loc, type,
                                 arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(toInteger, 0)),
                                 dynamicOnes(type, sizes));
  auto loop = linalg::GenericOp::create(
      builder, loc, start.getType(), op.getOperand(), start, {narrows ? without : all, narrows ? all : without},
      iterators, [&](OpBuilder &inner, Location at, ValueRange arguments) {
        Type larger = narrows ? fromInteger : toInteger;
        Value place = linalg::IndexOp::create(inner, at, rank - 1);
        place = arith::IndexCastOp::create(inner, at, inner.getI64Type(), place);
        Value width = arith::ConstantOp::create(inner, at, inner.getI64IntegerAttr(std::min(fromBits, toBits)));
        Value shift = arith::MulIOp::create(inner, at, place, width);
        if (larger != inner.getI64Type())
          shift = arith::TruncIOp::create(inner, at, larger, shift);
        Value value = bits(inner, at, arguments[0], fromInteger);
        if (narrows) {
          value = arith::TruncIOp::create(inner, at, toInteger, arith::ShRUIOp::create(inner, at, value, shift));
          value = bits(inner, at, value, to.getElementType());
        } else {
          value = arith::ShLIOp::create(inner, at, arith::ExtUIOp::create(inner, at, toInteger, value), shift);
          value = arith::OrIOp::create(inner, at, arguments[1], value);
        }
        linalg::YieldOp::create(inner, at, value);
      });
  Value result = loop.getResult(0);
  if (narrows || to.getElementType() == toInteger)
    return Values{result};
  Value empty = tensor::EmptyOp::create(builder, loc, to, dynamicOnes(to, sizes));
  const AffineMap identity = builder.getMultiDimIdentityMap(to.getRank());
  return Values{linalg::GenericOp::create(builder, loc, to, result, empty, {identity, identity},
                                          SmallVector<utils::IteratorType>(to.getRank(), utils::IteratorType::parallel),
                                          [&](OpBuilder &inner, Location at, ValueRange arguments) {
                                            linalg::YieldOp::create(inner, at,
                                                                    bits(inner, at, arguments[0], to.getElementType()));
                                          })
                    .getResult(0)};
}

Converted hlotomica::convertRepresentation(Operation *op, OpBuilder &builder) {
  return llvm::TypeSwitch<Operation *, Converted>(op)
      .Case([&](hlo::BitcastConvertOp bitcast) { return convertBitcast(bitcast, builder); })
      .Case([&](hlo::ReducePrecisionOp) { return convertByScalars(op, builder); })
      .Case([&](hlo::OptimizationBarrierOp barrier) -> Converted { return Values(barrier.getOperands()); })
      .Case([&](hlo::RealOp real) -> Converted { return Values{real.getOperand()}; })
      .Case([&](hlo::ImagOp imag) -> Converted {
        const Location loc = imag.getLoc();
        Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(elementOf(imag)));
        return Values{filled(builder, loc, typeOf(imag), zero,
                             dynamicOnes(typeOf(imag), sizesOf(builder, loc, imag.getOperand())))};
      })
      .Default([&](Operation *) -> Converted { return failure(); });
}

/// The integers of a constant.
static std::optional<SmallVector<int64_t>> integersOf(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !isa<IntegerType>(elements.getElementType()))
    return std::nullopt;
  SmallVector<int64_t> integers;
  for (const APInt &integer : elements.getValues<APInt>())
    integers.push_back(integer.getSExtValue());
  return integers;
}

Converted hlotomica::convertDynamic(Operation *op, OpBuilder &builder) {
  const Location loc = op->getLoc();
  const RankedTensorType type = typeOf(op->getResult(0));
  if (auto size = dyn_cast<hlo::GetDimensionSizeOp>(op)) {
    Value dim = tensor::DimOp::create(builder, loc, size.getOperand(), int64_t(size.getDimension()));
    Value integer = arith::IndexCastOp::create(builder, loc, type.getElementType(), dim);
    return Values{tensor::FromElementsOp::create(builder, loc, type, integer)};
  }
  const auto isConstant = [](Value list) { return integersOf(list).has_value(); };
  const unsigned first = isa<hlo::DynamicPadOp>(op) ? 2 : 1;
  const bool hasConstants = isa<hlo::DynamicIotaOp, hlo::DynamicBroadcastInDimOp, hlo::DynamicReshapeOp>(op) ||
                            llvm::all_of(op->getOperands().drop_front(first), isConstant);
  const bool isStatic = type.hasStaticShape() && typeOf(op->getOperand(0)).hasStaticShape();
  if (isa<hlo::DynamicGatherOp>(op) || !(isStatic && hasConstants))
    return convertDynamicForm(op, builder);
  // Each becomes its static form, which is converted in turn.
  const auto convertMade = [&](auto made) -> Converted {
    Converted results = convertShape(made, builder);
    if (succeeded(results))
      made->erase();
    return results;
  };
  const auto constants = [&](OperandRange operands) -> FailureOr<SmallVector<SmallVector<int64_t>>> {
    SmallVector<SmallVector<int64_t>> all;
    for (Value operand : operands) {
      const auto values = integersOf(operand);
      if (!values)
        return refuse(op, "sizes and positions must be constants");
      all.push_back(*values);
    }
    return all;
  };
  return llvm::TypeSwitch<Operation *, Converted>(op)
      .Case([&](hlo::DynamicIotaOp iota) {
        return convertMade(hlo::IotaOp::create(builder, loc, type, iota.getIotaDimension()));
      })
      .Case([&](hlo::DynamicBroadcastInDimOp broadcast) {
        return convertMade(hlo::BroadcastInDimOp::create(builder, loc, type, broadcast.getOperand(),
                                                         broadcast.getBroadcastDimensions()));
      })
      .Case([&](hlo::DynamicReshapeOp reshape) {
        return convertMade(hlo::ReshapeOp::create(builder, loc, type, reshape.getOperand()));
      })
      .Case([&](hlo::DynamicPadOp pad) -> Converted {
        auto values = constants(op->getOperands().drop_front(2));
        if (failed(values))
          return failure();
        return convertMade(hlo::PadOp::create(builder, loc, type, pad.getOperand(), pad.getPaddingValue(), (*values)[0],
                                              (*values)[1], (*values)[2]));
      })
      .Case([&](hlo::RealDynamicSliceOp slice) -> Converted {
        auto values = constants(op->getOperands().drop_front(1));
        if (failed(values))
          return failure();
        return convertMade(
            hlo::SliceOp::create(builder, loc, type, slice.getOperand(), (*values)[0], (*values)[1], (*values)[2]));
      })
      .Default([&](Operation *) -> Converted { return failure(); });
}
