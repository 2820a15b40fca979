//===- EvalLLVMIntrinsics.cpp - intrinsics of the LLVM dialect ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The intrinsics that upstream's conversions to the LLVM dialect create, except for memory (EvalLLVMMemory.cpp). LLVM's
// language reference: "Standard C/C++ Library Intrinsics", "Bit Manipulation Intrinsics", "Arithmetic with Overflow
// Intrinsics", "Vector Reduction Intrinsics", "llvm.assume".
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVM.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

using Lane = LLVMLane;
using Scalar = LLVMScalar;
using In = ArrayRef<LLVMValue>;

//===------------------------------------------------------------------------------------------------------------===//
// Floats
//===------------------------------------------------------------------------------------------------------------===//

/// `value`, or poison if a flag of the op promises that there is no such operand or result.
Scalar promised(Lane &lane, const Scalar *args, size_t count, double value) {
  const Scalar result = lane.defined(llvmFloatBits(value, lane.out));
  auto flags = lane.op->getAttrOfType<LLVM::FastmathFlagsAttr>("fastmathFlags");
  if (!flags)
    return result;
  SmallVector<double, 4> all{llvmFloat(result.bits, lane.out)};
  for (size_t k = 0; k < count; ++k)
    all.push_back(llvmFloat(args[k].bits, lane.in));
  if (LLVM::bitEnumContainsAny(flags.getValue(), LLVM::FastmathFlags::nnan) &&
      llvm::any_of(all, [](double x) { return std::isnan(x); }))
    return lane.poison("a NaN in spite of nnan");
  if (LLVM::bitEnumContainsAny(flags.getValue(), LLVM::FastmathFlags::ninf) &&
      llvm::any_of(all, [](double x) { return std::isinf(x); }))
    return lane.poison("an infinity in spite of ninf");
  return result;
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);
template <Unary f> Scalar unary(Lane &lane, const Scalar *args) {
  return promised(lane, args, 1, f(llvmFloat(args[0].bits, lane.in)));
}
template <Binary f> Scalar binary(Lane &lane, const Scalar *args) {
  return promised(lane, args, 2, f(llvmFloat(args[0].bits, lane.in), llvmFloat(args[1].bits, lane.in)));
}
Scalar fusedMultiplyAdd(Lane &lane, const Scalar *args) {
  const double a = llvmFloat(args[0].bits, lane.in), b = llvmFloat(args[1].bits, lane.in);
  const double c = llvmFloat(args[2].bits, lane.in);
  return promised(lane, args, 3, lane.in.isF32() ? double(std::fmaf(float(a), float(b), float(c))) : std::fma(a, b, c));
}
/// With an integer exponent.
Scalar powi(Lane &lane, const Scalar *args) {
  return lane.defined(
      llvmFloatBits(std::pow(llvmFloat(args[0].bits, lane.in), double(int32_t(args[1].bits))), lane.out));
}
double roundEven(double x) { return std::nearbyint(x); }

//===------------------------------------------------------------------------------------------------------------===//
// Integers
//===------------------------------------------------------------------------------------------------------------===//

template <bool isSigned, bool isMax> Scalar extremum(Lane &lane, const Scalar *args) {
  const bool isLess =
      isSigned ? signedOf(args[0].bits, lane.bits) < signedOf(args[1].bits, lane.bits) : args[0].bits < args[1].bits;
  return args[isLess == isMax ? 1 : 0];
}

Scalar magnitude(Lane &lane, const Scalar *args) {
  const int64_t value = signedOf(args[0].bits, lane.bits);
  const bool isLowest = args[0].bits == uint64_t(1) << (lane.bits - 1);
  if (isLowest && cast<LLVM::AbsOp>(lane.op).getIsIntMinPoison())
    return lane.poison("the absolute value of the smallest number");
  return lane.defined(value < 0 ? -uint64_t(value) : uint64_t(value));
}
template <typename OpT, bool isLeading> Scalar countZeros(Lane &lane, const Scalar *args) {
  if (args[0].bits == 0) {
    if (cast<OpT>(lane.op).getIsZeroPoison())
      return lane.poison("the zeros of 0 are counted");
    return lane.defined(lane.bits);
  }
  return lane.defined(isLeading ? uint64_t(std::countl_zero(args[0].bits)) - (64 - lane.bits)
                                : uint64_t(std::countr_zero(args[0].bits)));
}
Scalar countOnes(Lane &lane, const Scalar *args) { return lane.defined(uint64_t(std::popcount(args[0].bits))); }

/// The wrapped result, and whether it overflowed: a struct of both.
template <typename Exact> LogicalResult withOverflow(Operation *op, In in, LLVMValue &out, bool isSigned, Exact exact) {
  const Type type = llvmLaneType(op->getOperand(0).getType());
  const unsigned bits = llvmBits(type);
  LLVMValue overflows;
  for (size_t i = 0; i < in[0].size(); ++i) {
    const Scalar &a = in[0][i], &b = in[1][i];
    if (!a.isDefined() || !b.isDefined()) {
      const Scalar &bad = a.isPoison || (!b.isPoison && a.undefined) ? a : b;
      out.push_back({0, bad.isPoison ? 0 : lowBits(bits), 0, bad.origin, bad.isPoison});
      overflows.push_back({0, bad.isPoison ? uint64_t(0) : uint64_t(1), 0, bad.origin, bad.isPoison});
      continue;
    }
    using Wide = __int128;
    const Wide value = isSigned ? exact(Wide(signedOf(a.bits, bits)), Wide(signedOf(b.bits, bits)))
                                : exact(Wide(a.bits), Wide(b.bits));
    const Wide one = 1;
    const bool fits =
        isSigned ? value >= -(one << (bits - 1)) && value < (one << (bits - 1)) : value >= 0 && value < (one << bits);
    out.push_back({uint64_t(value) & lowBits(bits), 0, 0, 0, false});
    overflows.push_back({uint64_t(!fits), 0, 0, 0, false});
  }
  out.append(overflows);
  return success();
}
template <bool isSigned> LogicalResult addWithOverflow(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  return withOverflow(op, in, out, isSigned, [](__int128 a, __int128 b) { return a + b; });
}
template <bool isSigned> LogicalResult subWithOverflow(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  return withOverflow(op, in, out, isSigned, [](__int128 a, __int128 b) { return a - b; });
}
template <bool isSigned> LogicalResult mulWithOverflow(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  return withOverflow(op, in, out, isSigned, [](__int128 a, __int128 b) {
    return __int128(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Reductions, promises, and ops without an effect
//===------------------------------------------------------------------------------------------------------------===//

/// Reduces all lanes to a scalar: applies `fn` to the accumulator and each lane. With two operands the first one is the
/// initial value.
template <LLVMLaneFn fn> LogicalResult reduce(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  const Type type = op->getResult(0).getType();
  Lane lane{op, interpreter, type, type, llvmBits(type), llvmBits(type)};
  const LLVMValue &lanes = in.back();
  Scalar total = in.size() == 2 ? in[0][0] : lanes[0];
  for (size_t i = in.size() == 2 ? 0 : 1; i < lanes.size(); ++i) {
    const Scalar args[2] = {total, lanes[i]};
    if (args[0].isDefined() && args[1].isDefined())
      total = fn(lane, args);
    else if (args[0].isPoison || (args[0].undefined && !args[1].isPoison))
      total = args[0];
    else
      total = args[1];
  }
  if (total.undefined)
    total.undefined = lowBits(lane.bits);
  out.push_back(total);
  return success();
}
Scalar sum(Lane &lane, const Scalar *args) { return lane.defined(args[0].bits + args[1].bits); }
Scalar product(Lane &lane, const Scalar *args) { return lane.defined(args[0].bits * args[1].bits); }
Scalar both(Lane &lane, const Scalar *args) { return lane.defined(args[0].bits & args[1].bits); }
Scalar either(Lane &lane, const Scalar *args) { return lane.defined(args[0].bits | args[1].bits); }
Scalar parity(Lane &lane, const Scalar *args) { return lane.defined(args[0].bits ^ args[1].bits); }
double plus(double a, double b) { return a + b; }
double times(double a, double b) { return a * b; }

double maximum(double a, double b) { return ieeeMaximum(a, b); }
double minimum(double a, double b) { return ieeeMinimum(a, b); }
double maximumNumber(double a, double b) { return ieeeMaximumNumber(a, b); }
double minimumNumber(double a, double b) { return ieeeMinimumNumber(a, b); }

/// Checks the condition, and promises of bundles such as "align".
LogicalResult evalAssume(Operation *op, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  auto assume = cast<LLVM::AssumeOp>(op);
  if (failed(interpreter.require(op, in[0][0], "what is assumed")))
    return failure();
  if (!in[0][0].bits)
    return interpreter.broken(op, "what is assumed is false");
  size_t next = 1;
  for (auto [i, operands] : llvm::enumerate(assume.getOpBundleOperands())) {
    const auto tag = cast<StringAttr>((*assume.getOpBundleTags())[i]).getValue();
    const LLVMValue *first = in.begin() + next;
    next += operands.size();
    if (tag != "align" || operands.size() < 2)
      continue;
    if (failed(interpreter.require(op, first[0][0], "an address")) ||
        failed(interpreter.require(op, first[1][0], "an alignment")))
      return failure();
    const uint64_t offset = operands.size() > 2 ? first[2][0].bits : 0, alignment = first[1][0].bits;
    if (alignment > 1 && (first[0][0].bits - offset) % alignment != 0)
      return interpreter.broken(op, "an address is not aligned to " + Twine(alignment) + " bytes, as assumed");
  }
  return success();
}

LogicalResult evalTrap(Operation *op, In, LLVMValue &, LLVMInterpreter &interpreter) {
  return interpreter.stop(op, "the program traps");
}

LogicalResult evalNothing(Operation *, In, LLVMValue &, LLVMInterpreter &) { return success(); }

LogicalResult evalFirst(Operation *, In in, LLVMValue &out, LLVMInterpreter &) {
  out = in[0];
  return success();
}

LogicalResult evalStep(Operation *op, In, LLVMValue &out, LLVMInterpreter &) {
  for (int64_t i = 0, e = llvmScalarCount(op->getResult(0).getType()); i < e; ++i)
    out.push_back({uint64_t(i), 0, 0, 0, false});
  return success();
}

/// Lane i: whether base + i, without wrapping, is below n.
LogicalResult evalLaneMask(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  if (failed(interpreter.require(op, in[0][0], "a lane")) || failed(interpreter.require(op, in[1][0], "a lane")))
    return failure();
  for (int64_t i = 0, e = llvmScalarCount(op->getResult(0).getType()); i < e; ++i)
    out.push_back(
        {uint64_t(static_cast<unsigned __int128>(in[0][0].bits) + unsigned(i) < in[1][0].bits), 0, 0, 0, false});
  return success();
}

LogicalResult evalVectorInsert(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  auto insert = cast<LLVM::vector_insert>(op);
  out = in[0];
  std::copy(in[1].begin(), in[1].end(), out.begin() + insert.getPos());
  return success();
}

LogicalResult evalVectorExtract(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  auto extract = cast<LLVM::vector_extract>(op);
  const auto *begin = in[0].begin() + extract.getPos();
  out.append(begin, begin + llvmScalarCount(op->getResult(0).getType()));
  return success();
}

/// Returns the old value and stores the new one.
LogicalResult evalAtomic(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  auto atomic = cast<LLVM::AtomicRMWOp>(op);
  const Type type = atomic.getVal().getType();
  const int64_t alignment = llvmSize(type);
  if (failed(interpreter.load(op, in[0][0], type, alignment, out)))
    return failure();
  Lane lane{op, interpreter, type, type, llvmBits(type), llvmBits(type)};
  const Scalar args[2] = {out[0], in[1][0]};
  const bool isDefined = args[0].isDefined() && args[1].isDefined();
  Scalar value = args[0].isDefined() ? args[1] : args[0];
  using Kind = LLVM::AtomicBinOp;
  const Kind kind = atomic.getBinOp();
  static const llvm::SmallDenseMap<int, LLVMLaneFn, 16> functions = {{int(Kind::add), sum},
                                                                     {int(Kind::_and), both},
                                                                     {int(Kind::_or), either},
                                                                     {int(Kind::_xor), parity},
                                                                     {int(Kind::max), extremum<true, true>},
                                                                     {int(Kind::min), extremum<true, false>},
                                                                     {int(Kind::umax), extremum<false, true>},
                                                                     {int(Kind::umin), extremum<false, false>},
                                                                     {int(Kind::fadd), binary<plus>},
                                                                     {int(Kind::fmax), binary<maximumNumber>},
                                                                     {int(Kind::fmin), binary<minimumNumber>},
                                                                     {int(Kind::fmaximum), binary<maximum>},
                                                                     {int(Kind::fminimum), binary<minimum>}};
  if (kind == Kind::xchg)
    value = args[1];
  else if (auto it = functions.find(int(kind)); it == functions.end())
    return interpreter.stop(op, "not taken: llvm.atomicrmw of this kind");
  else if (isDefined)
    value = it->second(lane, args);
  return interpreter.store(op, in[0][0], type, alignment, {value});
}

LogicalResult evalCompareExchange(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  const Type type = cast<LLVM::AtomicCmpXchgOp>(op).getVal().getType();
  if (failed(interpreter.load(op, in[0][0], type, llvmSize(type), out)) ||
      failed(interpreter.require(op, out[0], "what is compared")) ||
      failed(interpreter.require(op, in[1][0], "what is compared")))
    return failure();
  const bool isSame = out[0].bits == in[1][0].bits;
  out.push_back({uint64_t(isSame), 0, 0, 0, false});
  return isSame ? interpreter.store(op, in[0][0], type, llvmSize(type), in[2]) : success();
}

void addFloats(llvm::StringMap<LLVMInterpreter::Handler> &handlers) {
  handlers["llvm.intr.fma"] = handlers["llvm.intr.fmuladd"] = eachLaneOf<fusedMultiplyAdd>;
  handlers["llvm.intr.powi"] = eachLaneOf<powi>;
  handlers["llvm.intr.sqrt"] = eachLaneOf<unary<std::sqrt>>;
  handlers["llvm.intr.exp"] = eachLaneOf<unary<std::exp>>;
  handlers["llvm.intr.exp2"] = eachLaneOf<unary<std::exp2>>;
  handlers["llvm.intr.log"] = eachLaneOf<unary<std::log>>;
  handlers["llvm.intr.log2"] = eachLaneOf<unary<std::log2>>;
  handlers["llvm.intr.log10"] = eachLaneOf<unary<std::log10>>;
  handlers["llvm.intr.sin"] = eachLaneOf<unary<std::sin>>;
  handlers["llvm.intr.cos"] = eachLaneOf<unary<std::cos>>;
  handlers["llvm.intr.tan"] = eachLaneOf<unary<std::tan>>;
  handlers["llvm.intr.asin"] = eachLaneOf<unary<std::asin>>;
  handlers["llvm.intr.acos"] = eachLaneOf<unary<std::acos>>;
  handlers["llvm.intr.atan"] = eachLaneOf<unary<std::atan>>;
  handlers["llvm.intr.sinh"] = eachLaneOf<unary<std::sinh>>;
  handlers["llvm.intr.cosh"] = eachLaneOf<unary<std::cosh>>;
  handlers["llvm.intr.tanh"] = eachLaneOf<unary<std::tanh>>;
  handlers["llvm.intr.floor"] = eachLaneOf<unary<std::floor>>;
  handlers["llvm.intr.ceil"] = eachLaneOf<unary<std::ceil>>;
  handlers["llvm.intr.trunc"] = eachLaneOf<unary<std::trunc>>;
  handlers["llvm.intr.round"] = eachLaneOf<unary<std::round>>;
  handlers["llvm.intr.roundeven"] = handlers["llvm.intr.rint"] = handlers["llvm.intr.nearbyint"] =
      eachLaneOf<unary<roundEven>>;
  handlers["llvm.intr.fabs"] = eachLaneOf<unary<std::fabs>>;
  handlers["llvm.intr.pow"] = eachLaneOf<binary<std::pow>>;
  handlers["llvm.intr.atan2"] = eachLaneOf<binary<std::atan2>>;
  handlers["llvm.intr.copysign"] = eachLaneOf<binary<std::copysign>>;
  handlers["llvm.intr.maxnum"] = eachLaneOf<binary<maximumNumber>>;
  handlers["llvm.intr.minnum"] = eachLaneOf<binary<minimumNumber>>;
  handlers["llvm.intr.maximum"] = eachLaneOf<binary<maximum>>;
  handlers["llvm.intr.minimum"] = eachLaneOf<binary<minimum>>;
  handlers["llvm.intr.vector.reduce.fadd"] = reduce<binary<plus>>;
  handlers["llvm.intr.vector.reduce.fmul"] = reduce<binary<times>>;
  handlers["llvm.intr.vector.reduce.fmax"] = reduce<binary<maximumNumber>>;
  handlers["llvm.intr.vector.reduce.fmin"] = reduce<binary<minimumNumber>>;
  handlers["llvm.intr.vector.reduce.fmaximum"] = reduce<binary<maximum>>;
  handlers["llvm.intr.vector.reduce.fminimum"] = reduce<binary<minimum>>;
}

} // namespace

void addLLVMIntrinsics(LLVMInterpreter &interpreter) {
  auto &handlers = interpreter.handlers;
  addFloats(handlers);
  handlers["llvm.intr.smax"] = eachLaneOf<extremum<true, true>>;
  handlers["llvm.intr.smin"] = eachLaneOf<extremum<true, false>>;
  handlers["llvm.intr.umax"] = eachLaneOf<extremum<false, true>>;
  handlers["llvm.intr.umin"] = eachLaneOf<extremum<false, false>>;
  handlers["llvm.intr.abs"] = eachLaneOf<magnitude>;
  handlers["llvm.intr.ctlz"] = eachLaneOf<countZeros<LLVM::CountLeadingZerosOp, true>>;
  handlers["llvm.intr.cttz"] = eachLaneOf<countZeros<LLVM::CountTrailingZerosOp, false>>;
  handlers["llvm.intr.ctpop"] = eachLaneOf<countOnes>;
  handlers["llvm.intr.sadd.with.overflow"] = addWithOverflow<true>;
  handlers["llvm.intr.uadd.with.overflow"] = addWithOverflow<false>;
  handlers["llvm.intr.ssub.with.overflow"] = subWithOverflow<true>;
  handlers["llvm.intr.usub.with.overflow"] = subWithOverflow<false>;
  handlers["llvm.intr.smul.with.overflow"] = mulWithOverflow<true>;
  handlers["llvm.intr.umul.with.overflow"] = mulWithOverflow<false>;
  handlers["llvm.intr.vector.reduce.add"] = reduce<sum>;
  handlers["llvm.intr.vector.reduce.mul"] = reduce<product>;
  handlers["llvm.intr.vector.reduce.and"] = reduce<both>;
  handlers["llvm.intr.vector.reduce.or"] = reduce<either>;
  handlers["llvm.intr.vector.reduce.xor"] = reduce<parity>;
  handlers["llvm.intr.vector.reduce.smax"] = reduce<extremum<true, true>>;
  handlers["llvm.intr.vector.reduce.smin"] = reduce<extremum<true, false>>;
  handlers["llvm.intr.vector.reduce.umax"] = reduce<extremum<false, true>>;
  handlers["llvm.intr.vector.reduce.umin"] = reduce<extremum<false, false>>;
  handlers["llvm.intr.assume"] = evalAssume;
  handlers["llvm.intr.trap"] = evalTrap;
  handlers["llvm.intr.expect"] = evalFirst;
  handlers["llvm.intr.stepvector"] = evalStep;
  handlers["llvm.intr.get.active.lane.mask"] = evalLaneMask;
  handlers["llvm.intr.vector.insert"] = evalVectorInsert;
  handlers["llvm.intr.vector.extract"] = evalVectorExtract;
  handlers["llvm.atomicrmw"] = evalAtomic;
  handlers["llvm.cmpxchg"] = evalCompareExchange;
  for (StringRef name : {"llvm.intr.prefetch", "llvm.intr.dbg.value", "llvm.intr.dbg.declare", "llvm.intr.dbg.label",
                         "llvm.fence", "llvm.intr.experimental.noalias.scope.decl"})
    handlers[name] = evalNothing;
}

} // namespace mica::reference
