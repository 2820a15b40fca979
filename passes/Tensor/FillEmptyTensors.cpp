//===- FillEmptyTensors.cpp - filling uninitialized tensors that are read ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The elements of tensor.empty are undefined. A program that reads them has different results in each run, which is
// hard to notice because the memory is often zero. The reference evaluator uses 0 (docs/Reference.md), and so does
// compiled code: a use that may read an element before it is written gets a filled tensor. Uses that write the whole
// tensor, as almost all do, keep the empty one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Coverage.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

namespace mica {
#define GEN_PASS_DEF_FILLEMPTYTENSORS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
/// The effect of a use of a tensor whose elements are undefined.
enum class Use {
  None,  ///< reads its sizes at most, or writes every element
  Maybe, ///< reads elements, unless code that is not analyzed writes them first
  Reads  ///< reads elements
};

/// The static part of a tensor that a slice writes: [begin, end) per dimension.
struct Box {
  SmallVector<int64_t> begin, end;
};
} // namespace

/// The slice that `op` writes; nothing if a position is dynamic or a stride is not 1.
static std::optional<Box> boxOf(tensor::InsertSliceOp op) {
  Box box;
  for (auto [offset, size, stride] :
       llvm::zip_equal(op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides())) {
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) || stride != 1)
      return std::nullopt;
    box.begin.push_back(offset);
    box.end.push_back(offset + size);
  }
  return box;
}

/// Whether `op` writes every element of its destination, also for dynamic sizes.
static bool writesWhole(tensor::InsertSliceOp op) {
  if (!llvm::all_of(op.getStaticOffsets(), [](int64_t offset) { return offset == 0; }) ||
      !llvm::all_of(op.getStaticStrides(), [](int64_t stride) { return stride == 1; }))
    return false;
  auto empty = op.getDest().getDefiningOp<tensor::EmptyOp>();
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    int64_t extent = op.getDestType().getDimSize(dim);
    if (!ShapedType::isDynamic(extent)) {
      if (getConstantIntValue(size) != extent)
        return false;
      continue;
    }
    if (!empty || empty.getMixedSizes()[dim] != size)
      return false;
  }
  return true;
}

/// Whether `boxes` cover a tensor of `shape`. Tests every cell of the grid formed by their edges, up to 4096 cells.
static bool cover(ArrayRef<Box> boxes, ArrayRef<int64_t> shape) {
  SmallVector<SmallVector<int64_t>> edges(shape.size());
  int64_t cells = 1;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    SmallVector<int64_t> &cuts = edges[dim];
    cuts = {0};
    for (const Box &box : boxes)
      for (int64_t cut : {box.begin[dim], box.end[dim]})
        if (cut > 0 && cut < size)
          cuts.push_back(cut);
    llvm::sort(cuts);
    cuts.erase(llvm::unique(cuts), cuts.end());
    cells *= cuts.size();
    if (cells > 4096)
      return false;
  }
  SmallVector<size_t> index(shape.size(), 0);
  for (int64_t cell = 0; cell < cells; ++cell) {
    bool written = llvm::any_of(boxes, [&](const Box &box) {
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        int64_t at = edges[dim][index[dim]];
        if (at < box.begin[dim] || at >= box.end[dim])
          return false;
      }
      return true;
    });
    if (!written)
      return false;
    for (size_t dim = shape.size(); dim-- > 0 && ++index[dim] == edges[dim].size();)
      index[dim] = 0;
  }
  return true;
}

static Use useOf(OpOperand &use);

/// The combined effect of the uses of `value`, whose elements are undefined.
static Use usesOf(Value value) {
  Use most = Use::None;
  for (OpOperand &use : value.getUses())
    most = std::max(most, useOf(use));
  return most;
}

/// Analyzes the chain of slice insertions that begins with `first`, which writes into an undefined tensor, such as a
/// concatenation. It is fully analyzed if the slices are static and each result is only used by the next insertion.
static Use useOfSlices(tensor::InsertSliceOp first) {
  if (writesWhole(first))
    return Use::None;
  if (!first.getDestType().hasStaticShape())
    return Use::Maybe;
  SmallVector<Box> boxes;
  for (tensor::InsertSliceOp op = first;;) {
    std::optional<Box> box = boxOf(op);
    if (!box)
      return Use::Maybe;
    boxes.push_back(*box);
    if (cover(boxes, op.getDestType().getShape()))
      return Use::None;
    auto next = op->hasOneUse() ? dyn_cast<tensor::InsertSliceOp>(*op->user_begin()) : nullptr;
    if (!next || next.getDest() != op.getResult())
      // The remaining elements are undefined for all users.
      return usesOf(op.getResult());
    op = next;
  }
}

static Use useOf(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::DimOp, tensor::RankOp>(op))
    return Use::None;
  // Views: the effect of their uses.
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp>(op))
    return use.getOperandNumber() == 0 ? usesOf(op->getResult(0)) : Use::None;
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return slice.getDest() == use.get() ? useOfSlices(slice) : Use::Maybe;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (structured.payloadUsesValueFromOperand(&use))
      return Use::Reads;
    // Elements of an init that are not written are part of the result.
    if (!structured.isDpsInit(&use) || mica::writesWhole(structured, use))
      return Use::None;
    return usesOf(structured.getTiedOpResult(&use)) == Use::None ? Use::None : Use::Maybe;
  }
  // linalg.pack, linalg.unpack, linalg.softmax, ..: they write their outputs completely.
  if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
      destinations && isa_and_present<linalg::LinalgDialect>(op->getDialect()))
    return destinations.isDpsInit(&use) ? Use::None : Use::Reads;
  return isa<func::ReturnOp>(op) ? Use::Reads : Use::Maybe;
}

namespace {
struct FillEmptyTensors : mica::impl::FillEmptyTensorsBase<FillEmptyTensors> {
  void runOnOperation() override {
    SmallVector<Operation *> empties;
    getOperation()->walk([&](Operation *op) {
      auto allocated = dyn_cast<bufferization::AllocTensorOp>(op);
      if (isa<tensor::EmptyOp>(op) || (allocated && !allocated.getCopy()))
        empties.push_back(op);
    });
    for (Operation *op : empties)
      fillForReaders(op->getResult(0));
  }

private:
  static void fillForReaders(Value empty) {
    SmallVector<OpOperand *> readers;
    for (OpOperand &use : empty.getUses())
      if (Use seen = useOf(use); seen != Use::None) {
        readers.push_back(&use);
        if (seen == Use::Reads)
          warn(use);
      }
    if (readers.empty())
      return;
    OpBuilder builder(empty.getContext());
    builder.setInsertionPointAfterValue(empty);
    TypedAttr zero = builder.getZeroAttr(cast<ShapedType>(empty.getType()).getElementType());
    if (!zero)
      return;
    Location loc = empty.getLoc();
    Value value = arith::ConstantOp::create(builder, loc, zero);
    Value filled = linalg::FillOp::create(builder, loc, value, empty).getResult(0);
    for (OpOperand *use : readers)
      use->set(filled);
  }

  static void warn(OpOperand &use) {
    Operation *op = use.getOwner();
    InFlightDiagnostic warning = mlir::emitWarning(op->getLoc());
    warning << "'" << op->getName() << "' " << (isa<tensor::InsertSliceOp>(op) ? "keeps" : "uses") << " elements of '"
            << use.get().getDefiningOp()->getName() << "', which are undefined; Mica sets them to 0";
    warning.attachNote(use.get().getLoc()) << "the tensor is made here";
  }
};
} // namespace
