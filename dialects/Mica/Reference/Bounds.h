//===- Bounds.h - how far a right result may be from the evaluator's --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Where bounds are asked for, each value carries beside its elements a bound per element (Tensor::bound) on the
// difference to what any right implementation computes: its own rounding, in any order of summation, and what its
// operands' bounds come to. Bounds of different sources are taken as independent and add up as squares do;
// docs/Reference.md has the rules and the constants.
//
// 0 means equal to the bit. kSignOfZero means equal as numbers. Infinity means that nothing is known (undefined
// behavior, or a decision that lies within the bound of what it depends on). Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_BOUNDS_H
#define MICA_DIALECTS_MICA_REFERENCE_BOUNDS_H

#include "dialects/Mica/Reference/ScalarOps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mica::reference {

class Evaluator;

inline constexpr double kUnknown = std::numeric_limits<double>::infinity();
/// The bound of a value that is exact but for the sign of a zero.
inline constexpr double kSignOfZero = 5e-324;
/// Roundings that a bound allows for each that an implementation has to make, and for a function such as exp.
inline constexpr double kRoundings = 4, kFunctionRoundings = 16;

/// Half the distance between numbers of `type` at 1, and half of it at 0.
double unitRoundoff(ElementType type);
double halfSmallest(ElementType type);
/// The largest finite number of `type`.
double largestFinite(ElementType type);
/// The type in which an implementation accumulates: f32 for narrower ones, or the type itself where `narrow`.
ElementType accumulatorOf(ElementType type, bool narrow);
/// The bound of `raw` rounded to `type`, when it has the bound `bound` before: kRoundings units, or infinity where that
/// may overflow. `exact`: `raw` is what every implementation has.
double roundedBound(ElementType type, double raw, double bound, double roundings = kRoundings);
/// While it lives, values have no error of rounding: bounds are 0, or kUnknown for values that are undefined.
class WithoutRoundingErrors {
public:
  explicit WithoutRoundingErrors(bool isOff = true);
  ~WithoutRoundingErrors();

private:
  bool before;
};
/// Whether one of them lives on this thread.
bool roundingErrorsAreOff();
/// The exponent of the last bit of `value` that is set; large for 0.
int lastBit(double value);

/// What is known of an elementwise op for bounds.
struct ScalarRule {
  enum class Rounding : uint8_t { Exact, Add, Sub, Mul, Div, Sqrt, Basic, Cast, Function, Composed, Gelu };
  Rounding rounding = Rounding::Composed; ///< Composed: of several functions, in a type that rounds in between
  bool mayPoison = false;                 ///< a cast to an integer that does not fit, a shift by the width
  bool isUnsigned = false;                ///< of that cast
  bool selects = false;                   ///< gives one of two operands, unchanged, as the first one says
  llvm::SmallVector<ElementType, 4> in;
};
ScalarRule scalarRule(mlir::Operation *op);
/// Whether an op that may give poison (`mayPoison`) does on `args`, whatever its flags.
bool isPoison(const ScalarOp &scalar, const ScalarRule &rule, const Cell *args);

/// The bound of an op's result `raw`, before it is rounded, on `args` with `bounds`. `unit`: the type whose rounding
/// counts (of the result, or of the accumulator in a reduction's body).
double scalarBound(const ScalarOp &scalar, const ScalarRule &rule, ElementType unit, const Cell *args,
                   const double *bounds, Cell raw);

/// The number of terms of the longest sum since it was last asked (helpers that accumulate say so).
void noteAccumulation(int64_t terms);
int64_t takeAccumulation();

/// While it lives, nothing is rounded: for sums of squares, which are no values of the type.
class WithoutRounding {
public:
  WithoutRounding();
  ~WithoutRounding();

private:
  bool before;
};

/// Runs `fn` on `in` and gives its results their bounds, by the rule for `op`.
using OpFn = std::function<llvm::LogicalResult(mlir::Operation *, llvm::MutableArrayRef<Tensor>,
                                               llvm::SmallVectorImpl<Tensor> &, Evaluator &)>;
llvm::LogicalResult runWithBounds(mlir::Operation *op, const OpFn &fn, llvm::MutableArrayRef<Tensor> in,
                                  llvm::SmallVectorImpl<Tensor> &out, Evaluator &evaluator);

/// How runWithBounds finds the bounds of an op that is not elementwise.
struct BoundRule {
  enum class Kind : uint8_t {
    Self,    ///< the op's function carries them along (control flow, views), or there are none
    Move,    ///< elements go from operands to results as they are: so do their bounds
    Linear,  ///< sums of (products of) elements
    Select,  ///< chooses among elements, or orders them
    Compute, ///< anything else: found by changing the operands
  };
  /// In `data`: the last operand.
  static constexpr uint32_t kLast = 1u << 31;
  Kind kind = Kind::Compute;
  uint32_t data = ~0u;   ///< Move: which operands hold what is moved (the others say where to)
  unsigned factors = 1;  ///< Linear: how many operands are multiplied; the others are added
  bool averages = false; ///< Linear: the sum is divided by the number of its terms
  double inner = 1;      ///< Compute: how many times the roundings inside count (angles of many turns)
  bool fills = false;    ///< Move: with a constant of its own at some places
};
BoundRule boundRule(mlir::Operation *op);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_BOUNDS_H
