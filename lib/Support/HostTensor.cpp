//===- HostTensor.cpp - element types and tensors in host memory -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table of element types, and element access with the documented conversions.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/HostTensor.h"

#include "mica/Support/SmallFloat.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace mica {
namespace {

struct DTypeRow {
  DType type;
  std::string_view name;
  bool isFloat;
};

constexpr std::array<DTypeRow, 19> kTypes{{
    {DType::F64, "f64", true},
    {DType::F32, "f32", true},
    {DType::F16, "f16", true},
    {DType::BF16, "bf16", true},
    {DType::F8E4M3FN, "f8E4M3FN", true},
    {DType::F8E5M2, "f8E5M2", true},
    {DType::C64, "complex<f32>", false},
    {DType::C128, "complex<f64>", false},
    {DType::I64, "i64", false},
    {DType::I32, "i32", false},
    {DType::I16, "i16", false},
    {DType::I8, "i8", false},
    {DType::I4, "i4", false},
    {DType::I1, "i1", false},
    {DType::UI64, "ui64", false},
    {DType::UI32, "ui32", false},
    {DType::UI16, "ui16", false},
    {DType::UI8, "ui8", false},
    {DType::Index, "index", false},
}};

const DTypeRow &row(DType type) {
  const DTypeRow &found = kTypes[static_cast<size_t>(type)];
  assert(found.type == type && "kTypes is in the order of DType");
  return found;
}

template <typename T> T load(const HostTensor &tensor, int64_t i) {
  T value;
  std::memcpy(&value, tensor.data.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
  return value;
}

template <typename T> void store(HostTensor &tensor, int64_t i, T value) {
  std::memcpy(tensor.data.data() + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
}

/// `value` truncated towards zero and clamped; NaN gives 0.
template <typename T> T truncateTo(double value) {
  if (std::isnan(value))
    return 0;
  const double low = static_cast<double>(std::numeric_limits<T>::min());
  // 2^n, one above the largest value: exact as f64 for every width.
  const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
  value = std::trunc(value);
  if (value < low)
    return std::numeric_limits<T>::min();
  if (value >= high)
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

/// The low four bits as a signed number.
int8_t signExtend4(int64_t value) { return static_cast<int8_t>(((value & 15) ^ 8) - 8); }

} // namespace

std::string_view dtypeName(DType type) { return row(type).name; }

std::optional<DType> parseDType(std::string_view name) {
  for (const DTypeRow &candidate : kTypes)
    if (candidate.name == name)
      return candidate.type;
  return std::nullopt;
}

bool isFloat(DType type) { return row(type).isFloat; }
bool isInteger(DType type) { return !row(type).isFloat && !isComplex(type); }
bool isComplex(DType type) { return type == DType::C64 || type == DType::C128; }

DType partOf(DType type) { return type == DType::C64 ? DType::F32 : type == DType::C128 ? DType::F64 : type; }

std::optional<DType> complexOf(DType part) {
  return part == DType::F32   ? std::optional(DType::C64)
         : part == DType::F64 ? std::optional(DType::C128)
                              : std::nullopt;
}

/// The types of the same width.
constexpr std::array<std::pair<DType, DType>, 4> kSignless{
    {{DType::I64, DType::UI64}, {DType::I32, DType::UI32}, {DType::I16, DType::UI16}, {DType::I8, DType::UI8}}};

DType unsignedOf(DType type) {
  for (const auto &[isSignless, isUnsigned] : kSignless)
    if (type == isSignless)
      return isUnsigned;
  return type;
}

DType signlessOf(DType type) {
  for (const auto &[isSignless, isUnsigned] : kSignless)
    if (type == isUnsigned)
      return isSignless;
  return type;
}

HostTensor::HostTensor(DType dtype, std::vector<int64_t> shape) : dtype(dtype), shape(std::move(shape)) {
  data.resize(static_cast<size_t>(numElements() * dtypeBytes(dtype)));
}

int64_t HostTensor::numElements() const {
  // The size was checked when the tensor was made, so a product that overflows has a factor 0.
  uint64_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<uint64_t>(size);
  return static_cast<int64_t>(count);
}

double HostTensor::asDouble(int64_t i) const {
  switch (dtype) {
  case DType::F64:
    return load<double>(*this, i);
  case DType::F32:
    return load<float>(*this, i);
  case DType::F16:
    return fromF16(load<uint16_t>(*this, i));
  case DType::BF16:
    return fromBF16(load<uint16_t>(*this, i));
  case DType::F8E4M3FN:
    return fromF8E4M3FN(load<uint8_t>(*this, i));
  case DType::F8E5M2:
    return fromF8E5M2(load<uint8_t>(*this, i));
  case DType::C64:
    return load<float>(*this, 2 * i);
  case DType::C128:
    return load<double>(*this, 2 * i);
  case DType::UI64:
    return static_cast<double>(load<uint64_t>(*this, i));
  default:
    return static_cast<double>(asInt(i));
  }
}

void HostTensor::setDouble(int64_t i, double value) {
  switch (dtype) {
  case DType::F64:
    return store(*this, i, value);
  case DType::F32:
    return store(*this, i, static_cast<float>(value));
  case DType::F16:
    return store(*this, i, toF16(value));
  case DType::BF16:
    return store(*this, i, toBF16(value));
  case DType::F8E4M3FN:
    return store(*this, i, toF8E4M3FN(value));
  case DType::F8E5M2:
    return store(*this, i, toF8E5M2(value));
  case DType::C64:
    store(*this, 2 * i, static_cast<float>(value));
    return store(*this, 2 * i + 1, 0.0f);
  case DType::C128:
    store(*this, 2 * i, value);
    return store(*this, 2 * i + 1, 0.0);
  case DType::I64:
  case DType::Index:
    return store(*this, i, truncateTo<int64_t>(value));
  case DType::I32:
    return store(*this, i, truncateTo<int32_t>(value));
  case DType::I16:
    return store(*this, i, truncateTo<int16_t>(value));
  case DType::I8:
    return store(*this, i, truncateTo<int8_t>(value));
  case DType::I4: {
    const int8_t whole = truncateTo<int8_t>(value);
    return store(*this, i, static_cast<int8_t>(whole < -8 ? -8 : whole > 7 ? 7 : whole));
  }
  case DType::I1:
    return store(*this, i, static_cast<uint8_t>(value != 0));
  case DType::UI64:
    return store(*this, i, truncateTo<uint64_t>(value));
  case DType::UI32:
    return store(*this, i, truncateTo<uint32_t>(value));
  case DType::UI16:
    return store(*this, i, truncateTo<uint16_t>(value));
  case DType::UI8:
    return store(*this, i, truncateTo<uint8_t>(value));
  }
}

int64_t HostTensor::asInt(int64_t i) const {
  switch (dtype) {
  case DType::I64:
  case DType::Index:
  case DType::UI64: // beyond 2^63 the bits, as two's complement
    return load<int64_t>(*this, i);
  case DType::I32:
    return load<int32_t>(*this, i);
  case DType::I16:
    return load<int16_t>(*this, i);
  case DType::I8:
    return load<int8_t>(*this, i);
  case DType::I4:
    return signExtend4(load<int8_t>(*this, i));
  case DType::I1:
    return load<uint8_t>(*this, i) != 0;
  case DType::UI32:
    return load<uint32_t>(*this, i);
  case DType::UI16:
    return load<uint16_t>(*this, i);
  case DType::UI8:
    return load<uint8_t>(*this, i);
  default:
    return truncateTo<int64_t>(asDouble(i));
  }
}

void HostTensor::setInt(int64_t i, int64_t value) {
  switch (dtype) {
  case DType::I64:
  case DType::Index:
  case DType::UI64:
    return store(*this, i, value);
  case DType::I32:
  case DType::UI32:
    return store(*this, i, static_cast<uint32_t>(value));
  case DType::I16:
  case DType::UI16:
    return store(*this, i, static_cast<uint16_t>(value));
  case DType::I8:
  case DType::UI8:
    return store(*this, i, static_cast<uint8_t>(value));
  case DType::I4:
    return store(*this, i, signExtend4(value));
  case DType::I1:
    return store(*this, i, static_cast<uint8_t>(value != 0));
  default:
    return setDouble(i, static_cast<double>(value));
  }
}

HostTensor HostTensor::asParts() const {
  HostTensor parts = *this;
  parts.dtype = partOf(dtype);
  parts.shape.push_back(2);
  return parts;
}

std::pair<HostTensor, HostTensor> HostTensor::splitComplex() const {
  std::pair<HostTensor, HostTensor> parts{{partOf(dtype), shape}, {partOf(dtype), shape}};
  mica::splitComplex(data.data(), numElements(), dtypeBytes(partOf(dtype)), parts.first.data.data(),
                     parts.second.data.data());
  return parts;
}

HostTensor fromParts(HostTensor parts) {
  assert(complexOf(parts.dtype) && !parts.shape.empty() && parts.shape.back() == 2 && "the parts of complex elements");
  parts.dtype = *complexOf(parts.dtype);
  parts.shape.pop_back();
  return parts;
}

HostTensor interleave(const HostTensor &re, const HostTensor &im) {
  HostTensor parts;
  parts.dtype = re.dtype;
  parts.shape = re.shape;
  parts.shape.push_back(2);
  parts.data.resize(re.data.size() + im.data.size());
  joinComplex(re.data.data(), im.data.data(), int64_t(re.data.size()) / dtypeBytes(re.dtype), dtypeBytes(re.dtype),
              parts.data.data());
  return parts;
}

template <typename Part> static void split(const void *whole, int64_t count, void *re, void *im) {
  const auto *from = static_cast<const Part *>(whole);
  auto *reals = static_cast<Part *>(re), *imaginaries = static_cast<Part *>(im);
  for (int64_t i = 0; i < count; ++i) {
    reals[i] = from[2 * i];
    imaginaries[i] = from[2 * i + 1];
  }
}

template <typename Part> static void join(const void *re, const void *im, int64_t count, void *whole) {
  const auto *reals = static_cast<const Part *>(re), *imaginaries = static_cast<const Part *>(im);
  auto *to = static_cast<Part *>(whole);
  for (int64_t i = 0; i < count; ++i) {
    to[2 * i] = reals[i];
    to[2 * i + 1] = imaginaries[i];
  }
}

void splitComplex(const void *whole, int64_t count, int64_t partBytes, void *re, void *im) {
  return partBytes == 4 ? split<uint32_t>(whole, count, re, im) : split<uint64_t>(whole, count, re, im);
}

void joinComplex(const void *re, const void *im, int64_t count, int64_t partBytes, void *whole) {
  return partBytes == 4 ? join<uint32_t>(re, im, count, whole) : join<uint64_t>(re, im, count, whole);
}

std::string shapedTypeString(const std::vector<int64_t> &shape, DType dtype) {
  std::string text;
  for (int64_t size : shape)
    text += (size < 0 ? std::string("?") : std::to_string(size)) + "x";
  return text.append(dtypeName(dtype));
}

std::string HostTensor::typeString() const { return shapedTypeString(shape, dtype); }

} // namespace mica
