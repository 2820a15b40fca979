//===- Shapes.cpp - converting stablehlo ops that move elements -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
// becomes
//   %1 = mica.reshape %x : (tensor<4xf32>) -> tensor<4x1xf32>
//   %0 = mica.broadcast %1 : (tensor<4x1xf32>) -> tensor<4x8xf32>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

static bool isStatic(Value value) { return typeOf(value).hasStaticShape(); }

static Value sliced(OpBuilder &builder, Location loc, Value value, ValueRange offsets, ArrayRef<int64_t> starts,
                    ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  auto type = RankedTensorType::get(sizes, elementOf(value));
  return SliceOp::create(builder, loc, type, value, offsets, ValueRange(), starts, sizes, strides);
}

static Converted convertBroadcast(hlo::BroadcastInDimOp op, OpBuilder &builder) {
  if (!isStatic(op.getOperand()) || !isStatic(op))
    return convertDynamicForm(op, builder);
  const Location loc = op.getLoc();
  const SmallVector<int64_t> dims = op.getBroadcastDimensions();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(dims.size())));
  llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
  SmallVector<int64_t> shape(typeOf(op.getResult()).getRank(), 1);
  for (auto [dim, target] : llvm::enumerate(dims))
    shape[target] = typeOf(op.getOperand()).getDimSize(dim);
  Value value = reshaped(builder, loc, transposed(builder, loc, op.getOperand(), order), shape);
  if (value.getType() != op.getType())
    value = BroadcastOp::create(builder, loc, op.getType(), value, ValueRange());
  return Values{value};
}

static Converted convertConcatenate(hlo::ConcatenateOp op, OpBuilder &builder) {
  return Values{
      ConcatOp::create(builder, op.getLoc(), op.getType(), op.getInputs(), int64_t(op.getDimension())).getResult()};
}

static Converted convertSlice(hlo::SliceOp op, OpBuilder &builder) {
  if (!isStatic(op) || !isStatic(op.getOperand()))
    return convertDynamicForm(op, builder);
  return Values{
      sliced(builder, op.getLoc(), op.getOperand(), {}, op.getStartIndices(), typeOf(op).getShape(), op.getStrides())};
}

/// Element i of a dimension goes to position low + i * (interior + 1), if that is within the result.
Value hlotomica::padded(OpBuilder &builder, Location loc, Value value, Value scalar, ArrayRef<int64_t> low,
                        ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  const RankedTensorType from = typeOf(value);
  const auto isZero = [](int64_t padding) { return padding == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero) && llvm::all_of(interior, isZero))
    return value;
  SmallVector<int64_t> shape;
  for (auto [size, before, after, between] : llvm::zip_equal(from.getShape(), low, high, interior)) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(before + after + size + std::max<int64_t>(size - 1, 0) * between);
      continue;
    }
    if (before != 0 || after != 0 || between != 0) {
      const IndexMath math(builder, loc);
      return padded(builder, loc, value, scalar, math.constants(low), math.constants(high), math.constants(interior));
    }
    shape.push_back(size);
  }
  auto type = RankedTensorType::get(shape, from.getElementType());
  const SmallVector<Value> dynamic = dynamicOnes(from, sizesOf(builder, loc, value));
  Value result = filled(builder, loc, type, scalar, dynamic);
  SmallVector<int64_t> starts, sizes, positions, steps;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (from.isDynamicDim(dim)) {
      starts.push_back(0);
      sizes.push_back(ShapedType::kDynamic);
      positions.push_back(0);
      steps.push_back(1);
      continue;
    }
    const int64_t step = interior[dim] + 1;
    const int64_t first = low[dim] >= 0 ? 0 : llvm::divideCeilSigned(-low[dim], step);
    const int64_t last =
        std::min(from.getDimSize(dim) - 1, llvm::divideFloorSigned(type.getDimSize(dim) - 1 - low[dim], step));
    if (last < first)
      return result;
    starts.push_back(first);
    sizes.push_back(last - first + 1);
    positions.push_back(low[dim] + first * step);
    steps.push_back(step);
  }
  if (ArrayRef<int64_t>(sizes) != from.getShape())
    value = SliceOp::create(builder, loc, RankedTensorType::get(sizes, from.getElementType()), value, ValueRange(),
                            dynamic, starts, sizes, SmallVector<int64_t>(sizes.size(), 1));
  return tensor::InsertSliceOp::create(builder, loc, type, value, result, ValueRange(), dynamic, ValueRange(),
                                       positions, sizes, steps);
}

static Converted convertPad(hlo::PadOp op, OpBuilder &builder) {
  if (!isStatic(op.getOperand()) || !isStatic(op))
    return convertDynamicForm(op, builder);
  const Location loc = op.getLoc();
  const auto isNotNegative = [](int64_t padding) { return padding >= 0; };
  const TypedAttr value = splatValue(op.getPaddingValue());
  const bool onlyAdds = llvm::all_of(op.getEdgePaddingLow(), isNotNegative) &&
                        llvm::all_of(op.getEdgePaddingHigh(), isNotNegative) &&
                        llvm::all_of(op.getInteriorPadding(), [](int64_t padding) { return padding == 0; });
  if (onlyAdds && value)
    return Values{PadOp::create(builder, loc, op.getType(), op.getOperand(), op.getEdgePaddingLow(),
                                op.getEdgePaddingHigh(), PadMode::Constant, value)
                      .getResult()};

  return Values{padded(builder, loc, op.getOperand(), scalarOf(builder, loc, op.getPaddingValue()),
                       op.getEdgePaddingLow(), op.getEdgePaddingHigh(), op.getInteriorPadding())};
}

/// The start indices as values of type index.
static FailureOr<SmallVector<Value>> indicesOf(Operation *op, OperandRange starts, OpBuilder &builder) {
  SmallVector<Value> indices;
  for (Value start : starts) {
    if (!isInteger(elementOf(start)))
      return refuse(op, "start indices are integers of more than a bit");
    indices.push_back(indexOf(builder, op->getLoc(), scalarOf(builder, op->getLoc(), start),
                              isUnsignedOperand(op, op->getNumOperands() - 1)));
  }
  return indices;
}

/// mica.slice moves slices that are not within the operand as the specification wants it.
static Converted convertDynamicSlice(hlo::DynamicSliceOp op, OpBuilder &builder) {
  FailureOr<SmallVector<Value>> offsets = indicesOf(op, op.getStartIndices(), builder);
  if (failed(offsets))
    return failure();
  return Values{sliced(builder, op.getLoc(), op.getOperand(), *offsets,
                       SmallVector<int64_t>(offsets->size(), ShapedType::kDynamic), op.getSliceSizes(),
                       SmallVector<int64_t>(offsets->size(), 1))};
}

static Converted convertDynamicUpdateSlice(hlo::DynamicUpdateSliceOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType type = typeOf(op.getOperand()), update = typeOf(op.getUpdate());
  if (update.hasStaticShape() && update.getNumElements() == 0)
    return Values{op.getOperand()};
  FailureOr<SmallVector<Value>> offsets = indicesOf(op, op.getStartIndices(), builder);
  if (failed(offsets))
    return failure();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [dim, offset] : llvm::enumerate(*offsets)) {
    Value last = builder.createOrFold<arith::SubIOp>(loc, sizeOf(builder, loc, op.getOperand(), int64_t(dim)),
                                                     sizeOf(builder, loc, op.getUpdate(), int64_t(dim)));
    offset = arith::MinSIOp::create(builder, loc, arith::MaxSIOp::create(builder, loc, offset, zero), last);
  }
  const SmallVector<int64_t> dynamic(offsets->size(), ShapedType::kDynamic), ones(offsets->size(), 1);
  const SmallVector<Value> sizes = dynamicOnes(update, sizesOf(builder, loc, op.getUpdate()));
  return Values{tensor::InsertSliceOp::create(builder, loc, type, op.getUpdate(), op.getOperand(), *offsets, sizes,
                                              ValueRange(), dynamic, update.getShape(), ones)
                    .getResult()};
}

static Converted convertIota(hlo::IotaOp op, OpBuilder &builder) {
  if (!isStatic(op))
    return refuse(op, kStatic);
  if (!isa<FloatType>(elementOf(op)) && !isInteger(elementOf(op)))
    return refuse(op, "elements are floats or signed integers");
  return Values{
      IotaOp::create(builder, op.getLoc(), op.getType(), int64_t(op.getIotaDimension()), ValueRange()).getResult()};
}

Converted hlotomica::convertShape(Operation *op, OpBuilder &builder) {
  const Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, Converted>(op)
      .Case([&](hlo::ConstantOp constant) {
        return Values{ConstantOp::create(builder, loc, constant.getType(), constant.getValue()).getResult()};
      })
      .Case([&](hlo::ReshapeOp reshape) -> Converted {
        // One dynamic size follows from the others.
        if (llvm::count_if(typeOf(reshape).getShape(), ShapedType::isDynamic) > 1)
          return refuse(op, "the sizes of the result must be static, but for one");
        return Values{reshaped(builder, loc, reshape.getOperand(), typeOf(reshape).getShape())};
      })
      .Case([&](hlo::TransposeOp transpose) {
        return Values{transposed(builder, loc, transpose.getOperand(), transpose.getPermutation())};
      })
      .Case([&](hlo::ReverseOp reverse) {
        if (reverse.getDimensions().empty())
          return Values{reverse.getOperand()};
        SmallVector<int64_t> dims(reverse.getDimensions());
        llvm::sort(dims);
        return Values{FlipOp::create(builder, loc, reverse.getType(), reverse.getOperand(), dims).getResult()};
      })
      .Case([&](hlo::BroadcastInDimOp broadcast) { return convertBroadcast(broadcast, builder); })
      .Case([&](hlo::ConcatenateOp concatenate) { return convertConcatenate(concatenate, builder); })
      .Case([&](hlo::SliceOp slice) { return convertSlice(slice, builder); })
      .Case([&](hlo::PadOp pad) { return convertPad(pad, builder); })
      .Case([&](hlo::IotaOp iota) { return convertIota(iota, builder); })
      .Case([&](hlo::DynamicSliceOp slice) { return convertDynamicSlice(slice, builder); })
      .Case([&](hlo::DynamicUpdateSliceOp update) { return convertDynamicUpdateSlice(update, builder); })
      .Default([&](Operation *) -> Converted { return failure(); });
}
