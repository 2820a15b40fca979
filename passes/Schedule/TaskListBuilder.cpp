//===- TaskListBuilder.cpp - building a task list from a straight-line region -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TaskListBuilder.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/TaskListBuilder.h"

#include "mica/Support/Checked.h"
#include "mica/Support/Targets.h"
#include "passes/Schedule/ArenaPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#include <cassert>
#include <map>

#define DEBUG_TYPE "mica-schedule-form-task-lists"

using namespace mlir;
using namespace mica;

namespace {
/// An access of a memory by one task.
struct MemoryUse {
  int64_t task;
  bool writes;
};

/// A memory of the list: a root value, its writers and readers.
struct Memory {
  Value root;
  SmallVector<MemoryUse> uses; ///< in task order
  int64_t writer = -1;         ///< position of the task that writes all of it, -1 if written elsewhere
  int64_t offset = -1;         ///< in the arena, -1 if it is not in it
  int64_t bytes = 0;
  Value buffer; ///< in the list, of the root's type

  int64_t lastUse() const { return uses.back().task; }
};

class ListBuilder {
public:
  ListBuilder(OpBuilder &builder, const Segment &segment, HostSizes &sizes, SymbolTableCollection &symbols,
              const llvm::DenseMap<Value, ConstantParts> &parts, llvm::function_ref<bool(Value)> outlives)
      : builder(builder), segment(segment), sizes(sizes), symbols(symbols), parts(parts), outlives(outlives) {}

  FailureOr<BuiltTaskList> build(StringRef name);

private:
  LogicalResult readBindings();
  LogicalResult placeMemories(sched::TaskListOp list);
  void addArguments(sched::TaskListOp list);
  Value bufferFor(Value tensor, Location loc);
  Value scalarFor(Value hostValue);
  Value widen(sched::DispatchOp dispatch, Value scalar);
  bool isExchange(sched::DispatchOp dispatch);
  SmallVector<SmallVector<int64_t>> findDependencies();
  void addTask(int64_t index, ArrayRef<int64_t> dependencies, SmallVectorImpl<Value> &tokens);

  OpBuilder &builder;
  const Segment &segment;
  HostSizes &sizes;
  SymbolTableCollection &symbols;
  const llvm::DenseMap<Value, ConstantParts> &parts;
  llvm::function_ref<bool(Value)> outlives;

  SmallVector<SmallVector<Value>> bindings;      ///< per dispatch: the tensor of each buffer of its kernel
  SmallVector<SmallVector<Value>> kernelScalars; ///< per dispatch: its scalars as index values of the host function
  llvm::MapVector<Value, Memory> memories;
  llvm::DenseMap<Value, Value> widened;
  llvm::MapVector<Value, Value> scalars; ///< value of the host function -> argument of the list
  llvm::DenseMap<std::pair<Value, Type>, Value> views;
  Block *body = nullptr;
};
} // namespace

static Value makeWide(OpBuilder &builder, sched::DispatchOp dispatch, Value scalar) {
  if (scalar.getType().isIndex())
    return scalar;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(dispatch);
  if (scalar.getType().isInteger(1))
    return arith::IndexCastUIOp::create(builder, dispatch.getLoc(), builder.getIndexType(), scalar);
  return arith::IndexCastOp::create(builder, dispatch.getLoc(), builder.getIndexType(), scalar);
}

/// The host's value of a scalar argument, extended to index; created once, at the first dispatch that uses it.
Value ListBuilder::widen(sched::DispatchOp dispatch, Value scalar) {
  Value &wide = widened[scalar];
  if (!wide)
    wide = makeWide(builder, dispatch, scalar);
  return wide;
}

LogicalResult ListBuilder::readBindings() {
  for (auto [index, dispatch] : llvm::enumerate(segment.dispatches)) {
    sched::DispatchOp op = dispatch;
    ModuleOp kernel = sched::lookupKernel(op, op.getKernel(), symbols);
    std::optional<sched::KernelSignature> signature = kernel ? sched::kernelSignature(kernel) : std::nullopt;
    if (!signature)
      return op.emitOpError() << "calls '" << op.getKernel() << "', which does not say what it reads and writes";
    SmallVector<Value> tensors;
    unsigned nextInput = 0, nextResult = 0;
    for (const sched::KernelSignature::Binding &binding : signature->bindings) {
      bool reads = binding.access != sched::Access::Write, writes = binding.access != sched::Access::Read;
      Value tensor = reads ? op.getInputs()[nextInput++] : op.getResults()[nextResult];
      nextResult += writes;
      tensors.push_back(tensor);
      Memory &memory = memories[viewRoot(tensor)];
      memory.root = viewRoot(tensor);
      memory.uses.push_back({static_cast<int64_t>(index), writes});
      if (!reads)
        memory.writer = index;
    }
    bindings.push_back(std::move(tensors));
  }
  return success();
}

/// Allocates memory that only the list uses in the arena if its size is static, in the order in which it is written.
LogicalResult ListBuilder::placeMemories(sched::TaskListOp list) {
  SmallVector<Memory *> placed;
  SmallVector<BufferLifetime> lifetimes;
  for (auto &[root, memory] : memories) {
    std::optional<int64_t> bytes = sched::bufferBytes(cast<ShapedType>(root.getType()));
    if (memory.writer < 0 || outlives(root) || !bytes)
      continue;
    memory.bytes = *bytes;
    placed.push_back(&memory);
  }
  llvm::stable_sort(placed, [](Memory *a, Memory *b) { return a->writer < b->writer; });
  for (Memory *memory : placed)
    lifetimes.push_back({memory->bytes, memory->writer, memory->lastUse()});
  std::optional<ArenaPlan> planned = planArena(lifetimes, sched::kBufferAlignment);
  if (!planned)
    return list.emitError() << "the arena for " << lifetimes.size()
                            << " buffers takes more bytes than can be counted; use smaller tensors";
  const ArenaPlan &plan = *planned;
  assert(plan.offsets.size() == placed.size() && "one offset per buffer");
  for (auto [memory, offset] : llvm::zip_equal(placed, plan.offsets)) {
    memory->offset = offset;
    LDBG() << list.getSymName() << ": " << memory->root.getType() << " at " << memory->root.getLoc() << ", tasks "
           << memory->writer << " to " << memory->lastUse() << ": offset " << offset;
  }
  list.setArenaBytes(plan.bytes);
  int64_t sum = 0;
  for (const BufferLifetime &lifetime : lifetimes)
    sum = saturatingAdd(sum, lifetime.bytes);
  remark::analysis(list.getLoc(), remark::RemarkOpts::name("arena").category("memory"))
      << remark::add("{0} buffers of {1} bytes lie in an arena of {2} bytes", lifetimes.size(), sum, plan.bytes)
      << remark::metric("List", list.getSymName()) << remark::metric("Buffers", lifetimes.size())
      << remark::metric("Bytes", sum) << remark::metric("ArenaBytes", plan.bytes);
  return success();
}

/// Buffers first, then scalars: all dynamic sizes, and the kernels' scalars.
void ListBuilder::addArguments(sched::TaskListOp list) {
  for (auto &[root, memory] : memories) {
    bool isConstant = matchPattern(root, m_Constant()) || parts.contains(root);
    if (memory.offset < 0 && !isConstant && (memory.writer < 0 || outlives(root)))
      memory.buffer = body->addArgument(bufferTypeOf(root), root.getLoc());
  }
  for (auto [dispatch, tensors] : llvm::zip_equal(segment.dispatches, bindings)) {
    for (Value tensor : tensors)
      for (Value size : sizes.dynamicSizes(tensor))
        scalarFor(size);
    SmallVector<Value> &own = kernelScalars.emplace_back();
    for (Value scalar : sched::DispatchOp(dispatch).getScalars()) {
      own.push_back(widen(dispatch, scalar));
      scalarFor(own.back());
    }
  }
}

Value ListBuilder::scalarFor(Value hostValue) {
  Value &argument = scalars[hostValue];
  if (!argument)
    argument = body->addArgument(builder.getIndexType(), hostValue.getLoc());
  return argument;
}

/// The list's buffer for `tensor`: that of its root, or a view of it if the shapes differ.
Value ListBuilder::bufferFor(Value tensor, Location loc) {
  Value root = viewRoot(tensor);
  Memory &memory = memories[root];
  MemRefType type = bufferTypeOf(root);
  if (!memory.buffer) {
    ElementsAttr constant;
    if (matchPattern(root, m_Constant(&constant)))
      memory.buffer = sched::ConstantOp::create(builder, root.getLoc(), type, constant);
    else if (auto part = parts.find(root); part != parts.end())
      memory.buffer = makePart(builder, root.getLoc(), type, part->second);
    else if (memory.offset >= 0)
      memory.buffer = sched::ArenaOp::create(builder, root.getLoc(), type, memory.offset);
  }
  if (bufferTypeOf(tensor) == type)
    return memory.buffer;
  Value &view = views[{root, bufferTypeOf(tensor)}];
  if (!view)
    view = sched::ViewOp::create(builder, loc, bufferTypeOf(tensor), memory.buffer, 0, ValueRange());
  return view;
}

/// Whether the kernel of `dispatch` is an exchange between ranks.
bool ListBuilder::isExchange(sched::DispatchOp dispatch) {
  ModuleOp kernel = sched::lookupKernel(dispatch, dispatch.getKernel(), symbols);
  return kernel && kernel.walk([](sched::CollectiveOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// For each task the earlier tasks that it depends on: the writers of its inputs, the users of arena memory that it
/// overwrites, and the exchange before an exchange. Transitive dependencies are omitted.
SmallVector<SmallVector<int64_t>> ListBuilder::findDependencies() {
  size_t count = segment.dispatches.size();
  SmallVector<llvm::SmallSetVector<int64_t, 4>> needed(count);
  SmallVector<Memory *> arena;
  for (auto &[root, memory] : memories) {
    // A reader depends on the last writer, a writer on all readers since.
    int64_t writer = -1;
    SmallVector<int64_t> readers;
    for (MemoryUse use : memory.uses) {
      if (writer >= 0)
        needed[use.task].insert(writer);
      if (!use.writes) {
        readers.push_back(use.task);
        continue;
      }
      needed[use.task].insert(readers.begin(), readers.end());
      readers.clear();
      writer = use.task;
    }
    if (memory.offset >= 0)
      arena.push_back(&memory);
  }
  llvm::stable_sort(arena, [](Memory *a, Memory *b) { return a->writer < b->writer; });
  // A writer of a range depends on the users of the buffer that is there now, which depend on those before.
  struct Piece {
    int64_t end;
    Memory *memory;
  };
  std::map<int64_t, Piece> occupied; // by begin
  for (Memory *memory : arena) {
    const int64_t begin = memory->offset, end = memory->offset + memory->bytes;
    auto at = occupied.lower_bound(begin);
    if (at != occupied.begin() && std::prev(at)->second.end > begin)
      --at;
    while (at != occupied.end() && at->first < end) {
      const auto [from, piece] = *at;
      at = occupied.erase(at);
      if (piece.memory->writer != memory->writer)
        for (MemoryUse use : piece.memory->uses)
          needed[memory->writer].insert(use.task);
      if (from < begin)
        occupied[from] = {begin, piece.memory};
      if (piece.end > end)
        occupied[end] = {piece.end, piece.memory};
    }
    if (begin < end)
      occupied[begin] = {end, memory};
  }

  // All ranks make their exchanges in one order.
  int64_t exchange = -1;
  for (size_t task = 0; task < count; ++task) {
    if (!isExchange(segment.dispatches[task]))
      continue;
    if (exchange >= 0)
      needed[task].insert(exchange);
    exchange = task;
  }

  // Nearest first: dependencies of nearer tasks need no edges.
  SmallVector<llvm::BitVector> ancestors(count, llvm::BitVector(count));
  SmallVector<SmallVector<int64_t>> result(count);
  for (size_t task = 0; task < count; ++task) {
    SmallVector<int64_t> candidates(needed[task].begin(), needed[task].end());
    llvm::sort(candidates, std::greater<int64_t>());
    for (int64_t candidate : candidates) {
      if (candidate == static_cast<int64_t>(task) || ancestors[task].test(candidate))
        continue;
      result[task].push_back(candidate);
      ancestors[task] |= ancestors[candidate];
      ancestors[task].set(candidate);
    }
    llvm::sort(result[task]);
  }
  return result;
}

void ListBuilder::addTask(int64_t index, ArrayRef<int64_t> dependencies, SmallVectorImpl<Value> &tokens) {
  sched::DispatchOp dispatch = segment.dispatches[index];
  SmallVector<Value> buffers, arguments, after;
  for (Value tensor : bindings[index])
    buffers.push_back(bufferFor(tensor, dispatch.getLoc()));
  for (Value tensor : bindings[index])
    for (Value size : sizes.dynamicSizes(tensor))
      arguments.push_back(scalarFor(size));
  for (Value scalar : kernelScalars[index])
    arguments.push_back(scalarFor(scalar));
  for (int64_t dependency : dependencies)
    after.push_back(tokens[dependency]);
  ArrayAttr ids = dispatch.getOpIdsAttr() ? dispatch.getOpIdsAttr() : builder.getArrayAttr({});
  tokens.push_back(sched::TaskOp::create(builder, dispatch.getLoc(), sched::TokenType::get(builder.getContext()),
                                         dispatch.getKernelAttr(), buffers, arguments, after, ids,
                                         builder.getStringAttr(std::string(kHostDevice))));
}

FailureOr<BuiltTaskList> ListBuilder::build(StringRef name) {
  if (failed(readBindings()))
    return failure();
  SmallVector<Location> locations =
      llvm::map_to_vector(segment.dispatches, [](sched::DispatchOp op) { return op.getLoc(); });
  Location loc = FusedLoc::get(builder.getContext(), locations);
  auto list = sched::TaskListOp::create(builder, loc, name, 0);
  body = &list.getBody().emplaceBlock();
  if (failed(placeMemories(list)))
    return failure();
  addArguments(list);

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  // Buffers of dynamic size: the host computes the number of bytes.
  for (auto &[root, memory] : memories) {
    if (memory.buffer || memory.offset >= 0 || memory.writer < 0)
      continue;
    OpBuilder host(segment.end);
    auto type = cast<ShapedType>(root.getType());
    std::optional<int64_t> element = sched::elementBytes(type.getElementType());
    if (!element)
      return segment.dispatches[memory.writer]->emitOpError()
             << "writes elements of type " << type.getElementType() << ", which have no fixed size in memory";
    Value bytes = sched::ByteSizeOp::create(host, root.getLoc(), bufferTypeOf(root), sizes.dynamicSizes(root));
    memory.buffer = sched::DynamicOp::create(builder, root.getLoc(), bufferTypeOf(root), scalarFor(bytes));
  }
  SmallVector<SmallVector<int64_t>> dependencies = findDependencies();
  SmallVector<Value> tokens;
  for (auto [index, deps] : llvm::enumerate(dependencies))
    addTask(index, deps, tokens);

  BuiltTaskList built{list, {}, {}};
  llvm::DenseMap<Value, Value> rootOf;
  for (auto &[root, memory] : memories)
    if (memory.buffer)
      rootOf[memory.buffer] = root;
  for (BlockArgument argument : list.getBufferParameters())
    built.buffers.push_back(rootOf.lookup(argument));
  for (auto &[hostValue, argument] : scalars)
    built.scalars.push_back(hostValue);
  return built;
}

FailureOr<BuiltTaskList> mica::buildTaskList(OpBuilder &builder, StringRef name, const Segment &segment,
                                             HostSizes &sizes, SymbolTableCollection &symbols,
                                             const llvm::DenseMap<Value, ConstantParts> &parts,
                                             llvm::function_ref<bool(Value)> outlives) {
  return ListBuilder(builder, segment, sizes, symbols, parts, outlives).build(name);
}
