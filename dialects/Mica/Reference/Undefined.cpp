//===- Undefined.cpp - undefined values -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Undefined.h. docs/UndefinedBehavior.md lists the detected errors, with sources.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Undefined.h"

#include "dialects/Mica/Reference/EvalLLVM.h"
#include "dialects/Mica/Reference/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace mica::reference {

/// Maximum number of possible origins that are tested separately; with more, the first one is reported.
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
  if (!value.bound)
    return;
  Tensor bounds = *value.bound;
  Cell *cells = bounds.mutableData();
  // Unlike poison, bits of memory are undefined one by one.
  std::fill_n(cells, bounds.size(), Cell::of(undefinedBits(value.elementType(), ~uint64_t(0))));
  for (int64_t i = 0, e = kept ? std::min(kept->size(), value.size()) : 0; i < e; ++i)
    cells[i] = Cell::of(kept->boundAt(i));
  value.setBound(std::move(bounds));
}

//===------------------------------------------------------------------------------------------------------------===//
// Poison of elementwise ops
//===------------------------------------------------------------------------------------------------------------===//

using Wide = __int128;

/// Whether the exact `result` of an addition, subtraction, product or left shift overflows.
static std::string overflowOf(const ScalarOp &scalar, const PoisonRule &rule, function_ref<Wide(Wide, Wide)> exact,
                              const Cell *args) {
  const ElementType type = scalar.in;
  const Wide one = 1, asSigned = exact(type.asSigned(args[0].i), type.asSigned(args[1].i));
  const Wide asUnsigned = exact(type.asUnsigned(args[0].i), type.asUnsigned(args[1].i));
  if (rule.nsw && (asSigned < -(one << (type.bits - 1)) || asSigned >= (one << (type.bits - 1))))
    return "signed overflow (nsw)";
  if (rule.nuw && (asUnsigned < 0 || asUnsigned >= (one << type.bits)))
    return "unsigned overflow (nuw)";
  return "";
}

static std::string overflowOf(const ScalarOp &scalar, const PoisonRule &rule, const Cell *args) {
  const ElementType type = scalar.in;
  switch (rule.fit) {
  case PoisonRule::Fit::Add:
    return overflowOf(
        scalar, rule, [](Wide a, Wide b) { return a + b; }, args);
  case PoisonRule::Fit::Sub:
    return overflowOf(
        scalar, rule, [](Wide a, Wide b) { return a - b; }, args);
  case PoisonRule::Fit::Mul: // an unsigned 64-bit product may use the sign bit, which is overflow too
    return overflowOf(
        scalar, rule, [](Wide a, Wide b) { return a * b; }, args);
  case PoisonRule::Fit::Shl:
    if (type.asUnsigned(args[1].i) >= std::min(type.bits, 63u))
      return "";
    return overflowOf(
        scalar, rule, [&](Wide a, Wide) { return a << type.asUnsigned(args[1].i); }, args);
  case PoisonRule::Fit::Trunc:
    if (rule.nsw && scalar.out.asSigned(args[0].i) != type.asSigned(args[0].i))
      return "bits are lost that are not the sign (nsw)";
    return rule.nuw && scalar.out.asUnsigned(args[0].i) != type.asUnsigned(args[0].i) ? "bits are lost (nuw)" : "";
  case PoisonRule::Fit::None:
    return "";
  }
  llvm_unreachable("all kinds are listed");
}

/// Whether a division or right shift marked `exact` has a remainder.
static bool isInexact(const ScalarOp &scalar, PoisonRule::Exact exact, const Cell *args) {
  const ElementType type = scalar.in;
  switch (exact) {
  case PoisonRule::Exact::None:
    return false;
  case PoisonRule::Exact::DivS:
    return args[1].i != 0 && args[1].i != -1 && type.asSigned(args[0].i) % type.asSigned(args[1].i) != 0;
  case PoisonRule::Exact::DivU:
    return args[1].i != 0 && type.asUnsigned(args[0].i) % type.asUnsigned(args[1].i) != 0;
  case PoisonRule::Exact::Shift:
    const uint64_t shift = type.asUnsigned(args[1].i);
    return shift < type.bits && shift < 64 && (type.asUnsigned(args[0].i) & ((uint64_t(1) << shift) - 1)) != 0;
  }
  llvm_unreachable("all kinds are listed");
}

/// A NaN or an infinity although fast-math flags promise that there is none.
static std::string brokenFastMath(const ScalarOp &scalar, const PoisonRule &rule, const Cell *args, Cell value) {
  SmallVector<double, 4> numbers;
  for (auto [k, isFloat] : llvm::enumerate(rule.isFloat))
    if (isFloat)
      numbers.push_back(args[k].f);
  if (scalar.out.isFloat)
    numbers.push_back(scalar.out.round(value.f));
  if (rule.nnan && llvm::any_of(numbers, [](double number) { return std::isnan(number); }))
    return "a NaN in spite of nnan";
  if (rule.ninf && llvm::any_of(numbers, [](double number) { return std::isinf(number); }))
    return "an infinity in spite of ninf";
  return "";
}

PoisonRule poisonRule(Operation *op) {
  PoisonRule rule;
  rule.scalar = scalarRule(op);
  const StringRef name = op->getName().getStringRef();
  using Fit = PoisonRule::Fit;
  using Exact = PoisonRule::Exact;
  rule.isShift = (rule.scalar.mayPoison && name.contains(".sh")) || name == "tosa.logical_left_shift" ||
                 name == "tosa.logical_right_shift" || name == "tosa.arithmetic_right_shift";
  rule.isCast = rule.scalar.mayPoison && !rule.isShift;
  if (auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op)) {
    const arith::IntegerOverflowFlags flags = flagged.getOverflowAttr().getValue();
    rule.nsw = arith::bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw);
    rule.nuw = arith::bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nuw);
    if (rule.nsw || rule.nuw)
      rule.fit = isa<arith::AddIOp>(op)     ? Fit::Add
                 : isa<arith::SubIOp>(op)   ? Fit::Sub
                 : isa<arith::MulIOp>(op)   ? Fit::Mul
                 : isa<arith::ShLIOp>(op)   ? Fit::Shl
                 : isa<arith::TruncIOp>(op) ? Fit::Trunc
                                            : Fit::None;
  }
  if (op->getAttrOfType<UnitAttr>("isExact"))
    rule.exact = isa<arith::DivSIOp>(op)                   ? Exact::DivS
                 : isa<arith::DivUIOp>(op)                 ? Exact::DivU
                 : isa<arith::ShRSIOp, arith::ShRUIOp>(op) ? Exact::Shift
                                                           : Exact::None;
  auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op);
  if (fastMath && fastMath.getFastMathFlagsAttr()) {
    const arith::FastMathFlags flags = fastMath.getFastMathFlagsAttr().getValue();
    rule.nnan = arith::bitEnumContainsAny(flags, arith::FastMathFlags::nnan);
    rule.ninf = arith::bitEnumContainsAny(flags, arith::FastMathFlags::ninf);
    for (Type type : op->getOperandTypes())
      rule.isFloat.push_back(ElementType::of(type).value_or(ElementType(DType::I64)).isFloat);
  }
  rule.isAny =
      rule.isShift || rule.isCast || rule.fit != Fit::None || rule.exact != Exact::None || rule.nnan || rule.ninf;
  return rule;
}

/// Why the result of an op on `args` is poison; "" if it is not.
static std::string poisonOf(const ScalarOp &scalar, const PoisonRule &rule, const Cell *args, Cell value) {
  if (rule.isShift && scalar.in.asUnsigned(args[1].i) >= scalar.in.bits)
    return "a shift by " + std::to_string(scalar.in.asSigned(args[1].i)) + " of a number of " +
           std::to_string(scalar.in.bits) + " bits";
  if (rule.isCast && isPoison(scalar, rule.scalar, args)) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%g", args[0].f);
    return std::string(digits) + " converted to an integer of " + std::to_string(scalar.out.bits) + " bits";
  }
  if (std::string text = overflowOf(scalar, rule, args); !text.empty())
    return text;
  if (isInexact(scalar, rule.exact, args))
    return "a rest, in spite of exact";
  return rule.nnan || rule.ninf ? brokenFastMath(scalar, rule, args, value) : "";
}

/// Bits of an integer that a bound can name: it is a double.
static constexpr unsigned kMaskBits = 52;

static uint64_t allBits(const ElementType &type) {
  return type.bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << type.bits) - 1;
}

double undefinedBits(const ElementType &type, uint64_t mask) {
  mask &= allBits(type);
  if (mask != 0 && (type.isFloat || mask >> kMaskBits))
    return kUnknown;
  return static_cast<double>(mask);
}

/// The undefined bits that `bound`, which is not kUnknown, names.
static uint64_t maskOf(double bound) { return static_cast<uint64_t>(bound); }

double undefinedBits(Bitwise kind, const ElementType &type, Cell a, double ofA, Cell b, double ofB) {
  if (ofA == kUnknown || ofB == kUnknown)
    return kUnknown;
  const uint64_t bitsA = type.asUnsigned(a.i), bitsB = type.asUnsigned(b.i), inA = maskOf(ofA), inB = maskOf(ofB);
  uint64_t mask = inA | inB;
  if (kind == Bitwise::And)
    mask &= (bitsA | inA) & (bitsB | inB);
  else if (kind == Bitwise::Or)
    mask &= (~bitsA | inA) & (~bitsB | inB);
  return undefinedBits(type, mask);
}

/// Of an op on integers that are undefined in some bits: the bound of its result, as a shift or a cast moves these
/// bits; nothing for other ops.
static std::optional<double> movedBits(Operation *op, const ScalarOp &scalar, const Cell *args,
                                       ArrayRef<double> bounds) {
  const ElementType in = scalar.in, out = scalar.out;
  const std::optional<Bitwise> kind = isa<arith::AndIOp>(op)   ? std::optional(Bitwise::And)
                                      : isa<arith::OrIOp>(op)  ? std::optional(Bitwise::Or)
                                      : isa<arith::XOrIOp>(op) ? std::optional(Bitwise::Xor)
                                                               : std::nullopt;
  if (kind)
    return undefinedBits(*kind, in, args[0], bounds[0], args[1], bounds[1]);
  const uint64_t mask = maskOf(bounds[0]);
  // The sign is as undefined as its bit.
  const auto asSigned = static_cast<uint64_t>(in.bits >= 64 || !(mask >> (in.bits - 1)) ? mask : mask | ~allBits(in));
  if (isa<arith::TruncIOp, arith::ExtUIOp>(op))
    return undefinedBits(out, mask);
  if (isa<arith::ExtSIOp>(op))
    return undefinedBits(out, asSigned);
  if (!isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op) || bounds[1] != 0)
    return std::nullopt;
  const uint64_t shift = in.asUnsigned(args[1].i);
  if (shift >= in.bits || shift >= 64)
    return std::nullopt;
  if (isa<arith::ShLIOp>(op))
    return undefinedBits(out, mask << shift);
  return undefinedBits(out, isa<arith::ShRUIOp>(op) ? mask >> shift
                                                    : static_cast<uint64_t>(static_cast<int64_t>(asSigned) >> shift));
}

double undefinedBound(Operation *op, const ScalarOp &scalar, const PoisonRule &rule, const Cell *args,
                      ArrayRef<double> bounds, Cell value, Evaluator &evaluator) {
  if (rule.scalar.selects && bounds[0] == 0)
    return bounds[args[0].i ? 1 : 2];
  if (llvm::any_of(bounds, [](double each) { return each != 0; })) {
    const bool isWhole = llvm::is_contained(bounds, kUnknown) || rule.fit != PoisonRule::Fit::None ||
                         rule.exact != PoisonRule::Exact::None || scalar.in.isFloat;
    return isWhole ? kUnknown : movedBits(op, scalar, args, bounds).value_or(kUnknown);
  }
  if (!rule.isAny)
    return 0;
  const std::string why = poisonOf(scalar, rule, args, value);
  return !why.empty() && evaluator.undefined()->makes(op, why) ? kUnknown : 0;
}

//===------------------------------------------------------------------------------------------------------------===//
// Uses
//===------------------------------------------------------------------------------------------------------------===//

EvaluatedPlace placeOf(Operation *op, const Twine &what) {
  // The body of a named structured op is not in the text: the op is what a person finds there.
  if (isa<UnknownLoc>(op->getLoc()) && isa_and_nonnull<linalg::LinalgOp>(op->getParentOp()))
    op = op->getParentOp();
  return {op->getName().getStringRef().str(), op->getLoc(), what.str()};
}

InFlightDiagnostic emitBroken(Operation *op, const Twine &what, Operation *began, const Twine &did,
                              Evaluator &evaluator) {
  const std::string said = what.str();
  if (UndefinedValues *values = evaluator.undefined(); values && !values->visible && !values->only) {
    values->began = placeOf(began, did);
    values->isImmediate = true;
    values->visible = placeOf(op, said);
  }
  return op->emitError() << said;
}

void noteVisible(Operation *op, double bound, const Twine &what, Evaluator &evaluator) {
  UndefinedValues *values = evaluator.undefined();
  if (values && !values->visible && bound != 0)
    values->visible = placeOf(op, what);
}

void noteVisible(Operation *op, const Tensor &value, const Twine &what, Evaluator &evaluator) {
  if (!evaluator.undefined() || !value.hasBound())
    return;
  const Tensor bounds = value.isBuffer() ? value.boundTwin().loaded() : *value.bound;
  for (int64_t i = 0, e = bounds.size(); i < e; ++i)
    if (bounds.data()[i].f != 0)
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

/// One evaluation; returns the first error, if it failed with one.
static std::optional<EvaluatedPlace> evaluateOnce(FunctionOpInterface entry, ArrayRef<HostTensor> args,
                                                  EvalOptions &options, bool &isFailed) {
  std::optional<EvaluatedPlace> error;
  std::string printed;
  options.printed = &printed;
  ScopedDiagnosticHandler quiet(entry.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !error)
      error = EvaluatedPlace{"", diagnostic.getLocation(), diagnostic.str()};
    return success();
  });
  if (auto lowered = dyn_cast<LLVM::LLVMFuncOp>(*entry))
    isFailed = failed(LLVMInterpreter(options, *options.undefined).runEntry(lowered, args));
  else
    isFailed = failed(evaluate(cast<func::FuncOp>(*entry), args, options));
  return error;
}

FailureOr<std::string> printedByLowered(FunctionOpInterface entry) {
  auto lowered = dyn_cast<LLVM::LLVMFuncOp>(*entry);
  UndefinedValues found;
  std::string printed;
  EvalOptions options;
  options.undefined = &found;
  options.printed = &printed;
  ScopedDiagnosticHandler quiet(entry.getContext(), [](Diagnostic &) { return success(); });
  if (!lowered || failed(LLVMInterpreter(EvalOptions(), found).checkTaken(lowered)) ||
      failed(LLVMInterpreter(options, found).runEntry(lowered, {})) || found.visible)
    return failure();
  return printed;
}

LogicalResult checkUndefinedSearchable(FunctionOpInterface entry) {
  if (auto function = dyn_cast<func::FuncOp>(*entry))
    return checkEvaluable(function);
  UndefinedValues none;
  if (auto lowered = dyn_cast<LLVM::LLVMFuncOp>(*entry))
    return LLVMInterpreter(EvalOptions(), none).checkTaken(lowered);
  return entry->emitError() << "undefined behavior is looked for in functions of func and llvm alone";
}

FailureOr<std::optional<UndefinedBehavior>> findUndefinedBehavior(FunctionOpInterface entry, ArrayRef<HostTensor> args,
                                                                  EvalOptions options,
                                                                  SmallVectorImpl<EvaluatedPlace> *leaks) {
  if (failed(checkUndefinedSearchable(entry)))
    return failure();
  WithoutRoundingErrors exact;
  UndefinedValues first;
  options.undefined = &first;
  bool isFailed = false;
  const std::optional<EvaluatedPlace> error = evaluateOnce(entry, args, options, isFailed);
  if (leaks && !isFailed)
    leaks->append(first.leaks);
  if (!first.visible && !isFailed)
    return std::optional<UndefinedBehavior>();
  if (!first.visible) {
    // What the evaluator cannot do is no fault of the program.
    if (first.stopsAtLimit || !error || isRefusal(error->what))
      return emitError(error ? error->location : entry.getLoc())
             << (error ? error->what : "the program could not be evaluated");
    return std::optional(UndefinedBehavior{*error, *error});
  }
  if (first.began)
    return std::optional(UndefinedBehavior{*first.began, *first.visible, first.isImmediate});
  // Find the origin: the one that alone makes something visible.
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
