//===- Memory.cpp - buffers as addresses ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Memory.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Memory.h"

#include "passes/Codegen/Reference/Passes.h"

#include "dialects/ContiguousDescriptor.h"

using namespace mlir;
using namespace mica;

Value mica::addressOf(OpBuilder &builder, Location loc, Value buffer) {
  return memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
}

Value mica::pointerTo(OpBuilder &builder, Location loc, Value address, int64_t offset) {
  Type i64 = builder.getI64Type();
  Value number = arith::IndexCastOp::create(builder, loc, i64, address);
  if (offset != 0) {
    Value bytes = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(offset));
    number = arith::AddIOp::create(builder, loc, number, bytes);
  }
  return LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), number);
}

Value mica::bufferAt(OpBuilder &builder, Location loc, MemRefType type, Value pointer, ValueRange sizes) {
  LLVMTypeConverter converter(builder.getContext());
  SmallVector<Value> all;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      all.push_back(LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(size)));
      continue;
    }
    all.push_back(arith::IndexCastOp::create(builder, loc, builder.getI64Type(), sizes.front()));
    sizes = sizes.drop_front();
  }
  Value descriptor = contiguousDescriptor(builder, loc, converter, type, pointer, all);
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor).getResult(0);
}

Value mica::bytesOrMost(OpBuilder &builder, Location loc, MemRefType type, ValueRange sizes, int64_t elementBytes) {
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto either = [&](Value a, Value b) -> Value { return arith::OrIOp::create(builder, loc, a, b); };
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  Value zero = index(0);
  Value isTooLarge = arith::ConstantIntOp::create(builder, loc, 0, 1), isEmpty = isTooLarge, isNegative = isTooLarge;
  Value product = index(elementBytes);
  for (int64_t fixed : type.getShape()) {
    Value size = ShapedType::isDynamic(fixed) ? sizes.front() : index(fixed);
    sizes = ShapedType::isDynamic(fixed) ? sizes.drop_front() : sizes;
    isEmpty = either(isEmpty, compare(arith::CmpIPredicate::eq, size, zero));
    isNegative = either(isNegative, compare(arith::CmpIPredicate::slt, size, zero));
    // Negative sizes are rejected anyway.
    auto wide = arith::MulUIExtendedOp::create(builder, loc, product, size);
    product = wide.getLow();
    isTooLarge = either(isTooLarge, either(compare(arith::CmpIPredicate::ne, wide.getHigh(), zero),
                                           compare(arith::CmpIPredicate::slt, product, zero)));
  }
  Value most = index(std::numeric_limits<int64_t>::max());
  Value bytes = arith::SelectOp::create(builder, loc, isTooLarge, most, product);
  bytes = arith::SelectOp::create(builder, loc, isEmpty, zero, bytes);
  return arith::SelectOp::create(builder, loc, isNegative, most, bytes);
}

Value mica::allocate(OpBuilder &builder, Location loc, MemRefType type, ValueRange sizes) {
  return memref::AllocOp::create(builder, loc, type, sizes, builder.getI64IntegerAttr(sched::kBufferAlignment));
}

/// Whether `op` gives a tensor in the memory of its first operand.
static bool isPartOrForm(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp, tensor::ReshapeOp>(
      op);
}

/// Whether `op` gives a tensor in memory that the program does not allocate for it.
static bool readsOtherMemory(Operation *op) {
  auto read = dyn_cast<bufferization::ToTensorOp>(op);
  return read && !read.getBuffer().getDefiningOp<memref::AllocOp>();
}

/// Whether the memory of `tensor` may be a constant's. What a call returns is no constant, and an argument is one only
/// where the caller knows it.
static bool mayBeConstant(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return !isa<func::FuncOp>(argument.getOwner()->getParentOp());
  Operation *op = tensor.getDefiningOp();
  if (isPartOrForm(op))
    return mayBeConstant(op->getOperand(0));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return mayBeConstant(select.getTrueValue()) || mayBeConstant(select.getFalseValue());
  return readsOtherMemory(op) || isa<arith::ConstantOp, RegionBranchOpInterface>(op);
}

/// Replaces each dense tensor that `end` passes on and of which `needsCopy` is true by a copy.
static void copyOperands(Operation *end, llvm::function_ref<bool(OpOperand &)> needsCopy) {
  OpBuilder b(end);
  for (OpOperand &operand : end->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (type && !type.getEncoding() && needsCopy(operand))
      operand.set(bufferization::AllocTensorOp::create(b, end->getLoc(), type, /*dynamicSizes=*/ValueRange(),
                                                       /*copy=*/operand.get()));
  }
}

void mica::copyReturnedConstants(Operation *root) {
  root->walk(
      [](func::ReturnOp end) { copyOperands(end, [](OpOperand &operand) { return mayBeConstant(operand.get()); }); });
}

/// Whether `yielded`, which a loop passes on, is neither an argument of the loop nor memory of its own.
static bool mayBeShared(OpOperand &yielded) {
  Value tensor = yielded.get();
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return argument.getOwner() != yielded.getOwner()->getBlock() ||
           llvm::count(yielded.getOwner()->getOperands(), tensor) > 1;
  Operation *op = tensor.getDefiningOp();
  if (op->getBlock() != yielded.getOwner()->getBlock() || !tensor.hasOneUse())
    return true;
  if (isPartOrForm(op) || readsOtherMemory(op) || isa<arith::SelectOp, arith::ConstantOp>(op))
    return true;
  return isa<RegionBranchOpInterface>(op) && !isa<scf::ForOp, scf::WhileOp>(op);
}

void mica::copySharedYields(Operation *root) {
  root->walk([](Operation *end) {
    if (isa<scf::ConditionOp>(end) || (isa<scf::YieldOp>(end) && isa<scf::ForOp, scf::WhileOp>(end->getParentOp())))
      copyOperands(end, mayBeShared);
  });
}
