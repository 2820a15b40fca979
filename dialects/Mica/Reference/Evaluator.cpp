//===- Evaluator.cpp - evaluating functions, regions and ops ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Evaluator.h. The semantics of ops is elsewhere, except for func.return, cf branches and func.call.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/EndlessLoop.h"
#include "dialects/Mica/Reference/EvalLLVMOps.h"
#include "dialects/Mica/Reference/EvalPrint.h"
#include "dialects/Mica/Reference/Lifetimes.h"
#include "dialects/Mica/Reference/ParallelAccesses.h"
#include "dialects/Mica/Reference/SampledErrors.h"
#include "dialects/Mica/Reference/Shadow.h"
#include "dialects/Mica/Reference/Tape.h"
#include "dialects/Mica/Reference/Undefined.h"
#include "mica/Support/Checked.h"
#include "mica/Support/MemoryLimit.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace mica::reference {

//===------------------------------------------------------------------------------------------------------------===//
// The dispatch table
//===------------------------------------------------------------------------------------------------------------===//

OpTable::OpTable()
    : elementwise(evalElementwise), structured(evalStructured), onBuffers(evalOnBuffers),
      selectsBuffer(evalSelectOfBuffers) {
  addArithOps(*this);
  addAsyncOps(*this);
  addLLVMOps(*this);
  addMathOps(*this);
  addLinalgOps(*this);
  addWinogradOps(*this);
  addTensorOps(*this);
  addControlFlowOps(*this);
  addTosaElementwiseOps(*this);
  addTosaOps(*this);
  addTosaFourierOps(*this);
  addTosaWindowOps(*this);
  addMicaElementwiseOps(*this);
  addMicaOps(*this);
  addMicaMovementOps(*this);
  addMicaAttentionOps(*this);
  addMicaAxisOps(*this);
  addMicaImageOps(*this);
  addMicaNormOps(*this);
  addMicaWindowOps(*this);
  addIndexOps(*this);
  addMemRefOps(*this);
  addBufferizationOps(*this);
  addAffineOps(*this);
  addVectorOps(*this);
  addVectorMemoryOps(*this);
  addParallelLoopOps(*this);
  addPrintOps(*this);
  addGPUOps(*this);
  addFragmentOps(*this);
}

/// Whether `op` is on buffers of vectors or of buffers, and only takes buffers of numbers here.
static bool needsBuffersOfNumbers(Operation *op) {
  auto isOther = [](Type type) {
    auto buffer = dyn_cast<MemRefType>(type);
    return buffer && isa<VectorType, BaseMemRefType>(buffer.getElementType());
  };
  if (llvm::none_of(op->getOperandTypes(), isOther) && llvm::none_of(op->getResultTypes(), isOther))
    return false;
  const StringRef dialect = op->getName().getDialectNamespace();
  return llvm::is_contained({"memref", "affine", "vector", "linalg", "bufferization", "gpu"}, dialect) &&
         !isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, memref::LoadOp, memref::StoreOp, memref::CopyOp,
              memref::CastOp, affine::AffineLoadOp, affine::AffineStoreOp, vector::TypeCastOp>(op);
}

const OpTable::Fn *OpTable::find(Operation *op) const {
  if (needsBuffersOfNumbers(op))
    return nullptr;
  // Softmax is not defined for integers.
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
      softmax && !isa<FloatType>(softmax.getInputOperandType().getElementType()))
    return nullptr;
  if (auto it = ops.find(op->getName().getStringRef()); it != ops.end()) {
    // On buffers an op with destinations has no results: it writes into them.
    auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
    bool isOnBuffers = isa_and_present<linalg::LinalgDialect>(op->getDialect()) && destinations &&
                       destinations.hasPureBufferSemantics();
    return isOnBuffers ? &onBuffers : &it->second;
  }
  if (isa<arith::SelectOp>(op) && isa<BaseMemRefType>(op->getResult(0).getType()))
    return &selectsBuffer;
  // arith.index_cast accepts buffers, too; only those of 64 bits can be lowered.
  if (scalars.contains(op) && llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>)) {
    const auto isWide = [](Type type) { return getElementTypeOrSelf(type).isInteger(64); };
    return llvm::any_of(op->getOperandTypes(), isWide) || llvm::any_of(op->getResultTypes(), isWide) ? &elementwise
                                                                                                     : nullptr;
  }
  if (scalars.contains(op))
    return scalars.resolve(op) ? &elementwise : nullptr;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp) {
    if (linalgOp.hasPureTensorSemantics())
      return &structured;
    if (linalgOp.hasPureBufferSemantics())
      return &onBuffers;
  }
  return nullptr;
}

const OpTable::Fn &OpTable::onValues(Operation *op) const {
  auto it = ops.find(op->getName().getStringRef());
  return it != ops.end() ? it->second : structured;
}

//===------------------------------------------------------------------------------------------------------------===//
// Shapes
//===------------------------------------------------------------------------------------------------------------===//

std::string shapeString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(shape, stream, "x");
  return shape.empty() ? "scalar" : text;
}

std::string pointString(ArrayRef<int64_t> point) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(point, stream);
  return text;
}

bool shapeFits(ArrayRef<int64_t> shape, Type type) {
  if (isa<UnrankedTensorType, UnrankedMemRefType>(type))
    return true;
  if (auto value = dyn_cast<async::ValueType>(type))
    return shapeFits(shape, value.getValueType());
  // A buffer of vectors has their dimensions after its own.
  if (auto buffer = dyn_cast<MemRefType>(type))
    if (auto vector = dyn_cast<VectorType>(buffer.getElementType())) {
      SmallVector<int64_t> whole(buffer.getShape());
      llvm::append_range(whole, vector.getShape());
      return succeeded(verifyCompatibleShape(whole, shape));
    }
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return shape.size() <= 1; // a scalar, or a !tosa.shape
  return succeeded(verifyCompatibleShape(shaped.getShape(), shape));
}

LogicalResult requireFits(Operation *op, const Twine &what, ArrayRef<int64_t> shape, Type type) {
  if (shapeFits(shape, type))
    return success();
  return op->emitError() << what << " has shape " << shapeString(shape) << " at run time, which is not a " << type;
}

FailureOr<Tensor> Evaluator::allocate(Operation *op, ElementType type, ArrayRef<int64_t> shape) const {
  if (llvm::any_of(shape, [](int64_t extent) { return extent < 0; }))
    return op->emitError() << "tensor of shape " << shapeString(shape) << " has a negative extent";
  const std::optional<int64_t> size = checkedElements(shape);
  if (options.undefined && (!size || *size > std::min(options.maxElements, memoryLimit() / int64_t(sizeof(Cell)))))
    options.undefined->stopsAtLimit = true;
  if (!size || *size > options.maxElements)
    return op->emitError() << "tensor of shape " << shapeString(shape) << " has more than the " << options.maxElements
                           << " elements the reference evaluator allows";
  // Cells are larger than elements.
  const std::optional<int64_t> bytes = checkedMul(*size, sizeof(Cell));
  if (!bytes || *bytes > memoryLimit())
    return op->emitError()
           << outOfMemory(bytes.value_or(-1), "the cells of a tensor of shape " + shapeString(shape)).message;
  return Tensor(type, shape);
}

FailureOr<Tensor> Evaluator::allocateLike(Operation *op, Type type, ArrayRef<int64_t> shape) const {
  if (failed(requireFits(op, "the result", shape, type)))
    return failure();
  return allocate(op, *ElementType::of(type), shape);
}

//===------------------------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------------------------===//

/// Deeper calls are treated as infinite recursion.
static constexpr size_t kMaxCallDepth = 200;

/// Records for `value`, defined in `block`, the last op of that block that uses it (directly or in its regions).
static void noteLastUse(Value value, Block *block, llvm::DenseMap<Operation *, SmallVector<Value, 2>> &lastUses) {
  Operation *last = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!ancestor)
      return; // used in another block of a function with branches: it lives until the function returns
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  if (last)
    lastUses[last].push_back(value);
}

Evaluator::Evaluator(const OpTable &table, const EvalOptions &options) : table(table), options(options) {}
Evaluator::~Evaluator() = default;

HostedLLVM &Evaluator::hostedLLVM() {
  if (!llvmState)
    llvmState = std::make_unique<HostedLLVM>(options);
  return *llvmState;
}

int64_t Evaluator::numberOf(Operation *function) {
  auto *it = llvm::find(functionValues, function);
  if (it == functionValues.end()) {
    functionValues.push_back(function);
    return int64_t(functionValues.size()) - 1;
  }
  return it - functionValues.begin();
}

Operation *Evaluator::functionAt(int64_t number) const {
  return number >= 0 && number < int64_t(functionValues.size()) ? functionValues[size_t(number)] : nullptr;
}

LogicalResult Evaluator::runFunction(FunctionOpInterface function, SmallVector<Tensor> args, Results &results) {
  if (frames.size() >= kMaxCallDepth && options.undefined)
    options.undefined->stopsAtLimit = true;
  if (frames.size() >= kMaxCallDepth)
    return function->emitError() << "calls nest more than " << kMaxCallDepth << " deep";
  Frame frame;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      noteLastUse(argument, block, frame.lastUses);
    for (Operation &op : *block)
      for (Value result : op.getResults())
        noteLastUse(result, block, frame.lastUses);
  });
  frames.push_back(std::move(frame));
  LLVMStackScope llvmStack(function, *this);
  LogicalResult status = runRegion(function.getFunctionBody(), std::move(args), results);
  frames.pop_back();
  return status;
}

void Evaluator::exchange(Activity &other) {
  std::swap(frames, other.frames);
  std::swap(points, other.points);
  std::swap(mask, other.mask);
  std::swap(suspended, other.suspended);
}

LogicalResult Evaluator::runRegion(Region &region, SmallVector<Tensor> args, Results &yielded, Operation **terminator) {
  Block *block = &region.front();
  // Whether the value decides the program's control flow.
  auto decides = [&](Operation *op, const Tensor &value) -> LogicalResult {
    if (undefined())
      return requireDefined(op, value, "the condition", *this);
    isUndecided |= tracksBounds() && value.hasBound();
    return success();
  };
  StackScope stack(region.getParentOp(), *this);
  SmallVector<Tensor> blockArgs = std::move(args);
  std::optional<BranchCycles> cycles;
  if (undefined() && !llvm::hasSingleElement(region))
    cycles.emplace(region, *this);
  while (true) {
    if (cycles)
      cycles->enter(block);
    for (auto [argument, value] : llvm::zip_equal(block->getArguments(), blockArgs)) {
      if (failed(requireFits(block->getParentOp(), "block argument " + Twine(argument.getArgNumber()), value.shape(),
                             argument.getType())))
        return failure();
      frames.back().values[argument] = value;
    }
    blockArgs.clear(); // so that the first op may update an argument in place that has no other users

    for (Operation &op : block->without_terminator())
      if (failed(runOp(&op)))
        return failure();

    Operation *last = block->getTerminator();
    auto gather = [&](ValueRange values, Results &into) {
      for (Value value : values)
        into.push_back(lookup(value));
    };
    Block *next = nullptr;
    auto go = [&](Block *to, ValueRange operands) {
      next = to;
      gather(operands, blockArgs);
    };
    auto branchOn = [&](auto branch) -> LogicalResult {
      const Tensor &condition = lookup(branch.getCondition());
      if (failed(decides(branch, condition)))
        return failure();
      if (condition.value().i != 0)
        go(branch.getTrueDest(), branch.getTrueDestOperands());
      else
        go(branch.getFalseDest(), branch.getFalseDestOperands());
      return success();
    };
    auto switchOn = [&](auto branch, Value flag) -> LogicalResult {
      if (failed(decides(branch, lookup(flag))))
        return failure();
      const Tensor &value = lookup(flag);
      if (std::optional<DenseIntElementsAttr> cases = branch.getCaseValues())
        for (auto [i, each] : llvm::enumerate(cases->template getValues<APInt>()))
          if (value.elementType().asSigned(value.value().i) == each.getSExtValue() && !next)
            go(branch.getCaseDestinations()[i], branch.getCaseOperands(unsigned(i)));
      if (!next)
        go(branch.getDefaultDestination(), branch.getDefaultOperands());
      return success();
    };
    if (auto branch = dyn_cast<cf::BranchOp>(last)) {
      go(branch.getDest(), branch.getDestOperands());
    } else if (auto branch = dyn_cast<LLVM::BrOp>(last)) {
      go(branch.getDest(), branch.getDestOperands());
    } else if (auto branch = dyn_cast<cf::CondBranchOp>(last)) {
      if (failed(branchOn(branch)))
        return failure();
    } else if (auto branch = dyn_cast<LLVM::CondBrOp>(last)) {
      if (failed(branchOn(branch)))
        return failure();
    } else if (auto branch = dyn_cast<cf::SwitchOp>(last)) {
      if (failed(switchOn(branch, branch.getFlag())))
        return failure();
    } else if (auto branch = dyn_cast<LLVM::SwitchOp>(last)) {
      if (failed(switchOn(branch, branch.getValue())))
        return failure();
    } else if (isa<ub::UnreachableOp>(last)) {
      return last->emitError() << "code that is unreachable is reached";
    } else {
      gather(last->getOperands(), yielded);
      // The condition of a while loop: scf.condition's first operand, or the only operand of the others.
      if (last->getNumOperands() > 0 && region.getRegionNumber() == 0 &&
          (isa<scf::ConditionOp>(last) || isa<tosa::WhileOp, mica::WhileOp>(last->getParentOp())) &&
          failed(decides(last, yielded.front())))
        return failure();
      if (terminator)
        *terminator = last;
      // Values whose last user is the block's terminator belong to the block: free them before the next iteration. If
      // the caller asked for the terminator, it still has to read values used in its regions.
      if (!terminator)
        for (Value value : frames.back().lastUses.lookup(last))
          frames.back().values.erase(value);
      return success();
    }
    if (cycles && failed(cycles->check(last, next, blockArgs)))
      return failure();
    block = next;
  }
}

LogicalResult Evaluator::run(Operation *op, const OpTable::Fn &fn, Operands in, Results &out) {
  if (options.shadow && points.empty())
    return runInShadow(op, fn, in, out, *this);
  if (undefined()) {
    if (ParallelAccesses::isAnyNoted())
      ParallelAccesses::setOp(op);
    if (failed(checkAccess(op, in, *this)))
      return failure();
  }
  if (!tracksBounds())
    return fn(op, in, out, *this);
  if (failed(runWithBounds(op, fn, in, out, *this)))
    return failure();
  if (options.errors)
    options.errors->apply(out);
  return success();
}

LogicalResult Evaluator::runOp(Operation *op) {
  SmallVector<Tensor> operands;
  // Ops that read no elements do not materialize deferred arguments.
  bool keepsDeferred = isa<func::CallOp, tensor::DimOp, tensor::CastOp>(op);
  for (Value operand : op->getOperands())
    operands.push_back(keepsDeferred ? lookup(operand) : lookup(operand).materialized());
  // An operand whose last use is this op may be reused for its result, unless a region still reads it.
  SmallVector<Value, 2> dying = frames.back().lastUses.lookup(op);
  if (op->getNumRegions() == 0)
    for (Value value : dying)
      frames.back().values.erase(value);

  TapeStep step;
  const bool isRecorded = options.tape && points.empty() && suspended == 0 && !passesValuesOn(op);
  if (isRecorded)
    step = beginStep(op, operands, *this, *options.tape);
  SmallVector<Tensor> results;
  const OpTable::Fn *fn = table.find(op);
  assert(fn && "checked before the evaluation began");
  if (failed(run(op, *fn, operands, results)))
    return failure();

  assert(results.size() == op->getNumResults() && "one value per result");
  for (auto [i, result, value] : llvm::enumerate(op->getResults(), results))
    if (failed(requireFits(op, "result " + Twine(i), value.shape(), result.getType())))
      return failure();
  if (isRecorded)
    endStep(std::move(step), results, *options.tape);
  if (failed(report(op, results)))
    return failure();
  if (op->getNumRegions() != 0)
    for (Value value : dying)
      frames.back().values.erase(value);
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    if (!result.use_empty())
      frames.back().values[result] = std::move(value);
  return success();
}

void Evaluator::enterFrame(ArrayRef<std::pair<Value, Tensor>> values) {
  Frame frame;
  for (const auto &[value, tensor] : values)
    frame.values[value] = tensor;
  frames.push_back(std::move(frame));
}

LogicalResult Evaluator::report(Operation *op, ArrayRef<Tensor> results) {
  if (!options.onOp || results.empty() || op->hasTrait<OpTrait::ConstantLike>() || !points.empty())
    return success();
  SmallVector<HostTensor> host;
  for (const Tensor &result : results)
    host.push_back(result.toHost());
  if (failed(options.onOp(op, host)))
    return failure();
  if (!options.bounds || !options.onOpBounds)
    return success();
  host.clear();
  for (const Tensor &result : results)
    host.push_back(boundsToHost(result, isUndecided));
  return options.onOpBounds(host);
}

} // namespace mica::reference
