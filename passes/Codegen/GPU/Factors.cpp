//===- Factors.cpp - the factors of a contraction ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Finds the factors in the body of a contraction; see Factors.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Factors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mica::device;

/// `value` of the body without lossless conversions.
static Value withoutExtension(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

std::optional<std::pair<Value, Value>> mica::device::factorsOf(linalg::GenericOp op) {
  Block *body = op.getBody();
  if (op.getNumDpsInits() != 1)
    return std::nullopt;
  Value sum = op.getRegionOutputArgs()[0];
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!add || !isa<arith::AddFOp, arith::AddIOp>(add))
    return std::nullopt;
  Value other = add->getOperand(0) == sum ? add->getOperand(1) : add->getOperand(0);
  if (add->getOperand(0) != sum && add->getOperand(1) != sum)
    return std::nullopt;
  Operation *multiply = other.getDefiningOp();
  if (!multiply || !isa<arith::MulFOp, arith::MulIOp>(multiply))
    return std::nullopt;
  return std::pair(withoutExtension(multiply->getOperand(0)), withoutExtension(multiply->getOperand(1)));
}

SmallVector<OpOperand *> mica::device::inputsOf(linalg::GenericOp op, Value factor) {
  Block *body = op.getBody();
  llvm::SmallSetVector<Value, 8> slice;
  slice.insert(factor);
  SmallVector<OpOperand *> inputs;
  for (size_t i = 0; i < slice.size(); ++i) {
    Value value = slice[i];
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == body) {
      OpOperand *operand = op.getMatchingOpOperand(argument);
      if (op.isDpsInit(operand))
        return {};
      inputs.push_back(operand);
      continue;
    }
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != body)
      continue;
    if (def->getNumRegions() > 0 || !isMemoryEffectFree(def))
      return {};
    slice.insert(def->operand_begin(), def->operand_end());
  }
  auto dims = [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return llvm::count_if(llvm::seq<unsigned>(0, op.getNumLoops()), [&](unsigned d) { return map.isFunctionOfDim(d); });
  };
  llvm::stable_sort(inputs, [&](OpOperand *a, OpOperand *b) {
    return std::pair(-dims(a), a->getOperandNumber()) < std::pair(-dims(b), b->getOperandNumber());
  });
  return inputs;
}

Value mica::device::computeAgain(OpBuilder &builder, Block *block, Value value, IRMapping &mapping,
                                 llvm::function_ref<void(Operation *)> onClone) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != block)
    return value;
  llvm::SetVector<Value> needed(def->operand_begin(), def->operand_end());
  getUsedValuesDefinedAbove(def->getRegions(), needed);
  for (Value each : needed)
    computeAgain(builder, block, each, mapping, onClone);
  Operation *copy = builder.clone(*def, mapping);
  if (onClone)
    onClone(copy);
  return mapping.lookup(value);
}
