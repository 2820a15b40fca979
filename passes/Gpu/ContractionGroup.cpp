//===- ContractionGroup.cpp - products and the ops that are done with them --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The op before a product that says what sums begin with, and the one behind it that alone reads the results.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Gpu/ContractionLaunch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mica::device;

SmallVector<linalg::GenericOp> ContractionGroup::ops() const {
  SmallVector<linalg::GenericOp> all;
  for (linalg::GenericOp op : {fill, product.op, epilogue})
    if (op)
      all.push_back(op);
  return all;
}

static Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// The value that `op` sets every element of `buffer` to, if that is all it does; null if not.
static Value filledWith(linalg::GenericOp op, Value buffer) {
  if (op.getNumDpsInits() != 1 || op.getDpsInits()[0] != buffer || op.getNumReductionLoops() > 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() || op.getBody()->getOperations().size() != 1)
    return {};
  Value value = op.getBody()->getTerminator()->getOperand(0);
  if (value.getParentBlock() != op.getBody())
    return value;
  OpOperand *operand = op.getMatchingOpOperand(cast<BlockArgument>(value));
  return operand && !isa<ShapedType>(operand->get().getType()) ? operand->get() : Value();
}

/// Whether `op` makes something of each element of `buffer`, which nobody else reads, and keeps off the inputs of `product`.
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
    Value root = rootOf(init.get());
    if (root == rootOf(buffer) || !op.getMatchingIndexingMap(&init).isPermutation() ||
        llvm::any_of(product.op.getDpsInputs(), [&](Value input) { return rootOf(input) == root; }))
      return false;
  }
  return reads;
}

std::optional<ContractionGroup> mica::device::contractionGroupAt(ArrayRef<linalg::GenericOp> run, size_t at) {
  std::optional<Contraction> product = contractionOf(run[at]);
  if (!product)
    return std::nullopt;
  ContractionGroup group{*product, Value(), {}, {}};
  linalg::GenericOp op = run[at];
  Value buffer = op.getDpsInits()[0];
  // The result may be nothing that is read meanwhile.
  if (llvm::any_of(op.getDpsInputs(), [&](Value input) { return rootOf(input) == rootOf(buffer); }))
    return std::nullopt;
  if (at > 0) {
    linalg::GenericOp before = run[at - 1];
    group.start = filledWith(before, buffer);
    if (group.start)
      group.fill = before;
  }
  if (at + 1 < run.size()) {
    linalg::GenericOp next = run[at + 1];
    if (isEpilogue(next, *product, buffer, group.fill))
      group.epilogue = next;
  }
  return group;
}
