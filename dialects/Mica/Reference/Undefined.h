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
  /// The evaluation failed for a reason that is no undefined behavior: a limit, an assertion of the program.
  bool stopsAtLimit = false;

  /// Notes that `op` makes undefined elements; false where they are to be taken as defined.
  bool makes(mlir::Operation *op, const llvm::Twine &what);
};

/// All elements of `value` become undefined, by `op`, where that is looked for.
void setUndefined(mlir::Operation *op, Tensor &value, const llvm::Twine &what, Evaluator &evaluator);
/// The same of memory that nothing was written to. `kept`: what its first elements were copied from.
void setUninitialized(mlir::Operation *op, Tensor &value, Evaluator &evaluator, const Tensor *kept = nullptr);

/// The bound of an elementwise op's result `value`, given its `bound` as scalarBound found it: also kUnknown where the
/// op's flags make it poison.
double undefinedBound(mlir::Operation *op, const ScalarOp &scalar, const Cell *args, llvm::ArrayRef<double> bounds,
                      Cell value, double bound, Evaluator &evaluator);

/// Notes that `op` shows an element with `bound`, where that is undefined.
void noteVisible(mlir::Operation *op, double bound, const llvm::Twine &what, Evaluator &evaluator);
void noteVisible(mlir::Operation *op, const Tensor &value, const llvm::Twine &what, Evaluator &evaluator);
/// The same for a value without which the evaluation cannot go on: fails, with an error at `op`.
llvm::LogicalResult requireDefined(mlir::Operation *op, const Tensor &value, const llvm::Twine &what,
                                   Evaluator &evaluator);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_UNDEFINED_H
