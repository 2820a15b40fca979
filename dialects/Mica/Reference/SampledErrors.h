//===- SampledErrors.h - bounds of rounding errors by sampling ------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A bound that is passed from op to op grows with the depth of a program: each op takes the worst error of its
// operands, and after some fifty convolutions any number is within it. Where that happens, the program is evaluated
// several times with an error added to each op's result, drawn at random within the bound of this op's own rounding, as
// in Monte Carlo arithmetic (Parker, 1997). Errors then cancel, grow and decide as they do in the program. The bound of
// an op's own rounding holds for any order of summation and is far above what an implementation does, so a small
// multiple of the largest deviation is a bound for it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_SAMPLEDERRORS_H
#define MICA_DIALECTS_MICA_REFERENCE_SAMPLEDERRORS_H

#include "dialects/Mica/Reference/Evaluate.h"

namespace mica::reference {

class Tensor;

/// The errors of one evaluation: `EvalOptions::errors`.
class ErrorSample {
public:
  /// Sample 0 moves all results away from 0; the others move them at random.
  explicit ErrorSample(unsigned number) : state(0x9e3779b97f4a7c15u * (number + 1)), isOutward(number == 0) {}
  /// Moves the elements of `results` within their bounds, which are then those of exact numbers. An element without a
  /// bound becomes NaN, an integer another one.
  void apply(llvm::MutableArrayRef<Tensor> results);

private:
  double next();
  uint64_t state;
  bool isOutward;
};

/// How far the values of one tensor were moved in all samples so far.
class Deviations {
public:
  /// False if `sample` has another shape: the program took another path.
  bool add(const HostTensor &value, const HostTensor &sample);
  /// Lowers each element of `bound` to four times the larger of its own deviation and the root mean square of all.
  void lower(HostTensor &bound) const;

private:
  std::vector<double> largest; ///< by element
};

/// Evaluations with errors.
inline constexpr unsigned kErrorSamples = 3;

/// Whether errors of the program can be sampled: it has values, and no memory.
bool canSampleErrors(mlir::func::FuncOp entry);

/// Whether a fourth of the elements may differ from `value` by 2^12 units, or by half of their size.
bool isLoose(const HostTensor &value, const HostTensor &bound);

/// Where the bounds of an evaluation's `results` are loose, lowers them by sampling. `options` are those of the
/// evaluation. `onOp`, if set, is that of the samples, one after another; it fails where an op cannot be that of the
/// evaluation. Returns whether bounds were lowered: not where errors cannot be sampled, or a sample took another path.
/// Costs kErrorSamples evaluations with bounds, if any.
bool lowerLooseBounds(mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> args, const EvalOptions &options,
                      llvm::ArrayRef<HostTensor> results, llvm::MutableArrayRef<HostTensor> bounds,
                      decltype(EvalOptions::onOp) onOp = {});

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_SAMPLEDERRORS_H
