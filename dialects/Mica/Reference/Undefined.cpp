//===- Undefined.cpp - values that a program may not rely on ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Undefined.h. docs/UndefinedBehavior.md lists what is found, with the sources.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace mica::reference {

/// Origins that are tried one by one; a program with more names the first of them.
static constexpr size_t kMaxOrigins = 64;

bool UndefinedValues::makes(Operation *op, const Twine &what) {
  if (only && only != op)
    return false;
  origins.insert({op, what.str()});
  return true;
}

void setUndefined(Operation *op, Tensor &value, const Twine &what, Evaluator &evaluator) {
  UndefinedValues *values = evaluator.undefined();
  if (!values || value.size() == 0 || !values->makes(op, what))
    return;
  Tensor bounds(DType::F64, value.shape());
  std::fill_n(bounds.mutableData(), bounds.size(), Cell::of(kUnknown));
  value.setBound(std::move(bounds));
}

void setUninitialized(Operation *op, Tensor &value, Evaluator &evaluator, const Tensor *kept) {
  setUndefined(op, value, "uninitialized elements of " + value.typeString(), evaluator);
  if (!kept || !value.bound)
    return;
  Tensor bounds = *value.bound;
  Cell *cells = bounds.mutableData();
  for (int64_t i = 0, e = std::min(kept->size(), value.size()); i < e; ++i)
    cells[i] = Cell::of(kept->boundAt(i));
  value.setBound(std::move(bounds));
}

//===------------------------------------------------------------------------------------------------------------===//
// Poison of elementwise ops
//===------------------------------------------------------------------------------------------------------------===//

using Wide = __int128;

/// Whether the exact `result` of an addition, subtraction, product or left shift does not fit.
static std::string overflowOf(const ScalarOp &scalar, arith::IntegerOverflowFlags flags,
                              function_ref<Wide(Wide, Wide)> exact, const Cell *args) {
  const ElementType type = scalar.in;
  const Wide one = 1, asSigned = exact(type.asSigned(args[0].i), type.asSigned(args[1].i));
  const Wide asUnsigned = exact(type.asUnsigned(args[0].i), type.asUnsigned(args[1].i));
  if (arith::bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw) &&
      (asSigned < -(one << (type.bits - 1)) || asSigned >= (one << (type.bits - 1))))
    return "signed overflow (nsw)";
  if (arith::bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nuw) &&
      (asUnsigned < 0 || asUnsigned >= (one << type.bits)))
    return "unsigned overflow (nuw)";
  return "";
}

static std::string overflowOf(Operation *op, const ScalarOp &scalar, const Cell *args) {
  auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (!flagged || scalar.in.isFloat)
    return "";
  const arith::IntegerOverflowFlags flags = flagged.getOverflowAttr().getValue();
  if (isa<arith::AddIOp>(op))
    return overflowOf(
        scalar, flags, [](Wide a, Wide b) { return a + b; }, args);
  if (isa<arith::SubIOp>(op))
    return overflowOf(
        scalar, flags, [](Wide a, Wide b) { return a - b; }, args);
  if (isa<arith::MulIOp>(op)) // A product of two unsigned numbers of 64 bits may take the sign's bit: still no fit.
    return overflowOf(
        scalar, flags, [](Wide a, Wide b) { return a * b; }, args);
  if (isa<arith::ShLIOp>(op) && scalar.in.asUnsigned(args[1].i) < std::min(scalar.in.bits, 63u))
    return overflowOf(
        scalar, flags, [&](Wide a, Wide) { return a << scalar.in.asUnsigned(args[1].i); }, args);
  return "";
}

/// Whether a division or right shift marked `exact` leaves a rest.
static bool isInexact(Operation *op, const ScalarOp &scalar, const Cell *args) {
  auto marked = op->getAttrOfType<UnitAttr>("isExact");
  if (!marked)
    return false;
  const ElementType type = scalar.in;
  if (isa<arith::DivSIOp>(op))
    return args[1].i != 0 && args[1].i != -1 && type.asSigned(args[0].i) % type.asSigned(args[1].i) != 0;
  if (isa<arith::DivUIOp>(op))
    return args[1].i != 0 && type.asUnsigned(args[0].i) % type.asUnsigned(args[1].i) != 0;
  const uint64_t shift = type.asUnsigned(args[1].i);
  return isa<arith::ShRSIOp, arith::ShRUIOp>(op) && shift < type.bits && shift < 64 &&
         (type.asUnsigned(args[0].i) & ((uint64_t(1) << shift) - 1)) != 0;
}

/// A NaN or an infinity where fast-math flags promise that there is none.
static std::string brokenFastMath(Operation *op, const ScalarOp &scalar, const Cell *args, Cell value) {
  auto flagged = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!flagged || !flagged.getFastMathFlagsAttr())
    return "";
  const arith::FastMathFlags flags = flagged.getFastMathFlagsAttr().getValue();
  SmallVector<double, 4> numbers;
  for (auto [k, operand] : llvm::enumerate(op->getOperandTypes()))
    if (std::optional<ElementType> type = ElementType::of(operand); type && type->isFloat)
      numbers.push_back(args[k].f);
  if (scalar.out.isFloat)
    numbers.push_back(scalar.out.round(value.f));
  if (arith::bitEnumContainsAny(flags, arith::FastMathFlags::nnan) &&
      llvm::any_of(numbers, [](double number) { return std::isnan(number); }))
    return "a NaN in spite of nnan";
  if (arith::bitEnumContainsAny(flags, arith::FastMathFlags::ninf) &&
      llvm::any_of(numbers, [](double number) { return std::isinf(number); }))
    return "an infinity in spite of ninf";
  return "";
}

/// Why the result of `op` on `args` is poison; "" where it is not.
static std::string poisonOf(Operation *op, const ScalarOp &scalar, const Cell *args, Cell value, double bound) {
  const StringRef name = op->getName().getStringRef();
  const bool isShift = name == "arith.shli" || name == "arith.shrsi" || name == "arith.shrui" ||
                       name == "tosa.logical_left_shift" || name == "tosa.logical_right_shift" ||
                       name == "tosa.arithmetic_right_shift";
  if (isShift && scalar.in.asUnsigned(args[1].i) >= scalar.in.bits)
    return "a shift by " + std::to_string(scalar.in.asSigned(args[1].i)) + " of a number of " +
           std::to_string(scalar.in.bits) + " bits";
  if (name.starts_with("arith.fpto") && bound == kUnknown) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%g", args[0].f);
    return std::string(digits) + " converted to an integer of " + std::to_string(scalar.out.bits) + " bits";
  }
  if (std::string text = overflowOf(op, scalar, args); !text.empty())
    return text;
  if (isInexact(op, scalar, args))
    return "a rest, in spite of exact";
  if (op->hasAttrOfType<UnitAttr>("nonNeg") && scalar.in.asSigned(args[0].i) < 0)
    return "a negative number in spite of nneg";
  return brokenFastMath(op, scalar, args, value);
}

double undefinedBound(Operation *op, const ScalarOp &scalar, const Cell *args, ArrayRef<double> bounds, Cell value,
                      double bound, Evaluator &evaluator) {
  UndefinedValues *values = evaluator.undefined();
  if (!values || llvm::any_of(bounds, [](double each) { return each == kUnknown; }))
    return bound;
  const std::string why = poisonOf(op, scalar, args, value, bound);
  return !why.empty() && values->makes(op, why) ? kUnknown : 0;
}

//===------------------------------------------------------------------------------------------------------------===//
// Uses
//===------------------------------------------------------------------------------------------------------------===//

static EvaluatedPlace placeOf(Operation *op, const Twine &what) {
  return {op->getName().getStringRef().str(), op->getLoc(), what.str()};
}

void noteVisible(Operation *op, double bound, const Twine &what, Evaluator &evaluator) {
  UndefinedValues *values = evaluator.undefined();
  if (values && !values->visible && bound == kUnknown)
    values->visible = placeOf(op, what);
}

void noteVisible(Operation *op, const Tensor &value, const Twine &what, Evaluator &evaluator) {
  if (!evaluator.undefined() || !value.hasBound())
    return;
  const Tensor bounds = value.isBuffer() ? value.boundTwin().loaded() : *value.bound;
  for (int64_t i = 0, e = bounds.size(); i < e; ++i)
    if (bounds.data()[i].f == kUnknown)
      return noteVisible(op, kUnknown, what + (bounds.rank() ? ", element " + Twine(i) : Twine()), evaluator);
}

LogicalResult requireDefined(Operation *op, const Tensor &value, const Twine &what, Evaluator &evaluator) {
  if (!evaluator.undefined() || !value.hasBound())
    return success();
  noteVisible(op, value, what, evaluator);
  if (!evaluator.undefined()->visible)
    return success();
  return op->emitError() << what << " is undefined";
}

//===------------------------------------------------------------------------------------------------------------===//
// The search
//===------------------------------------------------------------------------------------------------------------===//

/// One evaluation; the first error, where it failed with one.
static std::optional<EvaluatedPlace> evaluateOnce(func::FuncOp entry, ArrayRef<HostTensor> args, EvalOptions &options,
                                                  bool &isFailed) {
  std::optional<EvaluatedPlace> error;
  std::string printed;
  options.printed = &printed;
  ScopedDiagnosticHandler quiet(entry.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !error)
      error = EvaluatedPlace{"", diagnostic.getLocation(), diagnostic.str()};
    return success();
  });
  isFailed = failed(evaluate(entry, args, options));
  return error;
}

FailureOr<std::optional<UndefinedBehavior>> findUndefinedBehavior(func::FuncOp entry, ArrayRef<HostTensor> args,
                                                                  EvalOptions options) {
  if (failed(checkEvaluable(entry)))
    return failure();
  WithoutRoundingErrors exact;
  UndefinedValues first;
  options.undefined = &first;
  bool isFailed = false;
  const std::optional<EvaluatedPlace> error = evaluateOnce(entry, args, options, isFailed);
  if (!first.visible && !isFailed)
    return std::optional<UndefinedBehavior>();
  if (!first.visible) {
    if (first.stopsAtLimit || !error)
      return emitError(error ? error->location : entry.getLoc())
             << (error ? error->what : "the program could not be evaluated");
    return std::optional(UndefinedBehavior{*error, *error});
  }
  // Which of the origins it is: the one that alone makes something visible.
  for (auto &[op, what] : ArrayRef(first.origins.getArrayRef()).take_front(kMaxOrigins)) {
    UndefinedValues alone;
    alone.only = op;
    options.undefined = &alone;
    if (first.origins.size() > 1)
      (void)evaluateOnce(entry, args, options, isFailed);
    else
      alone.visible = first.visible;
    if (alone.visible)
      return std::optional(UndefinedBehavior{placeOf(op, what), *alone.visible});
  }
  return std::optional(UndefinedBehavior{
      first.origins.empty() ? *first.visible : placeOf(first.origins.front().first, first.origins.front().second),
      *first.visible});
}

} // namespace mica::reference
