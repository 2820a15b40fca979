//===- Evaluate.h - the reference evaluator ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The oracle: evaluates a function of a module as parsed, one op after the other, sharing no code with the compiler's
// passes. Floats are accumulated in f64 and rounded to the op's element type at the op's result; integers are exact in
// their width. What an op means is written where it is evaluated (Eval*.cpp), as plainly as possible; only
// contractions and convolutions have a faster form (Contraction.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_EVALUATE_H
#define MICA_DIALECTS_MICA_REFERENCE_EVALUATE_H

#include "mica/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <optional>
#include <string>

namespace mica::reference {

class UndefinedValues;

/// An evaluation beside the one that rounds: ops compute without rounding, and what they give is then rounded, once, to
/// their own type, to the next wider one, or not at all. What moves elements rounds nothing. Programs on tensors.
struct Shadow {
  bool isExact = false;                   ///< nothing is rounded
  llvm::DenseSet<mlir::Operation *> wide; ///< ops that are as wide as f32, or as f64 where they are f32
  /// Called for each op that rounds, each time it is evaluated, with its results as f64 before and after rounding.
  std::function<void(mlir::Operation *op, llvm::ArrayRef<HostTensor> exact, llvm::ArrayRef<HostTensor> rounded)> onOp;
};

/// How to evaluate.
struct EvalOptions {
  /// Called after each op of the entry function and of what it calls (terminators, constants and the bodies of linalg
  /// ops apart) with the op's results; an op in a loop is reported once per iteration. Failure ends the evaluation.
  std::function<llvm::LogicalResult(mlir::Operation *op, llvm::ArrayRef<HostTensor> results)> onOp;
  /// If set, receives one tensor of f64 per result: how far a right result may be from each element, in the same shape;
  /// of integers too, whose bound is 0 but where a float decided. Takes about as long again, and as much memory.
  llvm::SmallVectorImpl<HostTensor> *bounds = nullptr;
  /// If set, and with `bounds`: the same of `bufferArguments`, and, called after `onOp`, of an op's results.
  llvm::SmallVectorImpl<HostTensor> *argumentBounds = nullptr;
  std::function<llvm::LogicalResult(llvm::ArrayRef<HostTensor> bounds)> onOpBounds;
  /// Bounds are those of implementations that accumulate floats narrower than f32 in their own type.
  bool narrowAccumulators = false;
  /// If set, receives what the program prints; else that goes to the standard output.
  std::string *printed = nullptr;
  /// With `bounds`: receives the bound of each float that is printed, in order.
  llvm::SmallVectorImpl<double> *printedBounds = nullptr;
  /// If set, receives one tensor per argument: what a memref argument holds in the end, an empty one for other
  /// arguments.
  llvm::SmallVectorImpl<HostTensor> *bufferArguments = nullptr;
  /// Elements a single tensor may have; larger ones are an error at their op. A tensor takes 8 bytes per element.
  int64_t maxElements = int64_t(1) << 30;
  /// With `undefined`: turns of loops of branches and of while loops, all together, before the evaluation ends with an
  /// error.
  int64_t maxTurns = int64_t(1) << 26;
  /// If set, values that the program may not rely on are followed (Undefined.h); `bounds` must not be set then.
  UndefinedValues *undefined = nullptr;
  /// If set, ops are evaluated so, and float results are f64; neither `bounds` nor `undefined` must be set then.
  const Shadow *shadow = nullptr;
};

/// An op of the program and what happened there: "shift by 40 of 32 bits".
struct EvaluatedPlace {
  std::string op;
  mlir::Location location;
  std::string what;
};

/// Undefined behavior: the op that began it, and the one that made it visible (a print, a branch, an address, a result
/// of the entry). Both are the same where the op itself is not allowed, such as an access out of bounds.
struct UndefinedBehavior {
  EvaluatedPlace origin, visible;
  /// The op at `visible` is not allowed because of what `origin` did, such as an access after a free; else it depends
  /// on a value that `origin` made.
  bool isImmediate = false;
};

/// True if everything reachable from `entry` can be evaluated. Otherwise one error per kind of op (and per element
/// type) that cannot be, each at the first place it occurs, with notes at the others.
llvm::LogicalResult checkEvaluable(mlir::func::FuncOp entry);

/// Evaluates `entry` on `args`, which must fit its signature (element types exactly; a `?` takes any extent).
/// Returns one tensor per result; a scalar result comes as a tensor of rank 0. Every failure (an op or type that cannot
/// be evaluated, arguments that do not fit, an index out of range, shapes that disagree, a division by zero, a failed
/// cf.assert) is an error emitted at the location of the op concerned.
llvm::FailureOr<llvm::SmallVector<HostTensor>> evaluate(mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> args,
                                                        const EvalOptions &options = {});

/// The same of what is looked through for undefined behavior: functions of the LLVM dialect are taken too.
llvm::LogicalResult checkUndefinedSearchable(mlir::FunctionOpInterface entry);

/// Evaluates `entry` on `args` and looks for behavior that the documentation of its ops leaves undefined
/// (docs/UndefinedBehavior.md). Nothing: there is none on this path. Fails, with errors emitted, where the program
/// cannot be evaluated, or not to its end: a limit of the evaluator, an assertion. Of several origins the first one in
/// the order of evaluation is named. Costs an evaluation, and one more for each op that may be the origin. `leaks`, if
/// set, receives the ops whose memory nothing frees, where the evaluation comes to its end; they are no undefined
/// behavior. To a function of the LLVM dialect a buffer is given as its elements, for a pointer or for a descriptor in
/// parts.
llvm::FailureOr<std::optional<UndefinedBehavior>>
findUndefinedBehavior(mlir::FunctionOpInterface entry, llvm::ArrayRef<HostTensor> args, EvalOptions options = {},
                      llvm::SmallVectorImpl<EvaluatedPlace> *leaks = nullptr);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_EVALUATE_H
