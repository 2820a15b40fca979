//===- VHLOBytecode.cpp - types and attributes of vhlo in bytecode ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each begins with a number that says what it is; the numbers and fields are those of StableHLO's VhloBytecode.cpp,
// which never change. They become the types and attributes of builtin, quant and stablehlo that they stand for.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/StableHLODialect.h"
#include "dialects/StableHLO/IR/VHLODialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::vhlo;

/// Reports `problem` at the place in the file; null.
static std::nullptr_t refuse(DialectBytecodeReader &reader, const Twine &problem) {
  reader.emitError() << "vhlo: " << problem;
  return nullptr;
}

//===------------------------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------------------------===//

/// A type without fields; null if `code` has some or is unknown.
static Type simpleType(MLIRContext *context, uint64_t code) {
  const auto integer = [&](unsigned width, IntegerType::SignednessSemantics sign = IntegerType::Signless) {
    return IntegerType::get(context, width, sign);
  };
  switch (code) {
  case 0:
    return integer(1);
  case 2:
    return BFloat16Type::get(context);
  case 3:
    return Float16Type::get(context);
  case 4:
    return Float32Type::get(context);
  case 5:
    return Float64Type::get(context);
  case 6:
    return Float8E4M3FNType::get(context);
  case 7:
    return Float8E5M2Type::get(context);
  case 9:
    return IndexType::get(context);
  case 10:
    return integer(4);
  case 11:
    return integer(8);
  case 12:
    return integer(16);
  case 13:
    return integer(32);
  case 14:
    return integer(64);
  case 15:
    return integer(4, IntegerType::Unsigned);
  case 16:
    return integer(8, IntegerType::Unsigned);
  case 17:
    return integer(16, IntegerType::Unsigned);
  case 18:
    return integer(32, IntegerType::Unsigned);
  case 19:
    return integer(64, IntegerType::Unsigned);
  case 22:
    return stablehlo::TokenType::get(context);
  case 27:
    return Float8E4M3FNUZType::get(context);
  case 28:
    return Float8E5M2FNUZType::get(context);
  case 29:
    return Float8E4M3B11FNUZType::get(context);
  case 31:
    return integer(2);
  case 32:
    return integer(2, IntegerType::Unsigned);
  case 33:
    return NoneType::get(context);
  case 34:
    return FloatTF32Type::get(context);
  case 35:
    return Float8E4M3Type::get(context);
  case 36:
    return Float8E3M4Type::get(context);
  case 37:
    return Float4E2M1FNType::get(context);
  case 38:
    return Float6E2M3FNType::get(context);
  case 39:
    return Float6E3M2FNType::get(context);
  case 40:
    return Float8E8M0FNUType::get(context);
  default:
    return nullptr;
  }
}

/// A list. That of upstream's reader makes room for as many items as the file states.
template <typename T>
static LogicalResult readItems(DialectBytecodeReader &reader, SmallVectorImpl<T> &items,
                               function_ref<LogicalResult(T &)> read) {
  uint64_t count;
  if (failed(reader.readVarInt(count)))
    return failure();
  for (; count > 0; --count) {
    T item;
    if (failed(read(item)))
      return failure();
    items.push_back(item);
  }
  return success();
}

static LogicalResult readNumbers(DialectBytecodeReader &reader, SmallVectorImpl<int64_t> &numbers) {
  return readItems<int64_t>(reader, numbers, [&](int64_t &number) { return reader.readSignedVarInt(number); });
}

static LogicalResult readTypes(DialectBytecodeReader &reader, SmallVectorImpl<Type> &types) {
  return readItems<Type>(reader, types, [&](Type &type) { return reader.readType(type); });
}

static Type readComplex(DialectBytecodeReader &reader) {
  Type element;
  if (failed(reader.readType(element)))
    return nullptr;
  if (!isa<FloatType>(element))
    return refuse(reader, "a complex type of elements that are no floats");
  return ComplexType::get(element);
}

static Type readFunction(DialectBytecodeReader &reader) {
  SmallVector<Type> inputs, results;
  if (failed(readTypes(reader, inputs)) || failed(readTypes(reader, results)))
    return nullptr;
  return FunctionType::get(reader.getContext(), inputs, results);
}

static Type readTensor(DialectBytecodeReader &reader, bool hasEncoding) {
  Attribute encoding;
  SmallVector<int64_t> shape;
  Type element;
  if ((hasEncoding && failed(reader.readAttribute(encoding))) || failed(readNumbers(reader, shape)) ||
      failed(reader.readType(element)))
    return nullptr;
  return RankedTensorType::getChecked([&] { return reader.emitError(); }, shape, element, encoding);
}

static Type readBuffer(DialectBytecodeReader &reader) {
  SmallVector<int64_t> shape;
  Type element;
  if (failed(readNumbers(reader, shape)) || failed(reader.readType(element)))
    return nullptr;
  return MemRefType::getChecked([&] { return reader.emitError(); }, shape, element, MemRefLayoutAttrInterface(),
                                Attribute());
}

static Type readTuple(DialectBytecodeReader &reader) {
  SmallVector<Type> types;
  if (failed(readTypes(reader, types)))
    return nullptr;
  return TupleType::get(reader.getContext(), types);
}

static Type readUnranked(DialectBytecodeReader &reader) {
  Type element;
  if (failed(reader.readType(element)))
    return nullptr;
  return UnrankedTensorType::getChecked([&] { return reader.emitError(); }, element);
}

static FailureOr<double> readDouble(DialectBytecodeReader &reader) {
  FailureOr<APFloat> value = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  if (failed(value))
    return failure();
  return value->convertToDouble();
}

static Type readQuantized(DialectBytecodeReader &reader) {
  uint64_t flags;
  Type storage, expressed;
  FailureOr<double> scale = failure();
  int64_t zeroPoint, least, greatest;
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) || failed(reader.readType(expressed)) ||
      failed(scale = readDouble(reader)) || failed(reader.readSignedVarInt(zeroPoint)) ||
      failed(reader.readSignedVarInt(least)) || failed(reader.readSignedVarInt(greatest)))
    return nullptr;
  return quant::UniformQuantizedType::getChecked([&] { return reader.emitError(); }, unsigned(flags), storage,
                                                 expressed, *scale, zeroPoint, least, greatest);
}

static Type readQuantizedPerAxis(DialectBytecodeReader &reader) {
  uint64_t flags, axis;
  Type storage, expressed;
  int64_t least, greatest;
  SmallVector<double> scales;
  SmallVector<int64_t> zeroPoints;
  const auto readScale = [&](double &scale) {
    const FailureOr<double> value = readDouble(reader);
    scale = succeeded(value) ? *value : 0;
    return LogicalResult(value);
  };
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) || failed(reader.readType(expressed)) ||
      failed(reader.readVarInt(axis)) || failed(reader.readSignedVarInt(least)) ||
      failed(reader.readSignedVarInt(greatest)) || failed(readItems<double>(reader, scales, readScale)) ||
      failed(readNumbers(reader, zeroPoints)))
    return nullptr;
  if (axis > unsigned(std::numeric_limits<int32_t>::max()))
    return refuse(reader, "the axis of a quantized type is out of range");
  return quant::UniformQuantizedPerAxisType::getChecked([&] { return reader.emitError(); }, unsigned(flags), storage,
                                                        expressed, scales, zeroPoints, int32_t(axis), least, greatest);
}

static Type readAnyType(DialectBytecodeReader &reader) {
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return nullptr;
  if (Type type = simpleType(reader.getContext(), code))
    return type;
  switch (code) {
  case 1:
    return readComplex(reader);
  case 8:
    return readFunction(reader);
  case 20:
  case 21:
    return readTensor(reader, /*hasEncoding=*/code == 21);
  case 23:
    return readTuple(reader);
  case 24:
    return readQuantized(reader);
  case 25:
    return readUnranked(reader);
  case 30:
    return readQuantizedPerAxis(reader);
  case 41:
    return readBuffer(reader);
  default:
    return refuse(reader, "type " + Twine(code) + " is unknown; versions 0.9.0 to 1.13.0 have 0 to 41");
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// Attributes
//===------------------------------------------------------------------------------------------------------------===//

/// An attribute of the enumeration that `symbolize` knows, whose numbers begin at `first`.
template <typename AttrT>
static Attribute readEnum(DialectBytecodeReader &reader,
                          std::optional<decltype(std::declval<AttrT>().getValue())> (*symbolize)(uint32_t),
                          uint64_t first = 0) {
  uint64_t number;
  if (failed(reader.readVarInt(number)))
    return nullptr;
  const auto value = number < first || number - first > 255 ? std::nullopt : symbolize(uint32_t(number - first));
  if (!value)
    return refuse(reader, "an enumeration has no value " + Twine(number));
  return AttrT::get(reader.getContext(), *value);
}

static Attribute readDictionary(DialectBytecodeReader &reader) {
  SmallVector<NamedAttribute> entries;
  uint64_t count;
  if (failed(reader.readVarInt(count)))
    return nullptr;
  for (uint64_t i = 0; i < count; ++i) {
    Attribute key, value;
    if (failed(reader.readAttribute(key)) || failed(reader.readAttribute(value)))
      return nullptr;
    auto name = dyn_cast<StringAttr>(key);
    if (!name || name.empty())
      return refuse(reader, "a key of a dictionary is no string");
    entries.emplace_back(name, value);
  }
  llvm::sort(entries);
  if (DictionaryAttr::findDuplicate(entries, /*isSorted=*/true))
    return refuse(reader, "a dictionary has a key twice");
  return DictionaryAttr::getWithSorted(reader.getContext(), entries);
}

static Attribute readFloat(DialectBytecodeReader &reader) {
  Type type;
  if (failed(reader.readType(type)))
    return nullptr;
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return refuse(reader, "a float attribute without a float type");
  const FailureOr<APFloat> value = reader.readAPFloatWithKnownSemantics(floatType.getFloatSemantics());
  return succeeded(value) ? FloatAttr::get(type, *value) : nullptr;
}

static Attribute readInteger(DialectBytecodeReader &reader) {
  Type type;
  if (failed(reader.readType(type)))
    return nullptr;
  if (!type.isIntOrIndex())
    return refuse(reader, "an integer attribute without an integer type");
  const FailureOr<APInt> value = reader.readAPIntWithKnownWidth(
      type.isIndex() ? unsigned(IndexType::kInternalStorageBitWidth) : type.getIntOrFloatBitWidth());
  return succeeded(value) ? IntegerAttr::get(type, *value) : nullptr;
}

static Attribute readAlias(DialectBytecodeReader &reader) {
  SmallVector<int64_t> result, operand;
  int64_t index;
  if (failed(readNumbers(reader, result)) || failed(reader.readSignedVarInt(index)) ||
      failed(readNumbers(reader, operand)))
    return nullptr;
  return stablehlo::OutputOperandAliasAttr::get(reader.getContext(), result, index, operand);
}

/// Booleans: a bit of each, as versions of today write them; a byte of each in older files; all bits equal for a splat.
static Attribute booleans(DialectBytecodeReader &reader, ShapedType type, ArrayRef<char> data) {
  const int64_t count = type.getNumElements();
  if (count == 0 && data.empty())
    return DenseElementsAttr::get(type, ArrayRef<bool>());
  const bool isPacked = int64_t(data.size()) == (count + 7) / 8 && int64_t(data.size()) != count;
  if (data.size() == 1 && (count == 1 || !isPacked))
    return DenseElementsAttr::get(type, data[0] != 0);
  if (!isPacked && int64_t(data.size()) != count)
    return refuse(reader, Twine(data.size()) + " bytes for " + Twine(count) + " booleans");
  SmallVector<bool> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = isPacked ? (data[i / 8] >> (i % 8)) & 1 : data[i] != 0;
  return DenseElementsAttr::get(type, values);
}

static Attribute readElements(DialectBytecodeReader &reader) {
  Type type;
  ArrayRef<char> data;
  if (failed(reader.readType(type)) || failed(reader.readBlob(data)))
    return nullptr;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return refuse(reader, "elements of a type that is no tensor of known size");
  int64_t count = 1;
  for (int64_t size : tensor.getShape())
    if (size < 0 || llvm::MulOverflow(count, size, count))
      return refuse(reader, "elements of a tensor that is too large");
  // Constants of a quantized type have the integers that store it.
  if (auto quantized = dyn_cast<quant::QuantizedType>(tensor.getElementType()))
    tensor = tensor.clone(quantized.getStorageType());
  if (tensor.getElementType().isInteger(1))
    return booleans(reader, tensor, data);
  if (!isa<FloatType, IntegerType, IndexType, ComplexType>(tensor.getElementType()))
    return refuse(reader, "elements that are no numbers");
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(tensor, data, isSplat))
    return refuse(reader, Twine(data.size()) + " bytes for " + Twine(count) + " elements");
  return DenseElementsAttr::getFromRawBuffer(tensor, data);
}

static Attribute readAccuracy(DialectBytecodeReader &reader) {
  FailureOr<double> atol = failure(), rtol = failure();
  int64_t ulps;
  stablehlo::ResultAccuracyModeAttr mode;
  if (failed(atol = readDouble(reader)) || failed(rtol = readDouble(reader)) || failed(reader.readSignedVarInt(ulps)) ||
      failed(reader.readAttribute(mode)))
    return nullptr;
  const Type f64 = Float64Type::get(reader.getContext());
  return stablehlo::ResultAccuracyAttr::get(reader.getContext(), FloatAttr::get(f64, *atol), FloatAttr::get(f64, *rtol),
                                            ulps, mode);
}

static Attribute readAnyAttribute(DialectBytecodeReader &reader) {
  MLIRContext *context = reader.getContext();
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return nullptr;
  switch (code) {
  case 1: {
    SmallVector<Attribute> elements;
    const auto read = [&](Attribute &element) { return reader.readAttribute(element); };
    return succeeded(readItems<Attribute>(reader, elements, read)) ? ArrayAttr::get(context, elements) : nullptr;
  }
  case 2: {
    uint64_t value;
    if (failed(reader.readVarInt(value)))
      return nullptr;
    return value > 1 ? refuse(reader, "a boolean has the value " + Twine(value)) : BoolAttr::get(context, value == 1);
  }
  case 3:
    return readEnum<stablehlo::ComparisonDirectionAttr>(reader, stablehlo::symbolizeComparisonDirection);
  case 4:
    return readEnum<stablehlo::ComparisonTypeAttr>(reader, stablehlo::symbolizeComparisonType);
  case 5: {
    // An integer in stablehlo.
    uint64_t value;
    if (failed(reader.readVarInt(value)))
      return nullptr;
    return value > 255 ? refuse(reader, "a calling convention has no value " + Twine(value))
                       : IntegerAttr::get(IntegerType::get(context, 32), int64_t(value));
  }
  case 6:
    return readDictionary(reader);
  case 7:
    return readEnum<stablehlo::FftTypeAttr>(reader, stablehlo::symbolizeFftType);
  case 8:
    return readFloat(reader);
  case 9:
    return readInteger(reader);
  case 10:
    return readAlias(reader);
  case 11:
    return readEnum<stablehlo::PrecisionAttr>(reader, stablehlo::symbolizePrecision);
  case 12:
    return readEnum<stablehlo::RngAlgorithmAttr>(reader, stablehlo::symbolizeRngAlgorithm);
  case 13:
    return readEnum<stablehlo::RngDistributionAttr>(reader, stablehlo::symbolizeRngDistribution, /*first=*/1);
  case 14: {
    StringRef text;
    return succeeded(reader.readString(text)) ? StringAttr::get(context, text) : nullptr;
  }
  case 15:
    return readElements(reader);
  case 16:
    return readEnum<stablehlo::TransposeAttr>(reader, stablehlo::symbolizeTranspose);
  case 17: {
    Type type;
    return succeeded(reader.readType(type)) ? TypeAttr::get(type) : nullptr;
  }
  case 18: {
    SmallVector<int64_t> bounds;
    return succeeded(readNumbers(reader, bounds)) ? stablehlo::BoundsAttr::get(context, bounds) : nullptr;
  }
  case 19:
    return readEnum<stablehlo::ResultAccuracyModeAttr>(reader, stablehlo::symbolizeResultAccuracyMode);
  case 20:
    return readAccuracy(reader);
  default:
    return refuse(reader, "attribute " + Twine(code) + " is unknown; versions 0.9.0 to 1.13.0 have 1 to 20");
  }
}

namespace {
struct Reader : BytecodeDialectInterface {
  explicit Reader(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  Type readType(DialectBytecodeReader &reader) const override { return readAnyType(reader); }
  Attribute readAttribute(DialectBytecodeReader &reader) const override { return readAnyAttribute(reader); }
};
} // namespace

void vhlo::addBytecodeReader(VHLODialect &dialect) { dialect.addInterfaces<Reader>(); }
