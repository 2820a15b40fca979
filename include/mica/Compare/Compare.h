//===- Compare.h - are two tensors the same? ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Compares results with expected values. By default integers must be equal, and floats agree when the relative L2
// error, |actual - expected| / |expected| over the whole tensor, is within the tolerance of their type (docs/Tools.md);
// with rtol or atol given, every element must obey |actual - expected| <= atol + rtol * |expected|, as in NumPy. A NaN
// equals a NaN, an infinity one of the same sign; beside a number they are a difference at any tolerance.
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
  /// f32 may come of products whose inputs were rounded to tf32, which has as many digits as f16: f16's tolerance is
  /// f32's too.
  bool tf32 = false;
};

/// The default tolerance on the relative L2 error: f64 1e-12, f32 1e-5, f16 2e-3, bf16 1e-2, f8E4M3FN 6e-2, f8E5M2
/// 1.2e-1, and 0 for integers.
double defaultRelativeL2(DType type);

/// The largest of one measure and where it is.
struct Extreme {
  double value = 0;
  int64_t index = -1; ///< row-major position, -1 where no element differs
};

/// What was found. Pairs of which one is NaN or infinite and the other is not the same are counted in `nonFinite` and
/// left out of the measures.
struct Comparison {
  bool same = false;
  std::string reason;    ///< why not the same, in words; "" where it is
  std::string tolerance; ///< what was asked of elements that are not equal, in words
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  int64_t elements = 0;
  int64_t differing = 0;  ///< elements that are not equal
  int64_t violations = 0; ///< of those, beyond what is asked of each element, or NaN/infinity against something else
  std::vector<int64_t> firstViolations = {}; ///< the first few of them
  bool isBounded = false;                    ///< each element was compared with a bound of its own
  int64_t unknown = 0;     ///< elements whose bound is infinite: the program does not say what they are
  int64_t nans = 0;        ///< elements that are NaN on both sides
  double largestShare = 0; ///< of a bound that a difference takes
  Extreme absolute;        ///< |actual - expected|
  Extreme relative;        ///< |actual - expected| / |expected|; infinite where expected is 0
  Extreme ulp;             ///< floats: representable numbers between the two; exact up to 2^53
  double relativeL2 = 0;
  int64_t nonFinite = 0;
  int64_t firstNonFinite = -1;
};

/// Compares element by element. Types or shapes that differ are a difference (with `reason`), not an error.
///
/// `bounds`, an f64 tensor of the same shape, says how far each element may be off: 0 to the bit (but any NaN is a
/// NaN), 5e-324 but for the sign of a zero, infinity anything. Without it floats agree where rel-L2 is within the
/// default of their type and no element is off by more than kElementFactor times that of its size and the median of
/// all. rtol and atol stand in the place of both.
Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, const Tolerance &tolerance = {},
                          const HostTensor *bounds = nullptr);
inline constexpr double kElementFactor = 64;
/// The bound that says that a zero may have either sign.
inline constexpr double kSignOfZeroBound = 5e-324;

/// The representable numbers of the tensors' float type between two of its elements; 0 where both are NaN.
double ulpDistance(const HostTensor &a, const HostTensor &b, int64_t index);

/// "[1, 0, 17]" for row-major position `flat`; "[]" for rank 0.
std::string indexString(int64_t flat, const std::vector<int64_t> &shape);

/// One or several lines: the verdict, the first elements beyond their limit, and the measures, with indices and the two
/// values there.
std::string describe(const Comparison &comparison, const HostTensor &actual, const HostTensor &expected,
                     const HostTensor *bounds = nullptr);

} // namespace mica

#endif // MICA_COMPARE_COMPARE_H
