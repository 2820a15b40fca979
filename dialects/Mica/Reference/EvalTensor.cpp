//===- EvalTensor.cpp - tensor, sparse_tensor, constants of arith, state of ml_program and tosa -------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Index computations of `tensor`. tensor.empty returns zeros: its contents are unspecified, and a program that reads
// them is invalid. Every index and slice is bounds-checked.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Body.h"
#include "dialects/Mica/Reference/Constants.h"
#include "dialects/Mica/Reference/Undefined.h"
#include "mica/Support/Checked.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace mica::reference {

SmallVector<int64_t> fillDynamic(ArrayRef<int64_t> numbers, ArrayRef<Tensor> &dynamic) {
  SmallVector<int64_t> filled(numbers);
  for (int64_t &number : filled)
    if (ShapedType::isDynamic(number)) {
      number = dynamic.front().value().i;
      dynamic = dynamic.drop_front();
    }
  return filled;
}

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Making tensors
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalConstant(arith::ConstantOp op, Operands, Evaluator &evaluator) {
  return tensorOf(op, op.getValue(), evaluator);
}

/// The sizes of `type`, dynamic ones taken from `dynamic` in order.
SmallVector<int64_t> shapeWith(ShapedType type, ArrayRef<Tensor> dynamic) {
  return fillDynamic(type.getShape(), dynamic);
}

FailureOr<Tensor> evalEmpty(tensor::EmptyOp op, Operands in, Evaluator &evaluator) {
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(op.getType()), shapeWith(op.getType(), in));
  if (succeeded(result))
    setUninitialized(op, *result, evaluator);
  return result;
}

FailureOr<Tensor> filled(Operation *op, Cell value, ElementType type, ArrayRef<int64_t> shape,
                         const Evaluator &evaluator) {
  FailureOr<Tensor> result = evaluator.allocate(op, type, shape);
  if (failed(result))
    return failure();
  std::fill_n(result->mutableData(), result->size(), value);
  return result;
}

FailureOr<Tensor> evalSplat(tensor::SplatOp op, Operands in, Evaluator &evaluator) {
  return filled(op, in[0].value(), in[0].elementType(),
                shapeWith(cast<ShapedType>(op.getType()), ArrayRef<Tensor>(in).drop_front()), evaluator);
}

FailureOr<Tensor> evalFromElements(tensor::FromElementsOp op, Operands in, Evaluator &evaluator) {
  auto type = cast<RankedTensorType>(op.getType());
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(type), type.getShape());
  if (failed(result))
    return failure();
  Cell *cells = result->mutableData();
  for (const Tensor &element : in)
    *cells++ = element.value();
  return result;
}

/// Fills `result` by a body whose arguments are the indices of the element.
LogicalResult fillFromBody(Block &block, Tensor &result, Evaluator &evaluator) {
  Body body(block, evaluator, /*rounded=*/true);
  Cell *cell = result.mutableData();
  Tensor bounds = body.isBounded() ? Tensor(DType::F64, result.shape()) : Tensor();
  Cell *bound = bounds.mutableData();
  LogicalResult status = tryEachPosition(result.shape(), [&](ArrayRef<int64_t> position) -> LogicalResult {
    for (auto [d, index] : llvm::enumerate(position))
      body.arg(d) = Cell::of(index);
    if (failed(body.run(position)))
      return failure();
    *cell++ = body.yielded(0);
    if (body.isBounded())
      *bound++ = Cell::of(body.yieldedBound(0));
    return success();
  });
  if (body.isBounded())
    result.setBound(std::move(bounds));
  return status;
}

FailureOr<Tensor> evalGenerate(tensor::GenerateOp op, Operands in, Evaluator &evaluator) {
  auto type = cast<RankedTensorType>(op.getType());
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(type), shapeWith(type, in));
  if (failed(result) || failed(fillFromBody(op.getBody().front(), *result, evaluator)))
    return failure();
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Elements and slices
//===------------------------------------------------------------------------------------------------------------===//

/// The position `indices` in `tensor`, bounds-checked.
FailureOr<int64_t> checkedPosition(Operation *op, const Tensor &tensor, ArrayRef<Tensor> indices) {
  int64_t linear = 0;
  for (auto [d, tensorIndex] : llvm::enumerate(indices)) {
    int64_t index = tensorIndex.value().i;
    if (index < 0 || index >= tensor.dim(d))
      return op->emitError() << "index " << index << " is out of range for dimension " << d << " of extent "
                             << tensor.dim(d);
    linear = linear * tensor.dim(d) + index;
  }
  return linear;
}

FailureOr<Tensor> evalExtract(tensor::ExtractOp op, Operands in, Evaluator &) {
  FailureOr<int64_t> position = checkedPosition(op, in[0], ArrayRef<Tensor>(in).drop_front());
  if (failed(position))
    return failure();
  return Tensor::scalar(in[0].elementType(), in[0].data()[*position]);
}

FailureOr<Tensor> evalInsert(tensor::InsertOp op, Operands in, Evaluator &) {
  FailureOr<int64_t> position = checkedPosition(op, in[1], ArrayRef<Tensor>(in).drop_front(2));
  if (failed(position))
    return failure();
  Tensor result = std::move(in[1]);
  result.mutableData()[*position] = in[0].value();
  return result;
}

/// A slice: per dimension offset, size and stride.
struct Slice {
  SmallVector<int64_t> offsets, sizes, strides;
};

/// The slice of `op`, with the dynamic operands `dynamic`, checked to be in bounds of `shape`.
template <typename OpT> FailureOr<Slice> sliceOf(OpT op, ArrayRef<Tensor> dynamic, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> offsets = fillDynamic(op.getStaticOffsets(), dynamic);
  SmallVector<int64_t> sizes = fillDynamic(op.getStaticSizes(), dynamic);
  Slice slice{offsets, sizes, fillDynamic(op.getStaticStrides(), dynamic)};
  for (auto [d, extent] : llvm::enumerate(shape)) {
    int64_t offset = slice.offsets[d], size = slice.sizes[d], stride = slice.strides[d];
    if (size < 0)
      return op->emitError() << "slice size " << size << " of dimension " << d << " is negative";
    if (size == 0)
      continue;
    int64_t span = 0, last = 0;
    bool overflows = llvm::MulOverflow(size - 1, stride, span) || llvm::AddOverflow(offset, span, last);
    if (overflows || offset < 0 || offset >= extent || last < 0 || last >= extent)
      return op->emitError() << "slice [offset " << offset << ", size " << size << ", stride " << stride
                             << "] is out of range for dimension " << d << " of extent " << extent;
  }
  return slice;
}

/// Visits the cells of `whole` that `slice` selects, in row-major order.
void forEachInSlice(const Slice &slice, ArrayRef<int64_t> wholeStrides, function_ref<void(int64_t)> visit) {
  int64_t base = linearize(slice.offsets, wholeStrides);
  SmallVector<int64_t> steps;
  for (auto [stride, whole] : llvm::zip_equal(slice.strides, wholeStrides))
    steps.push_back(stride * whole);
  forEachPosition(slice.sizes, [&](ArrayRef<int64_t> position) { visit(base + linearize(position, steps)); });
}

FailureOr<Tensor> evalExtractSlice(tensor::ExtractSliceOp op, Operands in, Evaluator &evaluator) {
  FailureOr<Slice> slice = sliceOf(op, ArrayRef<Tensor>(in).drop_front(), in[0].shape());
  if (failed(slice))
    return failure();
  SmallVector<int64_t> shape;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [d, size] : llvm::enumerate(slice->sizes))
    if (!dropped[d])
      shape.push_back(size);
  FailureOr<Tensor> result = evaluator.allocate(op, in[0].elementType(), shape);
  if (failed(result))
    return failure();
  Cell *cell = result->mutableData();
  const Cell *source = in[0].data();
  forEachInSlice(*slice, in[0].strides(), [&](int64_t position) { *cell++ = source[position]; });
  return result;
}

FailureOr<Tensor> evalInsertSlice(tensor::InsertSliceOp op, Operands in, Evaluator &) {
  FailureOr<Slice> slice = sliceOf(op, ArrayRef<Tensor>(in).drop_front(2), in[1].shape());
  if (failed(slice))
    return failure();
  if (sizeOf(slice->sizes) != in[0].size())
    return op.emitError() << "shape mismatch: " << in[0].typeString() << " inserted into a slice of shape "
                          << shapeString(slice->sizes);
  Tensor result = std::move(in[1]);
  Cell *cells = result.mutableData();
  const Cell *source = in[0].data();
  forEachInSlice(*slice, result.strides(), [&](int64_t position) { cells[position] = *source++; });
  return result;
}

FailureOr<Tensor> evalPad(tensor::PadOp op, Operands in, Evaluator &evaluator) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front();
  SmallVector<int64_t> low = fillDynamic(op.getStaticLow(), dynamic), high = fillDynamic(op.getStaticHigh(), dynamic);
  SmallVector<int64_t> shape(in[0].shape());
  for (auto [d, extent] : llvm::enumerate(shape)) {
    if (low[d] < 0 || high[d] < 0)
      return op.emitError() << "padding of dimension " << d << " is negative: low " << low[d] << ", high " << high[d];
    const std::optional<int64_t> padded = checkedAdd(extent, low[d]);
    const std::optional<int64_t> whole = padded ? checkedAdd(*padded, high[d]) : padded;
    if (!whole)
      return op.emitError() << "dimension " << d << " cannot have the size " << low[d] << " + " << extent << " + "
                            << high[d] << ": that is 2^63 or more";
    extent = *whole;
  }
  FailureOr<Tensor> result = evaluator.allocate(op, in[0].elementType(), shape);
  if (failed(result) || failed(fillFromBody(op.getRegion().front(), *result, evaluator)))
    return failure();
  Slice inner{low, SmallVector<int64_t>(in[0].shape()), SmallVector<int64_t>(low.size(), 1)};
  Cell *cells = result->mutableData();
  const Cell *source = in[0].data();
  forEachInSlice(inner, result->strides(), [&](int64_t position) { cells[position] = *source++; });
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Gather and scatter
//===------------------------------------------------------------------------------------------------------------===//

/// Calls `visit(slice)` for each coordinate vector of `indices` (innermost dimension): the slice of `shape` with size 1
/// in `gatherDims` and whole otherwise.
LogicalResult forEachGathered(Operation *op, ArrayRef<int64_t> gatherDims, const Tensor &indices,
                              ArrayRef<int64_t> shape, function_ref<void(const Slice &)> visit) {
  Slice slice{SmallVector<int64_t>(shape.size(), 0), SmallVector<int64_t>(shape),
              SmallVector<int64_t>(shape.size(), 1)};
  for (int64_t dim : gatherDims)
    slice.sizes[dim] = 1;
  const Cell *index = indices.data();
  for (int64_t n = indices.size() / std::max<int64_t>(gatherDims.size(), 1); n > 0; --n) {
    for (int64_t dim : gatherDims) {
      int64_t at = (index++)->i;
      if (at < 0 || at >= shape[dim])
        return op->emitError() << "index " << at << " is out of range for dimension " << dim << " of extent "
                               << shape[dim];
      slice.offsets[dim] = at;
    }
    visit(slice);
  }
  return success();
}

/// Fails if coordinates that an op declares as unique are not, in the search for undefined behavior.
LogicalResult checkUnique(Operation *op, bool isUnique, const Tensor &indices, Evaluator &evaluator) {
  if (!isUnique || !evaluator.undefined())
    return success();
  const int64_t count = indices.dim(indices.rank() - 1), tuples = count ? indices.size() / count : 0;
  llvm::StringMap<int64_t> seen;
  for (int64_t n = 0; n < tuples; ++n) {
    SmallVector<int64_t> tuple;
    for (int64_t d = 0; d < count; ++d)
      tuple.push_back(indices.intAt(n * count + d));
    if (auto [it, isNew] = seen.try_emplace(pointString(tuple), n); !isNew)
      return op->emitError() << "coordinates (" << pointString(tuple) << ") are not unique: tuples " << it->second
                             << " and " << n;
  }
  return success();
}

FailureOr<Tensor> evalGather(tensor::GatherOp op, Operands in, Evaluator &evaluator) {
  if (failed(checkUnique(op, op.getUnique(), in[1], evaluator)))
    return failure();
  SmallVector<int64_t> shape(in[1].shape().drop_back());
  for (int64_t d = 0; d < in[0].rank(); ++d) {
    bool isGathered = llvm::is_contained(op.getGatherDims(), d);
    bool isDropped = isGathered && op.getResultType().getRank() ==
                                       in[1].rank() - 1 + in[0].rank() - int64_t(op.getGatherDims().size());
    if (!isDropped)
      shape.push_back(isGathered ? 1 : in[0].dim(d));
  }
  FailureOr<Tensor> result = evaluator.allocate(op, in[0].elementType(), shape);
  if (failed(result))
    return failure();
  Cell *cell = result->mutableData();
  LogicalResult status = forEachGathered(op, op.getGatherDims(), in[1], in[0].shape(), [&](const Slice &slice) {
    forEachInSlice(slice, in[0].strides(), [&](int64_t position) { *cell++ = in[0].data()[position]; });
  });
  return failed(status) ? FailureOr<Tensor>(failure()) : result;
}

FailureOr<Tensor> evalScatter(tensor::ScatterOp op, Operands in, Evaluator &evaluator) {
  if (failed(checkUnique(op, op.getUnique(), in[2], evaluator)))
    return failure();
  Tensor result = std::move(in[1]);
  Cell *cells = result.mutableData();
  const Cell *source = in[0].data();
  SmallVector<int64_t> strides = result.strides();
  LogicalResult status = forEachGathered(op, op.getScatterDims(), in[2], result.shape(), [&](const Slice &slice) {
    forEachInSlice(slice, strides, [&](int64_t position) { cells[position] = *source++; });
  });
  return failed(status) ? FailureOr<Tensor>(failure()) : result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Shapes
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> reshapedTo(Operation *op, const Tensor &tensor, ArrayRef<int64_t> shape) {
  if (checkedElements(shape) != tensor.size())
    return op->emitError() << "shape mismatch: " << tensor.typeString() << " cannot become " << shapeString(shape);
  return tensor.reshaped(shape);
}

FailureOr<Tensor> evalExpandShape(tensor::ExpandShapeOp op, Operands in, Evaluator &) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front();
  return reshapedTo(op, in[0], fillDynamic(op.getStaticOutputShape(), dynamic));
}

FailureOr<Tensor> evalCollapseShape(tensor::CollapseShapeOp op, Operands in, Evaluator &) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t extent = 1;
    for (int64_t d : group)
      extent *= in[0].dim(d);
    shape.push_back(extent);
  }
  return reshapedTo(op, in[0], shape);
}

FailureOr<Tensor> evalReshape(tensor::ReshapeOp op, Operands in, Evaluator &) {
  return reshapedTo(op, in[0], in[1].toInts());
}

/// All results are checked against their types by the caller.
FailureOr<Tensor> evalCast(tensor::CastOp, Operands in, Evaluator &) { return in[0]; }

FailureOr<Tensor> evalBitcast(tensor::BitcastOp op, Operands in, Evaluator &evaluator) {
  ElementType from = in[0].elementType(), to = *ElementType::of(op.getType());
  HostTensor host = in[0].toHost();
  if (dtypeBytes(from.dtype) != dtypeBytes(to.dtype))
    return op.emitError() << "element types of different sizes";
  host.dtype = to.dtype;
  return Tensor::fromHost(host);
}

FailureOr<Tensor> evalDim(tensor::DimOp op, Operands in, Evaluator &) {
  int64_t dim = in[1].value().i;
  if (dim < 0 || dim >= in[0].rank())
    return op.emitError() << "dimension " << dim << " is out of range for a tensor of rank " << in[0].rank();
  return Tensor::index(in[0].dim(dim));
}

FailureOr<Tensor> evalRank(tensor::RankOp, Operands in, Evaluator &) { return Tensor::index(in[0].rank()); }

FailureOr<Tensor> evalConcat(tensor::ConcatOp op, Operands in, Evaluator &evaluator) {
  return concatenate(op, in, op.getDim(), evaluator);
}

//===------------------------------------------------------------------------------------------------------------===//
// ml_program, variables of tosa, sparse_tensor
//===------------------------------------------------------------------------------------------------------------===//

/// The initial value of the global `symbol`.
FailureOr<Tensor> globalValue(Operation *op, SymbolRefAttr symbol, Evaluator &evaluator) {
  auto global = evaluator.symbols.lookupNearestSymbolFrom<ml_program::GlobalOp>(op, symbol);
  if (!global)
    return op->emitError() << "no global " << symbol << " is in sight";
  if (!global.getValue())
    return op->emitError() << "global " << symbol << " has no initial value in this module";
  return tensorOf(op, *global.getValue(), evaluator);
}

FailureOr<Tensor> evalGlobalLoadConst(ml_program::GlobalLoadConstOp op, Operands, Evaluator &evaluator) {
  return globalValue(op, op.getGlobal(), evaluator);
}

FailureOr<Tensor> evalGlobalLoad(ml_program::GlobalLoadOp op, Operands, Evaluator &evaluator) {
  if (auto it = evaluator.globals.find(op.getGlobal()); it != evaluator.globals.end())
    return it->second;
  return globalValue(op, op.getGlobal(), evaluator);
}

FailureOr<Tensor> evalVariableRead(tosa::VariableReadOp op, Operands, Evaluator &evaluator) {
  if (auto it = evaluator.globals.find(op.getNameAttr()); it != evaluator.globals.end())
    return it->second;
  auto variable = evaluator.symbols.lookupNearestSymbolFrom<tosa::VariableOp>(op, op.getNameAttr());
  if (!variable)
    return op->emitError() << "no variable @" << op.getName() << " is in sight";
  if (!variable.getInitialValue())
    return op->emitError() << "variable @" << op.getName() << " is read before it is written, and has no initial value";
  return tensorOf(op, *variable.getInitialValue(), evaluator);
}

LogicalResult evalVariableWrite(tosa::VariableWriteOp op, Operands in, Results &, Evaluator &evaluator) {
  evaluator.globals[op.getNameAttr()] = in[0];
  return success();
}

/// Storage formats do not change what a tensor contains.
FailureOr<Tensor> evalSparseConvert(sparse_tensor::ConvertOp, Operands in, Evaluator &) { return std::move(in[0]); }

LogicalResult evalGlobalStore(ml_program::GlobalStoreOp op, Operands in, Results &, Evaluator &evaluator) {
  evaluator.globals[op.getGlobal()] = in[0];
  return success();
}

} // namespace

FailureOr<Tensor> concatenate(Operation *op, Operands in, int64_t dim, const Evaluator &evaluator) {
  SmallVector<int64_t> shape(in[0].shape());
  shape[dim] = 0;
  for (const Tensor &operand : in) {
    for (int64_t d = 0; d < operand.rank(); ++d)
      if (d != dim && operand.dim(d) != shape[d])
        return op->emitError() << "shape mismatch: " << operand.typeString() << " beside " << in[0].typeString()
                               << " along dimension " << dim;
    const std::optional<int64_t> sum = checkedAdd(shape[dim], operand.dim(dim));
    if (!sum)
      return op->emitError() << "dimension " << dim << " of the result would have 2^63 elements or more";
    shape[dim] = *sum;
  }
  FailureOr<Tensor> result = evaluator.allocate(op, in[0].elementType(), shape);
  if (failed(result))
    return failure();
  Slice slice{SmallVector<int64_t>(shape.size(), 0), {}, SmallVector<int64_t>(shape.size(), 1)};
  Cell *cells = result->mutableData();
  for (const Tensor &operand : in) {
    slice.sizes.assign(operand.shape().begin(), operand.shape().end());
    const Cell *source = operand.data();
    forEachInSlice(slice, result->strides(), [&](int64_t position) { cells[position] = *source++; });
    slice.offsets[dim] += operand.dim(dim);
  }
  return result;
}

void addTensorOps(OpTable &table) {
  table.add<arith::ConstantOp>(evalConstant);
  table.add<tensor::EmptyOp>(evalEmpty);
  table.add<tensor::SplatOp>(evalSplat);
  table.add<tensor::FromElementsOp>(evalFromElements);
  table.add<tensor::GenerateOp>(evalGenerate);
  table.add<tensor::ExtractOp>(evalExtract);
  table.add<tensor::InsertOp>(evalInsert);
  table.add<tensor::ExtractSliceOp>(evalExtractSlice);
  table.add<tensor::InsertSliceOp>(evalInsertSlice);
  table.add<tensor::PadOp>(evalPad);
  table.add<tensor::GatherOp>(evalGather);
  table.add<tensor::ScatterOp>(evalScatter);
  table.add<tensor::ExpandShapeOp>(evalExpandShape);
  table.add<tensor::CollapseShapeOp>(evalCollapseShape);
  table.add<tensor::ReshapeOp>(evalReshape);
  table.add<tensor::CastOp>(evalCast);
  table.add<tensor::BitcastOp>(evalBitcast);
  table.add<tensor::DimOp>(evalDim);
  table.add<tensor::RankOp>(evalRank);
  table.add<tensor::ConcatOp>(evalConcat);
  table.addTerminator<tensor::YieldOp>();
  table.add<ml_program::GlobalLoadConstOp>(evalGlobalLoadConst);
  table.add<ml_program::GlobalLoadOp>(evalGlobalLoad);
  table.add<ml_program::GlobalStoreOp>(evalGlobalStore);
  table.add<tosa::VariableReadOp>(evalVariableRead);
  table.add<tosa::VariableWriteOp>(evalVariableWrite);
  table.add<sparse_tensor::ConvertOp>(evalSparseConvert);
}

} // namespace mica::reference
