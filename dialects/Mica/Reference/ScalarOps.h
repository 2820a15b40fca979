//===- ScalarOps.h - elementwise operations ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// arith.addf, math.exp, tosa.add, mica.relu: one function on cells implements the op on scalars, on tensors (with
// broadcasting) and in a region that is evaluated for each point. The table maps the op's name to that function.
//
// Float functions compute in f64. The result is then rounded to the op's result type, except in the body of a linalg op
// with a reduction, where values stay f64 until the op is finished (see EvalLinalg.cpp).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_SCALAROPS_H
#define MICA_DIALECTS_MICA_REFERENCE_SCALAROPS_H

#include "dialects/Mica/Reference/Tensor.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::arith {
enum class CmpIPredicate : uint64_t;
} // namespace mlir::arith

namespace mica::reference {

/// Why a scalar operation has no result (division by zero). Set by the function, reported at the op by its caller.
struct Trap {
  const char *message = nullptr;
};

struct ScalarOp;
using ScalarFn = Cell (*)(const ScalarOp &op, const Cell *args, Trap &trap);

/// One elementwise operation: function, types, and attributes.
struct ScalarOp {
  ScalarFn fn = nullptr;
  ElementType in;                                               ///< of the first operand
  ElementType out;                                              ///< of the result
  int64_t aux = 0;                                              ///< a predicate or flag, set by the op's `prepare`
  Cell low = Cell::of(int64_t(0)), high = Cell::of(int64_t(0)); ///< bounds or other constants, likewise

  /// The op's value for `args`; floats rounded to `out` if `rounded`, integers always wrapped to it.
  Cell apply(const Cell *args, bool rounded, Trap &trap) const { return finish(fn(*this, args, trap), rounded); }
  /// The same for the result of `fn`.
  Cell finish(Cell result, bool rounded) const {
    if (!out.isFloat)
      result.i = out.wrap(result.i);
    else if (rounded)
      result.f = out.round(result.f);
    return result;
  }
};

/// Reads an op's attributes into a ScalarOp.
using PrepareFn = void (*)(mlir::Operation *op, ScalarOp &scalar);

/// Op name -> function. The `add` members take stateless lambdas on plain numbers; see EvalArith.cpp for their use.
class ScalarTable {
public:
  /// Functions for float and integer operands (one may be null), selected by the operand at `keyOperand`.
  void add(llvm::StringRef name, ScalarFn onFloat, ScalarFn onInt, PrepareFn prepare = nullptr,
           unsigned keyOperand = 0);

  /// Float functions f(double..) -> double.
  template <typename OpT, typename F> void unaryF(F) {
    merge(
        OpT::getOperationName(), [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(double(F{}(a[0].f))); },
        nullptr);
  }
  template <typename OpT, typename F> void binaryF(F) {
    merge(
        OpT::getOperationName(),
        [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(double(F{}(a[0].f, a[1].f))); }, nullptr);
  }
  /// Integer functions f(const ScalarOp &, int64_t..) -> int64_t; the result is wrapped to the op's type.
  template <typename OpT, typename F> void unaryI(F) {
    merge(OpT::getOperationName(), nullptr,
          [](const ScalarOp &op, const Cell *a, Trap &) { return Cell::of(int64_t(F{}(op, a[0].i))); });
  }
  template <typename OpT, typename F> void binaryI(F) {
    merge(OpT::getOperationName(), nullptr,
          [](const ScalarOp &op, const Cell *a, Trap &) { return Cell::of(int64_t(F{}(op, a[0].i, a[1].i))); });
  }
  /// Comparisons f(double, double) -> bool.
  template <typename OpT, typename F> void compareF(F) {
    merge(
        OpT::getOperationName(),
        [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(int64_t(F{}(a[0].f, a[1].f))); }, nullptr);
  }

  bool contains(mlir::Operation *op) const;
  /// The function for `op`; nothing if the op is not elementwise or undefined for its operand types.
  std::optional<ScalarOp> resolve(mlir::Operation *op) const;

private:
  struct Entry {
    ScalarFn onFloat = nullptr;
    ScalarFn onInt = nullptr;
    PrepareFn prepare = nullptr;
    unsigned keyOperand = 0;
  };
  void merge(llvm::StringRef name, ScalarFn onFloat, ScalarFn onInt);
  llvm::StringMap<Entry> entries;
};

/// IEEE 754-2019 maximum and minimum: NaN if either is NaN, -0 < +0.
double ieeeMaximum(double a, double b);
double ieeeMinimum(double a, double b);
/// maximumNumber and minimumNumber: the other operand if one is NaN.
double ieeeMaximumNumber(double a, double b);
double ieeeMinimumNumber(double a, double b);
/// A comparison of two integers, given as signed and as unsigned numbers.
bool compareInts(mlir::arith::CmpIPredicate predicate, int64_t sa, int64_t sb, uint64_t ua, uint64_t ub);
/// `value` truncated towards zero and clamped to the range of `type`; NaN gives 0.
int64_t truncateToInt(double value, ElementType type);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_SCALAROPS_H
