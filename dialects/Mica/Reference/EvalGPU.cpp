//===- EvalGPU.cpp - kernel launches ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Blocks are run one after another in the order of their numbers, threads as described in GPUBlock.h. Host and device
// share their memory, and every operation of a stream completes before the next one begins, which a program without
// races cannot distinguish from other orders.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/GPUBlock.h"
#include "dialects/Mica/Reference/Lifetimes.h"
#include "dialects/Mica/Reference/Undefined.h"
#include "mica/Support/Checked.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Launches
//===------------------------------------------------------------------------------------------------------------===//

/// The value of the operand `value` of `op`, which may be removed from the frame already if this is its last use.
const Tensor &given(Operation *op, Operands in, Value value) {
  return in[llvm::find(op->getOperands(), value) - op->operand_begin()];
}

FailureOr<Dim3> dimensions(Operation *op, Operands in, gpu::KernelDim3 values, StringRef what) {
  Dim3 sizes;
  const std::array<Value, 3> axes = {values.x, values.y, values.z};
  for (auto [i, value] : llvm::enumerate(axes)) {
    sizes[i] = given(op, in, value).value().i;
    if (sizes[i] < 1)
      return op->emitError() << "the " << what << " has the size " << sizes[i] << " in dimension "
                             << StringRef("xyz").substr(i, 1);
  }
  return sizes;
}

bool isWorkgroup(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref);
}

FailureOr<SmallVector<Tensor>> makeBuffers(Operation *op, ArrayRef<BlockArgument> arguments, Evaluator &evaluator) {
  SmallVector<Tensor> buffers;
  for (BlockArgument argument : arguments) {
    FailureOr<Tensor> cells =
        evaluator.allocateLike(op, argument.getType(), cast<MemRefType>(argument.getType()).getShape());
    if (failed(cells))
      return failure();
    setUninitialized(op, *cells, evaluator);
    buffers.push_back(Tensor::newBuffer(*cells));
    noteAllocation(op, buffers.back(), Allocation::Kind::Stack, evaluator);
  }
  return buffers;
}

/// Runs `run` in each thread of each block, with the buffers of the block, made for `workgroup`.
LogicalResult launchGrid(Operation *op, Dim3 grid, Dim3 block, int64_t dynamicBytes, ArrayRef<BlockArgument> workgroup,
                         Evaluator &evaluator, function_ref<LogicalResult(ArrayRef<Tensor>)> run) {
  constexpr int64_t kMostThreads = 1024;
  const std::optional<int64_t> threads = checkedElements(block);
  if (!threads || *threads > kMostThreads)
    return op->emitError() << "a block has " << pointString(block) << " threads; it can have " << kMostThreads;
  if (evaluator.block)
    return op->emitError() << "a kernel is launched by a kernel";
  SmallVector<Operation *> stale; // memory of the previous block
  ParallelAccesses accesses(op, evaluator);
  ThreadOrder order(accesses);
  for (int64_t z = 0; z < grid[2]; ++z)
    for (int64_t y = 0; y < grid[1]; ++y)
      for (int64_t x = 0; x < grid[0]; ++x) {
        FailureOr<SmallVector<Tensor>> buffers = makeBuffers(op, workgroup, evaluator);
        if (failed(buffers))
          return failure();
        for (auto &[global, buffer] : evaluator.globalBuffers)
          if (isWorkgroup(cast<memref::GlobalOp>(global).getType()))
            stale.push_back(global);
        for (Operation *global : stale)
          evaluator.globalBuffers.erase(global);
        stale.clear();
        GPUBlock threadsOfBlock(evaluator, grid, block, {x, y, z}, order);
        FailureOr<Tensor> bytes = evaluator.allocate(op, DType::I8, {dynamicBytes});
        if (failed(bytes))
          return failure();
        threadsOfBlock.dynamicMemory = Tensor::newBuffer(*bytes);
        evaluator.block = &threadsOfBlock;
        LogicalResult status = threadsOfBlock.run(op, [&] { return run(*buffers); });
        evaluator.block = nullptr;
        if (failed(status))
          return failure();
      }
  return success();
}

/// Adds the token of an op that has one.
void addToken(Operation *op, Results &out) {
  if (op->getNumResults() > out.size())
    out.push_back(Tensor::index(0));
}

/// The bytes of dynamic workgroup memory that a launch asks for.
template <typename OpT> int64_t dynamicBytesOf(OpT op, Operands in) {
  Value size = op.getDynamicSharedMemorySize();
  return size ? given(op, in, size).value().i : 0;
}

LogicalResult evalLaunchFunc(gpu::LaunchFuncOp op, Operands in, Results &out, Evaluator &evaluator) {
  auto kernel = evaluator.symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, op.getKernelAttr());
  if (!kernel)
    return op.emitError() << "no gpu.func " << op.getKernelAttr() << " is in sight";
  FailureOr<Dim3> grid = dimensions(op, in, op.getGridSizeOperandValues(), "grid");
  FailureOr<Dim3> block = dimensions(op, in, op.getBlockSizeOperandValues(), "block");
  if (failed(grid) || failed(block))
    return failure();
  SmallVector<Tensor> args;
  for (Value operand : op.getKernelOperands())
    args.push_back(given(op, in, operand));
  LogicalResult status = launchGrid(op, *grid, *block, dynamicBytesOf(op, in), kernel.getWorkgroupAttributions(),
                                    evaluator, [&](ArrayRef<Tensor> shared) {
                                      SmallVector<Tensor> all(args), none;
                                      llvm::append_range(all, shared);
                                      FailureOr<SmallVector<Tensor>> own =
                                          makeBuffers(kernel, kernel.getPrivateAttributions(), evaluator);
                                      if (failed(own))
                                        return failure();
                                      llvm::append_range(all, *own);
                                      return evaluator.runFunction(kernel, std::move(all), none);
                                    });
  addToken(op, out);
  return status;
}

LogicalResult evalLaunch(gpu::LaunchOp op, Operands in, Results &out, Evaluator &evaluator) {
  if (op.hasClusterSize())
    return op.emitError() << "the reference evaluator does not know clusters";
  FailureOr<Dim3> grid = dimensions(op, in, op.getGridSizeOperandValues(), "grid");
  FailureOr<Dim3> block = dimensions(op, in, op.getBlockSizeOperandValues(), "block");
  if (failed(grid) || failed(block))
    return failure();
  LogicalResult status =
      launchGrid(op, *grid, *block, dynamicBytesOf(op, in), op.getWorkgroupAttributions(), evaluator,
                 [&](ArrayRef<Tensor> shared) {
                   SmallVector<Tensor> all, none;
                   for (const Dim3 &numbers : {evaluator.block->id, evaluator.block->threadId(), *grid, *block})
                     for (int64_t number : numbers)
                       all.push_back(Tensor::index(number));
                   llvm::append_range(all, shared);
                   FailureOr<SmallVector<Tensor>> own = makeBuffers(op, op.getPrivateAttributions(), evaluator);
                   if (failed(own))
                     return failure();
                   llvm::append_range(all, *own);
                   return evaluator.runRegion(op.getBody(), std::move(all), none);
                 });
  addToken(op, out);
  return status;
}

//===------------------------------------------------------------------------------------------------------------===//
// Positions
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<GPUBlock *> blockOf(Operation *op, Evaluator &evaluator) {
  if (!evaluator.block)
    return op->emitError() << "is used outside of a kernel";
  return evaluator.block;
}

template <typename OpT, typename Fn> void addPosition(OpTable &table) {
  table.add<OpT>(+[](OpT op, Operands, Evaluator &evaluator) -> FailureOr<Tensor> {
    FailureOr<GPUBlock *> block = blockOf(op, evaluator);
    if (failed(block))
      return failure();
    return Tensor::index(Fn::of(op, **block));
  });
}

int64_t axisOf(gpu::Dimension dimension) { return int64_t(dimension); }
struct ThreadId {
  static int64_t of(gpu::ThreadIdOp op, GPUBlock &block) { return block.threadId()[axisOf(op.getDimension())]; }
};
struct BlockId {
  static int64_t of(gpu::BlockIdOp op, GPUBlock &block) { return block.id[axisOf(op.getDimension())]; }
};
struct BlockDim {
  static int64_t of(gpu::BlockDimOp op, GPUBlock &block) { return block.size[axisOf(op.getDimension())]; }
};
struct GridDim {
  static int64_t of(gpu::GridDimOp op, GPUBlock &block) { return block.grid[axisOf(op.getDimension())]; }
};
struct GlobalId {
  static int64_t of(gpu::GlobalIdOp op, GPUBlock &block) {
    const int64_t axis = axisOf(op.getDimension());
    return block.id[axis] * block.size[axis] + block.threadId()[axis];
  }
};
struct LaneId {
  static int64_t of(gpu::LaneIdOp, GPUBlock &block) { return block.threadNumber() % kWarpSize; }
};
struct SubgroupId {
  static int64_t of(gpu::SubgroupIdOp, GPUBlock &block) { return block.threadNumber() / kWarpSize; }
};
struct NumSubgroups {
  static int64_t of(gpu::NumSubgroupsOp, GPUBlock &block) { return (block.threads() + kWarpSize - 1) / kWarpSize; }
};
struct SubgroupSize {
  static int64_t of(gpu::SubgroupSizeOp, GPUBlock &) { return kWarpSize; }
};

//===------------------------------------------------------------------------------------------------------------===//
// Collective operations
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult evalBarrier(gpu::BarrierOp op, Operands, Results &, Evaluator &evaluator) {
  FailureOr<GPUBlock *> block = blockOf(op, evaluator);
  if (succeeded(block))
    (*block)->wait(op, GPUBlock::Group::Block, std::nullopt);
  return block;
}

arith::AtomicRMWKind kindOf(gpu::AllReduceOperation operation, bool isFloat) {
  using From = gpu::AllReduceOperation;
  using To = arith::AtomicRMWKind;
  switch (operation) {
  case From::ADD:
    return isFloat ? To::addf : To::addi;
  case From::MUL:
    return isFloat ? To::mulf : To::muli;
  case From::MINUI:
    return To::minu;
  case From::MINSI:
    return To::mins;
  case From::MINNUMF:
    return To::minnumf;
  case From::MAXUI:
    return To::maxu;
  case From::MAXSI:
    return To::maxs;
  case From::MAXNUMF:
    return To::maxnumf;
  case From::AND:
    return To::andi;
  case From::OR:
    return To::ori;
  case From::XOR:
    return To::xori;
  case From::MINIMUMF:
    return To::minimumf;
  case From::MAXIMUMF:
    return To::maximumf;
  }
  llvm_unreachable("all operations are listed");
}

/// Reduces `given` in any order: each element is rounded after each step, to the type.
Tensor reduce(ArrayRef<Tensor> given, arith::AtomicRMWKind kind, Evaluator &evaluator) {
  Tensor total = given.front();
  const ElementType type = total.elementType();
  Tensor bounds = total.boundTwin();
  double magnitude = 0;
  for (int64_t i = 0; i < total.size(); ++i) {
    Cell sum = total.data()[i];
    double bound = total.boundAt(i);
    magnitude = type.isFloat ? std::fabs(sum.f) : 0;
    for (const Tensor &next : given.drop_front()) {
      sum = combine(kind, type, sum, next.data()[i]);
      if (type.isFloat) {
        sum.f = type.round(sum.f);
        magnitude += std::fabs(next.data()[i].f);
        bound = kind == arith::AtomicRMWKind::addf ? bound + next.boundAt(i) : std::max(bound, next.boundAt(i));
      }
    }
    total.mutableData()[i] = sum;
    if (type.isFloat && kind == arith::AtomicRMWKind::addf)
      bound = roundedBound(type, magnitude, bound, kRoundings * double(given.size()));
    else if (type.isFloat && kind == arith::AtomicRMWKind::mulf)
      bound = roundedBound(type, sum.f, bound, kRoundings * double(given.size()));
    bounds.mutableData()[i] = Cell::of(bound);
  }
  if (type.isFloat && evaluator.tracksBounds())
    total.setBound(std::move(bounds));
  return total;
}

FailureOr<Tensor> evalAllReduce(gpu::AllReduceOp op, Operands in, Evaluator &evaluator) {
  FailureOr<GPUBlock *> block = blockOf(op, evaluator);
  if (failed(block))
    return failure();
  (*block)->wait(op, GPUBlock::Group::Block, in[0]);
  SmallVector<Tensor> given;
  for (const std::optional<Tensor> &value : (*block)->exchanged())
    if (value)
      given.push_back(*value);
  if (op.getOp())
    return reduce(given, kindOf(*op.getOp(), in[0].elementType().isFloat), evaluator);
  Tensor total = given.front();
  for (const Tensor &value : ArrayRef(given).drop_front()) {
    SmallVector<Tensor> combined;
    if (failed(evaluator.runRegion(op.getBody(), {total, value}, combined)))
      return failure();
    total = combined.front();
  }
  return total;
}

FailureOr<Tensor> evalSubgroupReduce(gpu::SubgroupReduceOp op, Operands in, Evaluator &evaluator) {
  FailureOr<GPUBlock *> block = blockOf(op, evaluator);
  if (failed(block))
    return failure();
  (*block)->wait(op, GPUBlock::Group::Warp, in[0]);
  ArrayRef<std::optional<Tensor>> lanes = (*block)->exchanged();
  // A cluster: `size` lanes with stride `stride`.
  const int64_t lane = (*block)->threadNumber() % kWarpSize, stride = op.getClusterStride();
  const int64_t size = op.getClusterSize().value_or(kWarpSize);
  SmallVector<Tensor> given;
  for (auto [other, value] : llvm::enumerate(lanes))
    if (value && int64_t(other) % stride == lane % stride && int64_t(other) / (size * stride) == lane / (size * stride))
      given.push_back(*value);
  return reduce(given, kindOf(op.getOp(), in[0].elementType().isFloat), evaluator);
}

LogicalResult evalShuffle(gpu::ShuffleOp op, Operands in, Results &out, Evaluator &evaluator) {
  FailureOr<GPUBlock *> block = blockOf(op, evaluator);
  if (failed(block))
    return failure();
  const int64_t lane = (*block)->threadNumber() % kWarpSize, offset = in[1].value().i, width = in[2].value().i;
  if (width < 1 || width > kWarpSize || (width & (width - 1)) != 0)
    return op.emitError() << "a width of " << width << " lanes is no power of two up to " << kWarpSize;
  (*block)->wait(op, GPUBlock::Group::Warp, in[0]);
  ArrayRef<std::optional<Tensor>> lanes = (*block)->exchanged();
  const int64_t first = lane / width * width;
  int64_t from = lane;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    from = lane ^ offset;
    break;
  case gpu::ShuffleMode::UP:
    from = lane - offset;
    break;
  case gpu::ShuffleMode::DOWN:
    from = lane + offset;
    break;
  case gpu::ShuffleMode::IDX:
    from = first + offset;
    break;
  }
  const bool isValid = from >= first && from < first + width && from < int64_t(lanes.size()) && lanes[from];
  out.push_back(isValid ? *lanes[from] : in[0]);
  out.push_back(Tensor::scalar(DType::I1, Cell::of(int64_t(isValid))));
  return success();
}

LogicalResult evalRotate(gpu::RotateOp op, Operands in, Results &out, Evaluator &evaluator) {
  FailureOr<GPUBlock *> block = blockOf(op, evaluator);
  if (failed(block))
    return failure();
  const int64_t lane = (*block)->threadNumber() % kWarpSize, width = op.getWidth(), first = lane / width * width;
  (*block)->wait(op, GPUBlock::Group::Warp, in[0]);
  ArrayRef<std::optional<Tensor>> lanes = (*block)->exchanged();
  const int64_t from = first + (lane - first + op.getOffset()) % width;
  const bool isValid = from < int64_t(lanes.size()) && lanes[from];
  out.push_back(isValid ? *lanes[from] : in[0]);
  out.push_back(Tensor::scalar(DType::I1, Cell::of(int64_t(isValid))));
  return success();
}

FailureOr<Tensor> evalBroadcast(gpu::SubgroupBroadcastOp op, Operands in, Evaluator &evaluator) {
  FailureOr<GPUBlock *> block = blockOf(op, evaluator);
  if (failed(block))
    return failure();
  (*block)->wait(op, GPUBlock::Group::Warp, in[0]);
  ArrayRef<std::optional<Tensor>> lanes = (*block)->exchanged();
  if (op.getBroadcastType() == gpu::BroadcastType::first_active_lane)
    return **llvm::find_if(lanes, [](const std::optional<Tensor> &lane) { return lane.has_value(); });
  const int64_t lane = in[1].value().i;
  if (lane < 0 || lane >= int64_t(lanes.size()) || !lanes[lane])
    return op.emitError() << "lane " << lane << " does not take part";
  return *lanes[lane];
}

//===------------------------------------------------------------------------------------------------------------===//
// Memory and streams
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult evalAlloc(gpu::AllocOp op, Operands in, Results &out, Evaluator &evaluator) {
  SmallVector<Tensor> sizes;
  for (Value size : op.getDynamicSizes())
    sizes.push_back(given(op, in, size));
  ArrayRef<Tensor> dynamic = sizes;
  MemRefType type = op.getType();
  FailureOr<Tensor> cells = evaluator.allocate(op, *ElementType::of(type), fillDynamic(type.getShape(), dynamic));
  if (failed(cells))
    return failure();
  setUninitialized(op, *cells, evaluator);
  out.push_back(Tensor::newBuffer(*cells));
  noteAllocation(op, out.back(), Allocation::Kind::Heap, evaluator);
  addToken(op, out);
  return success();
}

LogicalResult evalMemcpy(gpu::MemcpyOp op, Operands in, Results &out, Evaluator &) {
  const Tensor &from = given(op, in, op.getSrc()), &to = given(op, in, op.getDst());
  if (from.shape() != to.shape())
    return op.emitError() << "shape mismatch: " << from.typeString() << " copied to " << to.typeString();
  to.store(from.loaded());
  addToken(op, out);
  return success();
}

LogicalResult evalMemset(gpu::MemsetOp op, Operands in, Results &out, Evaluator &) {
  const Tensor &to = given(op, in, op.getDst());
  Tensor values(to.elementType(), to.shape());
  std::fill_n(values.mutableData(), values.size(), given(op, in, op.getValue()).value());
  to.store(values);
  addToken(op, out);
  return success();
}

template <typename OpT> LogicalResult evalNothing(OpT op, Operands, Results &out, Evaluator &) {
  addToken(op, out);
  return success();
}

} // namespace

void addGPUOps(OpTable &table) {
  table.add<gpu::LaunchFuncOp>(evalLaunchFunc);
  table.add<gpu::LaunchOp>(evalLaunch);
  table.addTerminator<gpu::ReturnOp>();
  table.addTerminator<gpu::TerminatorOp>();
  table.addTerminator<gpu::YieldOp>();
  addPosition<gpu::ThreadIdOp, ThreadId>(table);
  addPosition<gpu::BlockIdOp, BlockId>(table);
  addPosition<gpu::BlockDimOp, BlockDim>(table);
  addPosition<gpu::GridDimOp, GridDim>(table);
  addPosition<gpu::GlobalIdOp, GlobalId>(table);
  addPosition<gpu::LaneIdOp, LaneId>(table);
  addPosition<gpu::SubgroupIdOp, SubgroupId>(table);
  addPosition<gpu::NumSubgroupsOp, NumSubgroups>(table);
  addPosition<gpu::SubgroupSizeOp, SubgroupSize>(table);
  table.add<gpu::BarrierOp>(evalBarrier);
  table.add<gpu::AllReduceOp>(evalAllReduce);
  table.add<gpu::SubgroupReduceOp>(evalSubgroupReduce);
  table.add<gpu::ShuffleOp>(evalShuffle);
  table.add<gpu::RotateOp>(evalRotate);
  table.add<gpu::SubgroupBroadcastOp>(evalBroadcast);
  table.add<gpu::AllocOp>(evalAlloc);
  table.add<gpu::DeallocOp>(evalNothing<gpu::DeallocOp>);
  table.add<gpu::MemcpyOp>(evalMemcpy);
  table.add<gpu::MemsetOp>(evalMemset);
  table.add<gpu::WaitOp>(evalNothing<gpu::WaitOp>);
  table.add<gpu::HostRegisterOp>(evalNothing<gpu::HostRegisterOp>);
  table.add<gpu::HostUnregisterOp>(evalNothing<gpu::HostUnregisterOp>);
}

} // namespace mica::reference
