//===- Criteria.h - chosen ways to compare two tensors ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The methods of --compare= and of golden.json, separated by commas; a result agrees if it passes all of them:
//
//   default                  integers equal, floats by the relative L2 error of their type (Compare.h)
//   exact                    the same bits; any NaN equals any NaN
//   allclose[:RTOL[:ATOL]]   |actual - expected| <= ATOL + RTOL * |expected| for each element; 1e-5 and 1e-8
//   bad:SHARE[:RTOL[:ATOL]]  at most this share of the elements is beyond that limit
//   l2[:LIMIT]               |actual - expected| / |expected| over the tensor; the limit of the type
//   cosine[:MIN]             the cosine of the angle between the two tensors; 0.99999
//   topk:K[:SHARE]           the share of the K largest elements of each row that are the same ones; 1
//   ulp[:N]                  a histogram of the differences in ULP, of which none is beyond N
//
// NaN equals NaN, and an infinity one of the same sign. Any other pair with a NaN or an infinity fails every method but
// bad, which counts it, and topk, which orders NaN above all numbers.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_CRITERIA_H
#define MICA_COMPARE_CRITERIA_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// One method, with its limits.
struct Criterion {
  enum class Kind { Default, Exact, AllClose, BadShare, RelativeL2, Cosine, TopK, Ulp };
  Kind kind = Kind::Default;
  double limit = -1; ///< SHARE, LIMIT, MIN or N; -1: the type's limit (RelativeL2), none (Ulp)
  double rtol = 1e-5, atol = 1e-8;
  int64_t k = 0; ///< of TopK

  bool operator==(const Criterion &other) const = default;
};

using Criteria = std::vector<Criterion>;

/// Parses "allclose:1e-3,topk:5". InvalidInput: an unknown method, or a value out of range; the message quotes it.
Result<Criteria> parseCriteria(std::string_view text);
/// The text that parses to `criteria`.
std::string printCriteria(const Criteria &criteria);

struct CriteriaVerdict {
  bool same = true;
  std::string text; ///< a line per method: the measure, the limit, and the elements beyond it; "\n" in between
};

/// Compares by each of `criteria`. Different types or shapes are a difference. With allclose and bad the first 20
/// elements beyond the limit are listed, with their index and both values.
CriteriaVerdict judgeTensors(const HostTensor &actual, const HostTensor &expected, const Criteria &criteria);

} // namespace mica

#endif // MICA_COMPARE_CRITERIA_H
