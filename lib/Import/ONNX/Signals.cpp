//===- Signals.cpp - signal processing and determinants -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// DFT and STFT as products with a matrix of sines and cosines, window functions, MelWeightMatrix and Det.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

static constexpr double kPi = 3.14159265358979323846;

/// An index or integer as f64.
static Value asReal(OpBuilder &b, Location loc, Value x) {
  Value wide = x.getType().isIndex() ? Value(arith::IndexCastOp::create(b, loc, b.getI64Type(), x)) : x;
  return arith::SIToFPOp::create(b, loc, b.getF64Type(), wide);
}

static Value realNumber(OpBuilder &b, Location loc, double value) {
  return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
}

/// An f64 as an element of a float type.
static Value asElement(OpBuilder &b, Location loc, Value x, Type type) {
  if (isa<IntegerType>(type))
    return arith::FPToSIOp::create(b, loc, type, x);
  return type.isF64() ? x : Value(arith::TruncFOp::create(b, loc, type, x));
}

/// cos or sin of 2 pi n k / N in row n, column k.
static Value rotations(Node &node, OpFoldResult rows, OpFoldResult columns, OpFoldResult length, bool isSine,
                       Type element) {
  Value count = node.indexValue(length);
  return node.generated({rows, columns}, element, [&](OpBuilder &b, Location loc, ValueRange at) {
    // The angle is a whole number of parts of a turn, which whole turns leave out.
    Value parts = arith::RemUIOp::create(b, loc, arith::MulIOp::create(b, loc, at[0], at[1]), count);
    Value angle =
        arith::DivFOp::create(b, loc, arith::MulFOp::create(b, loc, asReal(b, loc, parts), realNumber(b, loc, 2 * kPi)),
                              asReal(b, loc, count));
    Value result = isSine ? Value(math::SinOp::create(b, loc, angle)) : Value(math::CosOp::create(b, loc, angle));
    return asElement(b, loc, result, element);
  });
}

/// The transform along the last dimension of `real` (and `imaginary`, or null), as [..., columns, 2].
static Value spectrum(Node &node, Value real, Value imaginary, OpFoldResult length, OpFoldResult columns,
                      bool isInverse) {
  const Type element = llvm::cast<RankedTensorType>(real.getType()).getElementType();
  const int64_t rank = llvm::cast<RankedTensorType>(real.getType()).getRank();
  // Positions behind the length are cut off; those that are missing count as 0.
  Sizes sizes = node.sizesOf(real), offsets(rank, node.index(0));
  OpFoldResult used = node.smallest(sizes.back(), length);
  sizes.back() = used;
  real = node.sliced(real, offsets, sizes, {});
  Value cosines = rotations(node, used, columns, length, false, element),
        sines = rotations(node, used, columns, length, true, element);
  auto product = [&](Value x, Value matrix) { return node.make<MatmulOp>(x, matrix, false, false); };
  // (re + i im) (cos - i sin), or + i sin of the inverse.
  Value re = product(real, cosines), im = product(real, sines);
  if (!isInverse)
    im = node.unary<NegOp>(im);
  if (imaginary) {
    imaginary = node.sliced(imaginary, offsets, sizes, {});
    Value crossed = product(imaginary, sines);
    re = isInverse ? node.sub(re, crossed) : node.add(re, crossed);
    im = node.add(im, product(imaginary, cosines));
  }
  Value both = node.concatenated({node.unsqueezed(re, {rank}), node.unsqueezed(im, {rank})}, rank);
  if (!isInverse)
    return both;
  Value size = tensor::FromElementsOp::create(
      node.b, node.loc, RankedTensorType::get({}, element),
      asElement(node.b, node.loc, asReal(node.b, node.loc, node.indexValue(length)), element));
  return node.div(both, size);
}

static OpFoldResult spectrumColumns(Node &node, OpFoldResult length, bool isOneSided) {
  return isOneSided ? node.plus(node.dividedBy(length, node.index(2)), node.index(1)) : length;
}

static LogicalResult buildDft(Node &node) {
  const int64_t rank = node.rank(0);
  if (rank < 2 || !isa<FloatType>(node.element(0)))
    return node.refuse("its input is no signal of floats");
  const int64_t parts = node.operand(0).type().getDimSize(rank - 1);
  if (parts != 1 && parts != 2)
    return node.refuse("its last dimension is neither 1 (real) nor 2 (complex)");
  int64_t given = node.integer("axis", 1);
  if (node.opset >= 20) {
    given = -2;
    if (node.has(2)) {
      std::optional<Ints> axes = node.constantsOf(2, "axis");
      if (!axes || axes->size() != 1)
        return failure();
      given = axes->front();
    }
  }
  std::optional<int64_t> axis = node.axisOf(given, rank);
  if (!axis || *axis == rank - 1)
    return node.refuse("axis is the last dimension");
  const bool isInverse = node.integer("inverse") != 0, isOneSided = node.integer("onesided") != 0;
  if (isOneSided && isInverse)
    return node.refuse("an inverse transform is not one-sided");
  OpFoldResult length = node.sizeOf(node.in(0), *axis);
  if (node.has(1)) {
    std::optional<Sizes> wanted = node.elementsOf(1);
    if (!wanted || wanted->size() != 1)
      return failure();
    length = wanted->front();
  }
  // The axis becomes the last dimension but the two parts.
  Ints order;
  for (int64_t dim = 0; dim < rank - 1; ++dim)
    if (dim != *axis)
      order.push_back(dim);
  order.push_back(*axis);
  auto part = [&](int64_t i) {
    Value one = node.at(node.in(0), rank - 1, node.index(i));
    Value moved = node.transposed(one, order);
    return rank == 2 ? node.unsqueezed(moved, {0}) : moved;
  };
  Value result = spectrum(node, part(0), parts == 2 ? part(1) : Value(), length,
                          spectrumColumns(node, length, isOneSided), isInverse);
  if (node.isRefused())
    return failure();
  if (rank == 2)
    result = node.squeezed(result, {0});
  Ints back(rank);
  for (auto [i, dim] : llvm::enumerate(order))
    back[dim] = i;
  back[rank - 1] = rank - 1;
  node.set(0, node.transposed(result, back));
  return success();
}

static LogicalResult buildStft(Node &node) {
  const int64_t rank = node.rank(0);
  if (!isa<FloatType>(node.element(0)) || rank < 2 || rank > 3)
    return node.refuse("its input is no signal [B, L, 1] of floats");
  const int64_t parts = rank == 2 ? 1 : node.operand(0).type().getDimSize(2);
  if (parts != 1 && parts != 2)
    return node.refuse("its last dimension is neither 1 (real) nor 2 (complex)");
  std::optional<Sizes> step = node.elementsOf(1), given = node.has(3) ? node.elementsOf(3) : Sizes();
  if (!step || step->size() != 1 || !given)
    return failure();
  Value window = node.has(2) ? node.in(2) : Value();
  if (given->empty() && !window)
    return node.refuse("has neither a window nor frame_length");
  OpFoldResult width = given->empty() ? node.sizeOf(window, 0) : given->front();
  Sizes sizes = node.sizesOf(node.in(0));
  OpFoldResult frames = node.plus(node.dividedBy(node.minus(sizes[1], width), step->front()), node.index(1));
  Value hop = node.indexValue(step->front()), signal = node.in(0);
  const Type element = node.element(0);
  auto framed = [&](int64_t part) {
    return node.generated({sizes[0], frames, width}, element, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
      Value position = arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, at[1], hop), at[2]);
      llvm::SmallVector<Value> from{at[0], position};
      if (rank == 3)
        from.push_back(arith::ConstantIndexOp::create(b, loc, part));
      Value sample = tensor::ExtractOp::create(b, loc, signal, from);
      return window ? Value(arith::MulFOp::create(b, loc, sample, tensor::ExtractOp::create(b, loc, window, at[2])))
                    : sample;
    });
  };
  const bool isOneSided = node.integer("onesided", 1) != 0;
  node.set(0, spectrum(node, framed(0), parts == 2 ? framed(1) : Value(), width,
                       spectrumColumns(node, width, isOneSided), false));
  return success();
}

/// a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N)
static LogicalResult buildWindow(Node &node, double a0, double a1, double a2) {
  std::optional<Sizes> size = node.elementsOf(0);
  if (!size || size->size() != 1)
    return node.refuse("its size is not a single number");
  bool isUnsigned = false;
  Type element = node.importer.elementType(static_cast<int32_t>(node.integer("output_datatype", 1)), isUnsigned);
  if (!element || element.isInteger(1))
    return node.refuse("output_datatype is not supported");
  const bool isPeriodic = node.integer("periodic", 1) != 0;
  Value length = node.indexValue(isPeriodic ? size->front() : node.minus(size->front(), node.index(1)));
  node.set(0,
           node.generated(
               {size->front()}, element,
               [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
                 Value turn = arith::DivFOp::create(
                     b, loc, arith::MulFOp::create(b, loc, asReal(b, loc, at[0]), realNumber(b, loc, 2 * kPi)),
                     asReal(b, loc, length));
                 Value first = arith::MulFOp::create(b, loc, realNumber(b, loc, a1), math::CosOp::create(b, loc, turn));
                 Value result = arith::SubFOp::create(b, loc, realNumber(b, loc, a0), first);
                 if (a2 != 0) {
                   Value twice = math::CosOp::create(b, loc, arith::AddFOp::create(b, loc, turn, turn));
                   result = arith::AddFOp::create(b, loc, result,
                                                  arith::MulFOp::create(b, loc, realNumber(b, loc, a2), twice));
                 }
                 return asElement(b, loc, result, element);
               }),
           isUnsigned);
  return success();
}

static LogicalResult buildHann(Node &node) { return buildWindow(node, 0.5, 0.5, 0); }
static LogicalResult buildHamming(Node &node) { return buildWindow(node, 25.0 / 46, 21.0 / 46, 0); }
static LogicalResult buildBlackman(Node &node) { return buildWindow(node, 0.42, 0.5, 0.08); }

static LogicalResult buildMelWeightMatrix(Node &node) {
  std::optional<Sizes> bins = node.elementsOf(0), length = node.elementsOf(1), rate = node.elementsOf(2);
  bool isUnsigned = false;
  Type element = node.importer.elementType(static_cast<int32_t>(node.integer("output_datatype", 1)), isUnsigned);
  if (!bins || !length || !rate || bins->size() != 1 || length->size() != 1 || rate->size() != 1 || !element ||
      !isa<FloatType>(element) || !isa<FloatType>(node.element(3)) || !isa<FloatType>(node.element(4)))
    return node.refuse("its inputs are not five numbers, or output_datatype is no float type");
  OpBuilder &b = node.b;
  const Type f64 = b.getF64Type();
  auto mel = [&](unsigned i) -> Value {
    Value hertz = tensor::ExtractOp::create(b, node.loc, node.reshaped(node.in(i), {}), ValueRange());
    if (hertz.getType() != f64)
      hertz = arith::ExtFOp::create(b, node.loc, f64, hertz);
    Value ratio = arith::AddFOp::create(b, node.loc, realNumber(b, node.loc, 1),
                                        arith::DivFOp::create(b, node.loc, hertz, realNumber(b, node.loc, 700)));
    return arith::MulFOp::create(b, node.loc, realNumber(b, node.loc, 2595), math::Log10Op::create(b, node.loc, ratio));
  };
  Value low = mel(3), high = mel(4), samples = node.indexValue(length->front()), hertz = node.indexValue(rate->front());
  Value edges = asReal(b, node.loc, node.indexValue(node.plus(bins->front(), node.index(2))));
  Value step = arith::DivFOp::create(b, node.loc, arith::SubFOp::create(b, node.loc, high, low), edges);
  OpFoldResult rows = node.plus(node.dividedBy(length->front(), node.index(2)), node.index(1));
  node.set(0, node.generated({rows, bins->front()}, element, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
    // The row at which band edge i lies.
    auto edge = [&](int64_t offset) -> Value {
      Value i = arith::AddIOp::create(b, loc, at[1], arith::ConstantIndexOp::create(b, loc, offset));
      Value place = arith::AddFOp::create(b, loc, arith::MulFOp::create(b, loc, asReal(b, loc, i), step), low);
      Value power = math::PowFOp::create(b, loc, realNumber(b, loc, 10),
                                         arith::DivFOp::create(b, loc, place, realNumber(b, loc, 2595)));
      Value frequency = arith::MulFOp::create(b, loc, realNumber(b, loc, 700),
                                              arith::SubFOp::create(b, loc, power, realNumber(b, loc, 1)));
      Value count = arith::AddFOp::create(b, loc, asReal(b, loc, samples), realNumber(b, loc, 1));
      Value row = math::FloorOp::create(
          b, loc,
          arith::DivFOp::create(b, loc, arith::MulFOp::create(b, loc, count, frequency), asReal(b, loc, hertz)));
      return row;
    };
    Value lower = edge(0), centre = edge(1), upper = edge(2), row = asReal(b, loc, at[0]), zero = realNumber(b, loc, 0),
          one = realNumber(b, loc, 1);
    auto test = [&](arith::CmpFPredicate predicate, Value x, Value y) -> Value {
      return arith::CmpFOp::create(b, loc, predicate, x, y);
    };
    auto both = [&](Value x, Value y) -> Value { return arith::AndIOp::create(b, loc, x, y); };
    Value up = arith::SubFOp::create(b, loc, centre, lower), down = arith::SubFOp::create(b, loc, upper, centre);
    Value isFlat = test(arith::CmpFPredicate::OEQ, up, zero), atCentre = test(arith::CmpFPredicate::OEQ, row, centre);
    Value rises = both(test(arith::CmpFPredicate::OGE, row, lower), test(arith::CmpFPredicate::OLE, row, centre));
    Value rising = arith::DivFOp::create(b, loc, arith::SubFOp::create(b, loc, row, lower),
                                         arith::SelectOp::create(b, loc, isFlat, one, up));
    Value result = arith::SelectOp::create(b, loc, isFlat, arith::SelectOp::create(b, loc, atCentre, one, zero),
                                           arith::SelectOp::create(b, loc, rises, rising, zero));
    Value hasFall = test(arith::CmpFPredicate::OGT, down, zero);
    Value falls =
        both(hasFall, both(test(arith::CmpFPredicate::OGE, row, centre), test(arith::CmpFPredicate::OLT, row, upper)));
    Value falling = arith::DivFOp::create(b, loc, arith::SubFOp::create(b, loc, upper, row),
                                          arith::SelectOp::create(b, loc, hasFall, down, one));
    return asElement(b, loc, arith::SelectOp::create(b, loc, falls, falling, result), element);
  }));
  return success();
}

/// Gaussian elimination with pivots, of all matrices at once as a loop over their columns.
static LogicalResult buildDet(Node &node) {
  const int64_t rank = node.rank(0);
  if (rank < 2 || !isa<FloatType>(node.element(0)))
    return node.refuse("its input is no matrix of floats");
  const int64_t n = node.operand(0).type().getDimSize(rank - 1);
  if (ShapedType::isDynamic(n) || node.operand(0).type().getDimSize(rank - 2) != n || n > 16)
    return node.refuse("its matrices are not square with a static size of at most 16");
  const Type element = node.element(0), wide = node.b.getF64Type();
  Sizes sizes = node.sizesOf(node.in(0)), outer(sizes.begin(), sizes.end() - 2);
  Value data = node.in(0);
  node.set(0, node.generated(outer, element, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
    // The matrix in scalars: n is small.
    std::vector<std::vector<Value>> m(n, std::vector<Value>(n));
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        llvm::SmallVector<Value> from(at);
        from.push_back(arith::ConstantIndexOp::create(b, loc, i));
        from.push_back(arith::ConstantIndexOp::create(b, loc, j));
        Value x = tensor::ExtractOp::create(b, loc, data, from);
        m[i][j] = element.isF64() ? x : Value(arith::ExtFOp::create(b, loc, wide, x));
      }
    Value result = realNumber(b, loc, 1), zero = realNumber(b, loc, 0), one = realNumber(b, loc, 1);
    for (int64_t k = 0; k < n; ++k) {
      // Rows are exchanged pairwise, so that the largest element comes first.
      for (int64_t i = k + 1; i < n; ++i) {
        Value isLarger = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, math::AbsFOp::create(b, loc, m[i][k]),
                                               math::AbsFOp::create(b, loc, m[k][k]));
        for (int64_t j = k; j < n; ++j) {
          Value top = arith::SelectOp::create(b, loc, isLarger, m[i][j], m[k][j]);
          m[i][j] = arith::SelectOp::create(b, loc, isLarger, m[k][j], m[i][j]);
          m[k][j] = top;
        }
        result = arith::SelectOp::create(b, loc, isLarger, arith::NegFOp::create(b, loc, result), result);
      }
      result = arith::MulFOp::create(b, loc, result, m[k][k]);
      Value isZero = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, m[k][k], zero);
      Value divisor = arith::SelectOp::create(b, loc, isZero, one, m[k][k]);
      for (int64_t i = k + 1; i < n; ++i) {
        Value factor = arith::DivFOp::create(b, loc, m[i][k], divisor);
        for (int64_t j = k + 1; j < n; ++j)
          m[i][j] = arith::SubFOp::create(b, loc, m[i][j], arith::MulFOp::create(b, loc, factor, m[k][j]));
      }
    }
    return asElement(b, loc, result, element);
  }));
  return success();
}

void importer::addSignals(OpTable &table) {
  table.add("BlackmanWindow", buildBlackman, 1, 1);
  table.add("DFT", buildDft, 1, 3);
  table.add("Det", buildDet, 1, 1);
  table.add("HammingWindow", buildHamming, 1, 1);
  table.add("HannWindow", buildHann, 1, 1);
  table.add("MelWeightMatrix", buildMelWeightMatrix, 5, 5);
  table.add("STFT", buildStft, 2, 4);
}
