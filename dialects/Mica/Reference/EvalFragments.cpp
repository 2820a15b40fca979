//===- EvalFragments.cpp - matrix fragments, votes and asynchronous copies of GPU kernels -----------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The threads of a warp hold a matrix in fragments, in the register layouts of the PTX manual ("Matrix fragments for
// mma"). An asynchronous copy is made where it is started: code without races does not notice.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Evaluator.h"
#include "dialects/Mica/Reference/GPUBlock.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

/// What the lanes of the warp give; fails outside of a kernel, and if one of them has ended.
FailureOr<ArrayRef<std::optional<Tensor>>> exchange(Operation *op, Tensor given, bool needsAll, Evaluator &evaluator) {
  if (!evaluator.block)
    return op->emitError() << "is used outside of a kernel";
  evaluator.block->wait(op, GPUBlock::Group::Warp, std::move(given));
  ArrayRef<std::optional<Tensor>> lanes = evaluator.block->exchanged();
  if (needsAll && (int64_t(lanes.size()) != kWarpSize ||
                   llvm::any_of(lanes, [](const std::optional<Tensor> &lane) { return !lane; })))
    return op->emitError() << "needs all " << kWarpSize << " threads of the warp";
  return lanes;
}

//===------------------------------------------------------------------------------------------------------------===//
// Matrices
//===------------------------------------------------------------------------------------------------------------===//

/// A register of 32 bits (f64: 64) holds `packed` elements of a row of A, or of a column of B.
struct Layout {
  int64_t m, n, k, packed;
};

/// The lane and the element of its fragment that hold A[row, k].
std::pair<int64_t, int64_t> placeOfA(const Layout &layout, int64_t row, int64_t k) {
  const int64_t lane = row % 8 * 4 + k / layout.packed % 4, halves = layout.m / 8;
  const int64_t reg = row / 8 + halves * (k / (4 * layout.packed));
  return {lane, reg * layout.packed + k % layout.packed};
}
std::pair<int64_t, int64_t> placeOfB(const Layout &layout, int64_t k, int64_t column) {
  const int64_t lane = column * 4 + k / layout.packed % 4, reg = k / (4 * layout.packed);
  return {lane, reg * layout.packed + k % layout.packed};
}

/// A number of a fragment, and its bound.
struct Number {
  double value, bound;
};
/// tf32 has the upper 19 bits of f32; the unit ignores the others.
double truncatedToTF32(double value) {
  const auto bits = uint32_t(ElementType(DType::F32).toBits(Cell::of(value)));
  return ElementType(DType::F32).ofBits(bits & ~uint32_t(0x1fff)).f;
}

/// All elements of a thread's fragments, one after another, as f64.
Tensor joined(Operands in) {
  int64_t count = 0;
  for (const Tensor &fragment : in)
    count += fragment.size();
  Tensor all(DType::F64, {count}), bounds(DType::F64, {count});
  int64_t next = 0;
  for (const Tensor &fragment : in)
    for (int64_t i = 0, e = fragment.size(); i < e; ++i, ++next) {
      all.mutableData()[next] = fragment.elementType().isFloat
                                    ? fragment.data()[i]
                                    : Cell::of(double(fragment.elementType().asSigned(fragment.intAt(i))));
      bounds.mutableData()[next] = Cell::of(fragment.boundAt(i));
    }
  all.setBound(std::move(bounds));
  return all;
}

/// D = A B + C, by the threads of a warp.
FailureOr<Tensor> evalMma(nvgpu::MmaSyncOp op, Operands in, Evaluator &evaluator) {
  const std::array<int64_t, 3> shape = op.getMmaShapeAsArray();
  const ElementType element = in[0].elementType(), type = in[2].elementType();
  const Layout layout{shape[0], shape[1], shape[2], element.bits >= 32 ? 1 : 32 / int64_t(element.bits)};
  const int64_t ofA = in[0].size(), ofB = in[1].size(), ofC = in[2].size();
  if ((layout.m != 8 && layout.m != 16) || layout.n != 8 || ofA * kWarpSize != layout.m * layout.k ||
      ofB * kWarpSize != layout.n * layout.k || ofC * kWarpSize != layout.m * layout.n)
    return op.emitError() << "the reference evaluator does not know this shape of fragments";
  auto lanes = exchange(op, joined(in), /*needsAll=*/true, evaluator);
  if (failed(lanes))
    return failure();
  auto numberAt = [&](std::pair<int64_t, int64_t> place, int64_t first) {
    const Tensor &all = *(*lanes)[size_t(place.first)];
    return Number{all.data()[first + place.second].f, all.boundAt(first + place.second)};
  };
  const bool isTF32 = element.dtype == DType::F32;
  const int64_t lane = evaluator.block->threadNumber() % kWarpSize;
  Tensor result(type, in[2].shape()), bounds(DType::F64, in[2].shape());
  for (int64_t i = 0; i < ofC; ++i) {
    const int64_t row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
    const Number start = numberAt({lane, i}, ofA + ofB);
    double sum = start.value, squares = start.value * start.value, errors = start.bound;
    for (int64_t k = 0; k < layout.k; ++k) {
      Number a = numberAt(placeOfA(layout, row, k), 0), b = numberAt(placeOfB(layout, k, column), ofA);
      if (isTF32) {
        a.value = truncatedToTF32(a.value);
        b.value = truncatedToTF32(b.value);
      }
      const double term = a.value * b.value;
      sum += term;
      squares += term * term;
      errors += std::fabs(a.value) * b.bound + std::fabs(b.value) * a.bound + a.bound * b.bound;
    }
    if (!type.isFloat) {
      result.mutableData()[i] = Cell::of(type.wrap(int64_t(sum)));
      bounds.mutableData()[i] = Cell::of(errors > 0 ? kUnknown : 0.0);
      continue;
    }
    result.mutableData()[i] = Cell::of(type.round(sum));
    // Sums of integers up to this are exact in any order.
    const bool isExact = errors == 0 && std::nearbyint(sum) == sum && squares < std::ldexp(1.0, 40) &&
                         type.round(sum) == sum && std::sqrt(squares) * double(layout.k + 1) < std::ldexp(1.0, 24);
    bool areIntegers = isExact;
    for (int64_t k = 0; k < layout.k && areIntegers; ++k) {
      const double a = numberAt(placeOfA(layout, row, k), 0).value,
                   b = numberAt(placeOfB(layout, k, column), ofA).value;
      areIntegers = std::nearbyint(a) == a && std::nearbyint(b) == b;
    }
    const double own = 2 * unitRoundoff(type) * double(layout.k + 1) * std::sqrt(squares);
    bounds.mutableData()[i] = Cell::of(areIntegers              ? (sum == 0 ? kSignOfZero : 0.0)
                                       : std::isfinite(squares) ? roundedBound(type, sum, own + errors)
                                                                : kUnknown);
  }
  if (evaluator.options.bounds && evaluator.tracksBounds())
    result.setBound(std::move(bounds));
  return result;
}

/// Each lane gives the address of a row of 16 bytes of an 8x8 matrix of 16-bit elements, and gets its part of all.
FailureOr<Tensor> evalLdMatrix(nvgpu::LdMatrixOp op, Operands in, Evaluator &evaluator) {
  if (!evaluator.block)
    return op.emitError() << "is used outside of a kernel";
  const int64_t tiles = op.getNumTiles(), lane = evaluator.block->threadNumber() % kWarpSize;
  const ElementType type = in[0].elementType();
  const int64_t perRow = 128 / type.bits, packed = perRow / 4;
  auto vector = cast<VectorType>(op.getType());
  if (vector.getNumElements() != tiles * packed || (op.getTranspose() && type.bits != 16))
    return op.emitError() << "the reference evaluator does not know this form of a matrix load";
  // Lanes beyond the rows give an address that is not used.
  SmallVector<int64_t> at;
  for (const Tensor &index : in.drop_front())
    at.push_back(index.value().i);
  FailureOr<Tensor> row = lane < tiles * 8 ? loadVector(op, in[0], at, {perRow}) : FailureOr<Tensor>(Tensor());
  if (failed(row))
    return failure();
  auto lanes = exchange(op, *row, /*needsAll=*/true, evaluator);
  if (failed(lanes))
    return failure();
  Tensor result(type, vector.getShape()), bounds(DType::F64, vector.getShape());
  for (int64_t tile = 0; tile < tiles; ++tile)
    for (int64_t i = 0; i < packed; ++i) {
      const int64_t from = op.getTranspose() ? lane % 4 * packed + i : lane / 4;
      const int64_t column = op.getTranspose() ? lane / 4 : lane % 4 * packed + i;
      const Tensor &given = *(*lanes)[size_t(tile * 8 + from)];
      result.mutableData()[tile * packed + i] = given.data()[column];
      bounds.mutableData()[tile * packed + i] = Cell::of(given.boundAt(column));
    }
  result.setBound(std::move(bounds));
  return result;
}

/// To nearest, ties away from zero, in the upper bits of an i32.
FailureOr<Tensor> evalToTF32(NVVM::ConvertFloatToTF32Op op, Operands in, Evaluator &) {
  if (op.getRnd() != NVVM::FPRoundingMode::RNA || op.getRelu() || op.getSat() != NVVM::SaturationMode::NONE)
    return op.emitError() << "the reference evaluator knows rounding to nearest (rna) alone";
  auto bits = uint32_t(in[0].elementType().toBits(in[0].value()));
  if (std::isfinite(in[0].value().f))
    bits += 0x1000;
  Tensor result = Tensor::scalar(DType::I32, Cell::of(int64_t(int32_t(bits & ~uint32_t(0x1fff)))));
  if (in[0].hasBound())
    result.setBound(Tensor::scalar(DType::F64, Cell::of(kUnknown)));
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Votes
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalVote(NVVM::VoteSyncOp op, Operands in, Evaluator &evaluator) {
  auto lanes = exchange(op, in[1], /*needsAll=*/false, evaluator);
  if (failed(lanes))
    return failure();
  uint32_t ballot = 0, taking = 0;
  for (auto [lane, value] : llvm::enumerate(*lanes))
    if (value && (uint64_t(in[0].value().i) >> lane) & 1) {
      taking |= uint32_t(1) << lane;
      ballot |= uint32_t(value->value().i != 0) << lane;
    }
  int64_t result = 0;
  switch (op.getKind()) {
  case NVVM::VoteSyncKind::any:
    result = ballot != 0;
    break;
  case NVVM::VoteSyncKind::all:
    result = ballot == taking;
    break;
  case NVVM::VoteSyncKind::uni:
    result = ballot == 0 || ballot == taking;
    break;
  case NVVM::VoteSyncKind::ballot:
    result = int32_t(ballot);
    break;
  }
  return Tensor::scalar(*ElementType::of(op.getType()), Cell::of(result));
}

//===------------------------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult evalAsyncCopy(nvgpu::DeviceAsyncCopyOp op, Operands in, Results &out, Evaluator &evaluator) {
  const size_t dstRank = op.getDstIndices().size(), srcRank = op.getSrcIndices().size();
  auto positions = [](Operands indices) {
    SmallVector<int64_t> at;
    for (const Tensor &index : indices)
      at.push_back(index.value().i);
    return at;
  };
  const Tensor dst = in[0], src = in[1 + dstRank];
  const SmallVector<int64_t> to = positions(in.slice(1, dstRank)), from = positions(in.slice(2 + dstRank, srcRank));
  const int64_t count = op.getDstElements().getSExtValue();
  const int64_t read = op.getSrcElements() ? in.back().value().i : count;
  out.push_back(Tensor::index(0));
  if (read < 0 || read > count)
    return op.emitError() << "copies " << read << " of " << count << " elements";
  // Elements that are not read are zeros.
  Tensor values(dst.elementType(), {count});
  if (read > 0) {
    FailureOr<Tensor> found = loadVector(op, src, from, {read});
    if (failed(found))
      return failure();
    std::copy_n(found->data(), read, values.mutableData());
  }
  return storeVector(op, values, dst, to);
}

FailureOr<Tensor> evalGroup(nvgpu::DeviceAsyncCreateGroupOp, Operands, Evaluator &) { return Tensor::index(0); }
LogicalResult evalWait(nvgpu::DeviceAsyncWaitOp, Operands, Results &, Evaluator &) { return success(); }

FailureOr<Tensor> evalDynamicMemory(gpu::DynamicSharedMemoryOp op, Operands, Evaluator &evaluator) {
  if (!evaluator.block)
    return op.emitError() << "is used outside of a kernel";
  return evaluator.block->dynamicMemory;
}

} // namespace

void addFragmentOps(OpTable &table) {
  table.add<nvgpu::MmaSyncOp>(evalMma);
  table.add<nvgpu::LdMatrixOp>(evalLdMatrix);
  table.add<NVVM::ConvertFloatToTF32Op>(evalToTF32);
  table.add<NVVM::VoteSyncOp>(evalVote);
  table.add<nvgpu::DeviceAsyncCopyOp>(evalAsyncCopy);
  table.add<nvgpu::DeviceAsyncCreateGroupOp>(evalGroup);
  table.add<nvgpu::DeviceAsyncWaitOp>(evalWait);
  table.add<gpu::DynamicSharedMemoryOp>(evalDynamicMemory);
}

} // namespace mica::reference
