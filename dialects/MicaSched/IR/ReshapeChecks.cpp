//===- ReshapeChecks.cpp - run-time checks of sizes -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Only what dynamic sizes decide is checked; verifiers have checked the rest:
//
//   tensor.reshape, memref.reshape             the numbers of elements
//   tensor.expand_shape, memref.expand_shape   of each group of dimensions
//   mica.reshape                               the elements; the dynamic size follows from the others
//   tensor.cast, memref.cast                   each size that becomes static
//   memref.copy                                the sizes of both buffers
//   linalg on buffers                          that its loops fit all operands
//   scf.forall                                 that its steps are positive
//   tensor.dim, memref.dim                     that the dimension exists
//   tensor.pad, mica.pad                       that padding plus size does not overflow
//   tensor.concat, mica.concat                 the same for the parts, which are equal in other dimensions
//   mica.tile                                  that size times repetitions does not overflow
//   linalg.pack, linalg.unpack                 that the tiles have the sizes of the operands and cover the tensor
//   tensor.extract_slice, tensor.insert_slice  that the slice is in bounds
//   memref.view, memref.reinterpret_cast       that all elements are in the memory of the buffer
//   every op of mica                           the constraints that its verifier left open (SizeRequirements.h)
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/ReshapeChecks.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/IR/OpIds.h"
#include "dialects/Mica/IR/SizeRequirements.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mica;

namespace {
/// The checks before one op.
class Checks {
public:
  /// Of an insertion of a parallel loop the checks are at the end of the loop's body, which has it in its terminator.
  explicit Checks(Operation *op)
      : builder(isa<InParallelOpInterface>(op->getParentOp()) ? op->getParentOp() : op), loc(op->getLoc()) {}

  Value number(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  Value dimOf(Value shaped, int64_t dim) {
    if (isa<MemRefType>(shaped.getType()))
      return memref::DimOp::create(builder, loc, shaped, dim);
    return tensor::DimOp::create(builder, loc, shaped, dim);
  }

  /// The sizes of `shaped`, dynamic ones as values.
  SmallVector<OpFoldResult> sizesOf(Value shaped) {
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, size] : llvm::enumerate(cast<ShapedType>(shaped.getType()).getShape()))
      sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult(dimOf(shaped, dim)) : builder.getIndexAttr(size));
    return sizes;
  }

  /// Adds a check, unless both sides are static.
  void add(Type element, ArrayRef<OpFoldResult> from, ArrayRef<OpFoldResult> to, bool sameSizes = false) {
    SmallVector<Value> fromSizes, toSizes;
    RankedTensorType fromType = typeOf(element, from, fromSizes), toType = typeOf(element, to, toSizes);
    if (!fromSizes.empty() || !toSizes.empty())
      sched::CheckReshapeOp::create(builder, loc, sameSizes, fromType, fromSizes, toType, toSizes);
  }

  /// Adds a check of `ok`, unless it is known to hold.
  void require(Value ok, const Twine &message, ArrayRef<Value> values) {
    if (!matchPattern(ok, m_One()))
      sched::CheckSizesOp::create(builder, loc, ok, message.str(), values);
  }

  Value valueOf(OpFoldResult size) { return getValueOrCreateConstantIndexOp(builder, loc, size); }

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, lhs, rhs);
  }

  Value both(Value lhs, Value rhs) { return builder.createOrFold<arith::AndIOp>(loc, lhs, rhs); }

  OpBuilder builder;
  Location loc;

private:
  RankedTensorType typeOf(Type element, ArrayRef<OpFoldResult> sizes, SmallVector<Value> &dynamic) {
    SmallVector<int64_t> shape;
    dispatchIndexOpFoldResults(sizes, dynamic, shape);
    return RankedTensorType::get(shape, element);
  }
};
} // namespace

static ShapedType rankedType(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() ? type : ShapedType();
}

/// The result sizes are the elements of another tensor; static sizes of the type are assumed to be correct.
template <typename OpT> static void checkViewOf(OpT op) {
  ShapedType from = rankedType(op.getSource()), to = rankedType(op.getResult());
  if (!from || !to || (from.hasStaticShape() && to.hasStaticShape()))
    return;
  Checks checks(op);
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(to.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(checks.builder.getIndexAttr(size));
      continue;
    }
    Value at = checks.number(dim), element;
    if (isa<MemRefType>(op.getShape().getType()))
      element = memref::LoadOp::create(checks.builder, checks.loc, op.getShape(), at);
    else
      element = tensor::ExtractOp::create(checks.builder, checks.loc, op.getShape(), at);
    if (!element.getType().isIndex())
      element = arith::IndexCastOp::create(checks.builder, checks.loc, checks.builder.getIndexType(), element);
    sizes.push_back(element);
  }
  checks.add(to.getElementType(), checks.sizesOf(op.getSource()), sizes);
}

template <typename OpT> static void checkExpand(OpT op) {
  Checks checks(op);
  SmallVector<OpFoldResult> to = op.getMixedOutputShape();
  auto from = cast<ShapedType>(op.getSrc().getType());
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<OpFoldResult> sizes = llvm::map_to_vector(group, [&](int64_t d) { return to[d]; });
    const bool isKnown = !from.isDynamicDim(dim) &&
                         llvm::all_of(sizes, [](OpFoldResult size) { return getConstantIntValue(size).has_value(); });
    if (isKnown)
      continue;
    OpFoldResult size = from.isDynamicDim(dim) ? OpFoldResult(checks.dimOf(op.getSrc(), dim))
                                               : checks.builder.getIndexAttr(from.getDimSize(dim));
    checks.add(from.getElementType(), size, sizes);
  }
}

static void checkReshape(ReshapeOp op) {
  RankedTensorType from = op.getInput().getType(), to = op.getType();
  if (from.hasStaticShape())
    return;
  Checks checks(op);
  SmallVector<OpFoldResult> sizes = checks.sizesOf(op.getInput()), newSizes;
  Value elements = checks.number(1);
  for (OpFoldResult size : sizes)
    elements = arith::MulIOp::create(checks.builder, checks.loc, elements,
                                     getValueOrCreateConstantIndexOp(checks.builder, checks.loc, size));
  int64_t known = 1;
  for (int64_t size : to.getShape())
    known *= ShapedType::isDynamic(size) ? 1 : size;
  for (int64_t size : to.getShape()) {
    if (!ShapedType::isDynamic(size))
      newSizes.push_back(checks.builder.getIndexAttr(size));
    else if (known == 0)
      newSizes.push_back(checks.builder.getIndexAttr(0));
    else
      newSizes.push_back(
          arith::DivUIOp::create(checks.builder, checks.loc, elements, checks.number(known)).getResult());
  }
  checks.add(from.getElementType(), sizes, newSizes);
}

static void checkCast(Operation *op) {
  Value source = op->getOperand(0);
  ShapedType from = rankedType(source), to = rankedType(op->getResult(0));
  if (!from || !to)
    return;
  Checks checks(op);
  SmallVector<OpFoldResult> sizes, newSizes;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (from.isDynamicDim(dim) && !to.isDynamicDim(dim)) {
      sizes.push_back(checks.dimOf(source, dim));
      newSizes.push_back(checks.builder.getIndexAttr(to.getDimSize(dim)));
    }
  if (!sizes.empty())
    checks.add(from.getElementType(), sizes, newSizes, /*sameSizes=*/true);
}

/// What is copied has the sizes of where it is copied to.
static void checkCopy(Operation *op, Value source, Value target) {
  ShapedType from = rankedType(source), to = rankedType(target);
  if (!from || !to || (from.hasStaticShape() && to.hasStaticShape()))
    return;
  Checks checks(op);
  checks.add(from.getElementType(), checks.sizesOf(source), checks.sizesOf(target), /*sameSizes=*/true);
}

/// Only checked outside of kernels, where dimensions are known constants.
template <typename OpT> static void checkDim(OpT op) {
  ShapedType type = rankedType(op.getSource());
  if (!type || op->template getParentOfType<sched::BufferRegionOp>())
    return;
  if (std::optional<int64_t> known = op.getConstantIndex(); known && *known >= 0 && *known < type.getRank())
    return;
  Checks checks(op);
  Value rank = checks.number(type.getRank());
  checks.require(checks.compare(arith::CmpIPredicate::ult, op.getIndex(), rank),
                 "there is no dimension {0}, but {1} from 0 on", {op.getIndex(), rank});
}

/// A step that is not positive has no iterations to divide among threads.
static void checkForallSteps(scf::ForallOp op) {
  Checks checks(op);
  for (auto [lower, upper, step] :
       llvm::zip_equal(op.getMixedLowerBound(), op.getMixedUpperBound(), op.getMixedStep())) {
    if (getConstantIntValue(step).value_or(0) > 0)
      continue;
    Value from = checks.valueOf(lower), to = checks.valueOf(upper), by = checks.valueOf(step);
    Value isPositive = checks.compare(arith::CmpIPredicate::sgt, by, checks.number(0));
    Value isEmpty = checks.compare(arith::CmpIPredicate::sge, from, to);
    checks.require(checks.builder.createOrFold<arith::OrIOp>(checks.loc, isPositive, isEmpty),
                   "the loop from {0} to {1} has the step {2}, which is not positive", {from, to, by});
  }
}

/// The dynamic dimensions of `type` are sums of these.
static void checkSums(Operation *op, ShapedType type,
                      function_ref<SmallVector<OpFoldResult>(Checks &, int64_t)> parts) {
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    Checks checks(op);
    SmallVector<Value> sizes = getValueOrCreateConstantIndexOp(checks.builder, checks.loc, parts(checks, dim));
    if (sizes.size() > 1)
      sched::CheckSumOp::create(checks.builder, checks.loc, sizes, type.getElementType());
  }
}

static void checkPad(tensor::PadOp op) {
  SmallVector<OpFoldResult> low = op.getMixedLowPad(), high = op.getMixedHighPad();
  checkSums(op, op.getResultType(), [&](Checks &checks, int64_t dim) {
    return SmallVector<OpFoldResult>{low[dim], checks.sizesOf(op.getSource())[dim], high[dim]};
  });
}

static void checkPad(PadOp op) {
  checkSums(op, op.getType(), [&](Checks &checks, int64_t dim) {
    return SmallVector<OpFoldResult>{checks.builder.getIndexAttr(op.getLow()[dim]), checks.sizesOf(op.getInput())[dim],
                                     checks.builder.getIndexAttr(op.getHigh()[dim])};
  });
}

template <typename OpT> static void checkConcat(OpT op, int64_t axis) {
  // For mica.concat, a labelled constraint checks this.
  SmallVector<Value> inputs;
  if (isa<tensor::ConcatOp>(op))
    llvm::append_range(inputs, op.getInputs());
  for (int64_t dim = 0; dim < cast<ShapedType>(op.getType()).getRank(); ++dim) {
    for (size_t i = 1; dim != axis && i < inputs.size(); ++i) {
      Checks checks(op);
      OpFoldResult expected = checks.sizesOf(inputs.front())[dim], size = checks.sizesOf(inputs[i])[dim];
      if (getConstantIntValue(expected) && getConstantIntValue(size))
        continue;
      Value want = checks.valueOf(expected), got = checks.valueOf(size);
      checks.require(checks.compare(arith::CmpIPredicate::eq, got, want),
                     llvm::formatv("dimension {0} of input {1} is {{0}, expected {{1} as of input 0", dim, i).str(),
                     {got, want});
    }
  }
  checkSums(op, cast<ShapedType>(op.getType()), [&](Checks &checks, int64_t dim) {
    SmallVector<OpFoldResult> sizes;
    if (dim == axis)
      for (Value input : op.getInputs())
        sizes.push_back(checks.sizesOf(input)[dim]);
    return sizes;
  });
}

static void checkTile(TileOp op) {
  Checks checks(op);
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    if (!op.getType().isDynamicDim(dim))
      continue;
    OpFoldResult size = checks.sizesOf(op.getInput())[dim], times = checks.builder.getIndexAttr(op.getMultiples()[dim]);
    Value product = arith::MulIOp::create(checks.builder, checks.loc,
                                          getValueOrCreateConstantIndexOp(checks.builder, checks.loc, size),
                                          getValueOrCreateConstantIndexOp(checks.builder, checks.loc, times));
    checks.add(op.getType().getElementType(), {size, times}, OpFoldResult(product));
  }
}

/// Checks a linalg.pack or linalg.unpack of `tensor`, whose tiles are the elements of `packed`.
template <typename OpT> static void checkTiles(OpT op, Value tensor, Value packed, bool isExact) {
  if (!rankedType(tensor) || !rankedType(packed))
    return;
  Checks checks(op);
  SmallVector<OpFoldResult> sizes = checks.sizesOf(tensor), tiles = checks.sizesOf(packed);
  const int64_t rank = sizes.size();
  SmallVector<int64_t> tileAt(rank, -1);
  for (auto [at, dim] : llvm::enumerate(op.getInnerDimsPos()))
    tileAt[dim] = rank + at;
  for (auto [at, given] : llvm::enumerate(op.getMixedTiles())) {
    OpFoldResult size = tiles[rank + at];
    if (getConstantIntValue(given) && getConstantIntValue(size))
      continue;
    Value want = checks.valueOf(given), got = checks.valueOf(size);
    checks.require(checks.compare(arith::CmpIPredicate::eq, got, want),
                   llvm::formatv("tiles of {{0} elements where inner tile {0} is {{1}", at).str(), {got, want});
  }
  for (int64_t at = 0; at < rank; ++at) {
    const int64_t dim = op.getOuterDimsPerm().empty() ? at : op.getOuterDimsPerm()[at];
    OpFoldResult tile = tileAt[dim] < 0 ? OpFoldResult(checks.builder.getIndexAttr(1)) : tiles[tileAt[dim]];
    if (getConstantIntValue(sizes[dim]) && getConstantIntValue(tiles[at]) && getConstantIntValue(tile))
      continue;
    Value size = checks.valueOf(sizes[dim]), count = checks.valueOf(tiles[at]), each = checks.valueOf(tile);
    Value covered = checks.builder.createOrFold<arith::MulIOp>(checks.loc, count, each);
    const bool isWhole = isExact || tileAt[dim] < 0;
    checks.require(checks.compare(isWhole ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge, covered, size),
                   llvm::formatv("{{0} tiles of {{1} elements {0} the {{2} elements of dimension {1}",
                                 isWhole ? "are not" : "do not cover", dim)
                       .str(),
                   {count, each, size});
  }
}

/// The size as a value; one that follows from the operands is computed by the op with the inferred type.
static Value valueOf(Checks &checks, Operation *op, const ConstrainedSize &size) {
  if (size.inferredResult >= 0) {
    Operation *inferred = checks.builder.clone(*op);
    for (OpResult result : inferred->getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
      result.setType(RankedTensorType::get(shape, type.getElementType()));
    }
    ReifiedRankedShapedTypeDims shapes;
    auto reified = dyn_cast<ReifyRankedShapedTypeOpInterface>(inferred);
    const bool isKnown = reified && succeeded(reified.reifyResultShapes(checks.builder, shapes));
    inferred->erase();
    return isKnown ? checks.valueOf(shapes[size.inferredResult][size.dim]) : Value();
  }
  if (!size.tensor)
    return checks.valueOf(size.size);
  return checks.valueOf(tensor::getMixedSize(checks.builder, checks.loc, size.tensor, size.dim));
}

/// Checks the labelled constraints of a mica op on sizes that its verifier did not know.
static void checkRequirements(Operation *op) {
  for (const SizeRequirement &requirement : openSizeRequirements(op)) {
    Checks checks(op);
    MLIRContext *context = op->getContext();
    SmallVector<Value> sizes;
    for (const ConstrainedSize &size : requirement.sizes)
      sizes.push_back(valueOf(checks, op, size));
    if (llvm::is_contained(sizes, Value()))
      continue;
    Value ok;
    if (requirement.expression == getAffineSymbolExpr(0, context) - getAffineSymbolExpr(1, context)) {
      ok = checks.compare(arith::CmpIPredicate::eq, sizes[0], sizes[1]);
    } else {
      OpFoldResult value = affine::makeComposedFoldedAffineApply(
          checks.builder, checks.loc, AffineMap::get(0, sizes.size(), requirement.expression),
          getAsOpFoldResult(sizes));
      ok = checks.compare(requirement.isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge,
                          checks.valueOf(value), checks.number(0));
    }
    checks.require(ok, "(" + requirement.label + ") " + requirement.message, sizes);
  }
}

/// Checks that a slice is in bounds of `tensor`, which it reads or updates, in each dynamic dimension.
static void checkSliceOf(OffsetSizeAndStrideOpInterface op, Value tensor) {
  auto type = cast<ShapedType>(tensor.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    OpFoldResult offsetOf = op.getMixedOffsets()[dim], sizeOf = op.getMixedSizes()[dim],
                 strideOf = op.getMixedStrides()[dim];
    std::optional<int64_t> knownOffset = getConstantIntValue(offsetOf), knownSize = getConstantIntValue(sizeOf),
                           knownStride = getConstantIntValue(strideOf);
    if (!type.isDynamicDim(dim) && knownOffset && knownSize && knownStride)
      continue;
    // Strides of 0 and below are not checked.
    if (knownStride && *knownStride < 1)
      continue;
    Checks checks(op);
    OpBuilder &b = checks.builder;
    OpFoldResult extentOf = checks.sizesOf(tensor)[dim];
    // The whole dimension.
    if (knownOffset == 0 && knownStride == 1 && extentOf == sizeOf)
      continue;
    Value offset = checks.valueOf(offsetOf), size = checks.valueOf(sizeOf), stride = checks.valueOf(strideOf);
    Value extent = checks.valueOf(extentOf), zero = checks.number(0), one = checks.number(1);
    // An empty slice is always in bounds. With 0 <= offset nothing here overflows.
    Value isForward = checks.compare(arith::CmpIPredicate::sge, offset, zero);
    Value room = b.createOrFold<arith::SubIOp>(checks.loc, extent, offset);
    Value last = b.createOrFold<arith::SubIOp>(checks.loc, size, one);
    if (!knownStride) {
      isForward = checks.both(isForward, checks.compare(arith::CmpIPredicate::sge, stride, one));
      stride = b.createOrFold<arith::MaxSIOp>(checks.loc, stride, one);
    }
    // The last element: offset + (size - 1) * stride < extent.
    Value steps = b.createOrFold<arith::SubIOp>(checks.loc, room, one);
    if (knownStride != 1)
      steps = b.createOrFold<arith::DivSIOp>(checks.loc, steps, stride);
    Value fits = checks.both(checks.compare(arith::CmpIPredicate::sgt, room, zero),
                             checks.compare(arith::CmpIPredicate::sle, last, steps));
    Value isInside = b.createOrFold<arith::OrIOp>(
        checks.loc, checks.compare(arith::CmpIPredicate::eq, size, zero),
        checks.both(isForward, checks.both(checks.compare(arith::CmpIPredicate::sgt, size, zero), fits)));
    checks.require(
        isInside,
        llvm::formatv("the slice [{{0}] [{{1}] [{{2}] (offset, size, stride) of dimension {0} is not inside of "
                      "the {{3} elements that there are",
                      dim)
            .str(),
        {offset, size, stride, extent});
  }
}

/// Checks that a view of bytes ends in its buffer.
static void checkView(memref::ViewOp op) {
  auto type = cast<MemRefType>(op.getType());
  std::optional<int64_t> bytes = sched::elementBytes(type.getElementType());
  if (!bytes)
    return;
  Checks checks(op);
  OpBuilder &b = checks.builder;
  Value shift = op.getByteShift(), extent = checks.valueOf(checks.sizesOf(op.getSource())[0]), zero = checks.number(0);
  Value one = checks.number(1), isInside = checks.both(checks.compare(arith::CmpIPredicate::sge, shift, zero),
                                                       checks.compare(arith::CmpIPredicate::sle, shift, extent));
  // Divided by each size in turn, because their product may overflow.
  Value room = b.createOrFold<arith::SubIOp>(checks.loc, extent, shift), none;
  room = b.createOrFold<arith::DivSIOp>(checks.loc, room, checks.number(*bytes));
  auto dynamic = op.getSizes().begin();
  SmallVector<Value> shown{shift, extent};
  std::string sizes;
  for (int64_t known : type.getShape()) {
    Value size = ShapedType::isDynamic(known) ? *dynamic++ : checks.number(known);
    isInside = checks.both(isInside, checks.compare(arith::CmpIPredicate::sge, size, zero));
    Value isNone = checks.compare(arith::CmpIPredicate::eq, size, zero);
    none = none ? b.createOrFold<arith::OrIOp>(checks.loc, none, isNone) : isNone;
    room = b.createOrFold<arith::DivSIOp>(checks.loc, room, b.createOrFold<arith::MaxSIOp>(checks.loc, size, one));
    sizes += (sizes.empty() ? "{" : " x {") + std::to_string(shown.size()) + "}";
    shown.push_back(size);
  }
  Value fits = checks.compare(arith::CmpIPredicate::sge, room, one);
  isInside = checks.both(isInside, none ? b.createOrFold<arith::OrIOp>(checks.loc, none, fits) : fits);
  checks.require(isInside,
                 "the view of " + (sizes.empty() ? "1" : sizes) + " elements of " + std::to_string(*bytes) +
                     " bytes, {0} bytes behind the beginning, is not inside of the {1} bytes that there are",
                 shown);
}

/// The buffer whose memory `buffer` is in.
static Value viewedMemory(Value buffer) {
  for (Operation *def = buffer.getDefiningOp(); def; def = buffer.getDefiningOp()) {
    if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(def))
      buffer = metadata.getSource();
    else if (auto view = dyn_cast<ViewLikeOpInterface>(def); view && !isa<memref::ViewOp>(def))
      buffer = view.getViewSource();
    else
      break;
  }
  return buffer;
}

/// Checks that all elements of a view of given offset, sizes and strides are in the memory of its buffer, if that is
/// known to be one without gaps.
static void checkReinterpretation(memref::ReinterpretCastOp op) {
  Value memory = viewedMemory(op.getSource());
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (!type || type.getRank() == 0 || !type.getLayout().isIdentity() ||
      type.getElementType() != op.getType().getElementType())
    return;
  Checks checks(op);
  OpBuilder &b = checks.builder;
  Value total = checks.number(1), zero = checks.number(0), one = checks.number(1);
  for (OpFoldResult size : checks.sizesOf(memory))
    total = b.createOrFold<arith::MulIOp>(checks.loc, total, checks.valueOf(size));
  Value offset = checks.valueOf(op.getMixedOffsets()[0]);
  Value isInside = checks.both(checks.compare(arith::CmpIPredicate::sge, offset, zero),
                               checks.compare(arith::CmpIPredicate::slt, offset, total));
  // Elements behind the one that has been reached.
  Value room = b.createOrFold<arith::SubIOp>(checks.loc, b.createOrFold<arith::SubIOp>(checks.loc, total, offset), one);
  Value none, isValid;
  for (auto [sizeOf, strideOf] : llvm::zip_equal(op.getMixedSizes(), op.getMixedStrides())) {
    if (std::optional<int64_t> known = getConstantIntValue(strideOf); known && *known < 0)
      return;
    Value size = checks.valueOf(sizeOf), stride = checks.valueOf(strideOf);
    Value isNone = checks.compare(arith::CmpIPredicate::eq, size, zero);
    none = none ? b.createOrFold<arith::OrIOp>(checks.loc, none, isNone) : isNone;
    Value isRight = checks.both(checks.compare(arith::CmpIPredicate::sge, size, zero),
                                checks.compare(arith::CmpIPredicate::sge, stride, zero));
    isValid = isValid ? checks.both(isValid, isRight) : isRight;
    Value steps = b.createOrFold<arith::SubIOp>(checks.loc, size, one);
    Value most =
        b.createOrFold<arith::DivSIOp>(checks.loc, room, b.createOrFold<arith::MaxSIOp>(checks.loc, stride, one));
    Value fits = b.createOrFold<arith::OrIOp>(checks.loc, checks.compare(arith::CmpIPredicate::eq, stride, zero),
                                              checks.compare(arith::CmpIPredicate::sle, steps, most));
    isInside = checks.both(isInside, fits);
    room = b.createOrFold<arith::SubIOp>(checks.loc, room, b.createOrFold<arith::MulIOp>(checks.loc, steps, stride));
  }
  if (none)
    isInside = checks.both(isValid, b.createOrFold<arith::OrIOp>(checks.loc, none, isInside));
  checks.require(isInside, "the view from element {0} on is not inside of the {1} elements that there are",
                 {offset, total});
}

void sched::checkViews(Operation *root) {
  root->walk([](Operation *op) {
    if (auto view = dyn_cast<memref::ViewOp>(op))
      checkView(view);
    else if (auto view = dyn_cast<memref::ReinterpretCastOp>(op))
      checkReinterpretation(view);
  });
}

void sched::checkStructuredSizes(linalg::LinalgOp op) {
  Checks checks(op);
  auto sizeOf = [&](OpOperand &operand, int64_t dim) -> OpFoldResult {
    auto type = cast<ShapedType>(operand.get().getType());
    return type.isDynamicDim(dim) ? OpFoldResult(checks.dimOf(operand.get(), dim))
                                  : checks.builder.getIndexAttr(type.getDimSize(dim));
  };
  auto elementOf = [](OpOperand &operand) { return cast<ShapedType>(operand.get().getType()).getElementType(); };
  SmallVector<OpFoldResult> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!rankedType(operand.get()))
      continue;
    SmallVector<OpFoldResult> got, expected;
    for (auto [dim, expression] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expression)) {
        OpFoldResult size = sizeOf(operand, dim), &known = loops[loop.getPosition()];
        if (known && known != size) {
          got.push_back(size);
          expected.push_back(known);
        } else {
          known = size;
        }
      }
    if (!got.empty())
      checks.add(elementOf(operand), got, expected, /*sameSizes=*/true);
  }
  // Windows: where the last position is not inside, the size that it needs is compared with the one that is there.
  auto fold = [&](auto op, Value lhs, Value rhs) {
    return checks.builder.createOrFold<decltype(op)>(checks.loc, lhs, rhs);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    if (!rankedType(operand.get()))
      continue;
    for (auto [dim, expression] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      SmallVector<int64_t> factors;
      if (isa<AffineDimExpr>(expression) ||
          failed(getFlattenedAffineExpr(expression, loops.size(), /*numSymbols=*/0, &factors)) ||
          factors.size() != loops.size() + 1)
        continue;
      // Upstream's verifier checks static sizes, except 0.
      const int64_t extent = cast<ShapedType>(operand.get().getType()).getDimSize(dim);
      bool isDynamic = ShapedType::isDynamic(extent) || extent == 0, isKnown = true;
      for (auto [factor, loop] : llvm::zip(factors, loops)) {
        isKnown &= factor == 0 || !loop.isNull();
        isDynamic |= factor != 0 && isa_and_present<Value>(loop);
      }
      if (!isKnown || !isDynamic)
        continue;
      Value zero = checks.number(0), one = checks.number(1), first = checks.number(factors.back()), last = first;
      Value isEmpty = arith::ConstantIntOp::create(checks.builder, checks.loc, 0, 1);
      for (auto [factor, loop] : llvm::zip(factors, loops)) {
        if (factor == 0)
          continue;
        Value size = checks.valueOf(loop);
        isEmpty = fold(arith::OrIOp(), isEmpty, checks.compare(arith::CmpIPredicate::eq, size, zero));
        Value way = fold(arith::MulIOp(), fold(arith::SubIOp(), size, one), checks.number(factor));
        Value &end = factor > 0 ? last : first;
        end = fold(arith::AddIOp(), end, way);
      }
      Value size = checks.valueOf(sizeOf(operand, dim));
      Value isBelow = checks.compare(arith::CmpIPredicate::slt, first, zero);
      Value isInside = checks.both(checks.compare(arith::CmpIPredicate::sge, first, zero),
                                   checks.compare(arith::CmpIPredicate::slt, last, size));
      auto choose = [&](Value condition, Value yes, Value no) {
        return checks.builder.createOrFold<arith::SelectOp>(checks.loc, condition, yes, no);
      };
      Value needed = choose(isBelow, first, fold(arith::AddIOp(), last, one));
      needed = choose(fold(arith::OrIOp(), isEmpty, isInside), size, needed);
      checks.add(elementOf(operand), {size}, {needed}, /*sameSizes=*/true);
    }
  }
}

/// Whether `before` is a check that an earlier call made for `op`. An op that was erased leaves its checks before the
/// next one.
static bool isCheckOf(Operation *before, Operation *op) {
  const bool isOfSlice = isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
  if (!isa_and_present<sched::CheckReshapeOp, sched::CheckSumOp, sched::CheckSizesOp>(before) ||
      (isOfSlice && !isa<sched::CheckSizesOp>(before)))
    return false;
  SmallVector<StringRef> idsOfCheck = getOpIds(before->getLoc()), ids = getOpIds(op->getLoc());
  return idsOfCheck.empty() || ids.empty() || idsOfCheck == ids;
}

void sched::checkReshapes(Operation *root, bool inKernelWork) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForallOp>(op); loop && !isCheckOf(op->getPrevNode(), op))
      checkForallSteps(loop);
    // Kernels on tensors are tiled, which takes code that only computes.
    if (!inKernelWork && isa<linalg::LinalgOp, scf::ForallOp>(op))
      return WalkResult::skip();
    // They stand there already where the compile began with a later snapshot.
    if (isCheckOf(op->getPrevNode(), op))
      return WalkResult::advance();
    checkRequirements(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case<tensor::ReshapeOp, memref::ReshapeOp>([](auto reshape) { checkViewOf(reshape); })
        .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>([](auto expand) { checkExpand(expand); })
        .Case<tensor::CastOp, memref::CastOp>([](auto cast) { checkCast(cast); })
        .Case<memref::CopyOp>([](memref::CopyOp copy) { checkCopy(copy, copy.getSource(), copy.getTarget()); })
        .Case<bufferization::MaterializeInDestinationOp>(
            [](bufferization::MaterializeInDestinationOp copy) { checkCopy(copy, copy.getSource(), copy.getDest()); })
        .Case<tensor::DimOp, memref::DimOp>([](auto dim) { checkDim(dim); })
        .Case<ReshapeOp>([](ReshapeOp reshape) { checkReshape(reshape); })
        .Case<tensor::PadOp>([](tensor::PadOp pad) { checkPad(pad); })
        .Case<PadOp>([](PadOp pad) { checkPad(pad); })
        .Case<tensor::ConcatOp>([](tensor::ConcatOp concat) { checkConcat(concat, concat.getDim()); })
        .Case<ConcatOp>([](ConcatOp concat) { checkConcat(concat, concat.getAxis()); })
        .Case<TileOp>([](TileOp tile) { checkTile(tile); })
        .Case<linalg::PackOp>(
            [](linalg::PackOp pack) { checkTiles(pack, pack.getSource(), pack.getDest(), !pack.getPaddingValue()); })
        .Case<linalg::UnPackOp>(
            [](linalg::UnPackOp unpack) { checkTiles(unpack, unpack.getDest(), unpack.getSource(), false); })
        .Case<tensor::ExtractSliceOp>([](tensor::ExtractSliceOp slice) { checkSliceOf(slice, slice.getSource()); })
        .Case<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(
            [](auto slice) { checkSliceOf(slice, slice.getDest()); });
    return WalkResult::advance();
  });
}
