//===- Contractions.cpp - matrix products ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// MatMul, Gemm, Einsum and their integer relatives.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Activations.h"
#include "lib/Import/ONNX/OpTable.h"
#include "lib/Import/ONNX/Quantized.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// NumPy's matmul: an operand of rank 1 is a row or a column, and batch dimensions are broadcast.
static Value matrixProduct(Node &node, Value x, Value y) {
  const int64_t rankX = llvm::cast<RankedTensorType>(x.getType()).getRank(),
                rankY = llvm::cast<RankedTensorType>(y.getType()).getRank();
  if (rankX == 0 || rankY == 0) {
    (void)node.refuse("an input is a scalar");
    return x;
  }
  if (rankX == 1)
    x = node.unsqueezed(x, {0});
  if (rankY == 1)
    y = node.unsqueezed(y, {1});
  const int64_t rank = std::max<int64_t>({2, rankX, rankY});
  if (llvm::cast<RankedTensorType>(x.getType()).getRank() != 2)
    x = node.withRank(x, rank);
  if (llvm::cast<RankedTensorType>(y.getType()).getRank() != 2)
    y = node.withRank(y, rank);
  Value result = node.make<MatmulOp>(x, y, false, false);
  if (node.isRefused())
    return result;
  Ints dropped;
  const int64_t last = llvm::cast<RankedTensorType>(result.getType()).getRank() - 1;
  if (rankX == 1)
    dropped.push_back(last - 1);
  if (rankY == 1)
    dropped.push_back(last);
  return dropped.empty() ? result : node.squeezed(result, dropped);
}

static LogicalResult buildMatMul(Node &node) {
  if (node.element(0) != node.element(1))
    return node.refuse("its inputs have different element types");
  node.set(0, matrixProduct(node, node.in(0), node.in(1)), node.isUnsigned(0));
  return success();
}

static LogicalResult buildGemm(Node &node) {
  if (node.rank(0) != 2 || node.rank(1) != 2 || node.element(0) != node.element(1) || node.element(0).isInteger(1))
    return node.refuse("its inputs are not two matrices of one type of numbers");
  const double alpha = node.real("alpha", 1), beta = node.real("beta", 1);
  Value result = node.make<MatmulOp>(node.in(0), node.in(1), node.integer("transA") != 0, node.integer("transB") != 0);
  if (node.isRefused())
    return failure();
  const Type element = node.element(0);
  if (alpha != 1)
    result = node.mul(result, node.constant(element, alpha));
  if (node.has(2) && beta != 0) {
    if (node.element(2) != element || node.rank(2) > 2)
      return node.refuse("input 2 does not fit the product");
    result = node.add(result, beta == 1 ? node.in(2) : node.mul(node.in(2), node.constant(element, beta)));
  }
  node.set(0, result, node.isUnsigned(0));
  return success();
}

/// Gemm of com.microsoft, under an activation.
static LogicalResult buildFusedGemm(Node &node) {
  if (failed(buildGemm(node)))
    return failure();
  llvm::SmallVector<double> parameters;
  for (llvm::StringRef name : {"activation_alpha", "activation_beta", "activation_gamma"})
    if (node.hasAttribute(name))
      parameters.push_back(node.real(name));
  return setActivated(node, node.result(0), node.text("activation"), parameters);
}

/// MatMul of com.microsoft: either operand transposed, the product times `alpha`.
static LogicalResult buildFusedMatMul(Node &node) {
  if (node.element(0) != node.element(1) || !isa<FloatType>(node.element(0)))
    return node.refuse("its inputs are not of one float type");
  if (node.integer("transBatchA") || node.integer("transBatchB"))
    return node.refuse("it transposes batches");
  auto operand = [&](unsigned i, llvm::StringRef transposes) {
    const int64_t rank = node.rank(i);
    if (!node.integer(transposes) || rank < 2)
      return node.in(i);
    Ints order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(order[size_t(rank - 1)], order[size_t(rank - 2)]);
    return node.transposed(node.in(i), order);
  };
  Value product = matrixProduct(node, operand(0, "transA"), operand(1, "transB"));
  const double alpha = node.real("alpha", 1);
  if (!node.isRefused() && alpha != 1)
    product = node.mul(product, node.constant(node.element(0), alpha));
  node.set(0, product);
  return failure(node.isRefused());
}

/// Integers without their zero point, as i32. A zero point of rank 1 has one value per row, or per column.
static Value shiftedMatrix(Node &node, unsigned input, unsigned zeroPoint, bool isLeft) {
  const Type i32 = node.b.getI32Type();
  Value value = node.cast(node.in(input), i32, node.isUnsigned(input));
  if (!node.has(zeroPoint))
    return value;
  Value zero = node.cast(node.in(zeroPoint), i32, node.isUnsigned(zeroPoint));
  if (isLeft && node.rank(zeroPoint) == 1 && node.operand(zeroPoint).type().getDimSize(0) != 1)
    zero = node.unsqueezed(zero, {1});
  return node.sub(value, zero);
}

static LogicalResult buildMatMulInteger(Node &node) {
  Value x = shiftedMatrix(node, 0, 2, true), y = shiftedMatrix(node, 1, 3, false);
  if (node.isRefused())
    return failure();
  node.set(0, matrixProduct(node, x, y));
  return success();
}

static LogicalResult buildQLinearMatMul(Node &node) {
  Value x = shiftedMatrix(node, 0, 2, true), y = shiftedMatrix(node, 3, 5, false);
  if (node.isRefused())
    return failure();
  Value sum = matrixProduct(node, x, y);
  if (node.isRefused())
    return failure();
  Value scaleA = node.in(1);
  if (node.rank(1) == 1 && node.operand(1).type().getDimSize(0) != 1)
    scaleA = node.unsqueezed(scaleA, {1});
  return requantize(node, sum, scaleA, node.in(4), 6, 7);
}

/// Sets the result to the integers `sum` times both scales, plus input `bias` if there is one.
static LogicalResult setScaled(Node &node, Value sum, Value scaleA, Value scaleB, unsigned bias) {
  const Type f32 = node.b.getF32Type();
  Value real = node.mul(node.cast(sum, f32), node.mul(node.cast(scaleA, f32), node.cast(scaleB, f32)));
  if (node.has(bias))
    real = node.add(real, node.in(bias));
  node.set(0, real);
  return failure(node.isRefused());
}

/// Of com.microsoft: MatMulInteger whose result is scaled to floats.
static LogicalResult buildMatMulIntegerToFloat(Node &node) {
  Value x = shiftedMatrix(node, 0, 4, true), y = shiftedMatrix(node, 1, 5, false);
  Value sum = node.isRefused() ? Value() : matrixProduct(node, x, y);
  if (node.isRefused())
    return failure();
  Value scaleA = node.in(2);
  if (node.rank(2) == 1 && node.operand(2).type().getDimSize(0) != 1)
    scaleA = node.unsqueezed(scaleA, {1});
  return setScaled(node, sum, scaleA, node.in(3), 6);
}

/// Of com.microsoft: the left operand is quantized as DynamicQuantizeLinear does it.
static LogicalResult buildDynamicQuantizeMatMul(Node &node) {
  if (!node.element(0).isF32())
    return node.refuse("its input is not of type float");
  const QuantizedTensor left = dynamicallyQuantized(node, node.in(0));
  const Type i32 = node.b.getI32Type();
  Value x = node.sub(node.cast(left.values, i32, true), node.cast(left.zeroPoint, i32, true));
  Value y = shiftedMatrix(node, 1, 3, false);
  Value sum = node.isRefused() ? Value() : matrixProduct(node, x, y);
  if (node.isRefused())
    return failure();
  return setScaled(node, sum, left.scale, node.in(2), 4);
}

/// Of com.microsoft: a Gemm of integers. C is of i32, in units of the product's scale; without a scale of its own the
/// result is of floats.
static LogicalResult buildQGemm(Node &node) {
  if (node.rank(0) != 2 || node.rank(3) != 2)
    return node.refuse("its inputs are not two matrices");
  const Type i32 = node.b.getI32Type(), f32 = node.b.getF32Type();
  const bool turnsB = node.integer("transB") != 0;
  Value x = shiftedMatrix(node, 0, 2, false), zero = node.cast(node.in(5), i32, node.isUnsigned(5));
  if (node.rank(2) > 1 || (node.rank(2) == 1 && node.operand(2).type().getDimSize(0) != 1))
    return node.refuse("its zero point of A is not one number");
  // One per column of the product.
  if (turnsB && node.rank(5) == 1 && node.operand(5).type().getDimSize(0) != 1)
    zero = node.unsqueezed(zero, {1});
  Value y = node.sub(node.cast(node.in(3), i32, node.isUnsigned(3)), zero);
  Value sum = node.isRefused() ? Value() : node.make<MatmulOp>(x, y, node.integer("transA") != 0, turnsB);
  if (node.isRefused())
    return failure();
  if (node.has(6))
    sum = node.add(sum, node.in(6));
  Value scaleA = node.mul(node.cast(node.in(1), f32), node.constant(f32, node.real("alpha", 1)));
  if (node.isRefused())
    return failure();
  if (!node.has(7))
    return setScaled(node, sum, scaleA, node.in(4), ~0u);
  return node.has(8) ? requantize(node, sum, scaleA, node.in(4), 7, 8)
                     : node.refuse("the zero point of its result is not given");
}

//===------------------------------------------------------------------------------------------------------------===//
// Weights of few bits
//===------------------------------------------------------------------------------------------------------------===//

/// The first `count` numbers of `bits` bits that the bytes of the last dimension hold, the lowest bits first.
static Value unpacked(Node &node, Value bytes, int64_t bits, int64_t count) {
  const Type i8 = node.b.getI8Type();
  Sizes sizes = node.sizesOf(bytes);
  const int64_t rank = int64_t(sizes.size()), parts = 8 / bits;
  llvm::SmallVector<Value> all;
  for (int64_t i = 0; i < parts; ++i) {
    Value shifted = i == 0 ? bytes : node.binary<ShiftRightLogicalOp>(bytes, node.constant(i8, double(i * bits)));
    Value part = node.binary<BitwiseAndOp>(shifted, node.constant(i8, double((int64_t(1) << bits) - 1)));
    all.push_back(node.unsqueezed(bits == 8 ? bytes : part, {rank}));
  }
  sizes.back() = node.times(sizes.back(), node.index(parts));
  Value value = node.reshaped(parts == 1 ? all.front() : node.concatenated(all, rank), sizes);
  sizes.back() = node.index(count);
  return node.sliced(value, Sizes(rank, node.index(0)), sizes, Sizes(rank, node.index(1)));
}

/// com.microsoft's product with weights of 2, 4 or 8 bits: blocks of `block_size` numbers along K have a scale and a
/// zero point each. The weights are those of a transposed matrix, one row for each of the N columns of the result.
static LogicalResult buildMatMulNBits(Node &node) {
  const int64_t k = node.integer("K"), n = node.integer("N"), bits = node.integer("bits", 4),
                block = node.integer("block_size");
  if ((bits != 2 && bits != 4 && bits != 8) || k < 1 || n < 1 || block < 1 || block * bits % 8 != 0)
    return node.refuse("K = " + llvm::Twine(k) + ", N = " + llvm::Twine(n) + ", bits = " + llvm::Twine(bits) +
                       ", block_size = " + llvm::Twine(block) + ": bits are 2, 4 or 8, and a block has whole bytes");
  const int64_t blocks = (k + block - 1) / block, bytes = block * bits / 8, zeroBytes = (blocks * bits + 7) / 8;
  const auto holds = [&](unsigned i, int64_t count) {
    return node.operand(i).type().hasStaticShape() && node.operand(i).type().getNumElements() == count;
  };
  if (!isa<FloatType>(node.element(0)) || !node.element(1).isInteger(8) || !holds(1, n * blocks * bytes))
    return node.refuse("input 1 is not " + llvm::Twine(n) + "x" + llvm::Twine(blocks) + "x" + llvm::Twine(bytes) +
                       " bytes of weights");
  if (!isa<FloatType>(node.element(2)) || !holds(2, n * blocks))
    return node.refuse("input 2 is not a scale for each of the " + llvm::Twine(n * blocks) + " blocks");
  if (node.has(4) && (!isa<IntegerType>(node.element(4)) || node.rank(4) != 1 ||
                      !node.operand(4).type().hasStaticShape() || node.operand(4).type().getNumElements() < k))
    return node.refuse("input 4 (g_idx) is not a block for each of the " + llvm::Twine(k) + " rows");
  const Type f32 = node.b.getF32Type(), real = node.element(0).isF64() ? node.element(0) : f32;
  const Sizes perBlock{node.index(n), node.index(blocks), node.index(1)};
  // Of each weight [n, k]: what its block has, by g_idx where that is given.
  const auto spread = [&](Value ofBlocks) -> Value {
    ofBlocks = node.reshaped(ofBlocks, {node.index(n), node.index(blocks)});
    return node.generated({node.index(n), node.index(k)}, real, [&](OpBuilder &b, Location loc, ValueRange at) {
      Value group = tensor::ExtractOp::create(b, loc, node.in(4), at[1]);
      group = arith::IndexCastOp::create(b, loc, b.getIndexType(), group);
      return tensor::ExtractOp::create(b, loc, ofBlocks, ValueRange{at[0], group}).getResult();
    });
  };
  Value weights = node.reshaped(node.in(1), {node.index(n), node.index(blocks), node.index(bytes)});
  weights = node.cast(unpacked(node, weights, bits, block), real, /*fromUnsigned=*/true);
  Value zero = node.constant(real, double(int64_t(1) << (bits - 1)));
  if (node.has(3)) {
    if (isa<FloatType>(node.element(3)) ? !holds(3, n * blocks)
                                        : !node.element(3).isInteger(8) || !holds(3, n * zeroBytes))
      return node.refuse("input 3 is not a zero point for each of the " + llvm::Twine(n * blocks) + " blocks");
    Value points = node.in(3);
    if (!isa<FloatType>(node.element(3)))
      points = unpacked(node, node.reshaped(points, {node.index(n), node.index(zeroBytes)}), bits, blocks);
    zero = node.reshaped(node.cast(points, real, /*fromUnsigned=*/true), perBlock);
  }
  Value scale = node.reshaped(node.cast(node.in(2), real), perBlock);
  const auto ofRows = [&](Value value) {
    value = node.reshaped(value, {node.index(n), node.index(blocks * block)});
    return node.sliced(value, {node.index(0), node.index(0)}, {node.index(n), node.index(k)},
                       {node.index(1), node.index(1)});
  };
  weights = node.has(4) ? node.mul(node.sub(ofRows(weights), node.has(3) ? spread(zero) : zero), spread(scale))
                        : ofRows(node.mul(node.sub(weights, zero), scale));
  Value result = matrixProduct(node, node.cast(node.in(0), real), node.transposed(weights, {1, 0}));
  if (node.isRefused())
    return failure();
  if (node.has(5))
    result = node.add(result, node.cast(node.in(5), real));
  node.set(0, node.cast(result, node.element(0)));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Einsum
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// The dimensions of a term: letters, and -1, -2, ... for those of an ellipsis from the last one on.
using Term = llvm::SmallVector<int>;
} // namespace

/// "ij...k" of a tensor of `rank`; of the result (`rank` < 0) the ellipsis has `ellipsis` dimensions.
static std::optional<Term> parseTerm(llvm::StringRef text, int64_t rank, int64_t &ellipsis) {
  Term term;
  int64_t letters = llvm::count_if(text, [](char c) { return llvm::isAlpha(c); });
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "...") {
      const int64_t dims = rank < 0 ? ellipsis : rank - letters;
      for (int64_t dim = dims; dim-- > 0;)
        term.push_back(static_cast<int>(-1 - dim));
      ellipsis = std::max(ellipsis, dims);
      i += 2;
    } else if (llvm::isAlpha(text[i])) {
      term.push_back(text[i]);
    } else {
      return std::nullopt;
    }
  }
  if (rank >= 0 && static_cast<int64_t>(term.size()) != rank)
    return std::nullopt;
  return term;
}

static LogicalResult buildEinsum(Node &node) {
  std::string equation = node.text("equation");
  llvm::erase_if(equation, [](char c) { return c == ' '; });
  auto invalid = [&] { return node.refuse("equation '" + llvm::Twine(equation) + "' does not fit its inputs"); };
  auto [left, right] = llvm::StringRef(equation).split("->");
  llvm::SmallVector<llvm::StringRef> texts;
  left.split(texts, ',');
  if (texts.size() != node.inputCount())
    return invalid();
  int64_t ellipsis = 0;
  llvm::SmallVector<Term> terms;
  std::map<int, int> uses;
  for (unsigned i = 0; i < texts.size(); ++i) {
    std::optional<Term> term = parseTerm(texts[i], node.rank(i), ellipsis);
    if (!term || node.element(i) != node.element(0))
      return invalid();
    for (int label : *term)
      ++uses[label];
    terms.push_back(std::move(*term));
  }
  Term result;
  if (llvm::StringRef(equation).contains("->")) {
    std::optional<Term> term = parseTerm(right, -1, ellipsis);
    if (!term)
      return invalid();
    result = *term;
  } else {
    for (int64_t dim = ellipsis; dim-- > 0;)
      result.push_back(static_cast<int>(-1 - dim));
    for (auto [label, count] : uses)
      if (label > 0 && count == 1)
        result.push_back(label);
  }
  // Loops: the dimensions of the result, then the others.
  Term loops = result;
  for (const Term &term : terms)
    for (int label : term)
      if (!llvm::is_contained(loops, label))
        loops.push_back(label);
  auto loopOf = [&](int label) { return llvm::find(loops, label) - loops.begin(); };
  Sizes sizes(loops.size());
  for (auto [i, term] : llvm::enumerate(terms))
    for (auto [dim, label] : llvm::enumerate(term)) {
      OpFoldResult size = node.sizeOf(node.in(i), dim);
      OpFoldResult &known = sizes[loopOf(label)];
      std::optional<int64_t> old = known ? getConstantIntValue(known) : std::nullopt, now = getConstantIntValue(size);
      if (old && now && *old != *now && *old != 1 && *now != 1)
        return invalid();
      if (!known || old == 1 || (!old && now && *now != 1))
        known = size;
    }
  for (auto [i, label] : llvm::enumerate(result))
    if (!sizes[i] || llvm::count(result, label) != 1)
      return invalid();
  llvm::SmallVector<AffineMap> maps;
  llvm::SmallVector<Value> inputs;
  for (auto [i, term] : llvm::enumerate(terms)) {
    llvm::SmallVector<AffineExpr> exprs;
    for (auto [dim, label] : llvm::enumerate(term)) {
      const int64_t loop = loopOf(label);
      const bool repeats = node.operand(i).type().getDimSize(dim) == 1 && getConstantIntValue(sizes[loop]) != 1;
      exprs.push_back(repeats ? node.b.getAffineConstantExpr(0) : node.b.getAffineDimExpr(loop));
    }
    maps.push_back(AffineMap::get(loops.size(), 0, exprs, node.b.getContext()));
    inputs.push_back(node.in(i));
  }
  llvm::SmallVector<AffineExpr> exprs;
  for (size_t i = 0; i < result.size(); ++i)
    exprs.push_back(node.b.getAffineDimExpr(i));
  maps.push_back(AffineMap::get(loops.size(), 0, exprs, node.b.getContext()));
  llvm::SmallVector<utils::IteratorType> iterators(result.size(), utils::IteratorType::parallel);
  iterators.append(loops.size() - result.size(), utils::IteratorType::reduction);
  const Type element = node.element(0);
  const bool isFloat = isa<FloatType>(element);
  const Type wide = isFloat && element.getIntOrFloatBitWidth() < 32 ? Type(node.b.getF32Type()) : element;
  Value init = node.filled(llvm::ArrayRef(sizes).take_front(result.size()), node.scalar(wide, 0));
  Value sum = node.generic(inputs, init, maps, iterators, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value product;
    for (Value arg : args.drop_back()) {
      Value x = arg.getType() == wide ? arg : Value(arith::ExtFOp::create(b, loc, wide, arg));
      product = !product  ? x
                : isFloat ? Value(arith::MulFOp::create(b, loc, product, x))
                          : Value(arith::MulIOp::create(b, loc, product, x));
    }
    return isFloat ? Value(arith::AddFOp::create(b, loc, args.back(), product))
                   : Value(arith::AddIOp::create(b, loc, args.back(), product));
  });
  node.set(0, node.cast(sum, element), node.isUnsigned(0));
  return success();
}

void importer::addContractions(OpTable &table) {
  table.add("com.microsoft:DynamicQuantizeMatMul", buildDynamicQuantizeMatMul, 3, 5);
  table.add("com.microsoft:FusedGemm", buildFusedGemm, 2, 3);
  table.add("com.microsoft:FusedMatMul", buildFusedMatMul, 2, 2);
  table.add("com.microsoft:MatMulIntegerToFloat", buildMatMulIntegerToFloat, 4, 7);
  table.add("com.microsoft:QGemm", buildQGemm, 6, 9);
  table.add("Einsum", buildEinsum, 1);
  table.add("Gemm", buildGemm, 2, 3);
  table.add("MatMul", buildMatMul, 2, 2);
  table.add("com.microsoft:MatMulNBits", buildMatMulNBits, 3, 6);
  table.add("MatMulInteger", buildMatMulInteger, 2, 4);
  table.add("QLinearMatMul", buildQLinearMatMul, 8, 8);
}
