//===- HostTensor.h - element types and tensors in host memory -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The tensor format of files, the reference evaluator, the comparison and the runtime: an element type, a shape and
// packed row-major bytes. Sub-byte types are not packed: i1 takes one byte, 0 or 1.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_HOSTTENSOR_H
#define MICA_SUPPORT_HOSTTENSOR_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mica {

/// Element types, named as MLIR prints them. The order is not part of any file format; names are.
enum class DType : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  C64,
  C128,
  I64,
  I32,
  I16,
  I8,
  I4,
  I1,
  UI64,
  UI32,
  UI16,
  UI8,
  Index
};

/// "f32", "bf16", "f8E4M3FN", "complex<f32>", "i1", "ui8", "index", ...
std::string_view dtypeName(DType type);
/// The inverse of dtypeName; nothing if there is no such type.
std::optional<DType> parseDType(std::string_view name);
/// Bytes of one element in host memory (i1 and i4: 1; index: 8). Inline, because every call of an entry uses it.
constexpr int64_t dtypeBytes(DType type) {
  constexpr uint8_t kBytes[] = {8, 4, 2, 2, 1, 1, 8, 16, 8, 4, 2, 1, 1, 1, 8, 4, 2, 1, 8};
  static_assert(sizeof kBytes == size_t(DType::Index) + 1, "in the order of DType");
  return kBytes[size_t(type)];
}
bool isFloat(DType type);
bool isInteger(DType type);
bool isComplex(DType type);
/// The type of both parts of a complex type, f32 for complex<f32>; other types as they are.
DType partOf(DType type);
/// complex<f32> for f32, complex<f64> for f64; nothing for other types.
std::optional<DType> complexOf(DType part);
/// ui8 for i8, and so on; other types as they are.
DType unsignedOf(DType type);
/// i8 for ui8, and so on; other types as they are.
DType signlessOf(DType type);

/// A tensor in host memory. `data` holds numElements() * dtypeBytes(dtype) bytes, row-major, no padding, owned.
struct HostTensor {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;

  HostTensor() = default;
  HostTensor(DType dtype, std::vector<int64_t> shape);

  int64_t numElements() const;
  template <typename T> T *as() { return reinterpret_cast<T *>(data.data()); }
  template <typename T> const T *as() const { return reinterpret_cast<const T *>(data.data()); }
  /// Element `i` (row-major position) as f64: exact for every type but i64/ui64/index beyond 2^53; of a complex
  /// element, its real part (asParts() has both).
  double asDouble(int64_t i) const;
  /// Stores `value` as element `i`, rounded to nearest even; integers are truncated towards zero. A complex element
  /// gets the imaginary part 0.
  void setDouble(int64_t i, double value);
  /// Integer elements, exact; floats are truncated towards zero.
  int64_t asInt(int64_t i) const;
  void setInt(int64_t i, int64_t value);
  /// A complex tensor as the numbers of its parts, in memory as it is: 4x2xf32 for 4xcomplex<f32>.
  HostTensor asParts() const;
  /// A complex tensor as its real and its imaginary parts.
  std::pair<HostTensor, HostTensor> splitComplex() const;
  /// "2x3xf32", "f32" for rank 0.
  std::string typeString() const;
};

/// The inverse of asParts: 4xcomplex<f32> for 4x2xf32.
HostTensor fromParts(HostTensor parts);
/// Two tensors of one type and shape as one with a last dimension of 2: the parts of complex elements, or a number for
/// each part.
HostTensor interleave(const HostTensor &re, const HostTensor &im);

/// Copies the parts of `count` complex elements, of `partBytes` (4 or 8) bytes each, to two arrays, and back.
void splitComplex(const void *whole, int64_t count, int64_t partBytes, void *re, void *im);
void joinComplex(const void *re, const void *im, int64_t count, int64_t partBytes, void *whole);

/// "2x?x3xf32": -1 prints as "?".
std::string shapedTypeString(const std::vector<int64_t> &shape, DType dtype);

} // namespace mica

#endif // MICA_SUPPORT_HOSTTENSOR_H
