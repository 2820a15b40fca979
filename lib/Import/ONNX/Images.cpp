//===- Images.cpp - resizing and sampling of images -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Resize, Upsample, GridSample and RoiAlign: each element of the result is interpolated at coordinates that it
// computes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

namespace {
/// Arithmetic on scalars of type f64 (or f32), i64 and index in a body.
class Coordinates {
public:
  Coordinates(OpBuilder &b, Location loc, Type real) : b(b), loc(loc), real(real) {}

  Value number(double value) { return arith::ConstantOp::create(b, loc, b.getFloatAttr(real, value)); }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value add(Value x, Value y) {
    return isa<FloatType>(x.getType()) ? Value(arith::AddFOp::create(b, loc, x, y))
                                       : Value(arith::AddIOp::create(b, loc, x, y));
  }
  Value sub(Value x, Value y) {
    return isa<FloatType>(x.getType()) ? Value(arith::SubFOp::create(b, loc, x, y))
                                       : Value(arith::SubIOp::create(b, loc, x, y));
  }
  Value mul(Value x, Value y) {
    return isa<FloatType>(x.getType()) ? Value(arith::MulFOp::create(b, loc, x, y))
                                       : Value(arith::MulIOp::create(b, loc, x, y));
  }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
  Value max(Value x, Value y) {
    return isa<FloatType>(x.getType()) ? Value(arith::MaximumFOp::create(b, loc, x, y))
                                       : Value(arith::MaxSIOp::create(b, loc, x, y));
  }
  Value min(Value x, Value y) {
    return isa<FloatType>(x.getType()) ? Value(arith::MinimumFOp::create(b, loc, x, y))
                                       : Value(arith::MinSIOp::create(b, loc, x, y));
  }
  Value floor(Value x) { return math::FloorOp::create(b, loc, x); }
  Value ceil(Value x) { return math::CeilOp::create(b, loc, x); }
  Value abs(Value x) { return math::AbsFOp::create(b, loc, x); }
  Value less(Value x, Value y) {
    return isa<FloatType>(x.getType()) ? Value(arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, y))
                                       : Value(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y));
  }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value select(Value condition, Value x, Value y) { return arith::SelectOp::create(b, loc, condition, x, y); }
  /// An index or an integer as a number.
  Value toReal(Value x) {
    Value wide = x.getType().isIndex() ? Value(arith::IndexCastOp::create(b, loc, b.getI64Type(), x)) : x;
    return arith::SIToFPOp::create(b, loc, real, wide);
  }
  /// A whole number as an index.
  Value toIndex(Value x) {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), arith::FPToSIOp::create(b, loc, b.getI64Type(), x));
  }
  Value clampIndex(Value x, Value size) { return max(index(0), min(x, sub(size, index(1)))); }
  /// A tensor's element as a number.
  Value element(Value tensor, ValueRange at) { return widened(tensor::ExtractOp::create(b, loc, tensor, at)); }
  Value widened(Value x) {
    if (x.getType() == real)
      return x;
    if (!isa<FloatType>(x.getType()))
      return arith::SIToFPOp::create(b, loc, real, x);
    return x.getType().getIntOrFloatBitWidth() < real.getIntOrFloatBitWidth()
               ? Value(arith::ExtFOp::create(b, loc, real, x))
               : Value(arith::TruncFOp::create(b, loc, real, x));
  }
  /// A number as an element of `type`.
  Value narrowed(Value x, Type type) {
    if (x.getType() == type)
      return x;
    if (!isa<FloatType>(type))
      return arith::FPToSIOp::create(b, loc, type, x);
    return arith::TruncFOp::create(b, loc, type, x);
  }
  /// Keys' cubic kernel at the four places around a fraction t in [0, 1).
  std::array<Value, 4> cubicWeights(Value t, double a) {
    auto inner = [&](Value d) { // |d| <= 1
      return add(mul(mul(sub(mul(number(a + 2), d), number(a + 3)), d), d), number(1));
    };
    auto outer = [&](Value d) { // 1 < |d| < 2
      return sub(mul(add(mul(sub(mul(number(a), d), number(5 * a)), d), number(8 * a)), d), number(4 * a));
    };
    return {outer(add(t, number(1))), inner(t), inner(sub(number(1), t)), outer(sub(number(2), t))};
  }

  OpBuilder &b;
  Location loc;
  Type real;
};

/// How a dimension is resized.
struct ResizedDim {
  OpFoldResult from, to;
  Value scale;            ///< f64; to / from, or as given
  Value start, end;       ///< of the region of interest, f64; null without
  bool isResized = false; ///< else its positions stay
};
} // namespace

/// Where position x of the result lies in the input.
static Value sourceOf(Coordinates &c, llvm::StringRef mode, const ResizedDim &dim, Value x, Value from, Value to) {
  Value position = c.toReal(x), half = c.number(0.5), one = c.number(1);
  Value in = c.toReal(from), out = c.toReal(to);
  auto halfPixel = [&] { return c.sub(c.div(c.add(position, half), dim.scale), half); };
  if (mode == "asymmetric")
    return c.div(position, dim.scale);
  if (mode == "align_corners") {
    // The size of the result is that before rounding.
    Value exact = c.mul(dim.scale, in), isOne = c.less(exact, c.number(1.000001));
    Value divisor = c.select(isOne, one, c.sub(exact, one));
    return c.select(isOne, c.number(0), c.div(c.mul(position, c.sub(in, one)), divisor));
  }
  if (mode == "pytorch_half_pixel")
    return c.select(c.less(out, c.number(1.5)), c.number(0), halfPixel());
  if (mode == "tf_half_pixel_for_nn")
    return c.div(c.add(position, half), dim.scale);
  if (mode == "half_pixel_symmetric") {
    // As half_pixel, of a result whose size is not rounded.
    Value exact = c.mul(dim.scale, in), centre = c.div(in, c.number(2));
    Value adjusted = c.mul(centre, c.sub(one, c.div(out, exact)));
    return c.add(adjusted, halfPixel());
  }
  if (mode == "tf_crop_and_resize") {
    Value isOne = c.less(out, c.number(1.5)), last = c.sub(in, one);
    Value span = c.mul(c.sub(dim.end, dim.start), last);
    Value step = c.div(span, c.select(isOne, one, c.sub(out, one)));
    Value many = c.add(c.mul(dim.start, last), c.mul(position, step));
    Value single = c.mul(c.mul(half, c.add(dim.start, dim.end)), last);
    return c.select(isOne, single, many);
  }
  return halfPixel();
}

namespace {
/// What Resize interpolates with.
struct ResizeRules {
  std::string mode, coordinates, nearest;
  double cubic = -0.75, extrapolation = 0;
  bool excludesOutside = false;
};
} // namespace

/// The places along a dimension that an element is interpolated of, and their weights.
static llvm::SmallVector<std::pair<Value, Value>> placesAlong(Coordinates &c, const ResizeRules &rules, Value at,
                                                              Value size) {
  llvm::SmallVector<std::pair<Value, Value>> places;
  if (rules.mode == "nearest") {
    Value place;
    if (rules.nearest == "floor")
      place = c.floor(at);
    else if (rules.nearest == "ceil")
      place = c.ceil(at);
    else if (rules.nearest == "round_prefer_ceil")
      place = c.floor(c.add(at, c.number(0.5)));
    else
      place = c.ceil(c.sub(at, c.number(0.5)));
    places.emplace_back(c.clampIndex(c.toIndex(place), size), c.number(1));
    return places;
  }
  Value low = c.floor(at), fraction = c.sub(at, low), base = c.toIndex(low);
  if (rules.mode == "linear") {
    places.emplace_back(base, c.sub(c.number(1), fraction));
    places.emplace_back(c.add(base, c.index(1)), fraction);
  } else {
    std::array<Value, 4> weights = c.cubicWeights(fraction, rules.cubic);
    for (int i = 0; i < 4; ++i)
      places.emplace_back(c.add(base, c.index(i - 1)), weights[i]);
  }
  if (rules.excludesOutside) {
    Value sum = c.number(0);
    for (auto &[place, weight] : places) {
      Value isInside = arith::CmpIOp::create(c.b, c.loc, arith::CmpIPredicate::ult, place, size);
      weight = c.select(isInside, weight, c.number(0));
      sum = c.add(sum, weight);
    }
    for (auto &[place, weight] : places)
      weight = c.div(weight, sum);
  }
  for (auto &[place, weight] : places)
    place = c.clampIndex(place, size);
  return places;
}

static LogicalResult resize(Node &node, const ResizeRules &rules, llvm::ArrayRef<ResizedDim> dims) {
  const int64_t rank = node.rank(0);
  const Type element = node.element(0), real = node.b.getF64Type();
  Sizes result;
  llvm::SmallVector<Value> from, to;
  int64_t resized = 0;
  for (const ResizedDim &dim : dims) {
    result.push_back(dim.to);
    from.push_back(node.indexValue(dim.from));
    to.push_back(node.indexValue(dim.to));
    resized += dim.isResized;
  }
  if (resized > 3 && rules.mode != "nearest")
    return node.refuse("interpolates along " + llvm::Twine(resized) + " dimensions: at most 3 are supported");
  const bool isUnsigned = node.isUnsigned(0);
  if (rules.mode != "nearest" && !isa<FloatType>(element))
    return node.refuse("interpolates integers", "cast them to float before");
  Value data = node.in(0);
  node.set(
      0,
      node.generated(result, element,
                     [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
                       Coordinates c(b, loc, real);
                       llvm::SmallVector<llvm::SmallVector<std::pair<Value, Value>>> places(rank);
                       Value isOutside;
                       for (int64_t dim = 0; dim < rank; ++dim) {
                         if (!dims[dim].isResized) {
                           places[dim].emplace_back(at[dim], Value());
                           continue;
                         }
                         Value source = sourceOf(c, rules.coordinates, dims[dim], at[dim], from[dim], to[dim]);
                         if (rules.coordinates == "tf_crop_and_resize") {
                           Value last = c.sub(c.toReal(from[dim]), c.number(1));
                           Value out = arith::OrIOp::create(b, loc, c.less(source, c.number(0)), c.less(last, source));
                           isOutside = isOutside ? Value(arith::OrIOp::create(b, loc, isOutside, out)) : out;
                         }
                         places[dim] = placesAlong(c, rules, source, from[dim]);
                       }
                       if (rules.mode == "nearest") {
                         llvm::SmallVector<Value> where;
                         for (const auto &place : places)
                           where.push_back(place.front().first);
                         Value found = tensor::ExtractOp::create(b, loc, data, where);
                         if (isOutside)
                           found = c.select(
                               isOutside,
                               isa<FloatType>(element)
                                   ? c.narrowed(c.number(rules.extrapolation), element)
                                   : Value(arith::ConstantOp::create(
                                         b, loc, b.getIntegerAttr(element, static_cast<int64_t>(rules.extrapolation)))),
                               found);
                         return found;
                       }
                       // The sum over all combinations of places.
                       llvm::SmallVector<size_t> choice(rank, 0);
                       Value sum = c.number(0);
                       while (true) {
                         llvm::SmallVector<Value> where;
                         Value weight;
                         for (int64_t dim = 0; dim < rank; ++dim) {
                           auto [place, factor] = places[dim][choice[dim]];
                           where.push_back(place);
                           if (factor)
                             weight = weight ? c.mul(weight, factor) : factor;
                         }
                         Value part = c.element(data, where);
                         sum = c.add(sum, weight ? c.mul(part, weight) : part);
                         int64_t dim = rank;
                         while (dim-- > 0 && ++choice[dim] == places[dim].size())
                           choice[dim] = 0;
                         if (dim < 0)
                           break;
                       }
                       if (isOutside)
                         sum = c.select(isOutside, c.number(rules.extrapolation), sum);
                       return c.narrowed(sum, element);
                     }),
      isUnsigned);
  return success();
}

/// mica.resize, where it means the same: images [N, C, H, W], sizes that are whole multiples or given, and its
/// coordinates.
static Value resizeByDialect(Node &node, const ResizeRules &rules, llvm::ArrayRef<ResizedDim> dims, bool isExact) {
  if (dims.size() != 4 || dims[0].isResized || dims[1].isResized || !isExact || rules.excludesOutside ||
      (rules.mode != "nearest" && rules.mode != "linear") ||
      (rules.mode == "linear" && !isa<FloatType>(node.element(0))))
    return nullptr;
  std::optional<ResizeCoordinates> coordinates =
      rules.coordinates == "half_pixel"      ? std::optional(ResizeCoordinates::HalfPixel)
      : rules.coordinates == "asymmetric"    ? std::optional(ResizeCoordinates::Asymmetric)
      : rules.coordinates == "align_corners" ? std::optional(ResizeCoordinates::AlignCorners)
                                             : std::nullopt;
  if (!coordinates)
    return nullptr;
  const ResizeRounding rounding = rules.nearest == "floor"               ? ResizeRounding::Floor
                                  : rules.nearest == "ceil"              ? ResizeRounding::Ceil
                                  : rules.nearest == "round_prefer_ceil" ? ResizeRounding::PreferCeil
                                                                         : ResizeRounding::PreferFloor;
  Sizes sizes;
  llvm::SmallVector<Value> dynamic;
  for (const ResizedDim &dim : dims) {
    if (getConstantIntValue(dim.to) == 0 || getConstantIntValue(dim.from) == 0)
      return nullptr;
    sizes.push_back(dim.to);
  }
  RankedTensorType type = node.tensorType(sizes, node.element(0));
  for (int64_t dim = 2; dim < 4; ++dim)
    if (type.isDynamicDim(dim))
      dynamic.push_back(node.indexValue(sizes[dim]));
  return ResizeOp::create(node.b, node.loc, type, node.in(0), dynamic, ImageLayout::Nchw,
                          rules.mode == "nearest" ? ResizeMode::Nearest : ResizeMode::Bilinear, *coordinates, rounding);
}

/// Resize with scales at input `scalesAt` or sizes at `sizesAt`.
static LogicalResult buildResizeWith(Node &node, ResizeRules rules, int roiAt, int scalesAt, int sizesAt) {
  const int64_t rank = node.rank(0);
  const Type f64 = node.b.getF64Type();
  std::optional<llvm::SmallVector<double>> scales;
  std::optional<Sizes> sizes;
  std::optional<Ints> axes = Ints();
  if (node.hasAttribute("axes"))
    axes = node.integers("axes");
  else
    for (int64_t dim = 0; dim < rank; ++dim)
      axes->push_back(dim);
  if (!node.axesOf(*axes, rank))
    return failure();
  for (int64_t &axis : *axes)
    axis += axis < 0 ? rank : 0;
  if (node.hasAttribute("scales")) {
    scales = node.reals("scales");
  } else if (sizesAt >= 0 && node.has(sizesAt) && node.operand(sizesAt).type().getDimSize(0) != 0) {
    sizes = node.elementsOf(sizesAt);
  } else if (scalesAt >= 0 && node.has(scalesAt)) {
    scales = node.realsOf(scalesAt);
    if (!scales && node.operand(scalesAt).type().hasStaticShape() && node.rank(scalesAt) == 1) {
      // Scales that are read at run time.
      llvm::SmallVector<ResizedDim> dims(rank);
      for (int64_t dim = 0; dim < rank; ++dim)
        dims[dim].from = dims[dim].to = node.sizeOf(node.in(0), dim);
      if (node.operand(scalesAt).type().getDimSize(0) != static_cast<int64_t>(axes->size()))
        return node.refuse("has another number of scales than dimensions");
      for (auto [i, axis] : llvm::enumerate(*axes)) {
        Value scale = tensor::ExtractOp::create(node.b, node.loc, node.in(scalesAt), node.indexValue(node.index(i)));
        scale = arith::ExtFOp::create(node.b, node.loc, f64, scale);
        Value from = arith::SIToFPOp::create(
            node.b, node.loc, f64,
            arith::IndexCastOp::create(node.b, node.loc, node.b.getI64Type(), node.indexValue(dims[axis].from)));
        Value to = math::FloorOp::create(node.b, node.loc, arith::MulFOp::create(node.b, node.loc, from, scale));
        dims[axis].scale = scale;
        dims[axis].to = OpFoldResult(
            Value(arith::IndexCastOp::create(node.b, node.loc, node.b.getIndexType(),
                                             arith::FPToSIOp::create(node.b, node.loc, node.b.getI64Type(), to))));
        dims[axis].isResized = true;
      }
      // At most three dimensions are interpolated: those behind the channels.
      if (rank > 3 && rules.mode != "nearest")
        for (int64_t dim = 0; dim < 2; ++dim) {
          dims[dim].isResized = false;
          dims[dim].to = dims[dim].from;
        }
      return resize(node, rules, dims);
    }
  } else {
    return node.refuse("has neither scales nor sizes");
  }
  if ((scales && scales->size() != axes->size()) || (sizes && sizes->size() != axes->size()) || (!scales && !sizes))
    return node.refuse("has another number of scales or sizes than dimensions");
  const std::string policy = node.text("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch" && sizes)
    return node.refuse("keep_aspect_ratio_policy '" + llvm::Twine(policy) + "' is not supported");
  llvm::SmallVector<ResizedDim> dims(rank);
  bool isExact = true;
  for (int64_t dim = 0; dim < rank; ++dim)
    dims[dim].from = dims[dim].to = node.sizeOf(node.in(0), dim);
  std::optional<llvm::SmallVector<double>> roi;
  const bool crops = rules.coordinates == "tf_crop_and_resize";
  if (crops && (roiAt < 0 || !node.has(roiAt) || node.rank(roiAt) != 1 ||
                node.operand(roiAt).type().getDimSize(0) != static_cast<int64_t>(2 * axes->size())))
    return node.refuse("tf_crop_and_resize needs a roi with two values per dimension");
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    ResizedDim &dim = dims[axis];
    if (scales) {
      const double scale = (*scales)[i];
      if (!(scale > 0) || scale > 1e6)
        return node.refuse("a scale is not positive, or too large");
      dim.scale = node.scalar(f64, scale);
      dim.isResized = scale != 1 || crops;
      if (!dim.isResized)
        continue;
      if (auto size = getConstantIntValue(dim.from)) {
        dim.to = node.index(static_cast<int64_t>(std::floor(static_cast<double>(*size) * scale)));
        isExact &= std::floor(static_cast<double>(*size) * scale) == static_cast<double>(*size) * scale;
      } else if (scale == std::floor(scale)) {
        dim.to = node.times(dim.from, node.index(static_cast<int64_t>(scale)));
      } else {
        isExact = false;
        Value size = arith::SIToFPOp::create(
            node.b, node.loc, f64,
            arith::IndexCastOp::create(node.b, node.loc, node.b.getI64Type(), node.indexValue(dim.from)));
        Value scaled = arith::MulFOp::create(node.b, node.loc, size, dim.scale);
        dim.to = OpFoldResult(
            Value(arith::IndexCastOp::create(node.b, node.loc, node.b.getIndexType(),
                                             arith::FPToSIOp::create(node.b, node.loc, node.b.getI64Type(), scaled))));
      }
    } else {
      dim.to = (*sizes)[i];
      auto from = getConstantIntValue(dim.from), to = getConstantIntValue(dim.to);
      if (to && *to < 0)
        return node.refuse("a size is negative");
      dim.isResized = !from || !to || *from != *to || crops;
      // Batch and channels of a usual image stay.
      if (rank > 3 && axis < 2 && rules.mode != "nearest" && !(from && to))
        dim.isResized = false;
      auto real = [&](OpFoldResult size) -> Value {
        if (auto known = getConstantIntValue(size))
          return node.scalar(f64, static_cast<double>(*known));
        return arith::SIToFPOp::create(
            node.b, node.loc, f64,
            arith::IndexCastOp::create(node.b, node.loc, node.b.getI64Type(), node.indexValue(size)));
      };
      dim.scale = arith::DivFOp::create(node.b, node.loc, real(dim.to), real(dim.from));
    }
    if (crops) {
      auto bound = [&](size_t at) -> Value {
        Value value = tensor::ExtractOp::create(node.b, node.loc, node.in(roiAt), node.indexValue(node.index(at)));
        return value.getType() == f64 ? value : Value(arith::ExtFOp::create(node.b, node.loc, f64, value));
      };
      dim.start = bound(i);
      dim.end = bound(axes->size() + i);
      // Whole dimensions stay as they are.
      if (auto given = node.realsOf(roiAt); given && (*given)[i] == 0 && (*given)[axes->size() + i] == 1 &&
                                            getConstantIntValue(dim.from) &&
                                            getConstantIntValue(dim.from) == getConstantIntValue(dim.to))
        dim.isResized = false;
      if (rank > 3 && axis < 2)
        dim.isResized = false;
    }
  }
  if (Value twin = resizeByDialect(node, rules, dims, isExact)) {
    node.set(0, twin, node.isUnsigned(0));
    return success();
  }
  return resize(node, rules, dims);
}

static LogicalResult buildResize(Node &node) {
  ResizeRules rules;
  rules.mode = node.text("mode", "nearest");
  rules.coordinates = node.opset < 11 ? "asymmetric" : node.text("coordinate_transformation_mode", "half_pixel");
  rules.nearest = node.opset < 11 ? "floor" : node.text("nearest_mode", "round_prefer_floor");
  rules.cubic = node.real("cubic_coeff_a", -0.75f);
  rules.extrapolation = node.real("extrapolation_value", 0);
  rules.excludesOutside = node.integer("exclude_outside") != 0;
  if (rules.mode != "nearest" && rules.mode != "linear" && rules.mode != "cubic")
    return node.refuse("mode is '" + llvm::Twine(rules.mode) + "'");
  if (node.integer("antialias"))
    return node.refuse("antialias is not supported", "resize in steps of at most 2, or with antialias=0");
  if (node.opset < 11)
    return buildResizeWith(node, rules, -1, 1, -1);
  return buildResizeWith(node, rules, 1, 2, 3);
}

static LogicalResult buildUpsample(Node &node) {
  ResizeRules rules;
  rules.mode = node.text("mode", "nearest");
  if (rules.mode == "bilinear")
    rules.mode = "linear";
  rules.coordinates = "asymmetric";
  rules.nearest = "floor";
  if (rules.mode != "nearest" && rules.mode != "linear")
    return node.refuse("mode is '" + llvm::Twine(rules.mode) + "'");
  return buildResizeWith(node, rules, -1, 1, -1);
}

//===------------------------------------------------------------------------------------------------------------===//
// Sampling at given places
//===------------------------------------------------------------------------------------------------------------===//

/// A coordinate mirrored into [low, high].
static Value reflected(Coordinates &c, Value x, Value low, Value high) {
  Value span = c.sub(high, low), period = c.mul(span, c.number(2));
  Value isFlat = c.less(span, c.number(1e-30));
  Value safe = c.select(isFlat, c.number(1), period);
  Value distance = c.abs(c.sub(x, low));
  Value rest = c.sub(distance, c.mul(c.floor(c.div(distance, safe)), safe));
  Value inside = c.select(c.less(span, rest), c.sub(period, rest), rest);
  return c.select(isFlat, low, c.add(low, inside));
}

static LogicalResult buildGridSample(Node &node) {
  std::string mode = node.text("mode", "bilinear"), padding = node.text("padding_mode", "zeros");
  const bool aligns = node.integer("align_corners") != 0;
  const Type element = node.element(0), real = node.b.getF64Type();
  if (mode == "linear")
    mode = "bilinear";
  if (mode == "cubic")
    mode = "bicubic";
  if (node.rank(0) != 4 || node.rank(1) != 4 || !isa<FloatType>(element) || !isa<FloatType>(node.element(1)))
    return node.refuse("supports images [N, C, H, W] of floats");
  if ((mode != "bilinear" && mode != "nearest" && mode != "bicubic") ||
      (padding != "zeros" && padding != "border" && padding != "reflection"))
    return node.refuse("mode is '" + llvm::Twine(mode) + "', padding_mode '" + padding + "'");
  Sizes image = node.sizesOf(node.in(0)), grid = node.sizesOf(node.in(1));
  Value extents[2] = {node.indexValue(image[2]), node.indexValue(image[3])};
  Value data = node.in(0), places = node.in(1);
  node.set(
      0,
      node.generated(
          {image[0], image[1], grid[1], grid[2]}, element, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
            Coordinates c(b, loc, real);
            Value at2[2];
            for (int dim = 0; dim < 2; ++dim) {
              // The grid has x first.
              Value given = c.element(places, {at[0], at[2], at[3], c.index(1 - dim)}), size = c.toReal(extents[dim]);
              Value up = c.add(given, c.number(1)), half = c.number(0.5);
              at2[dim] =
                  aligns ? c.mul(c.mul(up, half), c.sub(size, c.number(1))) : c.sub(c.mul(c.mul(up, half), size), half);
              if (mode == "nearest")
                at2[dim] = math::RoundEvenOp::create(b, loc, at2[dim]);
            }
            // A whole position, as the padding mode reads it, and whether there is an element.
            auto read = [&](Value y, Value x) -> Value {
              Value position[2] = {y, x}, index[2], isInside = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
              for (int dim = 0; dim < 2; ++dim) {
                Value size = c.toReal(extents[dim]), last = c.sub(size, c.number(1));
                if (padding == "reflection") {
                  Value low = c.number(aligns ? 0 : -0.5), high = aligns ? last : c.sub(size, c.number(0.5));
                  position[dim] = reflected(c, position[dim], low, high);
                }
                if (padding == "zeros") {
                  Value isLow = c.less(position[dim], c.number(-0.5)),
                        isHigh = c.less(c.add(last, c.number(0.5)), position[dim]);
                  Value out = arith::OrIOp::create(b, loc, isLow, isHigh);
                  isInside = c.select(out, arith::ConstantOp::create(b, loc, b.getBoolAttr(false)), isInside);
                }
                Value clamped = c.max(c.number(0), c.min(position[dim], last));
                index[dim] = c.clampIndex(c.toIndex(math::RoundEvenOp::create(b, loc, clamped)), extents[dim]);
              }
              Value found = c.element(data, {at[0], at[1], index[0], index[1]});
              return padding == "zeros" ? c.select(isInside, found, c.number(0)) : found;
            };
            if (mode == "nearest")
              return c.narrowed(read(at2[0], at2[1]), element);
            Value base[2], fraction[2];
            for (int dim = 0; dim < 2; ++dim) {
              if (mode == "bilinear" && padding != "zeros") {
                Value size = c.toReal(extents[dim]), last = c.sub(size, c.number(1));
                if (padding == "reflection")
                  at2[dim] =
                      reflected(c, at2[dim], c.number(aligns ? 0 : -0.5), aligns ? last : c.sub(size, c.number(0.5)));
                at2[dim] = c.max(c.number(0), c.min(at2[dim], last));
              }
              base[dim] = c.floor(at2[dim]);
              fraction[dim] = c.sub(at2[dim], base[dim]);
            }
            llvm::SmallVector<Value> weights[2];
            const int first = mode == "bilinear" ? 0 : -1;
            for (int dim = 0; dim < 2; ++dim)
              if (mode == "bilinear") {
                weights[dim] = {c.sub(c.number(1), fraction[dim]), fraction[dim]};
              } else {
                std::array<Value, 4> cubic = c.cubicWeights(fraction[dim], -0.75);
                weights[dim].assign(cubic.begin(), cubic.end());
              }
            Value sum = c.number(0);
            for (auto [i, high] : llvm::enumerate(weights[0]))
              for (auto [j, wide] : llvm::enumerate(weights[1]))
                sum = c.add(sum, c.mul(c.mul(high, wide), read(c.add(base[0], c.number(first + static_cast<int>(i))),
                                                               c.add(base[1], c.number(first + static_cast<int>(j))))));
            return c.narrowed(sum, element);
          }));
  return success();
}

static LogicalResult buildRoiAlign(Node &node) {
  const int64_t height = node.integer("output_height", 1), width = node.integer("output_width", 1),
                ratio = node.integer("sampling_ratio", 0);
  const std::string mode = node.text("mode", "avg"),
                    shift = node.text("coordinate_transformation_mode",
                                      node.opset < 16 ? "output_half_pixel" : "half_pixel");
  const double scale = node.real("spatial_scale", 1);
  const Type element = node.element(0), real = node.b.getF64Type();
  if (node.rank(0) != 4 || node.rank(1) != 2 || node.rank(2) != 1 || !isa<FloatType>(element) || height < 1 ||
      width < 1)
    return node.refuse("its inputs do not fit images [N, C, H, W], boxes [R, 4] and batch indices [R]");
  if (mode != "avg")
    return node.refuse("mode is '" + llvm::Twine(mode) + "'", "use mode avg");
  if (ratio < 0 || ratio > 64)
    return node.refuse("sampling_ratio is " + llvm::Twine(ratio));
  Value data = node.in(0), boxes = node.in(1), batches = node.in(2);
  Sizes image = node.sizesOf(data);
  Value extents[2] = {node.indexValue(image[2]), node.indexValue(image[3])};
  Sizes result{node.sizeOf(boxes, 0), image[1], node.index(height), node.index(width)};
  node.set(0, node.generated(result, element, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
    Coordinates c(b, loc, real);
    Value batch =
        arith::IndexCastOp::create(b, loc, b.getIndexType(), tensor::ExtractOp::create(b, loc, batches, at[0]));
    Value offset = c.number(shift == "half_pixel" ? 0.5 : 0), start[2], bin[2], count[2];
    const int64_t bins[2] = {height, width};
    for (int dim = 0; dim < 2; ++dim) {
      auto corner = [&](int64_t i) {
        return c.sub(c.mul(c.element(boxes, {at[0], c.index(i)}), c.number(scale)), offset);
      };
      start[dim] = corner(dim == 0 ? 1 : 0);
      Value size = c.sub(corner(dim == 0 ? 3 : 2), start[dim]);
      if (shift != "half_pixel")
        size = c.max(size, c.number(1));
      bin[dim] = c.div(size, c.number(static_cast<double>(bins[dim])));
      // Without a ratio, as many samples as elements lie in the bin.
      count[dim] = ratio ? c.index(ratio) : c.max(c.index(0), c.toIndex(c.ceil(bin[dim])));
    }
    Value zero = c.index(0), one = c.index(1);
    auto rows = scf::ForOp::create(
        b, loc, zero, count[0], one, ValueRange{c.number(0)},
        [&](OpBuilder &bi, Location li, Value i, ValueRange outer) {
          auto columns = scf::ForOp::create(
              bi, li, zero, count[1], one, outer, [&](OpBuilder &bj, Location lj, Value j, ValueRange sum) {
                Coordinates d(bj, lj, real);
                Value place[2], sample[2] = {i, j}, isInside = arith::ConstantOp::create(bj, lj, bj.getBoolAttr(true));
                for (int dim = 0; dim < 2; ++dim) {
                  Value part =
                      d.div(d.mul(d.add(d.toReal(sample[dim]), d.number(0.5)), bin[dim]), d.toReal(count[dim]));
                  place[dim] = d.add(d.add(start[dim], d.mul(d.toReal(at[2 + dim]), bin[dim])), part);
                  Value size = d.toReal(extents[dim]);
                  Value isLow = d.less(place[dim], d.number(-1)), isHigh = d.less(size, place[dim]);
                  Value out = arith::OrIOp::create(bj, lj, isLow, isHigh);
                  isInside = d.select(out, arith::ConstantOp::create(bj, lj, bj.getBoolAttr(false)), isInside);
                  place[dim] = d.max(d.number(0), d.min(place[dim], d.sub(size, d.number(1))));
                }
                Value base[2], fraction[2];
                for (int dim = 0; dim < 2; ++dim) {
                  Value low = d.floor(place[dim]);
                  fraction[dim] = d.sub(place[dim], low);
                  base[dim] = d.toIndex(low);
                }
                Value value = d.number(0);
                for (int y = 0; y < 2; ++y)
                  for (int x = 0; x < 2; ++x) {
                    Value wy = y ? fraction[0] : d.sub(d.number(1), fraction[0]),
                          wx = x ? fraction[1] : d.sub(d.number(1), fraction[1]);
                    Value found = d.element(data, {batch, at[1], d.clampIndex(d.add(base[0], d.index(y)), extents[0]),
                                                   d.clampIndex(d.add(base[1], d.index(x)), extents[1])});
                    value = d.add(value, d.mul(d.mul(wy, wx), found));
                  }
                scf::YieldOp::create(bj, lj, d.add(sum[0], d.select(isInside, value, d.number(0))));
              });
          scf::YieldOp::create(bi, li, columns.getResults());
        });
    Value samples = c.max(c.number(1), c.mul(c.toReal(count[0]), c.toReal(count[1])));
    return c.narrowed(c.div(rows.getResult(0), samples), element);
  }));
  return success();
}

void importer::addImages(OpTable &table) {
  table.add("GridSample", buildGridSample, 2, 2);
  table.add("Resize", buildResize, 1, 4);
  table.add("RoiAlign", buildRoiAlign, 3, 3);
  table.add("Upsample", buildUpsample, 1, 2);
}
