//===- EvalVector.cpp - vector ops in registers -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A vector is a tensor of static shape: arith and math ops work elementwise. Reductions and contractions are summed in
// f64 and rounded once. A mask, by vector.mask around the op, excludes elements.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Elements
//===------------------------------------------------------------------------------------------------------------===//

Tensor emptyOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return Tensor(*ElementType::of(type), vector ? vector.getShape() : ArrayRef<int64_t>());
}

FailureOr<Tensor> evalBroadcast(vector::BroadcastOp op, Operands in, Evaluator &) {
  Tensor result = emptyOf(op.getType());
  size_t lead = result.rank() - in[0].rank();
  SmallVector<int64_t> strides(result.rank(), 0);
  for (auto [d, stride] : llvm::enumerate(in[0].strides()))
    strides[lead + d] = in[0].dim(d) == 1 ? 0 : stride;
  Cell *cell = result.mutableData();
  forEachPosition(result.shape(), [&](ArrayRef<int64_t> at) { *cell++ = in[0].data()[linearize(at, strides)]; });
  return result;
}

/// The offset and number of cells of the part of `vector` at `indices`.
FailureOr<std::pair<int64_t, int64_t>> partOf(Operation *op, const Tensor &vector, ArrayRef<int64_t> indices) {
  int64_t begin = 0, size = vector.size();
  SmallVector<int64_t> strides = vector.strides();
  for (auto [d, index] : llvm::enumerate(indices)) {
    if (index < 0 || index >= vector.dim(d))
      return op->emitError() << "index " << index << " is out of range for dimension " << d << " of extent "
                             << vector.dim(d);
    begin += index * strides[d];
    size = strides[d];
  }
  return std::make_pair(begin, size);
}

/// Whether a part of `vector` is out of bounds, in the search for undefined behavior: its elements are undefined, and
/// reported when a use depends on them (markUndefinedLanes).
bool isUndefinedPart(const Tensor &vector, ArrayRef<int64_t> indices, Evaluator &evaluator) {
  return evaluator.options.undefined && llvm::any_of(llvm::enumerate(indices), [&](auto each) {
           return each.value() < 0 || each.value() >= vector.dim(each.index());
         });
}

FailureOr<Tensor> evalExtract(vector::ExtractOp op, Operands in, Evaluator &evaluator) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front(), inside = dynamic;
  if (isUndefinedPart(in[0], fillDynamic(op.getStaticPosition(), inside), evaluator))
    return emptyOf(op.getType());
  FailureOr<std::pair<int64_t, int64_t>> part = partOf(op, in[0], fillDynamic(op.getStaticPosition(), dynamic));
  if (failed(part))
    return failure();
  Tensor result = emptyOf(op.getType());
  std::copy_n(in[0].data() + part->first, part->second, result.mutableData());
  return result;
}

FailureOr<Tensor> evalInsert(vector::InsertOp op, Operands in, Evaluator &evaluator) {
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front(2), inside = dynamic;
  if (isUndefinedPart(in[1], fillDynamic(op.getStaticPosition(), inside), evaluator))
    return in[1];
  FailureOr<std::pair<int64_t, int64_t>> part = partOf(op, in[1], fillDynamic(op.getStaticPosition(), dynamic));
  if (failed(part))
    return failure();
  Tensor result = in[1];
  std::copy_n(in[0].data(), part->second, result.mutableData() + part->first);
  return result;
}

SmallVector<int64_t> integersOf(ArrayAttr array) {
  return llvm::map_to_vector(array, [](Attribute number) { return cast<IntegerAttr>(number).getInt(); });
}

FailureOr<Tensor> evalExtractSlice(vector::ExtractStridedSliceOp op, Operands in, Evaluator &) {
  Tensor result = emptyOf(op.getType());
  SmallVector<int64_t> offsets = integersOf(op.getOffsets()), steps = integersOf(op.getStrides());
  offsets.resize(in[0].rank(), 0);
  steps.resize(in[0].rank(), 1);
  SmallVector<int64_t> strides = in[0].strides();
  int64_t begin = linearize(offsets, strides);
  for (auto [stride, step] : llvm::zip_equal(strides, steps))
    stride *= step;
  Cell *cell = result.mutableData();
  forEachPosition(result.shape(),
                  [&](ArrayRef<int64_t> at) { *cell++ = in[0].data()[begin + linearize(at, strides)]; });
  return result;
}

FailureOr<Tensor> evalInsertSlice(vector::InsertStridedSliceOp op, Operands in, Evaluator &) {
  Tensor result = in[1];
  SmallVector<int64_t> strides = result.strides(), steps = integersOf(op.getStrides());
  int64_t begin = linearize(integersOf(op.getOffsets()), strides);
  SmallVector<int64_t> inner(ArrayRef(strides).take_back(in[0].rank()));
  for (auto [stride, step] : llvm::zip_equal(inner, steps))
    stride *= step;
  Cell *cells = result.mutableData();
  const Cell *cell = in[0].data();
  forEachPosition(in[0].shape(), [&](ArrayRef<int64_t> at) { cells[begin + linearize(at, inner)] = *cell++; });
  return result;
}

FailureOr<Tensor> evalFromElements(vector::FromElementsOp op, Operands in, Evaluator &) {
  Tensor result = emptyOf(op.getType());
  Cell *cell = result.mutableData();
  for (const Tensor &element : in)
    *cell++ = element.value();
  return result;
}

LogicalResult evalToElements(vector::ToElementsOp, Operands in, Results &out, Evaluator &) {
  for (int64_t i = 0; i < in[0].size(); ++i)
    out.push_back(Tensor::scalar(in[0].elementType(), in[0].data()[i]));
  return success();
}

FailureOr<Tensor> evalShuffle(vector::ShuffleOp op, Operands in, Evaluator &) {
  Tensor result = emptyOf(op.getType());
  int64_t first = in[0].rank() == 0 ? 1 : in[0].dim(0), row = in[0].size() / std::max<int64_t>(first, 1);
  Cell *cell = result.mutableData();
  for (int64_t index : op.getMask()) {
    if (index >= 0) // -1 is poison: any value is allowed, the evaluator uses zero
      std::copy_n(index < first ? in[0].data() + index * row : in[1].data() + (index - first) * row, row, cell);
    cell += row;
  }
  return result;
}

FailureOr<Tensor> evalInterleave(vector::InterleaveOp op, Operands in, Evaluator &) {
  Tensor result = emptyOf(op.getType());
  Cell *cells = result.mutableData();
  for (int64_t i = 0; i < in[0].size(); ++i) {
    cells[2 * i] = in[0].data()[i];
    cells[2 * i + 1] = in[1].data()[i];
  }
  return result;
}

LogicalResult evalDeinterleave(vector::DeinterleaveOp op, Operands in, Results &out, Evaluator &) {
  for (int64_t half = 0; half < 2; ++half) {
    Tensor result = emptyOf(op->getResult(half).getType());
    for (int64_t i = 0; i < result.size(); ++i)
      result.mutableData()[i] = in[0].data()[2 * i + half];
    out.push_back(std::move(result));
  }
  return success();
}

FailureOr<Tensor> evalTranspose(vector::TransposeOp op, Operands in, Evaluator &) {
  Tensor result = emptyOf(op.getType());
  SmallVector<int64_t> from = in[0].strides(), strides;
  for (int64_t d : op.getPermutation())
    strides.push_back(from[d]);
  Cell *cell = result.mutableData();
  forEachPosition(result.shape(), [&](ArrayRef<int64_t> at) { *cell++ = in[0].data()[linearize(at, strides)]; });
  return result;
}

FailureOr<Tensor> evalShapeCast(vector::ShapeCastOp op, Operands in, Evaluator &) {
  return in[0].reshaped(op.getResultVectorType().getShape());
}

/// The bits of a row of elements of `in` as elements of `out`: the first one has the lowest bits.
void castBits(ElementType in, ArrayRef<Cell> from, ElementType out, MutableArrayRef<Cell> to) {
  size_t at = 0; // a bit of the row
  for (Cell &element : to) {
    uint64_t bits = 0;
    for (unsigned bit = 0; bit < out.bits; ++bit, ++at)
      bits |= (in.toBits(from[at / in.bits]) >> (at % in.bits) & 1) << bit;
    element = out.ofBits(bits);
  }
}

FailureOr<Tensor> evalBitCast(vector::BitCastOp op, Operands in, Evaluator &) {
  Tensor result = emptyOf(op.getType());
  const ElementType from = in[0].elementType(), to = result.elementType();
  auto fillsBytes = [](ElementType type) { return type.bits == 8 * unsigned(dtypeBytes(type.dtype)); };
  if (!fillsBytes(from) || !fillsBytes(to)) {
    const auto wide = static_cast<size_t>(in[0].rank() ? in[0].shape().back() : 1);
    const auto narrow = static_cast<size_t>(result.rank() ? result.shape().back() : 1);
    const ArrayRef<Cell> given(in[0].data(), static_cast<size_t>(in[0].size()));
    const MutableArrayRef<Cell> made(result.mutableData(), static_cast<size_t>(result.size()));
    for (size_t row = 0; wide && row < given.size() / wide; ++row)
      castBits(from, given.slice(row * wide, wide), to, made.slice(row * narrow, narrow));
    return result;
  }
  HostTensor host = in[0].toHost();
  host.dtype = to.dtype;
  host.shape.assign(result.shape().begin(), result.shape().end());
  return Tensor::fromHost(host);
}

FailureOr<Tensor> evalStep(vector::StepOp op, Operands, Evaluator &) {
  Tensor result = emptyOf(op.getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.mutableData()[i] = Cell::of(i);
  return result;
}

Tensor maskOf(Type type, ArrayRef<int64_t> bounds) {
  Tensor result = emptyOf(type);
  Cell *cell = result.mutableData();
  forEachPosition(result.shape(), [&](ArrayRef<int64_t> at) {
    bool inside = llvm::all_of(llvm::zip(at, bounds), [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
    *cell++ = Cell::of(int64_t(inside));
  });
  if (result.rank() == 0)
    *result.mutableData() = Cell::of(int64_t(!bounds.empty() && bounds[0] > 0));
  return result;
}

FailureOr<Tensor> evalConstantMask(vector::ConstantMaskOp op, Operands, Evaluator &) {
  return maskOf(op.getType(), op.getMaskDimSizes());
}

FailureOr<Tensor> evalCreateMask(vector::CreateMaskOp op, Operands in, Evaluator &) {
  return maskOf(op.getType(), llvm::map_to_vector(in, [](const Tensor &bound) { return bound.value().i; }));
}

//===------------------------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------------------------===//

arith::AtomicRMWKind kindOf(vector::CombiningKind kind, ElementType type) {
  switch (kind) {
  case vector::CombiningKind::ADD:
    return type.isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  case vector::CombiningKind::MUL:
    return type.isFloat ? arith::AtomicRMWKind::mulf : arith::AtomicRMWKind::muli;
  case vector::CombiningKind::MINUI:
    return arith::AtomicRMWKind::minu;
  case vector::CombiningKind::MINSI:
    return arith::AtomicRMWKind::mins;
  case vector::CombiningKind::MINNUMF:
    return arith::AtomicRMWKind::minnumf;
  case vector::CombiningKind::MAXUI:
    return arith::AtomicRMWKind::maxu;
  case vector::CombiningKind::MAXSI:
    return arith::AtomicRMWKind::maxs;
  case vector::CombiningKind::MAXNUMF:
    return arith::AtomicRMWKind::maxnumf;
  case vector::CombiningKind::AND:
    return arith::AtomicRMWKind::andi;
  case vector::CombiningKind::OR:
    return arith::AtomicRMWKind::ori;
  case vector::CombiningKind::XOR:
    return arith::AtomicRMWKind::xori;
  case vector::CombiningKind::MAXIMUMF:
    return arith::AtomicRMWKind::maximumf;
  case vector::CombiningKind::MINIMUMF:
    return arith::AtomicRMWKind::minimumf;
  }
  llvm_unreachable("all kinds are listed");
}

/// Reduces `source` along `dims` into `total`.
Tensor reduced(const Tensor &source, ArrayRef<int64_t> dims, arith::AtomicRMWKind kind, Tensor total,
               const std::optional<Tensor> &mask) {
  SmallVector<int64_t> into = total.strides(), strides(source.rank(), 0);
  for (int64_t d = 0, kept = 0; d < source.rank(); ++d)
    if (!llvm::is_contained(dims, d))
      strides[d] = into[kept++];
  Cell *cells = total.mutableData();
  int64_t number = 0;
  forEachPosition(source.shape(), [&](ArrayRef<int64_t> at) {
    Cell &cell = cells[linearize(at, strides)];
    if (!mask || mask->intAt(number))
      cell = combine(kind, total.elementType(), cell, source.data()[number]);
    ++number;
  });
  total.roundAll();
  return total;
}

FailureOr<Tensor> evalReduction(vector::ReductionOp op, Operands in, Evaluator &evaluator) {
  std::optional<Tensor> mask = std::exchange(evaluator.mask, std::nullopt);
  arith::AtomicRMWKind kind = kindOf(op.getKind(), in[0].elementType());
  FailureOr<Cell> neutral = neutralOf(op, kind, in[0].elementType());
  if (failed(neutral))
    return failure();
  Tensor total = in.size() > 1 ? in[1] : Tensor::scalar(in[0].elementType(), *neutral);
  SmallVector<int64_t> all(llvm::to_vector(llvm::seq<int64_t>(0, in[0].rank())));
  noteAccumulation(in[0].size() + 1);
  return reduced(in[0], all, kind, std::move(total), mask);
}

FailureOr<Tensor> evalMultiReduction(vector::MultiDimReductionOp op, Operands in, Evaluator &evaluator) {
  std::optional<Tensor> mask = std::exchange(evaluator.mask, std::nullopt);
  noteAccumulation(in[0].size() / std::max<int64_t>(in[1].size(), 1) + 1);
  return reduced(in[0], op.getReductionDims(), kindOf(op.getKind(), in[0].elementType()), in[1], mask);
}

/// acc[c(p)] = combine(acc[c(p)], lhs[a(p)] * rhs[b(p)]) over the points p of the iteration space.
FailureOr<Tensor> evalContract(vector::ContractionOp op, Operands in, Evaluator &evaluator) {
  std::optional<Tensor> mask = std::exchange(evaluator.mask, std::nullopt);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> extents(maps[0].getNumDims(), 1);
  SmallVector<SmallVector<int64_t>, 3> strides(3, SmallVector<int64_t>(extents.size(), 0));
  for (auto [k, map] : llvm::enumerate(maps)) {
    SmallVector<int64_t> own = in[k].strides();
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      extents[loop] = in[k].dim(d);
      strides[k][loop] = own[d];
    }
  }
  Tensor total = in[2];
  ElementType type = total.elementType();
  arith::AtomicRMWKind kind = kindOf(op.getKind(), type);
  Cell *cells = total.mutableData();
  noteAccumulation(sizeOf(extents) / std::max<int64_t>(total.size(), 1) + 1);
  int64_t number = 0;
  forEachPosition(extents, [&](ArrayRef<int64_t> at) {
    Cell a = in[0].data()[linearize(at, strides[0])], b = in[1].data()[linearize(at, strides[1])];
    Cell product = type.isFloat ? Cell::of(a.f * b.f) : Cell::of(int64_t(uint64_t(a.i) * uint64_t(b.i)));
    Cell &cell = cells[linearize(at, strides[2])];
    if (!mask || mask->intAt(number))
      cell = combine(kind, type, cell, product);
    ++number;
  });
  total.roundAll();
  return total;
}

FailureOr<Tensor> evalOuterProduct(vector::OuterProductOp op, Operands in, Evaluator &evaluator) {
  std::optional<Tensor> mask = std::exchange(evaluator.mask, std::nullopt);
  Tensor result = emptyOf(op.getType());
  ElementType type = result.elementType();
  noteAccumulation(2);
  Cell *cells = result.mutableData();
  int64_t columns = in[1].size();
  for (int64_t i = 0; i < result.size(); ++i) {
    Cell a = in[0].data()[i / columns], b = in[1].data()[i % columns];
    Cell product = type.isFloat ? Cell::of(a.f * b.f) : Cell::of(type.wrap(int64_t(uint64_t(a.i) * uint64_t(b.i))));
    cells[i] = in.size() > 2 ? in[2].data()[i] : product;
    if (in.size() > 2 && (!mask || mask->intAt(i)))
      cells[i] = combine(kindOf(op.getKind(), type), type, cells[i], product);
  }
  result.roundAll();
  return result;
}

LogicalResult evalScan(vector::ScanOp op, Operands in, Results &out, Evaluator &) {
  Tensor result = in[0], total = in[1];
  ElementType type = result.elementType();
  arith::AtomicRMWKind kind = kindOf(op.getKind(), type);
  int64_t dim = op.getReductionDim();
  SmallVector<int64_t> into = total.strides(), strides;
  for (int64_t d = 0; d < result.rank(); ++d)
    strides.push_back(d == dim ? 0 : into[d < dim ? d : d - 1]);
  Cell *cells = result.mutableData(), *totals = total.mutableData();
  int64_t number = 0;
  // In row-major order, elements along `dim` are visited in order.
  forEachPosition(result.shape(), [&](ArrayRef<int64_t> at) {
    Cell &running = totals[linearize(at, strides)], &cell = cells[number++];
    Cell before = running, value = cell;
    bool isFirst = at[dim] == 0;
    running = op.getInclusive() && isFirst ? value : combine(kind, type, running, value);
    cell = op.getInclusive() ? running : before;
  });
  result.roundAll();
  total.roundAll();
  out.push_back(std::move(result));
  out.push_back(std::move(total));
  return success();
}

/// vector.mask: excluded elements are those of `passthru`, or, in reductions and stores, are skipped.
LogicalResult evalMask(vector::MaskOp op, Operands in, Results &out, Evaluator &evaluator) {
  if (!op.getMaskableOp())
    return evaluator.runRegion(op.getMaskRegion(), {}, out);
  Operation *inner = op.getMaskableOp();
  bool takesMask = isa<vector::ReductionOp, vector::MultiDimReductionOp, vector::ContractionOp, vector::OuterProductOp,
                       vector::TransferReadOp, vector::TransferWriteOp, vector::GatherOp>(inner);
  if (takesMask)
    evaluator.mask = in[0];
  LogicalResult status = evaluator.runRegion(op.getMaskRegion(), {}, out);
  evaluator.mask.reset();
  if (failed(status) || in.size() < 2 || out.empty())
    return status;
  Cell *cells = out[0].mutableData();
  for (int64_t i = 0; i < out[0].size() && out[0].shape() == in[0].shape(); ++i)
    if (!in[0].intAt(i))
      cells[i] = in[1].data()[i];
  return success();
}

/// The position of an extraction or insertion in `vector`, for messages; "" if it is in bounds.
template <typename OpT> std::string outsideOf(OpT op, const Tensor &vector, ArrayRef<Tensor> dynamic) {
  SmallVector<int64_t> position = fillDynamic(op.getStaticPosition(), dynamic);
  for (auto [d, index] : llvm::enumerate(position))
    if (index < 0 || index >= vector.dim(d))
      return "position (" + pointString(position) + ") is out of range for " + vector.typeString();
  return "";
}

} // namespace

void markUndefinedLanes(Operation *op, Operands in, Results &out, Evaluator &evaluator) {
  ArrayRef<Tensor> operands = in;
  std::string outside;
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    outside = outsideOf(extract, operands[0], operands.drop_front());
  else if (auto insert = dyn_cast<vector::InsertOp>(op))
    outside = outsideOf(insert, operands[1], operands.drop_front(2));
  if (!outside.empty())
    return setUndefined(op, out[0], outside, evaluator);
  auto shuffle = dyn_cast<vector::ShuffleOp>(op);
  if (!shuffle || !llvm::is_contained(shuffle.getMask(), -1) ||
      !evaluator.undefined()->makes(op, "a lane of the mask is -1"))
    return;
  Tensor bounds = out[0].boundTwin();
  if (!out[0].bound)
    bounds = Tensor(DType::F64, out[0].shape());
  const int64_t row = bounds.size() / std::max<int64_t>(int64_t(shuffle.getMask().size()), 1);
  for (auto [i, lane] : llvm::enumerate(shuffle.getMask()))
    if (lane < 0)
      std::fill_n(bounds.mutableData() + int64_t(i) * row, row, Cell::of(kUnknown));
  out[0].setBound(std::move(bounds));
}

void addVectorOps(OpTable &table) {
  table.add<vector::BroadcastOp>(evalBroadcast);
  table.add<vector::ExtractOp>(evalExtract);
  table.add<vector::InsertOp>(evalInsert);
  table.add<vector::ExtractStridedSliceOp>(evalExtractSlice);
  table.add<vector::InsertStridedSliceOp>(evalInsertSlice);
  table.add<vector::FromElementsOp>(evalFromElements);
  table.add<vector::ToElementsOp>(evalToElements);
  table.add<vector::ShuffleOp>(evalShuffle);
  table.add<vector::InterleaveOp>(evalInterleave);
  table.add<vector::DeinterleaveOp>(evalDeinterleave);
  table.add<vector::TransposeOp>(evalTranspose);
  table.add<vector::ShapeCastOp>(evalShapeCast);
  table.add<vector::BitCastOp>(evalBitCast);
  table.add<vector::StepOp>(evalStep);
  table.add<vector::ConstantMaskOp>(evalConstantMask);
  table.add<vector::CreateMaskOp>(evalCreateMask);
  table.add<vector::ReductionOp>(evalReduction);
  table.add<vector::MultiDimReductionOp>(evalMultiReduction);
  table.add<vector::ContractionOp>(evalContract);
  table.add<vector::OuterProductOp>(evalOuterProduct);
  table.add<vector::ScanOp>(evalScan);
  table.add<vector::MaskOp>(evalMask);
  table.addTerminator<vector::YieldOp>();
  table.scalars.add(
      vector::FMAOp::getOperationName(),
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(std::fma(a[0].f, a[1].f, a[2].f)); }, nullptr);
}

} // namespace mica::reference
