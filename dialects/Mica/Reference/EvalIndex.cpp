//===- EvalIndex.cpp - index ------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The index dialect: arith on index, with separate ops. The width is 64.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

using namespace mlir;

namespace mica::reference {

namespace {

/// Defines a division; `F` may assume a nonzero divisor and, for signed integers, a quotient in range.
template <typename OpT, typename Number, typename F> void addDivision(ScalarTable &table, F) {
  table.add(OpT::getOperationName(), nullptr, [](const ScalarOp &, const Cell *args, Trap &trap) {
    auto a = static_cast<Number>(args[0].i), b = static_cast<Number>(args[1].i);
    if (b == 0)
      trap.message = "division by zero";
    else if (std::is_signed_v<Number> && b == Number(-1) && args[0].i == std::numeric_limits<int64_t>::min())
      trap.message = "signed division overflows";
    return Cell::of(int64_t(trap.message ? 0 : F{}(a, b)));
  });
}

/// The predicates of arith and index have equal values.
arith::CmpIPredicate predicateOf(index::IndexCmpPredicate predicate) {
  using Arith = arith::CmpIPredicate;
  using Index = index::IndexCmpPredicate;
  static_assert(int(Arith::eq) == int(Index::EQ) && int(Arith::ne) == int(Index::NE) &&
                int(Arith::slt) == int(Index::SLT) && int(Arith::sle) == int(Index::SLE) &&
                int(Arith::sgt) == int(Index::SGT) && int(Arith::sge) == int(Index::SGE) &&
                int(Arith::ult) == int(Index::ULT) && int(Arith::ule) == int(Index::ULE) &&
                int(Arith::ugt) == int(Index::UGT) && int(Arith::uge) == int(Index::UGE));
  return static_cast<Arith>(predicate);
}

FailureOr<Tensor> evalConstant(index::ConstantOp op, Operands, Evaluator &) {
  return Tensor::index(op.getValue().getSExtValue());
}

FailureOr<Tensor> evalBoolConstant(index::BoolConstantOp op, Operands, Evaluator &) {
  return Tensor::scalar(DType::I1, Cell::of(int64_t(op.getValue())));
}

FailureOr<Tensor> evalSizeOf(index::SizeOfOp, Operands, Evaluator &) { return Tensor::index(64); }

/// What a lowering leaves between integers of the LLVM dialect and index.
LogicalResult evalConversion(UnrealizedConversionCastOp op, Operands in, Results &out, Evaluator &) {
  auto isInteger = [](Type type) { return getElementTypeOrSelf(type).isIntOrIndex() && !isa<BaseMemRefType>(type); };
  if (in.size() != 1 || op->getNumResults() != 1 || !isInteger(op->getOperand(0).getType()) ||
      !isInteger(op->getResult(0).getType()))
    return op.emitError() << "the reference evaluator does not take this conversion";
  const ElementType type = *ElementType::of(op->getResult(0).getType());
  Tensor result = in[0].materialized().retyped(type);
  Cell *cells = result.mutableData();
  for (int64_t i = 0, e = result.size(); i < e; ++i)
    cells[i].i = type.wrap(cells[i].i);
  out.push_back(std::move(result));
  return success();
}

void addDivisions(ScalarTable &table) {
  addDivision<index::DivSOp, int64_t>(table, [](int64_t a, int64_t b) { return a / b; });
  addDivision<index::DivUOp, uint64_t>(table, [](uint64_t a, uint64_t b) { return a / b; });
  addDivision<index::CeilDivSOp, int64_t>(
      table, [](int64_t a, int64_t b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); });
  addDivision<index::CeilDivUOp, uint64_t>(table, [](uint64_t a, uint64_t b) { return a / b + (a % b != 0); });
  addDivision<index::FloorDivSOp, int64_t>(
      table, [](int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); });
  addDivision<index::RemSOp, int64_t>(table, [](int64_t a, int64_t b) { return a % b; });
  addDivision<index::RemUOp, uint64_t>(table, [](uint64_t a, uint64_t b) { return a % b; });
}

} // namespace

void addIndexOps(OpTable &table) {
  ScalarTable &scalars = table.scalars;
  scalars.binaryI<index::AddOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a + b; });
  scalars.binaryI<index::SubOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a - b; });
  scalars.binaryI<index::MulOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a * b; });
  addDivisions(scalars);
  scalars.binaryI<index::MaxSOp>([](const ScalarOp &, int64_t a, int64_t b) { return std::max(a, b); });
  scalars.binaryI<index::MinSOp>([](const ScalarOp &, int64_t a, int64_t b) { return std::min(a, b); });
  scalars.binaryI<index::MaxUOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return std::max(a, b); });
  scalars.binaryI<index::MinUOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return std::min(a, b); });
  scalars.binaryI<index::ShlOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return b > 63 ? 0 : a << b; });
  scalars.binaryI<index::ShrUOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return b > 63 ? 0 : a >> b; });
  scalars.binaryI<index::ShrSOp>([](const ScalarOp &, int64_t a, int64_t b) { return a >> std::min<uint64_t>(b, 63); });
  scalars.binaryI<index::AndOp>([](const ScalarOp &, int64_t a, int64_t b) { return a & b; });
  scalars.binaryI<index::OrOp>([](const ScalarOp &, int64_t a, int64_t b) { return a | b; });
  scalars.binaryI<index::XOrOp>([](const ScalarOp &, int64_t a, int64_t b) { return a ^ b; });
  scalars.unaryI<index::CastSOp>([](const ScalarOp &op, int64_t a) { return op.in.asSigned(a); });
  scalars.unaryI<index::CastUOp>([](const ScalarOp &op, int64_t a) { return op.in.asUnsigned(a); });
  scalars.add(
      index::CmpOp::getOperationName(), nullptr,
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(int64_t(
            compareInts(predicateOf(static_cast<index::IndexCmpPredicate>(op.aux)), a[0].i, a[1].i, a[0].i, a[1].i)));
      },
      [](Operation *op, ScalarOp &scalar) { scalar.aux = int64_t(cast<index::CmpOp>(op).getPred()); });
  table.add<index::ConstantOp>(evalConstant);
  table.add<index::BoolConstantOp>(evalBoolConstant);
  table.add<index::SizeOfOp>(evalSizeOf);
  table.add<UnrealizedConversionCastOp>(evalConversion);
}

} // namespace mica::reference
