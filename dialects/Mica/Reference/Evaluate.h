//===- Evaluate.h - the reference evaluator ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates a function of a module as parsed, op by op, sharing no code with the compiler's passes. Floats are
// accumulated in f64 and rounded to the op's element type at the op's result; integers are exact in their width. The
// semantics of an op is defined where it is evaluated (Eval*.cpp), as simply as possible; only contractions and
// convolutions have a faster implementation (Contraction.h).
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

class ErrorSample;
class UndefinedValues;
struct Tape;

/// An evaluation without rounding: ops compute exactly, and their results are then rounded, once, to their own type, to
/// the next wider one, or not at all. Data movement rounds nothing. For programs on tensors.
struct Shadow {
  bool isExact = false;                   ///< nothing is rounded
  llvm::DenseSet<mlir::Operation *> wide; ///< ops that are evaluated in f32, or in f64 if they are f32
  /// Called for each op that rounds, each time it is evaluated, with its results as f64 before and after rounding.
  std::function<void(mlir::Operation *op, llvm::ArrayRef<HostTensor> exact, llvm::ArrayRef<HostTensor> rounded)> onOp;
};

/// Options of an evaluation.
struct EvalOptions {
  /// Called after each op of the entry function and its callees (except terminators, constants and ops in bodies of
  /// linalg ops) with the op's results; for an op in a loop once per iteration. A failure ends the evaluation.
  std::function<llvm::LogicalResult(mlir::Operation *op, llvm::ArrayRef<HostTensor> results)> onOp;
  /// If set, receives one f64 tensor per result with the allowed error of each element, in the same shape; also for
  /// integers, with bound 0 unless a float decided. Doubles the time and memory of an evaluation.
  llvm::SmallVectorImpl<HostTensor> *bounds = nullptr;
  /// If set together with `bounds`: the same for `bufferArguments`, and for an op's results, called after `onOp`.
  llvm::SmallVectorImpl<HostTensor> *argumentBounds = nullptr;
  std::function<llvm::LogicalResult(llvm::ArrayRef<HostTensor> bounds)> onOpBounds;
  /// Bounds allow implementations that accumulate floats narrower than f32 in their own type.
  bool narrowAccumulators = false;
  /// If set, receives the program's output; else it is printed to the standard output.
  std::string *printed = nullptr;
  /// With `bounds`: receives the bound of each printed float, in order.
  llvm::SmallVectorImpl<double> *printedBounds = nullptr;
  /// If set, receives one tensor per argument: the final contents of a memref argument, and an empty tensor for other
  /// arguments.
  llvm::SmallVectorImpl<HostTensor> *bufferArguments = nullptr;
  /// Maximum elements of a single tensor; larger ones are an error at their op. A tensor takes 8 bytes per element.
  int64_t maxElements = int64_t(1) << 30;
  /// With `undefined`: turns of loops of branches and of while loops, all together, before the evaluation ends with an
  /// error.
  int64_t maxTurns = int64_t(1) << 26;
  /// If set, values that the program may not rely on are followed (Undefined.h); `bounds` must not be set then.
  UndefinedValues *undefined = nullptr;
  /// If set, ops are evaluated in this way, and float results are f64; neither `bounds` nor `undefined` may be set.
  const Shadow *shadow = nullptr;
  /// If set together with `bounds`, each op's results get errors within the bound of its own rounding, and bounds are
  /// not passed on (SampledErrors.h).
  ErrorSample *errors = nullptr;
  /// If set, receives every step of the evaluation with its values, which then stay in memory (Tape.h).
  Tape *tape = nullptr;
};

/// An op of the program and a description: "shift by 40 of 32 bits".
struct EvaluatedPlace {
  std::string op;
  mlir::Location location;
  std::string what;
};

/// Undefined behavior: its origin, and the op that made it visible (a print, a branch, an address, a result of the
/// entry). Both are equal if the op itself has undefined behavior, such as an access out of bounds.
struct UndefinedBehavior {
  EvaluatedPlace origin, visible;
  /// The op at `visible` has undefined behavior because of an effect of `origin`, such as an access after a free; else
  /// it uses a value that `origin` made.
  bool isImmediate = false;
};

/// What a function in the LLVM dialect without arguments prints. Fails where the interpreter does not take it, where it
/// fails, and where something that it prints is undefined.
llvm::FailureOr<std::string> printedByLowered(mlir::FunctionOpInterface entry);

/// Succeeds if everything reachable from `entry` can be evaluated. Otherwise emits one error per kind of op (and per
/// element type) that is not supported, at its first occurrence, with notes at the others.
llvm::LogicalResult checkEvaluable(mlir::func::FuncOp entry);

/// Evaluates `entry` on `args`, which must match its signature (element types exactly, unsigned ones where it is marked
/// `mica.unsigned`; a `?` matches any size; both parts of complex values, artifact::splitTensors). Returns one tensor
/// per result; a scalar result is a tensor of rank 0. Every failure (an unsupported op or type, arguments that do not
/// match, an index out of range, contradicting shapes, a division by zero, a failed cf.assert) is an error emitted at
/// the location of the op.
llvm::FailureOr<llvm::SmallVector<HostTensor>> evaluate(mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> args,
                                                        const EvalOptions &options = {});

/// The same for the search for undefined behavior, which also supports functions of the LLVM dialect.
llvm::LogicalResult checkUndefinedSearchable(mlir::FunctionOpInterface entry);

/// Evaluates `entry` on `args` and detects undefined behavior according to the documentation of its ops
/// (docs/UndefinedBehavior.md). Nothing: there is none on this path. Fails, with errors emitted, if the program cannot
/// be evaluated to its end: unsupported ops, a limit of the evaluator, an assertion. Of several origins the first one
/// in the order of evaluation is returned. Costs an evaluation, and one more for each possible origin. `leaks`, if set,
/// receives the ops whose memory is never freed, if the evaluation reaches its end; leaks are not undefined behavior.
/// For a function of the LLVM dialect a buffer is passed as its elements, for a pointer or for the members of a
/// descriptor.
llvm::FailureOr<std::optional<UndefinedBehavior>>
findUndefinedBehavior(mlir::FunctionOpInterface entry, llvm::ArrayRef<HostTensor> args, EvalOptions options = {},
                      llvm::SmallVectorImpl<EvaluatedPlace> *leaks = nullptr);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_EVALUATE_H
