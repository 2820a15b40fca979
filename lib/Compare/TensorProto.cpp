//===- TensorProto.cpp - tensors of ONNX test data -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See TensorProto.h. Nothing is allocated by a size that the file states before its elements were counted.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/TensorProto.h"

#include "mica/Compare/Npy.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace mica;

namespace {
/// A message's fields, one after the other: https://protobuf.dev/programming-guides/encoding.
class Fields {
public:
  explicit Fields(std::string_view bytes) : bytes(bytes) {}

  /// Moves to the next field. False at the end, and where the rest is damaged.
  bool next() {
    if (bytes.empty() || damaged)
      return false;
    const uint64_t key = varint();
    number = static_cast<uint32_t>(key >> 3);
    wire = static_cast<uint32_t>(key & 7);
    payload = {};
    value = 0;
    switch (wire) {
    case 0:
      value = varint();
      break;
    case 1:
      take(8);
      break;
    case 2:
      take(varint());
      break;
    case 5:
      take(4);
      break;
    default:
      damaged = true;
    }
    return !damaged;
  }

  /// The values of a repeated field of varints, packed or one by one.
  template <typename T> void appendVarints(std::vector<T> &values) {
    if (wire == 0) {
      values.push_back(static_cast<T>(value));
      return;
    }
    Fields packed(payload);
    while (!packed.bytes.empty() && !packed.damaged)
      values.push_back(static_cast<T>(packed.varint()));
    damaged |= packed.damaged || wire != 2;
  }

  uint32_t number = 0, wire = 0;
  uint64_t value = 0;       ///< of a varint
  std::string_view payload; ///< of the other wire types
  bool damaged = false;

private:
  uint64_t varint() {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (bytes.empty())
        break;
      const auto byte = static_cast<uint8_t>(bytes.front());
      bytes.remove_prefix(1);
      result |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80)
        return result;
    }
    damaged = true;
    return 0;
  }
  void take(uint64_t count) {
    if (damaged || count > bytes.size()) {
      damaged = true;
      return;
    }
    payload = bytes.substr(0, count);
    bytes.remove_prefix(count);
  }

  std::string_view bytes;
};

/// What a TensorProto holds.
struct TensorFields {
  std::vector<int64_t> dims;
  int64_t dataType = 0;
  std::string elements;         ///< raw_data, float_data or double_data
  std::vector<int64_t> numbers; ///< int32_data, int64_data or uint64_data
  bool hasNumbers = false, isExternal = false, isText = false;
};
} // namespace

/// The element type of TensorProto.DataType.
namespace {
/// A type that is carried in another. Several elements narrower than 8 bits share a byte, the first in its lowest bits.
struct CarriedType {
  int64_t dataType;
  int bits;
  DType carrier;
  bool isUnsigned = false;    ///< of integers
  int mantissa = 0, bias = 0; ///< of floats
  bool hasNan = false;        ///< the bits of a negative 0 are NaN
};
constexpr std::array<CarriedType, 7> kCarried{{{18, 8, DType::F32, false, 3, 8, true},
                                               {20, 8, DType::F32, false, 2, 16, true},
                                               {21, 4, DType::I4, true},
                                               {22, 4, DType::I4},
                                               {23, 4, DType::F32, false, 1, 1},
                                               {25, 2, DType::I4, true},
                                               {26, 2, DType::I4}}};
} // namespace

static const CarriedType *carriedType(int64_t dataType) {
  const auto found = std::find_if(kCarried.begin(), kCarried.end(),
                                  [&](const CarriedType &type) { return type.dataType == dataType; });
  return found == kCarried.end() ? nullptr : &*found;
}

static double floatOf(const CarriedType &type, unsigned bits) {
  const unsigned sign = bits >> (type.bits - 1), rest = bits & ((1u << (type.bits - 1)) - 1);
  if (type.hasNan && sign && rest == 0)
    return std::numeric_limits<double>::quiet_NaN();
  const unsigned fraction = rest & ((1u << type.mantissa) - 1), exponent = rest >> type.mantissa;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - type.bias - type.mantissa)
                                         : std::ldexp(fraction + (1u << type.mantissa),
                                                      static_cast<int>(exponent) - type.bias - type.mantissa);
  return sign ? -magnitude : magnitude;
}

/// The elements of a tensor of `type` from their bytes.
static Result<HostTensor> carriedElements(const CarriedType &type, const TensorFields &fields, int64_t count,
                                          const std::string &name) {
  std::string bytes = fields.elements;
  for (int64_t number : fields.numbers)
    bytes += static_cast<char>(number);
  const int64_t perByte = 8 / type.bits;
  if (static_cast<int64_t>(bytes.size()) != count / perByte + (count % perByte != 0))
    return Error{ErrorCode::Damaged,
                 name + ": holds " + std::to_string(bytes.size()) + " bytes of elements, but its shape has " +
                     std::to_string(count) + " elements of " + std::to_string(type.bits) + " bits",
                 ""};
  HostTensor tensor(type.carrier, fields.dims);
  const unsigned mask = (1u << type.bits) - 1;
  for (int64_t i = 0; i < count; ++i) {
    const auto byte = static_cast<uint8_t>(bytes[static_cast<size_t>(i / perByte)]);
    const unsigned bits = byte >> (i % perByte * type.bits) & mask;
    if (type.mantissa > 0)
      tensor.setDouble(i, floatOf(type, bits));
    else
      tensor.setInt(i, type.isUnsigned || bits <= mask / 2 ? int64_t(bits) : int64_t(bits) - int64_t(mask) - 1);
  }
  return tensor;
}

static std::optional<DType> dtypeOfProto(int64_t dataType) {
  if (const CarriedType *type = carriedType(dataType))
    return type->carrier;
  switch (dataType) {
  case 1:
    return DType::F32;
  case 2:
    return DType::UI8;
  case 3:
    return DType::I8;
  case 4:
    return DType::UI16;
  case 5:
    return DType::I16;
  case 6:
    return DType::I32;
  case 7:
    return DType::I64;
  case 9:
    return DType::I1;
  case 10:
    return DType::F16;
  case 11:
    return DType::F64;
  case 12:
    return DType::UI32;
  case 13:
    return DType::UI64;
  case 14:
    return DType::C64;
  case 15:
    return DType::C128;
  case 16:
    return DType::BF16;
  case 17:
    return DType::F8E4M3FN;
  case 19:
    return DType::F8E5M2;
  default:
    return std::nullopt;
  }
}

static std::optional<TensorFields> readFields(std::string_view contents) {
  TensorFields tensor;
  Fields fields(contents);
  while (fields.next()) {
    switch (fields.number) {
    case 1:
      fields.appendVarints(tensor.dims);
      break;
    case 2:
      tensor.dataType = static_cast<int64_t>(fields.value);
      break;
    case 5:
    case 7:
    case 11:
      fields.appendVarints(tensor.numbers);
      tensor.hasNumbers = true;
      break;
    case 6:
      tensor.isText = true;
      break;
    case 4:
    case 9:
    case 10:
      tensor.elements.append(fields.payload);
      break;
    case 14:
      tensor.isExternal = fields.value == 1;
      break;
    default:
      break;
    }
  }
  if (fields.damaged)
    return std::nullopt;
  return tensor;
}

static bool isIntegerOfWidth(DType type, int64_t bytes) {
  switch (type) {
  case DType::I64:
  case DType::I32:
  case DType::I16:
  case DType::I8:
  case DType::UI64:
  case DType::UI32:
  case DType::UI16:
  case DType::UI8:
    return dtypeBytes(type) == bytes;
  default:
    return false;
  }
}

Result<HostTensor> mica::parseTensorProto(std::string_view contents, std::string_view file,
                                          std::optional<DType> expected) {
  const std::string name(file);
  std::optional<TensorFields> fields = readFields(contents);
  if (!fields)
    return Error{ErrorCode::Damaged, name + ": this is no TensorProto, or it is cut off", ""};
  if (fields->isExternal)
    return Error{ErrorCode::Unsupported, name + ": its elements are in another file", "write it with raw_data"};
  std::optional<DType> dtype = dtypeOfProto(fields->dataType);
  if (!dtype)
    return Error{ErrorCode::Unsupported,
                 name + (fields->isText || fields->dataType == 8
                             ? ": it holds text"
                             : ": element type " + std::to_string(fields->dataType) +
                                   " of TensorProto.DataType is not supported, or this is a sequence"),
                 ""};
  const int64_t width = dtypeBytes(*dtype);
  int64_t count = 1;
  for (int64_t size : fields->dims)
    if (size < 0 || __builtin_mul_overflow(count, size, &count))
      return Error{ErrorCode::Damaged, name + ": its sizes are negative or too large", ""};
  if (const CarriedType *type = carriedType(fields->dataType))
    return carriedElements(*type, *fields, count, name);
  if (fields->hasNumbers)
    for (int64_t number : fields->numbers)
      fields->elements.append(reinterpret_cast<const char *>(&number), static_cast<size_t>(width));
  int64_t bytes = 0;
  if (__builtin_mul_overflow(count, width, &bytes) || static_cast<uint64_t>(bytes) != fields->elements.size())
    return Error{ErrorCode::Damaged,
                 name + ": holds " + std::to_string(fields->elements.size()) + " bytes of elements, but its shape " +
                     shapedTypeString(fields->dims, *dtype) + " needs another number",
                 ""};
  // ONNX's own test data has bf16 as the ui16 of its bits.
  if (expected == DType::BF16 && dtype == DType::UI16)
    dtype = expected;
  if (expected && isIntegerOfWidth(*dtype, width) && isIntegerOfWidth(*expected, width))
    dtype = expected;
  HostTensor tensor(*dtype, fields->dims);
  std::memcpy(tensor.data.data(), fields->elements.data(), fields->elements.size());
  MICA_RETURN_IF_ERROR(normalizeElements(tensor, name));
  return tensor;
}

Result<HostTensor> mica::readTensorFile(const std::filesystem::path &file, std::optional<DType> expected,
                                        const TypeCheck &check) {
  if (file.extension() != ".pb")
    return readNpy(file, expected, check);
  MICA_ASSIGN_OR_RETURN(HostTensor tensor, readTensorProto(file, expected));
  if (check)
    MICA_RETURN_IF_ERROR(check(tensor));
  return tensor;
}

Result<HostTensor> mica::readTensorProto(const std::filesystem::path &file, std::optional<DType> expected) {
  MICA_ASSIGN_OR_RETURN(const std::string contents, readFile(file));
  return parseTensorProto(contents, file.string(), expected);
}
