//===- Pooling.cpp - pooling ----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// AveragePool, MaxPool, LpPool, their global forms and MaxUnpool. Two spatial dimensions (and one, as two) are ops of
// the dialect; the others, and positions of maxima, are linalg.generic over a padded image.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"
#include "lib/Import/ONNX/Quantized.h"
#include "lib/Import/ONNX/Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// The windows of a pooling node over input 0.
static std::optional<Windows> poolWindows(Node &node) {
  if (node.rank(0) < 3) {
    (void)node.refuse("its input has rank " + llvm::Twine(node.rank(0)) + ", less than 3");
    return std::nullopt;
  }
  return windowsOf(node, node.integers("kernel_shape"), node.operand(0).type().getShape().drop_front(2));
}

/// Whether the dialect's ops take the windows: in two dimensions, and with less padding than kernel.
static bool fitsDialect(const Windows &windows) {
  for (size_t i = 0; i < windows.size(); ++i)
    if (windows.before[i] >= windows.kernel[i] || windows.after[i] >= windows.kernel[i])
      return false;
  return windows.size() <= 2;
}

/// One spatial dimension as two, of which the first has size 1.
static Value asImage(Node &node, Value value, Windows &windows) {
  if (windows.size() == 2)
    return value;
  for (Ints *values : {&windows.kernel, &windows.strides, &windows.dilations})
    values->insert(values->begin(), 1);
  for (Ints *values : {&windows.before, &windows.after})
    values->insert(values->begin(), 0);
  return node.unsqueezed(value, {2});
}

/// With ceil_mode, padding at the end so that the last window that begins in the image fits.
static LogicalResult padForCeil(Node &node, Windows &windows) {
  for (size_t i = 0; i < windows.size() && windows.ceilMode; ++i) {
    const int64_t size = node.operand(0).type().getDimSize(2 + i);
    if (ShapedType::isDynamic(size))
      return node.refuse("ceil_mode of a dimension whose size is dynamic", "give the model a static size");
    const int64_t reach = (windows.kernel[i] - 1) * windows.dilations[i] + 1;
    const int64_t whole = size + windows.before[i] + windows.after[i];
    int64_t positions = (whole - reach + windows.strides[i] - 1) / windows.strides[i] + 1;
    if ((positions - 1) * windows.strides[i] >= size + windows.before[i])
      --positions;
    windows.after[i] += std::max<int64_t>(0, (positions - 1) * windows.strides[i] + reach - whole);
  }
  return success();
}

namespace {
/// The loops of a pooling over a padded image: batch, channel, positions; kernel.
struct PoolLoops {
  llvm::SmallVector<AffineExpr> image, kernel, result;
  llvm::SmallVector<utils::IteratorType> iterators;
  Sizes sizes;
};
} // namespace

static PoolLoops poolLoops(Node &node, Value image, const Windows &windows) {
  PoolLoops loops;
  const int64_t count = windows.size();
  Sizes sizes = node.sizesOf(image);
  loops.sizes = {sizes[0], sizes[1]};
  loops.iterators.assign(2 + count, utils::IteratorType::parallel);
  loops.iterators.append(count, utils::IteratorType::reduction);
  for (int64_t i = 0; i < 2; ++i) {
    loops.image.push_back(node.b.getAffineDimExpr(i));
    loops.result.push_back(node.b.getAffineDimExpr(i));
  }
  for (int64_t i = 0; i < count; ++i) {
    AffineExpr position = node.b.getAffineDimExpr(2 + i), offset = node.b.getAffineDimExpr(2 + count + i);
    loops.image.push_back(position * windows.strides[i] + offset * windows.dilations[i]);
    loops.result.push_back(position);
    loops.kernel.push_back(offset);
    const int64_t reach = (windows.kernel[i] - 1) * windows.dilations[i] + 1;
    loops.sizes.push_back(node.plus(
        node.dividedBy(node.minus(sizes[2 + i], node.index(reach)), node.index(windows.strides[i])), node.index(1)));
  }
  return loops;
}

static llvm::SmallVector<AffineMap> poolMaps(Node &node, const PoolLoops &loops, unsigned results) {
  llvm::SmallVector<AffineMap> maps;
  auto add = [&](llvm::ArrayRef<AffineExpr> exprs) {
    maps.push_back(AffineMap::get(loops.iterators.size(), 0, exprs, node.b.getContext()));
  };
  add(loops.image);
  add(loops.kernel);
  for (unsigned i = 0; i < results; ++i)
    add(loops.result);
  return maps;
}

static Value kernelShape(Node &node, const Windows &windows) {
  Sizes sizes;
  for (int64_t size : windows.kernel)
    sizes.push_back(node.index(size));
  return node.empty(sizes, node.b.getF32Type());
}

/// Sums over windows of a padded image, in f32 or wider.
static Value windowSums(Node &node, Value image, const Windows &windows) {
  PoolLoops loops = poolLoops(node, image, windows);
  const Type element = llvm::cast<RankedTensorType>(image.getType()).getElementType();
  Value init = node.filled(loops.sizes, node.scalar(element, 0));
  return node.generic({image, kernelShape(node, windows)}, init, poolMaps(node, loops, 1), loops.iterators,
                      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                        return arith::AddFOp::create(b, loc, args[2], args[0]);
                      });
}

/// The means of the windows of `input`, a tensor of floats with the shape of input 0; null after a refusal.
static Value averaged(Node &node, Value input) {
  std::optional<Windows> windows = poolWindows(node);
  if (!windows)
    return {};
  const bool countsPadding = node.integer("count_include_pad") != 0;
  if (fitsDialect(*windows)) {
    Windows two = *windows;
    Value image = asImage(node, input, two);
    Value result = node.make<AvgPoolOp>(image, ImageLayout::Nchw, llvm::ArrayRef<int64_t>(two.kernel),
                                        llvm::ArrayRef<int64_t>(two.strides), llvm::ArrayRef<int64_t>(two.dilations),
                                        llvm::ArrayRef<int64_t>(two.pads()), two.ceilMode, countsPadding);
    if (node.isRefused())
      return {};
    return windows->size() == 1 ? node.squeezed(result, {2}) : result;
  }
  const Windows given = *windows;
  if (failed(padForCeil(node, *windows)))
    return {};
  const Type element = llvm::cast<RankedTensorType>(input.getType()).getElementType(),
             wide = element.getIntOrFloatBitWidth() < 32 ? Type(node.b.getF32Type()) : element;
  Value image = node.cast(input, wide);
  Value sums = windowSums(node, padded(node, image, windows->before, windows->after, 0), *windows);
  // How many elements each window has: the same sums of an image of ones.
  Sizes sizes = node.sizesOf(image);
  sizes[0] = sizes[1] = node.index(1);
  Value ones = node.filled(sizes, node.scalar(wide, 1));
  Ints extra;
  for (size_t i = 0; i < windows->size(); ++i)
    extra.push_back(windows->after[i] - given.after[i]);
  Value counted = countsPadding
                      ? padded(node, padded(node, ones, given.before, given.after, 1), Ints(extra.size(), 0), extra, 0)
                      : padded(node, ones, windows->before, windows->after, 0);
  return node.cast(node.div(sums, windowSums(node, counted, *windows)), element);
}

static LogicalResult buildAveragePool(Node &node) {
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  Value result = averaged(node, node.in(0));
  if (!result)
    return failure();
  node.set(0, result);
  return success();
}

static LogicalResult buildQLinearAveragePool(Node &node) {
  if (!node.element(0).isInteger(8) || node.integer("channels_last"))
    return node.refuse("its input is not of 8 bits with the channels in dimension 1");
  Value result = averaged(node, dequantized(node, 0));
  return result ? setQuantized(node, result, 3) : failure();
}

/// The p-norm of each window.
static LogicalResult buildLpPool(Node &node) {
  std::optional<Windows> windows = poolWindows(node);
  if (!windows || failed(padForCeil(node, *windows)))
    return failure();
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  const Type element = node.element(0),
             wide = element.getIntOrFloatBitWidth() < 32 ? Type(node.b.getF32Type()) : element;
  Value p = node.constant(wide, node.integer("p", 2)), inverse = node.constant(wide, 1.0 / node.integer("p", 2));
  Value powers = node.binary<PowOp>(node.unary<AbsOp>(node.cast(node.in(0), wide)), p);
  Value sums = windowSums(node, padded(node, powers, windows->before, windows->after, 0), *windows);
  node.set(0, node.cast(node.binary<PowOp>(sums, inverse), element));
  return success();
}

/// The lowest number of a type, as it is compared.
static double lowestOf(Type type) {
  return isa<FloatType>(type) ? -std::numeric_limits<double>::infinity()
                              : -std::ldexp(1.0, type.getIntOrFloatBitWidth() - 1);
}

/// Maxima of any number of dimensions and their positions in the input, in row-major order or (`columns`) with the
/// first spatial dimension fastest.
static void generalMaxPool(Node &node, Value image, const Windows &windows, bool columns, Value &maxima,
                           Value &positions) {
  const Type element = llvm::cast<RankedTensorType>(image.getType()).getElementType(), i64 = node.b.getI64Type();
  const int64_t count = windows.size();
  Value wide = padded(node, image, windows.before, windows.after, lowestOf(element));
  PoolLoops loops = poolLoops(node, wide, windows);
  llvm::SmallVector<Value> extents;
  for (OpFoldResult size : node.sizesOf(image))
    extents.push_back(node.indexValue(size));
  llvm::SmallVector<Value> inits{node.filled(loops.sizes, node.scalar(element, lowestOf(element))),
                                 node.filled(loops.sizes, node.scalar(i64, -1))};
  auto pool = linalg::GenericOp::create(
      node.b, node.loc, ValueRange(inits).getTypes(), ValueRange{wide, kernelShape(node, windows)}, inits,
      poolMaps(node, loops, 2), loops.iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
        auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
        auto multiply = [&](Value x, Value y) -> Value { return arith::MulIOp::create(b, loc, x, y); };
        auto plus = [&](Value x, Value y) -> Value { return arith::AddIOp::create(b, loc, x, y); };
        Value flat = plus(multiply(linalg::IndexOp::create(b, loc, 0), extents[1]), linalg::IndexOp::create(b, loc, 1));
        llvm::SmallVector<Value> at;
        Value isInside = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
        for (int64_t i = 0; i < count; ++i) {
          Value position = plus(multiply(linalg::IndexOp::create(b, loc, 2 + i), index(windows.strides[i])),
                                multiply(linalg::IndexOp::create(b, loc, 2 + count + i), index(windows.dilations[i])));
          at.push_back(arith::SubIOp::create(b, loc, position, index(windows.before[i])));
          // Below 0 is far above as an unsigned number.
          isInside = arith::AndIOp::create(
              b, loc, isInside, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at.back(), extents[2 + i]));
        }
        for (int64_t i = 0; i < count; ++i) {
          const int64_t dim = columns ? count - 1 - i : i;
          flat = plus(multiply(flat, extents[2 + dim]), at[dim]);
        }
        Value known = arith::IndexCastOp::create(b, loc, i64, flat);
        Value isGreater = isa<FloatType>(element)
                              ? Value(arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UGT, args[0], args[2]))
                              : Value(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, args[0], args[2]));
        Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, args[3],
                                              arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)));
        Value isTaken = arith::AndIOp::create(b, loc, isInside, arith::OrIOp::create(b, loc, isGreater, isFirst));
        Value best = arith::SelectOp::create(b, loc, isTaken, args[0], args[2]);
        Value where = arith::SelectOp::create(b, loc, isTaken, known, args[3]);
        linalg::YieldOp::create(b, loc, ValueRange{best, where});
      });
  maxima = pool.getResult(0);
  positions = pool.getResult(1);
}

static LogicalResult buildMaxPool(Node &node) {
  std::optional<Windows> windows = poolWindows(node);
  if (!windows)
    return failure();
  const Type element = node.element(0);
  const bool isUnsigned = node.isUnsigned(0);
  if (element.isInteger(1))
    return node.refuse("its input is of type bool");
  // Unsigned numbers have room in the next wider type.
  Value image = isUnsigned ? node.cast(node.in(0), node.b.getI64Type(), true) : node.in(0);
  if (!node.wants(1) && fitsDialect(*windows)) {
    Windows two = *windows;
    image = asImage(node, image, two);
    Value result = node.make<MaxPoolOp>(image, ImageLayout::Nchw, llvm::ArrayRef<int64_t>(two.kernel),
                                        llvm::ArrayRef<int64_t>(two.strides), llvm::ArrayRef<int64_t>(two.dilations),
                                        llvm::ArrayRef<int64_t>(two.pads()), two.ceilMode);
    if (node.isRefused())
      return failure();
    result = windows->size() == 1 ? node.squeezed(result, {2}) : result;
    node.set(0, node.cast(result, element), isUnsigned);
    return success();
  }
  if (failed(padForCeil(node, *windows)))
    return failure();
  Value maxima, positions;
  generalMaxPool(node, image, *windows, node.integer("storage_order") != 0, maxima, positions);
  node.set(0, node.cast(maxima, element), isUnsigned);
  node.set(1, positions);
  return success();
}

template <ReduceKind kind> static LogicalResult buildGlobalPool(Node &node) {
  Ints dims;
  for (int64_t dim = 2; dim < node.rank(0); ++dim)
    dims.push_back(dim);
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  node.set(0, node.reduced(kind, node.in(0), dims, true));
  return success();
}

static LogicalResult buildGlobalLpPool(Node &node) {
  Ints dims;
  for (int64_t dim = 2; dim < node.rank(0); ++dim)
    dims.push_back(dim);
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  const Type element = node.element(0);
  Value p = node.constant(element, node.integer("p", 2)), inverse = node.constant(element, 1.0 / node.integer("p", 2));
  Value powers = node.binary<PowOp>(node.unary<AbsOp>(node.in(0)), p);
  node.set(0, node.binary<PowOp>(node.reduced(ReduceKind::Sum, powers, dims, true), inverse));
  return success();
}

/// Puts each element to the place that MaxPool found it at.
static LogicalResult buildMaxUnpool(Node &node) {
  const int64_t rank = node.rank(0), count = rank - 2;
  if (count < 1 || node.rank(1) != rank)
    return node.refuse("its input and indices have different ranks, or fewer than 3 dimensions");
  Ints kernel = node.integers("kernel_shape"), strides = node.integers("strides", Ints(count, 1)),
       pads = node.integers("pads", Ints(2 * count, 0));
  if (static_cast<int64_t>(kernel.size()) != count || static_cast<int64_t>(strides.size()) != count ||
      static_cast<int64_t>(pads.size()) != 2 * count)
    return node.refuse("kernel_shape, strides or pads do not fit its input");
  Sizes sizes = node.sizesOf(node.in(0)), inner = sizes;
  for (int64_t i = 0; i < count; ++i)
    inner[2 + i] = node.plus(node.times(node.minus(sizes[2 + i], node.index(1)), node.index(strides[i])),
                             node.index(kernel[i] - pads[i] - pads[count + i]));
  Sizes result = inner;
  if (node.has(2)) {
    std::optional<Sizes> given = node.elementsOf(2);
    if (!given || static_cast<int64_t>(given->size()) != rank)
      return node.refuse("output_shape does not fit its input");
    result = *given;
  }
  // The positions count in the shape without output_shape.
  Value zeros = node.filled({node.product(inner)}, node.scalar(node.element(0), 0));
  Value values = node.reshaped(node.in(0), {node.product(sizes)});
  Value positions = node.reshaped(node.in(1), {node.product(sizes)});
  Value flat =
      ScatterOp::create(node.b, node.loc, zeros.getType(), ScatterKind::Update, zeros, positions, values, 0, 0);
  Value image = node.reshaped(flat, inner);
  if (node.has(2)) {
    Sizes offsets(rank, node.index(0)), ones(rank, node.index(1));
    image = tensor::InsertSliceOp::create(node.b, node.loc, image, node.filled(result, node.scalar(node.element(0), 0)),
                                          offsets, inner, ones);
  }
  node.set(0, image, node.isUnsigned(0));
  return success();
}

void importer::addPooling(OpTable &table) {
  table.add("AveragePool", buildAveragePool, 1, 1);
  table.add("com.microsoft:QLinearAveragePool", buildQLinearAveragePool, 5, 5);
  table.add("GlobalAveragePool", buildGlobalPool<ReduceKind::Mean>, 1, 1);
  table.add("GlobalLpPool", buildGlobalLpPool, 1, 1);
  table.add("GlobalMaxPool", buildGlobalPool<ReduceKind::Max>, 1, 1);
  table.add("LpPool", buildLpPool, 1, 1);
  table.add("MaxPool", buildMaxPool, 1, 1);
  table.add("MaxUnpool", buildMaxUnpool, 2, 3);
}
