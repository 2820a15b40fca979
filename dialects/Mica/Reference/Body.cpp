//===- Body.cpp - regions that are evaluated per element --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Body.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Body.h"

#include "dialects/Mica/Reference/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mica::reference {

Body::Body(Block &block, Evaluator &evaluator, bool rounded)
    : block(block), evaluator(evaluator), rounded(rounded), bounded(evaluator.tracksBounds()),
      isStrict(evaluator.undefined() != nullptr) {
  registers.resize(block.getNumArguments(), Cell::of(int64_t(0)));
  bounds.resize(block.getNumArguments(), 0.0);
  for (BlockArgument argument : block.getArguments())
    registerOf[argument] = argument.getArgNumber();
  for (Operation &op : block.without_terminator())
    if (!compile(&op)) {
      compiled = false;
      program.clear();
      break;
    }
  unsigned numYields = block.getTerminator()->getNumOperands();
  if (compiled) {
    for (Value value : block.getTerminator()->getOperands())
      yields.push_back(use(value));
    return;
  }
  registers.resize(block.getNumArguments() + numYields, Cell::of(int64_t(0)));
  bounds.resize(registers.size(), 0.0);
  for (unsigned i = 0; i < numYields; ++i)
    yields.push_back(block.getNumArguments() + i);
}

/// The register of `value`; a scalar from outside of the block gets one that is initialized with it.
Body::Register Body::use(Value value) {
  auto [it, isNew] = registerOf.try_emplace(value, registers.size());
  if (isNew) {
    const Tensor &outside = evaluator.lookup(value);
    registers.push_back(outside.materialized().value());
    bounds.push_back(bounded ? outside.scalarBound() : 0);
  }
  return it->second;
}

bool Body::compile(Operation *op) {
  auto define = [&](Value value, Cell initial) {
    registerOf[value] = registers.size();
    registers.push_back(initial);
    bounds.push_back(0);
    return Register(registers.size() - 1);
  };
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    std::optional<Cell> value = scalarOf(constant.getValue());
    if (value)
      define(constant, *value);
    return value.has_value();
  }
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    indexRegisters.push_back({define(index, Cell::of(int64_t(0))), unsigned(index.getDim())});
    return true;
  }
  Instruction instruction;
  instruction.op = op;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    if (extract.getTensor().getParentBlock() == &block)
      return false;
    instruction.source = tensors.size();
    tensors.push_back(evaluator.lookup(extract.getTensor()).materialized());
    for (Value index : extract.getIndices())
      instruction.operands.push_back(use(index));
  } else {
    std::optional<ScalarOp> scalar = evaluator.table.scalars.resolve(op);
    bool isScalar = llvm::none_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>);
    if (!scalar || !isScalar)
      return false;
    instruction.scalar = *scalar;
    for (Value operand : op->getOperands())
      instruction.operands.push_back(use(operand));
    if (bounded) {
      if (isStrict)
        instruction.poison = poisonRule(op);
      instruction.rule = isStrict ? instruction.poison.scalar : scalarRule(op);
      // A reduction's body has the type in which implementations accumulate, except for casts.
      instruction.unit = rounded || instruction.rule.rounding == ScalarRule::Rounding::Cast
                             ? scalar->out
                             : accumulatorOf(scalar->out, evaluator.options.narrowAccumulators);
    }
  }
  instruction.result = define(op->getResult(0), Cell::of(int64_t(0)));
  program.push_back(std::move(instruction));
  return true;
}

LogicalResult Body::extract(const Instruction &instruction) {
  const Tensor &source = tensors[instruction.source];
  int64_t linear = 0;
  for (auto [d, operand] : llvm::enumerate(instruction.operands)) {
    int64_t index = registers[operand].i;
    if (index < 0 || index >= source.dim(d))
      return instruction.op->emitError() << "index " << index << " is out of range for dimension " << d << " of extent "
                                         << source.dim(d);
    linear = linear * source.dim(d) + index;
  }
  registers[instruction.result] = source.data()[linear];
  if (bounded) {
    bounds[instruction.result] = source.boundAt(linear);
    for (Register operand : instruction.operands)
      if (bounds[operand] > 0)
        bounds[instruction.result] = kUnknown;
  }
  return success();
}

LogicalResult Body::run(ArrayRef<int64_t> point) {
  if (!compiled)
    return interpret(point);
  for (auto [reg, dim] : indexRegisters)
    registers[reg] = Cell::of(point[dim]);
  Trap trap;
  Cell args[8];
  for (const Instruction &instruction : program) {
    if (!instruction.scalar.fn) {
      if (failed(extract(instruction)))
        return failure();
      continue;
    }
    for (size_t k = 0; k < instruction.operands.size(); ++k)
      args[k] = registers[instruction.operands[k]];
    const Cell raw = instruction.scalar.fn(instruction.scalar, args, trap);
    registers[instruction.result] = instruction.scalar.finish(raw, rounded);
    if (bounded && !trap.message)
      setBounds(instruction, args, instruction.scalar.out.isFloat ? raw : registers[instruction.result]);
    if (trap.message)
      return instruction.op->emitError() << trap.message << " at point (" << pointString(point) << ")";
  }
  return success();
}

void Body::setBounds(const Instruction &instruction, const Cell *args, Cell raw) {
  if (isStrict && !instruction.poison.isAny &&
      llvm::none_of(instruction.operands, [&](Register operand) { return bounds[operand] != 0; })) {
    bounds[instruction.result] = 0;
    return;
  }
  double argBounds[8];
  for (auto [k, operand] : llvm::enumerate(instruction.operands))
    argBounds[k] = bounds[operand];
  bounds[instruction.result] =
      isStrict ? undefinedBound(instruction.op, instruction.scalar, instruction.poison, args,
                                ArrayRef(argBounds, instruction.operands.size()), raw, evaluator)
               : scalarBound(instruction.scalar, instruction.rule, instruction.unit, args, argBounds, raw);
}

bool Body::accumulatesInto(unsigned i) const {
  if (!compiled)
    return true;
  using Rounding = ScalarRule::Rounding;
  return llvm::any_of(program, [&](const Instruction &instruction) {
    const Rounding rounding = instruction.rule.rounding;
    return llvm::is_contained(instruction.operands, Register(i)) && instruction.scalar.fn &&
           instruction.scalar.out.isFloat && rounding != Rounding::Exact && rounding != Rounding::Cast;
  });
}

double Body::accumulated(unsigned i) const {
  double largest = 0;
  for (const Instruction &instruction : program)
    if (instruction.scalar.fn && instruction.scalar.out.isFloat &&
        llvm::is_contained(instruction.operands, Register(i)))
      for (const Register operand : instruction.operands)
        if (const double value = std::fabs(registers[operand].f); operand != Register(i) && std::isfinite(value))
          largest = std::max(largest, value);
  return largest;
}

LogicalResult Body::interpret(ArrayRef<int64_t> point) {
  SmallVector<Tensor> args, results;
  for (auto [i, argument] : llvm::enumerate(block.getArguments())) {
    args.push_back(Tensor::scalar(*ElementType::of(argument.getType()), registers[i]));
    if (bounds[i] != 0)
      args.back().setBound(Tensor::scalar(DType::F64, Cell::of(bounds[i])));
  }
  evaluator.points.emplace_back(point);
  LogicalResult status = evaluator.runRegion(*block.getParent(), std::move(args), results);
  evaluator.points.pop_back();
  if (failed(status))
    return failure();
  for (auto [i, result] : llvm::enumerate(results)) {
    registers[yields[i]] = result.value();
    bounds[yields[i]] = result.scalarBound();
  }
  return success();
}

} // namespace mica::reference
