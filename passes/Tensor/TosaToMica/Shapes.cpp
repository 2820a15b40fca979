//===- Shapes.cpp - folding tosa shape arithmetic ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shapes of tosa are compile-time constants, and upstream's lowerings only accept tosa.const_shape: shape arithmetic on
// constants, and on static sizes, is folded to it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/TosaToMica/Common.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mica;

using Shape = std::optional<SmallVector<int64_t>>;

/// The only element of a constant tensor of integers.
static std::optional<int64_t> constantNumber(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || elements.getNumElements() != 1)
    return std::nullopt;
  return (*elements.begin()).getSExtValue();
}

template <typename OpTy> static Shape binary(OpTy op, llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> f) {
  Shape left = tosatomica::constantShape(op.getInput1()), right = tosatomica::constantShape(op.getInput2());
  if (!left || !right || left->size() != right->size())
    return std::nullopt;
  for (auto [a, b] : llvm::zip_equal(*left, *right)) {
    std::optional<int64_t> value = f(a, b);
    if (!value)
      return std::nullopt;
    a = *value;
  }
  return left;
}

template <typename OpTy> static Shape unary(OpTy op, llvm::function_ref<std::optional<int64_t>(int64_t)> f) {
  Shape shape = tosatomica::constantShape(op.getInput());
  for (int64_t &a : shape ? MutableArrayRef<int64_t>(*shape) : MutableArrayRef<int64_t>()) {
    std::optional<int64_t> value = f(a);
    if (!value)
      return std::nullopt;
    a = *value;
  }
  return shape;
}

/// The value of `op` if known; unknown on overflow of i64.
static Shape valueOf(Operation *op) {
  using Size = std::optional<int64_t>;
  auto ifFits = [](bool overflows, int64_t value) { return overflows ? Size() : Size(value); };
  return llvm::TypeSwitch<Operation *, Shape>(op)
      .Case([&](tosa::AddShapeOp op) {
        return binary(op, [&](int64_t a, int64_t b) {
          int64_t r;
          return ifFits(llvm::AddOverflow(a, b, r), r);
        });
      })
      .Case([&](tosa::SubShapeOp op) {
        return binary(op, [&](int64_t a, int64_t b) {
          int64_t r;
          return ifFits(llvm::SubOverflow(a, b, r), r);
        });
      })
      .Case([&](tosa::MulShapeOp op) {
        return binary(op, [&](int64_t a, int64_t b) {
          int64_t r;
          return ifFits(llvm::MulOverflow(a, b, r), r);
        });
      })
      // The specification divides nonnegative by positive numbers.
      .Case([&](tosa::DivFloorShapeOp op) {
        return binary(op, [](int64_t a, int64_t b) { return a < 0 || b <= 0 ? Size() : Size(a / b); });
      })
      .Case([&](tosa::DivCeilShapeOp op) {
        return binary(op, [](int64_t a, int64_t b) { return a < 0 || b <= 0 ? Size() : Size(a / b + (a % b != 0)); });
      })
      .Case([&](tosa::ModShapeOp op) {
        return binary(op, [](int64_t a, int64_t b) { return a < 0 || b <= 0 ? Size() : Size(a % b); });
      })
      .Case([&](tosa::MaxShapeOp op) { return binary(op, [](int64_t a, int64_t b) { return Size(std::max(a, b)); }); })
      .Case([&](tosa::MinShapeOp op) { return binary(op, [](int64_t a, int64_t b) { return Size(std::min(a, b)); }); })
      .Case([&](tosa::Exp2ShapeOp op) {
        return unary(op, [](int64_t a) { return a < 0 || a > 62 ? Size() : Size(int64_t(1) << a); });
      })
      .Case([&](tosa::Log2CeilShapeOp op) {
        return unary(op, [](int64_t a) { return a <= 0 ? Size() : Size(llvm::Log2_64_Ceil(a)); });
      })
      .Case([&](tosa::Log2FloorShapeOp op) {
        return unary(op, [](int64_t a) { return a <= 0 ? Size() : Size(llvm::Log2_64(a)); });
      })
      .Case([](tosa::ConcatShapeOp op) {
        SmallVector<int64_t> all;
        for (Value input : op.getInput()) {
          Shape part = tosatomica::constantShape(input);
          if (!part)
            return Shape();
          all.append(*part);
        }
        return Shape(all);
      })
      .Case([](tosa::SliceShapeOp op) {
        Shape shape = tosatomica::constantShape(op.getInput());
        Size start = constantNumber(op.getStart()), size = constantNumber(op.getSize());
        if (!shape || !start || !size || *start < 0 || *size < 0 || *start > int64_t(shape->size()) ||
            *size > int64_t(shape->size()) - *start)
          return Shape();
        return Shape(SmallVector<int64_t>(ArrayRef(*shape).slice(*start, *size)));
      })
      .Case([](tosa::DimOp op) {
        auto type = dyn_cast<RankedTensorType>(op.getInput1().getType());
        const int64_t axis = op.getAxis();
        if (!type || axis < 0 || axis >= type.getRank() || type.isDynamicDim(axis))
          return Shape();
        return Shape(SmallVector<int64_t>{type.getDimSize(axis)});
      })
      .Default([](Operation *) { return Shape(); });
}

void tosatomica::foldShapes(Operation *root) {
  root->walk([](Operation *op) {
    Shape value = valueOf(op);
    if (!value)
      return;
    OpBuilder builder(op);
    op->replaceAllUsesWith(tosa::ConstShapeOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                                                      builder.getIndexTensorAttr(*value)));
    op->erase();
  });
}
