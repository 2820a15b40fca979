//===- SmallTypes.cpp - element types that programs do not have -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SmallTypes.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/SmallTypes.h"

#include "lib/Import/ONNX/Importer.h"
#include "lib/Import/ONNX/Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

Type importer::smallTypeOf(int32_t dataType, MLIRContext &context) {
  switch (dataType) {
  case kFloat8E4M3FNUZ:
    return Float8E4M3FNUZType::get(&context);
  case kFloat8E5M2FNUZ:
    return Float8E5M2FNUZType::get(&context);
  case kFloat4E2M1:
    return Float4E2M1FNType::get(&context);
  case kInt2:
  case kUint2:
    return IntegerType::get(&context, 2);
  default:
    return Type();
  }
}

std::string importer::carriedElements(llvm::StringRef bytes, Type small, bool isUnsigned) {
  std::string carried;
  const unsigned bits = small.getIntOrFloatBitWidth();
  for (const char byte : bytes) {
    const llvm::APInt element(bits, static_cast<uint8_t>(byte) & ((1u << bits) - 1));
    if (auto type = dyn_cast<FloatType>(small)) {
      const float number = llvm::APFloat(type.getFloatSemantics(), element).convertToFloat();
      carried.append(reinterpret_cast<const char *>(&number), sizeof number);
    } else {
      carried += static_cast<char>((isUnsigned ? element.zext(4) : element.sext(4)).getZExtValue());
    }
  }
  return carried;
}

bool importer::keepsSmallElements(llvm::StringRef op) {
  static const llvm::StringSet<> kOps = {"Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"};
  return kOps.contains(op);
}

LogicalResult importer::checkSmallOperands(Node &node) {
  static const llvm::StringSet<> kOthers = {
      "Cast", "CastLike", "DequantizeLinear", "If", "Loop", "Scan", "QuantizeLinear", "Shape", "Size"};
  const llvm::StringRef op = node.proto.op_type();
  if (keepsSmallElements(op) || kOthers.contains(op))
    return success();
  for (unsigned i = 0; i < node.inputCount(); ++i)
    if (Type small = node.small(i)) {
      std::string name;
      llvm::raw_string_ostream(name) << small;
      return node.refuse("it takes no elements of " + name, "convert them before it, with Cast or DequantizeLinear");
    }
  return success();
}

Value importer::saturated(Node &node, Value value, bool fromUnsigned, Type element) {
  Type real = llvm::cast<RankedTensorType>(value.getType()).getElementType();
  if (!isa<FloatType>(real) || real.getIntOrFloatBitWidth() < 32) {
    real = node.b.getF32Type();
    value = node.cast(value, real, fromUnsigned);
  }
  const double most = llvm::APFloat::getLargest(llvm::cast<FloatType>(element).getFloatSemantics()).convertToDouble();
  return node.cast(node.binary<MinOp>(node.binary<MaxOp>(value, node.constant(real, -most)), node.constant(real, most)),
                   element);
}

namespace {
/// Numbers of a float type as the nearest ones of a smaller type.
struct SmallRounding {
  FloatType small;
  bool saturates;

  Value operator()(OpBuilder &builder, Location loc, Value x) const {
    Scalars s(builder, loc);
    const Type real = x.getType();
    const bool isWide = real.isF64();
    const llvm::fltSemantics &format = small.getFloatSemantics();
    const int least = llvm::APFloat::semanticsMinExponent(format);
    const int digits = static_cast<int>(llvm::APFloat::semanticsPrecision(format)) - 1;
    const double largest = llvm::APFloat::getLargest(format).convertToDouble();
    const int fraction = isWide ? 52 : 23, bias = isWide ? 1023 : 127;
    const Type integer = builder.getIntegerType(isWide ? 64 : 32);
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(integer, value));
    };
    // The distance of the type's numbers near x is a power of 2, so scaling by it is exact.
    Value bits = arith::BitcastOp::create(builder, loc, integer, x);
    Value field = arith::AndIOp::create(builder, loc, bits, number((2 * int64_t(bias) + 1) << fraction));
    Value exponent = arith::ShRUIOp::create(builder, loc, field, number(fraction));
    Value unit = s.sub(s.max(exponent, number(least + bias)), number(digits));
    auto power = [&](Value biased) -> Value {
      return arith::BitcastOp::create(builder, loc, real,
                                      arith::ShLIOp::create(builder, loc, biased, number(fraction)).getResult());
    };
    Value scaled = s.mul(x, power(s.sub(number(2 * int64_t(bias)), unit)));
    Value result = s.mul(math::RoundEvenOp::create(builder, loc, scaled), power(unit));
    const bool hasNaN = llvm::APFloat::semanticsHasNaN(format);
    auto isNaN = [&](Value value) -> Value {
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
    };
    Value most = s.number(real, largest), magnitude = math::AbsFOp::create(builder, loc, x);
    if (saturates || !hasNaN) {
      Value limited = arith::MinNumFOp::create(
          builder, loc, arith::MaxNumFOp::create(builder, loc, result, s.number(real, -largest)), most);
      // Infinity has no unit: what is large is the largest, by its sign.
      Value ends = math::CopySignOp::create(builder, loc, most, x);
      limited = s.select(s.less(magnitude, most), limited, ends);
      // A type without NaN has its largest number in its place.
      result = s.select(isNaN(x), hasNaN ? x : most, limited);
    } else {
      Value nan = s.number(real, std::numeric_limits<double>::quiet_NaN());
      Value fits = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE,
                                         math::AbsFOp::create(builder, loc, result).getResult(), most);
      result = s.select(fits, result, nan);
    }
    // These have one zero, and NaN in the place of the other.
    if (isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(small))
      result = s.add(result, s.number(real, 0));
    return isWide ? Value(arith::TruncFOp::create(builder, loc, builder.getF32Type(), result)) : result;
  }
};
} // namespace

Value importer::toSmall(Node &node, Value value, bool fromUnsigned, Type small, bool isUnsigned, bool saturates) {
  const Type given = llvm::cast<RankedTensorType>(value.getType()).getElementType();
  if (auto type = dyn_cast<FloatType>(small)) {
    const Type f32 = node.b.getF32Type();
    if (!isa<FloatType>(given) || given.getIntOrFloatBitWidth() < 32)
      value = node.cast(value, f32, fromUnsigned);
    return node.elementwise(value, f32, [&](OpBuilder &builder, Location loc, ValueRange args) {
      return SmallRounding{type, saturates}(builder, loc, args[0]);
    });
  }
  // The lowest 2 bits.
  Value four = node.cast(value, node.b.getIntegerType(4), fromUnsigned, isUnsigned);
  return node.elementwise(four, node.b.getIntegerType(4), [&](OpBuilder &builder, Location loc, ValueRange args) {
    Value two = Scalars(builder, loc).number(args[0].getType(), 2);
    Value up = arith::ShLIOp::create(builder, loc, args[0], two);
    return isUnsigned ? Value(arith::ShRUIOp::create(builder, loc, up, two))
                      : Value(arith::ShRSIOp::create(builder, loc, up, two));
  });
}
