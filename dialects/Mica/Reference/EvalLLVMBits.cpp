//===- EvalLLVMBits.cpp - intrinsics on bits, orders and saturated integers -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See EvalLLVM.h. Also intrinsics on floats that give integers or two results, and those of column-major matrices.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVM.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

using Lane = LLVMLane;
using Scalar = LLVMScalar;
using In = ArrayRef<LLVMValue>;
using Wide = __int128;

//===------------------------------------------------------------------------------------------------------------===//
// Integers
//===------------------------------------------------------------------------------------------------------------===//

/// -1, 0 or 1.
template <bool isSigned> Scalar order(Lane &lane, const Scalar *args) {
  const Wide a = isSigned ? Wide(signedOf(args[0].bits, lane.bits)) : Wide(args[0].bits);
  const Wide b = isSigned ? Wide(signedOf(args[1].bits, lane.bits)) : Wide(args[1].bits);
  return lane.defined(uint64_t(int64_t(a > b) - int64_t(a < b)));
}

/// The upper, or lower, half of two numbers in a row, shifted by the third modulo their width.
template <bool isLeft> Scalar funnelShift(Lane &lane, const Scalar *args) {
  const unsigned bits = lane.bits, by = unsigned(args[2].bits % bits);
  const auto both = (static_cast<unsigned __int128>(args[0].bits) << bits) | args[1].bits;
  return lane.defined(isLeft ? uint64_t((both << by) >> bits) : uint64_t(both >> by));
}

template <bool isSigned> uint64_t saturated(const Lane &lane, Wide value) {
  const Wide one = 1;
  const Wide lowest = isSigned ? -(one << (lane.bits - 1)) : 0;
  const Wide highest = isSigned ? (one << (lane.bits - 1)) - 1 : (one << lane.bits) - 1;
  return uint64_t(std::min(std::max(value, lowest), highest));
}
template <bool isSigned> Wide wide(const Lane &lane, const Scalar &scalar) {
  return isSigned ? Wide(signedOf(scalar.bits, lane.bits)) : Wide(scalar.bits);
}
template <bool isSigned> Scalar addSaturated(Lane &lane, const Scalar *args) {
  return lane.defined(saturated<isSigned>(lane, wide<isSigned>(lane, args[0]) + wide<isSigned>(lane, args[1])));
}
template <bool isSigned> Scalar subSaturated(Lane &lane, const Scalar *args) {
  return lane.defined(saturated<isSigned>(lane, wide<isSigned>(lane, args[0]) - wide<isSigned>(lane, args[1])));
}
template <bool isSigned> Scalar shlSaturated(Lane &lane, const Scalar *args) {
  if (args[1].bits >= lane.bits)
    return lane.poison("a shift by " + Twine(args[1].bits) + " of " + Twine(lane.bits) + " bits");
  // The product fits: less than 64 bits, shifted by less than 64.
  return lane.defined(saturated<isSigned>(lane, wide<isSigned>(lane, args[0]) * (Wide(1) << args[1].bits)));
}

Scalar reverseBits(Lane &lane, const Scalar *args) {
  uint64_t reversed = 0;
  for (unsigned i = 0; i < lane.bits; ++i)
    reversed |= ((args[0].bits >> i) & 1) << (lane.bits - 1 - i);
  return lane.defined(reversed);
}
Scalar reverseBytes(Lane &lane, const Scalar *args) {
  return lane.defined(__builtin_bswap64(args[0].bits) >> (64 - lane.bits));
}

//===------------------------------------------------------------------------------------------------------------===//
// Floats
//===------------------------------------------------------------------------------------------------------------===//

Scalar exp10(Lane &lane, const Scalar *args) {
  return lane.defined(llvmFloatBits(std::pow(10.0, llvmFloat(args[0].bits, lane.in)), lane.out));
}

Scalar scaleByPowerOfTwo(Lane &lane, const Scalar *args) {
  return lane.defined(llvmFloatBits(std::ldexp(llvmFloat(args[0].bits, lane.in), int32_t(args[1].bits)), lane.out));
}

/// To the nearest integer: ties to even, or away from zero.
template <bool isToEven> Scalar roundToInteger(Lane &lane, const Scalar *args) {
  const double value = llvmFloat(args[0].bits, lane.in);
  const double rounded = isToEven ? std::nearbyint(value) : std::round(value);
  const double end = std::ldexp(1.0, int(lane.outBits) - 1);
  if (!(rounded >= -end && rounded < end))
    return lane.poison("a number that does not fit in " + Twine(lane.outBits) + " bits");
  return lane.defined(uint64_t(int64_t(rounded)));
}

Scalar isOfClass(Lane &lane, const Scalar *args) {
  const llvm::APFloat value(cast<FloatType>(lane.in).getFloatSemantics(), llvm::APInt(lane.bits, args[0].bits));
  // In the order of LLVM's mask: NaNs, then from -infinity to +infinity.
  const bool isNegative = value.isNegative();
  const unsigned bit = value.isSignaling()  ? 0
                       : value.isNaN()      ? 1
                       : value.isInfinity() ? (isNegative ? 2 : 9)
                       : value.isZero()     ? (isNegative ? 5 : 6)
                       : value.isDenormal() ? (isNegative ? 4 : 7)
                                            : /* normal numbers */ (isNegative ? 3 : 8);
  return lane.defined((uint64_t(cast<LLVM::IsFPClass>(lane.op).getBit()) >> bit) & 1);
}

/// A struct of two results, each of the operand's lanes.
template <typename Fn> LogicalResult twoResults(Operation *op, In in, LLVMValue &out, Fn fn) {
  const Type type = llvmLaneType(op->getOperand(0).getType());
  LLVMValue second;
  for (const Scalar &lane : in[0]) {
    if (!lane.isDefined()) {
      out.push_back(lane);
      second.push_back(lane);
      continue;
    }
    auto [a, b] = fn(llvmFloat(lane.bits, type));
    out.push_back({llvmFloatBits(a, type), 0, 0, 0, false});
    second.push_back(b);
  }
  out.append(second);
  return success();
}
LogicalResult evalSincosIntrinsic(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  const Type type = llvmLaneType(op->getOperand(0).getType());
  return twoResults(op, in, out, [&](double x) {
    return std::pair(std::sin(x), Scalar{llvmFloatBits(std::cos(x), type), 0, 0, 0, false});
  });
}
LogicalResult evalFrexp(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  const auto members = cast<LLVM::LLVMStructType>(op->getResult(0).getType()).getBody();
  const unsigned bits = llvmBits(llvmLaneType(members[1]));
  return twoResults(op, in, out, [&](double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    return std::pair(fraction, Scalar{uint64_t(int64_t(exponent)) & lowBits(bits), 0, 0, 0, false});
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Casts with a rounding mode
//===------------------------------------------------------------------------------------------------------------===//

llvm::APFloat::roundingMode modeOf(LLVM::RoundingMode mode) {
  switch (mode) {
  case LLVM::RoundingMode::TowardZero:
    return llvm::APFloat::rmTowardZero;
  case LLVM::RoundingMode::TowardPositive:
    return llvm::APFloat::rmTowardPositive;
  case LLVM::RoundingMode::TowardNegative:
    return llvm::APFloat::rmTowardNegative;
  case LLVM::RoundingMode::NearestTiesToAway:
    return llvm::APFloat::rmNearestTiesToAway;
  default:
    return llvm::APFloat::rmNearestTiesToEven;
  }
}

template <typename OpT> Scalar convertFloat(Lane &lane, const Scalar *args) {
  llvm::APFloat value(cast<FloatType>(lane.in).getFloatSemantics(), llvm::APInt(lane.bits, args[0].bits));
  llvm::APFloat::roundingMode mode = llvm::APFloat::rmNearestTiesToEven;
  if constexpr (!std::is_same_v<OpT, LLVM::ConstrainedFPExtIntr>)
    mode = modeOf(cast<OpT>(lane.op).getRoundingmode());
  bool isInexact = false;
  value.convert(cast<FloatType>(lane.out).getFloatSemantics(), mode, &isInexact);
  return lane.defined(value.bitcastToAPInt().getZExtValue());
}

template <typename OpT, bool isSigned> Scalar convertInteger(Lane &lane, const Scalar *args) {
  llvm::APFloat value(cast<FloatType>(lane.out).getFloatSemantics());
  value.convertFromAPInt(llvm::APInt(lane.bits, args[0].bits), isSigned, modeOf(cast<OpT>(lane.op).getRoundingmode()));
  return lane.defined(value.bitcastToAPInt().getZExtValue());
}

//===------------------------------------------------------------------------------------------------------------===//
// Vectors
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult evalInterleave(Operation *, In in, LLVMValue &out, LLVMInterpreter &) {
  for (auto [a, b] : llvm::zip_equal(in[0], in[1])) {
    out.push_back(a);
    out.push_back(b);
  }
  return success();
}
/// A struct of the even and the odd lanes.
LogicalResult evalDeinterleave(Operation *, In in, LLVMValue &out, LLVMInterpreter &) {
  for (const size_t first : {0, 1})
    for (size_t i = first; i < in[0].size(); i += 2)
      out.push_back(in[0][i]);
  return success();
}

/// The columns of a matrix become rows.
LogicalResult evalMatrixTranspose(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  auto transpose = cast<LLVM::MatrixTransposeOp>(op);
  const size_t rows = transpose.getRows(), columns = transpose.getColumns();
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column)
      out.push_back(in[0][column * rows + row]);
  return success();
}

LogicalResult evalSameValue(Operation *, In in, LLVMValue &out, LLVMInterpreter &) {
  out = in[0];
  return success();
}

} // namespace

void addLLVMBits(LLVMInterpreter &interpreter) {
  auto &handlers = interpreter.handlers;
  handlers["llvm.intr.scmp"] = eachLaneOf<order<true>>;
  handlers["llvm.intr.ucmp"] = eachLaneOf<order<false>>;
  handlers["llvm.intr.fshl"] = eachLaneOf<funnelShift<true>>;
  handlers["llvm.intr.fshr"] = eachLaneOf<funnelShift<false>>;
  handlers["llvm.intr.sadd.sat"] = eachLaneOf<addSaturated<true>>;
  handlers["llvm.intr.uadd.sat"] = eachLaneOf<addSaturated<false>>;
  handlers["llvm.intr.ssub.sat"] = eachLaneOf<subSaturated<true>>;
  handlers["llvm.intr.usub.sat"] = eachLaneOf<subSaturated<false>>;
  handlers["llvm.intr.sshl.sat"] = eachLaneOf<shlSaturated<true>>;
  handlers["llvm.intr.ushl.sat"] = eachLaneOf<shlSaturated<false>>;
  handlers["llvm.intr.bitreverse"] = eachLaneOf<reverseBits>;
  handlers["llvm.intr.bswap"] = eachLaneOf<reverseBytes>;
  handlers["llvm.intr.exp10"] = eachLaneOf<exp10>;
  handlers["llvm.intr.ldexp"] = eachLaneOf<scaleByPowerOfTwo>;
  handlers["llvm.intr.lrint"] = handlers["llvm.intr.llrint"] = eachLaneOf<roundToInteger<true>>;
  handlers["llvm.intr.lround"] = handlers["llvm.intr.llround"] = eachLaneOf<roundToInteger<false>>;
  handlers["llvm.intr.is.fpclass"] = eachLaneOf<isOfClass>;
  handlers["llvm.intr.sincos"] = evalSincosIntrinsic;
  handlers["llvm.intr.frexp"] = evalFrexp;
  handlers["llvm.intr.experimental.constrained.fptrunc"] = eachLaneOf<convertFloat<LLVM::ConstrainedFPTruncIntr>>;
  handlers["llvm.intr.experimental.constrained.fpext"] = eachLaneOf<convertFloat<LLVM::ConstrainedFPExtIntr>>;
  handlers["llvm.intr.experimental.constrained.sitofp"] = eachLaneOf<convertInteger<LLVM::ConstrainedSIToFP, true>>;
  handlers["llvm.intr.experimental.constrained.uitofp"] = eachLaneOf<convertInteger<LLVM::ConstrainedUIToFP, false>>;
  handlers["llvm.intr.vector.interleave2"] = evalInterleave;
  handlers["llvm.intr.vector.deinterleave2"] = evalDeinterleave;
  handlers["llvm.intr.matrix.transpose"] = evalMatrixTranspose;
  for (const char *name : {"llvm.intr.ssa.copy", "llvm.intr.expect.with.probability",
                           "llvm.intr.launder.invariant.group", "llvm.intr.strip.invariant.group"})
    handlers[name] = evalSameValue;
}

} // namespace mica::reference
