//===- SpinWaits.cpp - loops that wait for another thread -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   ^loop:                                   ^loop:
//     %v = llvm.load %flag                     %v = llvm.load %flag
//     %c = llvm.icmp "eq" %v, %zero            %c = llvm.icmp "eq" %v, %zero
//     llvm.cond_br %c, ^again, ^done           llvm.cond_br %c, ^again, ^done
//   ^again:                             ->   ^again:
//     llvm.br ^loop                            llvm.call @mica_sim_wait_0(%address, %value)
//                                              llvm.br ^loop
//
// Whether such a loop ends depends on memory alone: all iterations are equal until another thread writes. So the thread
// must yield to others, at a convergence point. A loop with loop-carried values on which its exit depends (a counter, a
// maximum of attempts) terminates by itself, and is not changed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Instrument.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace {

/// The maximum number of loads at the point: each passes an address and a value in 16 bytes each.
constexpr size_t kMostLoads = MICA_SIM_EXCHANGE_BYTES / 32;

struct Wait {
  Block *header = nullptr;
  SmallVector<Operation *> loads;
  SmallVector<Block *> latches;
};

class WaitFinder {
public:
  WaitFinder(LLVM::LLVMFuncOp kernel, Tables &tables) : tables(tables), dominance(kernel) {}

  /// The analysis of a waiting loop; nothing if it is none.
  std::optional<Wait> find(CFGLoop &loop);
  Tables &tables;
  DominanceInfo dominance;

private:
  bool followOwn(CFGLoop &loop, Value address, SmallVectorImpl<Value> &pending);
  bool follow(CFGLoop &loop, Value value, SmallVectorImpl<Value> &pending, Wait &wait);
};

} // namespace

static Value conditionOf(Operation *terminator) {
  if (auto branch = dyn_cast<LLVM::CondBrOp>(terminator))
    return branch.getCondition();
  if (auto select = dyn_cast<LLVM::SwitchOp>(terminator))
    return select.getValue();
  return {};
}

static Value addressReadBy(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<LLVM::LoadOp>([](auto op) { return op.getAddr(); })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>([](auto op) { return op.getPtr(); })
      .Default([](Operation *) { return Value(); });
}

/// Adds the values stored to the thread's private memory at `address`; false if an iteration may read what the previous
/// one stored.
bool WaitFinder::followOwn(CFGLoop &loop, Value address, SmallVectorImpl<Value> &pending) {
  while (auto inside = address.getDefiningOp<LLVM::GEPOp>())
    address = inside.getBase();
  auto memory = address.getDefiningOp<LLVM::AllocaOp>();
  if (!memory || !loop.contains(memory->getBlock()))
    return false;
  SmallVector<Operation *> users(address.getUsers());
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    if (isa<LLVM::GEPOp>(user))
      llvm::append_range(users, user->getUsers());
    else if (auto store = dyn_cast<LLVM::StoreOp>(user))
      pending.push_back(store.getValue());
    else if (!isa<LLVM::LoadOp>(user))
      return false;
  }
  return true;
}

/// Adds the values from which `value` is computed in the loop; false if one of them is loop-carried.
bool WaitFinder::follow(CFGLoop &loop, Value value, SmallVectorImpl<Value> &pending, Wait &wait) {
  Block *block = value.getParentBlock();
  if (!loop.contains(block))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (block == loop.getHeader())
      return false;
    // A block argument also depends on the conditions of the branches to it.
    for (Block *before : block->getPredecessors()) {
      auto branch = dyn_cast<BranchOpInterface>(before->getTerminator());
      if (!branch)
        return false;
      for (auto [i, successor] : llvm::enumerate(before->getSuccessors()))
        if (successor == block)
          if (Value passed = branch.getSuccessorOperands(i)[argument.getArgNumber()])
            pending.push_back(passed);
    }
    for (Block *inside : loop.getBlocks())
      if (Value condition = conditionOf(inside->getTerminator()))
        pending.push_back(condition);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (Value address = addressReadBy(op)) {
    if (isOwnMemory(address))
      return followOwn(loop, address, pending);
    wait.loads.push_back(op);
    pending.push_back(address);
    return true;
  }
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    DictionaryAttr marker = call.getCallee() ? tables.markers.lookup(*call.getCallee()) : DictionaryAttr();
    return marker && (marker.contains(kUniformAttr) || marker.contains(kLaneAttr));
  }
  llvm::append_range(pending, op->getOperands());
  return true;
}

std::optional<Wait> WaitFinder::find(CFGLoop &loop) {
  for (Block *block : loop.getBlocks())
    for (auto call : block->getOps<LLVM::CallOp>())
      if (DictionaryAttr marker = call.getCallee() ? tables.markers.lookup(*call.getCallee()) : DictionaryAttr();
          marker && marker.contains(kPointAttr))
        return std::nullopt; // it has a convergence point already
  Wait wait;
  wait.header = loop.getHeader();
  SmallVector<Block *> exits;
  loop.getExitingBlocks(exits);
  SmallVector<Value> pending;
  for (Block *exit : exits) {
    Value condition = conditionOf(exit->getTerminator());
    if (!condition)
      return std::nullopt;
    pending.push_back(condition);
  }
  llvm::DenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (seen.insert(value).second && !follow(loop, value, pending, wait))
      return std::nullopt;
  }
  if (wait.loads.empty())
    return std::nullopt;
  loop.getLoopLatches(wait.latches);
  return wait;
}

/// `value` in the 64 bits that the runtime compares; null if it is wider.
static Value bitsOf(OpBuilder &builder, Location loc, Value value, DataLayout &layout) {
  constexpr uint64_t kBits = 64;
  if (auto exchanged = dyn_cast<LLVM::LLVMStructType>(value.getType())) // of a cmpxchg: the loaded value
    value = LLVM::ExtractValueOp::create(builder, loc, value, ArrayRef<int64_t>{0});
  Type type = value.getType();
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
  const uint64_t bits = layout.getTypeSizeInBits(type);
  if (bits > kBits || !(type.isIntOrFloat() || isa<VectorType>(type)))
    return {};
  if (!type.isInteger())
    value = LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(bits), value);
  return bits == kBits ? value : LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), value).getResult();
}

/// A variable of the thread for the value of a load, which may not be executed in every iteration: initially 0.
static Value makePlace(LLVM::LLVMFuncOp kernel, Tables &tables, Block *header) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  Type i64 = builder.getI64Type();
  Value place = LLVM::AllocaOp::create(builder, loc, tables.pointer, i64, tables.number(builder, loc, i64, 1));
  if (header->isEntryBlock())
    return place;
  builder.setInsertionPointToStart(header);
  LLVM::StoreOp::create(builder, loc, tables.number(builder, loc, i64, 0), place);
  return place;
}

void sim::markSpinWaits(LLVM::LLVMFuncOp kernel, Tables &tables) {
  if (kernel.getBody().hasOneBlock())
    return;
  WaitFinder finder(kernel, tables);
  CFGLoopInfo loops(finder.dominance.getDomTree(&kernel.getBody()));
  SmallVector<Wait> waits;
  for (CFGLoop *loop : loops.getLoopsInPreorder())
    if (std::optional<Wait> wait = finder.find(*loop))
      waits.push_back(*wait);
  DataLayout layout = DataLayout::closest(kernel);
  for (const Wait &wait : waits) {
    Location loc = wait.loads.front()->getLoc();
    OpBuilder builder(kernel.getContext());
    Type i64 = builder.getI64Type();
    SmallVector<Value> places;
    int32_t bytes = 0;
    for (Operation *load : wait.loads) {
      builder.setInsertionPointAfter(load);
      if (places.size() == 2 * kMostLoads)
        break;
      Value bits = bitsOf(builder, loc, load->getResult(0), layout);
      if (!bits)
        continue;
      if (places.empty())
        bytes = static_cast<int32_t>(layout.getTypeSize(load->getResult(0).getType()).getFixedValue());
      for (Value found : {LLVM::PtrToIntOp::create(builder, loc, i64, addressReadBy(load)).getResult(), bits}) {
        places.push_back(makePlace(kernel, tables, wait.header));
        LLVM::StoreOp::create(builder, loc, found, places.back());
      }
    }
    const int32_t site = siteOf(kernel, siteText(loc)), loads = static_cast<int32_t>(places.size() / 2);
    for (Block *latch : wait.latches) {
      builder.setInsertionPoint(latch->getTerminator());
      SmallVector<Value> operands;
      for (Value place : places)
        operands.push_back(LLVM::LoadOp::create(builder, loc, i64, place));
      LLVM::LLVMFuncOp point = tables.declarePoint({MICA_SIM_WAIT, site, loads, bytes, 0, 0}, operands);
      LLVM::CallOp::create(builder, loc, point, operands);
    }
  }
}
