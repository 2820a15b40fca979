//===- PartitionProgram.cpp - annotated functions as programs of one rank ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Passes.td. The partitioner is upstream's; this pass checks what it assumes, and records what the parts belong to.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/ShardValues.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Shard/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Shard/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mica {
#define GEN_PASS_DEF_PARTITIONPROGRAM
#include "passes/Shard/Passes.h.inc"
} // namespace mica

using namespace mlir;
namespace sched = mica::sched;

bool mica::hasShardOps(Operation *program) {
  return program
      ->walk([](Operation *op) {
        return isa_and_present<shard::ShardDialect>(op->getDialect()) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The annotations of the value that `annotation` is about.
static shard::ShardingOp shardingOf(shard::ShardOp annotation) {
  return annotation.getSharding().getDefiningOp<shard::ShardingOp>();
}

/// Upstream takes `[[0], []]` for another sharding than `[[0]]`, and may then read past the end of the second.
static void dropUnsplitDims(func::FuncOp function) {
  function.walk([](shard::ShardingOp sharding) {
    ArrayRef<shard::GridAxesAttr> axes = sharding.getSplitAxes().getAxes();
    while (!axes.empty() && axes.back().asArrayRef().empty())
      axes = axes.drop_back();
    sharding.setSplitAxesAttr(shard::GridAxesArrayAttr::get(sharding.getContext(), axes));
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// What upstream assumes
//===------------------------------------------------------------------------------------------------------------===//

/// Checks one annotation, as upstream's shardShapedType() would divide.
static LogicalResult verifyAnnotation(shard::ShardOp annotation, shard::GridOp grid) {
  shard::ShardingOp sharding = shardingOf(annotation);
  if (!sharding.getStaticHaloSizes().empty() || !sharding.getDynamicHaloSizes().empty())
    return annotation.emitError() << "a sharding with halos has no code; exchange the rows at the edges by shard.shift";
  if (!sharding.getStaticShardedDimsOffsets().empty() || !sharding.getDynamicShardedDimsOffsets().empty())
    return annotation.emitError() << "a sharding with offsets has no code; all ranks have parts of one size";
  auto type = cast<RankedTensorType>(annotation.getSrc().getType());
  for (auto [dim, axes] : llvm::enumerate(sharding.getSplitAxes())) {
    const int64_t parts = shard::collectiveProcessGroupSize(axes.asArrayRef(), grid);
    if (axes.asArrayRef().empty() || parts == 1)
      continue;
    if (dim >= size_t(type.getRank()))
      return annotation.emitError() << "splits dimension " << dim << " of " << type;
    if (type.isDynamicDim(dim))
      return annotation.emitError() << "splits dimension " << dim << " of " << type << " among " << parts
                                    << " ranks, but its size is not known; give it a size";
    if (type.getDimSize(dim) % parts != 0)
      return annotation.emitError() << "splits dimension " << dim << " of " << type << " among " << parts
                                    << " ranks, which do not divide " << type.getDimSize(dim);
  }
  return success();
}

/// Checks that upstream knows how to split each op on tensors.
static LogicalResult verifyOps(func::FuncOp function) {
  WalkResult walked = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function || isa<func::ReturnOp>(op) || isa_and_present<shard::ShardDialect>(op->getDialect()))
      return WalkResult::advance();
    auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
    if (isa<shard::ShardingInterface>(op) ||
        (llvm::none_of(op->getOperandTypes(), isTensor) && llvm::none_of(op->getResultTypes(), isTensor)))
      return WalkResult::skip();
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      op->emitError() << "the sizes of " << dim.getSource().getType()
                      << " are not all known, and a function with shardings needs them; give them sizes";
      return WalkResult::interrupt();
    }
    op->emitError() << "'" << op->getName() << "' cannot be split among ranks, and it is in a function with shardings"
                    << "; write it as a linalg.generic, which can be split along its parallel loops";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

namespace {
/// Upstream partitions no constants but those of one number. So the others are arguments for as long as it works, which
/// each rank has whole; it takes its part of them.
class HiddenConstants {
public:
  HiddenConstants(func::FuncOp function, shard::GridOp grid) : function(function), first(function.getNumArguments()) {
    SmallVector<arith::ConstantOp> constants;
    function.walk([&](arith::ConstantOp constant) {
      auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (isa<RankedTensorType>(constant.getType()) && !(elements && elements.isSplat()))
        constants.push_back(constant);
    });
    for (arith::ConstantOp constant : constants) {
      OpBuilder b(constant);
      auto type = cast<RankedTensorType>(constant.getType());
      (void)function.insertArgument(function.getNumArguments(), type, {}, constant.getLoc());
      const SmallVector<shard::GridAxesAttr> whole(type.getRank(), shard::GridAxesAttr::get(b.getContext(), {}));
      Value sharding =
          shard::ShardingOp::create(b, constant.getLoc(), FlatSymbolRefAttr::get(grid.getSymNameAttr()), whole);
      Value argument = function.getArguments().back();
      constant.replaceAllUsesWith(shard::ShardOp::create(b, constant.getLoc(), argument, sharding).getResult());
      constant->remove();
      hidden.push_back(constant);
    }
  }
  ~HiddenConstants() { restore(); }

  void restore() {
    Block &body = function.getBody().front();
    for (arith::ConstantOp constant : hidden) {
      body.getOperations().insert(body.begin(), constant);
      BlockArgument argument = function.getArgument(first);
      if (argument.getType() == constant.getType())
        argument.replaceAllUsesWith(constant.getResult());
      if (argument.use_empty())
        (void)function.eraseArgument(first);
    }
    hidden.clear();
  }

private:
  func::FuncOp function;
  const unsigned first;
  SmallVector<arith::ConstantOp> hidden;
};
} // namespace

/// Runs passes of upstream on `function`; some fail without a message.
static LogicalResult runUpstream(func::FuncOp function, StringRef what, llvm::function_ref<LogicalResult()> run) {
  bool said = false;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(function.getContext(), [&](Diagnostic &diagnostic) {
      said |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return failure();
    });
    result = run();
  }
  if (failed(result) && !said)
    function.emitError() << "cannot be split among ranks: upstream's '" << what << "' fails and does not say why; "
                         << "annotate more tensors with shard.shard, or write the collectives by hand";
  return result;
}

/// Tensors that propagation did not reach are whole on each rank. Upstream's partitioning needs annotations of all.
static void annotateOthers(func::FuncOp function, shard::GridOp grid) {
  SmallVector<OpOperand *> operands;
  function.walk([&](Operation *op) {
    if (isa_and_present<shard::ShardDialect>(op->getDialect()))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) && !operand.get().getDefiningOp<shard::ShardOp>())
        operands.push_back(&operand);
  });
  for (OpOperand *operand : operands) {
    OpBuilder b(operand->getOwner());
    const Location loc = operand->get().getLoc();
    const shard::GridAxesAttr none = shard::GridAxesAttr::get(b.getContext(), {});
    Value whole = shard::ShardingOp::create(b, loc, FlatSymbolRefAttr::get(grid.getSymNameAttr()), none);
    Value defined = shard::ShardOp::create(b, loc, operand->get(), whole).getResult();
    auto used = shard::ShardOp::create(b, loc, defined, whole);
    used.setAnnotateForUsers(true);
    operand->set(used.getResult());
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// What arguments and results are parts of
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// The attributes mica_sched.sharding of a function, null where a value is no tensor.
struct Shardings {
  SmallVector<DictionaryAttr> arguments, results;
};
} // namespace

static DictionaryAttr describe(Type type, shard::ShardOp annotation, shard::GridOp grid) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return {};
  mica::SplitAxes axes;
  if (annotation)
    for (shard::GridAxesAttr split : shardingOf(annotation).getSplitAxes())
      axes.emplace_back(split.asArrayRef());
  return mica::describeParts(type.getContext(), grid.getShape(), axes, tensor.getShape());
}

/// Of a function that is annotated completely.
static Shardings describe(func::FuncOp function, shard::GridOp grid) {
  Shardings shardings;
  for (BlockArgument argument : function.getArguments()) {
    shard::ShardOp annotation;
    for (Operation *user : argument.getUsers())
      if (auto one = dyn_cast<shard::ShardOp>(user))
        annotation = one;
    shardings.arguments.push_back(describe(argument.getType(), annotation, grid));
  }
  for (Value result : function.getBody().back().getTerminator()->getOperands())
    shardings.results.push_back(describe(result.getType(), result.getDefiningOp<shard::ShardOp>(), grid));
  return shardings;
}

//===------------------------------------------------------------------------------------------------------------===//
// What upstream leaves behind
//===------------------------------------------------------------------------------------------------------------===//

/// Upstream begins a sum among ranks with the program's own value on one rank and with the neutral element on others.
/// If both are fills by one number, no branch is needed.
static void mergeFills(func::FuncOp function) {
  function.walk([&](scf::IfOp branch) {
    if (branch.getElseRegion().empty())
      return;
    for (auto [i, result] : llvm::enumerate(branch.getResults())) {
      auto first = branch.thenYield().getOperand(i).getDefiningOp<linalg::FillOp>();
      auto second = branch.elseYield().getOperand(i).getDefiningOp<linalg::FillOp>();
      Attribute one, other;
      if (!first || !second || !matchPattern(first.getInputs()[0], m_Constant(&one)) ||
          !matchPattern(second.getInputs()[0], m_Constant(&other)) || one != other ||
          branch->isAncestor(first.getOperation()) == branch->isAncestor(second.getOperation()))
        continue;
      result.replaceAllUsesWith((branch->isAncestor(first.getOperation()) ? second : first).getResult(0));
    }
  });
}

/// Collectives that give a tensor another sharding; those of a sum are no choice of the program.
static bool isResharding(Operation *op) { return isa<shard::AllGatherOp, shard::AllToAllOp>(op); }

/// Says what is exchanged only because two ops want different shardings of a tensor.
static void remarkOnResharding(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isResharding(op))
      return;
    auto whole = cast<RankedTensorType>(op->getResult(0).getType());
    auto part = cast<RankedTensorType>(op->getOperand(0).getType());
    const int64_t bits = whole.getElementType().isIntOrFloat() ? whole.getElementTypeBitWidth() : 64;
    // Of an all_gather, a rank has its own part already.
    int64_t elements = part.hasStaticShape() ? part.getNumElements() : 0;
    if (isa<shard::AllGatherOp>(op))
      elements = whole.hasStaticShape() ? whole.getNumElements() - elements : 0;
    remark::missed(op->getLoc(), remark::RemarkOpts::name("resharded").category("shard"))
        << remark::add("each rank receives {0} bytes of others, because the next op wants another sharding",
                       elements * bits / 8)
        << remark::metric("Collective", op->getName().stripDialect()) << remark::metric("Bytes", elements * bits / 8);
  });
}

namespace {
class PartitionProgram : public mica::impl::PartitionProgramBase<PartitionProgram> {
public:
  void runOnOperation() override {
    ModuleOp program = getOperation();
    if (!mica::hasShardOps(program))
      return markAllAnalysesPreserved();
    OpPassManager inlining("builtin.module");
    inlining.addPass(mica::createInlineCalls());
    inlining.addPass(createSymbolDCEPass());
    OpPassManager &functions = inlining.nest<func::FuncOp>();
    functions.addPass(mica::createConvertMicaToLinalg());
    functions.addPass(createConvertElementwiseToLinalgPass());
    if (failed(runPipeline(inlining, program)) || failed(findGrid()))
      return signalPassFailure();
    for (auto function : llvm::to_vector(program.getOps<func::FuncOp>()))
      if (failed(partition(function)))
        return signalPassFailure();
  }

private:
  /// Checks all annotations, and finds the one grid that they are about.
  LogicalResult findGrid() {
    grid = nullptr;
    SymbolTableCollection symbols;
    WalkResult walked = getOperation().walk([&](shard::ShardOp annotation) {
      shard::ShardingOp sharding = shardingOf(annotation);
      if (!sharding) {
        annotation.emitError() << "its sharding is not made by shard.sharding";
        return WalkResult::interrupt();
      }
      auto own = symbols.lookupNearestSymbolFrom<shard::GridOp>(annotation, sharding.getGridAttr());
      if (!own || llvm::any_of(own.getShape(), [](int64_t size) { return size < 1; })) {
        annotation.emitError() << "the sizes of grid '" << sharding.getGrid()
                               << "' have to be known when the program is compiled, and positive";
        return WalkResult::interrupt();
      }
      if (grid && grid != own) {
        annotation.emitError() << "uses the grid '" << own.getSymName() << "', and other tensors the grid '"
                               << grid.getSymName() << "'; a program has one grid";
        return WalkResult::interrupt();
      }
      grid = own;
      return failed(verifyAnnotation(annotation, own)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  LogicalResult partition(func::FuncOp function) {
    const bool isAnnotated = function.walk([](shard::ShardOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (!isAnnotated)
      return success();
    if (!function.getBody().hasOneBlock())
      return function.emitError() << "has branches between blocks; shardings are propagated through scf only";
    if (failed(verifyOps(function)))
      return failure();
    dropUnsplitDims(function);
    HiddenConstants constants(function, grid);
    OpPassManager propagation("func.func");
    // It goes backward, then forward; what it learns on the way forward reaches earlier ops the second time.
    propagation.addPass(shard::createShardingPropagation());
    propagation.addPass(shard::createShardingPropagation());
    if (failed(runUpstream(function, "sharding-propagation", [&] { return runPipeline(propagation, function); })))
      return failure();
    annotateOthers(function, grid);
    WalkResult walked = function.walk([&](shard::ShardOp annotation) {
      return failed(verifyAnnotation(annotation, grid)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    const Shardings shardings = describe(function, grid);
    OpPassManager partitioning("func.func"), cleanup("func.func");
    partitioning.addPass(shard::createPartition());
    // Upstream reshards a tensor once for each use.
    cleanup.addPass(createCanonicalizerPass());
    cleanup.addPass(createCSEPass());
    const bool reshardsItself =
        function.walk([](Operation *op) { return isResharding(op) ? WalkResult::interrupt() : WalkResult::advance(); })
            .wasInterrupted();
    if (failed(runUpstream(function, "shard-partition", [&] { return runPipeline(partitioning, function); })))
      return failure();
    mergeFills(function);
    constants.restore();
    if (failed(runPipeline(cleanup, function)))
      return failure();
    if (!reshardsItself)
      remarkOnResharding(function);
    for (auto [i, sharding] : llvm::enumerate(shardings.arguments))
      if (sharding && i < function.getNumArguments())
        function.setArgAttr(i, sched::kShardingAttr, sharding);
    for (auto [i, sharding] : llvm::enumerate(shardings.results))
      if (sharding)
        function.setResultAttr(i, sched::kShardingAttr, sharding);
    return success();
  }

  shard::GridOp grid;
};
} // namespace
