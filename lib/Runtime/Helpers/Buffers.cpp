//===- Buffers.cpp - helpers that print, compare and copy buffers -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A descriptor is what upstream's lowering passes: base, data, offset, then `rank` sizes and `rank` strides.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Helpers/Helpers.h"

#include "mica/ABI/Helpers.h"
#include "mica/Support/SmallFloat.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <type_traits>

namespace mica::runtime {

namespace {
struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

using ElementI8 = int8_t;
using ElementI16 = int16_t;
using ElementI32 = int32_t;
using ElementI64 = int64_t;
using ElementInd = uint64_t;
using ElementF16 = F16;
using ElementBF16 = BF16;
using ElementF32 = float;
using ElementF64 = double;
using ElementC32 = std::complex<float>;
using ElementC64 = std::complex<double>;

void printElement(std::ostream &os, F16 value) { os << float(fromF16(value.bits)); }
void printElement(std::ostream &os, BF16 value) { os << float(fromBF16(value.bits)); }
// As upstream's library does: an i8 is a character.
void printElement(std::ostream &os, int8_t value) { os << static_cast<char>(value); }
template <typename T> void printElement(std::ostream &os, T value) { os << value; }

/// What upstream calls UnrankedMemRefType.
struct Unranked {
  int64_t rank;
  void *descriptor;
};

/// A descriptor taken apart.
template <typename T> struct View {
  explicit View(const Unranked &unranked) : View(unranked.rank, unranked.descriptor) {}
  View(int64_t rank, const void *descriptor) : rank(rank) {
    std::memcpy(&data, static_cast<const char *>(descriptor) + sizeof(void *), sizeof(data));
    const auto *numbers = reinterpret_cast<const int64_t *>(static_cast<const char *>(descriptor) + 2 * sizeof(void *));
    offset = numbers[0];
    sizes = numbers + 1;
    strides = sizes + rank;
  }

  int64_t rank;
  T *data;
  int64_t offset;
  const int64_t *sizes, *strides;
};

void printList(std::ostream &os, const int64_t *numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    os << (i ? ", " : "") << numbers[i];
}

template <typename T> void printShape(std::ostream &os, const View<T> &view) {
  os << "base@ = " << std::hex << std::showbase << reinterpret_cast<std::intptr_t>(view.data) << std::dec
     << std::noshowbase << " rank = " << view.rank << " offset = " << view.offset << " sizes = [";
  printList(os, view.sizes, view.rank);
  os << "] strides = [";
  printList(os, view.strides, view.rank);
  os << "]";
}

/// The elements from dimension `dim` on; lines of the outer ones are indented by how far in they are.
template <typename T> void printData(std::ostream &os, const View<T> &view, int64_t dim, int64_t offset) {
  if (dim == view.rank)
    return printElement(os, view.data[offset]);
  const char *separator = view.rank - dim > 1 ? ", \n" : ", ";
  os << "[";
  // An empty dimension shows what lies there, as upstream's libraries do, but for reading it.
  for (int64_t i = 0; i < view.sizes[dim]; ++i) {
    if (i > 0)
      os << separator << std::string(size_t(dim + 1), ' ');
    printData(os, view, dim + 1, offset + i * view.strides[dim]);
  }
  os << "]";
}

template <typename T> void printBuffer(const char *prefix, const View<T> &view) {
  std::ostringstream os;
  os << prefix;
  printShape(os, view);
  os << " data = \n" << (view.rank == 0 ? "[" : "");
  printData(os, view, 0, view.offset);
  os << (view.rank == 0 ? "]" : "") << '\n';
  writeOut(os.str());
}

template <typename T> void printUnranked(const Unranked *buffer) { printBuffer("Unranked Memref ", View<T>(*buffer)); }
template <typename T> void printUnrankedShape(const Unranked *buffer) {
  std::ostringstream os;
  os << "Unranked Memref ";
  printShape(os, View<T>(*buffer));
  os << '\n';
  writeOut(os.str());
}
/// As code in the LLVM dialect calls them where the declaration had no llvm.emit_c_interface: descriptors in parts.
template <typename T> void printUnrankedParts(int64_t rank, void *descriptor) {
  const Unranked buffer{rank, descriptor};
  printUnranked<T>(&buffer);
}
template <typename T> void printUnrankedShapeParts(int64_t rank, void *descriptor) {
  const Unranked buffer{rank, descriptor};
  printUnrankedShape<T>(&buffer);
}
template <typename T, int64_t rank> void printRanked(const void *descriptor) {
  printBuffer("Memref ", View<T>(rank, descriptor));
}

double asDouble(F16 value) { return fromF16(value.bits); }
double asDouble(BF16 value) { return fromBF16(value.bits); }
template <typename T> double asDouble(T value) { return double(value); }

/// Integers and complex numbers are equal; floats are equal up to a relative error by type.
template <typename T> bool agree(T actual, T expected) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    if (!std::isfinite(actual) || !std::isfinite(expected))
      return false;
    return std::abs(actual - expected) <= (std::is_same_v<T, float> ? T(1e-6) : T(1e-12)) * std::abs(expected);
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return actual == expected;
  } else {
    return asDouble(actual) == asDouble(expected);
  }
}

template <typename T> int64_t countErrors(const View<T> &a, const View<T> &b, int64_t dim, int64_t at, int64_t &shown) {
  if (dim == a.rank) {
    if (agree(a.data[at], b.data[at]))
      return 0;
    if (shown++ < 10) {
      std::ostringstream os;
      printElement(os, a.data[at]);
      os << " != ";
      printElement(os, b.data[at]);
      std::fprintf(stderr, "%s offset = %lld\n", os.str().c_str(), static_cast<long long>(at));
    }
    return 1;
  }
  int64_t errors = 0;
  for (int64_t i = 0; i < a.sizes[dim]; ++i)
    errors += countErrors(a, b, dim + 1, at + i * a.strides[dim], shown);
  return errors;
}

/// How many elements differ; -1 where the shapes do.
template <typename T> int64_t verifyUnranked(const Unranked *actual, const Unranked *expected) {
  View<T> a(*actual), b(*expected);
  bool same = a.rank == b.rank && a.offset == b.offset;
  for (int64_t i = 0; same && i < 2 * a.rank; ++i)
    same = a.sizes[i] == b.sizes[i];
  if (!same)
    return -1;
  int64_t shown = 0;
  return countErrors(a, b, 0, a.offset, shown);
}

template <typename T>
int64_t verifyUnrankedParts(int64_t actualRank, void *actual, int64_t expectedRank, void *expected) {
  const Unranked a{actualRank, actual}, e{expectedRank, expected};
  return verifyUnranked<T>(&a, &e);
}

void copyElements(int64_t bytes, const View<char> &from, const View<char> &to, int64_t dim, int64_t source,
                  int64_t target) {
  if (dim == from.rank) {
    std::memcpy(to.data + target * bytes, from.data + source * bytes, size_t(bytes));
    return;
  }
  for (int64_t i = 0; i < from.sizes[dim]; ++i)
    copyElements(bytes, from, to, dim + 1, source + i * from.strides[dim], target + i * to.strides[dim]);
}

void memrefCopy(int64_t elementBytes, const Unranked *source, const Unranked *target) {
  View<char> from(*source), to(*target);
  copyElements(elementBytes, from, to, 0, from.offset, to.offset);
}

template <typename F> void *addressOf(F *function) { return reinterpret_cast<void *>(function); }
} // namespace

void appendBufferHelpers(std::vector<Helper> &helpers) {
  const std::string prefix = "_mlir_ciface_";
#define MICA_ADD_ELEMENT(NAME)                                                                                         \
  helpers.push_back({prefix + "printMemref" #NAME, addressOf(printUnranked<Element##NAME>)});                          \
  helpers.push_back({prefix + "printMemrefShape" #NAME, addressOf(printUnrankedShape<Element##NAME>)});                \
  helpers.push_back({prefix + "verifyMemRef" #NAME, addressOf(verifyUnranked<Element##NAME>)});                        \
  helpers.push_back({"printMemref" #NAME, addressOf(printUnrankedParts<Element##NAME>)});                              \
  helpers.push_back({"printMemrefShape" #NAME, addressOf(printUnrankedShapeParts<Element##NAME>)});                    \
  helpers.push_back({"verifyMemRef" #NAME, addressOf(verifyUnrankedParts<Element##NAME>)});
  MICA_HELPER_ELEMENTS(MICA_ADD_ELEMENT)
#undef MICA_ADD_ELEMENT
  helpers.push_back({prefix + "printMemref0dF32", addressOf(printRanked<float, 0>)});
  helpers.push_back({prefix + "printMemref1dF32", addressOf(printRanked<float, 1>)});
  helpers.push_back({prefix + "printMemref2dF32", addressOf(printRanked<float, 2>)});
  helpers.push_back({prefix + "printMemref3dF32", addressOf(printRanked<float, 3>)});
  helpers.push_back({prefix + "printMemref4dF32", addressOf(printRanked<float, 4>)});
  helpers.push_back({prefix + "printMemref1dF64", addressOf(printRanked<double, 1>)});
  helpers.push_back({prefix + "printMemref1dI8", addressOf(printRanked<int8_t, 1>)});
  helpers.push_back({prefix + "printMemref1dI32", addressOf(printRanked<int32_t, 1>)});
  helpers.push_back({prefix + "printMemref1dI64", addressOf(printRanked<int64_t, 1>)});
  helpers.push_back({prefix + "printMemref1dInd", addressOf(printRanked<uint64_t, 1>)});
  helpers.push_back({prefix + "printMemref1dC32", addressOf(printRanked<std::complex<float>, 1>)});
  helpers.push_back({prefix + "printMemref1dC64", addressOf(printRanked<std::complex<double>, 1>)});
  helpers.push_back({"memrefCopy", addressOf(memrefCopy)});
}

} // namespace mica::runtime
