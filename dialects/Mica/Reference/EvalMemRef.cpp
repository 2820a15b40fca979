//===- EvalMemRef.cpp - memref ----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A buffer is a view (offset and strides) of memory that other buffers may share. Every access and every view is
// bounds-checked, a view against its source's memory.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/DroppedDims.h"
#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Constants.h"
#include "dialects/Mica/Reference/Lifetimes.h"
#include "dialects/Mica/Reference/ParallelAccesses.h"
#include "dialects/Mica/Reference/Tape.h"
#include "dialects/Mica/Reference/Undefined.h"
#include "mica/Support/Checked.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace mica::reference {

//===------------------------------------------------------------------------------------------------------------===//
// Making buffers
//===------------------------------------------------------------------------------------------------------------===//

Tensor newBufferOf(MemRefType type, const Tensor &values) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  auto isDynamic = [](int64_t each) { return ShapedType::isDynamic(each); };
  if (type.getLayout().isIdentity() || values.size() == 0 || failed(type.getStridesAndOffset(strides, offset)) ||
      isDynamic(offset) || offset < 0 ||
      llvm::any_of(strides, [&](int64_t each) { return isDynamic(each) || each < 0; }))
    return Tensor::newBuffer(values);
  // The elements of vectors lie side by side.
  const ArrayRef<int64_t> inner = values.shape().drop_front(strides.size());
  for (int64_t &stride : strides)
    stride = saturatingMul(stride, sizeOf(inner));
  offset = saturatingMul(offset, sizeOf(inner));
  llvm::append_range(strides, stridesOf(inner));
  int64_t last = offset;
  for (auto [stride, extent] : llvm::zip_equal(strides, values.shape()))
    last = saturatingAdd(last, saturatingMul(stride, extent - 1));
  static constexpr int64_t mostCellsPerElement = 64;
  if (last >= saturatingMul(values.size(), mostCellsPerElement))
    return Tensor::newBuffer(values);
  auto memory = std::make_shared<BufferMemory>(static_cast<size_t>(last) + 1);
  if (values.bound)
    memory->bounds = std::make_shared<BufferMemory>(static_cast<size_t>(last) + 1);
  Tensor buffer = Tensor::buffer(values.elementType(), values.shape(),
                                 {std::move(memory), offset, SmallVector<int64_t, 4>(strides.begin(), strides.end())});
  buffer.store(values);
  return buffer;
}

namespace {

template <typename OpT> FailureOr<Tensor> evalAlloc(OpT op, Operands in, Evaluator &evaluator) {
  ArrayRef<Tensor> dynamic = in;
  MemRefType type = op.getType();
  SmallVector<int64_t> shape = fillDynamic(type.getShape(), dynamic);
  if (auto vector = dyn_cast<VectorType>(type.getElementType()))
    llvm::append_range(shape, vector.getShape());
  FailureOr<Tensor> cells = evaluator.allocate(op, *ElementType::of(type), shape);
  if (failed(cells))
    return failure();
  setUninitialized(op, *cells, evaluator);
  Tensor buffer = newBufferOf(type, *cells);
  const bool isStack = std::is_same_v<OpT, memref::AllocaOp>;
  noteAllocation(op, buffer, isStack ? Allocation::Kind::Stack : Allocation::Kind::Heap, evaluator);
  return buffer;
}

LogicalResult evalDealloc(memref::DeallocOp op, Operands in, Results &, Evaluator &evaluator) {
  return endAllocation(op, in[0], evaluator);
}

FailureOr<Tensor> evalRealloc(memref::ReallocOp op, Operands in, Evaluator &evaluator) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front();
  FailureOr<Tensor> cells = evaluator.allocate(op, in[0].elementType(), fillDynamic(op.getType().getShape(), dynamic));
  if (failed(cells))
    return failure();
  Tensor old = in[0].loaded();
  std::copy_n(old.data(), std::min(old.size(), cells->size()), cells->mutableData());
  setUninitialized(op, *cells, evaluator, &old);
  Tensor buffer = Tensor::newBuffer(*cells);
  if (failed(endAllocation(op, in[0], evaluator)))
    return failure();
  noteAllocation(op, buffer, Allocation::Kind::Heap, evaluator);
  return buffer;
}

LogicalResult evalGlobal(memref::GlobalOp, Operands, Results &, Evaluator &) { return success(); }

FailureOr<Tensor> evalGetGlobal(memref::GetGlobalOp op, Operands, Evaluator &evaluator) {
  auto global = evaluator.symbols.lookupNearestSymbolFrom<memref::GlobalOp>(op, op.getNameAttr());
  if (!global)
    return op.emitError() << "no global " << op.getName() << " is in sight";
  if (auto it = evaluator.globalBuffers.find(global); it != evaluator.globalBuffers.end())
    return it->second;
  if (global.isExternal())
    return op.emitError() << "global " << op.getName() << " has no initial value in this module";
  bool hasValue = global.getInitialValue() && !isa<UnitAttr>(*global.getInitialValue());
  FailureOr<Tensor> values =
      hasValue ? tensorOf(op, *global.getInitialValue(), evaluator)
               : evaluator.allocate(op, *ElementType::of(global.getType()), global.getType().getShape());
  if (failed(values))
    return failure();
  if (!hasValue)
    setUninitialized(op, *values, evaluator);
  Tensor buffer = newBufferOf(global.getType(), *values);
  noteAllocation(op, buffer, Allocation::Kind::Global, evaluator);
  if (global.getConstant())
    noteConstant(global, buffer, evaluator);
  evaluator.globalBuffers[global] = buffer;
  return buffer;
}

//===------------------------------------------------------------------------------------------------------------===//
// Elements
//===------------------------------------------------------------------------------------------------------------===//

/// Checks an access at `at`, which may promise an alignment.
template <typename OpT> LogicalResult checkCell(OpT op, const Tensor &buffer, int64_t at, Evaluator &evaluator) {
  return checkAlignment(op, buffer, at, op.getAlignment().value_or(1), evaluator);
}

FailureOr<Tensor> evalLoad(memref::LoadOp op, Operands in, Evaluator &evaluator) {
  FailureOr<int64_t> at = elementPosition(op, in[0], ArrayRef<Tensor>(in).drop_front());
  if (failed(at) || failed(checkCell(op, in[0], *at, evaluator)))
    return failure();
  return loadElement(op, in[0], *at, op.getMemRefType(), evaluator);
}

LogicalResult evalStore(memref::StoreOp op, Operands in, Results &, Evaluator &evaluator) {
  FailureOr<int64_t> at = elementPosition(op, in[1], ArrayRef<Tensor>(in).drop_front(2), &in[0]);
  if (failed(at) || failed(checkCell(op, in[1], *at, evaluator)))
    return failure();
  storeElement(in[0], in[1], *at, op.getMemRefType(), evaluator);
  return success();
}

LogicalResult evalCopy(memref::CopyOp op, Operands in, Results &, Evaluator &) {
  if (in[0].shape() != in[1].shape())
    return op.emitError() << "shape mismatch: " << in[0].typeString() << " copied to " << in[1].typeString();
  in[1].store(in[0].loaded());
  return success();
}

/// The bound of an element that an op reads and writes.
Cell &boundCell(const Tensor &buffer, int64_t at) { return (*buffer.boundTwin().view().memory)[size_t(at)]; }

/// The bound of an element after an atomic update, in a search for what is undefined.
double undefinedAfter(arith::AtomicRMWKind kind, ElementType type, Cell old, double ofOld, Cell given, double ofGiven) {
  using Kind = arith::AtomicRMWKind;
  switch (kind) {
  case Kind::assign:
    return ofGiven;
  case Kind::andi:
    return undefinedBits(Bitwise::And, type, old, ofOld, given, ofGiven);
  case Kind::ori:
    return undefinedBits(Bitwise::Or, type, old, ofOld, given, ofGiven);
  case Kind::xori:
    return undefinedBits(Bitwise::Xor, type, old, ofOld, given, ofGiven);
  default:
    return ofOld != 0 || ofGiven != 0 ? kUnknown : 0;
  }
}

FailureOr<Tensor> evalAtomic(memref::AtomicRMWOp op, Operands in, Evaluator &evaluator) {
  FailureOr<int64_t> at = elementPosition(op, in[1], ArrayRef<Tensor>(in).drop_front(2));
  if (failed(at))
    return failure();
  const ElementType type = in[1].elementType();
  Tensor old = Tensor::scalar(type, in[1].cellAt(*at));
  Tensor combined = Tensor::scalar(type, combine(op.getKind(), type, old.value(), in[0].value()));
  combined.roundAll();
  in[1].setCellAt(*at, combined.value());
  if (evaluator.undefined()) {
    Cell &bound = boundCell(in[1], *at);
    const double before = bound.f, given = in[0].scalarBound();
    bound = Cell::of(undefinedAfter(op.getKind(), type, old.value(), before, in[0].value(), given));
    if (before != 0)
      old.setBound(Tensor::scalar(DType::F64, Cell::of(before)));
  } else if (evaluator.tracksBounds() && combined.elementType().isFloat) {
    // In any order: the larger of both bounds for a selection, else including rounding errors.
    Cell &bound = boundCell(in[1], *at);
    using Kind = arith::AtomicRMWKind;
    const bool chooses = op.getKind() != Kind::addf && op.getKind() != Kind::mulf;
    const double before = bound.f, given = in[0].scalarBound();
    const double factor =
        op.getKind() == Kind::mulf ? std::max({1.0, std::fabs(old.value().f), std::fabs(in[0].value().f)}) : 1;
    if (before != 0)
      old.setBound(Tensor::scalar(DType::F64, bound));
    bound = Cell::of(
        chooses ? std::max(before, given)
                : roundedBound(combined.elementType(), combined.value().f, std::hypot(before, given) * factor));
  }
  return old;
}

FailureOr<Tensor> evalGenericAtomic(memref::GenericAtomicRMWOp op, Operands in, Evaluator &evaluator) {
  FailureOr<int64_t> at = elementPosition(op, in[0], ArrayRef<Tensor>(in).drop_front());
  if (failed(at))
    return failure();
  Tensor old = Tensor::scalar(in[0].elementType(), in[0].cellAt(*at));
  const bool isBounded = evaluator.tracksBounds();
  if (isBounded)
    old.setBound(Tensor::scalar(DType::F64, boundCell(in[0], *at)));
  SmallVector<Tensor> results;
  if (failed(evaluator.runRegion(op.getRegion(), {old}, results)))
    return failure();
  in[0].setCellAt(*at, results[0].value());
  if (isBounded)
    boundCell(in[0], *at) = Cell::of(results[0].scalarBound());
  return old;
}

//===------------------------------------------------------------------------------------------------------------===//
// Views
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalSubView(memref::SubViewOp op, Operands in, Evaluator &) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front();
  SmallVector<int64_t> offsets = fillDynamic(op.getStaticOffsets(), dynamic);
  SmallVector<int64_t> sizes = fillDynamic(op.getStaticSizes(), dynamic);
  SmallVector<int64_t> strides = fillDynamic(op.getStaticStrides(), dynamic);
  BufferView view{in[0].view().memory, in[0].view().offset, {}, in[0].view().bytes};
  SmallVector<int64_t> shape;
  llvm::SmallBitVector dropped = mica::droppedDims(op);
  for (auto [d, whole] : llvm::enumerate(in[0].view().strides)) {
    int64_t extent = in[0].dim(d), last = offsets[d] + (sizes[d] - 1) * strides[d];
    if (sizes[d] < 0 || (sizes[d] > 0 && (offsets[d] < 0 || offsets[d] >= extent || last < 0 || last >= extent)))
      return op.emitError() << "subview [offset " << offsets[d] << ", size " << sizes[d] << ", stride " << strides[d]
                            << "] is out of range for dimension " << d << " of extent " << extent;
    view.offset += offsets[d] * whole;
    if (!dropped[d]) {
      shape.push_back(sizes[d]);
      view.strides.push_back(strides[d] * whole);
    }
  }
  return Tensor::buffer(in[0].elementType(), shape, std::move(view));
}

/// Strides in elements of `buffer` as strides in cells of its memory.
SmallVector<int64_t> inCells(SmallVector<int64_t> strides, const Tensor &buffer) {
  for (int64_t &stride : strides)
    stride = saturatingMul(stride, buffer.view().unit());
  return strides;
}

FailureOr<Tensor> evalReinterpretCast(memref::ReinterpretCastOp op, Operands in, Evaluator &) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front();
  int64_t offset = fillDynamic(op.getStaticOffsets(), dynamic)[0];
  SmallVector<int64_t> sizes = fillDynamic(op.getStaticSizes(), dynamic);
  SmallVector<int64_t> strides = inCells(fillDynamic(op.getStaticStrides(), dynamic), in[0]);
  return checkedView(op, in[0], sizes, saturatingMul(offset, in[0].view().unit()), strides);
}

FailureOr<Tensor> evalExpandShape(memref::ExpandShapeOp op, Operands in, Evaluator &) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front();
  SmallVector<int64_t> shape = fillDynamic(op.getStaticOutputShape(), dynamic), strides(shape.size());
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t stride = in[0].view().strides[d], extent = 1;
    for (int64_t inner : llvm::reverse(group)) {
      strides[inner] = stride;
      stride = saturatingMul(stride, shape[inner]);
      extent = saturatingMul(extent, shape[inner]);
    }
    if (extent != in[0].dim(d))
      return op.emitError() << "shape mismatch: dimension " << d << " of extent " << in[0].dim(d) << " becomes "
                            << extent << " elements";
  }
  return checkedView(op, in[0], shape, in[0].view().offset, strides);
}

FailureOr<Tensor> evalCollapseShape(memref::CollapseShapeOp op, Operands in, Evaluator &) {
  SmallVector<int64_t> shape, strides;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t extent = 1, stride = in[0].view().unit();
    bool isFirst = true; // among the dimensions that are not 1, from the innermost outwards
    for (int64_t d : llvm::reverse(group)) {
      if (in[0].dim(d) != 1) {
        if (isFirst)
          stride = in[0].view().strides[d];
        else if (in[0].view().strides[d] != stride * extent)
          return op.emitError() << "dimension " << d
                                << " does not lie behind the next one without a gap: it has stride "
                                << in[0].view().strides[d];
        isFirst = false;
      }
      extent *= in[0].dim(d);
    }
    shape.push_back(extent);
    strides.push_back(stride);
  }
  return checkedView(op, in[0], shape, in[0].view().offset, strides);
}

FailureOr<Tensor> evalReshape(memref::ReshapeOp op, Operands in, Evaluator &) {
  SmallVector<int64_t> shape = in[1].loaded().toInts();
  if (checkedElements(shape) != in[0].size())
    return op.emitError() << "shape mismatch: " << in[0].typeString() << " cannot become " << shapeString(shape);
  return checkedView(op, in[0], shape, in[0].view().offset, inCells(stridesOf(shape), in[0]));
}

FailureOr<Tensor> evalTranspose(memref::TransposeOp op, Operands in, Evaluator &) {
  SmallVector<int64_t> shape;
  BufferView view{in[0].view().memory, in[0].view().offset, {}, in[0].view().bytes};
  for (AffineExpr result : op.getPermutation().getResults()) {
    unsigned d = cast<AffineDimExpr>(result).getPosition();
    shape.push_back(in[0].dim(d));
    view.strides.push_back(in[0].view().strides[d]);
  }
  return Tensor::buffer(in[0].elementType(), shape, std::move(view));
}

LogicalResult evalStridedMetadata(memref::ExtractStridedMetadataOp, Operands in, Results &out, Evaluator &) {
  const BufferView &view = in[0].view();
  out.push_back(Tensor::buffer(in[0].elementType(), {}, {view.memory, view.offset % view.unit(), {}, view.bytes}));
  out.push_back(Tensor::index(view.offset / view.unit()));
  for (int64_t size : in[0].shape())
    out.push_back(Tensor::index(size));
  for (int64_t stride : view.strides)
    out.push_back(Tensor::index(stride / view.unit()));
  return success();
}

/// Bytes as elements of another type.
FailureOr<Tensor> evalView(memref::ViewOp op, Operands in, Evaluator &evaluator) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front(2);
  SmallVector<int64_t> shape = fillDynamic(op.getType().getShape(), dynamic);
  const ElementType type = *ElementType::of(op.getType());
  const int64_t shift = in[1].value().i, bytes = dtypeBytes(type.dtype);
  const std::optional<int64_t> size = checkedElements(shape);
  if (llvm::any_of(shape, [](int64_t extent) { return extent < 0; }) || !size || shift < 0 || shift > in[0].size() ||
      saturatingMul(*size, bytes) > in[0].size() - shift)
    return op.emitError() << "a view of shape " << shapeString(shape) << " from byte " << shift << " on leaves its "
                          << in[0].size() << " bytes";
  BufferView view{in[0].view().memory, in[0].view().offset + shift, {}, unsigned(bytes)};
  for (int64_t stride : stridesOf(shape))
    view.strides.push_back(stride * bytes);
  // An element has the bound of its first byte.
  if (evaluator.undefined() && view.memory->bounds)
    for (Cell &bound : *view.memory->bounds)
      bound = Cell::of(bound.f != 0 ? kUnknown : 0.0);
  return Tensor::buffer(type, shape, std::move(view));
}

/// The address of the buffer's memory, which ops of the llvm dialect can then access.
FailureOr<Tensor> evalPointer(memref::ExtractAlignedPointerAsIndexOp op, Operands in, Evaluator &evaluator) {
  return addressOf(op, in[0], evaluator);
}

/// Casts and assumptions: the same buffer.
template <typename OpT> FailureOr<Tensor> evalSame(OpT, Operands in, Evaluator &) { return in[0]; }

/// If the result is unused, nothing relies on the promise.
FailureOr<Tensor> evalAssumeAlignment(memref::AssumeAlignmentOp op, Operands in, Evaluator &evaluator) {
  if (!op->use_empty() && in[0].isBuffer() &&
      failed(checkAlignment(op, in[0], in[0].view().offset, op.getAlignment(), evaluator)))
    return failure();
  return in[0];
}

LogicalResult evalDistinct(memref::DistinctObjectsOp op, Operands in, Results &out, Evaluator &evaluator) {
  if (evaluator.undefined() && !op->use_empty())
    for (size_t a = 0; a < in.size(); ++a)
      for (size_t b = a + 1; b < in.size(); ++b)
        if (overlap(in[a], in[b]))
          return op.emitError() << "objects " << a << " and " << b << " are not distinct: " << in[a].typeString()
                                << " and " << in[b].typeString() << " have elements in common";
  out.append(in.begin(), in.end());
  return success();
}

FailureOr<Tensor> evalDim(memref::DimOp op, Operands in, Evaluator &) {
  int64_t d = in[1].value().i;
  if (d < 0 || d >= in[0].rank())
    return op.emitError() << "dimension " << d << " of a buffer of rank " << in[0].rank();
  return Tensor::index(in[0].dim(d));
}

FailureOr<Tensor> evalRank(memref::RankOp, Operands in, Evaluator &) { return Tensor::index(in[0].rank()); }

LogicalResult evalPrefetch(memref::PrefetchOp, Operands, Results &, Evaluator &) { return success(); }

LogicalResult evalAllocaScope(memref::AllocaScopeOp op, Operands, Results &out, Evaluator &evaluator) {
  return evaluator.runRegion(op.getBodyRegion(), {}, out);
}

} // namespace

FailureOr<int64_t> elementPosition(Operation *op, const Tensor &buffer, ArrayRef<Tensor> indices,
                                   const Tensor *stored) {
  int64_t at = buffer.view().offset;
  for (auto [d, value] : llvm::enumerate(indices)) {
    int64_t index = value.value().i;
    if (index < 0 || index >= buffer.dim(d))
      return op->emitError() << "index " << index << " is out of range for dimension " << d << " of extent "
                             << buffer.dim(d);
    at += index * buffer.view().strides[d];
  }
  if (ParallelAccesses::isAnyNoted()) {
    const bool isRead = isa<memref::LoadOp, affine::AffineLoadOp>(op);
    const bool isWrite = isa<memref::StoreOp, affine::AffineStoreOp>(op);
    const bool isKnown =
        stored && stored->shape().empty() && !stored->isBuffer() && buffer.shape().size() == indices.size();
    noteAccess(*buffer.view().memory, at,
               isRead    ? AccessKind::Read
               : isWrite ? AccessKind::Write
                         : AccessKind::Atomic,
               !isKnown || stored->value().i != buffer.cellAt(at).i);
  }
  return at;
}

FailureOr<Tensor> loadElement(Operation *op, const Tensor &buffer, int64_t at, MemRefType type, Evaluator &evaluator) {
  const auto rank = size_t(type.getRank());
  if (isa<BaseMemRefType>(type.getElementType())) {
    const int64_t number = buffer.cellAt(at).i;
    if (number < 1 || number > int64_t(evaluator.buffersInBuffers.size()))
      return op->emitError() << "a buffer is loaded that was not stored";
    return evaluator.buffersInBuffers[size_t(number) - 1];
  }
  if (buffer.shape().size() == rank) {
    Tensor element = Tensor::scalar(buffer.elementType(), buffer.cellAt(at));
    if (evaluator.options.tape)
      element.origin = originAt(buffer, at);
    return element;
  }
  BufferView view = buffer.view();
  view.offset = at;
  view.strides.erase(view.strides.begin(), view.strides.begin() + rank);
  return Tensor::buffer(buffer.elementType(), buffer.shape().drop_front(rank), std::move(view)).loaded();
}

void storeElement(const Tensor &value, const Tensor &buffer, int64_t at, MemRefType type, Evaluator &evaluator) {
  const auto rank = size_t(type.getRank());
  if (isa<BaseMemRefType>(type.getElementType())) {
    evaluator.buffersInBuffers.push_back(value);
    return buffer.setCellAt(at, Cell::of(int64_t(evaluator.buffersInBuffers.size())));
  }
  if (buffer.shape().size() == rank) {
    if (evaluator.options.tape)
      noteStored(value, buffer, at);
    return buffer.setCellAt(at, value.value());
  }
  buffer.view().memory->origins = nullptr;
  BufferView view = buffer.view();
  view.offset = at;
  view.strides.erase(view.strides.begin(), view.strides.begin() + rank);
  Tensor::buffer(buffer.elementType(), buffer.shape().drop_front(rank), std::move(view)).store(value);
}

FailureOr<Tensor> checkedView(Operation *op, const Tensor &source, ArrayRef<int64_t> shape, int64_t offset,
                              ArrayRef<int64_t> strides) {
  int64_t lowest = offset, highest = offset, end = source.view().memory->size();
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    if (extent < 0)
      return op->emitError() << "a buffer of shape " << shapeString(shape) << " has a negative extent";
    (stride < 0 ? lowest : highest) += stride * (extent - 1);
  }
  highest += source.view().unit() - 1;
  if (!llvm::is_contained(shape, 0) && (lowest < 0 || highest >= end))
    return op->emitError() << "a buffer of shape " << shapeString(shape) << " at offset " << offset << " with strides ("
                           << pointString(strides) << ") leaves its memory of " << end << " elements";
  return Tensor::buffer(
      source.elementType(), shape,
      {source.view().memory, offset, SmallVector<int64_t, 4>(strides.begin(), strides.end()), source.view().bytes});
}

LogicalResult evalSelectOfBuffers(Operation *op, Operands in, Results &out, Evaluator &evaluator) {
  const Tensor &condition = in.front();
  if (failed(requireDefined(op, condition, "the condition", evaluator)))
    return failure();
  evaluator.isUndecided |= evaluator.tracksBounds() && condition.hasBound() && condition.scalarBound() > 0;
  out.push_back(in[condition.value().i != 0 ? 1 : 2]);
  return success();
}

void addMemRefOps(OpTable &table) {
  table.add<memref::AllocOp>(evalAlloc<memref::AllocOp>);
  table.add<memref::AllocaOp>(evalAlloc<memref::AllocaOp>);
  table.add<memref::ReallocOp>(evalRealloc);
  table.add<memref::DeallocOp>(evalDealloc);
  table.add<memref::GlobalOp>(evalGlobal);
  table.add<memref::GetGlobalOp>(evalGetGlobal);
  table.add<memref::LoadOp>(evalLoad);
  table.add<memref::StoreOp>(evalStore);
  table.add<memref::CopyOp>(evalCopy);
  table.add<memref::AtomicRMWOp>(evalAtomic);
  table.add<memref::GenericAtomicRMWOp>(evalGenericAtomic);
  table.addTerminator<memref::AtomicYieldOp>();
  table.add<memref::SubViewOp>(evalSubView);
  table.add<memref::ReinterpretCastOp>(evalReinterpretCast);
  table.add<memref::ExpandShapeOp>(evalExpandShape);
  table.add<memref::CollapseShapeOp>(evalCollapseShape);
  table.add<memref::ReshapeOp>(evalReshape);
  table.add<memref::TransposeOp>(evalTranspose);
  table.add<memref::ExtractStridedMetadataOp>(evalStridedMetadata);
  table.add<memref::ViewOp>(evalView);
  table.add<memref::ExtractAlignedPointerAsIndexOp>(evalPointer);
  table.add<memref::CastOp>(evalSame<memref::CastOp>);
  table.add<memref::MemorySpaceCastOp>(evalSame<memref::MemorySpaceCastOp>);
  table.add<memref::AssumeAlignmentOp>(evalAssumeAlignment);
  table.add<memref::DistinctObjectsOp>(evalDistinct);
  table.add<memref::DimOp>(evalDim);
  table.add<memref::RankOp>(evalRank);
  table.add<memref::PrefetchOp>(evalPrefetch);
  table.add<memref::AllocaScopeOp>(evalAllocaScope);
  table.addTerminator<memref::AllocaScopeReturnOp>();
}

} // namespace mica::reference
