//===- EvalLLVMArith.cpp - arithmetic of the LLVM dialect --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Integer and float arithmetic, comparisons and casts, per lane. LLVM's language reference: "Binary Operations",
// "Bitwise Binary Operations", "Conversion Operations", "icmp", "fcmp", "Fast-Math Flags". Undefined bits are tracked
// individually through bitwise ops, and from the lowest one upwards through sums.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVM.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace mica::reference {

LogicalResult applyLanes(Operation *op, ArrayRef<LLVMValue> in, LLVMValue &out, LLVMInterpreter &interpreter,
                         LLVMLaneFn fn, bool takesUndefined) {
  const Type result = op->getResult(0).getType();
  LLVMLane lane{op, interpreter, llvmLaneType(op->getOperand(0).getType()), llvmLaneType(result), 0, 0};
  lane.bits = llvmBits(lane.in);
  lane.outBits = llvmBits(lane.out);
  for (int64_t i = 0, e = llvmScalarCount(result); i < e; ++i) {
    LLVMScalar args[4];
    const LLVMScalar *undefined = nullptr;
    for (size_t k = 0; k < in.size() && k < 4; ++k) {
      args[k] = in[k][in[k].size() == 1 ? 0 : size_t(i)];
      if (args[k].isPoison ? !undefined || !undefined->isPoison
                           : args[k].undefined != 0 && !takesUndefined && !undefined)
        undefined = &args[k];
    }
    if (undefined) {
      out.push_back({0, undefined->isPoison ? 0 : lowBits(lane.outBits), 0, undefined->origin, undefined->isPoison});
      continue;
    }
    LLVMScalar value = fn(lane, args);
    if (lane.trap)
      return interpreter.broken(op, *lane.trap);
    for (size_t k = 0; k < in.size() && k < 4 && value.undefined && value.origin == 0; ++k)
      if (args[k].undefined)
        value.origin = args[k].origin;
    out.push_back(value);
  }
  return success();
}

namespace {

using Lane = LLVMLane;
using Scalar = LLVMScalar;
using Wide = __int128;

Scalar withUndefined(const Lane &lane, uint64_t bits, uint64_t undefined) {
  return {bits & lowBits(lane.outBits), undefined & lowBits(lane.outBits), 0, 0, false};
}

/// All bits from the lowest undefined one on.
uint64_t upwards(uint64_t undefined) { return undefined == 0 ? 0 : ~((undefined & -undefined) - 1); }

std::string numbers(const Lane &lane, const char *sign, const Scalar *args) {
  return std::to_string(signedOf(args[0].bits, lane.bits)) + sign + std::to_string(signedOf(args[1].bits, lane.bits)) +
         " in " + std::to_string(lane.bits) + " bits";
}

//===------------------------------------------------------------------------------------------------------------===//
// Integers
//===------------------------------------------------------------------------------------------------------------===//

/// A sum, difference, product or left shift, whose exact result is `exact`.
template <typename Exact> Scalar wrapping(Lane &lane, const Scalar *args, const char *sign, Exact exact) {
  const unsigned bits = lane.bits;
  const uint64_t undefined = upwards(args[0].undefined | args[1].undefined);
  const auto wrapped = uint64_t(exact(Wide(args[0].bits), Wide(args[1].bits)));
  if (undefined)
    return withUndefined(lane, wrapped, undefined);
  if (auto flagged = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(lane.op)) {
    const Wide one = 1;
    const Wide asSigned = exact(Wide(signedOf(args[0].bits, bits)), Wide(signedOf(args[1].bits, bits)));
    const Wide asUnsigned = exact(Wide(args[0].bits), Wide(args[1].bits));
    if (flagged.hasNoSignedWrap() && (asSigned < -(one << (bits - 1)) || asSigned >= (one << (bits - 1))))
      return lane.poison("signed overflow (nsw): " + numbers(lane, sign, args));
    if (flagged.hasNoUnsignedWrap() && (asUnsigned < 0 || asUnsigned >= (one << bits)))
      return lane.poison("unsigned overflow (nuw): " + numbers(lane, sign, args));
  }
  return withUndefined(lane, wrapped, 0);
}

Scalar add(Lane &lane, const Scalar *args) {
  return wrapping(lane, args, " + ", [](Wide a, Wide b) { return a + b; });
}
Scalar sub(Lane &lane, const Scalar *args) {
  return wrapping(lane, args, " - ", [](Wide a, Wide b) { return a - b; });
}
Scalar mul(Lane &lane, const Scalar *args) {
  // The product of two unsigned 64-bit integers may use the sign bit: overflow too.
  return wrapping(lane, args, " * ", [](Wide a, Wide b) {
    return Wide(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  });
}

bool isExactOp(Operation *op) {
  auto flagged = dyn_cast<LLVM::ExactFlagInterface>(op);
  return flagged && flagged.getIsExact();
}

/// A shift amount that is out of range or undefined; then the poison or undefined result.
std::optional<Scalar> badAmount(Lane &lane, const Scalar *args) {
  if (args[1].undefined)
    return withUndefined(lane, 0, ~uint64_t(0));
  if (args[1].bits >= lane.bits)
    return lane.poison("a shift by " + Twine(args[1].bits) + " of a number of " + Twine(lane.bits) + " bits");
  return std::nullopt;
}

Scalar shl(Lane &lane, const Scalar *args) {
  if (std::optional<Scalar> bad = badAmount(lane, args))
    return *bad;
  const auto amount = unsigned(args[1].bits);
  if (args[0].undefined)
    return withUndefined(lane, args[0].bits << amount, args[0].undefined << amount);
  return wrapping(lane, args, " << ", [&](Wide a, Wide) { return Wide(static_cast<unsigned __int128>(a) << amount); });
}

template <bool isArithmetic> Scalar shr(Lane &lane, const Scalar *args) {
  if (std::optional<Scalar> bad = badAmount(lane, args))
    return *bad;
  const auto amount = unsigned(args[1].bits);
  auto shifted = [&](uint64_t value) {
    return isArithmetic ? uint64_t(signedOf(value, lane.bits) >> amount) : value >> amount;
  };
  if (isExactOp(lane.op) && amount != 0 && (args[0].bits & ~args[0].undefined & lowBits(amount)) != 0)
    return lane.poison("a rest, in spite of exact: " + numbers(lane, " >> ", args));
  return withUndefined(lane, shifted(args[0].bits), shifted(args[0].undefined));
}

Scalar bitAnd(Lane &lane, const Scalar *args) {
  const Scalar &a = args[0], &b = args[1];
  return withUndefined(lane, a.bits & b.bits, (a.undefined & (b.bits | b.undefined)) | (b.undefined & a.bits));
}
Scalar bitOr(Lane &lane, const Scalar *args) {
  const Scalar &a = args[0], &b = args[1];
  auto disjoint = dyn_cast<LLVM::DisjointFlagInterface>(lane.op);
  if (disjoint && disjoint.getIsDisjoint() && ((a.bits & ~a.undefined) & (b.bits & ~b.undefined)))
    return lane.poison("bits in common, in spite of disjoint: " + numbers(lane, " | ", args));
  return withUndefined(lane, a.bits | b.bits,
                       (a.undefined & ~(b.bits & ~b.undefined)) | (b.undefined & ~(a.bits & ~a.undefined)));
}
Scalar bitXor(Lane &lane, const Scalar *args) {
  return withUndefined(lane, args[0].bits ^ args[1].bits, args[0].undefined | args[1].undefined);
}

template <bool isSigned, bool isRest> Scalar divide(Lane &lane, const Scalar *args) {
  const int64_t a = signedOf(args[0].bits, lane.bits), b = signedOf(args[1].bits, lane.bits);
  if (args[1].bits == 0) {
    lane.trap = "division by zero";
    return {};
  }
  if (isSigned && b == -1 && a == signedOf(uint64_t(1) << (lane.bits - 1), lane.bits)) {
    lane.trap = "signed division overflows: " + numbers(lane, " / ", args);
    return {};
  }
  const uint64_t quotient = isSigned ? uint64_t(b == -1 ? -a : a / b) : args[0].bits / args[1].bits;
  const uint64_t rest = isSigned ? uint64_t(b == -1 ? 0 : a % b) : args[0].bits % args[1].bits;
  if (!isRest && rest != 0 && isExactOp(lane.op))
    return lane.poison("a rest, in spite of exact: " + numbers(lane, " / ", args));
  return lane.defined(isRest ? rest : quotient);
}

Scalar compareIntegers(Lane &lane, const Scalar *args) {
  const LLVM::ICmpPredicate predicate = cast<LLVM::ICmpOp>(lane.op).getPredicate();
  const uint64_t undefined = args[0].undefined | args[1].undefined;
  if (undefined) {
    // Two defined bits that differ decide equality.
    const bool isEquality = predicate == LLVM::ICmpPredicate::eq || predicate == LLVM::ICmpPredicate::ne;
    if (!isEquality || ((args[0].bits ^ args[1].bits) & ~undefined) == 0)
      return withUndefined(lane, 0, 1);
    return lane.defined(predicate == LLVM::ICmpPredicate::ne);
  }
  const int64_t a = signedOf(args[0].bits, lane.bits), b = signedOf(args[1].bits, lane.bits);
  const uint64_t c = args[0].bits, d = args[1].bits;
  switch (predicate) {
  case LLVM::ICmpPredicate::eq:
    return lane.defined(c == d);
  case LLVM::ICmpPredicate::ne:
    return lane.defined(c != d);
  case LLVM::ICmpPredicate::slt:
    return lane.defined(a < b);
  case LLVM::ICmpPredicate::sle:
    return lane.defined(a <= b);
  case LLVM::ICmpPredicate::sgt:
    return lane.defined(a > b);
  case LLVM::ICmpPredicate::sge:
    return lane.defined(a >= b);
  case LLVM::ICmpPredicate::ult:
    return lane.defined(c < d);
  case LLVM::ICmpPredicate::ule:
    return lane.defined(c <= d);
  case LLVM::ICmpPredicate::ugt:
    return lane.defined(c > d);
  case LLVM::ICmpPredicate::uge:
    return lane.defined(c >= d);
  }
  llvm_unreachable("all predicates are listed");
}

//===------------------------------------------------------------------------------------------------------------===//
// Floats
//===------------------------------------------------------------------------------------------------------------===//

/// `value`, or poison if a flag promises that there is no such operand or result.
Scalar checkedFloat(Lane &lane, const Scalar *args, size_t count, double value) {
  const Scalar result = lane.defined(llvmFloatBits(value, lane.out));
  auto flagged = dyn_cast<LLVM::FastmathFlagsInterface>(lane.op);
  if (!flagged)
    return result;
  const LLVM::FastmathFlags flags = flagged.getFastmathAttr().getValue();
  auto promises = [&](LLVM::FastmathFlags flag) { return LLVM::bitEnumContainsAny(flags, flag); };
  auto holds = [&](auto isSuch) {
    if (isSuch(llvmFloat(result.bits, lane.out)))
      return true;
    for (size_t k = 0; k < count; ++k)
      if (isSuch(llvmFloat(args[k].bits, lane.in)))
        return true;
    return false;
  };
  if (promises(LLVM::FastmathFlags::nnan) && holds([](double x) { return std::isnan(x); }))
    return lane.poison("a NaN in spite of nnan");
  if (promises(LLVM::FastmathFlags::ninf) && holds([](double x) { return std::isinf(x); }))
    return lane.poison("an infinity in spite of ninf");
  return result;
}

template <typename F> Scalar binaryFloat(Lane &lane, const Scalar *args, F f) {
  return checkedFloat(lane, args, 2, f(llvmFloat(args[0].bits, lane.in), llvmFloat(args[1].bits, lane.in)));
}
Scalar fadd(Lane &lane, const Scalar *args) {
  return binaryFloat(lane, args, [](double a, double b) { return a + b; });
}
Scalar fsub(Lane &lane, const Scalar *args) {
  return binaryFloat(lane, args, [](double a, double b) { return a - b; });
}
Scalar fmul(Lane &lane, const Scalar *args) {
  return binaryFloat(lane, args, [](double a, double b) { return a * b; });
}
Scalar fdiv(Lane &lane, const Scalar *args) {
  return binaryFloat(lane, args, [](double a, double b) { return a / b; });
}
Scalar frem(Lane &lane, const Scalar *args) {
  return binaryFloat(lane, args, [](double a, double b) { return std::fmod(a, b); });
}
Scalar fneg(Lane &lane, const Scalar *args) {
  return withUndefined(lane, args[0].bits ^ (uint64_t(1) << (lane.bits - 1)), args[0].undefined);
}

Scalar compareFloats(Lane &lane, const Scalar *args) {
  const double a = llvmFloat(args[0].bits, lane.in), b = llvmFloat(args[1].bits, lane.in);
  const auto predicate = unsigned(cast<LLVM::FCmpOp>(lane.op).getPredicate());
  // The predicates are sets of outcomes: equal, greater, less, unordered.
  const unsigned outcome = std::isnan(a) || std::isnan(b) ? 8 : a < b ? 4 : a > b ? 2 : 1;
  auto flagged = cast<LLVM::FastmathFlagsInterface>(lane.op);
  if (outcome == 8 && LLVM::bitEnumContainsAny(flagged.getFastmathAttr().getValue(), LLVM::FastmathFlags::nnan))
    return lane.poison("a NaN in spite of nnan");
  return lane.defined((predicate & outcome) != 0);
}

//===------------------------------------------------------------------------------------------------------------===//
// Casts
//===------------------------------------------------------------------------------------------------------------===//

Scalar trunc(Lane &lane, const Scalar *args) {
  const uint64_t kept = args[0].bits & lowBits(lane.outBits);
  auto flagged = cast<LLVM::IntegerOverflowFlagsInterface>(lane.op);
  if (args[0].undefined == 0) {
    if (flagged.hasNoSignedWrap() && signedOf(kept, lane.outBits) != signedOf(args[0].bits, lane.bits))
      return lane.poison("bits are lost that are not the sign (nsw)");
    if (flagged.hasNoUnsignedWrap() && kept != args[0].bits)
      return lane.poison("bits are lost (nuw)");
  }
  return withUndefined(lane, kept, args[0].undefined);
}
Scalar zext(Lane &lane, const Scalar *args) {
  auto flagged = dyn_cast<LLVM::NonNegFlagInterface>(lane.op);
  if (flagged && flagged.getNonNeg() && signedOf(args[0].bits & ~args[0].undefined, lane.bits) < 0)
    return lane.poison("a negative number in spite of nneg");
  return withUndefined(lane, args[0].bits, args[0].undefined);
}
Scalar sext(Lane &lane, const Scalar *args) {
  return withUndefined(lane, uint64_t(signedOf(args[0].bits, lane.bits)),
                       uint64_t(signedOf(args[0].undefined, lane.bits)));
}
Scalar sitofp(Lane &lane, const Scalar *args) {
  const int64_t value = signedOf(args[0].bits, lane.bits);
  return lane.defined(lane.out.isF32() ? llvm::bit_cast<uint32_t>(float(value))
                                       : llvmFloatBits(double(value), lane.out));
}
Scalar uitofp(Lane &lane, const Scalar *args) {
  auto flagged = dyn_cast<LLVM::NonNegFlagInterface>(lane.op);
  if (flagged && flagged.getNonNeg() && signedOf(args[0].bits, lane.bits) < 0)
    return lane.poison("a negative number in spite of nneg");
  return lane.defined(lane.out.isF32() ? llvm::bit_cast<uint32_t>(float(args[0].bits))
                                       : llvmFloatBits(double(args[0].bits), lane.out));
}
template <bool isSigned> Scalar fptoi(Lane &lane, const Scalar *args) {
  const double value = std::trunc(llvmFloat(args[0].bits, lane.in));
  const double limit = std::ldexp(1.0, int(lane.outBits) - isSigned);
  if (std::isnan(value) || value >= limit || value < (isSigned ? -limit : 0)) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%g", llvmFloat(args[0].bits, lane.in));
    return lane.poison(Twine(digits) + " converted to an integer of " + Twine(lane.outBits) + " bits");
  }
  return lane.defined(isSigned ? uint64_t(int64_t(value)) : uint64_t(value));
}
Scalar fpcast(Lane &lane, const Scalar *args) { return checkedFloat(lane, args, 1, llvmFloat(args[0].bits, lane.in)); }
Scalar ptrtoint(Lane &lane, const Scalar *args) { return withUndefined(lane, args[0].bits, args[0].undefined); }
Scalar inttoptr(Lane &lane, const Scalar *args) {
  Scalar result = withUndefined(lane, args[0].bits, args[0].undefined);
  result.object = kAnyObject;
  return result;
}
Scalar same(Lane &, const Scalar *args) { return args[0]; }

template <LLVMLaneFn fn, bool takesUndefined = false>
LogicalResult lanes(Operation *op, ArrayRef<LLVMValue> in, LLVMValue &out, LLVMInterpreter &interpreter) {
  return applyLanes(op, in, out, interpreter, fn, takesUndefined);
}

/// An undefined divisor may be zero.
template <LLVMLaneFn fn>
LogicalResult division(Operation *op, ArrayRef<LLVMValue> in, LLVMValue &out, LLVMInterpreter &interpreter) {
  if (failed(interpreter.requireAll(op, in[1], "a divisor")))
    return failure();
  return applyLanes(op, in, out, interpreter, fn, /*takesUndefined=*/false);
}

/// Reinterprets bits; the first lane of a vector has the lowest bits.
LogicalResult evalBitcast(Operation *op, ArrayRef<LLVMValue> in, LLVMValue &out, LLVMInterpreter &interpreter) {
  const unsigned from = llvmBits(llvmLaneType(op->getOperand(0).getType()));
  const unsigned to = llvmBits(llvmLaneType(op->getResult(0).getType()));
  if (from == to) {
    out = in[0];
    return success();
  }
  const size_t count = size_t(llvmScalarCount(op->getResult(0).getType()));
  out.resize(count);
  for (size_t bit = 0; bit < count * to; ++bit) {
    const LLVMScalar &source = in[0][bit / from];
    LLVMScalar &target = out[bit / to];
    target.bits |= ((source.bits >> (bit % from)) & 1) << (bit % to);
    target.undefined |= ((source.undefined >> (bit % from)) & 1) << (bit % to);
    target.isPoison |= source.isPoison;
    if (source.origin && target.origin == 0)
      target.origin = source.origin;
  }
  return success();
}

} // namespace

void addLLVMArithmetic(LLVMInterpreter &interpreter) {
  auto &handlers = interpreter.handlers;
  handlers["llvm.add"] = lanes<add, true>;
  handlers["llvm.sub"] = lanes<sub, true>;
  handlers["llvm.mul"] = lanes<mul, true>;
  handlers["llvm.shl"] = lanes<shl, true>;
  handlers["llvm.lshr"] = lanes<shr<false>, true>;
  handlers["llvm.ashr"] = lanes<shr<true>, true>;
  handlers["llvm.and"] = lanes<bitAnd, true>;
  handlers["llvm.or"] = lanes<bitOr, true>;
  handlers["llvm.xor"] = lanes<bitXor, true>;
  handlers["llvm.udiv"] = division<divide<false, false>>;
  handlers["llvm.sdiv"] = division<divide<true, false>>;
  handlers["llvm.urem"] = division<divide<false, true>>;
  handlers["llvm.srem"] = division<divide<true, true>>;
  handlers["llvm.icmp"] = lanes<compareIntegers, true>;
  handlers["llvm.fcmp"] = lanes<compareFloats>;
  handlers["llvm.fadd"] = lanes<fadd>;
  handlers["llvm.fsub"] = lanes<fsub>;
  handlers["llvm.fmul"] = lanes<fmul>;
  handlers["llvm.fdiv"] = lanes<fdiv>;
  handlers["llvm.frem"] = lanes<frem>;
  handlers["llvm.fneg"] = lanes<fneg, true>;
  handlers["llvm.trunc"] = lanes<trunc, true>;
  handlers["llvm.zext"] = lanes<zext, true>;
  handlers["llvm.sext"] = lanes<sext, true>;
  handlers["llvm.sitofp"] = lanes<sitofp>;
  handlers["llvm.uitofp"] = lanes<uitofp>;
  handlers["llvm.fptosi"] = lanes<fptoi<true>>;
  handlers["llvm.fptoui"] = lanes<fptoi<false>>;
  handlers["llvm.fpext"] = handlers["llvm.fptrunc"] = lanes<fpcast>;
  handlers["llvm.ptrtoint"] = lanes<ptrtoint, true>;
  handlers["llvm.inttoptr"] = lanes<inttoptr, true>;
  handlers["llvm.addrspacecast"] = lanes<same, true>;
  handlers["llvm.bitcast"] = evalBitcast;
}

} // namespace mica::reference
