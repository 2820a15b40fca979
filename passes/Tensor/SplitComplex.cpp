//===- SplitComplex.cpp - pass mica-tensor-split-complex ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops of control flow, calls and linalg.generic get both parts in the place of each complex operand, result and
// argument. Ops that move elements are made once for each part; one with a region is made with a copy of the region
// that yields this part. A program with a complex value in any other op stays as it is, since calls tie functions
// together.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/ComplexValues.h"
#include "passes/StableHLO/FlattenSignature.h"
#include "passes/Tensor/ComplexMath.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/PostOrderIterator.h"

#include <complex>
#include <numeric>

namespace mica {
#define GEN_PASS_DEF_SPLITCOMPLEX
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// The type of each part of a complex value, or null if there is none that Mica takes.
static Type partTypeOf(Type type) {
  Type part = cast<ComplexType>(getElementTypeOrSelf(type)).getElementType();
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(part))
    return Type();
  if (isa<ComplexType>(type))
    return part;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getEncoding() ? Type() : tensor.clone(part);
  if (auto buffer = dyn_cast<MemRefType>(type))
    return MemRefType::get(buffer.getShape(), part, buffer.getLayout(), buffer.getMemorySpace());
  return Type();
}

static SmallVector<Type> flatTypes(TypeRange types) {
  SmallVector<Type> all;
  for (Type type : types)
    all.append(isComplex(type) ? 2 : 1, isComplex(type) ? partTypeOf(type) : type);
  return all;
}

/// The parts of a constant.
static std::pair<DenseElementsAttr, DenseElementsAttr> partsOf(DenseElementsAttr elements) {
  auto type = cast<ShapedType>(partTypeOf(elements.getType()));
  if (elements.isSplat()) {
    const auto one = elements.getSplatValue<std::complex<APFloat>>();
    return {DenseElementsAttr::get(type, one.real()), DenseElementsAttr::get(type, one.imag())};
  }
  SmallVector<APFloat> re, im;
  for (const std::complex<APFloat> &one : elements.getValues<std::complex<APFloat>>()) {
    re.push_back(one.real());
    im.push_back(one.imag());
  }
  return {DenseElementsAttr::get(type, re), DenseElementsAttr::get(type, im)};
}

/// Ops whose complex operands and results become two each.
static bool isFlattened(Operation *op) {
  return isa<func::CallOp, func::ReturnOp, scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp,
             scf::ExecuteRegionOp, scf::IndexSwitchOp, scf::ForallOp, cf::BranchOp, cf::CondBranchOp,
             affine::AffineForOp, affine::AffineIfOp, affine::AffineYieldOp, linalg::GenericOp, linalg::YieldOp,
             tensor::YieldOp>(op);
}

/// Ops that move elements or make views: made once for the real and once for the imaginary part.
static bool isMadePerPart(Operation *op) {
  return isa<tensor::ExtractOp, tensor::InsertOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
             tensor::ParallelInsertSliceOp, tensor::EmptyOp, tensor::CastOp, tensor::ReshapeOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::ConcatOp, tensor::PadOp, tensor::GatherOp, tensor::ScatterOp,
             tensor::FromElementsOp, tensor::SplatOp, tensor::GenerateOp, tensor::DimOp, tensor::RankOp,
             memref::AllocOp, memref::AllocaOp, memref::DeallocOp, memref::LoadOp, memref::StoreOp, memref::SubViewOp,
             memref::CastOp, memref::CopyOp, memref::DimOp, memref::RankOp, memref::ReinterpretCastOp,
             memref::ExpandShapeOp, memref::CollapseShapeOp, memref::TransposeOp, memref::ReshapeOp, memref::PrefetchOp,
             memref::AssumeAlignmentOp, arith::SelectOp, bufferization::ToTensorOp, bufferization::ToBufferOp,
             bufferization::AllocTensorOp, bufferization::DeallocTensorOp, bufferization::MaterializeInDestinationOp,
             bufferization::CloneOp, affine::AffineLoadOp, affine::AffineStoreOp, affine::AffinePrefetchOp,
             linalg::FillOp, linalg::CopyOp, linalg::TransposeOp, linalg::BroadcastOp, linalg::PackOp, linalg::UnPackOp,
             ub::PoisonOp>(op);
}

/// Whether the pass takes every complex value of `op`.
static bool isTaken(Operation *op) {
  const auto hasPart = [](Type type) { return !isComplex(type) || partTypeOf(type); };
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!llvm::all_of(block.getArgumentTypes(), hasPart))
        return false;
  if (!llvm::all_of(op->getOperandTypes(), hasPart) || !llvm::all_of(op->getResultTypes(), hasPart))
    return false;
  if (auto function = dyn_cast<func::FuncOp>(op)) {
    const FunctionType type = function.getFunctionType();
    const bool isComplexType = isAnyComplex(type.getInputs()) || isAnyComplex(type.getResults());
    return !isComplexType || !function.isExternal();
  }
  if (auto global = dyn_cast<memref::GlobalOp>(op); global && isComplex(global.getType()))
    return partTypeOf(global.getType()) &&
           (!global.getInitialValue() || isa<UnitAttr, DenseElementsAttr>(*global.getInitialValue()));
  if (!isAnyComplex(op->getOperandTypes()) && !isAnyComplex(op->getResultTypes()))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<DenseElementsAttr>(constant.getValue());
  return isFlattened(op) || isMadePerPart(op) || isComplexMath(op) ||
         isa<linalg::LinalgOp, memref::GetGlobalOp, scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp>(op);
}

/// Whether a value, a type of a function or a global of the program is complex.
static bool usesComplex(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool uses = isAnyComplex(op->getOperandTypes()) || isAnyComplex(op->getResultTypes());
        if (auto function = dyn_cast<func::FuncOp>(op))
          uses |= isAnyComplex(function.getArgumentTypes()) || isAnyComplex(function.getResultTypes());
        if (auto global = dyn_cast<memref::GlobalOp>(op))
          uses |= isComplex(global.getType());
        return uses ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isPassedByCallers(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return function.isPublic() &&
           (isAnyComplex(function.getArgumentTypes()) || isAnyComplex(function.getResultTypes()));
  });
}

namespace {
/// Splits the values of one function, all of whose ops are taken.
class FunctionSplitter : ComplexValues {
public:
  void run(func::FuncOp function) {
    if (!function.isExternal())
      splitRegion(function.getBody());
    const FunctionType type = function.getFunctionType();
    flattenSignature(function, [](Type type) { return flatTypes(type); });
    markImaginaryParts(function, type);
    eraseReplaced();
  }

private:
  void splitRegion(Region &region) {
    if (region.empty())
      return;
    for (Block &block : region) {
      SmallVector<BlockArgument> old(block.getArguments());
      for (BlockArgument argument : old) {
        if (!isComplex(argument.getType()))
          continue;
        const unsigned at = argument.getArgNumber() + 1;
        Type type = partTypeOf(argument.getType());
        Value re = block.insertArgument(at, type, argument.getLoc());
        parts[argument] = {re, block.insertArgument(at + 1, type, argument.getLoc())};
        arguments.push_back(argument);
      }
    }
    // Values before their uses; blocks that are never reached come last.
    llvm::SetVector<Block *> order;
    llvm::ReversePostOrderTraversal<Block *> traversal(&region.front());
    order.insert(traversal.begin(), traversal.end());
    for (Block &block : region)
      order.insert(&block);
    for (Block *block : order)
      for (Operation &op : llvm::make_early_inc_range(*block))
        splitOp(&op);
  }

  void splitOp(Operation *op) {
    // The ops of a generic take the place of the named one.
    if (auto structured = dyn_cast<linalg::LinalgOp>(op);
        structured && isAnyComplex(op->getOperandTypes()) && !isFlattened(op) && !isMadePerPart(op)) {
      IRRewriter rewriter(op);
      op = linalg::generalizeNamedOp(rewriter, structured)->getOperation();
    }
    if (!isa<linalg::FillOp, linalg::CopyOp, linalg::TransposeOp, linalg::BroadcastOp>(op))
      for (Region &region : op->getRegions())
        splitRegion(region);
    if (!isAnyComplex(op->getOperandTypes()) && !isAnyComplex(op->getResultTypes()))
      return;
    OpBuilder builder(op);
    if (isFlattened(op))
      return flatten(op, builder);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      const auto [re, im] = partsOf(cast<DenseElementsAttr>(constant.getValue()));
      return replace(op, {arith::ConstantOp::create(builder, op->getLoc(), re),
                          arith::ConstantOp::create(builder, op->getLoc(), im)});
    }
    if (isComplexMath(op)) {
      SmallVector<ComplexParts> operands;
      for (Value operand : op->getOperands())
        operands.push_back(isComplex(operand.getType()) ? parts.lookup(operand) : ComplexParts{operand, Value()});
      return replace(op, computeComplexOp(op, operands, builder));
    }
    Operation *re = makePart(op, builder, 0);
    // Sizes are those of the real part.
    if (op->getNumResults() == 1 && !isComplex(op->getResult(0).getType()))
      return replace(op, {re->getResult(0), Value()});
    Operation *im = makePart(op, builder, 1);
    if (op->getNumResults() == 1)
      return replace(op, {re->getResult(0), im->getResult(0)});
    replaced.push_back(op);
  }

  /// `op` on the real or on the imaginary parts.
  Operation *makePart(Operation *op, OpBuilder &builder, unsigned part) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(partOf(operand, part));
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(isComplex(type) ? partTypeOf(type) : type);
    if (isa<linalg::FillOp>(op))
      return linalg::FillOp::create(builder, op->getLoc(), types, operands[0], operands[1]);
    if (isa<linalg::CopyOp>(op))
      return linalg::CopyOp::create(builder, op->getLoc(), types, operands[0], operands[1]);
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
      return linalg::TransposeOp::create(builder, op->getLoc(), operands[0], operands[1], transpose.getPermutation());
    if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
      return linalg::BroadcastOp::create(builder, op->getLoc(), operands[0], operands[1], broadcast.getDimensions());
    OperationState state(op->getLoc(), op->getName(), operands, types, op->getAttrs());
    if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      state.attributes.set("name", FlatSymbolRefAttr::get(op->getContext(), partName(global.getName(), part)));
    for (Region &region : op->getRegions()) {
      IRMapping mapping;
      region.cloneInto(state.addRegion(), mapping);
      // The ops that were replaced were copied as well.
      SmallVector<Operation *> old;
      state.regions.back()->walk([&](Operation *nested) {
        if (isAnyComplex(nested->getOperandTypes()) || isAnyComplex(nested->getResultTypes()))
          old.push_back(nested);
      });
      for (Operation *nested : old) {
        nested->dropAllUses();
        nested->erase();
      }
      Operation *yield = state.regions.back()->front().getTerminator();
      yield->setOperands(yield->getOperand(part));
    }
    return builder.create(state);
  }

public:
  /// The name of the global with this part of the elements of `name`.
  static std::string partName(StringRef name, unsigned part) { return (name + (part == 0 ? ".re" : ".im")).str(); }

private:
  void flatten(Operation *op, OpBuilder &builder) {
    SmallVector<int32_t> counts; // of values that each operand became
    for (Type type : op->getOperandTypes())
      counts.push_back(isComplex(type) ? 2 : 1);
    OperationState state(op->getLoc(), op->getName(), flatOperands(op), flatTypes(op->getResultTypes()),
                         op->getAttrs());
    state.addSuccessors(op->getSuccessors());
    if (auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes")) {
      SmallVector<int32_t> sizes;
      ArrayRef<int32_t> rest = counts;
      for (int32_t size : segments.asArrayRef()) {
        sizes.push_back(std::accumulate(rest.begin(), rest.begin() + size, 0));
        rest = rest.drop_front(size);
      }
      state.attributes.set("operandSegmentSizes", builder.getDenseI32ArrayAttr(sizes));
    }
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      SmallVector<Attribute> maps;
      for (auto [map, count] : llvm::zip_equal(generic.getIndexingMaps(), counts))
        maps.append(count, map);
      state.attributes.set("indexing_maps", builder.getArrayAttr(maps));
    }
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    replaceByFlat(op, builder.create(state));
  }
};
} // namespace

static void splitGlobal(memref::GlobalOp global) {
  OpBuilder builder(global);
  std::optional<Attribute> initial = global.getInitialValue();
  std::pair<Attribute, Attribute> values;
  if (initial)
    values = isa<UnitAttr>(*initial) ? std::pair(*initial, *initial)
                                     : std::pair<Attribute, Attribute>(partsOf(cast<DenseElementsAttr>(*initial)));
  for (unsigned part : {0u, 1u}) {
    auto made = cast<memref::GlobalOp>(builder.clone(*global));
    made.setSymName(FunctionSplitter::partName(global.getSymName(), part));
    made.setType(cast<MemRefType>(partTypeOf(global.getType())));
    if (initial)
      made.setInitialValueAttr(part == 0 ? values.first : values.second);
  }
  global.erase();
}

/// A reduction needs both parts at once, so a parallel loop that reduces complex values becomes loops that carry them.
static void makeSequential(scf::ParallelOp parallel) {
  IRRewriter rewriter(parallel);
  const auto makeBody = [&](OpBuilder &builder, Location, ValueRange indices, ValueRange carried) {
    IRMapping mapping;
    mapping.map(parallel.getInductionVars(), indices);
    for (Operation &op : parallel.getBody()->without_terminator())
      builder.clone(op, mapping);
    auto reduce = cast<scf::ReduceOp>(parallel.getBody()->getTerminator());
    scf::ValueVector results;
    for (auto [region, operand, old] : llvm::zip_equal(reduce.getReductions(), reduce.getOperands(), carried)) {
      mapping.map(region.getArgument(0), old);
      mapping.map(region.getArgument(1), mapping.lookupOrDefault(operand));
      for (Operation &op : region.front().without_terminator())
        builder.clone(op, mapping);
      results.push_back(mapping.lookupOrDefault(region.front().getTerminator()->getOperand(0)));
    }
    return results;
  };
  const scf::LoopNest nest =
      scf::buildLoopNest(rewriter, parallel.getLoc(), parallel.getLowerBound(), parallel.getUpperBound(),
                         parallel.getStep(), parallel.getInitVals(), makeBody);
  rewriter.replaceOp(parallel, nest.results);
}

namespace {
struct SplitComplex : mica::impl::SplitComplexBase<SplitComplex> {
  using SplitComplexBase::SplitComplexBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const auto refuses = [](Operation *op) { return isTaken(op) ? WalkResult::advance() : WalkResult::interrupt(); };
    if (!usesComplex(module) || (entriesOnly && !isPassedByCallers(module)) || module.walk(refuses).wasInterrupted())
      return markAllAnalysesPreserved();
    SmallVector<scf::ParallelOp> reductions; // inner ones first
    module.walk([&](scf::ParallelOp parallel) {
      if (isAnyComplex(parallel.getResultTypes()))
        reductions.push_back(parallel);
    });
    llvm::for_each(reductions, makeSequential);
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      FunctionSplitter().run(function);
    for (auto global : llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
      if (isComplex(global.getType()))
        splitGlobal(global);
  }
};
} // namespace
