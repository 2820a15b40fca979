//===- Undefined.h - undefined values ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Uninitialized elements and poison are tracked like bounds (Bounds.h): an element with a bound is undefined, and the
// rules for bounds propagate it. Rounding errors are disabled meanwhile, so no other element has a bound. kUnknown says
// that the element is undefined as a whole; a number says which bits of an integer are, the others being what they are
// in any run: bits of memory that is written in parts. Undefined behavior is the use that makes such an element
// visible: a print, a branch, an address, a result of the entry. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_UNDEFINED_H
#define MICA_DIALECTS_MICA_REFERENCE_UNDEFINED_H

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Evaluator.h"

#include "llvm/ADT/MapVector.h"

#include <memory>

namespace mica::reference {

/// The findings of one evaluation.
class UndefinedValues {
public:
  /// If set, results of other ops are treated as defined, to test whether this op is the origin.
  mlir::Operation *only = nullptr;
  /// Ops that created an undefined element, in the order of evaluation, with a description of the first time.
  llvm::MapVector<mlir::Operation *, std::string> origins;
  /// The first use that depends on an undefined element.
  std::optional<EvaluatedPlace> visible;
  /// For an error with two places, such as an access after a free: the first one.
  std::optional<EvaluatedPlace> began;
  bool isImmediate = false; ///< UndefinedBehavior::isImmediate
  /// Live heap memory, by Allocation::number, and live stack memory, in the order of allocation.
  llvm::MapVector<int64_t, std::shared_ptr<Allocation>> heap;
  llvm::SmallVector<std::shared_ptr<Allocation>> stack;
  int64_t allocations = 0;
  /// Memory that was never freed, after the evaluation.
  llvm::SmallVector<EvaluatedPlace> leaks;
  /// The evaluation failed for another reason than undefined behavior: a limit, an assertion of the program.
  bool stopsAtLimit = false;
  int64_t turns = 0; ///< of all loops whose end is not known before they begin

  /// Records that `op` creates undefined elements; false if they are to be treated as defined.
  bool makes(mlir::Operation *op, const llvm::Twine &what);
};

/// Marks all elements of `value` as undefined by `op`, in a search.
void setUndefined(mlir::Operation *op, Tensor &value, const llvm::Twine &what, Evaluator &evaluator);
/// The same for uninitialized memory. `kept`: the source of its first elements.
void setUninitialized(mlir::Operation *op, Tensor &value, Evaluator &evaluator, const Tensor *kept = nullptr);

/// When an elementwise op gives poison. Computed once per op, not once per element.
struct PoisonRule {
  enum class Fit : uint8_t { None, Add, Sub, Mul, Shl, Trunc };
  enum class Exact : uint8_t { None, DivS, DivU, Shift };
  Fit fit = Fit::None; ///< overflow that `nsw` or `nuw` forbids
  Exact exact = Exact::None;
  bool nsw = false, nuw = false, nnan = false, ninf = false;
  bool isShift = false, isCast = false; ///< a shift amount, or a float cast to an integer, may be out of range
  bool isAny = false;                   ///< whether the op can give poison at all
  llvm::SmallVector<bool, 4> isFloat;   ///< by operand
  ScalarRule scalar;
};
PoisonRule poisonRule(mlir::Operation *op);

/// kUnknown if an elementwise op's result `value` is undefined: it depends on an undefined operand, or it is poison.
/// Else 0.
double undefinedBound(mlir::Operation *op, const ScalarOp &scalar, const PoisonRule &rule, const Cell *args,
                      llvm::ArrayRef<double> bounds, Cell value, Evaluator &evaluator);

/// Emits an error at `op`: `what`, caused by `began`.
mlir::InFlightDiagnostic emitBroken(mlir::Operation *op, const llvm::Twine &what, mlir::Operation *began,
                                    const llvm::Twine &did, Evaluator &evaluator);
/// A place: the op, and a description.
EvaluatedPlace placeOf(mlir::Operation *op, const llvm::Twine &what);

/// For vector ops that read outside of a vector: marks the lanes of `out` that are undefined because of that.
void markUndefinedLanes(mlir::Operation *op, Operands in, Results &out, Evaluator &evaluator);

/// The bound of an integer of `type` whose bits `mask` are undefined; kUnknown if a bound cannot say which.
double undefinedBits(const ElementType &type, uint64_t mask);
enum class Bitwise { And, Or, Xor };
/// The bound of what a bitwise op makes of `a` and `b`: a 0 decides a bit of "and" alone, a 1 one of "or".
double undefinedBits(Bitwise kind, const ElementType &type, Cell a, double ofA, Cell b, double ofB);

/// Records that `op` makes an element with `bound` visible, if it is undefined.
void noteVisible(mlir::Operation *op, double bound, const llvm::Twine &what, Evaluator &evaluator);
void noteVisible(mlir::Operation *op, const Tensor &value, const llvm::Twine &what, Evaluator &evaluator);
/// The same for a value that is needed to continue: fails, with an error at `op`.
llvm::LogicalResult requireDefined(mlir::Operation *op, const Tensor &value, const llvm::Twine &what,
                                   Evaluator &evaluator);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_UNDEFINED_H
