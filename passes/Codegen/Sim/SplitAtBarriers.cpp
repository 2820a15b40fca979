//===- SplitAtBarriers.cpp - splitting kernels at convergence points ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each call of a convergence point gets its own block; a region consists of all blocks that are reachable from one
// point without passing another. Its function clones those blocks into a loop over threads:
//
//   warp -> [preheader: what all threads share] -> [next thread?] -> [head: its values] -> clones ... -> [latch]
//                                                        |-> return
//
// A value that is live at a point has a slot in the thread's frame, and in each region a variable (an alloca, which
// LLVM promotes to a register): it is loaded from the frame in the head, stored where the value is defined, and stored
// to the frame where a point is reached. Arithmetic on ids, arguments and constants is recomputed in each region
// instead: in the preheader if all threads share it. So no assumption about the control flow is needed, and threads may
// diverge arbitrarily.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Passes.h"

#include "passes/Codegen/Reference/Passes.h"
#include "passes/Codegen/Sim/Instrument.h"
#include "passes/Codegen/Sim/Markers.h"
#include "passes/Codegen/Sim/Tables.h"
#include "passes/Schedule/RuntimeHelpers.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <cstddef>

namespace mica {
#define GEN_PASS_DEF_SPLITATBARRIERS
#include "passes/Codegen/Sim/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace {

/// A convergence point: the call and the blocks around it. Point 0 has no call.
struct Point {
  LLVM::CallOp call;
  Block *before = nullptr; ///< contains only the call
  Block *after = nullptr;  ///< the start of its region
  DenseI32ArrayAttr info;
};

/// Of values in a thread's frame, and the most that memory in it has: the frames begin at such an address, and no
/// instruction asks for more.
constexpr int64_t kSlotAlignment = 16, kWidestAlignment = 128;

/// The analysis of a kernel before it is split.
class Kernel {
public:
  Kernel(LLVM::LLVMFuncOp function, Tables &tables) : function(function), tables(tables) {}

  LogicalResult analyse();

  LLVM::LLVMFuncOp function;
  Tables &tables;
  SmallVector<Point> points;
  llvm::DenseMap<Block *, int64_t> pointOf;    ///< by block of a call
  llvm::DenseMap<Value, int64_t> slots;        ///< offset in the frame of values that live across points
  llvm::DenseMap<Operation *, int64_t> memory; ///< frame offset of allocations live across points; -1: on the stack
  int64_t frameBytes = 0;

  /// Whether `value` is recomputed in each region that uses it.
  bool isRecomputed(Value value);
  DictionaryAttr markerOf(Operation *op) const;

private:
  LogicalResult placeAllocations(ArrayRef<Value> live);
  /// An offset in the frame for `bytes`. Frames of the threads follow one another.
  int64_t place(int64_t bytes, int64_t alignment = kSlotAlignment) {
    frameAlignment = std::max(frameAlignment, alignment);
    const int64_t at = llvm::alignTo(frameEnd, alignment);
    frameEnd = at + std::max<int64_t>(bytes, 1);
    frameBytes = llvm::alignTo(frameEnd, frameAlignment);
    return at;
  }
  int64_t frameEnd = 0, frameAlignment = kSlotAlignment;
  llvm::DenseMap<Value, bool> recomputed;
};

} // namespace

/// The attributes of the marker that `op` calls; null for everything else.
DictionaryAttr Kernel::markerOf(Operation *op) const {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || !call.getCallee())
    return {};
  return tables.markers.lookup(*call.getCallee());
}

static bool isNonZeroConstant(Value value) {
  auto constant = value.getDefiningOp<LLVM::ConstantOp>();
  auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return number && !number.getValue().isZero() && !number.getValue().isAllOnes();
}

bool Kernel::isRecomputed(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &function.getBody().front();
  if (auto known = recomputed.find(value); known != recomputed.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (DictionaryAttr marker = markerOf(op))
    return recomputed[value] = marker.contains(kUniformAttr) || marker.contains(kLaneAttr);
  bool isSimple =
      isa<LLVM::ConstantOp, LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp, LLVM::AddressOfOp, LLVM::AllocaOp, LLVM::AddOp,
          LLVM::SubOp, LLVM::MulOp, LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp, LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp,
          LLVM::ICmpOp, LLVM::SelectOp, LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp, LLVM::GEPOp, LLVM::ExtractValueOp,
          LLVM::InsertValueOp, LLVM::IntToPtrOp, LLVM::PtrToIntOp, LLVM::BitcastOp, LLVM::AddrSpaceCastOp, LLVM::SMaxOp,
          LLVM::SMinOp, LLVM::UMaxOp, LLVM::UMinOp, LLVM::InsertElementOp, LLVM::ShuffleVectorOp>(op) ||
      (isa<LLVM::UDivOp, LLVM::SDivOp, LLVM::URemOp, LLVM::SRemOp>(op) && isNonZeroConstant(op->getOperand(1)));
  bool result = isSimple && llvm::all_of(op->getOperands(), [&](Value operand) { return isRecomputed(operand); });
  return recomputed[value] = result;
}

/// Allocations whose address is used after a point are placed in the frame.
LogicalResult Kernel::placeAllocations(ArrayRef<Value> live) {
  SmallVector<LLVM::AllocaOp> allocations;
  function.walk([&](LLVM::AllocaOp op) { allocations.push_back(op); });
  llvm::DenseSet<Value> liveSet(live.begin(), live.end());
  DataLayout layout = DataLayout::closest(function);
  for (LLVM::AllocaOp op : allocations) {
    auto count = op.getArraySize().getDefiningOp<LLVM::ConstantOp>();
    auto number = count ? dyn_cast<IntegerAttr>(count.getValue()) : IntegerAttr();
    if (!number)
      return op.emitError() << "allocates memory of a size known at run time, which is not simulated in kernels";
    // Uses through recomputed values are tracked; others are assumed to escape.
    bool crosses = false;
    SmallVector<Value> pending{op.getResult()};
    llvm::DenseSet<Value> seen;
    while (!pending.empty() && !crosses) {
      Value value = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      crosses |= liveSet.contains(value);
      for (OpOperand &use : value.getUses()) {
        Operation *user = use.getOwner();
        if (isa<LLVM::LoadOp>(user) || (isa<LLVM::StoreOp>(user) && use.getOperandNumber() == 1) ||
            isa<LLVM::MemcpyOp, LLVM::MemsetOp>(user))
          continue;
        if (user->getNumResults() == 1 && isRecomputed(user->getResult(0)))
          pending.push_back(user->getResult(0));
        else
          crosses = true;
      }
    }
    int64_t bytes = number.getInt() * int64_t(layout.getTypeSize(op.getElemType()).getFixedValue());
    // Code relies on the alignment of the type, such as 32 of a vector of 28 bytes.
    const int64_t alignment = std::clamp<int64_t>(
        std::max<int64_t>(op.getAlignment().value_or(1), layout.getTypeABIAlignment(op.getElemType())), kSlotAlignment,
        kWidestAlignment);
    memory[op] = crosses ? place(bytes, alignment) : -1;
  }
  return success();
}

LogicalResult Kernel::analyse() {
  points.push_back({{},
                    nullptr,
                    &function.getBody().front(),
                    DenseI32ArrayAttr::get(function.getContext(), {MICA_SIM_ENTRY, -1, 0, 0, 0, 0})});
  SmallVector<LLVM::CallOp> calls;
  function.walk([&](LLVM::CallOp op) {
    DictionaryAttr marker = markerOf(op);
    if (marker && marker.contains(kPointAttr))
      calls.push_back(op);
  });
  for (LLVM::CallOp call : calls) {
    Block *block = call->getBlock();
    Point point;
    point.call = call;
    point.before = block->splitBlock(call);
    point.after = point.before->splitBlock(++Block::iterator(call));
    OpBuilder builder(function.getContext());
    builder.setInsertionPointToEnd(block);
    LLVM::BrOp::create(builder, call.getLoc(), point.before);
    builder.setInsertionPointToEnd(point.before);
    LLVM::BrOp::create(builder, call.getLoc(), point.after);
    point.info = cast<DenseI32ArrayAttr>(markerOf(call).get(kPointAttr));
    pointOf[point.before] = static_cast<int64_t>(points.size());
    points.push_back(point);
  }
  if (points.size() >= MICA_SIM_DONE)
    return function.emitError() << "has more convergence points than " << MICA_SIM_DONE;
  Liveness liveness(function);
  SmallVector<Value> live;
  for (const Point &point : points) {
    if (!point.call)
      continue;
    for (Value value : liveness.getLiveOut(point.before))
      if (!llvm::is_contained(point.call->getResults(), value))
        live.push_back(value);
  }
  if (failed(placeAllocations(live)))
    return failure();
  DataLayout layout = DataLayout::closest(function);
  // In program order, so that equal kernels become equal code.
  llvm::DenseSet<Value> liveSet(live.begin(), live.end());
  auto placeValue = [&](Value value) {
    if (liveSet.contains(value) && !isRecomputed(value))
      slots[value] = place(layout.getTypeSize(value.getType()).getFixedValue());
  };
  for (Block &block : function.getBody()) {
    for (Value argument : block.getArguments())
      placeValue(argument);
    for (Operation &op : block)
      for (Value result : op.getResults())
        placeValue(result);
  }
  return success();
}

namespace {

/// Makes the function of one region.
class RegionBuilder {
public:
  RegionBuilder(Kernel &kernel, int64_t number)
      : kernel(kernel), tables(kernel.tables), number(number), loc(kernel.function.getLoc()),
        builder(kernel.function.getContext()), shared(builder.getContext()), own(builder.getContext()) {}

  LogicalResult build(StringRef name);

private:
  void makeLoop(StringRef name);
  Value field(OpBuilder &at, size_t offset, Type type) {
    return LLVM::LoadOp::create(at, loc, type, tables.offset(at, loc, warp, offset));
  }
  Value slotAddress(OpBuilder &at, int64_t offset) { return tables.offset(at, loc, frame, offset); }
  Value variable(Value value);
  Value get(Value value);
  Value recompute(Value value);
  Value receive(Type type);
  bool isShared(Value value);
  void define(Value original, Value made);
  LogicalResult cloneBlock(Block *block);
  LogicalResult cloneOp(Operation &op);
  LogicalResult cloneService(LLVM::CallOp call, ArrayAttr service);
  Value touch(LLVM::CallOp call, ArrayRef<Value> operands);
  void callAlign(LLVM::CallOp call, ArrayRef<Value> operands, size_t service);
  void cloneTerminator(Operation &op);
  void stopAt(int64_t point);
  void setNext(int64_t point);
  Block *target(Block *block);

  Kernel &kernel;
  Tables &tables;
  int64_t number;
  Location loc;
  OpBuilder builder, shared, own; ///< in the clone; at the end of the preheader; at the end of the head
  LLVM::LLVMFuncOp made;
  Block *latch = nullptr;
  Value warp, lane, lane32, frame, input, output;
  IRMapping mapping;
  llvm::DenseMap<Value, Value> variables, recomputedValues;
  llvm::DenseMap<Value, bool> sharedValues;
  llvm::DenseMap<int32_t, Value> uniforms;
  SmallVector<Block *> pending;
};

} // namespace

void RegionBuilder::makeLoop(StringRef name) {
  Type i64 = builder.getI64Type(), i8 = builder.getI8Type();
  builder.setInsertionPointToEnd(tables.module.getBody());
  made = LLVM::LLVMFuncOp::create(
      builder, loc, name, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), {tables.pointer}),
      LLVM::Linkage::Internal);
  Block *preheader = made.addEntryBlock(builder);
  warp = preheader->getArgument(0);
  Region &body = made.getBody();
  Block *test = builder.createBlock(&body, body.end(), {i64}, {loc});
  Block *head = builder.createBlock(&body, body.end());
  latch = builder.createBlock(&body, body.end());
  Block *exit = builder.createBlock(&body, body.end());

  shared.setInsertionPointToEnd(preheader);
  Value count = field(shared, offsetof(mica_sim_warp_v1, num_lanes), i64);
  Value frames = field(shared, offsetof(mica_sim_warp_v1, frames), tables.pointer);
  Value inputs = field(shared, offsetof(mica_sim_warp_v1, inputs), tables.pointer);
  Value outputs = field(shared, offsetof(mica_sim_warp_v1, outputs), tables.pointer);
  Value zero = tables.number(shared, loc, i64, 0), one = tables.number(shared, loc, i64, 1);
  auto enter = LLVM::BrOp::create(shared, loc, ValueRange{zero}, test);
  shared.setInsertionPoint(enter);

  OpBuilder at(builder.getContext());
  at.setInsertionPointToEnd(test);
  Value index = test->getArgument(0);
  Value more = LLVM::ICmpOp::create(at, loc, LLVM::ICmpPredicate::slt, index, count);
  LLVM::CondBrOp::create(at, loc, more, head, exit);
  at.setInsertionPointToEnd(latch);
  Value next = LLVM::AddOp::create(at, loc, index, one);
  LLVM::BrOp::create(at, loc, ValueRange{next}, test);
  at.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(at, loc, ValueRange());

  own.setInsertionPointToEnd(head);
  Value lanes = tables.offset(own, loc, warp, offsetof(mica_sim_warp_v1, lanes));
  Value place = LLVM::GEPOp::create(own, loc, tables.pointer, i8, lanes, ArrayRef<LLVM::GEPArg>{index});
  Value byte = LLVM::LoadOp::create(own, loc, i8, place);
  lane = LLVM::ZExtOp::create(own, loc, i64, byte);
  lane32 = LLVM::ZExtOp::create(own, loc, builder.getI32Type(), byte);
  auto ofLane = [&](Value base, int64_t bytes) -> Value {
    Value offset = LLVM::MulOp::create(own, loc, lane, tables.number(own, loc, i64, bytes));
    return LLVM::GEPOp::create(own, loc, tables.pointer, i8, base, ArrayRef<LLVM::GEPArg>{offset});
  };
  frame = ofLane(frames, kernel.frameBytes);
  input = ofLane(inputs, MICA_SIM_EXCHANGE_BYTES);
  output = ofLane(outputs, MICA_SIM_EXCHANGE_BYTES);
}

/// The variable of a value that lives across points.
Value RegionBuilder::variable(Value value) {
  Value &known = variables[value];
  if (!known) {
    // LLVM promotes allocas only in the entry block.
    OpBuilder at = OpBuilder::atBlockBegin(&made.getBody().front());
    Value one = tables.number(at, loc, builder.getI64Type(), 1);
    known = LLVM::AllocaOp::create(at, loc, tables.pointer, value.getType(), one);
  }
  return known;
}

void RegionBuilder::define(Value original, Value value) {
  if (kernel.slots.contains(original))
    LLVM::StoreOp::create(builder, loc, value, variable(original));
  else
    mapping.map(original, value);
}

Value RegionBuilder::get(Value value) {
  if (kernel.isRecomputed(value))
    return recompute(value);
  if (kernel.slots.contains(value))
    return LLVM::LoadOp::create(builder, loc, value.getType(), variable(value));
  return mapping.lookup(value);
}

bool RegionBuilder::isShared(Value value) {
  if (isa<BlockArgument>(value))
    return true;
  if (auto known = sharedValues.find(value); known != sharedValues.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  bool result;
  if (DictionaryAttr marker = kernel.markerOf(op))
    result = marker.contains(kUniformAttr);
  else if (isa<LLVM::AllocaOp>(op))
    result = kernel.memory.lookup(op) < 0;
  else
    result = llvm::all_of(op->getOperands(), [&](Value operand) { return isShared(operand); });
  return sharedValues[value] = result;
}

Value RegionBuilder::recompute(Value value) {
  if (Value known = recomputedValues.lookup(value))
    return known;
  Type i64 = builder.getI64Type();
  Value result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Value args = field(shared, offsetof(mica_sim_warp_v1, uniform) + MICA_SIM_ARGS * sizeof(int64_t), tables.pointer);
    int64_t offset = 0;
    for (unsigned i = 0; i < argument.getArgNumber(); ++i)
      offset += tables.argumentBytes(kernel.function.getArgument(i).getType());
    result = LLVM::LoadOp::create(shared, loc, value.getType(), tables.offset(shared, loc, args, offset),
                                  tables.slotAlignment(value.getType()));
  } else if (DictionaryAttr marker = kernel.markerOf(value.getDefiningOp())) {
    if (auto uniform = marker.getAs<IntegerAttr>(kUniformAttr)) {
      result = field(shared, offsetof(mica_sim_warp_v1, uniform) + uniform.getInt() * sizeof(int64_t), i64);
    } else {
      int64_t which = marker.getAs<IntegerAttr>(kLaneAttr).getInt();
      if (which == 3) {
        result = lane;
      } else {
        Value base = tables.offset(own, loc, warp,
                                   offsetof(mica_sim_warp_v1, thread) + which * MICA_SIM_LANES * sizeof(int64_t));
        Value place = LLVM::GEPOp::create(own, loc, tables.pointer, i64, base, ArrayRef<LLVM::GEPArg>{lane});
        result = LLVM::LoadOp::create(own, loc, i64, place);
      }
    }
  } else if (auto alloca = value.getDefiningOp<LLVM::AllocaOp>()) {
    int64_t at = kernel.memory.lookup(alloca);
    if (at >= 0) {
      result = slotAddress(own, at);
    } else {
      OpBuilder entry = OpBuilder::atBlockBegin(&made.getBody().front());
      Operation *count = entry.clone(*alloca.getArraySize().getDefiningOp());
      result = LLVM::AllocaOp::create(entry, loc, alloca.getType(), alloca.getElemType(), count->getResult(0),
                                      alloca.getAlignment().value_or(0));
    }
  } else {
    Operation *op = value.getDefiningOp();
    IRMapping operands;
    for (Value operand : op->getOperands())
      operands.map(operand, recompute(operand));
    result = (isShared(value) ? shared : own).clone(*op, operands)->getResult(cast<OpResult>(value).getResultNumber());
  }
  return recomputedValues[value] = result;
}

void RegionBuilder::setNext(int64_t point) {
  Value base = tables.offset(builder, loc, warp, offsetof(mica_sim_warp_v1, next));
  Type i16 = builder.getI16Type();
  Value place = LLVM::GEPOp::create(builder, loc, tables.pointer, i16, base, ArrayRef<LLVM::GEPArg>{lane});
  LLVM::StoreOp::create(builder, loc, tables.number(builder, loc, i16, point), place);
  LLVM::BrOp::create(builder, loc, latch);
}

/// The thread stores the operands of the point, and the values that are live across it.
void RegionBuilder::stopAt(int64_t number) {
  const Point &point = kernel.points[number];
  int64_t at = 0;
  for (Value operand : LLVM::CallOp(point.call).getArgOperands()) {
    LLVM::StoreOp::create(builder, loc, get(operand), tables.offset(builder, loc, input, at),
                          tables.slotAlignment(operand.getType()));
    at += tables.argumentBytes(operand.getType());
  }
  Liveness &liveness = tables.livenessOf(kernel.function);
  SmallVector<std::pair<int64_t, Value>> live;
  for (Value value : liveness.getLiveOut(point.before))
    if (auto slot = kernel.slots.find(value);
        slot != kernel.slots.end() && !llvm::is_contained(point.call->getResults(), value))
      live.push_back({slot->second, value});
  llvm::sort(live, [](auto &a, auto &b) { return a.first < b.first; });
  for (auto [offset, value] : live)
    LLVM::StoreOp::create(builder, loc, get(value), slotAddress(builder, offset),
                          tables.slotAlignment(value.getType()));
  setNext(number);
}

Block *RegionBuilder::target(Block *block) {
  if (Block *known = mapping.lookupOrNull(block))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  Block *fresh = builder.createBlock(latch);
  for (BlockArgument argument : block->getArguments())
    fresh->addArgument(argument.getType(), argument.getLoc());
  mapping.map(block, fresh);
  pending.push_back(block);
  return fresh;
}

void RegionBuilder::cloneTerminator(Operation &op) {
  if (isa<LLVM::ReturnOp, LLVM::UnreachableOp>(op))
    return setNext(MICA_SIM_DONE);
  if (op.getNumSuccessors() == 1 && kernel.pointOf.contains(op.getSuccessor(0)))
    return stopAt(kernel.pointOf.lookup(op.getSuccessor(0)));
  IRMapping operands;
  for (Value operand : op.getOperands())
    operands.map(operand, get(operand));
  for (Block *successor : op.getSuccessors())
    operands.map(successor, target(successor));
  builder.clone(op, operands);
}

LogicalResult RegionBuilder::cloneOp(Operation &op) {
  if (op.getNumResults() > 0 && llvm::all_of(op.getResults(), [&](Value value) { return kernel.isRecomputed(value); }))
    return success();
  if (DictionaryAttr marker = kernel.markerOf(&op))
    if (auto service = marker.getAs<ArrayAttr>(kServiceAttr))
      return cloneService(cast<LLVM::CallOp>(op), service);
  IRMapping operands;
  for (Value operand : op.getOperands())
    operands.map(operand, get(operand));
  Operation *copy = builder.clone(op, operands);
  for (auto [original, value] : llvm::zip_equal(op.getResults(), copy->getResults()))
    define(original, value);
  return success();
}

/// A call of a function of the runtime, with the thread.
LogicalResult RegionBuilder::cloneService(LLVM::CallOp call, ArrayAttr service) {
  Location at = call.getLoc();
  StringRef name = cast<StringAttr>(service[0]).getValue();
  std::optional<size_t> offset = serviceOffset(name);
  if (!offset)
    return call.emitError() << "unknown service '" << name << "'";
  SmallVector<Value> operands{warp, lane32};
  SmallVector<Value> values;
  for (Value operand : call.getArgOperands())
    values.push_back(get(operand));
  auto pack = [&]() -> Value { // packs the values into an array of 64-bit integers
    Type i64 = builder.getI64Type();
    OpBuilder entry = OpBuilder::atBlockBegin(&made.getBody().front());
    Value count = tables.number(entry, loc, i64, std::max<int64_t>(1, values.size()));
    Value memory = LLVM::AllocaOp::create(entry, loc, tables.pointer, i64, count);
    for (auto [i, value] : llvm::enumerate(values)) {
      if (value.getType() != i64)
        value = LLVM::SExtOp::create(builder, at, i64, value);
      LLVM::StoreOp::create(builder, at, value, tables.offset(builder, at, memory, 8 * int64_t(i)));
    }
    return memory;
  };
  auto constant = [&](unsigned i) -> Value {
    return tables.number(builder, at, builder.getI32Type(), cast<IntegerAttr>(service[i]).getInt());
  };
  auto text = [&](unsigned i) -> Value { return tables.text(builder, at, cast<StringAttr>(service[i]).getValue()); };
  SmallVector<Type> results;
  if (name == "print") {
    operands.append({text(1), text(2), pack()});
  } else if (name == "report") {
    Value count = tables.number(builder, at, builder.getI64Type(), values.size());
    operands.append({constant(1), text(2), pack(), count});
  } else {
    operands.append(values);
    for (unsigned i = 1; i < service.size(); ++i)
      operands.push_back(constant(i));
    llvm::append_range(results, call->getResultTypes());
  }
  Value result;
  if (name == "touch")
    result = touch(call, operands);
  else if (name == "align")
    callAlign(call, operands, *offset);
  else
    result = tables.callService(builder, at, *offset, results, operands);
  if (result)
    define(call.getResult(), result);
  return success();
}

static bool hasPartialBarriers(LLVM::LLVMFuncOp kernel) {
  auto flags = kernel->getAttrOfType<IntegerAttr>(kFlagsAttr);
  return flags && (flags.getInt() & MICA_SIM_PARTIAL_BARRIERS);
}

/// A shadow test: small sizes are tested by generated code, others by the runtime.
Value RegionBuilder::touch(LLVM::CallOp call, ArrayRef<Value> operands) {
  Location at = call.getLoc();
  Type i32 = builder.getI32Type();
  auto kernelAttribute = [&](StringRef name) { return kernel.function->getAttrOfType<IntegerAttr>(name).getInt(); };
  int64_t granule = kernelAttribute(kGranuleAttr);
  auto kind = cast<IntegerAttr>(cast<ArrayAttr>(kernel.markerOf(call).get(kServiceAttr))[1]).getInt();
  auto size = call.getArgOperands()[1].getDefiningOp<LLVM::ConstantOp>();
  int64_t bytes = size ? cast<IntegerAttr>(size.getValue()).getInt() : 0;
  constexpr int64_t kMostCells = 8;
  bool isPlain = (kind & MICA_SIM_ACCESS_KIND) != MICA_SIM_ATOMIC && bytes > 0 && bytes % granule == 0 &&
                 bytes / granule <= kMostCells && !(kernelAttribute(kChecksAttr) & MICA_SIM_CHECK_BARRIER_USE) &&
                 !hasPartialBarriers(kernel.function);
  if (!isPlain)
    return tables.callService(builder, at, *serviceOffset("touch"), {i32}, operands);
  SmallVector<Value> all(operands);
  for (mica_sim_uniform which : tables.touchUniforms()) {
    Value &known = uniforms[which];
    if (!known)
      known = field(shared, offsetof(mica_sim_warp_v1, uniform) + which * sizeof(int64_t), builder.getI64Type());
    all.push_back(known);
  }
  return LLVM::CallOp::create(builder, at, tables.touchFunction(int32_t(kind), bytes, granule), all).getResult();
}

/// The runtime is only called for misaligned addresses.
void RegionBuilder::callAlign(LLVM::CallOp call, ArrayRef<Value> operands, size_t service) {
  Location at = call.getLoc();
  Value one = tables.number(builder, at, builder.getI64Type(), 1),
        zero = tables.number(builder, at, builder.getI64Type(), 0);
  Value low = LLVM::AndOp::create(builder, at, operands[2], LLVM::SubOp::create(builder, at, operands[3], one));
  Value wrong = LLVM::ICmpOp::create(builder, at, LLVM::ICmpPredicate::ne, low, zero);
  Block *here = builder.getInsertionBlock();
  Block *told = builder.createBlock(latch), *rest = builder.createBlock(latch);
  builder.setInsertionPointToEnd(here);
  LLVM::CondBrOp::create(builder, at, wrong, told, rest);
  builder.setInsertionPointToEnd(told);
  tables.callService(builder, at, service, {}, operands);
  LLVM::BrOp::create(builder, at, rest);
  builder.setInsertionPointToEnd(rest);
}

LogicalResult RegionBuilder::cloneBlock(Block *block) {
  builder.setInsertionPointToEnd(mapping.lookup(block));
  if (block != kernel.points[number].after)
    for (auto [original, value] : llvm::zip_equal(block->getArguments(), mapping.lookup(block)->getArguments()))
      define(original, value);
  for (Operation &op : block->without_terminator())
    if (failed(cloneOp(op)))
      return failure();
  cloneTerminator(*block->getTerminator());
  return success();
}

/// The results of the point where the region begins; several results of a marker are one structure.
Value RegionBuilder::receive(Type type) {
  auto at = [&](Type part, int64_t number) -> Value {
    return LLVM::LoadOp::create(builder, loc, part, tables.offset(builder, loc, output, 16 * number),
                                tables.slotAlignment(part));
  };
  auto several = dyn_cast<LLVM::LLVMStructType>(type);
  if (!several)
    return at(type, 0);
  Value all = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, part] : llvm::enumerate(several.getBody()))
    all = LLVM::InsertValueOp::create(builder, loc, all, at(part, int64_t(i)), ArrayRef<int64_t>{int64_t(i)});
  return all;
}

LogicalResult RegionBuilder::build(StringRef name) {
  const Point &point = kernel.points[number];
  makeLoop(name);
  Block *first = builder.createBlock(latch);
  mapping.map(point.after, first);
  pending.push_back(point.after);
  builder.setInsertionPointToEnd(first);
  if (point.call) {
    for (Value result : point.call->getResults())
      define(result, receive(result.getType()));
    SmallVector<std::pair<int64_t, Value>> live;
    for (Value value : tables.livenessOf(kernel.function).getLiveOut(point.before))
      if (auto slot = kernel.slots.find(value);
          slot != kernel.slots.end() && !llvm::is_contained(point.call->getResults(), value))
        live.push_back({slot->second, value});
    llvm::sort(live, [](auto &a, auto &b) { return a.first < b.first; });
    for (auto [offset, value] : live)
      LLVM::StoreOp::create(builder, loc,
                            LLVM::LoadOp::create(builder, loc, value.getType(), slotAddress(builder, offset),
                                                 tables.slotAlignment(value.getType())),
                            variable(value));
  }
  while (!pending.empty())
    if (failed(cloneBlock(pending.pop_back_val())))
      return failure();
  LLVM::BrOp::create(own, loc, first);
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------------------------===//

namespace {
struct SplitAtBarriers : mica::impl::SplitAtBarriersBase<SplitAtBarriers> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Tables tables(module);
    SmallVector<LLVM::LLVMFuncOp> kernels;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(kKernelAttr))
        kernels.push_back(function);
    connectHelpers(module);
    if (kernels.empty() && tables.markers.empty())
      return;
    for (LLVM::LLVMFuncOp function : kernels)
      markSpinWaits(function, tables);
    for (LLVM::LLVMFuncOp function : kernels)
      if (failed(instrumentKernel(function, tables)) || failed(splitKernel(function, tables)))
        return signalPassFailure();
    if (failed(tables.defineHostMarkers()))
      return signalPassFailure();
    for (LLVM::LLVMFuncOp function : kernels)
      function.erase();
    tables.eraseMarkers();
    dropMemorySpaces(module);
  }

  LogicalResult splitKernel(LLVM::LLVMFuncOp function, Tables &tables) {
    Kernel kernel(function, tables);
    if (failed(kernel.analyse()))
      return failure();
    SmallVector<std::string> regions;
    SmallVector<int32_t> points;
    for (auto [i, point] : llvm::enumerate(kernel.points)) {
      regions.push_back((function.getName() + "_region_" + Twine(i)).str());
      if (failed(RegionBuilder(kernel, i).build(regions.back())))
        return failure();
      llvm::append_range(points, point.info.asArrayRef());
    }
    tables.makeKernel(function, regions, points, kernel.frameBytes);
    return success();
  }

  /// On the CPU there is only one memory space.
  void dropMemorySpaces(ModuleOp module) {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
      return type.getAddressSpace() == kWorkgroupSpace ? LLVM::LLVMPointerType::get(type.getContext()) : type;
    });
    replacer.recursivelyReplaceElementsIn(module, true, false, true);
    module.walk([](LLVM::AddrSpaceCastOp op) {
      if (op.getArg().getType() != op.getType())
        return;
      op.replaceAllUsesWith(op.getArg());
      op.erase();
    });
  }
};
} // namespace
