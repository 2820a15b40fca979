//===- Criteria.cpp - chosen ways to compare two tensors --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header. Sums are accumulated in f64.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/Criteria.h"

#include "mica/Compare/Compare.h"
#include "mica/Compare/Print.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

namespace mica {
namespace {

using Kind = Criterion::Kind;

constexpr int64_t kListed = 20;

/// A method by its name, with the meaning and range of its values.
struct Method {
  std::string_view name;
  Kind kind;
  size_t least, most; ///< values after the name
};

constexpr std::array<Method, 8> kMethods{{{"default", Kind::Default, 0, 0},
                                          {"exact", Kind::Exact, 0, 0},
                                          {"allclose", Kind::AllClose, 0, 2},
                                          {"bad", Kind::BadShare, 1, 3},
                                          {"l2", Kind::RelativeL2, 0, 1},
                                          {"cosine", Kind::Cosine, 0, 1},
                                          {"topk", Kind::TopK, 1, 2},
                                          {"ulp", Kind::Ulp, 0, 1}}};

/// The shortest text that reads as the same number.
std::string shortest(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

Error invalid(const std::string &part, const std::string &why) {
  return Error{ErrorCode::InvalidInput, "'" + part + "' is not a way to compare: " + why,
               "the ways are default, exact, allclose[:RTOL[:ATOL]], bad:SHARE[:RTOL[:ATOL]], l2[:LIMIT], "
               "cosine[:MIN], topk:K[:SHARE], ulp[:N]; several are separated by commas"};
}

Result<Criterion> parseCriterion(const std::string &part) {
  const std::vector<std::string> fields = splitText(part, ':');
  const auto method =
      std::find_if(kMethods.begin(), kMethods.end(), [&](const Method &row) { return row.name == fields[0]; });
  if (method == kMethods.end()) {
    std::vector<std::string> names;
    for (const Method &row : kMethods)
      names.emplace_back(row.name);
    const std::string nearest = nearestName(fields[0], names);
    return invalid(part, nearest.empty() ? "there is no such method" : "did you mean " + nearest + "?");
  }
  const size_t count = fields.size() - 1;
  if (count < method->least || count > method->most)
    return invalid(part, std::to_string(count) + " values for " + fields[0]);
  std::vector<double> values;
  for (size_t i = 1; i < fields.size(); ++i) {
    double value = 0;
    const char *end = fields[i].data() + fields[i].size();
    const auto read = std::from_chars(fields[i].data(), end, value);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value) || value < 0)
      return invalid(part, "'" + fields[i] + "' is not a number of at least 0");
    values.push_back(value);
  }
  Criterion criterion;
  criterion.kind = method->kind;
  size_t next = 0;
  auto take = [&](double &target) {
    if (next < values.size())
      target = values[next++];
  };
  switch (method->kind) {
  case Kind::Cosine:
    criterion.limit = 0.99999;
    break;
  case Kind::TopK:
    if (values[0] < 1 || values[0] != std::floor(values[0]) || values[0] > 1e9)
      return invalid(part, "K is a whole number of at least 1");
    criterion.k = static_cast<int64_t>(values[0]);
    criterion.limit = 1;
    next = 1;
    break;
  default:
    break;
  }
  if (method->kind != Kind::AllClose)
    take(criterion.limit);
  take(criterion.rtol);
  take(criterion.atol);
  const bool isShare = method->kind == Kind::BadShare || method->kind == Kind::Cosine || method->kind == Kind::TopK;
  if (isShare && criterion.limit > 1)
    return invalid(part, "a share is at most 1");
  return criterion;
}

std::string printCriterion(const Criterion &criterion) {
  std::string text(kMethods[static_cast<size_t>(criterion.kind)].name);
  const std::string limits = ":" + shortest(criterion.rtol) + ":" + shortest(criterion.atol);
  switch (criterion.kind) {
  case Kind::AllClose:
    return text + limits;
  case Kind::BadShare:
    return text + ":" + shortest(criterion.limit) + limits;
  case Kind::TopK:
    return text + ":" + std::to_string(criterion.k) + ":" + shortest(criterion.limit);
  default:
    return criterion.limit < 0 ? text : text + ":" + shortest(criterion.limit);
  }
}

/// The measures over all pairs of elements, computed once for all methods.
class Pair {
public:
  /// `whole`: what the tensors are the parts of, if its elements are complex.
  Pair(const HostTensor &actual, const HostTensor &expected, const HostTensor &whole)
      : actual(actual), expected(expected), whole(whole) {
    for (int64_t i = 0; i < expected.numElements(); ++i) {
      const double a = actual.asDouble(i), e = expected.asDouble(i);
      if (std::isnan(a) && std::isnan(e))
        continue;
      if (!std::isfinite(a) || !std::isfinite(e)) {
        if (a != e && nonFinite++ == 0)
          firstNonFinite = i;
        continue;
      }
      differences += (a - e) * (a - e);
      actualSquares += a * a;
      expectedSquares += e * e;
      products += a * e;
    }
  }

  CriteriaVerdict judge(const Criterion &criterion) const {
    switch (criterion.kind) {
    case Kind::Default: {
      const Comparison comparison = compareTensors(actual, expected);
      return {comparison.same, "default: " + describe(comparison, actual, expected)};
    }
    case Kind::Exact:
      return exact();
    case Kind::AllClose:
    case Kind::BadShare:
      return elementwise(criterion);
    case Kind::RelativeL2:
      return relativeL2(criterion);
    case Kind::Cosine:
      return cosine(criterion);
    case Kind::TopK:
      return topK(criterion);
    case Kind::Ulp:
      return ulps(criterion);
    }
    return {};
  }

private:
  int64_t elements() const { return expected.numElements(); }

  std::string at(int64_t i) const {
    return (isComplex(whole.dtype) ? partString(i, whole) : indexString(i, expected.shape)) + " (got " +
           formatElement(actual, i) + ", expected " + formatElement(expected, i) + ")";
  }

  /// ", 3 elements are NaN or infinite on one side only, first at ..."; "" where there are none.
  std::string nonFiniteText() const {
    return nonFinite == 0 ? ""
                          : ", " + std::to_string(nonFinite) +
                                " elements are NaN or infinite on one side only, first at " + at(firstNonFinite);
  }

  bool sameBits(int64_t i) const {
    const auto width = static_cast<size_t>(dtypeBytes(expected.dtype));
    const size_t offset = static_cast<size_t>(i) * width;
    return std::memcmp(actual.data.data() + offset, expected.data.data() + offset, width) == 0 ||
           (std::isnan(actual.asDouble(i)) && std::isnan(expected.asDouble(i)));
  }

  CriteriaVerdict listed(std::string head, int64_t beyond, const std::vector<int64_t> &first, bool same) const {
    for (int64_t i : first)
      head += "\n  at " + at(i);
    if (const int64_t more = beyond - static_cast<int64_t>(first.size()); more > 0)
      head += "\n  and at " + std::to_string(more) + " more";
    return {same, std::move(head)};
  }

  CriteriaVerdict exact() const {
    int64_t beyond = 0;
    std::vector<int64_t> first;
    for (int64_t i = 0; i < elements(); ++i)
      if (!sameBits(i) && beyond++ < kListed)
        first.push_back(i);
    return listed("exact: " + std::to_string(beyond) + " of " + std::to_string(elements()) +
                      " elements have other bits, none may",
                  beyond, first, beyond == 0);
  }

  bool isClose(int64_t i, const Criterion &criterion) const {
    const double a = actual.asDouble(i), e = expected.asDouble(i);
    if (std::isnan(a) || std::isnan(e))
      return std::isnan(a) && std::isnan(e);
    if (isInteger(expected.dtype) && actual.asInt(i) == expected.asInt(i))
      return true;
    if (std::isinf(a) || std::isinf(e))
      return a == e;
    // Integers beyond 2^53 that are not equal differ by at least 1, also where their f64 do not.
    const double difference = std::max(std::fabs(a - e), isInteger(expected.dtype) ? 1.0 : 0.0);
    return difference <= criterion.atol + criterion.rtol * std::fabs(e);
  }

  CriteriaVerdict elementwise(const Criterion &criterion) const {
    int64_t beyond = 0;
    std::vector<int64_t> first;
    for (int64_t i = 0; i < elements(); ++i)
      if (!isClose(i, criterion) && beyond++ < kListed)
        first.push_back(i);
    const std::string count = std::to_string(beyond) + " of " + std::to_string(elements()) +
                              " elements are beyond atol " + number(criterion.atol) + " + rtol " +
                              number(criterion.rtol) + " * |expected|";
    if (criterion.kind == Kind::AllClose)
      return listed("allclose: " + count + ", none may be", beyond, first, beyond == 0);
    const double share = elements() == 0 ? 0 : static_cast<double>(beyond) / static_cast<double>(elements());
    return listed("bad: " + count + ": a share of " + number(share) + ", limit " + number(criterion.limit), beyond,
                  first, share <= criterion.limit);
  }

  CriteriaVerdict relativeL2(const Criterion &criterion) const {
    const double limit = criterion.limit < 0 ? defaultRelativeL2(expected.dtype) : criterion.limit;
    const double error = differences == 0       ? 0
                         : expectedSquares == 0 ? std::numeric_limits<double>::infinity()
                                                : std::sqrt(differences / expectedSquares);
    return {error <= limit && nonFinite == 0,
            "l2: the relative L2 error is " + number(error) + ", limit " + number(limit) + nonFiniteText()};
  }

  CriteriaVerdict cosine(const Criterion &criterion) const {
    double value = 1;
    if (actualSquares > 0 && expectedSquares > 0)
      value = products / (std::sqrt(actualSquares) * std::sqrt(expectedSquares));
    else if (actualSquares > 0 || expectedSquares > 0)
      value = 0;
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return {value >= criterion.limit && nonFinite == 0, "cosine: the cosine is " + std::string(text) + ", at least " +
                                                            shortest(criterion.limit) + " is required" +
                                                            nonFiniteText()};
  }

  CriteriaVerdict topK(const Criterion &criterion) const {
    const int64_t width = expected.shape.empty() ? 1 : expected.shape.back();
    const int64_t k = std::min(criterion.k, width);
    const int64_t rows = width == 0 ? 0 : elements() / width;
    int64_t agreeing = 0, worst = -1, worstAgreeing = k;
    std::vector<int64_t> order(static_cast<size_t>(width));
    // NaN is above all numbers.
    auto above = [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a > b; };
    for (int64_t row = 0; row < rows && k > 0; ++row) {
      const int64_t base = row * width;
      auto select = [&](const HostTensor &tensor) {
        std::iota(order.begin(), order.end(), 0);
        std::nth_element(order.begin(), order.begin() + k - 1, order.end(), [&](int64_t x, int64_t y) {
          return above(tensor.asDouble(base + x), tensor.asDouble(base + y));
        });
      };
      select(expected);
      const double least = expected.asDouble(base + order[static_cast<size_t>(k - 1)]);
      select(actual);
      // Of equal elements any may be chosen.
      const auto same = std::count_if(order.begin(), order.begin() + k,
                                      [&](int64_t column) { return !above(least, expected.asDouble(base + column)); });
      agreeing += same;
      if (same < worstAgreeing) {
        worstAgreeing = same;
        worst = row;
      }
    }
    const double share = rows * k == 0 ? 1 : static_cast<double>(agreeing) / static_cast<double>(rows * k);
    std::string text = "topk: of the " + std::to_string(k) + " largest elements of " + std::to_string(rows) +
                       (rows == 1 ? " row" : " rows") + " a share of " + number(share) + " is the same, at least " +
                       number(criterion.limit) + " is required";
    if (worst >= 0)
      text += "; fewest in row " + std::to_string(worst) + ", " + std::to_string(worstAgreeing) + " of " +
              std::to_string(k);
    return {share >= criterion.limit, std::move(text)};
  }

  CriteriaVerdict ulps(const Criterion &criterion) const {
    if (!isFloat(expected.dtype)) {
      CriteriaVerdict verdict = exact();
      verdict.text = "ulp: integers have no ULP; " + verdict.text;
      return verdict;
    }
    // Bucket b > 1 counts differences in (2^(b-2), 2^(b-1)].
    std::array<int64_t, 66> counts{};
    double largest = 0;
    int64_t place = -1;
    for (int64_t i = 0; i < elements(); ++i) {
      const double a = actual.asDouble(i), e = expected.asDouble(i);
      if ((!std::isfinite(a) || !std::isfinite(e)) && a != e && !(std::isnan(a) && std::isnan(e)))
        continue;
      const double distance = ulpDistance(actual, expected, i);
      ++counts[distance == 0 ? 0 : static_cast<size_t>(std::ceil(std::log2(distance))) + 1];
      if (distance > largest) {
        largest = distance;
        place = i;
      }
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", largest);
    std::string line = "ulp: the largest difference is " + std::string(text) + " ULP" +
                       (place < 0 ? "" : " at " + at(place)) +
                       (criterion.limit < 0 ? ", no limit" : ", limit " + shortest(criterion.limit)) + nonFiniteText();
    const int64_t most = *std::max_element(counts.begin(), counts.end());
    for (size_t bucket = 0; bucket < counts.size(); ++bucket) {
      if (counts[bucket] == 0)
        continue;
      const double high = bucket == 0 ? 0 : std::ldexp(1.0, static_cast<int>(bucket) - 1);
      char row[96];
      if (bucket < 3)
        std::snprintf(row, sizeof row, "\n  %20.0f ULP %12lld ", high, static_cast<long long>(counts[bucket]));
      else
        std::snprintf(row, sizeof row, "\n  %9.0f .. %7.0f ULP %12lld ", high / 2 + 1, high,
                      static_cast<long long>(counts[bucket]));
      line += row + std::string(static_cast<size_t>(1 + 39 * counts[bucket] / most), '#');
    }
    return {nonFinite == 0 && (criterion.limit < 0 || largest <= criterion.limit), std::move(line)};
  }

  const HostTensor &actual, &expected, &whole;
  double differences = 0, actualSquares = 0, expectedSquares = 0, products = 0;
  int64_t nonFinite = 0, firstNonFinite = -1;
};

} // namespace

Result<Criteria> parseCriteria(std::string_view text) {
  Criteria criteria;
  for (const std::string &part : splitText(text, ',')) {
    MICA_ASSIGN_OR_RETURN(const Criterion criterion, parseCriterion(part));
    criteria.push_back(criterion);
  }
  return criteria;
}

std::string printCriteria(const Criteria &criteria) {
  std::string text;
  for (const Criterion &criterion : criteria)
    text += (text.empty() ? "" : ",") + printCriterion(criterion);
  return text;
}

CriteriaVerdict judgeTensors(const HostTensor &actual, const HostTensor &expected, const Criteria &criteria) {
  if (actual.dtype != expected.dtype || actual.shape != expected.shape)
    return {false, "DIFFERENT: got " + actual.typeString() + ", expected " + expected.typeString()};
  const bool areParts = isComplex(expected.dtype);
  const HostTensor found = areParts ? actual.asParts() : actual, wanted = areParts ? expected.asParts() : expected;
  const Pair pair(found, wanted, expected);
  CriteriaVerdict verdict;
  for (const Criterion &criterion : criteria) {
    const CriteriaVerdict one = pair.judge(criterion);
    verdict.same = verdict.same && one.same;
    verdict.text += (verdict.text.empty() ? "" : "\n") + std::string(one.same ? "  ok " : "  DIFFERENT ") + one.text;
  }
  return verdict;
}

} // namespace mica
