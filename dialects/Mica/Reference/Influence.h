//===- Influence.h - what one element of a result was computed from -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Of a step of an evaluation and one element of its result: the elements of its operands that this element was computed
// from, each with a weight: how much the element would change without it.
//
// - linalg ops: from their indexing maps and the body, at the points of this element. The weight of a term of a sum is
//   its magnitude; of other elements, the change if they were 0.
// - elementwise ops: the elements at the same place.
// - ops that move elements: found by moving positions instead of values.
// - all other ops (softmax, norms, attention, pooling, sorting): found by evaluating the op with parts of its operands
//   set to 0, halving the parts that matter most.
//
// If the element is NaN or infinite, and elements that it was computed from are, these alone are the influences.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_INFLUENCE_H
#define MICA_DIALECTS_MICA_REFERENCE_INFLUENCE_H

#include "dialects/Mica/Reference/Tape.h"

#include <string>
#include <vector>

namespace mica::reference {

class OpTable;

struct Influence {
  unsigned input = 0; ///< operand or captured value, see Tape::input
  int64_t element = 0;
  double weight = 0;
  bool selects = false; ///< an index: it says which element is moved, and is none of it
};

struct Influences {
  std::vector<Influence> list; ///< by falling weight
  double restWeight = 0;       ///< of elements that were not told apart
  bool isComplete = true;      ///< false: `list` has the largest ones that were found
  bool isFollowed = true;      ///< false: nothing is known of ops of this kind
};

class InfluenceFinder {
public:
  InfluenceFinder();
  ~InfluenceFinder();

  /// The influences on element `element` of result `result` of `step`, at most `limit` of an op that has to be
  /// evaluated for it.
  Influences find(const TapeStep &step, unsigned result, int64_t element, size_t limit = 16);

private:
  std::unique_ptr<OpTable> table;
};

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_INFLUENCE_H
