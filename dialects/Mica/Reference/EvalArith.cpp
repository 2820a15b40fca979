//===- EvalArith.cpp - arith ------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Where upstream leaves a result undefined or poison, the evaluator defines it: integer division by zero and its
// overflow are errors; a shift by the width or more gives 0 (for shrsi the sign); an out-of-range conversion of a float
// saturates, and NaN gives 0. fastmath, nsw and similar flags only permit deviations, so they are ignored.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace mica::reference {

//===------------------------------------------------------------------------------------------------------------===//
// Float helpers
//===------------------------------------------------------------------------------------------------------------===//

double ieeeMaximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == 0.0 && b == 0.0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double ieeeMinimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == 0.0 && b == 0.0)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

double ieeeMaximumNumber(double a, double b) {
  if (std::isnan(a))
    return b;
  return std::isnan(b) ? a : ieeeMaximum(a, b);
}

double ieeeMinimumNumber(double a, double b) {
  if (std::isnan(a))
    return b;
  return std::isnan(b) ? a : ieeeMinimum(a, b);
}

int64_t truncateToInt(double value, ElementType type) {
  if (std::isnan(value))
    return 0;
  // 2^63 and 2^64 are exact in f64; smaller values convert without overflow.
  bool isUnsigned = type.isUnsigned || type.bits == 1;
  double end = std::ldexp(1.0, isUnsigned ? type.bits : type.bits - 1);
  if (value >= end)
    return type.highest().i;
  if (isUnsigned)
    return value <= -1.0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value < 0 ? 0 : value));
  return value < -end ? type.lowest().i : static_cast<int64_t>(value);
}

//===------------------------------------------------------------------------------------------------------------===//
// Comparisons
//===------------------------------------------------------------------------------------------------------------===//

static bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  llvm_unreachable("all predicates are listed");
}

bool compareInts(arith::CmpIPredicate predicate, int64_t sa, int64_t sb, uint64_t ua, uint64_t ub) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return ua == ub;
  case arith::CmpIPredicate::ne:
    return ua != ub;
  case arith::CmpIPredicate::slt:
    return sa < sb;
  case arith::CmpIPredicate::sle:
    return sa <= sb;
  case arith::CmpIPredicate::sgt:
    return sa > sb;
  case arith::CmpIPredicate::sge:
    return sa >= sb;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  llvm_unreachable("all predicates are listed");
}

//===------------------------------------------------------------------------------------------------------------===//
// Divisions
//===------------------------------------------------------------------------------------------------------------===//

/// Defines a signed division op; `F` may assume a nonzero divisor and a quotient in range.
template <typename OpT, typename F> static void addSignedDivision(ScalarTable &table, F) {
  table.add(OpT::getOperationName(), nullptr, [](const ScalarOp &op, const Cell *args, Trap &trap) {
    int64_t a = op.in.asSigned(args[0].i), b = op.in.asSigned(args[1].i);
    if (b == 0)
      trap.message = "division by zero";
    else if (b == -1 && a == op.in.asSigned(int64_t(uint64_t(1) << (op.in.bits - 1))))
      trap.message = "signed division overflows";
    return Cell::of(int64_t(trap.message ? 0 : F{}(a, b)));
  });
}

template <typename OpT, typename F> static void addUnsignedDivision(ScalarTable &table, F) {
  table.add(OpT::getOperationName(), nullptr, [](const ScalarOp &op, const Cell *args, Trap &trap) {
    uint64_t a = op.in.asUnsigned(args[0].i), b = op.in.asUnsigned(args[1].i);
    if (b == 0)
      trap.message = "division by zero";
    return Cell::of(int64_t(trap.message ? 0 : F{}(a, b)));
  });
}

static int64_t floorDiv(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }
static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + ((a % b != 0) && ((a < 0) == (b < 0))); }

//===------------------------------------------------------------------------------------------------------------===//
// The table
//===------------------------------------------------------------------------------------------------------------===//

static void addFloatOps(ScalarTable &table) {
  table.binaryF<arith::AddFOp>([](double a, double b) { return a + b; });
  table.binaryF<arith::SubFOp>([](double a, double b) { return a - b; });
  table.binaryF<arith::MulFOp>([](double a, double b) { return a * b; });
  table.binaryF<arith::DivFOp>([](double a, double b) { return a / b; });
  table.binaryF<arith::RemFOp>([](double a, double b) { return std::fmod(a, b); });
  table.unaryF<arith::NegFOp>([](double a) { return -a; });
  table.binaryF<arith::MaximumFOp>([](double a, double b) { return ieeeMaximum(a, b); });
  table.binaryF<arith::MinimumFOp>([](double a, double b) { return ieeeMinimum(a, b); });
  table.binaryF<arith::MaxNumFOp>([](double a, double b) { return ieeeMaximumNumber(a, b); });
  table.binaryF<arith::MinNumFOp>([](double a, double b) { return ieeeMinimumNumber(a, b); });
  table.add(
      arith::CmpFOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(int64_t(compareFloats(static_cast<arith::CmpFPredicate>(op.aux), a[0].f, a[1].f)));
      },
      nullptr, [](Operation *op, ScalarOp &scalar) { scalar.aux = int64_t(cast<arith::CmpFOp>(op).getPredicate()); });
}

static void addIntegerOps(ScalarTable &table) {
  // Sums and products modulo 2^64 agree with those modulo 2^width; unsigned, because they may overflow.
  table.binaryI<arith::AddIOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a + b; });
  table.binaryI<arith::SubIOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a - b; });
  table.binaryI<arith::MulIOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a * b; });
  addSignedDivision<arith::DivSIOp>(table, [](int64_t a, int64_t b) { return a / b; });
  table.add(arith::RemSIOp::getOperationName(), nullptr, [](const ScalarOp &op, const Cell *args, Trap &trap) {
    int64_t a = op.in.asSigned(args[0].i), b = op.in.asSigned(args[1].i);
    if (b == 0)
      trap.message = "division by zero";
    return Cell::of(b == 0 || b == -1 ? int64_t(0) : a % b); // the remainder by -1 is 0, also where a / -1 overflows
  });
  addSignedDivision<arith::FloorDivSIOp>(table, [](int64_t a, int64_t b) { return floorDiv(a, b); });
  addSignedDivision<arith::CeilDivSIOp>(table, [](int64_t a, int64_t b) { return ceilDiv(a, b); });
  addUnsignedDivision<arith::DivUIOp>(table, [](uint64_t a, uint64_t b) { return a / b; });
  addUnsignedDivision<arith::RemUIOp>(table, [](uint64_t a, uint64_t b) { return a % b; });
  addUnsignedDivision<arith::CeilDivUIOp>(table, [](uint64_t a, uint64_t b) { return a / b + (a % b != 0); });
  table.binaryI<arith::AndIOp>([](const ScalarOp &, int64_t a, int64_t b) { return a & b; });
  table.binaryI<arith::OrIOp>([](const ScalarOp &, int64_t a, int64_t b) { return a | b; });
  table.binaryI<arith::XOrIOp>([](const ScalarOp &, int64_t a, int64_t b) { return a ^ b; });
  table.binaryI<arith::ShLIOp>([](const ScalarOp &op, int64_t a, int64_t b) {
    uint64_t amount = op.in.asUnsigned(b);
    return amount >= op.in.bits ? 0 : int64_t(uint64_t(a) << amount);
  });
  table.binaryI<arith::ShRUIOp>([](const ScalarOp &op, int64_t a, int64_t b) {
    uint64_t amount = op.in.asUnsigned(b);
    return amount >= op.in.bits ? 0 : int64_t(op.in.asUnsigned(a) >> amount);
  });
  table.binaryI<arith::ShRSIOp>([](const ScalarOp &op, int64_t a, int64_t b) {
    return op.in.asSigned(a) >> std::min<uint64_t>(op.in.asUnsigned(b), 63);
  });
  table.binaryI<arith::MaxSIOp>(
      [](const ScalarOp &op, int64_t a, int64_t b) { return std::max(op.in.asSigned(a), op.in.asSigned(b)); });
  table.binaryI<arith::MinSIOp>(
      [](const ScalarOp &op, int64_t a, int64_t b) { return std::min(op.in.asSigned(a), op.in.asSigned(b)); });
  table.binaryI<arith::MaxUIOp>(
      [](const ScalarOp &op, int64_t a, int64_t b) { return std::max(op.in.asUnsigned(a), op.in.asUnsigned(b)); });
  table.binaryI<arith::MinUIOp>(
      [](const ScalarOp &op, int64_t a, int64_t b) { return std::min(op.in.asUnsigned(a), op.in.asUnsigned(b)); });
  table.add(
      arith::CmpIOp::getOperationName(), nullptr,
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(
            int64_t(compareInts(static_cast<arith::CmpIPredicate>(op.aux), op.in.asSigned(a[0].i),
                                op.in.asSigned(a[1].i), op.in.asUnsigned(a[0].i), op.in.asUnsigned(a[1].i))));
      },
      [](Operation *op, ScalarOp &scalar) { scalar.aux = int64_t(cast<arith::CmpIOp>(op).getPredicate()); });
}

static void addCasts(ScalarTable &table) {
  // A cast to a narrower float always rounds, also in a body that otherwise stays in f64.
  table.add(
      arith::ExtFOp::getOperationName(), [](const ScalarOp &, const Cell *a, Trap &) { return a[0]; }, nullptr);
  table.add(
      arith::TruncFOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(op.out.round(a[0].f, static_cast<FloatRounding>(op.aux)));
      },
      nullptr,
      [](Operation *op, ScalarOp &scalar) {
        // Without a mode the default one holds, which is to nearest, ties to even.
        scalar.aux =
            int64_t(cast<arith::TruncFOp>(op).getRoundingmode().value_or(arith::RoundingMode::to_nearest_even));
      });
  table.unaryI<arith::ExtSIOp>([](const ScalarOp &op, int64_t a) { return op.in.asSigned(a); });
  table.unaryI<arith::ExtUIOp>([](const ScalarOp &op, int64_t a) { return op.in.asUnsigned(a); });
  table.unaryI<arith::TruncIOp>([](const ScalarOp &, int64_t a) { return a; });
  table.unaryI<arith::IndexCastOp>([](const ScalarOp &op, int64_t a) { return op.in.asSigned(a); });
  table.unaryI<arith::IndexCastUIOp>([](const ScalarOp &op, int64_t a) { return op.in.asUnsigned(a); });
  table.add(arith::SIToFPOp::getOperationName(), nullptr, [](const ScalarOp &op, const Cell *a, Trap &) {
    return Cell::of(op.out.ofSigned(op.in.asSigned(a[0].i)));
  });
  table.add(arith::UIToFPOp::getOperationName(), nullptr, [](const ScalarOp &op, const Cell *a, Trap &) {
    return Cell::of(op.out.ofUnsigned(op.in.asUnsigned(a[0].i)));
  });
  table.add(
      arith::FPToSIOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        // i1 as a signed integer is 0 or -1; every other type saturates at its own bounds.
        return Cell::of(op.out.bits == 1 ? int64_t(a[0].f <= -1.0) : truncateToInt(a[0].f, op.out));
      },
      nullptr);
  table.add(
      arith::FPToUIOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        double value = a[0].f;
        if (std::isnan(value) || value <= 0.0)
          return Cell::of(int64_t(0));
        bool fits = value < std::ldexp(1.0, op.out.bits);
        return Cell::of(fits ? int64_t(uint64_t(value)) : int64_t(op.out.asUnsigned(-1)));
      },
      nullptr);
  // mica-tensor-split-complex leaves a complex.bitcast to the same type, which may be a real number.
  for (StringRef name : {arith::BitcastOp::getOperationName(), complex::BitcastOp::getOperationName()})
    table.add(
        name, [](const ScalarOp &op, const Cell *a, Trap &) { return op.out.ofBits(op.in.toBits(a[0])); },
        [](const ScalarOp &op, const Cell *a, Trap &) { return op.out.ofBits(op.in.toBits(a[0])); });
}

//===------------------------------------------------------------------------------------------------------------===//
// Reductions by kind
//===------------------------------------------------------------------------------------------------------------===//

Cell combine(arith::AtomicRMWKind kind, ElementType type, Cell total, Cell value) {
  auto integer = [&](uint64_t result) { return Cell::of(type.wrap(int64_t(result))); };
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    return Cell::of(total.f + value.f);
  case arith::AtomicRMWKind::mulf:
    return Cell::of(total.f * value.f);
  case arith::AtomicRMWKind::maximumf:
    return Cell::of(ieeeMaximum(total.f, value.f));
  case arith::AtomicRMWKind::minimumf:
    return Cell::of(ieeeMinimum(total.f, value.f));
  case arith::AtomicRMWKind::maxnumf:
    return Cell::of(ieeeMaximumNumber(total.f, value.f));
  case arith::AtomicRMWKind::minnumf:
    return Cell::of(ieeeMinimumNumber(total.f, value.f));
  case arith::AtomicRMWKind::addi:
    return integer(uint64_t(total.i) + uint64_t(value.i));
  case arith::AtomicRMWKind::muli:
    return integer(uint64_t(total.i) * uint64_t(value.i));
  case arith::AtomicRMWKind::maxs:
    return type.asSigned(total.i) > type.asSigned(value.i) ? total : value;
  case arith::AtomicRMWKind::mins:
    return type.asSigned(total.i) < type.asSigned(value.i) ? total : value;
  case arith::AtomicRMWKind::maxu:
    return type.asUnsigned(total.i) > type.asUnsigned(value.i) ? total : value;
  case arith::AtomicRMWKind::minu:
    return type.asUnsigned(total.i) < type.asUnsigned(value.i) ? total : value;
  case arith::AtomicRMWKind::ori:
    return integer(total.i | value.i);
  case arith::AtomicRMWKind::andi:
    return integer(total.i & value.i);
  case arith::AtomicRMWKind::xori:
    return integer(total.i ^ value.i);
  case arith::AtomicRMWKind::assign:
    return value;
  }
  llvm_unreachable("all kinds are listed");
}

FailureOr<Cell> neutralOf(Operation *op, arith::AtomicRMWKind kind, ElementType type) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  uint64_t signBit = uint64_t(1) << (type.bits - 1);
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    return Cell::of(0.0);
  case arith::AtomicRMWKind::mulf:
    return Cell::of(1.0);
  case arith::AtomicRMWKind::maximumf:
  case arith::AtomicRMWKind::maxnumf:
    return Cell::of(-inf);
  case arith::AtomicRMWKind::minimumf:
  case arith::AtomicRMWKind::minnumf:
    return Cell::of(inf);
  case arith::AtomicRMWKind::addi:
  case arith::AtomicRMWKind::maxu:
  case arith::AtomicRMWKind::ori:
  case arith::AtomicRMWKind::xori:
    return Cell::of(int64_t(0));
  case arith::AtomicRMWKind::muli:
    return Cell::of(int64_t(1));
  case arith::AtomicRMWKind::maxs:
    return Cell::of(type.wrap(int64_t(signBit)));
  case arith::AtomicRMWKind::mins:
    return Cell::of(type.wrap(int64_t(signBit - 1)));
  case arith::AtomicRMWKind::minu:
  case arith::AtomicRMWKind::andi:
    return Cell::of(type.wrap(-1));
  case arith::AtomicRMWKind::assign:
    return op->emitError() << "a reduction of kind 'assign' has no neutral value";
  }
  llvm_unreachable("all kinds are listed");
}

static LogicalResult evalAddUIExtended(arith::AddUIExtendedOp op, Operands in, Results &out, Evaluator &evaluator) {
  FailureOr<Tensor> sum = evaluator.allocate(op, in[0].elementType(), in[0].shape());
  FailureOr<Tensor> overflow = evaluator.allocate(op, DType::I1, in[0].shape());
  if (failed(sum) || failed(overflow))
    return failure();
  ElementType type = in[0].elementType();
  for (int64_t i = 0, e = in[0].size(); i < e; ++i) {
    int64_t wrapped = type.wrap(int64_t(uint64_t(in[0].intAt(i)) + uint64_t(in[1].intAt(i))));
    sum->mutableData()[i].i = wrapped;
    overflow->mutableData()[i].i = type.asUnsigned(wrapped) < type.asUnsigned(in[0].intAt(i));
  }
  out.push_back(*sum);
  out.push_back(*overflow);
  return success();
}

/// mulsi_extended and mului_extended: the low and the high half of the product.
template <typename OpT, bool isSigned>
static LogicalResult evalMulExtended(OpT op, Operands in, Results &out, Evaluator &evaluator) {
  FailureOr<Tensor> low = evaluator.allocate(op, in[0].elementType(), in[0].shape());
  FailureOr<Tensor> high = evaluator.allocate(op, in[0].elementType(), in[0].shape());
  if (failed(low) || failed(high))
    return failure();
  ElementType type = in[0].elementType();
  auto widen = [&](int64_t value) -> __int128 {
    return isSigned ? __int128(type.asSigned(value)) : __int128(type.asUnsigned(value));
  };
  for (int64_t i = 0, e = in[0].size(); i < e; ++i) {
    auto product =
        static_cast<unsigned __int128>(widen(in[0].intAt(i))) * static_cast<unsigned __int128>(widen(in[1].intAt(i)));
    low->mutableData()[i].i = type.wrap(int64_t(product));
    high->mutableData()[i].i = type.wrap(int64_t(product >> type.bits));
  }
  out.push_back(*low);
  out.push_back(*high);
  return success();
}

void addArithOps(OpTable &table) {
  addFloatOps(table.scalars);
  addIntegerOps(table.scalars);
  addCasts(table.scalars);
  auto select = [](const ScalarOp &, const Cell *a, Trap &) { return a[0].i ? a[1] : a[2]; };
  table.scalars.add(arith::SelectOp::getOperationName(), select, select);
  table.add<arith::AddUIExtendedOp>(evalAddUIExtended);
  table.add<arith::MulSIExtendedOp>(evalMulExtended<arith::MulSIExtendedOp, true>);
  table.add<arith::MulUIExtendedOp>(evalMulExtended<arith::MulUIExtendedOp, false>);
}

} // namespace mica::reference
