//===- Compare.h - comparison of two tensors ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Compares results with expected values. By default integers must be equal, and floats agree if the relative L2 error,
// |actual - expected| / |expected| over the whole tensor, is within the tolerance of their type (docs/Tools.md); with
// rtol or atol, every element must satisfy |actual - expected| <= atol + rtol * |expected|, as in NumPy. A NaN equals a
// NaN, and an infinity one of the same sign; any other pair with a NaN or infinity is a difference at any tolerance.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_COMPARE_H
#define MICA_COMPARE_COMPARE_H

#include "mica/Support/HostTensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mica {

/// Set members replace the default of the type.
struct Tolerance {
  std::optional<double> rtol;
  std::optional<double> atol;
  /// f32 results may come from matmuls whose inputs were rounded to tf32, which has the precision of f16: then the
  /// tolerance of f16 also applies to f32.
  bool tf32 = false;
};

/// The default tolerance on the relative L2 error: f64 1e-12, f32 1e-5, f16 2e-3, bf16 1e-2, f8E4M3FN 6e-2, f8E5M2
/// 1.2e-1, and 0 for integers; of complex types that of their parts.
double defaultRelativeL2(DType type);

/// The largest value of a measure and its position.
struct Extreme {
  double value = 0;
  int64_t index = -1; ///< row-major position, -1 where no element differs
};

/// The result of a comparison. Pairs in which one element is NaN or infinite and the other is not the same are counted
/// in `nonFinite`, and are excluded from the measures.
struct Comparison {
  bool same = false;
  std::string reason;    ///< why they differ; "" if they agree
  std::string tolerance; ///< the criterion for elements that are not equal
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  int64_t elements = 0;
  int64_t differing = 0;  ///< elements that are not equal
  int64_t violations = 0; ///< of those, the elements beyond their limit, or NaN/infinity against something else
  std::vector<int64_t> firstViolations = {}; ///< the first few of them
  bool isBounded = false;                    ///< each element was compared with a bound of its own
  int64_t unknown = 0;     ///< elements with an infinite bound: the program does not determine their values
  int64_t nans = 0;        ///< elements that are NaN on both sides
  double largestShare = 0; ///< the largest difference as a fraction of its bound
  Extreme absolute;        ///< |actual - expected|
  Extreme relative;        ///< |actual - expected| / |expected|; infinite where expected is 0
  Extreme ulp;             ///< floats: representable numbers between the two; exact up to 2^53
  double relativeL2 = 0;
  int64_t nonFinite = 0;
  int64_t firstNonFinite = -1;
};

/// Compares element by element. Different types or shapes are a difference (with `reason`), not an error.
///
/// Complex elements are compared part by part: the numbers of a Comparison are of parts, its shape ends with 2.
///
/// `bounds`, an f64 tensor of the same shape (of complex elements with a last dimension of 2), is the allowed
/// difference per element: 0 requires equal bits (but any NaN equals any NaN), 5e-324 ignores the sign of a zero,
/// infinity allows anything. Without bounds floats agree if rel-L2 is within the default of their type and no element
/// differs by more than kElementFactor times that of its size and the median of all others than 0. rtol and atol
/// replace both criteria.
Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, const Tolerance &tolerance = {},
                          const HostTensor *bounds = nullptr);
inline constexpr double kElementFactor = 64;
/// The bound that allows either sign of a zero.
inline constexpr double kSignOfZeroBound = 5e-324;

/// The number of representable values of the tensors' float type between two elements; 0 if both are NaN.
double ulpDistance(const HostTensor &a, const HostTensor &b, int64_t index);

/// "[1, 0, 17]" for row-major position `flat`; "[]" for rank 0.
std::string indexString(int64_t flat, const std::vector<int64_t> &shape);
/// The same for position `flat` of `tensor.asParts()`: "[1, 0].im".
std::string partString(int64_t flat, const HostTensor &tensor);

/// One or several lines: the verdict, the first elements beyond their limit, and the measures, with indices and both
/// values.
std::string describe(const Comparison &comparison, const HostTensor &actual, const HostTensor &expected,
                     const HostTensor *bounds = nullptr);

} // namespace mica

#endif // MICA_COMPARE_COMPARE_H
