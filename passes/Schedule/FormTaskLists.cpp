//===- FormTaskLists.cpp - forming task lists from host functions -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
//     %0 = mica_sched.dispatch @exp(%x) ...
//     %1 = mica_sched.dispatch @neg(%0) ...
//     return %1
//   }
//   =>
//   mica_sched.task_list @forward_0(%x: memref<4xf32>, %r: memref<4xf32>) arena 64 {
//     %t = mica_sched.arena 0 : memref<4xf32>
//     %0 = mica_sched.task @exp(%x, %t) ...
//     %1 = mica_sched.task @neg(%t, %r) after(%0) ...
//   }
//   func.func @forward(%x: memref<4xf32>) -> memref<4xf32> {
//     %r = mica_sched.result 0 : memref<4xf32>
//     mica_sched.submit @forward_0(%x, %r)
//     return %r
//   }
//
// Every tensor of the host function is assigned memory: that of an argument, a constant, a result of the function, or,
// if it is passed between lists or through control flow, memory that the host allocates. Memory that is used in one
// list only is placed in its arena.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/SymbolUses.h"
#include "dialects/MicaSched/IR/HostOp.h"
#include "passes/Schedule/ConstantParts.h"
#include "passes/Schedule/HostTensors.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/TaskListBuilder.h"
#include "passes/Schedule/UpdatedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mica {
#define GEN_PASS_DEF_FORMTASKLISTS
#include "passes/Schedule/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
/// Converts one host function.
class HostFunction {
public:
  HostFunction(func::FuncOp function, SymbolTableCollection &symbols) : function(function), symbols(symbols) {}

  LogicalResult convert();

private:
  void restoreBranches();
  LogicalResult checkViews();
  LogicalResult checkUpdates();
  LogicalResult assignResults();
  void findEscapes();
  bool isOnlyRead(Value tensor);
  void findParts();
  bool isHostUse(OpOperand &use, int64_t segment);
  LogicalResult buildLists();
  void makeMemories();
  void convertTypes();
  LogicalResult convertOp(Operation *op);
  void convertReturn(func::ReturnOp op);
  void convertCode(sched::BufferRegionOp op);
  void makeViews();
  void submitLists();
  bool isHostOpCall(func::CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    return callee && callee->hasAttr(sched::kHostOpAttr);
  }

  func::FuncOp function;
  SymbolTableCollection &symbols; ///< finds kernels, which do not change here
  HostSizes sizes;
  SmallVector<Segment> segments;
  llvm::DenseMap<Operation *, int64_t> segmentOf;
  llvm::DenseMap<Value, int64_t> resultOf;    ///< root of a returned tensor -> position of the result
  llvm::DenseSet<Value> escaping;             ///< results of dispatches with memory of the host function
  llvm::DenseMap<Value, ConstantParts> parts; ///< results of dispatches that slice a constant and are only read
  SmallVector<BuiltTaskList> lists;           ///< one per segment
  llvm::DenseMap<Value, Value> memoryOf;      ///< root -> memref of the host function
  SmallVector<Value> returned;                ///< memref of each tensor result
};
} // namespace

/// Replaces selects of tensors by branches, which order task lists around them: canonicalization creates a select for
/// an scf.if without computation.
void HostFunction::restoreBranches() {
  SmallVector<arith::SelectOp> choices;
  function.walk([&](arith::SelectOp op) {
    if (isa<RankedTensorType>(op.getType()) && op.getCondition().getType().isInteger(1))
      choices.push_back(op);
  });
  for (arith::SelectOp op : choices) {
    OpBuilder builder(op);
    auto give = [](Value value) {
      return [value](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, value); };
    };
    auto branch =
        scf::IfOp::create(builder, op.getLoc(), op.getCondition(), give(op.getTrueValue()), give(op.getFalseValue()));
    op.replaceAllUsesWith(branch.getResult(0));
    op.erase();
  }
}

/// A view becomes a view of a buffer, whose type needs a rank.
LogicalResult HostFunction::checkViews() {
  WalkResult result = function.walk([&](Operation *op) {
    if (!isHostView(op))
      return WalkResult::advance();
    for (Type type : {op->getOperand(0).getType(), op->getResult(0).getType()})
      if (isa<UnrankedTensorType>(type)) {
        op->emitOpError()
            << "has the type " << type
            << ", whose rank is not known; expected a ranked tensor in a host function that calls kernels";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A dispatch must be the only user of a tensor that it updates.
LogicalResult HostFunction::checkUpdates() {
  WalkResult result = function.walk([&](sched::DispatchOp dispatch) {
    for (OpResult result : dispatch->getResults())
      if (OpOperand *input = dispatch.getUpdatedInput(result.getResultNumber()); input && findSharedOperand(*input)) {
        dispatch.emitOpError() << "calls kernel '" << dispatch.getKernel() << "', which changes input "
                               << input->getOperandNumber()
                               << " in place, but that tensor's memory is not the dispatch's alone; "
                                  "mica-dispatch-insert-inplace-copies makes a copy";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A returned tensor must be written by one dispatch in the function's entry block, and be returned once: then the
/// dispatch writes to the result's memory.
LogicalResult HostFunction::assignResults() {
  auto terminator = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  returned.resize(terminator.getNumOperands());
  for (auto [index, operand] : llvm::enumerate(terminator.getOperands())) {
    if (!isa<TensorType>(operand.getType()))
      continue;
    Value root = viewRoot(operand);
    auto dispatch = root.getDefiningOp<sched::DispatchOp>();
    bool direct = dispatch && dispatch->getBlock() == terminator->getBlock() &&
                  (root.getType() == operand.getType() || cast<ShapedType>(operand.getType()).hasStaticShape());
    if (!direct || !resultOf.try_emplace(root, index).second)
      return terminator.emitOpError() << "returns as result " << index
                                      << " a tensor that no dispatch of its own can write there; "
                                         "mica-dispatch-copy-results makes one";
  }
  return success();
}

/// Whether `use` of a tensor requires memory of the host function: any use except by a dispatch of `segment`.
bool HostFunction::isHostUse(OpOperand &use, int64_t segment) {
  Operation *user = use.getOwner();
  if (isa<tensor::DimOp>(user))
    return false;
  if (isHostView(user))
    return llvm::any_of(user->getResult(0).getUses(), [&](OpOperand &next) { return isHostUse(next, segment); });
  auto found = segmentOf.find(user);
  return found == segmentOf.end() || found->second != segment;
}

void HostFunction::findEscapes() {
  for (auto [index, segment] : llvm::enumerate(segments))
    for (sched::DispatchOp dispatch : segment.dispatches)
      segmentOf[dispatch] = index;
  for (auto [index, segment] : llvm::enumerate(segments))
    for (sched::DispatchOp dispatch : segment.dispatches)
      for (OpResult result : dispatch->getResults())
        if (llvm::any_of(result.getUses(), [&](OpOperand &use) { return isHostUse(use, index); }))
          escaping.insert(viewRoot(result));
}

/// Whether dispatches read `tensor`, also as a view, and nothing updates it.
bool HostFunction::isOnlyRead(Value tensor) {
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    if (isHostView(use.getOwner()))
      return isOnlyRead(use.getOwner()->getResult(0));
    auto dispatch = dyn_cast<sched::DispatchOp>(use.getOwner());
    return dispatch && llvm::none_of(dispatch->getResults(), [&](OpResult result) {
             return dispatch.getUpdatedInput(result.getResultNumber()) == &use;
           });
  });
}

/// Slices of constants are constants: no task makes them.
void HostFunction::findParts() {
  for (Segment &segment : segments) {
    llvm::erase_if(segment.dispatches, [&](sched::DispatchOp dispatch) {
      std::optional<ConstantParts> sliced = slicedConstant(dispatch, symbols);
      if (!sliced || escaping.contains(dispatch->getResult(0)) || !isOnlyRead(dispatch->getResult(0)))
        return false;
      parts[dispatch->getResult(0)] = std::move(*sliced);
      return true;
    });
  }
}

LogicalResult HostFunction::buildLists() {
  OpBuilder builder(function);
  for (auto [index, segment] : llvm::enumerate(segments)) {
    std::string name = (function.getSymName() + "_" + Twine(index)).str();
    FailureOr<BuiltTaskList> built = buildTaskList(builder, name, segment, sizes, symbols, parts, [&](Value root) {
      return !root.getDefiningOp<sched::DispatchOp>() || escaping.contains(root);
    });
    if (failed(built))
      return failure();
    lists.push_back(std::move(*built));
  }
  return success();
}

/// Creates the memory of each escaping result, at its dispatch.
void HostFunction::makeMemories() {
  for (Segment &segment : segments)
    for (sched::DispatchOp dispatch : segment.dispatches) {
      OpBuilder builder(dispatch);
      for (OpResult result : dispatch->getResults()) {
        if (!escaping.contains(result))
          continue;
        Location loc = dispatch.getLoc();
        MemRefType type = bufferTypeOf(result);
        SmallVector<Value> dynamic = sizes.dynamicSizes(result);
        auto position = resultOf.find(result);
        if (position == resultOf.end()) {
          memoryOf[result] = sched::AllocOp::create(builder, loc, type, dynamic);
          continue;
        }
        Type resultType = function.getFunctionType().getResult(position->second);
        auto shaped = cast<ShapedType>(resultType);
        auto memoryType = MemRefType::get(shaped.getShape(), shaped.getElementType());
        // The sizes of a returned view are static (assignResults), those of its root are the dispatch's.
        Value memory = sched::ResultOp::create(builder, loc, memoryType, position->second,
                                               memoryType == type ? ValueRange(dynamic) : ValueRange());
        returned[position->second] = memory;
        if (memoryType != type)
          memory = sched::ViewOp::create(builder, loc, type, memory, 0, dynamic);
        memoryOf[result] = memory;
      }
    }
}

/// `type` with buffers in place of tensors.
static FunctionType bufferized(FunctionType type) {
  auto convert = [](Type type) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? MemRefType::get(tensor.getShape(), tensor.getElementType()) : type;
  };
  return FunctionType::get(type.getContext(), llvm::map_to_vector(type.getInputs(), convert),
                           llvm::map_to_vector(type.getResults(), convert));
}

/// Changes the types of arguments, block arguments and results of control flow to buffers.
void HostFunction::convertTypes() {
  auto convert = [](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      value.setType(bufferTypeOf(value));
  };
  function.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), convert);
    if (op->getNumRegions() > 0)
      llvm::for_each(op->getResults(), convert);
  });
  function.setFunctionType(bufferized(function.getFunctionType()));
}

void HostFunction::convertReturn(func::ReturnOp op) {
  for (auto [index, memory] : llvm::enumerate(returned))
    if (memory)
      op->setOperand(index, memory);
}

/// Whether `dispatch` updates its operand `input`.
static bool updates(sched::DispatchOp dispatch, OpOperand &input) {
  return llvm::any_of(dispatch->getResults(),
                      [&](OpResult result) { return dispatch.getUpdatedInput(result.getResultNumber()) == &input; });
}

/// Converts views that the host function uses to views of buffers; views between tasks are part of the lists. All sizes
/// are computed first, while the values are tensors.
void HostFunction::makeViews() {
  SmallVector<std::pair<Operation *, SmallVector<Value>>> needed;
  function.walk([&](Operation *op) {
    if (!isHostView(op))
      return;
    Value root = viewRoot(op->getResult(0));
    bool inMemory = !root.getDefiningOp<sched::DispatchOp>() || escaping.contains(root);
    bool used = llvm::any_of(op->getResult(0).getUses(), [](OpOperand &use) {
      auto dispatch = dyn_cast<sched::DispatchOp>(use.getOwner());
      // A result of an in-place update is an alias of this view.
      return dispatch ? updates(dispatch, use) : !isa<tensor::DimOp, func::ReturnOp>(use.getOwner());
    });
    if (inMemory && used)
      needed.push_back({op, sizes.dynamicSizes(op->getResult(0))});
  });
  for (auto &[op, dynamic] : needed) {
    Value view = op->getResult(0);
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    // Sizes may be computed right after the view; the users of the view follow.
    for (Value size : dynamic)
      if (Operation *def = size.getDefiningOp();
          def && def->getBlock() == op->getBlock() && !def->isBeforeInBlock(&*builder.getInsertionPoint()))
        builder.setInsertionPointAfter(def);
    auto buffer = sched::ViewOp::create(builder, op->getLoc(), bufferTypeOf(view), op->getOperand(0), 0, dynamic);
    view.replaceUsesWithIf(buffer, [](OpOperand &use) { return !isa<tensor::DimOp, func::ReturnOp>(use.getOwner()); });
  }
}

/// Inlines a buffer region that runs in the host function. Buffers that it updates are copied first, unless they are
/// created there.
void HostFunction::convertCode(sched::BufferRegionOp op) {
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  sched::WaitOp::create(rewriter, loc);
  SmallVector<Value> buffers(op.getReads());
  for (auto [init, result] : llvm::zip_equal(op.getUpdates(), op.getResults())) {
    Value memory = init;
    if (!init.getDefiningOp<sched::AllocOp>() || !init.hasOneUse()) {
      auto type = cast<MemRefType>(init.getType());
      SmallVector<Value> dynamic;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          dynamic.push_back(memref::DimOp::create(rewriter, loc, init, dim));
      memory = sched::AllocOp::create(rewriter, loc, type, dynamic);
      memref::CopyOp::create(rewriter, loc, init, memory);
    }
    buffers.push_back(memory);
    result.replaceAllUsesWith(memory);
  }
  for (auto [buffer, argument] : llvm::zip_equal(buffers, op.getBody().front().getArguments()))
    if (buffer.getType() != argument.getType())
      buffer = memref::CastOp::create(rewriter, loc, argument.getType(), buffer);
  rewriter.inlineBlockBefore(&op.getBody().front(), op, buffers);
}

/// Converts one op of the function from tensors to their memory. Operands are converted before.
LogicalResult HostFunction::convertOp(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (isa<sched::DispatchOp>(op)) {
    for (OpResult result : op->getResults()) {
      OpOperand *updated = cast<sched::DispatchOp>(op).getUpdatedInput(result.getResultNumber());
      Value memory = updated ? updated->get() : memoryOf.lookup(result);
      // A tensor that is only used in a list has no memory here.
      if (memory && isa<MemRefType>(memory.getType()))
        result.replaceAllUsesWith(memory);
    }
    return success();
  }
  if (auto ret = dyn_cast<func::ReturnOp>(op)) {
    convertReturn(ret);
    return success();
  }
  if (auto code = dyn_cast<sched::BufferRegionOp>(op)) {
    convertCode(code);
    return success();
  }
  if (isHostView(op))
    return success();
  ElementsAttr constant;
  if (op->getNumResults() == 1 && matchPattern(op->getResult(0), m_Constant(&constant))) {
    Value result = op->getResult(0);
    bool needed = llvm::any_of(result.getUsers(), [](Operation *user) { return !isa<sched::DispatchOp>(user); });
    if (needed)
      result.replaceAllUsesWith(sched::ConstantOp::create(builder, loc, bufferTypeOf(result), constant));
    return success();
  }
  if (auto call = dyn_cast<func::CallOp>(op); call && isHostOpCall(call)) {
    SmallVector<Type> types = llvm::map_to_vector(call.getResults(), [](Value result) -> Type {
      return isa<RankedTensorType>(result.getType()) ? bufferTypeOf(result) : result.getType();
    });
    auto made = func::CallOp::create(builder, loc, call.getCallee(), types, call.getOperands());
    for (auto [result, value] : llvm::zip_equal(call.getResults(), made.getResults())) {
      result.replaceAllUsesWith(value);
      sizes.replace(result, value);
    }
    return success();
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value source = dim->getOperand(0); // a buffer by now, which dim.getSource() does not accept
    Value size;
    if (isa<MemRefType>(source.getType()))
      size = memref::DimOp::create(builder, loc, source, dim.getIndex());
    else if (std::optional<int64_t> index = dim.getConstantIndex();
             index && *index >= 0 && *index < cast<RankedTensorType>(source.getType()).getRank())
      size = sizes.size(source, *index);
    else
      return op->emitOpError("asks for a size of a tensor that is in no memory of the host function");
    dim.replaceAllUsesWith(size);
    sizes.replace(dim, size);
    return success();
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    if (!empty->use_empty())
      empty.replaceAllUsesWith(
          sched::AllocOp::create(builder, loc, bufferTypeOf(empty), empty.getDynamicSizes()).getBuffer());
    return success();
  }
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op)) {
    MemRefType type = bufferTypeOf(elements);
    Value memory = sched::AllocOp::create(builder, loc, type, ValueRange());
    SmallVector<int64_t> position(type.getRank(), 0);
    for (Value element : elements.getElements()) {
      SmallVector<Value> indices = llvm::map_to_vector(
          position, [&](int64_t i) { return arith::ConstantIndexOp::create(builder, loc, i).getResult(); });
      memref::StoreOp::create(builder, loc, element, memory, indices);
      for (int64_t dim = type.getRank() - 1; dim >= 0 && ++position[dim] == type.getDimSize(dim); --dim)
        position[dim] = 0;
    }
    elements.replaceAllUsesWith(memory);
    return success();
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    Value source = extract->getOperand(0); // a buffer by now, see above
    if (!isa<BlockArgument>(source) || !isa<func::FuncOp>(source.getParentBlock()->getParentOp()))
      sched::WaitOp::create(builder, loc);
    Value element = memref::LoadOp::create(builder, loc, source, extract.getIndices());
    extract.replaceAllUsesWith(element);
    // It may be a size of a reshaped tensor.
    sizes.replace(extract, element);
    return success();
  }
  return op->emitOpError("works on tensors and is in no kernel: the host function cannot do this");
}

/// Submits the list of each segment, with its buffers and scalars, at its end. Tensor operands are replaced by their
/// memory when the function is converted.
void HostFunction::submitLists() {
  for (auto [segment, built] : llvm::zip_equal(segments, lists)) {
    OpBuilder builder(segment.end);
    sched::SubmitOp::create(builder, built.list.getLoc(), built.list.getSymName(), built.buffers, built.scalars);
  }
}

LogicalResult HostFunction::convert() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError(
        "has several blocks; host functions have structured control flow (lift-cf-to-scf makes it)");
  if (failed(checkViews()) || failed(checkUpdates()))
    return failure();
  restoreBranches();
  segments = findSegments(function);
  if (failed(assignResults()))
    return failure();
  findEscapes();
  findParts();
  if (failed(buildLists()))
    return failure();
  // From here on new ops have tensor operands that are buffers later.
  submitLists();
  makeMemories();
  makeViews();
  SmallVector<Operation *> work, effects;
  auto namesTensor = [](Operation *op) {
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    // The operand of these may be a view already.
    return isa<tensor::ExtractOp, tensor::DimOp>(op) || llvm::any_of(op->getOperandTypes(), isTensor) ||
           llvm::any_of(op->getResultTypes(), isTensor);
  };
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isHostEffect(op) && !op->getParentOfType<sched::BufferRegionOp>())
      effects.push_back(op);
    bool controlFlow = (op->getNumRegions() > 0 && !isa<sched::BufferRegionOp>(op)) ||
                       (op->hasTrait<OpTrait::IsTerminator>() && !isa<func::ReturnOp>(op));
    if (isa<sched::BufferRegionOp>(op) || (!controlFlow && !isa<sched::SubmitOp, sched::ViewOp>(op) && namesTensor(op)))
      work.push_back(op);
  });
  for (Operation *op : effects) {
    OpBuilder builder(op);
    sched::WaitOp::create(builder, op->getLoc());
  }
  convertTypes();
  for (Operation *op : work)
    if (failed(convertOp(op)))
      return failure();
  for (Operation *op : llvm::reverse(work))
    if (!isa<func::ReturnOp>(op))
      op->erase();
  return success();
}

namespace {
class FormTaskLists : public mica::impl::FormTaskListsBase<FormTaskLists> {
public:
  void runOnOperation() override {
    SymbolTableCollection symbols;
    const SymbolUses uses(getOperation());
    for (func::FuncOp function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal() && !uses.isUsed(function)) {
        function.erase();
        continue;
      }
      if (function.isExternal() && sched::isRuntimeHelper(function.getName()))
        continue;
      if (function.isExternal() && function->hasAttr(sched::kHostOpAttr)) {
        function.setFunctionType(bufferized(function.getFunctionType()));
        continue;
      }
      if (function.isExternal()) {
        function.emitOpError("has no body: a program is compiled as a whole");
        return signalPassFailure();
      }
      if (failed(HostFunction(function, symbols).convert()))
        return signalPassFailure();
      if (function.isPublic())
        function->setAttr(sched::kEntryAttr, UnitAttr::get(&getContext()));
    }
    eraseSlices();
  }

private:
  /// Slices of constants need no kernels any more.
  void eraseSlices() {
    SmallVector<ModuleOp> slices;
    for (ModuleOp kernel : getOperation().getOps<ModuleOp>())
      if (sched::isKernelModule(kernel) && kernel
                                               .walk([](sched::CollectiveOp op) {
                                                 return op.getKind() == sched::CollectiveKind::AllSlice
                                                            ? WalkResult::interrupt()
                                                            : WalkResult::advance();
                                               })
                                               .wasInterrupted())
        slices.push_back(kernel);
    if (slices.empty())
      return;
    const SymbolUses uses(getOperation());
    for (ModuleOp kernel : slices)
      if (!uses.isUsed(kernel))
        kernel.erase();
  }
};
} // namespace
