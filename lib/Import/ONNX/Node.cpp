//===- Node.cpp - what builder functions share ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Node.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Node.h"

#include "lib/Import/ONNX/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

//===------------------------------------------------------------------------------------------------------------===//
// Attributes
//===------------------------------------------------------------------------------------------------------------===//

const ::onnx::AttributeProto *Node::attribute(llvm::StringRef name) const {
  for (const ::onnx::AttributeProto &attribute : proto.attribute())
    if (attribute.name() == name) {
      if (attribute.ref_attr_name().empty())
        return &attribute;
      // Of a function's body: what the node that calls it gives.
      for (const Scope *around = &scope; around; around = around->parent)
        if (around->caller) {
          for (const ::onnx::AttributeProto &given : around->caller->attribute())
            if (given.name() == attribute.ref_attr_name())
              return &given;
          return nullptr;
        }
      return nullptr;
    }
  return nullptr;
}

int64_t Node::integer(llvm::StringRef name, int64_t fallback) const {
  const auto *found = attribute(name);
  return found ? found->i() : fallback;
}

double Node::real(llvm::StringRef name, double fallback) const {
  const auto *found = attribute(name);
  return found ? static_cast<double>(found->f()) : fallback;
}

std::string Node::text(llvm::StringRef name, llvm::StringRef fallback) const {
  const auto *found = attribute(name);
  return found ? found->s() : fallback.str();
}

Ints Node::integers(llvm::StringRef name, Ints fallback) const {
  const auto *found = attribute(name);
  return found ? Ints(found->ints().begin(), found->ints().end()) : fallback;
}

llvm::SmallVector<double> Node::reals(llvm::StringRef name) const {
  const auto *found = attribute(name);
  return found ? llvm::SmallVector<double>(found->floats().begin(), found->floats().end())
               : llvm::SmallVector<double>();
}

std::vector<std::string> Node::texts(llvm::StringRef name) const {
  const auto *found = attribute(name);
  return found ? std::vector<std::string>(found->strings().begin(), found->strings().end())
               : std::vector<std::string>();
}

LogicalResult Node::refuse(const llvm::Twine &reason, const llvm::Twine &workaround) {
  if (!refused) {
    const std::string domain = proto.domain().empty() ? "" : proto.domain() + ".";
    InFlightDiagnostic error = emitError(loc)
                               << "node '" << nameOf(proto) << "' (" << printable(domain + proto.op_type())
                               << "): " << printable(reason.str());
    if (const std::string way = workaround.str(); !way.empty())
      error.attachNote() << way;
  }
  refused = true;
  return failure();
}

void Node::refuseOperands(const OperationState &state) {
  std::string types;
  llvm::raw_string_ostream os(types);
  llvm::interleaveComma(ValueRange(state.operands).getTypes(), os);
  (void)refuse("its inputs do not fit each other: " + state.name.getStringRef() + " does not take " + types,
               "correct the model: onnx.checker.check_model(model, full_check=True)");
}

bool Node::isOfPossibleSize(RankedTensorType type) {
  int64_t count = 1;
  constexpr int64_t kMostElements = int64_t(1) << 40;
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size)) {
      std::optional<int64_t> more = llvm::checkedMul(count, size);
      if (!more || *more > kMostElements) {
        std::string text;
        llvm::raw_string_ostream(text) << type;
        (void)refuse("its sizes are too large: " + llvm::Twine(text));
        return false;
      }
      count = *more;
    }
  return true;
}

std::optional<int64_t> Node::axisOf(int64_t axis, int64_t rank, bool inclusive) {
  const int64_t normal = axis < 0 ? axis + rank : axis;
  if (normal < 0 || normal > rank || (normal == rank && !inclusive)) {
    (void)refuse("axis " + llvm::Twine(axis) + " is not within a tensor of rank " + llvm::Twine(rank),
                 "correct the model: onnx.checker.check_model(model, full_check=True)");
    return std::nullopt;
  }
  return normal;
}

std::optional<Ints> Node::axesOf(llvm::ArrayRef<int64_t> axes, int64_t rank) {
  Ints normal;
  for (int64_t axis : axes) {
    std::optional<int64_t> one = axisOf(axis, rank);
    if (!one)
      return std::nullopt;
    normal.push_back(*one);
  }
  llvm::sort(normal);
  if (std::adjacent_find(normal.begin(), normal.end()) != normal.end()) {
    (void)refuse("an axis is given twice", "correct the model: onnx.checker.check_model(model, full_check=True)");
    return std::nullopt;
  }
  return normal;
}

std::optional<Sizes> Node::elementsOf(unsigned i) {
  const Tensor &tensor = operand(i);
  if (tensor.elements)
    return tensor.elements;
  RankedTensorType type = tensor.type();
  constexpr int64_t kMostElements = 1024;
  if (!isa<IntegerType>(type.getElementType()) || type.getRank() > 1 || !type.hasStaticShape() ||
      type.getNumElements() > kMostElements) {
    (void)refuse("input " + llvm::Twine(i) + " has a number of elements that is not known when compiling",
                 "export the model with static shapes, or simplify it (onnxsim)");
    return std::nullopt;
  }
  Sizes elements;
  if (type.getNumElements() == 0)
    return elements;
  for (int64_t k = 0; k < type.getNumElements(); ++k) {
    llvm::SmallVector<Value> at;
    if (type.getRank() == 1)
      at.push_back(arith::ConstantIndexOp::create(b, loc, k));
    Value element = tensor::ExtractOp::create(b, loc, tensor.value, at);
    elements.push_back(OpFoldResult(tensor.isUnsigned || type.getElementType().isInteger(1)
                                        ? Value(arith::IndexCastUIOp::create(b, loc, b.getIndexType(), element))
                                        : Value(arith::IndexCastOp::create(b, loc, b.getIndexType(), element))));
  }
  return elements;
}

std::optional<Ints> Node::constantsOf(unsigned i, const llvm::Twine &what) {
  const Tensor &tensor = operand(i);
  Ints values;
  if (tensor.elements && llvm::all_of(*tensor.elements, [&](OpFoldResult element) {
        std::optional<int64_t> value = getConstantIntValue(element);
        values.push_back(value.value_or(0));
        return value.has_value();
      }))
    return values;
  if (tensor.type().hasStaticShape() && tensor.type().getNumElements() == 0)
    return Ints();
  DenseIntElementsAttr dense;
  if (matchPattern(tensor.value, m_Constant(&dense)) && dense.getNumElements() <= 1 << 20) {
    values.clear();
    for (const APInt &value : dense.getValues<APInt>())
      values.push_back(tensor.isUnsigned || value.getBitWidth() == 1 ? static_cast<int64_t>(value.getZExtValue())
                                                                     : value.getSExtValue());
    return values;
  }
  (void)refuse(what + " is only known at run time", "make it a constant of the model, or simplify the model (onnxsim)");
  return std::nullopt;
}

std::optional<llvm::SmallVector<double>> Node::realsOf(unsigned i) const {
  llvm::SmallVector<double> values;
  DenseElementsAttr dense;
  if (!matchPattern(operand(i).value, m_Constant(&dense)) || !isa<FloatType>(dense.getElementType()) ||
      dense.getNumElements() > 1024)
    return std::nullopt;
  for (const APFloat &value : dense.getValues<APFloat>()) {
    APFloat wide = value;
    bool inexact = false;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
    values.push_back(wide.convertToDouble());
  }
  return values;
}

//===------------------------------------------------------------------------------------------------------------===//
// Sizes
//===------------------------------------------------------------------------------------------------------------===//

Value Node::indexValue(OpFoldResult size) {
  if (auto value = dyn_cast<Value>(size))
    return value;
  return arith::ConstantIndexOp::create(b, loc, *getConstantIntValue(size));
}

Value Node::scalar(Type type, double value) {
  if (isa<FloatType>(type)) {
    APFloat number(value);
    bool inexact = false;
    number.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    return arith::ConstantOp::create(b, loc, FloatAttr::get(cast<FloatType>(type), number));
  }
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, static_cast<int64_t>(value)));
}

OpFoldResult Node::sizeOf(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return index(type.getDimSize(dim));
  return OpFoldResult(Value(tensor::DimOp::create(b, loc, tensor, dim)));
}

Sizes Node::sizesOf(Value tensor) {
  Sizes sizes;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(tensor.getType()).getRank(); ++dim)
    sizes.push_back(sizeOf(tensor, dim));
  return sizes;
}

OpFoldResult Node::combined(OpFoldResult a, OpFoldResult c,
                            llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> fold,
                            llvm::function_ref<Value(Value, Value)> build) {
  if (auto x = getConstantIntValue(a), y = getConstantIntValue(c); x && y)
    if (std::optional<int64_t> folded = fold(*x, *y))
      return index(*folded);
  return OpFoldResult(build(indexValue(a), indexValue(c)));
}

static std::optional<int64_t> isZero(OpFoldResult size) {
  return getConstantIntValue(size) == 0 ? std::optional<int64_t>(0) : std::nullopt;
}

OpFoldResult Node::plus(OpFoldResult a, OpFoldResult c) {
  if (isZero(a))
    return c;
  if (isZero(c))
    return a;
  return combined(
      a, c, [](int64_t x, int64_t y) { return llvm::checkedAdd(x, y); },
      [&](Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); });
}
OpFoldResult Node::minus(OpFoldResult a, OpFoldResult c) {
  if (isZero(c))
    return a;
  return combined(
      a, c, [](int64_t x, int64_t y) { return llvm::checkedSub(x, y); },
      [&](Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); });
}
OpFoldResult Node::times(OpFoldResult a, OpFoldResult c) {
  if (getConstantIntValue(a) == 1)
    return c;
  if (getConstantIntValue(c) == 1)
    return a;
  return combined(
      a, c, [](int64_t x, int64_t y) { return llvm::checkedMul(x, y); },
      [&](Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); });
}
OpFoldResult Node::dividedBy(OpFoldResult a, OpFoldResult c) {
  if (getConstantIntValue(c) == 1)
    return a;
  return combined(
      a, c, [](int64_t x, int64_t y) { return y == 0 || y == -1 ? std::nullopt : std::optional<int64_t>(x / y); },
      [&](Value x, Value y) { return arith::DivSIOp::create(b, loc, x, y); });
}
OpFoldResult Node::ceilDividedBy(OpFoldResult a, OpFoldResult c) { return dividedBy(plus(a, minus(c, index(1))), c); }
OpFoldResult Node::smallest(OpFoldResult a, OpFoldResult c) {
  return combined(
      a, c, [](int64_t x, int64_t y) { return std::optional<int64_t>(std::min(x, y)); },
      [&](Value x, Value y) { return arith::MinSIOp::create(b, loc, x, y); });
}
OpFoldResult Node::largest(OpFoldResult a, OpFoldResult c) {
  return combined(
      a, c, [](int64_t x, int64_t y) { return std::optional<int64_t>(std::max(x, y)); },
      [&](Value x, Value y) { return arith::MaxSIOp::create(b, loc, x, y); });
}
OpFoldResult Node::product(llvm::ArrayRef<OpFoldResult> sizes) {
  OpFoldResult result = index(1);
  for (OpFoldResult size : sizes)
    result = times(result, size);
  return result;
}
OpFoldResult Node::fromEnd(OpFoldResult a, OpFoldResult size) {
  if (auto known = getConstantIntValue(a))
    return *known < 0 ? plus(a, size) : a;
  Value value = indexValue(a);
  Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value, indexValue(index(0)));
  return OpFoldResult(Value(arith::SelectOp::create(b, loc, isNegative, indexValue(plus(a, size)), value)));
}

//===------------------------------------------------------------------------------------------------------------===//
// Tensors
//===------------------------------------------------------------------------------------------------------------===//

RankedTensorType Node::tensorType(llvm::ArrayRef<OpFoldResult> sizes, Type element) const {
  Ints shape;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> known = getConstantIntValue(size);
    shape.push_back(known && *known >= 0 ? *known : ShapedType::kDynamic);
  }
  return RankedTensorType::get(shape, element);
}

Value Node::constant(Type element, double value, llvm::ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, element);
  if (auto number = dyn_cast<FloatType>(element)) {
    APFloat one(value);
    bool inexact = false;
    one.convert(number.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    return ConstantOp::create(b, loc, DenseElementsAttr::get(type, one));
  }
  return ConstantOp::create(b, loc,
                            DenseElementsAttr::get(type, APInt(element.getIntOrFloatBitWidth(),
                                                               static_cast<uint64_t>(static_cast<int64_t>(value)),
                                                               /*isSigned=*/true, /*implicitTrunc=*/true)));
}

Value Node::integerConstant(llvm::ArrayRef<int64_t> values, llvm::ArrayRef<int64_t> shape, Type element) {
  llvm::SmallVector<APInt> numbers;
  for (int64_t value : values)
    numbers.emplace_back(element.getIntOrFloatBitWidth(), static_cast<uint64_t>(value), true, true);
  return ConstantOp::create(b, loc, DenseElementsAttr::get(RankedTensorType::get(shape, element), numbers));
}

static llvm::SmallVector<Value> dynamicOf(llvm::ArrayRef<OpFoldResult> sizes, RankedTensorType type, Node &node) {
  llvm::SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamic.push_back(node.indexValue(size));
  return dynamic;
}

Value Node::empty(llvm::ArrayRef<OpFoldResult> sizes, Type element) {
  RankedTensorType type = tensorType(sizes, element);
  (void)isOfPossibleSize(type);
  return tensor::EmptyOp::create(b, loc, type, dynamicOf(sizes, type, *this));
}

Value Node::filled(llvm::ArrayRef<OpFoldResult> sizes, Value value) {
  Value target = empty(sizes, value.getType());
  return linalg::FillOp::create(b, loc, value, target).getResult(0);
}

Value Node::reshaped(Value value, llvm::ArrayRef<OpFoldResult> sizes) {
  auto from = cast<RankedTensorType>(value.getType());
  RankedTensorType to = tensorType(sizes, from.getElementType());
  if (from == to && from.hasStaticShape())
    return value;
  if (from.hasStaticShape() && to.hasStaticShape() && from.getNumElements() != to.getNumElements()) {
    (void)refuse("a tensor of " + llvm::Twine(from.getNumElements()) + " elements cannot be reshaped to one of " +
                 llvm::Twine(to.getNumElements()));
    return value;
  }
  // With several sizes that are not known, all are given.
  bool hasZero = llvm::is_contained(to.getShape(), 0);
  if (to.getNumDynamicDims() <= 1 && !(hasZero && to.getNumDynamicDims()))
    return ReshapeOp::create(b, loc, to, value);
  llvm::SmallVector<Value> all;
  for (OpFoldResult size : sizes)
    all.push_back(indexValue(size));
  Value shape = tensor::FromElementsOp::create(b, loc, all);
  return tensor::ReshapeOp::create(b, loc, to, value, shape);
}

Value Node::withRank(Value value, int64_t rank) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() >= rank)
    return value;
  Sizes sizes(rank - type.getRank(), index(1));
  llvm::append_range(sizes, sizesOf(value));
  return reshaped(value, sizes);
}

Value Node::unsqueezed(Value value, llvm::ArrayRef<int64_t> axes) {
  Sizes old = sizesOf(value), sizes;
  auto next = old.begin();
  for (int64_t dim = 0; dim < static_cast<int64_t>(old.size() + axes.size()); ++dim)
    sizes.push_back(llvm::is_contained(axes, dim) ? index(1) : *next++);
  return reshaped(value, sizes);
}

Value Node::squeezed(Value value, llvm::ArrayRef<int64_t> axes) {
  Sizes sizes;
  for (auto [dim, size] : llvm::enumerate(sizesOf(value)))
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      sizes.push_back(size);
  return reshaped(value, sizes);
}

Value Node::broadcast(Value value, llvm::ArrayRef<OpFoldResult> sizes) {
  auto from = cast<RankedTensorType>(value.getType());
  RankedTensorType to = tensorType(sizes, from.getElementType());
  if (from == to && from.hasStaticShape())
    return value;
  (void)isOfPossibleSize(to);
  return BroadcastOp::create(b, loc, to, value, dynamicOf(sizes, to, *this));
}

Value Node::transposed(Value value, llvm::ArrayRef<int64_t> permutation) {
  bool isIdentity = true;
  for (auto [i, dim] : llvm::enumerate(permutation))
    isIdentity &= static_cast<int64_t>(i) == dim;
  return isIdentity ? value : make<TransposeOp>(value, permutation);
}

Value Node::sliced(Value value, llvm::ArrayRef<OpFoldResult> offsets, llvm::ArrayRef<OpFoldResult> sizes,
                   llvm::ArrayRef<OpFoldResult> strides) {
  auto from = cast<RankedTensorType>(value.getType());
  Sizes one(offsets.size(), index(1));
  llvm::ArrayRef<OpFoldResult> steps = strides.empty() ? llvm::ArrayRef<OpFoldResult>(one) : strides;
  bool isWhole = from.hasStaticShape();
  for (auto [dim, size] : llvm::enumerate(sizes))
    isWhole &= getConstantIntValue(offsets[dim]) == 0 && getConstantIntValue(size) == from.getDimSize(dim) &&
               getConstantIntValue(steps[dim]) == 1;
  if (isWhole)
    return value;
  // Of strides that are known, with Mica's own op.
  Ints knownStrides, staticOffsets, staticSizes;
  llvm::SmallVector<Value> dynamicOffsets, dynamicSizes;
  bool isKnown = true;
  for (OpFoldResult step : steps) {
    knownStrides.push_back(getConstantIntValue(step).value_or(0));
    isKnown &= knownStrides.back() >= 1;
  }
  if (isKnown) {
    dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    return make<SliceOp>(value, dynamicOffsets, dynamicSizes, staticOffsets, staticSizes, knownStrides);
  }
  Sizes base(offsets), step(steps);
  return generated(sizes, from.getElementType(), [&](OpBuilder &inner, Location at, ValueRange indices) {
    llvm::SmallVector<Value> source;
    for (auto [dim, position] : llvm::enumerate(indices))
      source.push_back(arith::AddIOp::create(
          inner, at, getValueOrCreateConstantIndexOp(inner, at, base[dim]),
          arith::MulIOp::create(inner, at, position, getValueOrCreateConstantIndexOp(inner, at, step[dim]))));
    return tensor::ExtractOp::create(inner, at, value, source).getResult();
  });
}

Value Node::at(Value value, int64_t dim, OpFoldResult position) {
  Sizes sizes = sizesOf(value), offsets(sizes.size(), index(0));
  offsets[dim] = position;
  sizes[dim] = index(1);
  return squeezed(sliced(value, offsets, sizes, {}), {dim});
}

Value Node::concatenated(llvm::ArrayRef<Value> values, int64_t axis) {
  return values.size() == 1 ? values.front() : make<ConcatOp>(ValueRange(values), axis);
}

Value Node::cast(Value value, Type element, bool fromUnsigned, bool toUnsigned) {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  Type from = type.getElementType();
  if (from == element)
    return value;
  auto to = type.clone(element);
  const bool fromInteger = isa<IntegerType>(from) && !from.isInteger(1),
             toInteger = isa<IntegerType>(element) && !element.isInteger(1);
  if (!(fromInteger && fromUnsigned) && !(toInteger && toUnsigned && isa<FloatType>(from)))
    return CastOp::create(b, loc, to, value, fromInteger && toInteger ? Overflow::Wrap : Overflow::Saturate);
  return elementwise(value, element, [&](OpBuilder &inner, Location at, ValueRange args) -> Value {
    Value x = args[0];
    if (isa<FloatType>(element))
      return arith::UIToFPOp::create(
          inner, at,
          isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32 ? Type(inner.getF32Type()) : element, x);
    if (element.isInteger(1))
      return arith::CmpIOp::create(inner, at, arith::CmpIPredicate::ne, x,
                                   arith::ConstantOp::create(inner, at, inner.getIntegerAttr(x.getType(), 0)));
    const unsigned width = element.getIntOrFloatBitWidth();
    if (isa<FloatType>(x.getType())) {
      // Of 64 bits the conversion itself; narrower ones by way of i64, which wraps as C does on common machines.
      if (width == 64)
        return arith::FPToUIOp::create(inner, at, element, x);
      Value wide = arith::FPToSIOp::create(inner, at, inner.getI64Type(), x);
      return arith::TruncIOp::create(inner, at, element, wide);
    }
    if (width > from.getIntOrFloatBitWidth())
      return arith::ExtUIOp::create(inner, at, element, x);
    return arith::TruncIOp::create(inner, at, element, x);
  });
}

Value Node::flippedTopBit(Value value) {
  Type element = llvm::cast<RankedTensorType>(value.getType()).getElementType();
  const unsigned width = element.getIntOrFloatBitWidth();
  return elementwise(value, element, [&](OpBuilder &inner, Location at, ValueRange args) {
    Value top = arith::ConstantOp::create(inner, at, inner.getIntegerAttr(element, APInt::getSignMask(width)));
    return arith::XOrIOp::create(inner, at, args[0], top).getResult();
  });
}

Value Node::refined(Value value, RankedTensorType type) {
  auto own = llvm::cast<RankedTensorType>(value.getType());
  if (own.getRank() != type.getRank() || own.getElementType() != type.getElementType())
    return value;
  Ints shape(own.getShape());
  bool changes = false;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(size) && !type.isDynamicDim(dim)) {
      size = type.getDimSize(dim);
      changes = true;
    }
  return changes ? Value(tensor::CastOp::create(b, loc, own.clone(shape), value)) : value;
}

llvm::SmallVector<Value> Node::aligned(ValueRange values) {
  int64_t rank = 0;
  for (Value value : values)
    rank = std::max(rank, llvm::cast<RankedTensorType>(value.getType()).getRank());
  llvm::SmallVector<Value> result;
  for (Value value : values)
    result.push_back(withRank(value, rank));
  return result;
}

std::optional<Sizes> Node::broadcastSizes(llvm::ArrayRef<Value> values) {
  Sizes sizes;
  const int64_t rank = llvm::cast<RankedTensorType>(values.front().getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t known = 1;
    Value dynamic;
    for (Value value : values) {
      const int64_t size = llvm::cast<RankedTensorType>(value.getType()).getDimSize(dim);
      if (ShapedType::isDynamic(size))
        dynamic = value;
      else if (size != 1 && known != 1 && size != known) {
        (void)refuse("sizes " + llvm::Twine(known) + " and " + llvm::Twine(size) + " of dimension " + llvm::Twine(dim) +
                     " cannot be broadcast to each other");
        return std::nullopt;
      } else if (size != 1)
        known = size;
    }
    sizes.push_back(known != 1 || !dynamic ? index(known) : sizeOf(dynamic, dim));
  }
  return sizes;
}

/// The body of a linalg.generic, with narrow floats as f32.
static void buildBody(OpBuilder &inner, Location at, ValueRange args, Type element, Body body) {
  llvm::SmallVector<Value> wide;
  for (Value arg : args)
    wide.push_back(isa<FloatType>(arg.getType()) && arg.getType().getIntOrFloatBitWidth() < 32
                       ? Value(arith::ExtFOp::create(inner, at, inner.getF32Type(), arg))
                       : arg);
  Value result = body(inner, at, wide);
  if (isa<FloatType>(element) && result.getType() != element)
    result = arith::TruncFOp::create(inner, at, element, result);
  linalg::YieldOp::create(inner, at, result);
}

Value Node::elementwise(ValueRange values, Type element, Body body) {
  llvm::SmallVector<Value> operandsHere = aligned(values);
  std::optional<Sizes> sizes = broadcastSizes(operandsHere);
  if (!sizes)
    return values.front();
  Value init = empty(*sizes, element);
  const int64_t rank = sizes->size();
  llvm::SmallVector<AffineMap> maps;
  for (Value value : operandsHere) {
    auto type = llvm::cast<RankedTensorType>(value.getType());
    llvm::SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < rank; ++dim)
      exprs.push_back(type.getDimSize(dim) == 1 && getConstantIntValue((*sizes)[dim]) != 1 ? b.getAffineConstantExpr(0)
                                                                                           : b.getAffineDimExpr(dim));
    maps.push_back(AffineMap::get(rank, 0, exprs, b.getContext()));
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));
  llvm::SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, loc, init.getType(), operandsHere, init, maps, iterators,
                                   [&](OpBuilder &inner, Location at, ValueRange args) {
                                     buildBody(inner, at, args.drop_back(), element, body);
                                   })
      .getResult(0);
}

Value Node::generated(llvm::ArrayRef<OpFoldResult> sizes, Type element, Body body) {
  Value init = empty(sizes, element);
  const int64_t rank = sizes.size();
  llvm::SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, loc, init.getType(), ValueRange(), init, b.getMultiDimIdentityMap(rank),
                                   iterators,
                                   [&](OpBuilder &inner, Location at, ValueRange) {
                                     llvm::SmallVector<Value> indices;
                                     for (int64_t dim = 0; dim < rank; ++dim)
                                       indices.push_back(linalg::IndexOp::create(inner, at, dim));
                                     Value result = body(inner, at, indices);
                                     if (isa<FloatType>(element) && result.getType() != element)
                                       result = arith::TruncFOp::create(inner, at, element, result);
                                     linalg::YieldOp::create(inner, at, result);
                                   })
      .getResult(0);
}

Value Node::generic(ValueRange inputs, Value init, llvm::ArrayRef<AffineMap> maps,
                    llvm::ArrayRef<utils::IteratorType> iterators, Body body) {
  return linalg::GenericOp::create(b, loc, init.getType(), inputs, init, maps, iterators,
                                   [&](OpBuilder &inner, Location at, ValueRange args) {
                                     linalg::YieldOp::create(inner, at, body(inner, at, args));
                                   })
      .getResult(0);
}

Value Node::reduced(ReduceKind kind, Value value, llvm::ArrayRef<int64_t> dims, bool keepDims) {
  return dims.empty() ? value : make<ReduceOp>(kind, value, dims, keepDims);
}

bool Node::areConstant(unsigned i) const {
  const Tensor &tensor = operand(i);
  if (tensor.type().hasStaticShape() && tensor.type().getNumElements() == 0)
    return true;
  if (tensor.elements)
    return llvm::all_of(*tensor.elements,
                        [](OpFoldResult element) { return getConstantIntValue(element).has_value(); });
  DenseElementsAttr dense;
  return matchPattern(tensor.value, m_Constant(&dense));
}

RankedTensorType Node::declaredType(unsigned i) const {
  if (!wants(i))
    return {};
  auto declared = scope.declared.find(proto.output(i));
  return declared == scope.declared.end() ? RankedTensorType() : declared->second;
}

Value Node::either(Value condition, RankedTensorType type, llvm::function_ref<Value()> then,
                   llvm::function_ref<Value()> otherwise) {
  OperationState state(loc, IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(type);
  for (llvm::function_ref<Value()> build : {then, otherwise}) {
    Block &block = state.addRegion()->emplaceBlock();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&block);
    Value value = build();
    if (value.getType() != type)
      value = tensor::CastOp::create(b, loc, type, value);
    YieldOp::create(b, loc, value);
  }
  return b.create(state)->getResult(0);
}

Value Node::compare(Comparison predicate, Value x, Value y) {
  llvm::SmallVector<Value> both = aligned({x, y});
  return make<CompareOp>(predicate, both[0], both[1]);
}

Value Node::select(Value condition, Value x, Value y) {
  llvm::SmallVector<Value> all = aligned({condition, x, y});
  return make<SelectOp>(all[0], all[1], all[2]);
}
