//===- ExpandComposites.cpp - ops that others compose -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The first step of legalize-stablehlo-types: ops of chlo that broadcast, sort or work on complex numbers, batch
// normalization, composites and calls of 'mhlo' functions become ops of stablehlo and functions of chlo on floats.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/CHLODialect.h"
#include "passes/StableHLO/Complex.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

using Results = std::optional<SmallVector<Value>>;

static Value broadcastTo(OpBuilder &builder, Location loc, Value value, RankedTensorType shape,
                         ArrayRef<int64_t> dims) {
  auto type = shape.clone(tensorOf(value).getElementType());
  if (value.getType() == type)
    return value;
  return hlo::BroadcastInDimOp::create(builder, loc, type, value, builder.getDenseI64ArrayAttr(dims));
}

static Value dynamicBroadcastTo(OpBuilder &builder, Location loc, Value value, RankedTensorType like, Value shape,
                                ArrayRef<int64_t> dims) {
  auto type = RankedTensorType::get(like.getShape(), tensorOf(value).getElementType());
  return hlo::DynamicBroadcastInDimOp::create(builder, loc, type, value, shape, builder.getDenseI64ArrayAttr(dims),
                                              Attribute(), Attribute());
}

static void assertSizes(OpBuilder &builder, Location loc, Value holds, const Twine &message) {
  OperationState state(loc, hlo::CustomCallOp::getOperationName(), holds, TypeRange());
  state.addAttribute("call_target_name", builder.getStringAttr("shape_assertion"));
  state.addAttribute("has_side_effect", builder.getBoolAttr(true));
  state.addAttribute("error_message", builder.getStringAttr(message));
  builder.create(state);
}

/// The size to which dimension `dim` of the result is broadcast; the run checks that the operands' sizes are this or 1.
static Value broadcastSize(Operation *op, int64_t dim, ArrayRef<std::pair<Value, int64_t>> parts, OpBuilder &builder) {
  const Location loc = op->getLoc();
  Arith arith(builder, loc);
  int64_t known = 1;
  for (auto [operand, from] : parts)
    if (const int64_t size = tensorOf(operand).getDimSize(from); !ShapedType::isDynamic(size) && size != 1)
      known = size;
  // A static size above 1 is that of the result; otherwise any dynamic one that is not 1.
  Value result = arith.integer(known), one = known == 1 ? result : arith.integer(1);
  for (auto [operand, from] : parts) {
    if (!tensorOf(operand).isDynamicDim(from))
      continue;
    Value size = arith.sizeOf(operand, from);
    Value isOne = arith.equal(size, one);
    if (known == 1 && parts.size() == 1)
      return size;
    Value fits = arith.either(isOne, arith.equal(size, result));
    if (known == 1)
      fits = arith.either(fits, arith.equal(result, one));
    assertSizes(builder, loc, fits,
                op->getName().getStringRef() + ": the operands cannot be broadcast to one size in dimension " +
                    Twine(dim) + " of the result");
    if (known == 1)
      result = arith.select(isOne, result, size);
  }
  return result;
}

/// Operands of lower rank give the last dimensions of the result, or those of `dims`.
static Results expandBroadcast(Operation *op, OpBuilder &builder) {
  const RankedTensorType type = tensorOf(op->getResult(0));
  const Location loc = op->getLoc();
  auto given = op->getAttrOfType<DenseI64ArrayAttr>("broadcast_dimensions");
  bool isStatic = type.hasStaticShape();
  SmallVector<SmallVector<int64_t>> allDims;
  SmallVector<SmallVector<std::pair<Value, int64_t>>> parts(type.getRank());
  const auto isSelectByOne = [&](size_t index) {
    return index == 0 && isa<chlo::BroadcastSelectOp>(op) && tensorOf(op->getOperand(0)).getRank() == 0;
  };
  for (Value operand : op->getOperands()) {
    const int64_t rank = tensorOf(operand).getRank();
    isStatic &= tensorOf(operand).hasStaticShape();
    SmallVector<int64_t> &dims = allDims.emplace_back();
    for (int64_t dim = 0; dim < rank; ++dim) {
      dims.push_back(given && rank < type.getRank() && given.size() == rank ? given[dim] : type.getRank() - rank + dim);
      if (dims.back() < 0 || dims.back() >= type.getRank())
        return std::nullopt;
      parts[dims.back()].push_back({operand, dim});
    }
  }
  Value shape;
  if (!isStatic) {
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(broadcastSize(op, dim, parts[dim], builder));
    shape = Arith(builder, loc).list(sizes);
  }
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (isSelectByOne(index))
      operands.push_back(operand);
    else if (isStatic)
      operands.push_back(broadcastTo(builder, loc, operand, type, allDims[index]));
    else
      operands.push_back(dynamicBroadcastTo(builder, loc, operand, type, shape, allDims[index]));
  }
  if (auto compare = dyn_cast<chlo::BroadcastCompareOp>(op)) {
    const auto order = compare.getCompareType();
    auto attribute =
        order ? hlo::ComparisonTypeAttr::get(builder.getContext(), order->getValue()) : hlo::ComparisonTypeAttr();
    return SmallVector<Value>{hlo::CompareOp::create(builder, loc, type, operands[0], operands[1],
                                                     compare.getComparisonDirection().getValue(), attribute)};
  }
  const StringRef name = op->getName().stripDialect();
  StringRef plain = name;
  plain.consume_front("broadcast_");
  const bool isChlo = plain == "next_after" || plain == "polygamma" || plain == "zeta";
  OperationState state(loc, ((isChlo ? "chlo." : "stablehlo.") + plain).str(), operands, type);
  return SmallVector<Value>{builder.create(state)->getResult(0)};
}

/// A stable sort of the elements and their indices, the largest first.
static SmallVector<Value> topK(Location loc, OpBuilder &builder, Value operand, Type values, Type indices, Value k) {
  const RankedTensorType type = tensorOf(operand);
  const int64_t last = type.getRank() - 1;
  Arith arith(builder, loc);
  auto places = RankedTensorType::get(type.getShape(), getElementTypeOrSelf(indices));
  Value iota = type.hasStaticShape()
                   ? hlo::IotaOp::create(builder, loc, places, last).getResult()
                   : hlo::DynamicIotaOp::create(builder, loc, places, arith.shapeOf(operand), last).getResult();
  auto sort = hlo::SortOp::create(builder, loc, TypeRange{type, places}, ValueRange{operand, iota}, last, true);
  const Type element = RankedTensorType::get({}, type.getElementType()),
             place = RankedTensorType::get({}, places.getElementType());
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block =
        builder.createBlock(&sort.getComparator(), {}, {element, element, place, place}, {loc, loc, loc, loc});
    hlo::ComparisonTypeAttr order;
    if (isa<FloatType>(type.getElementType()))
      order = hlo::ComparisonTypeAttr::get(builder.getContext(), hlo::ComparisonType::TOTALORDER);
    Value isFirst =
        hlo::CompareOp::create(builder, loc, RankedTensorType::get({}, builder.getI1Type()), block->getArgument(0),
                               block->getArgument(1), hlo::ComparisonDirection::GT, order);
    hlo::ReturnOp::create(builder, loc, isFirst);
  }
  SmallVector<Value> results;
  const bool isStatic = type.hasStaticShape() && cast<RankedTensorType>(values).hasStaticShape();
  for (auto [result, wanted] : llvm::zip_equal(sort.getResults(), SmallVector<Type>{values, indices})) {
    if (!isStatic) {
      SmallVector<Value> starts(type.getRank(), arith.integer(0)), strides(type.getRank(), arith.integer(1)), limits;
      for (int64_t dim = 0; dim < last; ++dim)
        limits.push_back(arith.sizeOf(operand, dim));
      limits.push_back(k);
      results.push_back(hlo::RealDynamicSliceOp::create(builder, loc, wanted, result, arith.list(starts),
                                                        arith.list(limits), arith.list(strides)));
      continue;
    }
    const SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
    results.push_back(hlo::SliceOp::create(builder, loc, wanted, result, starts,
                                           SmallVector<int64_t>(cast<RankedTensorType>(wanted).getShape()), strides));
  }
  return results;
}

namespace {
/// Batch normalization as the specification defines it.
class BatchNorm : public Arith {
public:
  BatchNorm(OpBuilder &builder, Location loc, Value operand, int64_t feature, APFloat epsilon)
      : Arith(builder, loc), operand(operand), feature(feature), epsilon(epsilon.convertToDouble()) {}

  Value inference(Value scale, Value offset, Value mean, Value variance) {
    Value result = div(mul(wide(scale), sub(operand, wide(mean))), wide(deviation(variance)));
    return add(result, wide(offset));
  }

  SmallVector<Value> training(Value scale, Value offset) {
    Value count = elements(scale), mean = div(sum(operand), count);
    Value centered = sub(operand, wide(mean)), variance = div(sum(mul(centered, centered)), count);
    return {inference(scale, offset, mean, variance), mean, variance};
  }

  SmallVector<Value> gradients(Value scale, Value mean, Value variance, Value gradient) {
    Value centered = sub(operand, wide(mean)), stddev = wide(deviation(variance));
    Value products = wide(sum(mul(gradient, centered)));
    Value t = sub(mul(gradient, elements(gradient)), wide(sum(gradient)));
    t = sub(t, div(mul(products, centered), wide(add(variance, number(variance, epsilon)))));
    Value ofOperand = mul(div(div(wide(scale), stddev), elements(operand)), t);
    return {ofOperand, sum(mul(gradient, div(centered, stddev))), sum(gradient)};
  }

private:
  /// The number of elements of a feature, as constant of the type of `like`.
  Value elements(Value like) {
    const RankedTensorType type = tensorOf(operand);
    if (type.hasStaticShape())
      return number(like, double(type.getNumElements()) / double(type.getDimSize(feature)));
    Value count = integer(1);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != feature)
        count = mul(count, sizeOf(operand, dim));
    return broadcast(as(count, getElementTypeOrSelf(like)), like, {});
  }
  Value wide(Value value) { return broadcast(value, operand, feature); }
  Value deviation(Value variance) { return apply<hlo::SqrtOp>(add(variance, number(variance, epsilon))); }

  /// The sums over all dimensions but the feature's.
  Value sum(Value value) {
    const RankedTensorType type = tensorOf(value);
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != feature)
        dims.push_back(dim);
    return Arith::sum(value, dims, type.getDimSize(feature));
  }

  Value operand;
  int64_t feature;
  double epsilon;
};

/// Functions of complex numbers, computed in f64; the inverse ones by Kahan's formulas.
class ComplexFunctions : public Arith {
public:
  ComplexFunctions(OpBuilder &builder, Location loc, Value operand) : Arith(builder, loc), z(operand) {
    re = part<hlo::RealOp>(z);
    im = part<hlo::ImagOp>(z);
  }

  Value of(Operation *op) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](chlo::ConjOp) { return complex(re, neg(im)); })
        .Case([&](chlo::SquareOp) { return mul(z, z); })
        .Case([&](chlo::TanOp) { return apply<hlo::TanOp>(z); })
        .Case([&](chlo::SinhOp) {
          return complex(mul(apply<chlo::SinhOp>(re), apply<hlo::CosineOp>(im)),
                         mul(apply<chlo::CoshOp>(re), apply<hlo::SineOp>(im)));
        })
        .Case([&](chlo::CoshOp) {
          return complex(mul(apply<chlo::CoshOp>(re), apply<hlo::CosineOp>(im)),
                         mul(apply<chlo::SinhOp>(re), apply<hlo::SineOp>(im)));
        })
        .Case([&](chlo::AtanhOp) { return atanh(re, im); })
        .Case([&](chlo::AtanOp) {
          // -i atanh(i z)
          Value inner = atanh(neg(im), re);
          return complex(part<hlo::ImagOp>(inner), neg(part<hlo::RealOp>(inner)));
        })
        .Case([&](chlo::AsinOp) { return asin(re, im); })
        .Case([&](chlo::AsinhOp) {
          // i asin(-i z)
          Value inner = asin(im, neg(re));
          return complex(neg(part<hlo::ImagOp>(inner)), part<hlo::RealOp>(inner));
        })
        .Case([&](chlo::AcosOp) {
          Parts minus = root(sub(one(), re), neg(im)), plus = root(add(one(), re), im);
          return complex(mul(number(re, 2), atan2(minus.re, plus.re)),
                         asinh(sub(mul(plus.re, minus.im), mul(plus.im, minus.re))));
        })
        .Case([&](chlo::AcoshOp) {
          Parts minus = root(sub(re, one()), im), plus = root(add(re, one()), im);
          return complex(asinh(add(mul(minus.re, plus.re), mul(minus.im, plus.im))),
                         mul(number(re, 2), atan2(minus.im, plus.re)));
        })
        .Default([](Operation *) { return Value(); });
  }

private:
  template <typename Op> Value part(Value value) {
    RankedTensorType type = tensorOf(value);
    return Op::create(builder, loc, type.clone(cast<ComplexType>(type.getElementType()).getElementType()), value);
  }
  Value complex(Value a, Value b) {
    return hlo::ComplexOp::create(builder, loc, tensorOf(a).clone(ComplexType::get(tensorOf(a).getElementType())), a,
                                  b);
  }
  Value one() { return number(re, 1); }
  Value atan2(Value a, Value b) { return hlo::Atan2Op::create(builder, loc, a.getType(), a, b); }
  Value asinh(Value a) { return apply<chlo::AsinhOp>(a); }
  Parts root(Value a, Value b) {
    Value result = apply<hlo::SqrtOp>(complex(a, b));
    return {part<hlo::RealOp>(result), part<hlo::ImagOp>(result)};
  }
  Value asin(Value a, Value b) {
    Parts minus = root(sub(one(), a), neg(b)), plus = root(add(one(), a), b);
    return complex(atan2(a, sub(mul(minus.re, plus.re), mul(minus.im, plus.im))),
                   asinh(sub(mul(minus.re, plus.im), mul(minus.im, plus.re))));
  }
  Value atanh(Value a, Value b) {
    Value rest = sub(one(), a), squares = add(mul(rest, rest), mul(b, b));
    Value real = mul(number(a, 0.25), apply<hlo::Log1pOp>(div(mul(number(a, 4), a), squares)));
    Value angle = atan2(mul(number(a, 2), b), sub(mul(rest, add(one(), a)), mul(b, b)));
    return complex(real, mul(number(a, 0.5), angle));
  }

  Value z, re, im;
};
} // namespace

static Results expandFunction(Operation *op, OpBuilder &builder) {
  Value operand = op->getOperand(0);
  const Type element = getElementTypeOrSelf(operand);
  const Location loc = op->getLoc();
  if (!isa<ComplexType>(element)) {
    if (isa<chlo::ConjOp>(op))
      return SmallVector<Value>{operand};
    if (isa<chlo::SquareOp>(op))
      return SmallVector<Value>{hlo::MulOp::create(builder, loc, operand.getType(), operand, operand)};
    return std::nullopt;
  }
  const Type wide = ComplexType::get(builder.getF64Type());
  const bool isExact = isa<chlo::ConjOp, chlo::SquareOp>(op);
  Arith arith(builder, loc);
  Value result = ComplexFunctions(builder, loc, isExact ? operand : arith.as(operand, wide)).of(op);
  if (!result)
    return std::nullopt;
  return SmallVector<Value>{arith.as(result, element)};
}

/// The op of chlo that a call of 'mhlo.<name>' means.
static Results expandCall(hlo::CustomCallOp op, OpBuilder &builder) {
  StringRef name = op.getCallTargetName();
  const Location loc = op.getLoc();
  // Annotations of where a tensor lies, or of how it is spread over devices.
  static constexpr StringLiteral kAnnotations[] = {"Sharding", "annotate_device_placement",
                                                   "xla.sdy.FuncResultSharding", "xla.sdy.PropagationBarrier"};
  if (llvm::is_contained(kAnnotations, name) && op.getInputs().size() == 1 &&
      op->getResultTypes() == op->getOperandTypes())
    return SmallVector<Value>(op.getInputs());
  // The number of elements is a value.
  if (name == "stablehlo.dynamic_top_k" && op.getInputs().size() == 2 && op.getNumResults() == 2 &&
      tensorOf(op.getInputs()[1]).getNumElements() == 1) {
    Arith arith(builder, loc);
    Value k = arith.as(op.getInputs()[1], builder.getI64Type());
    if (tensorOf(k).getRank() != 0)
      k = hlo::ReshapeOp::create(builder, loc, RankedTensorType::get({}, builder.getI64Type()), k);
    return topK(loc, builder, op.getInputs()[0], op.getResult(0).getType(), op.getResult(1).getType(), k);
  }
  if (!name.consume_front("mhlo."))
    return std::nullopt;
  if (name == "topk" && op.getInputs().size() == 1 && op.getNumResults() == 2) {
    auto attributes = op->getAttrOfType<DictionaryAttr>("mhlo.attributes");
    auto largest = attributes ? attributes.getAs<BoolAttr>("largest") : BoolAttr();
    if ((largest && !largest.getValue()) ||
        !tensorOf(op.getResult(0)).isDynamicDim(tensorOf(op.getResult(0)).getRank() - 1))
      return std::nullopt;
    return topK(loc, builder, op.getInputs()[0], op.getResult(0).getType(), op.getResult(1).getType(),
                Arith(builder, loc).integer(tensorOf(op.getResult(0)).getShape().back()));
  }
  const auto known = RegisteredOperationName::lookup(("chlo." + name).str(), op.getContext());
  if (!known || op.getInputs().size() != 1 || op.getNumResults() != 1)
    return std::nullopt;
  OperationState state(loc, *known, op.getInputs(), op.getResultTypes());
  Operation *made = builder.create(state);
  Results further = expandFunction(made, builder);
  if (!further)
    return SmallVector<Value>{made->getResult(0)};
  made->erase();
  return further;
}

static Results expand(Operation *op, OpBuilder &builder) {
  const Location loc = op->getLoc();
  if (op->getName().getStringRef().starts_with("chlo.broadcast_"))
    return expandBroadcast(op, builder);
  if (Results results = expandOlderOp(op, builder))
    return results;
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](chlo::ConstantOp constant) -> Results {
        return SmallVector<Value>{hlo::ConstantOp::create(builder, loc, constant.getType(), constant.getValue())};
      })
      .Case([&](chlo::ConstantLikeOp constant) -> Results {
        auto value = dyn_cast<TypedAttr>(constant.getValue());
        if (!value || value.getType() != tensorOf(constant).getElementType())
          return std::nullopt;
        return SmallVector<Value>{Arith(builder, loc).constantLike(constant.getOperand(), value)};
      })
      .Case([&](chlo::TopKOp top) -> Results {
        return topK(loc, builder, top.getOperand(), top.getValues().getType(), top.getIndices().getType(),
                    Arith(builder, loc).integer(int64_t(top.getK())));
      })
      .Case([&](chlo::RaggedDotOp) { return expandRaggedDot(op, builder); })
      .Case([&](hlo::CustomCallOp call) { return expandCall(call, builder); })
      .Case([&](hlo::RngBitGeneratorOp generator) { return expandRandomBits(generator, builder); })
      .Case<hlo::PartitionIdOp, hlo::ReplicaIdOp, hlo::AllGatherOp, hlo::AllReduceOp, hlo::ReduceScatterOp,
            hlo::AllToAllOp, hlo::CollectiveBroadcastOp, hlo::CollectivePermuteOp>(
          [&](Operation *) { return expandCollective(op, builder); })
      .Case([&](hlo::BroadcastOp broadcast) -> Results {
        const RankedTensorType type = tensorOf(broadcast);
        const int64_t rank = tensorOf(broadcast.getOperand()).getRank();
        return SmallVector<Value>{
            broadcastTo(builder, loc, broadcast.getOperand(), type,
                        llvm::to_vector(llvm::seq<int64_t>(type.getRank() - rank, type.getRank())))};
      })
      .Case([&](hlo::BatchNormInferenceOp norm) -> Results {
        BatchNorm made(builder, loc, norm.getOperand(), int64_t(norm.getFeatureIndex()), norm.getEpsilon());
        return SmallVector<Value>{
            made.inference(norm.getScale(), norm.getOffset(), norm.getMean(), norm.getVariance())};
      })
      .Case([&](hlo::BatchNormTrainingOp norm) -> Results {
        BatchNorm made(builder, loc, norm.getOperand(), int64_t(norm.getFeatureIndex()), norm.getEpsilon());
        return made.training(norm.getScale(), norm.getOffset());
      })
      .Case([&](hlo::BatchNormGradOp norm) -> Results {
        BatchNorm made(builder, loc, norm.getOperand(), int64_t(norm.getFeatureIndex()), norm.getEpsilon());
        return made.gradients(norm.getScale(), norm.getMean(), norm.getVariance(), norm.getGradOutput());
      })
      .Case([&](hlo::CompositeOp composite) -> Results {
        auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, composite.getDecompositionAttr());
        if (!function || function.getFunctionType().getInputs() != op->getOperandTypes() ||
            function.getFunctionType().getResults() != op->getResultTypes())
          return std::nullopt;
        return SmallVector<Value>(func::CallOp::create(builder, loc, function, op->getOperands()).getResults());
      })
      .Default([&](Operation *) -> Results {
        const bool isFunction = isa_and_present<chlo::CHLODialect>(op->getDialect()) && op->getNumOperands() == 1 &&
                                op->getNumResults() == 1;
        return isFunction ? expandFunction(op, builder) : std::nullopt;
      });
}

void hlotypes::expandComposites(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa_and_present<chlo::CHLODialect, hlo::StableHLODialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    Results results = expand(op, builder);
    if (!results)
      continue;
    op->replaceAllUsesWith(*results);
    op->erase();
  }
}
