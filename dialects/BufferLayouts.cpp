//===- BufferLayouts.cpp - allocations with a layout --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %m = memref.alloc()                       %b = memref.alloc() : memref<63xf32>
//     : memref<4x8xf32, strided<[16, 2]>>  => %m = memref.reinterpret_cast %b to offset: [0], sizes: [4, 8],
//                                                    strides: [16, 2] : ... to memref<4x8xf32, strided<[16, 2]>>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/BufferLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

/// The first user of `buffer` that depends on where its elements are; null if they all go by positions alone.
static Operation *userOfLayout(Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (!isa<memref::LoadOp, memref::StoreOp, memref::CopyOp, memref::DimOp, memref::DeallocOp, linalg::LinalgOp>(user))
      return user;
  return nullptr;
}

namespace {
/// The sizes, strides and offset of an allocation, constants where they are known.
class Extent {
public:
  Extent(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// How many elements lie between the first of the memory and the last that a position has. A size below 1 is given
  /// itself, so that the allocation tells of a negative one.
  OpFoldResult of(OpFoldResult offset, ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides) {
    Value one = number(1), zero = number(0), end = add(valueOf(offset), one), smallest = one;
    for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
      Value way = builder.createOrFold<arith::MulIOp>(loc, builder.createOrFold<arith::SubIOp>(loc, valueOf(size), one),
                                                      valueOf(stride));
      end = add(end, builder.createOrFold<arith::MaxSIOp>(loc, way, zero));
      smallest = builder.createOrFold<arith::MinSIOp>(loc, smallest, valueOf(size));
    }
    Value isEmpty = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, smallest, one);
    return getAsOpFoldResult(builder.createOrFold<arith::SelectOp>(loc, isEmpty, smallest, end));
  }

private:
  Value number(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value valueOf(OpFoldResult given) { return getValueOrCreateConstantIndexOp(builder, loc, given); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }

  OpBuilder &builder;
  Location loc;
};
} // namespace

/// `numbers`, with the next of `given` for each that is not known.
static SmallVector<OpFoldResult> completed(OpBuilder &builder, ArrayRef<int64_t> numbers, ValueRange &given) {
  SmallVector<OpFoldResult> all;
  for (int64_t number : numbers) {
    if (!ShapedType::isDynamic(number)) {
      all.push_back(builder.getIndexAttr(number));
      continue;
    }
    all.push_back(given.front());
    given = given.drop_front();
  }
  return all;
}

template <typename Alloc> static LogicalResult dropLayout(Alloc op) {
  MemRefType type = op.getType();
  if (type.getLayout().isIdentity())
    return success();
  Operation *user = userOfLayout(op.getResult());
  if (!user) {
    op.getSymbolOperandsMutable().clear();
    op.getResult().setType(
        MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(), type.getMemorySpace()));
    return success();
  }
  SmallVector<int64_t> knownStrides;
  int64_t knownOffset = 0;
  if (failed(type.getStridesAndOffset(knownStrides, knownOffset)))
    return op.emitOpError() << "has the layout " << type.getLayout() << ", which strides cannot express, and which '"
                            << user->getName()
                            << "' depends on; allocate it without a layout, or apply mlir-opt --normalize-memrefs";
  OpBuilder builder(op);
  Location loc = op.getLoc();
  ValueRange givenSizes = op.getDynamicSizes(), symbols = op.getSymbolOperands();
  SmallVector<OpFoldResult> sizes = completed(builder, type.getShape(), givenSizes);
  OpFoldResult offset = completed(builder, knownOffset, symbols).front();
  SmallVector<OpFoldResult> strides = completed(builder, knownStrides, symbols);
  OpFoldResult elements = Extent(builder, loc).of(offset, sizes, strides);
  const std::optional<int64_t> known = getConstantIntValue(elements);
  auto flat = MemRefType::get(known.value_or(ShapedType::kDynamic), type.getElementType(), MemRefLayoutAttrInterface(),
                              type.getMemorySpace());
  SmallVector<Value> open;
  if (!known)
    open.push_back(cast<Value>(elements));
  auto memory = Alloc::create(builder, loc, flat, open, op.getAlignmentAttr());
  for (OpOperand &use : llvm::make_early_inc_range(op.getResult().getUses()))
    if (isa<memref::DeallocOp>(use.getOwner()))
      use.set(memory);
  op.getResult().replaceAllUsesWith(
      memref::ReinterpretCastOp::create(builder, loc, type, memory, offset, sizes, strides).getResult());
  op.erase();
  return success();
}

LogicalResult mica::dropAllocatedLayouts(Operation *root) {
  SmallVector<Operation *> allocations;
  root->walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      allocations.push_back(op);
  });
  for (Operation *op : allocations) {
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if (failed(alloc ? dropLayout(alloc) : dropLayout(cast<memref::AllocaOp>(op))))
      return failure();
  }
  return success();
}
