//===- Undefined.h - values that a program may not rely on ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Uninitialized elements and poison are followed as bounds are (Bounds.h): an element with the bound kUnknown is
// undefined, and the rules that carry bounds through ops carry it. No error of rounding is added meanwhile, so nothing
// else has that bound. Undefined behavior is the use that makes such an element visible: a print, a branch, an
// address, a result of the entry. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_UNDEFINED_H
#define MICA_DIALECTS_MICA_REFERENCE_UNDEFINED_H

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Evaluator.h"

#include "llvm/ADT/MapVector.h"

#include <memory>

namespace mica::reference {

/// What one evaluation finds.
class UndefinedValues {
public:
  /// If set, what other ops make is defined: tells which origin it is that became visible.
  mlir::Operation *only = nullptr;
  /// Ops that made an undefined element, in the order of evaluation, and what happened the first time.
  llvm::MapVector<mlir::Operation *, std::string> origins;
  /// The first use that depends on an undefined element.
  std::optional<EvaluatedPlace> visible;
  /// Of an error with two places, such as an access after a free: the first one.
  std::optional<EvaluatedPlace> began;
  bool isImmediate = false; ///< UndefinedBehavior::isImmediate
  /// Memory of the heap that lives, by Allocation::number, and memory of the stack, by the order of its allocation.
  llvm::MapVector<int64_t, std::shared_ptr<Allocation>> heap;
  llvm::SmallVector<std::shared_ptr<Allocation>> stack;
  int64_t allocations = 0;
  /// What nothing freed, once the evaluation is over.
  llvm::SmallVector<EvaluatedPlace> leaks;
  /// The evaluation failed for a reason that is no undefined behavior: a limit, an assertion of the program.
  bool stopsAtLimit = false;
  int64_t turns = 0; ///< of all loops whose end is not known before they begin

  /// Notes that `op` makes undefined elements; false where they are to be taken as defined.
  bool makes(mlir::Operation *op, const llvm::Twine &what);
};

/// All elements of `value` become undefined, by `op`, where that is looked for.
void setUndefined(mlir::Operation *op, Tensor &value, const llvm::Twine &what, Evaluator &evaluator);
/// The same of memory that nothing was written to. `kept`: what its first elements were copied from.
void setUninitialized(mlir::Operation *op, Tensor &value, Evaluator &evaluator, const Tensor *kept = nullptr);

/// For which operands and results an elementwise op gives poison. It is read once per op, not once per element.
struct PoisonRule {
  enum class Fit : uint8_t { None, Add, Sub, Mul, Shl, Trunc };
  enum class Exact : uint8_t { None, DivS, DivU, Shift };
  Fit fit = Fit::None; ///< what has to fit, with `nsw` or `nuw`
  Exact exact = Exact::None;
  bool nsw = false, nuw = false, nnan = false, ninf = false;
  bool isShift = false, isCast = false; ///< of a number of bits, and of a float to an integer, that may not fit
  bool isAny = false;                   ///< whether there is any reason
  llvm::SmallVector<bool, 4> isFloat;   ///< by operand
  ScalarRule scalar;
};
PoisonRule poisonRule(mlir::Operation *op);

/// kUnknown where an elementwise op's result `value` is undefined: an operand is, that it depends on, or it is poison.
/// Else 0.
double undefinedBound(mlir::Operation *op, const ScalarOp &scalar, const PoisonRule &rule, const Cell *args,
                      llvm::ArrayRef<double> bounds, Cell value, Evaluator &evaluator);

/// An error at `op`: `what`, because of what `began` is, and did.
mlir::InFlightDiagnostic emitBroken(mlir::Operation *op, const llvm::Twine &what, mlir::Operation *began,
                                    const llvm::Twine &did, Evaluator &evaluator);
/// An op, and what happened there.
EvaluatedPlace placeOf(mlir::Operation *op, const llvm::Twine &what);

/// Of vector ops that read outside of a vector: the lanes of `out` that are undefined because of that.
void markUndefinedLanes(mlir::Operation *op, Operands in, Results &out, Evaluator &evaluator);

/// Notes that `op` shows an element with `bound`, where that is undefined.
void noteVisible(mlir::Operation *op, double bound, const llvm::Twine &what, Evaluator &evaluator);
void noteVisible(mlir::Operation *op, const Tensor &value, const llvm::Twine &what, Evaluator &evaluator);
/// The same for a value without which the evaluation cannot go on: fails, with an error at `op`.
llvm::LogicalResult requireDefined(mlir::Operation *op, const Tensor &value, const llvm::Twine &what,
                                   Evaluator &evaluator);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_UNDEFINED_H
