//===- ContractionGroup.cpp - contractions and the ops fused with them ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The op before a contraction that initializes the result, and the one after it that is its only reader.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/ContractionLaunch.h"

#include "dialects/RootBuffer.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mica::device;

SmallVector<linalg::GenericOp> ContractionGroup::ops() const {
  SmallVector<linalg::GenericOp> all;
  for (linalg::GenericOp op : {fill, product.op, epilogue})
    if (op)
      all.push_back(op);
  return all;
}

/// Whether `op` only sets every element of `buffer`, independent of the previous values.
static bool isFill(linalg::GenericOp op, Value buffer) {
  if (op.getNumDpsInits() != 1 || op.getDpsInits()[0] != buffer || op.getNumReductionLoops() > 0 ||
      op.hasIndexSemantics() || !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() ||
      !op.getRegionOutputArgs()[0].use_empty())
    return false;
  return llvm::all_of(*op.getBody(), [](Operation &inner) { return isMemoryEffectFree(&inner); }) &&
         llvm::none_of(op.getDpsInputs(),
                       [&](Value input) { return mica::rootBuffer(input) == mica::rootBuffer(buffer); });
}

/// The value to which `op`, an isFill op, sets elements; null if it is not a single value.
static Value filledWith(linalg::GenericOp op) {
  if (op.getBody()->getOperations().size() != 1)
    return {};
  Value value = op.getBody()->getTerminator()->getOperand(0);
  if (value.getParentBlock() != op.getBody())
    return value;
  OpOperand *operand = op.getMatchingOpOperand(cast<BlockArgument>(value));
  return isa<ShapedType>(operand->get().getType()) ? Value() : operand->get();
}

/// Whether `op` is elementwise on `buffer`, is its only reader, and does not write what `product` and `fill` read.
static bool isEpilogue(linalg::GenericOp op, const Contraction &product, Value buffer, linalg::GenericOp fill) {
  if (!buffer.getDefiningOp<memref::AllocOp>() || op.getNumReductionLoops() > 0 || op.hasIndexSemantics() ||
      !op.hasPureBufferSemantics())
    return false;
  for (Operation *user : buffer.getUsers())
    if (!isa<memref::DeallocOp>(user) && user != op && user != product.op && user != fill)
      return false;
  if (!llvm::all_of(*op.getBody(), [](Operation &inner) { return isMemoryEffectFree(&inner); }))
    return false;
  bool reads = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (input->get() != buffer)
      continue;
    reads = true;
    if (!op.getMatchingIndexingMap(input).isPermutation())
      return false;
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Value root = mica::rootBuffer(init.get());
    auto isRead = [&](Value input) { return mica::rootBuffer(input) == root; };
    if (root == mica::rootBuffer(buffer) || !op.getMatchingIndexingMap(&init).isPermutation() ||
        llvm::any_of(product.op.getDpsInputs(), isRead) || (fill && llvm::any_of(fill.getDpsInputs(), isRead)))
      return false;
  }
  return reads;
}

std::optional<ContractionGroup> mica::device::contractionGroupAt(ArrayRef<linalg::GenericOp> run, size_t at) {
  std::optional<Contraction> product = contractionOf(run[at]);
  if (!product)
    return std::nullopt;
  ContractionGroup group{*product, {}, {}, {}};
  linalg::GenericOp op = run[at];
  Value buffer = op.getDpsInits()[0];
  // The result must not be read in between.
  if (llvm::any_of(op.getDpsInputs(), [&](Value input) { return mica::rootBuffer(input) == mica::rootBuffer(buffer); }))
    return std::nullopt;
  if (at > 0) {
    // Not if it is the epilogue of another contraction.
    if (linalg::GenericOp before = run[at - 1];
        isFill(before, buffer) && ContractionPlan::of(before).has_value() == ContractionPlan::of(op).has_value()) {
      group.fill = before;
      group.start = filledWith(before);
    }
  }
  if (at + 1 < run.size()) {
    linalg::GenericOp next = run[at + 1];
    if (isEpilogue(next, *product, buffer, group.fill))
      group.epilogue = next;
  }
  return group;
}
