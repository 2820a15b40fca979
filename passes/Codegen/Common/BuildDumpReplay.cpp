//===- BuildDumpReplay.cpp - building a replay that stores what is inside of a kernel -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-codegen-build-dump-replay. An operation of the program may be several in the kernel (a softmax is a maximum,
// a subtraction, an exponential, a sum and a division). Its result is the value that operations with other ids read.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Common/ReplayProbes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mica {
#define GEN_PASS_DEF_BUILDDUMPREPLAYPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// A result of an operation of the program that the kernel keeps inside.
namespace {
struct Inside {
  Value value;
  StringRef id;
  SmallVector<int64_t> sizes; ///< kInsideSizesAttr
};
} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// Sizes
//===------------------------------------------------------------------------------------------------------------===//

/// The position of `argument` among the buffers of its kernel, or among the scalars.
static int64_t positionOf(BlockArgument argument) {
  auto isBuffer = [](BlockArgument other) { return isa<MemRefType>(other.getType()); };
  int64_t position = 0;
  for (BlockArgument before : argument.getOwner()->getArguments().take_front(argument.getArgNumber()))
    position += isBuffer(before) == isBuffer(argument);
  return position;
}

static LogicalResult findSize(Value value, int64_t dim, SmallVectorImpl<int64_t> &found);

/// The same of a size that a value of type index holds.
static LogicalResult findIndex(Value index, SmallVectorImpl<int64_t> &found) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant))) {
    found.append({-2, constant.getSExtValue()});
    return success();
  }
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      return failure();
    found.append({-1, positionOf(argument)});
    return success();
  }
  Operation *op = index.getDefiningOp();
  if (auto size = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> dim = size.getConstantIndex())
      return findSize(size.getSource(), *dim, found);
  if (auto size = dyn_cast<memref::DimOp>(op))
    if (std::optional<int64_t> dim = size.getConstantIndex())
      return findSize(size.getSource(), *dim, found);
  return failure();
}

/// Appends where the size of dimension `dim` of a tensor or buffer is known from.
static LogicalResult findSize(Value value, int64_t dim, SmallVectorImpl<int64_t> &found) {
  auto type = cast<ShapedType>(value.getType());
  if (!type.isDynamicDim(dim)) {
    found.append({-2, type.getDimSize(dim)});
    return success();
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      return failure();
    found.append({positionOf(argument), dim});
    return success();
  }
  Operation *op = value.getDefiningOp();
  if (auto buffer = dyn_cast<bufferization::ToTensorOp>(op))
    return findSize(buffer.getBuffer(), dim, found);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return findIndex(empty.getDynamicSize(dim), found);
  if (auto structured = dyn_cast<DestinationStyleOpInterface>(op))
    return findSize(structured.getTiedOpOperand(cast<OpResult>(value))->get(), dim, found);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return findSize(cast.getSource(), dim, found);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    // Dimensions that the slice drops are not counted.
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [source, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(source) && dim-- == 0)
        return isa<Value>(size) ? findIndex(llvm::cast<Value>(size), found) : failure();
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    OpFoldResult size = expand.getMixedOutputShape()[dim];
    return isa<Value>(size) ? findIndex(llvm::cast<Value>(size), found) : failure();
  }
  return failure();
}

//===------------------------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------------------------===//

/// The id of the operation that `value` is the result of; "" where it is a part of one, or of several.
static StringRef idOfResult(Value value) {
  Operation *op = value.getDefiningOp();
  SmallVector<StringRef> ids = getOpIds(op);
  if (ids.size() != 1 || !isa<RankedTensorType>(value.getType()) || isa<tensor::EmptyOp, bufferization::ToTensorOp>(op))
    return "";
  const bool isRead = llvm::any_of(op->getUsers(), [&](Operation *user) {
    return !isa<bufferization::MaterializeInDestinationOp, tensor::DimOp>(user) &&
           !llvm::is_contained(getOpIds(user), ids.front());
  });
  const bool isStored = llvm::any_of(
      op->getUsers(), [](Operation *user) { return isa<bufferization::MaterializeInDestinationOp>(user); });
  return isRead && !isStored ? ids.front() : "";
}

namespace {
struct BuildDumpReplayPass : mica::impl::BuildDumpReplayPassBase<BuildDumpReplayPass> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (kernel.isExternal() || !kernel.getBody().hasOneBlock())
      return;
    SmallVector<Inside> inside;
    for (Operation &op : kernel.front())
      for (Value result : op.getResults())
        if (StringRef id = idOfResult(result); !id.empty()) {
          Inside found{result, id, {}};
          auto type = cast<RankedTensorType>(result.getType());
          bool isKnown = true;
          for (int64_t dim = 0; dim < type.getRank() && isKnown; ++dim)
            isKnown = !type.isDynamicDim(dim) || succeeded(findSize(result, dim, found.sizes));
          if (isKnown)
            inside.push_back(std::move(found));
        }
    if (inside.empty())
      return;
    for (auto result : llvm::make_early_inc_range(kernel.getOps<bufferization::MaterializeInDestinationOp>()))
      result.erase();
    keepArgumentsUnchanged(kernel);

    // Buffers come before scalars.
    unsigned position = 0;
    while (position < kernel.getNumArguments() && isa<MemRefType>(kernel.getArgumentTypes()[position]))
      ++position;
    OpBuilder b(kernel.front().getTerminator());
    for (const Inside &found : inside) {
      auto type = cast<RankedTensorType>(found.value.getType());
      Location loc = found.value.getLoc();
      DictionaryAttr attributes =
          b.getDictionaryAttr({b.getNamedAttr(sched::kAccessAttr, b.getStringAttr("write")),
                               b.getNamedAttr(check::kInsideAttr, b.getStringAttr(found.id)),
                               b.getNamedAttr(check::kInsideSizesAttr, b.getDenseI64ArrayAttr(found.sizes))});
      (void)kernel.insertArgument(position, MemRefType::get(type.getShape(), type.getElementType()), attributes, loc);
      auto stored = bufferization::MaterializeInDestinationOp::create(b, loc, Type(), found.value,
                                                                      kernel.getArgument(position++));
      stored.setRestrict(true);
      stored.setWritable(true);
    }
  }
};
} // namespace
