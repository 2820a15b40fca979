//===- RefineShapes.cpp - sizes that follow from constants --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Frameworks export functions of any sizes together with calls for given ones: sizes are arguments, and shapes are
// computed from them. Calls are inlined, integer computations on constants are evaluated, and types become static in
// the order of the program:
//
//   %n = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
//   %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
// becomes
//   %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi32>) -> tensor<2x3xf32>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/CHLODialect.h"
#include "dialects/StableHLO/IR/Verify.h"
#include "passes/StableHLO/Complex.h"
#include "passes/StableHLO/FoldIntegers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

static bool hasStaticSizes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return !type || type.hasStaticShape();
}

using Shape = std::optional<SmallVector<int64_t>>;

/// The integers of a constant, as sizes.
static Shape knownSizes(Value value) {
  const auto elements = constantOf(value);
  if (!elements)
    return std::nullopt;
  return llvm::map_to_vector(elements.getValues<APInt>(), [](const APInt &x) { return x.getSExtValue(); });
}

/// More ops than this are not made by inlining.
static constexpr unsigned kMostOps = 200000;

namespace {
class Refiner {
public:
  explicit Refiner(ModuleOp module) : module(module) {}

  LogicalResult run() {
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPublic() && !function.isExternal())
        refineFunction(function);
    eraseUnused();
    return success(!isFailed);
  }

private:
  void refineFunction(func::FuncOp function) {
    if (!inlineCalls(function.getBody()))
      return;
    for (Block &block : function.getBody())
      refineBlock(block);
    if (!llvm::hasSingleElement(function.getBody()))
      return;
    auto last = dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
    if (last)
      function.setType(
          FunctionType::get(function.getContext(), function.getFunctionType().getInputs(), last.getOperandTypes()));
  }

  /// Whether no call is left.
  bool inlineCalls(Region &region) {
    bool isComplete = true;
    SmallVector<Operation *> work;
    region.walk([&](Operation *op) { work.push_back(op); });
    unsigned made = 0;
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      FlatSymbolRefAttr callee;
      if (auto call = dyn_cast<func::CallOp>(op))
        callee = call.getCalleeAttr();
      else if (auto composite = dyn_cast<hlo::CompositeOp>(op))
        callee = composite.getDecompositionAttr();
      if (!callee)
        continue;
      auto function = module.lookupSymbol<func::FuncOp>(callee.getAttr());
      if (!function || function.isExternal() || !llvm::hasSingleElement(function.getBody()) || made > kMostOps ||
          function->isAncestor(op) || function.getNumArguments() != op->getNumOperands()) {
        isComplete = false;
        continue;
      }
      OpBuilder builder(op);
      IRMapping mapping;
      mapping.map(function.getArguments(), op->getOperands());
      Block &block = function.getBody().front();
      for (Operation &inner : block.without_terminator()) {
        Operation *copy = builder.clone(inner, mapping);
        copy->walk([&](Operation *each) {
          work.push_back(each);
          ++made;
        });
      }
      for (auto [result, value] : llvm::zip_equal(op->getResults(), block.getTerminator()->getOperands()))
        result.replaceAllUsesWith(mapping.lookupOrDefault(value));
      op->erase();
    }
    return isComplete;
  }

  void refineBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (isa_and_present<hlo::StableHLODialect, chlo::CHLODialect>(op.getDialect()))
        refineOp(&op);
  }

  void setTypes(Operation *op, ArrayRef<SmallVector<int64_t>> shapes) {
    for (auto [result, shape] : llvm::zip_equal(op->getResults(), shapes))
      if (!hasStaticSizes(result) && tensorOf(result).getRank() == int64_t(shape.size()))
        result.setType(RankedTensorType::get(shape, tensorOf(result).getElementType()));
  }

  void refineOp(Operation *op) {
    if (auto call = dyn_cast<hlo::CustomCallOp>(op)) {
      refineCall(call);
      return;
    }
    if (auto elements = foldIntegers(op)) {
      OpBuilder builder(op);
      Value made = hlo::ConstantOp::create(builder, op->getLoc(), elements.getType(), elements);
      op->getResult(0).replaceAllUsesWith(made);
      op->erase();
      return;
    }
    if (auto loop = dyn_cast<hlo::WhileOp>(op)) {
      for (auto [operand, result] : llvm::zip_equal(loop.getOperand(), loop.getResults()))
        if (hasStaticSizes(operand))
          result.setType(operand.getType());
      for (Region *region : {&loop.getCond(), &loop.getBody()}) {
        for (auto [operand, argument] : llvm::zip_equal(loop.getOperand(), region->front().getArguments()))
          if (hasStaticSizes(operand))
            argument.setType(operand.getType());
        refineBlock(region->front());
      }
      return;
    }
    if (isa<hlo::IfOp, hlo::CaseOp>(op)) {
      for (Region &region : op->getRegions())
        refineBlock(region.front());
      for (auto [result, value] :
           llvm::zip_equal(op->getResults(), op->getRegion(0).front().getTerminator()->getOperands()))
        result.setType(value.getType());
      return;
    }
    if (auto convolution = dyn_cast<hlo::DynamicConvOp>(op)) {
      op = makeStatic(convolution);
      if (!op)
        return;
    }
    if (llvm::all_of(op->getResults(), hasStaticSizes))
      return;
    if (op->getNumResults() == 1 ||
        isa<hlo::ReduceOp, hlo::ReduceWindowOp, hlo::SortOp, hlo::ScatterOp, hlo::OptimizationBarrierOp>(op)) {
      if (const Shape shape = shapeOf(op); shape && !isa<hlo::OptimizationBarrierOp>(op))
        return setTypes(op, SmallVector<SmallVector<int64_t>>(op->getNumResults(), *shape));
      if (isa<hlo::OptimizationBarrierOp>(op))
        for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults()))
          result.setType(operand.getType());
      return;
    }
    if (auto top = dyn_cast<chlo::TopKOp>(op); top && hasStaticSizes(top.getOperand())) {
      SmallVector<int64_t> shape(tensorOf(top.getOperand()).getShape());
      shape.back() = int64_t(top.getK());
      setTypes(op, {shape, shape});
    }
    if (auto norm = dyn_cast<hlo::BatchNormTrainingOp>(op); norm && hasStaticSizes(norm.getOperand())) {
      SmallVector<int64_t> shape(tensorOf(norm.getOperand()).getShape()), one{shape[norm.getFeatureIndex()]};
      setTypes(op, {shape, one, one});
    }
    if (auto norm = dyn_cast<hlo::BatchNormGradOp>(op); norm && hasStaticSizes(norm.getOperand())) {
      SmallVector<int64_t> shape(tensorOf(norm.getOperand()).getShape()), one{shape[norm.getFeatureIndex()]};
      setTypes(op, {shape, one, one});
    }
  }

  /// The shape of the results, where that of the operands is known.
  Shape shapeOf(Operation *op) {
    const auto first = [&]() -> Shape {
      return hasStaticSizes(op->getOperand(0)) ? Shape(tensorOf(op->getOperand(0)).getShape()) : std::nullopt;
    };
    if (isa<hlo::DynamicBroadcastInDimOp, hlo::DynamicReshapeOp>(op))
      return knownSizes(op->getOperand(1));
    if (isa<hlo::DynamicIotaOp>(op))
      return knownSizes(op->getOperand(0));
    if (op->getNumOperands() == 0)
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, Shape>(op)
        .Case([&](hlo::RealDynamicSliceOp) -> Shape {
          const Shape starts = knownSizes(op->getOperand(1)), limits = knownSizes(op->getOperand(2)),
                      strides = knownSizes(op->getOperand(3));
          if (!starts || !limits || !strides)
            return std::nullopt;
          SmallVector<int64_t> shape;
          for (auto [start, limit, stride] : llvm::zip_equal(*starts, *limits, *strides))
            shape.push_back(stride > 0 ? std::max<int64_t>(0, (limit - start + stride - 1) / stride) : 0);
          return shape;
        })
        .Case([&](hlo::DynamicPadOp) -> Shape {
          const Shape low = knownSizes(op->getOperand(2)), high = knownSizes(op->getOperand(3)),
                      interior = knownSizes(op->getOperand(4));
          const Shape operand = first();
          if (!operand || !low || !high || !interior)
            return std::nullopt;
          return padded(*operand, *low, *high, *interior);
        })
        .Case([&](hlo::PadOp pad) -> Shape {
          const Shape operand = first();
          if (!operand)
            return std::nullopt;
          return padded(*operand, pad.getEdgePaddingLow(), pad.getEdgePaddingHigh(), pad.getInteriorPadding());
        })
        .Case([&](hlo::TransposeOp transpose) -> Shape {
          const Shape operand = first();
          if (!operand)
            return std::nullopt;
          return llvm::map_to_vector(transpose.getPermutation(), [&](int64_t dim) { return (*operand)[dim]; });
        })
        .Case([&](hlo::SliceOp slice) -> Shape {
          SmallVector<int64_t> shape;
          for (auto [start, limit, stride] :
               llvm::zip_equal(slice.getStartIndices(), slice.getLimitIndices(), slice.getStrides()))
            shape.push_back((limit - start + stride - 1) / stride);
          return shape;
        })
        .Case([&](hlo::DynamicSliceOp slice) -> Shape { return SmallVector<int64_t>(slice.getSliceSizes()); })
        .Case([&](hlo::ConcatenateOp concatenate) -> Shape {
          SmallVector<int64_t> shape;
          for (Value operand : op->getOperands()) {
            if (!hasStaticSizes(operand))
              return std::nullopt;
            if (shape.empty())
              shape = SmallVector<int64_t>(tensorOf(operand).getShape());
            else
              shape[concatenate.getDimension()] += tensorOf(operand).getDimSize(concatenate.getDimension());
          }
          return shape;
        })
        .Case([&](hlo::DotGeneralOp dot) -> Shape {
          if (!hasStaticSizes(dot.getLhs()) || !hasStaticSizes(dot.getRhs()))
            return std::nullopt;
          const auto numbers = dot.getDotDimensionNumbers();
          SmallVector<int64_t> shape;
          for (int64_t dim : numbers.getLhsBatchingDimensions())
            shape.push_back(tensorOf(dot.getLhs()).getDimSize(dim));
          const auto addFree = [&](Value side, ArrayRef<int64_t> batch, ArrayRef<int64_t> sums) {
            for (auto [dim, size] : llvm::enumerate(tensorOf(side).getShape()))
              if (!llvm::is_contained(batch, int64_t(dim)) && !llvm::is_contained(sums, int64_t(dim)))
                shape.push_back(size);
          };
          addFree(dot.getLhs(), numbers.getLhsBatchingDimensions(), numbers.getLhsContractingDimensions());
          addFree(dot.getRhs(), numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions());
          return shape;
        })
        .Case([&](hlo::ReduceOp reduce) -> Shape {
          const Shape operand = first();
          if (!operand)
            return std::nullopt;
          SmallVector<int64_t> shape;
          for (auto [dim, size] : llvm::enumerate(*operand))
            if (!llvm::is_contained(reduce.getDimensions(), int64_t(dim)))
              shape.push_back(size);
          return shape;
        })
        .Case([&](hlo::ReduceWindowOp reduce) -> Shape {
          const Shape operand = first();
          if (!operand)
            return std::nullopt;
          const int64_t rank = int64_t(operand->size());
          const SmallVector<int64_t> window = hlo::listOf(reduce.getWindowDimensions()),
                                     strides = hlo::listOr(reduce.getWindowStridesAttr(), rank, 1),
                                     base = hlo::listOr(reduce.getBaseDilationsAttr(), rank, 1),
                                     dilation = hlo::listOr(reduce.getWindowDilationsAttr(), rank, 1),
                                     padding = hlo::listOr(reduce.getPaddingAttr(), 2 * rank, 0);
          return windows(*operand, base, padding, window, dilation, strides);
        })
        .Case([&](hlo::ConvolutionOp convolution) { return convolved(convolution); })
        .Case([&](hlo::GatherOp gather) -> Shape {
          return gathered(gather.getStartIndices(), gather.getDimensionNumbers(), hlo::listOf(gather.getSliceSizes()));
        })
        .Case([&](hlo::DynamicGatherOp gather) -> Shape {
          const Shape sizes = knownSizes(gather.getSliceSizes());
          if (!sizes)
            return std::nullopt;
          return gathered(gather.getStartIndices(), gather.getDimensionNumbers(), *sizes);
        })
        .Case([&](hlo::FftOp fft) -> Shape {
          Shape operand = first();
          if (!operand)
            return std::nullopt;
          const SmallVector<int64_t> length = hlo::listOf(fft.getFftLength());
          if (fft.getFftType() == hlo::FftType::RFFT)
            operand->back() = length.back() / 2 + 1;
          else if (fft.getFftType() == hlo::FftType::IRFFT)
            operand->back() = length.back();
          return operand;
        })
        .Case([&](hlo::BitcastConvertOp bitcast) -> Shape {
          Shape operand = first();
          const Type from = tensorOf(bitcast.getOperand()).getElementType(), to = tensorOf(bitcast).getElementType();
          if (!operand || !from.isIntOrFloat() || !to.isIntOrFloat())
            return std::nullopt;
          const unsigned fromBits = from.getIntOrFloatBitWidth(), toBits = to.getIntOrFloatBitWidth();
          if (fromBits > toBits)
            operand->push_back(fromBits / toBits);
          else if (fromBits < toBits)
            operand->pop_back();
          return operand;
        })
        .Case([&](hlo::SelectOp select) -> Shape {
          for (Value operand : {select.getOnTrue(), select.getOnFalse()})
            if (hasStaticSizes(operand))
              return SmallVector<int64_t>(tensorOf(operand).getShape());
          return std::nullopt;
        })
        .Case([&](hlo::ClampOp clamp) -> Shape {
          return hasStaticSizes(clamp.getOperand()) ? Shape(tensorOf(clamp.getOperand()).getShape()) : std::nullopt;
        })
        .Case([&](hlo::TriangularSolveOp solve) -> Shape {
          return hasStaticSizes(solve.getB()) ? Shape(tensorOf(solve.getB()).getShape()) : std::nullopt;
        })
        .Case<hlo::SortOp, hlo::ScatterOp, hlo::DynamicUpdateSliceOp, hlo::SelectAndScatterOp, hlo::ReverseOp,
              hlo::CholeskyOp, hlo::BatchNormInferenceOp>([&](Operation *) { return first(); })
        .Default([&](Operation *) -> Shape {
          if (op->getName().getStringRef().starts_with("chlo.broadcast_"))
            return broadcasted(op);
          if (!op->hasTrait<OpTrait::SameOperandsAndResultShape>())
            return std::nullopt;
          for (Value operand : op->getOperands())
            if (hasStaticSizes(operand))
              return SmallVector<int64_t>(tensorOf(operand).getShape());
          return std::nullopt;
        });
  }

  static Shape broadcasted(Operation *op) {
    SmallVector<int64_t> shape(tensorOf(op->getResult(0)).getRank(), 1);
    for (Value operand : op->getOperands()) {
      if (!hasStaticSizes(operand))
        return std::nullopt;
      const ArrayRef<int64_t> sizes = tensorOf(operand).getShape();
      for (auto [index, size] : llvm::enumerate(llvm::reverse(sizes)))
        if (int64_t &out = shape[shape.size() - 1 - index]; size != 1)
          out = size;
    }
    return shape;
  }

  static Shape padded(ArrayRef<int64_t> operand, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                      ArrayRef<int64_t> interior) {
    SmallVector<int64_t> shape;
    for (auto [size, before, after, between] : llvm::zip_equal(operand, low, high, interior))
      shape.push_back(before + after + size + std::max<int64_t>(size - 1, 0) * between);
    return shape;
  }

  static Shape windows(ArrayRef<int64_t> sizes, ArrayRef<int64_t> base, ArrayRef<int64_t> padding,
                       ArrayRef<int64_t> window, ArrayRef<int64_t> dilation, ArrayRef<int64_t> strides) {
    SmallVector<int64_t> shape;
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      shape.push_back(hlo::verifier::windowed(sizes[dim], base[dim], padding[2 * dim], padding[2 * dim + 1],
                                              window[dim], dilation[dim], strides[dim]));
    return shape;
  }

  static Shape convolved(hlo::ConvolutionOp op) {
    if (!hasStaticSizes(op.getLhs()) || !hasStaticSizes(op.getRhs()))
      return std::nullopt;
    const auto numbers = op.getDimensionNumbers();
    const RankedTensorType lhs = tensorOf(op.getLhs()), rhs = tensorOf(op.getRhs());
    const int64_t rank = int64_t(numbers.getInputSpatialDimensions().size());
    SmallVector<int64_t> sizes, window;
    for (int64_t dim : numbers.getInputSpatialDimensions())
      sizes.push_back(lhs.getDimSize(dim));
    for (int64_t dim : numbers.getKernelSpatialDimensions())
      window.push_back(rhs.getDimSize(dim));
    const Shape spatial =
        windows(sizes, hlo::listOr(op.getLhsDilationAttr(), rank, 1), hlo::listOr(op.getPaddingAttr(), 2 * rank, 0),
                window, hlo::listOr(op.getRhsDilationAttr(), rank, 1), hlo::listOr(op.getWindowStridesAttr(), rank, 1));
    SmallVector<int64_t> shape(rank + 2, 0);
    shape[numbers.getOutputBatchDimension()] =
        lhs.getDimSize(numbers.getInputBatchDimension()) / int64_t(op.getBatchGroupCount());
    shape[numbers.getOutputFeatureDimension()] = rhs.getDimSize(numbers.getKernelOutputFeatureDimension());
    for (auto [dim, size] : llvm::zip_equal(numbers.getOutputSpatialDimensions(), *spatial))
      shape[dim] = size;
    return shape;
  }

  static Shape gathered(Value indices, hlo::GatherDimensionNumbersAttr numbers, ArrayRef<int64_t> sizes) {
    if (!hasStaticSizes(indices))
      return std::nullopt;
    SmallVector<int64_t> batch, offsets, shape;
    for (auto [dim, size] : llvm::enumerate(tensorOf(indices).getShape()))
      if (int64_t(dim) != numbers.getIndexVectorDim())
        batch.push_back(size);
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!llvm::is_contained(numbers.getCollapsedSliceDims(), int64_t(dim)) &&
          !llvm::is_contained(numbers.getOperandBatchingDims(), int64_t(dim)))
        offsets.push_back(size);
    size_t nextBatch = 0, nextOffset = 0;
    for (size_t dim = 0; dim < batch.size() + offsets.size(); ++dim) {
      const bool isOffset = llvm::is_contained(numbers.getOffsetDims(), int64_t(dim));
      if (isOffset ? nextOffset >= offsets.size() : nextBatch >= batch.size())
        return std::nullopt;
      shape.push_back(isOffset ? offsets[nextOffset++] : batch[nextBatch++]);
    }
    return shape;
  }

  /// A convolution whose padding is a constant; null if it is none.
  Operation *makeStatic(hlo::DynamicConvOp op) {
    const Shape padding = knownSizes(op.getDPadding());
    if (!padding)
      return nullptr;
    OpBuilder builder(op);
    NamedAttrList attributes(op->getAttrs());
    auto type = RankedTensorType::get({int64_t(padding->size() / 2), 2}, builder.getI64Type());
    attributes.set("padding", DenseIntElementsAttr::get(type, ArrayRef<int64_t>(*padding)));
    OperationState state(op.getLoc(), hlo::ConvolutionOp::getOperationName(), {op.getLhs(), op.getRhs()},
                         op->getResultTypes(), attributes);
    Operation *made = builder.create(state);
    op->replaceAllUsesWith(made);
    op->erase();
    return made;
  }

  void refineCall(hlo::CustomCallOp op) {
    const StringRef target = op.getCallTargetName();
    if (target == "shape_assertion" && op.getNumResults() == 0 && !op.getInputs().empty()) {
      const auto holds = constantOf(op.getInputs()[0]);
      if (!holds)
        return;
      if (!holds.getValues<APInt>()[0].isZero()) {
        op.erase();
        return;
      }
      auto message = op->getAttrOfType<StringAttr>("error_message");
      op.emitError("a condition on sizes does not hold: ") << (message ? message.getValue() : "shape_assertion");
      isFailed = true;
      return;
    }
    if (target == "stablehlo.shape_refinement_operand_wrapper" && op.getNumResults() == 1 && !op.getInputs().empty()) {
      op.getResult(0).replaceAllUsesWith(op.getInputs()[0]);
      op.erase();
      return;
    }
    if (target == "stablehlo.dynamic_reduce_window")
      return refineDynamicReduceWindow(op);
    if (target == "stablehlo.dynamic_top_k" && op.getInputs().size() == 2 && op.getNumResults() == 2) {
      const Shape k = knownSizes(op.getInputs()[1]);
      if (!k || !hasStaticSizes(op.getInputs()[0]))
        return;
      SmallVector<int64_t> shape(tensorOf(op.getInputs()[0]).getShape());
      shape.back() = k->front();
      OpBuilder builder(op);
      auto top = chlo::TopKOp::create(builder, op.getLoc(), tensorOf(op.getInputs()[0]).clone(shape),
                                      tensorOf(op.getResult(1)).clone(shape), op.getInputs()[0], uint64_t(k->front()));
      op->replaceAllUsesWith(top);
      op.erase();
      return;
    }
    if (target == "stablehlo.dynamic_rng_bit_generator" && op.getInputs().size() == 2 && op.getNumResults() == 2)
      return refineDynamicRandomBits(op);
    // The shape of a result may be an operand.
    if (auto operands = op->getAttrOfType<DenseIntElementsAttr>("indices_of_shape_operands")) {
      for (auto [index, operand] : llvm::enumerate(operands.getValues<APInt>())) {
        const uint64_t place = operand.getZExtValue();
        if (index >= op.getNumResults() || place >= op.getInputs().size() || hasStaticSizes(op.getResult(index)))
          continue;
        if (const Shape shape = knownSizes(op.getInputs()[place]))
          op.getResult(index).setType(tensorOf(op.getResult(index)).clone(*shape));
      }
      return;
    }
    // Functions of one operand, such as 'mhlo.erf'.
    if (target.starts_with("mhlo.") && op.getInputs().size() == 1 && op.getNumResults() == 1 &&
        hasStaticSizes(op.getInputs()[0]))
      setTypes(op, {SmallVector<int64_t>(tensorOf(op.getInputs()[0]).getShape())});
  }

  /// The state, and the sizes of the bits.
  void refineDynamicRandomBits(hlo::CustomCallOp op) {
    const Shape shape = knownSizes(op.getInputs()[1]);
    const auto algorithm = op->getAttrOfType<hlo::RngAlgorithmAttr>("rng_algorithm");
    if (!shape || !algorithm || !hasStaticSizes(op.getInputs()[0]))
      return;
    OpBuilder builder(op);
    const Type types[] = {op.getInputs()[0].getType(), tensorOf(op.getResult(1)).clone(*shape)};
    auto bits = hlo::RngBitGeneratorOp::create(builder, op.getLoc(), types, algorithm, op.getInputs()[0]);
    op->replaceAllUsesWith(bits);
    op.erase();
  }

  /// Operands, initial values, and the window's sizes, strides, dilations and padding; the computation is a function.
  void refineDynamicReduceWindow(hlo::CustomCallOp op) {
    const size_t inputs = op.getNumResults();
    if (op.getInputs().size() != 2 * inputs + 5)
      return;
    SmallVector<SmallVector<int64_t>> lists;
    for (Value list : op.getInputs().drop_front(2 * inputs)) {
      const Shape values = knownSizes(list);
      if (!values)
        return;
      lists.push_back(*values);
    }
    ArrayAttr computations = op.getCalledComputationsAttr();
    auto name =
        computations && computations.size() == 1 ? dyn_cast<FlatSymbolRefAttr>(computations[0]) : FlatSymbolRefAttr();
    auto function = name ? module.lookupSymbol<func::FuncOp>(name.getAttr()) : func::FuncOp();
    if (!function || function.isExternal() || !llvm::hasSingleElement(function.getBody()))
      return;
    OpBuilder builder(op);
    auto padding = DenseIntElementsAttr::get(
        RankedTensorType::get({int64_t(lists[4].size() / 2), 2}, builder.getI64Type()), ArrayRef<int64_t>(lists[4]));
    auto reduce =
        hlo::ReduceWindowOp::create(builder, op.getLoc(), op->getResultTypes(), op.getInputs().take_front(inputs),
                                    op.getInputs().slice(inputs, inputs), builder.getDenseI64ArrayAttr(lists[0]),
                                    builder.getDenseI64ArrayAttr(lists[1]), builder.getDenseI64ArrayAttr(lists[2]),
                                    builder.getDenseI64ArrayAttr(lists[3]), padding);
    IRMapping mapping;
    function.getBody().cloneInto(&reduce.getBody(), mapping);
    Operation *last = reduce.getBody().front().getTerminator();
    builder.setInsertionPoint(last);
    hlo::ReturnOp::create(builder, last->getLoc(), last->getOperands());
    last->erase();
    op->replaceAllUsesWith(reduce);
    op.erase();
    refineOp(reduce);
  }

  /// Private functions whose calls were inlined.
  void eraseUnused() {
    bool changes = true;
    while (changes) {
      changes = false;
      for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
        if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, module)) {
          function.erase();
          changes = true;
        }
    }
  }

  ModuleOp module;
  bool isFailed = false;
};
} // namespace

LogicalResult hlotypes::refineShapes(ModuleOp module) { return Refiner(module).run(); }
