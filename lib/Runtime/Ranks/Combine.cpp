//===- Combine.cpp - elements of several ranks as one ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Every library for communication reduces by these functions, so that all element types have one meaning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Communicator.h"
#include "mica/Support/SmallFloat.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace mica::runtime {
namespace {

/// Minimum and maximum of floats give NaN where an operand is NaN, and order zeros, as arith.minimumf does.
template <typename T> T least(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(a) || std::isnan(b) ? a + b : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
  else
    return a < b ? a : b;
}
template <typename T> T greatest(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(a) || std::isnan(b) ? a + b : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
  else
    return a > b ? a : b;
}

template <typename T> T combineOne(int32_t reduction, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::conditional_t<(sizeof(T) < sizeof(uint32_t)), uint32_t, std::make_unsigned_t<T>>;
    switch (reduction) {
    case MICA_RANKS_SUM:
      return T(U(a) + U(b));
    case MICA_RANKS_PRODUCT:
      return T(U(a) * U(b));
    case MICA_RANKS_AND:
      return T(a & b);
    case MICA_RANKS_OR:
      return T(a | b);
    case MICA_RANKS_XOR:
      return T(a ^ b);
    default:
      return reduction == MICA_RANKS_MIN ? least(a, b) : greatest(a, b);
    }
  } else {
    switch (reduction) {
    case MICA_RANKS_SUM:
      return a + b;
    case MICA_RANKS_PRODUCT:
      return a * b;
    default:
      return reduction == MICA_RANKS_MIN ? least(a, b) : greatest(a, b);
    }
  }
}

template <typename T> void combineAll(int32_t reduction, void *into, const void *other, int64_t count) {
  T *a = static_cast<T *>(into);
  const T *b = static_cast<const T *>(other);
  // The usual case alone, for vectors.
  if (reduction == MICA_RANKS_SUM)
    for (int64_t i = 0; i < count; ++i)
      a[i] = combineOne(MICA_RANKS_SUM, a[i], b[i]);
  else
    for (int64_t i = 0; i < count; ++i)
      a[i] = combineOne(reduction, a[i], b[i]);
}

/// Of floats that C++ does not have: the operation in f64, then rounded.
template <typename Bits, double (*Decode)(Bits), Bits (*Encode)(double)>
void combineNarrow(int32_t reduction, void *into, const void *other, int64_t count) {
  Bits *a = static_cast<Bits *>(into);
  const Bits *b = static_cast<const Bits *>(other);
  for (int64_t i = 0; i < count; ++i)
    a[i] = Encode(combineOne(reduction, Decode(a[i]), Decode(b[i])));
}

/// Calls `body` with a null pointer to the type of C++ that holds elements of `dtype` as they are computed with.
template <typename Body> void withInteger(DType dtype, Body body) {
  switch (dtype) {
  case DType::I64:
  case DType::Index:
    return body(static_cast<int64_t *>(nullptr));
  case DType::I32:
    return body(static_cast<int32_t *>(nullptr));
  case DType::I16:
    return body(static_cast<int16_t *>(nullptr));
  case DType::I8:
  case DType::I4:
    return body(static_cast<int8_t *>(nullptr));
  case DType::UI64:
    return body(static_cast<uint64_t *>(nullptr));
  case DType::UI32:
    return body(static_cast<uint32_t *>(nullptr));
  case DType::UI16:
    return body(static_cast<uint16_t *>(nullptr));
  default:
    return body(static_cast<uint8_t *>(nullptr));
  }
}

/// Elements narrower than a byte keep the bits that they have; those of i4 are sign-extended.
void wrapNarrow(DType dtype, void *into, int64_t count) {
  int8_t *bytes = static_cast<int8_t *>(into);
  for (int64_t i = 0; dtype == DType::I4 && i < count; ++i)
    bytes[i] = int8_t(int8_t(uint8_t(bytes[i]) << 4) >> 4);
  for (int64_t i = 0; dtype == DType::I1 && i < count; ++i)
    bytes[i] = bytes[i] & 1;
}

} // namespace

void combineElements(DType dtype, int32_t reduction, void *into, const void *other, int64_t count) {
  switch (dtype) {
  case DType::F64:
    return combineAll<double>(reduction, into, other, count);
  case DType::F32:
    return combineAll<float>(reduction, into, other, count);
  case DType::F16:
    return combineNarrow<uint16_t, fromF16, toF16>(reduction, into, other, count);
  case DType::BF16:
    return combineNarrow<uint16_t, fromBF16, toBF16>(reduction, into, other, count);
  case DType::F8E4M3FN:
    return combineNarrow<uint8_t, fromF8E4M3FN, toF8E4M3FN>(reduction, into, other, count);
  case DType::F8E5M2:
    return combineNarrow<uint8_t, fromF8E5M2, toF8E5M2>(reduction, into, other, count);
  default:
    withInteger(dtype,
                [&](auto *type) { combineAll<std::remove_pointer_t<decltype(type)>>(reduction, into, other, count); });
    wrapNarrow(dtype, into, count);
  }
}

void divideElements(DType dtype, void *into, int64_t count, int64_t divisor) {
  if (!isFloat(dtype))
    return withInteger(dtype, [&](auto *type) {
      using T = std::remove_pointer_t<decltype(type)>;
      for (int64_t i = 0; i < count; ++i)
        static_cast<T *>(into)[i] = T(static_cast<T *>(into)[i] / T(divisor));
    });
  HostTensor element(dtype, {});
  const size_t bytes = size_t(dtypeBytes(dtype));
  for (int64_t i = 0; i < count; ++i) {
    char *at = static_cast<char *>(into) + size_t(i) * bytes;
    std::memcpy(element.data.data(), at, bytes);
    element.setDouble(0, element.asDouble(0) / double(divisor));
    std::memcpy(at, element.data.data(), bytes);
  }
}

} // namespace mica::runtime
