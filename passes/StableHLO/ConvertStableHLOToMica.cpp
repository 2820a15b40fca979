//===- ConvertStableHLOToMica.cpp - pass convert-stablehlo-to-mica ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Converts ops inside out, each function's in their order; the body of a reduction is converted with its op. What is
// refused is reported, all of it at once. The conversions are in the files beside this one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/CHLODialect.h"
#include "passes/StableHLO/Common.h"
#include "passes/StableHLO/Passes.h"
#include "passes/StableHLO/Refusals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOMICA
#include "passes/StableHLO/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

/// Ops whose result has no elements are all alike.
static bool isEmpty(Operation *op) {
  auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
  return type && type.hasStaticShape() && type.getNumElements() == 0;
}

static Converted convertOp(Operation *op, OpBuilder &builder) {
  if (isa<hlo::IfOp, hlo::CaseOp, hlo::WhileOp>(op))
    return convertControlFlow(op, builder);
  if (isa<hlo::CustomCallOp>(op) || isa<hlocheck::CheckDialect>(op->getDialect()))
    return convertCheck(op, builder);
  if (isEmpty(op)) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    return Values{tensor::EmptyOp::create(builder, op->getLoc(), type, ValueRange()).getResult()};
  }
  if (isa<chlo::RaggedDotOp>(op))
    return refuse(op, "all sizes are static, one dimension of lhs is ragged, and the group sizes are a list");
  if (isa<chlo::CHLODialect>(op->getDialect()) && op->getNumResults() == 1)
    return convertByScalars(op, builder);
  if (auto dot = dyn_cast<hlo::DotGeneralOp>(op))
    return convertDot(dot, builder);
  if (auto reduce = dyn_cast<hlo::ReduceOp>(op))
    return convertReduce(reduce, builder);
  if (isa<hlo::ConstantOp, hlo::IotaOp, hlo::BroadcastInDimOp, hlo::ReshapeOp, hlo::TransposeOp, hlo::ReverseOp,
          hlo::SliceOp, hlo::ConcatenateOp, hlo::PadOp, hlo::DynamicSliceOp, hlo::DynamicUpdateSliceOp>(op))
    return convertShape(op, builder);
  return llvm::TypeSwitch<Operation *, Converted>(op)
      .Case([&](hlo::DotOp dot) { return convertPlainDot(dot, builder); })
      .Case([&](hlo::GatherOp gather) { return convertGather(gather, builder); })
      .Case([&](hlo::ScatterOp scatter) { return convertScatter(scatter, builder); })
      .Case([&](hlo::SortOp sort) { return convertSort(sort, builder); })
      .Case([&](hlo::MapOp map) { return convertMap(map, builder); })
      .Case<hlo::ConvolutionOp, hlo::DynamicConvOp>(
          [&](auto convolution) { return convertConvolution(convolution, builder); })
      .Case([&](hlo::ReduceWindowOp reduce) { return convertReduceWindow(reduce, builder); })
      .Case([&](hlo::SelectAndScatterOp select) { return convertSelectAndScatter(select, builder); })
      .Case<hlo::CholeskyOp, hlo::TriangularSolveOp>([&](Operation *) { return convertLinearAlgebra(op, builder); })
      .Case<hlo::BitcastConvertOp, hlo::ReducePrecisionOp, hlo::OptimizationBarrierOp, hlo::RealOp, hlo::ImagOp>(
          [&](Operation *) { return convertRepresentation(op, builder); })
      .Case<hlo::GetDimensionSizeOp, hlo::DynamicIotaOp, hlo::DynamicBroadcastInDimOp, hlo::DynamicReshapeOp,
            hlo::DynamicPadOp, hlo::RealDynamicSliceOp, hlo::DynamicGatherOp>(
          [&](Operation *) { return convertDynamic(op, builder); })
      .Case<hlo::PartitionIdOp, hlo::ReplicaIdOp, hlo::AllGatherOp, hlo::AllReduceOp, hlo::ReduceScatterOp,
            hlo::AllToAllOp, hlo::CollectiveBroadcastOp, hlo::CollectivePermuteOp>([&](Operation *) -> Converted {
        return refuse(op, "its groups or pairs are not along axes of one grid of ranks, or it reduces by another "
                          "computation than a sum, product, bitwise op, or signed minimum or maximum");
      })
      .Case<hlo::EinsumOp, hlo::UnaryEinsumOp>([&](Operation *) -> Converted {
        return refuse(
            op, "its labels are letters, '...' and '->', each once for an operand, and sizes of one label are equal");
      })
      .Case([&](hlo::TorchIndexSelectOp) -> Converted {
        return refuse(op, "'dim' and 'batch_dims' are not those of its operands");
      })
      .Case([&](hlo::SetDimensionSizeOp) -> Converted {
        return refuse(op, "the dimension has a dynamic size in the type of the result");
      })
      .Case([&](hlo::CrossReplicaSumOp) -> Converted {
        return refuse(op, "a program runs as one process, without others");
      })
      .Case([&](hlo::RngOp) -> Converted {
        return refuse(op, "the specification defines no generator for it; rng_bit_generator is supported");
      })
      .Case([&](hlo::RngBitGeneratorOp) -> Converted {
        return refuse(op, "the state is two 64-bit integers, or three for PHILOX and DEFAULT; the result has a static "
                          "shape of integers or floats");
      })
      .Default([&](Operation *) -> Converted {
        return op->getNumResults() == 1 ? convertElementwise(op, builder)
                                        : Converted(refuse(op, "no conversion exists; docs/StableHLO.md lists them"));
      });
}

namespace {

struct ConvertStableHLOToMica : mica::impl::ConvertStableHLOToMicaBase<ConvertStableHLOToMica> {
  using ConvertStableHLOToMicaBase::ConvertStableHLOToMicaBase;

  void runOnOperation() override {
    if (failed(forEachFunction(getOperation(), [&](Operation *op) {
          isFailed = false;
          convert(op);
          // Ops of mica verify that they have code for the element types.
          return success(!isFailed && succeeded(verify(op)));
        })))
      signalPassFailure();
  }

private:
  void convert(Operation *parent) {
    for (Region &region : parent->getRegions())
      for (Block &block : region)
        for (Operation &op : llvm::make_early_inc_range(block)) {
          // These convert their computations themselves, to scalars.
          if (!isa<hlo::ReduceOp, hlo::ReduceWindowOp, hlo::ScatterOp, hlo::SelectAndScatterOp, hlo::SortOp,
                   hlo::MapOp>(op))
            convert(&op);
          if (isa_and_present<hlo::StableHLODialect, hlocheck::CheckDialect, chlo::CHLODialect>(op.getDialect()) &&
              !isa<hlo::ReturnOp>(op))
            replace(&op);
        }
  }

  void replace(Operation *op) {
    OpBuilder builder(op);
    Converted results = convertOp(op, builder);
    if (failed(results)) {
      isFailed = true;
      return;
    }
    // A conversion may know more of the sizes than the type states, or less.
    for (auto [from, to] : llvm::zip_equal(op->getResults(), *results)) {
      if (from.getType() != to.getType())
        to = tensor::CastOp::create(builder, op->getLoc(), from.getType(), to);
      from.replaceAllUsesWith(to);
    }
    op->erase();
  }

  bool isFailed = false;
};

} // namespace
