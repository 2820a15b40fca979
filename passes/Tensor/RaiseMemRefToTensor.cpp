//===- RaiseMemRefToTensor.cpp - raising programs on buffers to tensors -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)     %1 = linalg.exp ins(%x) outs(%0) -> tensor<4xf32>
//   affine.for %i = 0 to 4 {                                        %2 = mica_sched.buffer_region reads(%1) ... {
//     %v = memref.load %a[%i] ...                              =>     affine.for %i = 0 to 4 { ... }
//     memref.store %v, %y[%i] ...                                   } -> tensor<4xf32>
//   }
//
// A function is visited from top to bottom with a table of the current tensor of each buffer. Structured ops become ops
// on tensors, other code on buffers is grouped into mica_sched.buffer_region. Ops that print or call external functions
// stay in the host function, in order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/BufferLayouts.h"
#include "dialects/Mica/IR/CallPaths.h"
#include "dialects/Mica/IR/OpIds.h"
#include "dialects/Mica/IR/SymbolUses.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/ReshapeChecks.h"
#include "passes/Tensor/BlockViewFolds.h"
#include "passes/Tensor/BufferCode.h"
#include "passes/Tensor/BufferGroup.h"
#include "passes/Tensor/BufferValues.h"
#include "passes/Tensor/ExpandAffine.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-tensor-raise-memref-to-tensor"

namespace mica {
#define GEN_PASS_DEF_RAISEMEMREFTOTENSOR
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

//===------------------------------------------------------------------------------------------------------------===//
// Calls
//===------------------------------------------------------------------------------------------------------------===//

static bool isBuffer(Type type) { return isa<BaseMemRefType>(type); }

/// The callee of a call, if it has a body.
static func::FuncOp calleeWithBody(func::CallOp call, SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && !callee.isExternal() && callee.getBody().hasOneBlock() ? callee : func::FuncOp();
}

/// Inlines the callee's body. Calls in the body become calls of the caller.
static void inlineCall(func::CallOp call, func::FuncOp callee) {
  mica::expandAffineForCall(call, callee);
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping)->walk([&](Operation *inner) {
      inner->setLoc(mica::withCaller(inner->getLoc(), call.getLoc()));
    });
  for (auto [result, value] : llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

/// Inlines all calls except those of helpers, recursively: the call graph has no cycle.
static void inlineCalls(func::FuncOp function, SymbolTableCollection &symbols) {
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls)
      if (func::FuncOp callee = calleeWithBody(call, symbols)) {
        inlineCall(call, callee);
        changed = true;
      }
  }
}

/// Converts a helper that is declared on tensors to one on buffers, as it is after bufferization:
///   %u = tensor.cast %t : tensor<4xf32> to tensor<*xf32>     %m = bufferization.to_buffer %t : .. to memref<4xf32>
///   call @printMemrefF32(%u)                             =>  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
static void takeBuffers(func::FuncOp helper) {
  auto bufferOf = [](Type type) -> Type {
    if (auto unranked = dyn_cast<UnrankedTensorType>(type))
      return UnrankedMemRefType::get(unranked.getElementType(), /*memorySpace=*/nullptr);
    if (auto ranked = dyn_cast<RankedTensorType>(type))
      return MemRefType::get(ranked.getShape(), ranked.getElementType());
    return type;
  };
  SmallVector<Type> inputs = llvm::map_to_vector(helper.getArgumentTypes(), bufferOf);
  if (llvm::equal(inputs, helper.getArgumentTypes()))
    return;
  helper.setFunctionType(FunctionType::get(helper.getContext(), inputs, helper.getResultTypes()));
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(helper, helper->getParentOp());
  for (SymbolTable::SymbolUse use : *uses) {
    Operation *call = use.getUser();
    OpBuilder builder(call);
    for (OpOperand &operand : call->getOpOperands()) {
      Value tensor = operand.get();
      if (!isa<TensorType>(tensor.getType()))
        continue;
      Type wanted = bufferOf(tensor.getType());
      auto cast = tensor.getDefiningOp<tensor::CastOp>();
      if (cast)
        tensor = cast.getSource();
      Value buffer = bufferization::ToBufferOp::create(builder, call->getLoc(), bufferOf(tensor.getType()), tensor,
                                                       /*read_only=*/true);
      operand.set(buffer.getType() == wanted
                      ? buffer
                      : memref::CastOp::create(builder, call->getLoc(), wanted, buffer).getResult());
      if (cast && cast->use_empty())
        cast->erase();
    }
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// One function
//===------------------------------------------------------------------------------------------------------------===//

namespace {
class FunctionLifter {
public:
  FunctionLifter(func::FuncOp function, SymbolTableCollection &symbols)
      : function(function), symbols(symbols), group(values) {}

  LogicalResult lift();

private:
  LogicalResult liftBlock(Block &block);
  LogicalResult liftOp(Operation *op);
  bool defines(Operation *op);
  bool isLoneLoad(Operation *op) const;
  bool canRebuild(Operation *op) const;
  void rebuild(Operation *op);
  LogicalResult liftLoop(scf::ForOp loop);
  LogicalResult liftIf(scf::IfOp op);
  LogicalResult hostCode(Operation *op);
  LogicalResult liftReturn(func::ReturnOp op);
  llvm::SetVector<Value> writtenIn(Operation *op) const;
  void retype();

  func::FuncOp function;
  SymbolTableCollection &symbols;
  BufferValues values;
  BufferGroup group;
  llvm::DenseMap<Attribute, Value> globals; ///< symbol -> its root, the first op that refers to it
  llvm::DenseSet<Value> stored;             ///< roots that were written to
  SmallVector<Operation *> finished;        ///< to be erased, users after their operands
};
} // namespace

/// Handles an op that creates a buffer, and sets its initial value.
bool FunctionLifter::defines(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto empty = [&](MemRefType type, ValueRange sizes) -> Value {
    return tensor::EmptyOp::create(builder, loc, tensorTypeOf(type), sizes);
  };
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    values[alloc] = empty(alloc.getType(), alloc.getDynamicSizes());
  } else if (auto alloc = dyn_cast<memref::AllocaOp>(op)) {
    values[alloc] = empty(alloc.getType(), alloc.getDynamicSizes());
  } else if (auto buffer = dyn_cast<bufferization::ToBufferOp>(op)) {
    if (!isa<MemRefType>(buffer.getType()))
      return false;
    values[buffer.getResult()] = buffer.getTensor();
  } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    Value &first = globals[global.getNameAttr()];
    if (first) {
      global.getResult().replaceAllUsesWith(first);
    } else {
      first = global;
      auto definition = symbols.lookupNearestSymbolFrom<memref::GlobalOp>(global, global.getNameAttr());
      auto initial = dyn_cast_or_null<ElementsAttr>(definition.getInitialValueAttr());
      values[global] = initial ? arith::ConstantOp::create(builder, loc, cast<TypedAttr>(initial)).getResult()
                               : empty(cast<MemRefType>(global.getType()), ValueRange());
    }
  } else {
    return false;
  }
  finished.push_back(op);
  return true;
}

/// Whether all buffers of a structured op are roots or supported views.
bool FunctionLifter::canRebuild(Operation *op) const {
  auto structured = dyn_cast<DestinationStyleOpInterface>(op);
  return structured && isa_and_present<linalg::LinalgDialect>(op->getDialect()) &&
         structured.hasPureBufferSemantics() && llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isBuffer(operand.getType()) || values.canFollow(operand);
         });
}

void FunctionLifter::rebuild(Operation *op) {
  OpBuilder builder(op);
  auto structured = cast<DestinationStyleOpInterface>(op);
  SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return isBuffer(operand.getType()) ? values.read(builder, op->getLoc(), operand) : operand;
  });
  SmallVector<Type> types;
  SmallVector<Value> targets;
  for (OpOperand &init : structured.getDpsInitsMutable()) {
    targets.push_back(init.get());
    types.push_back(operands[init.getOperandNumber()].getType());
  }
  Operation *made = clone(builder, op, types, operands);
  for (auto [target, result] : llvm::zip_equal(targets, made->getResults())) {
    values.write(builder, op->getLoc(), target, result);
    stored.insert(rootOfBuffer(target));
  }
  op->erase();
}

bool FunctionLifter::isLoneLoad(Operation *op) const {
  auto load = dyn_cast<memref::LoadOp>(op);
  return load && values.canFollow(load.getMemRef());
}

LogicalResult FunctionLifter::liftOp(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    OpBuilder builder(op);
    if (failed(group.flush(builder)))
      return failure();
    auto result = dyn_cast<func::ReturnOp>(op);
    return result ? liftReturn(result) : success();
  }
  if (isa<UnrealizedConversionCastOp>(op)) // represents an argument
    return success();
  // A view is created where it is used.
  if (isBufferView(op)) {
    finished.push_back(op);
    return success();
  }
  bool onBuffers = usesBuffers(op);
  // Vectors cannot leave the group, so their users are added to it.
  bool joins = (onBuffers || group.feeds(op) || !isPure(op)) && group.holdsVectors();
  joins |= !onBuffers && !isPure(op) && group.runsOnHost();
  if (joins && !usesTensors(op) &&
      !isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp, memref::DeallocOp>(op)) {
    for (Value root : accessesOf(op).written)
      stored.insert(root);
    if (!isKernelCode(op))
      group.runOnHost();
    group.add(op);
    return success();
  }
  if (!onBuffers && !group.feeds(op))
    return success();
  if (!onBuffers && isKernelCode(op)) {
    group.add(op);
    return success();
  }
  if (group.feeds(op) && isa<memref::AllocOp, memref::AllocaOp>(op)) {
    OpBuilder builder(op);
    if (failed(group.flush(builder)))
      return failure();
  }
  if (defines(op))
    return success();
  OpBuilder builder(op);
  if (!onBuffers)
    return group.flush(builder);
  bool loneLoad = isLoneLoad(op) && !group.meets(op);
  if (!loneLoad && isKernelCode(op) && !canRebuild(op) && !isa<memref::DeallocOp, memref::CopyOp, memref::DimOp>(op)) {
    for (Value root : accessesOf(op).written)
      stored.insert(root);
    group.add(op);
    return success();
  }

  if (group.meets(op) && !isa<memref::DeallocOp>(op) && failed(group.flush(builder)))
    return failure();
  if (isa<memref::DeallocOp>(op)) {
    finished.push_back(op);
    return success();
  }
  if (loneLoad) {
    auto load = cast<memref::LoadOp>(op);
    Value tensor = values.read(builder, op->getLoc(), load.getMemRef());
    load.getResult().replaceAllUsesWith(tensor::ExtractOp::create(builder, op->getLoc(), tensor, load.getIndices()));
    op->erase();
    return success();
  }
  if (auto back = dyn_cast<bufferization::ToTensorOp>(op); back && values.canFollow(back.getBuffer())) {
    Value tensor = values.read(builder, op->getLoc(), back.getBuffer());
    if (tensor.getType() != back.getType())
      tensor = tensor::CastOp::create(builder, op->getLoc(), back.getType(), tensor);
    back.getResult().replaceAllUsesWith(tensor);
    op->erase();
    return success();
  }
  if (auto dim = dyn_cast<memref::DimOp>(op); dim && values.canFollow(dim.getSource())) {
    Value tensor = values.read(builder, op->getLoc(), dim.getSource());
    dim.getResult().replaceAllUsesWith(tensor::DimOp::create(builder, op->getLoc(), tensor, dim.getIndex()));
    op->erase();
    return success();
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op);
      copy && values.canFollow(copy.getSource()) && values.canFollow(copy.getTarget())) {
    values.write(builder, op->getLoc(), copy.getTarget(), values.read(builder, op->getLoc(), copy.getSource()));
    stored.insert(rootOfBuffer(copy.getTarget()));
    op->erase();
    return success();
  }
  if (canRebuild(op)) {
    rebuild(op);
    return success();
  }
  if (failed(group.flush(builder)))
    return failure();
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && !llvm::any_of(loop.getInitArgs().getTypes(), isBuffer))
    return liftLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && !llvm::any_of(branch.getResultTypes(), isBuffer))
    return liftIf(branch);
  return hostCode(op);
}

/// Code that calls or prints, moved to an op that stays in the host function.
LogicalResult FunctionLifter::hostCode(Operation *op) {
  if (usesTensors(op))
    return op->emitOpError() << "works on tensors and on buffers, and calls or prints, in a form that is not compiled; "
                                "loops of this kind are written with scf.for and scf.if";
  OpBuilder builder(op);
  for (Value root : accessesOf(op).written)
    stored.insert(root);
  group.add(op);
  group.runOnHost();
  return group.flush(builder);
}

LogicalResult FunctionLifter::liftBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(liftOp(&op)))
      return failure();
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Control flow: buffers that a region stores to become results
//===------------------------------------------------------------------------------------------------------------===//

llvm::SetVector<Value> FunctionLifter::writtenIn(Operation *op) const {
  llvm::SetVector<Value> roots;
  for (Value root : accessesOf(op).written)
    if (values.isKnown(root))
      roots.insert(root);
  return roots;
}

LogicalResult FunctionLifter::liftLoop(scf::ForOp loop) {
  llvm::SetVector<Value> roots = writtenIn(loop);
  OpBuilder builder(loop);
  SmallVector<Value> inits(loop.getInitArgs());
  for (Value root : roots)
    inits.push_back(values.lookup(root));
  auto made = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                                 inits, /*bodyBuilder=*/nullptr);
  unsigned carried = loop.getNumRegionIterArgs();
  Block *body = made.getBody();
  if (!body->empty())
    body->back().erase();
  SmallVector<Value> arguments{made.getInductionVar()};
  llvm::append_range(arguments, made.getRegionIterArgs().take_front(carried));
  for (auto [old, fresh] : llvm::zip_equal(loop.getBody()->getArguments(), arguments))
    old.replaceAllUsesWith(fresh);
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  for (auto [index, root] : llvm::enumerate(roots))
    values[root] = made.getRegionIterArg(carried + index);
  Operation *yield = body->getTerminator();
  if (failed(liftBlock(*body)))
    return failure();
  for (Value root : roots) {
    yield->insertOperands(yield->getNumOperands(), values.lookup(root));
    stored.insert(root);
  }
  for (auto [index, root] : llvm::enumerate(roots))
    values[root] = made.getResult(carried + index);
  for (auto [old, fresh] : llvm::zip(loop.getResults(), made.getResults()))
    old.replaceAllUsesWith(fresh);
  loop.erase();
  return success();
}

LogicalResult FunctionLifter::liftIf(scf::IfOp op) {
  llvm::SetVector<Value> roots = writtenIn(op);
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  SmallVector<Value> before;
  for (Value root : roots) {
    before.push_back(values.lookup(root));
    types.push_back(before.back().getType());
  }
  auto made = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(), /*withElseRegion=*/true);
  for (auto [old, fresh] : llvm::zip_equal(op->getRegions(), made->getRegions())) {
    if (!old.empty()) {
      fresh.takeBody(old);
    } else if (fresh.front().empty()) {
      OpBuilder atEnd = OpBuilder::atBlockEnd(&fresh.front());
      scf::YieldOp::create(atEnd, op.getLoc());
    }
    for (auto [root, tensor] : llvm::zip_equal(roots, before))
      values[root] = tensor;
    Operation *yield = fresh.front().getTerminator();
    if (failed(liftBlock(fresh.front())))
      return failure();
    for (Value root : roots)
      yield->insertOperands(yield->getNumOperands(), values.lookup(root));
  }
  unsigned own = op.getNumResults();
  for (auto [index, root] : llvm::enumerate(roots)) {
    values[root] = made.getResult(own + index);
    stored.insert(root);
  }
  for (auto [old, fresh] : llvm::zip(op.getResults(), made.getResults()))
    old.replaceAllUsesWith(fresh);
  op.erase();
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Arguments and results
//===------------------------------------------------------------------------------------------------------------===//

/// Returns the current values of returned buffers, followed by those of modified arguments.
LogicalResult FunctionLifter::liftReturn(func::ReturnOp op) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isBuffer(operand.get().getType()))
      continue;
    if (!values.canFollow(operand.get()))
      return op.emitOpError() << "returns a buffer of type " << operand.get().getType()
                              << " that is no argument, allocation or view of one";
    operand.set(values.read(builder, op.getLoc(), operand.get()));
  }
  return success();
}

void FunctionLifter::retype() {
  Operation *terminator = function.getBody().front().getTerminator();
  FunctionType type = function.getFunctionType();
  SmallVector<DictionaryAttr> resultAttrs;
  function.getAllResultAttrs(resultAttrs);
  resultAttrs.resize(type.getNumResults(), DictionaryAttr::get(function.getContext()));
  SmallVector<Value> returned(terminator->getOperands());
  Builder builder(function.getContext());
  for (BlockArgument argument : function.getArguments()) {
    if (!values.isKnown(argument))
      continue;
    if (stored.contains(argument) && function.isPublic()) {
      returned.push_back(values.lookup(argument));
      resultAttrs.push_back(builder.getDictionaryAttr(
          builder.getNamedAttr(sched::kUpdatesAttr, builder.getI64IntegerAttr(argument.getArgNumber()))));
    }
  }
  terminator->setOperands(returned);
  function.setFunctionType(
      builder.getFunctionType(function.getBody().front().getArgumentTypes(), ValueRange(returned).getTypes()));
  function.setAllResultAttrs(resultAttrs);
}

/// Converts each memref.reshape to a view whose sizes are read, and checked, at the op: later stores to the shape do
/// not change the view.
static void readShapes(func::FuncOp function) {
  SmallVector<Operation *> reshapes;
  function.walk([&](memref::ReshapeOp op) {
    sched::checkReshapes(op, /*inKernelWork=*/true);
    reshapes.push_back(op);
  });
  if (reshapes.empty())
    return;
  RewritePatternSet patterns(function.getContext());
  memref::populateExpandOpsPatterns(patterns);
  // The patterns expand other ops, too. A shape of dynamic rank is kept.
  (void)applyOpPatternsGreedily(
      reshapes, std::move(patterns),
      GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingOps).enableFolding(false));
}

/// Inserts assertions that views are inside of their buffers. Kernels have no other check of sizes.
static void assertViews(func::FuncOp function) {
  sched::checkViews(function);
  function.walk([](Operation *op) {
    auto check = dyn_cast_or_null<sched::CheckSizesOp>(op->getPrevNode());
    if (!check || !isa<memref::ViewOp, memref::ReinterpretCastOp>(op))
      return;
    OpBuilder builder(check);
    cf::AssertOp::create(builder, op->getLoc(), check.getOk(),
                         ("'" + op->getName().getStringRef() + "' is not inside of its buffer").str());
    check.erase();
  });
}

/// Inserts failing assertions for uses of a buffer that certainly follow its memref.dealloc: as tensors, deallocated
/// buffers would keep their elements.
static void checkDeallocs(func::FuncOp function) {
  DominanceInfo dominance(function);
  SmallVector<std::pair<Operation *, memref::DeallocOp>> faults;
  function.walk([&](memref::DeallocOp dealloc) {
    SmallVector<Value> buffers{rootOfBuffer(dealloc.getMemref())};
    while (!buffers.empty())
      for (Operation *user : buffers.pop_back_val().getUsers()) {
        if (isBufferView(user))
          llvm::append_range(buffers, user->getResults());
        else if (!isa<memref::DimOp>(user) && dominance.properlyDominates(dealloc, user))
          faults.push_back({user, dealloc});
      }
  });
  for (auto [user, dealloc] : faults) {
    OpBuilder builder(user);
    std::string message = "use of a buffer after its memref.dealloc";
    if (SmallVector<FileLineColLoc> at = getSourcePositions(dealloc.getLoc()); !at.empty())
      message += " at " + at.back().getFilename().str() + ":" + std::to_string(at.back().getLine()) + ":" +
                 std::to_string(at.back().getColumn());
    Value never = arith::ConstantIntOp::create(builder, user->getLoc(), 0, 1);
    cf::AssertOp::create(builder, user->getLoc(), never, message);
  }
}

LogicalResult FunctionLifter::lift() {
  Block &body = function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  // The tensor represents the argument until the buffer has no users.
  SmallVector<std::pair<BlockArgument, Operation *>> stands;
  for (BlockArgument argument : body.getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType())) {
      Operation *stand =
          UnrealizedConversionCastOp::create(builder, argument.getLoc(), tensorTypeOf(type), ValueRange(argument));
      stands.push_back({argument, stand});
      values[argument] = stand->getResult(0);
    }
  // All uses of a global in the function refer to one buffer.
  SmallVector<memref::GetGlobalOp> gets;
  function.walk([&](memref::GetGlobalOp op) { gets.push_back(op); });
  for (memref::GetGlobalOp op : llvm::reverse(gets))
    op->moveBefore(&body, builder.getInsertionPoint());
  // A copy would become its source tensor, whatever the sizes, so check them now.
  function.walk([](memref::CopyOp op) { sched::checkReshapes(op, /*inKernelWork=*/true); });
  function.walk([](bufferization::MaterializeInDestinationOp op) { sched::checkReshapes(op, /*inKernelWork=*/true); });
  // Others become ops on tensors, of which host functions check the sizes.
  function.walk([](linalg::LinalgOp op) {
    if (op.hasPureBufferSemantics() && !isa<func::FuncOp>(op->getParentOp()))
      sched::checkStructuredSizes(op);
  });
  assertViews(function);
  checkDeallocs(function);
  readShapes(function);
  if (failed(liftBlock(body)))
    return failure();
  retype();
  for (Operation *op : llvm::reverse(finished)) {
    if (!op->use_empty())
      return op->emitOpError() << "gives a buffer to '" << (*op->getUsers().begin())->getName()
                               << "' in a form that is not compiled";
    op->erase();
  }
  for (auto [argument, stand] : stands) {
    argument.setType(stand->getResult(0).getType());
    stand->getResult(0).replaceAllUsesWith(argument);
    stand->erase();
  }
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(), function.getFunctionType().getResults()));
  return success();
}

/// Replaces bufferization ops that copy tensors by the tensor itself: copies are placed later.
static void replaceTensorCopy(Operation *op) {
  if (auto made = dyn_cast<bufferization::AllocTensorOp>(op)) {
    OpBuilder builder(op);
    made.replaceAllUsesWith(
        made.getCopy()
            ? made.getCopy()
            : tensor::EmptyOp::create(builder, op->getLoc(), made.getType(), made.getDynamicSizes()).getResult());
    op->erase();
  } else if (auto moved = dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
    // An op that writes a buffer has no result, or one that must not replace its operand.
    if (!isa<TensorType>(moved.getDest().getType()) || moved.getDest().getDefiningOp<bufferization::ToTensorOp>() ||
        moved.getSource().getType() != moved.getResult().getType())
      return;
    sched::checkReshapes(moved, /*inKernelWork=*/true);
    moved.getResult().replaceAllUsesWith(moved.getSource());
    op->erase();
  } else if (isa<bufferization::DeallocTensorOp>(op)) {
    op->erase();
  }
}

namespace {
class RaiseMemRefToTensor : public mica::impl::RaiseMemRefToTensorBase<RaiseMemRefToTensor> {
public:
  void runOnOperation() override {
    ModuleOp program = getOperation();
    // A program with kernels is already bufferized.
    if (llvm::any_of(program.getOps<ModuleOp>(), [](ModuleOp module) { return sched::isKernelModule(module); }))
      return;
    program.walk([](Operation *op) { replaceTensorCopy(op); });
    for (func::FuncOp function : program.getOps<func::FuncOp>())
      if (function.isExternal() && sched::isRuntimeHelper(function.getName()))
        takeBuffers(function);
    SmallVector<func::FuncOp> functions;
    for (func::FuncOp function : program.getOps<func::FuncOp>())
      if (!function.isExternal() && function.getBody().hasOneBlock() && usesBuffers(function))
        functions.push_back(function);
    SymbolTableCollection symbols;
    for (func::FuncOp function : functions) {
      inlineCalls(function, symbols);
      blockStepFolds(function);
    }
    // A function whose body was inlined is erased.
    for (func::FuncOp function : functions)
      if (failed(dropAllocatedLayouts(function)))
        return signalPassFailure();
    SymbolUses uses(program);
    for (func::FuncOp function : functions) {
      // Its body was inlined.
      if (function.isPrivate() && !uses.isUsed(function)) {
        uses.erase(function);
        continue;
      }
      LDBG() << "raises " << function.getName();
      if (failed(FunctionLifter(function, symbols).lift()))
        return signalPassFailure();
    }
    for (func::FuncOp function : program.getOps<func::FuncOp>())
      for (unsigned i = 0; i < function.getNumArguments() && function.isExternal(); ++i)
        function.removeArgAttr(i, sched::kAccessAttr);
    const SymbolUses left(program);
    for (auto global : llvm::make_early_inc_range(program.getOps<memref::GlobalOp>()))
      if (!left.isUsed(global))
        global.erase();
  }
};
} // namespace
