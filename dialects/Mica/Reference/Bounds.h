//===- Bounds.h - error bounds of correct implementations -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// If bounds are requested, each value has a bound per element (Tensor::bound) on the difference to the result of any
// correct implementation: its own rounding, in any order of summation, and the propagated bounds of its operands.
// Bounds of different sources are assumed to be independent, so their squares are added; docs/Reference.md has the
// rules and constants.
//
// 0 requires equal bits. kSignOfZero requires equal values. Infinity means unknown (undefined behavior, or a decision
// whose operands are uncertain). Internal to dialects/Mica/Reference.
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
/// The bound of a value that is exact except for the sign of a zero.
inline constexpr double kSignOfZero = 5e-324;
/// The number of rounding errors that a bound allows per operation, and per function such as exp.
inline constexpr double kRoundings = 4, kFunctionRoundings = 16;

/// Half the distance between adjacent numbers of `type` at 1, and half of it at 0.
double unitRoundoff(ElementType type);
double halfSmallest(ElementType type);
/// The largest finite number of `type`.
double largestFinite(ElementType type);
/// The type in which an implementation accumulates: f32 for narrower ones, or the type itself if `narrow`.
ElementType accumulatorOf(ElementType type, bool narrow);
/// The bound after rounding `raw`, with bound `bound`, to `type`: kRoundings units, or infinity if that may overflow.
/// `exact`: every implementation computes `raw` exactly.
double roundedBound(ElementType type, double raw, double bound, double roundings = kRoundings);
/// Disables rounding errors in its scope: bounds are 0, or kUnknown for undefined values.
class WithoutRoundingErrors {
public:
  explicit WithoutRoundingErrors(bool isOff = true);
  ~WithoutRoundingErrors();

private:
  bool before;
};
/// Whether rounding errors are disabled on this thread.
bool roundingErrorsAreOff();
/// The exponent of the last bit of `value` that is set; large for 0.
int lastBit(double value);

/// Properties of an elementwise op for bounds.
struct ScalarRule {
  enum class Rounding : uint8_t { Exact, Add, Sub, Mul, Div, Sqrt, Basic, Cast, Function, Composed, Power, Gelu };
  Rounding rounding = Rounding::Composed; ///< Composed: of several functions, with intermediate rounding
  bool mayPoison = false;                 ///< a cast to an integer that does not fit, a shift by the width
  bool isUnsigned = false;                ///< of that cast
  bool selects = false;                   ///< the first operand selects another operand, which is the unchanged result
  llvm::SmallVector<ElementType, 4> in;
};
ScalarRule scalarRule(mlir::Operation *op);
/// Whether an op that may give poison (`mayPoison`) does so on `args`, independent of its flags.
bool isPoison(const ScalarOp &scalar, const ScalarRule &rule, const Cell *args);

/// The bound of an op's result `raw`, before rounding, on `args` with `bounds`. `unit`: the type whose rounding counts
/// (that of the result, or of the accumulator in a reduction's body).
double scalarBound(const ScalarOp &scalar, const ScalarRule &rule, ElementType unit, const Cell *args,
                   const double *bounds, Cell raw);

/// The number of terms of the longest sum since the last call (set by helpers that accumulate).
void noteAccumulation(int64_t terms);
int64_t takeAccumulation();

/// Disables rounding in its scope: for sums of squares, which are not values of the type.
class WithoutRounding {
public:
  WithoutRounding();
  ~WithoutRounding();

private:
  bool before;
};

/// Evaluates `fn` on `in`, and computes the bounds of its results by the rule for `op`.
using OpFn = std::function<llvm::LogicalResult(mlir::Operation *, llvm::MutableArrayRef<Tensor>,
                                               llvm::SmallVectorImpl<Tensor> &, Evaluator &)>;
llvm::LogicalResult runWithBounds(mlir::Operation *op, const OpFn &fn, llvm::MutableArrayRef<Tensor> in,
                                  llvm::SmallVectorImpl<Tensor> &out, Evaluator &evaluator);

/// How runWithBounds computes the bounds of an op that is not elementwise.
struct BoundRule {
  enum class Kind : uint8_t {
    Self,    ///< the op's function propagates them (control flow, views), or there are none
    Move,    ///< elements are moved unchanged from operands to results, and so are their bounds
    Linear,  ///< sums of (products of) elements
    Select,  ///< selects or sorts elements
    Compute, ///< anything else: computed by perturbing the operands
  };
  /// In `data`: the last operand.
  static constexpr uint32_t kLast = 1u << 31;
  Kind kind = Kind::Compute;
  uint32_t data = ~0u;   ///< Move: operands whose elements are moved (the others are positions)
  unsigned factors = 1;  ///< Linear: the number of factors; the other operands are added
  bool averages = false; ///< Linear: the sum is divided by the number of its terms
  double inner = 1;      ///< Compute: weight of intermediate rounding errors (angles of many turns)
  bool fills = false;    ///< Move: fills some positions with a constant
  bool products = false; ///< Compute: products of elements of the first operand, in any order
};
BoundRule boundRule(mlir::Operation *op);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_BOUNDS_H
