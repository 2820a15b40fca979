//===- RowLaunch.cpp - launches with a cooperative group per row ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A row is split into chunks of a few elements, each an access; thread t of a cooperative group of L threads processes
// chunks t, t + L, t + 2L, ...
//
//   reduce   each thread reduces its chunks; then threads of a warp by shuffles, and warps through workgroup memory
//   map      each thread computes its chunks
//   scalar   every thread of the cooperative group computes the scalar; one stores it, if it is used outside of the
//   group
//
// Scalars per row are kept in registers of all threads of the cooperative group. If a thread has a small static number
// of chunks, its elements are kept too, for the following ops.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/RowLaunch.h"

#include "passes/Codegen/GPU/Registers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mica::device;

/// Threads per block for cooperative groups of one warp.
static constexpr int64_t kBlock = 128;
/// Up to these numbers, a thread's chunks are unrolled, and its elements kept in registers.
static constexpr int64_t kUnrolledChunks = 8, kKeptElements = 32;

namespace {

/// One value per element of a chunk.
using Elements = SmallVector<Value>;

class RowEmitter {
public:
  RowEmitter(RewriterBase &rewriter, const RowGroup &group, const RowPlan &plan, ArrayRef<OpFoldResult> sizes)
      : rewriter(rewriter), group(group), plan(plan), sizes(sizes) {}

  /// Types of the workgroup memory of the ops, one buffer per scalar that warps exchange.
  static SmallVector<Type> workgroupTypes(MLIRContext *context, const RowGroup &group, const RowPlan &plan);
  /// Computes sizes on the host, before the launch.
  void prepare(Location loc);
  /// Emits all ops for the row at `positions`, by thread `lane` of its cooperative group.
  void emit(ValueRange positions, Value lane, ArrayRef<BlockArgument> workgroup);

private:
  Value constant(Location loc, int64_t value) { return arith::ConstantIndexOp::create(rewriter, loc, value); }
  Value multiplied(Location loc, Value value, int64_t factor) {
    return affine::AffineApplyOp::create(rewriter, loc, rewriter.getAffineDimExpr(0) * factor, ValueRange{value});
  }
  bool isKept() const;
  bool isPrivate(Value buffer) const;
  bool isRowNumber(AffineMap map) const {
    return llvm::none_of(llvm::seq<unsigned>(group.rows, group.loops()),
                         [&](unsigned loop) { return map.isFunctionOfDim(loop); });
  }
  SmallVector<Value> positionsOf(Location loc, Value chunk);
  SmallVector<Value> indicesOf(Location loc, AffineMap map, ValueRange positions);
  bool isVector(const RowOp &each, OpOperand &operand) const {
    return plan.elements > 1 && each.mapOf(operand, group.loops()).isFunctionOfDim(group.loops() - 1);
  }
  Elements load(const RowOp &each, OpOperand &operand, ValueRange positions);
  void store(const RowOp &each, OpOperand &init, ValueRange positions, ArrayRef<Value> values);
  SmallVector<Value> body(const RowOp &each, ValueRange arguments, ValueRange positions, int64_t element);
  void chunk(const RowOp &each, Value number, int64_t index, SmallVector<Value> &sums);
  void chunkWhere(const RowOp &each, Value inside, Value number, int64_t index, SmallVector<Value> &sums);
  void emitOp(const RowOp &each);
  void emitScalar(const RowOp &each);
  Value fromLane(Location loc, Value value, int32_t distance);
  void acrossGroup(const RowOp &each, ArrayRef<Combiner> combiners, SmallVector<Value> &sums);
  Value combine(const Combiner &combiner, Value a, Value b);
  void storeRowNumber(const RowOp &each, OpOperand &init, Value value);

  RewriterBase &rewriter;
  const RowGroup &group;
  const RowPlan &plan;
  ArrayRef<OpFoldResult> sizes;
  Value chunks; ///< in a row
  SmallVector<Value> rowPositions;
  Value lane;
  ArrayRef<BlockArgument> workgroup;
  llvm::DenseMap<Value, Value> numbers; ///< of buffers with a scalar per row: the scalar of this row
  /// For buffers with the elements of a row, accessed by a map: the elements of chunk number i of this thread.
  using Key = std::pair<std::pair<Value, AffineMap>, int64_t>;
  llvm::MapVector<Key, Elements> kept;
};

} // namespace

SmallVector<Type> RowEmitter::workgroupTypes(MLIRContext *context, const RowGroup &group, const RowPlan &plan) {
  SmallVector<Type> types;
  if (plan.lanes == kWarp)
    return types;
  auto space = mlir::gpu::AddressSpaceAttr::get(context, mlir::gpu::AddressSpace::Workgroup);
  for (const RowOp &each : group.ops)
    if (each.kind == RowOp::Kind::Reduce)
      for (Value init : each.op.getDpsInits())
        types.push_back(MemRefType::get({plan.lanes / kWarp}, cast<MemRefType>(init.getType()).getElementType(),
                                        MemRefLayoutAttrInterface(), space));
  return types;
}

void RowEmitter::prepare(Location loc) {
  OpFoldResult count = rewriter.getIndexAttr(1);
  AffineExpr s0 = rewriter.getAffineSymbolExpr(0), s1 = rewriter.getAffineSymbolExpr(1);
  for (OpFoldResult size : sizes.drop_front(group.rows))
    count = affine::makeComposedFoldedAffineApply(rewriter, loc, s0 * s1, {count, size});
  count = affine::makeComposedFoldedAffineApply(rewriter, loc, s0.floorDiv(plan.elements), {count});
  chunks = getValueOrCreateConstantIndexOp(rewriter, loc, count);
}

/// Whether a thread's chunks are unrolled.
bool RowEmitter::isKept() const {
  std::optional<int64_t> size = group.innerSize();
  if (!size)
    return false;
  int64_t each = llvm::divideCeil(*size / plan.elements, plan.lanes);
  return each <= kUnrolledChunks && each * plan.elements <= kKeptElements;
}

/// Whether `buffer` is not used outside of the group.
bool RowEmitter::isPrivate(Value buffer) const {
  return buffer.getDefiningOp<memref::AllocOp>() && llvm::all_of(buffer.getUsers(), [&](Operation *user) {
           return isa<memref::DeallocOp>(user) ||
                  llvm::any_of(group.ops, [&](const RowOp &each) { return each.op == user; });
         });
}

/// The positions of the group's loops at the first element of chunk `number`.
SmallVector<Value> RowEmitter::positionsOf(Location loc, Value number) {
  SmallVector<Value> positions(rowPositions);
  if (group.inner == 0 || !number)
    return positions;
  SmallVector<Value> within(group.inner);
  Value rest = plan.elements > 1 ? multiplied(loc, number, plan.elements) : number;
  for (unsigned i = group.inner; i-- > 0;) {
    within[i] = rest;
    if (i > 0) {
      Value size = getValueOrCreateConstantIndexOp(rewriter, loc, sizes[group.rows + i]);
      within[i] = arith::RemUIOp::create(rewriter, loc, rest, size);
      rest = arith::DivUIOp::create(rewriter, loc, rest, size);
    }
  }
  positions.append(within);
  return positions;
}

SmallVector<Value> RowEmitter::indicesOf(Location loc, AffineMap map, ValueRange positions) {
  SmallVector<Value> operands(positions);
  operands.resize(map.getNumDims(), constant(loc, 0));
  return *affine::expandAffineMap(rewriter, loc, map, operands);
}

/// The thread's values of `operand` at `positions`: each element of the chunk.
Elements RowEmitter::load(const RowOp &each, OpOperand &operand, ValueRange positions) {
  Location loc = each.op.getLoc();
  Value buffer = operand.get();
  auto type = dyn_cast<MemRefType>(buffer.getType());
  const size_t count = positions.size() > group.rows ? plan.elements : 1;
  if (!type)
    return Elements(count, buffer);
  AffineMap map = each.mapOf(operand, group.loops());
  if (auto known = numbers.find(buffer); known != numbers.end() && isRowNumber(map))
    return Elements(count, known->second);
  SmallVector<Value> indices = indicesOf(loc, map, positions);
  if (!isVector(each, operand))
    return Elements(count, memref::LoadOp::create(rewriter, loc, buffer, indices));
  Type element = type.getElementType();
  auto align = llvm::MaybeAlign(plan.elements * element.getIntOrFloatBitWidth() / 8);
  Value chunk = vector::LoadOp::create(rewriter, loc, VectorType::get({plan.elements}, element), buffer, indices,
                                       /*nontemporal=*/false, align);
  Elements values;
  for (int64_t i = 0; i < plan.elements; ++i)
    values.push_back(vector::ExtractOp::create(rewriter, loc, chunk, i));
  return values;
}

void RowEmitter::store(const RowOp &each, OpOperand &init, ValueRange positions, ArrayRef<Value> values) {
  Location loc = each.op.getLoc();
  Value buffer = init.get();
  SmallVector<Value> indices = indicesOf(loc, each.mapOf(init, group.loops()), positions);
  if (values.size() == 1) {
    memref::StoreOp::create(rewriter, loc, values.front(), buffer, indices);
    return;
  }
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  auto align = llvm::MaybeAlign(plan.elements * element.getIntOrFloatBitWidth() / 8);
  Value chunk = vector::FromElementsOp::create(rewriter, loc, VectorType::get({plan.elements}, element), values);
  vector::StoreOp::create(rewriter, loc, chunk, buffer, indices, /*nontemporal=*/false, align);
}

/// Emits the op's body on `arguments`, for element number `element` of the chunk at `positions`; returns the yielded
/// values.
SmallVector<Value> RowEmitter::body(const RowOp &each, ValueRange arguments, ValueRange positions, int64_t element) {
  IRMapping mapping;
  Block *block = each.op.getBody();
  mapping.map(block->getArguments(), arguments);
  for (Operation &inner : block->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      const unsigned loop = each.place[index.getDim()];
      Value position = positions[loop];
      if (element > 0 && loop + 1 == group.loops())
        position = arith::AddIOp::create(rewriter, inner.getLoc(), position, constant(inner.getLoc(), element));
      mapping.map(index.getResult(), position);
      continue;
    }
    rewriter.clone(inner, mapping);
  }
  SmallVector<Value> yielded;
  for (Value value : block->getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

Value RowEmitter::combine(const Combiner &combiner, Value a, Value b) {
  Operation *copy = rewriter.clone(*combiner.op);
  copy->setOperands({a, b});
  return copy->getResult(0);
}

/// Emits one chunk of a map or reduction, if the thread has it: chunk `number` of the row, `index` of the thread's (-1:
/// dynamic).
void RowEmitter::chunk(const RowOp &each, Value number, int64_t index, SmallVector<Value> &sums) {
  Location loc = each.op.getLoc();
  SmallVector<Value> positions = positionsOf(loc, number);
  const bool reduces = each.kind == RowOp::Kind::Reduce;
  SmallVector<Elements> operands;
  for (OpOperand &operand : each.op->getOpOperands()) {
    if (each.op.getMatchingBlockArgument(&operand).use_empty() || (reduces && each.op.isDpsInit(&operand))) {
      operands.emplace_back(plan.elements, Value());
      continue;
    }
    AffineMap map = each.mapOf(operand, group.loops());
    const bool mayKeep =
        index >= 0 && isa<MemRefType>(operand.get().getType()) && !isRowNumber(map) && map.isPermutation();
    const Key key{{operand.get(), map}, index};
    if (auto found = kept.find(key); mayKeep && found != kept.end()) {
      operands.push_back(found->second);
      continue;
    }
    operands.push_back(load(each, operand, positions));
    if (mayKeep)
      kept[key] = operands.back();
  }
  SmallVector<Elements> results(each.op.getNumDpsInits());
  for (int64_t e = 0; e < plan.elements; ++e) {
    SmallVector<Value> arguments;
    for (auto [i, values] : llvm::enumerate(operands)) {
      const bool isSum = reduces && i >= static_cast<size_t>(each.op.getNumDpsInputs());
      Value value = isSum ? sums[i - each.op.getNumDpsInputs()] : values[e];
      if (!value) // unused
        value = each.op.getBody()->getArgument(i);
      arguments.push_back(value);
    }
    SmallVector<Value> yielded = body(each, arguments, positions, e);
    for (auto [i, value] : llvm::enumerate(yielded)) {
      if (reduces)
        sums[i] = value;
      else
        results[i].push_back(value);
    }
  }
  if (reduces)
    return;
  for (auto [i, values] : llvm::enumerate(results)) {
    OpOperand &init = *each.op.getDpsInitOperand(i);
    AffineMap map = each.mapOf(init, group.loops());
    const bool mayKeep = index >= 0 && map.isPermutation();
    if (mayKeep)
      kept[{{init.get(), map}, index}] = values;
    if (!mayKeep || !isPrivate(init.get()))
      store(each, init, positions, values);
  }
}

/// Emits chunk() under the condition `inside`. The kept values are zero in other threads.
void RowEmitter::chunkWhere(const RowOp &each, Value inside, Value number, int64_t index, SmallVector<Value> &sums) {
  Location loc = each.op.getLoc();
  const size_t before = kept.size();
  Region body;
  SmallVector<Value> given(sums);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&body.emplaceBlock());
    chunk(each, number, index, given);
  }
  for (auto &[key, values] : ArrayRef(kept.begin(), kept.end()).drop_front(before))
    given.append(values);
  auto branch = scf::IfOp::create(rewriter, loc, TypeRange(ValueRange(given)), inside,
                                  /*withElseRegion=*/!given.empty());
  Block *then = branch.thenBlock();
  then->getOperations().splice(then->begin(), body.front().getOperations());
  if (given.empty())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(then);
  scf::YieldOp::create(rewriter, loc, given);
  rewriter.setInsertionPointToEnd(branch.elseBlock());
  SmallVector<Value> otherwise(sums);
  for (Value value : ArrayRef(given).drop_front(sums.size()))
    otherwise.push_back(arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(value.getType())));
  scf::YieldOp::create(rewriter, loc, otherwise);
  size_t next = 0;
  for (Value &sum : sums)
    sum = branch.getResult(next++);
  for (size_t i = before; i < kept.size(); ++i)
    for (Value &value : (kept.begin() + i)->second)
      value = branch.getResult(next++);
}

void RowEmitter::storeRowNumber(const RowOp &each, OpOperand &init, Value value) {
  Location loc = each.op.getLoc();
  numbers[init.get()] = value;
  if (isPrivate(init.get()))
    return;
  Value first = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, lane, constant(loc, 0));
  auto branch = scf::IfOp::create(rewriter, loc, first, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
  store(each, init, rowPositions, {value});
}

void RowEmitter::emitScalar(const RowOp &each) {
  SmallVector<Value> arguments;
  for (OpOperand &operand : each.op->getOpOperands()) {
    BlockArgument argument = each.op.getMatchingBlockArgument(&operand);
    arguments.push_back(argument.use_empty() ? Value(argument) : load(each, operand, rowPositions).front());
  }
  SmallVector<Value> yielded = body(each, arguments, rowPositions, 0);
  for (auto [i, value] : llvm::enumerate(yielded))
    storeRowNumber(each, *each.op.getDpsInitOperand(i), value);
}

/// `value` of the thread whose lane differs in bit `distance`. Threads exchange whole bytes.
Value RowEmitter::fromLane(Location loc, Value value, int32_t distance) {
  Type type = value.getType();
  const unsigned bits = type.getIntOrFloatBitWidth();
  if (bits < 8)
    value = arith::ExtUIOp::create(rewriter, loc, rewriter.getI8Type(), value);
  value = mlir::gpu::ShuffleOp::create(rewriter, loc, value, distance, kWarp, mlir::gpu::ShuffleMode::XOR)
              .getShuffleResult();
  return bits < 8 ? arith::TruncIOp::create(rewriter, loc, type, value).getResult() : value;
}

/// Combines the partial results of the threads of the cooperative group; all threads get the result.
void RowEmitter::acrossGroup(const RowOp &each, ArrayRef<Combiner> combiners, SmallVector<Value> &sums) {
  Location loc = each.op.getLoc();
  for (auto [combiner, sum] : llvm::zip_equal(combiners, sums))
    for (int32_t distance = kWarp / 2; distance > 0; distance /= 2)
      sum = combine(combiner, sum, fromLane(loc, sum, distance));
  if (plan.lanes == kWarp)
    return;
  Value warp =
      affine::AffineApplyOp::create(rewriter, loc, rewriter.getAffineDimExpr(0).floorDiv(kWarp), ValueRange{lane});
  Value inWarp = affine::AffineApplyOp::create(rewriter, loc, rewriter.getAffineDimExpr(0) % kWarp, ValueRange{lane});
  Value first = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, inWarp, constant(loc, 0));
  auto branch = scf::IfOp::create(rewriter, loc, first, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
    for (auto [i, sum] : llvm::enumerate(sums))
      memref::StoreOp::create(rewriter, loc, sum, workgroup[i], warp);
  }
  mlir::gpu::BarrierOp::create(rewriter, loc);
  for (auto [i, combiner] : llvm::enumerate(combiners)) {
    sums[i] = memref::LoadOp::create(rewriter, loc, workgroup[i], constant(loc, 0));
    for (int64_t w = 1; w < plan.lanes / kWarp; ++w)
      sums[i] = combine(combiner, sums[i], memref::LoadOp::create(rewriter, loc, workgroup[i], constant(loc, w)));
  }
  // Every reduction has its own workgroup memory, so no barrier is needed after the reads.
  workgroup = workgroup.drop_front(sums.size());
}

void RowEmitter::emitOp(const RowOp &each) {
  Location loc = each.op.getLoc();
  if (each.kind == RowOp::Kind::Scalar)
    return emitScalar(each);
  const bool reduces = each.kind == RowOp::Kind::Reduce;
  SmallVector<Value> sums;
  SmallVector<Combiner> combiners;
  if (reduces) {
    std::string why;
    combiners = *combinersOf(each.op, why);
    for (auto [i, combiner] : llvm::enumerate(combiners)) {
      OpOperand &init = *each.op.getDpsInitOperand(i);
      Value neutral = arith::ConstantOp::create(rewriter, loc, combiner.neutral);
      if (!numbers.contains(init.get())) {
        // The initial value counts once: the first thread, which stores the result, adds it.
        Value first = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, lane, constant(loc, 0));
        auto branch = scf::IfOp::create(rewriter, loc, TypeRange{neutral.getType()}, first, /*withElseRegion=*/true);
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(rewriter, loc, neutral);
        rewriter.setInsertionPointToStart(branch.thenBlock());
        scf::YieldOp::create(rewriter, loc, load(each, init, rowPositions).front());
        neutral = branch.getResult(0);
      }
      sums.push_back(neutral);
    }
  }
  if (isKept()) {
    const int64_t count = *group.innerSize() / plan.elements;
    for (int64_t i = 0; i * plan.lanes < count; ++i) {
      Value number = lane;
      if (i > 0)
        number = affine::AffineApplyOp::create(rewriter, loc, rewriter.getAffineDimExpr(0) + i * plan.lanes,
                                               ValueRange{lane});
      if ((i + 1) * plan.lanes <= count) {
        chunk(each, number, i, sums);
        continue;
      }
      Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, number, constant(loc, count));
      chunkWhere(each, inside, number, i, sums);
    }
  } else {
    auto loop = scf::ForOp::create(rewriter, loc, lane, chunks, constant(loc, plan.lanes), sums);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    chunk(each, loop.getInductionVar(), -1, carried);
    if (!carried.empty())
      scf::YieldOp::create(rewriter, loc, carried);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  if (!reduces)
    return;
  acrossGroup(each, combiners, sums);
  for (auto [i, sum] : llvm::enumerate(sums)) {
    OpOperand &init = *each.op.getDpsInitOperand(i);
    if (auto before = numbers.find(init.get()); before != numbers.end())
      sum = combine(combiners[i], before->second, sum);
    storeRowNumber(each, init, sum);
  }
}

void RowEmitter::emit(ValueRange positions, Value thread, ArrayRef<BlockArgument> memory) {
  rowPositions.assign(positions.begin(), positions.end());
  lane = thread;
  workgroup = memory;
  for (const RowOp &each : group.ops)
    emitOp(each);
}

mlir::gpu::LaunchOp mica::device::launchRows(RewriterBase &rewriter, LaunchBuilder &builder, const RowGroup &group,
                                             const RowPlan &plan, ArrayRef<OpFoldResult> sizes) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = group.ops.front().op.getLoc();
  RowEmitter emitter(rewriter, group, plan, sizes);
  emitter.prepare(loc);
  const int64_t groups = plan.lanes == kWarp ? kBlock / kWarp : 1;
  SmallVector<SharedLoop> loops;
  for (OpFoldResult size : sizes.take_front(group.rows))
    loops.push_back({rewriter.getIndexAttr(0), rewriter.getIndexAttr(1), size});
  SmallVector<Type> memory = RowEmitter::workgroupTypes(rewriter.getContext(), group, plan);
  return builder.launchGroups(rewriter, loc, loops, plan.lanes, groups, memory,
                              [&](ValueRange positions, Value lane, ArrayRef<BlockArgument> workgroup) {
                                emitter.emit(positions, lane, workgroup);
                              });
}
