//===- VectorizeLoops.cpp - vectorizing linalg on buffers ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Lowers each group of linalg.generic ops on buffers (LoopGroup.h) to one nest of scf.for loops:
//
//   for each parallel dimension
//     init accumulators; load what does not change further in
//     for the vector dimension: step 64, then step 16, then step 1      (each only if something is left for it)
//       vector.load, the body on vectors, vector.store or accumulators as loop-carried vectors
//     combine accumulators; store
//
// Values that do not depend on the vector dimension stay scalars and are broadcast when they are combined with a
// vector. If an input is contiguous along another dimension than the results (a transpose), the two innermost loops run
// over square blocks that are transposed in registers; other noncontiguous elements are loaded one by one.
// Accumulators are kept in registers. i1 is stored as a byte.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/LoopGroup.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Common/TransposeVectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"

#include <cassert>

namespace mica {
#define GEN_PASS_DEF_VECTORIZELOOPSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica::cpu;

/// Number of steps that are accumulated before the accumulator is added to a total.
static constexpr int64_t kStepsPerSum = 32;

namespace {

/// Emits one group. State that changes from loop to loop is passed by value in `Scope`.
class NestWriter {
public:
  NestWriter(LoopGroup &group, OpBuilder &builder) : group(group), b(builder) {}

  void write() {
    computeSizes();
    Scope scope;
    scope.ivs.assign(group.numDims(), Value());
    scope.loads.resize(group.members.size());
    for (auto [index, member] : llvm::enumerate(group.members))
      scope.loads[index].assign(member.op.getNumDpsInputs(), Value());
    [[maybe_unused]] Accumulators left = writeLevel(0, scope, {});
    assert(begun.empty() && left.empty() && "each reduction ends at the level at which it begins");
  }

private:
  /// The state at one level of the nest.
  struct Scope {
    SmallVector<Value> ivs;                ///< per dimension; null outside of its loop
    int64_t lanes = 0;                     ///< width of the loop over the vector dimension; 0 outside of it
    OpFoldResult vectorBegin;              ///< where the loop over the vector dimension begins; null: at 0
    SmallVector<SmallVector<Value>> loads; ///< per member and input: its element (or vector), if loaded already
  };

  /// Accumulators of the members whose reductions have begun: per member and result one scalar and, if the vector
  /// dimension is reduced, one vector per vector loop. Flattened as loop-carried values.
  using Accumulators = SmallVector<Value>;

  bool reducesVectorDim(const GroupMember &member) const {
    return member.reduces() && group.vectorDim && group.positionOf(*group.vectorDim) >= member.firstReduction;
  }

  unsigned slotsPerResult(const GroupMember &member) const { return reducesVectorDim(member) ? group.lanes.size() : 1; }

  /// Index in the accumulators of result `result` of member `index`: its scalar, or its vector for `lanes`.
  unsigned slot(unsigned index, unsigned result, int64_t lanes) const {
    unsigned base = 0;
    for (unsigned m : begun) {
      GroupMember &member = group.members[m];
      if (m == index) {
        base += result * slotsPerResult(member);
        if (!reducesVectorDim(member) || lanes <= 1)
          return base;
        return base + 1 + (llvm::find(group.lanes, lanes) - group.lanes.begin());
      }
      base += member.op.getNumDpsInits() * slotsPerResult(member);
    }
    llvm_unreachable("member has no accumulators");
  }

  /// Sizes of the dimensions, as constants if static.
  void computeSizes() {
    linalg::GenericOp op = group.members.front().op;
    group.sizes.clear();
    for (unsigned dim = 0; dim < group.numDims(); ++dim) {
      OpFoldResult size;
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<MemRefType>(operand.get().getType());
        if (!type)
          continue;
        for (auto [index, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
          auto dimExpr = dyn_cast<AffineDimExpr>(expr);
          if (!dimExpr || dimExpr.getPosition() != dim || (size && isa<Attribute>(size)))
            continue;
          if (!type.isDynamicDim(index))
            size = b.getIndexAttr(type.getDimSize(index));
          else if (!size)
            size = memref::DimOp::create(b, op.getLoc(), operand.get(), index).getResult();
        }
      }
      group.sizes.push_back(size);
    }
  }

  Accumulators writeLevel(unsigned level, Scope scope, Accumulators accumulators) {
    for (auto [index, member] : llvm::enumerate(group.members))
      if (level < group.numDims())
        loadInputs(index, level, scope);
    SmallVector<unsigned> opened;
    for (auto [index, member] : llvm::enumerate(group.members))
      if (member.reduces() && member.firstReduction == level) {
        begun.push_back(index);
        opened.push_back(index);
        initAccumulators(index, scope, accumulators);
      }
    accumulators = level == group.numDims() ? writeBodies(scope, accumulators) : writeLoop(level, scope, accumulators);
    for (unsigned index : llvm::reverse(opened)) {
      finish(index, scope, accumulators);
      begun.pop_back();
      accumulators.resize(accumulators.size() -
                          group.members[index].op.getNumDpsInits() * slotsPerResult(group.members[index]));
    }
    return accumulators;
  }

  //===--------------------------------------------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------------------------------------------===//

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, location(), value); }
  Location location() { return group.members.front().op.getLoc(); }

  Accumulators writeLoop(unsigned level, Scope scope, Accumulators accumulators) {
    unsigned dim = group.order[level];
    if (dim == group.transposedDim)
      return writeTransposed(level, scope);
    if (dim != group.vectorDim) {
      return writeOneLoop(level, scope, accumulators, b.getIndexAttr(0), group.sizes[dim], 1);
    }
    OpFoldResult begin = scope.vectorBegin ? scope.vectorBegin : b.getIndexAttr(0);
    for (int64_t lanes : group.lanes) {
      if (scope.vectorBegin && lanes > 1)
        continue;
      OpFoldResult end = wholeBlocks(dim, lanes);
      if (getConstantIntValue(begin) && getConstantIntValue(begin) == getConstantIntValue(end))
        continue;
      scope.lanes = lanes;
      accumulators = writeOneLoop(level, scope, accumulators, begin, end, lanes);
      // Of equal extrema the first one counts, so the vectors are combined before later elements are compared.
      for (unsigned index : begun)
        if (group.members[index].argCompare && reducesVectorDim(group.members[index]))
          combineArg(index, lanes, accumulators);
      begin = end;
    }
    return accumulators;
  }

  /// The size of `dim`, rounded down to a multiple of `block`.
  OpFoldResult wholeBlocks(unsigned dim, int64_t block) {
    if (block == 1)
      return group.sizes[dim];
    AffineExpr s0 = b.getAffineSymbolExpr(0);
    return affine::makeComposedFoldedAffineApply(b, location(), s0.floorDiv(block) * block, {group.sizes[dim]});
  }

  /// The two innermost loops: square blocks, then the columns and the rows that no block covers.
  Accumulators writeTransposed(unsigned level, Scope scope) {
    unsigned dim = *group.vectorDim, other = *group.transposedDim;
    int64_t side = group.lanes.front();
    OpFoldResult zero = b.getIndexAttr(0), rows = wholeBlocks(other, side), columns = wholeBlocks(dim, side);
    auto isEmpty = [](OpFoldResult begin, OpFoldResult end) {
      return getConstantIntValue(begin) && getConstantIntValue(begin) == getConstantIntValue(end);
    };
    writeLoopOver(zero, rows, side, {}, [&](Value row, Accumulators) {
      return writeLoopOver(zero, columns, side, {}, [&](Value column, Accumulators) {
        Scope block = scope;
        block.lanes = side;
        block.ivs[other] = row;
        block.ivs[dim] = column;
        writeBlock(block);
        return Accumulators();
      });
    });
    if (!isEmpty(columns, group.sizes[dim])) {
      Scope rest = scope;
      rest.vectorBegin = columns;
      writeOneLoop(level, rest, {}, zero, rows, 1);
    }
    if (!isEmpty(rows, group.sizes[other]))
      writeOneLoop(level, scope, {}, rows, group.sizes[other], 1);
    return {};
  }

  /// One square block: loads and transposes inputs, then emits the bodies row by row.
  void writeBlock(Scope &scope) {
    unsigned dim = *group.vectorDim, other = *group.transposedDim;
    SmallVector<std::tuple<unsigned, unsigned, SmallVector<Value>>> transposed;
    for (auto [index, member] : llvm::enumerate(group.members))
      for (auto [number, operand] : llvm::enumerate(member.op.getDpsInputOperands())) {
        if (scope.loads[index][number] || !member.op.payloadUsesValueFromOperand(operand))
          continue;
        AffineMap map = member.op.getMatchingIndexingMap(operand);
        if (!map.isFunctionOfDim(other)) {
          scope.loads[index][number] = load(member.op, *operand, scope);
          continue;
        }
        bool isWritten = llvm::any_of(group.members, [&](GroupMember &writer) {
          return llvm::is_contained(writer.op.getDpsInits(), operand->get());
        });
        if (isWritten || !isTransposed(*operand, dim, other))
          continue;
        SmallVector<Value> vectors;
        auto type = VectorType::get({scope.lanes}, getElementTypeOrSelf(operand->get().getType()));
        for (int64_t lane = 0; lane < scope.lanes; ++lane) {
          Scope shifted = scope;
          shifted.ivs[dim] = shift(scope.ivs[dim], lane);
          vectors.push_back(vector::LoadOp::create(b, member.op.getLoc(), type, operand->get(), indices(map, shifted)));
        }
        transposed.emplace_back(index, number, transposeVectors(b, member.op.getLoc(), std::move(vectors)));
      }
    for (int64_t row = 0; row < scope.lanes; ++row) {
      Scope shifted = scope;
      shifted.ivs[other] = shift(scope.ivs[other], row);
      for (auto &[index, number, vectors] : transposed)
        shifted.loads[index][number] = vectors[row];
      writeBodies(shifted, {});
    }
  }

  Accumulators writeOneLoop(unsigned level, Scope scope, Accumulators accumulators, OpFoldResult begin,
                            OpFoldResult end, int64_t step) {
    std::optional<int64_t> from = getConstantIntValue(begin), to = getConstantIntValue(end);
    // Long float sums are split into blocks, each starting from zero: the rounding error then grows with the steps of a
    // block plus the number of blocks, not with the length of the whole sum.
    SmallVector<std::pair<unsigned, Reduction>> sums;
    if (!from || !to || *to - *from > 2 * kStepsPerSum * step)
      sums = floatSums(scope.lanes);
    if (sums.empty())
      return writeSteps(level, scope, accumulators, begin, end, step);
    AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
    // As many steps in a block as blocks, where their product is known.
    int64_t steps = kStepsPerSum;
    while (from && to && steps * steps * step < *to - *from)
      steps *= 2;
    int64_t block = steps * step;
    return writeLoopOver(begin, end, block, accumulators, [&](Value first, Accumulators totals) {
      AffineMap bound = AffineMap::get(0, 2, {s0 + block, s1}, b.getContext());
      OpFoldResult last = affine::makeComposedFoldedAffineMin(b, location(), bound, {OpFoldResult(first), end});
      Accumulators inner = totals;
      for (auto &[slot, reduction] : sums) {
        auto neutral = cast<Attribute>(reduction.neutral);
        Type type = inner[slot].getType();
        TypedAttr start = reduction.neutral;
        if (auto vector = dyn_cast<VectorType>(type))
          start = DenseElementsAttr::get(vector, neutral);
        inner[slot] = arith::ConstantOp::create(b, location(), start);
      }
      inner = writeSteps(level, scope, inner, first, last, step);
      for (auto &[slot, reduction] : sums)
        inner[slot] = arith::AddFOp::create(b, reduction.combiner->getLoc(), totals[slot], inner[slot]);
      return inner;
    });
  }

  /// The accumulators to which a loop of width `lanes` adds floats.
  SmallVector<std::pair<unsigned, Reduction>> floatSums(int64_t lanes) {
    SmallVector<std::pair<unsigned, Reduction>> found;
    for (unsigned index : begun) {
      // A running sum is a result at every step, so it cannot be split.
      if (group.members[index].scans())
        continue;
      for (auto [result, reduction] : llvm::enumerate(group.members[index].reductions))
        if (isa_and_present<arith::AddFOp>(reduction.combiner))
          found.push_back({slot(index, result, lanes), reduction});
    }
    return found;
  }

  Accumulators writeSteps(unsigned level, Scope scope, Accumulators accumulators, OpFoldResult begin, OpFoldResult end,
                          int64_t step) {
    unsigned dim = group.order[level];
    std::optional<int64_t> from = getConstantIntValue(begin), to = getConstantIntValue(end);
    if (from && to && *to - *from == step) {
      scope.ivs[dim] = constant(*from);
      return writeLevel(level + 1, scope, accumulators);
    }
    return writeLoopOver(
        begin, end, step, accumulators,
        [&](Value iv, Accumulators carried) {
          scope.ivs[dim] = iv;
          return writeLevel(level + 1, scope, carried);
        },
        /*unroll=*/scope.lanes <= 1);
  }

  /// Emits one loop that carries `accumulators` through `body`.
  Accumulators writeLoopOver(OpFoldResult begin, OpFoldResult end, int64_t step, Accumulators accumulators,
                             llvm::function_ref<Accumulators(Value, Accumulators)> body, bool unroll = false) {
    Location loc = location();
    auto loop = scf::ForOp::create(b, loc, getValueOrCreateConstantIndexOp(b, loc, begin),
                                   getValueOrCreateConstantIndexOp(b, loc, end), constant(step), accumulators);
    if (!unroll)
      disableUnrolling(loop);
    OpBuilder::InsertionGuard guard(b);
    if (accumulators.empty())
      b.setInsertionPoint(loop.getBody()->getTerminator());
    else
      b.setInsertionPointToStart(loop.getBody());
    Accumulators carried = body(loop.getInductionVar(), Accumulators(loop.getRegionIterArgs()));
    if (!accumulators.empty())
      scf::YieldOp::create(b, loc, carried);
    return Accumulators(loop.getResults());
  }

  /// The vectors are as wide as is useful; unrolling by LLVM would only cause spills.
  void disableUnrolling(scf::ForOp loop) {
    MLIRContext *context = loop.getContext();
    auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
    loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {},
                                                                   {}, {}, {}, {}, {}));
  }

  //===--------------------------------------------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------------------------------------------===//

  SmallVector<Value> indices(AffineMap map, const Scope &scope) {
    SmallVector<Value> result;
    for (AffineExpr expr : map.getResults()) {
      SmallVector<OpFoldResult> operands;
      for (Value iv : scope.ivs)
        operands.push_back(iv ? OpFoldResult(iv) : OpFoldResult(b.getIndexAttr(0)));
      OpFoldResult index =
          affine::makeComposedFoldedAffineApply(b, location(), AffineMap::get(map.getNumDims(), 0, expr), operands);
      result.push_back(getValueOrCreateConstantIndexOp(b, location(), index));
    }
    return result;
  }

  /// A buffer of i1 cast to one of bytes, because a vector of i1 in memory would be packed.
  Value asBytes(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.getElementType().isInteger(1))
      return buffer;
    auto bytes = MemRefType::get(type.getShape(), b.getI8Type(), type.getLayout(), type.getMemorySpace());
    return UnrealizedConversionCastOp::create(b, location(), bytes, buffer).getResult(0);
  }

  /// The element or vector of operand `operand` at the current position. Operands may be scalars.
  Value load(linalg::GenericOp op, OpOperand &operand, const Scope &scope) {
    Location loc = op.getLoc();
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      return operand.get();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<Value> at = indices(map, scope);
    Access access = scope.lanes > 1 ? classifyAccess(type, map, *group.vectorDim) : Access::Invariant;
    if (access == Access::Invariant)
      return memref::LoadOp::create(b, loc, operand.get(), at);
    auto vectorType = VectorType::get({scope.lanes}, type.getElementType());
    if (access == Access::Contiguous) {
      if (!type.getElementType().isInteger(1))
        return vector::LoadOp::create(b, loc, vectorType, operand.get(), at);
      Value bytes =
          vector::LoadOp::create(b, loc, VectorType::get({scope.lanes}, b.getI8Type()), asBytes(operand.get()), at);
      return arith::TruncIOp::create(b, loc, vectorType, bytes);
    }
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < scope.lanes; ++lane) {
      Scope shifted = scope;
      shifted.ivs[*group.vectorDim] = shift(scope.ivs[*group.vectorDim], lane);
      elements.push_back(memref::LoadOp::create(b, loc, operand.get(), indices(map, shifted)));
    }
    return vector::FromElementsOp::create(b, loc, vectorType, elements);
  }

  Value shift(Value iv, int64_t by) {
    return getValueOrCreateConstantIndexOp(
        b, location(),
        affine::makeComposedFoldedAffineApply(b, location(), b.getAffineSymbolExpr(0) + by, {OpFoldResult(iv)}));
  }

  void store(linalg::GenericOp op, OpOperand &operand, Value value, const Scope &scope) {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Access access = scope.lanes > 1 ? classifyAccess(type, map, *group.vectorDim) : Access::Invariant;
    if (access == Access::Invariant) {
      memref::StoreOp::create(b, loc, value, operand.get(), indices(map, scope));
      return;
    }
    value = widen(value, scope.lanes, loc);
    if (access == Access::Contiguous) {
      if (type.getElementType().isInteger(1))
        value = arith::ExtUIOp::create(b, loc, VectorType::get({scope.lanes}, b.getI8Type()), value);
      vector::StoreOp::create(b, loc, value, asBytes(operand.get()), indices(map, scope));
      return;
    }
    for (int64_t lane = 0; lane < scope.lanes; ++lane) {
      Scope shifted = scope;
      shifted.ivs[*group.vectorDim] = shift(scope.ivs[*group.vectorDim], lane);
      Value element = vector::ExtractOp::create(b, loc, value, lane);
      memref::StoreOp::create(b, loc, element, operand.get(), indices(map, shifted));
    }
  }

  /// Loads the inputs of a member that are invariant in the loops from `level` inwards.
  void loadInputs(unsigned index, unsigned level, Scope &scope) {
    GroupMember &member = group.members[index];
    for (auto [number, operand] : llvm::enumerate(member.op.getDpsInputOperands())) {
      AffineMap map = member.op.getMatchingIndexingMap(operand);
      if (!scope.loads[index][number] && lastPosition(group, map) < static_cast<int>(level) &&
          member.op.payloadUsesValueFromOperand(operand))
        scope.loads[index][number] = load(member.op, *operand, scope);
    }
  }

  //===--------------------------------------------------------------------------------------------------------===//
  // Bodies
  //===--------------------------------------------------------------------------------------------------------===//

  Value widen(Value value, int64_t lanes, Location loc) {
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(b, loc, VectorType::get({lanes}, value.getType()), value);
  }

  Accumulators writeBodies(Scope scope, Accumulators accumulators) {
    // A value that a member stores is read by later members from the register.
    SmallVector<std::tuple<Value, AffineMap, Value>> stored;
    for (auto [index, member] : llvm::enumerate(group.members)) {
      for (auto [number, operand] : llvm::enumerate(member.op.getDpsInputOperands()))
        for (auto &[buffer, map, value] : stored)
          if (buffer == operand->get() && map == member.op.getMatchingIndexingMap(operand))
            scope.loads[index][number] = value;
      loadInputs(index, group.numDims(), scope);

      IRMapping mapping;
      for (auto [argument, value] : llvm::zip_equal(member.op.getRegionInputArgs(), scope.loads[index]))
        if (value)
          mapping.map(argument, value);
      for (auto [result, argument] : llvm::enumerate(member.op.getRegionOutputArgs())) {
        if (member.reduces() && !member.writtenPerStep[result])
          mapping.map(argument, accumulators[slot(index, result, scope.lanes)]);
        else if (!argument.use_empty())
          mapping.map(argument, load(member.op, *member.op.getDpsInitOperand(result), scope));
      }
      SmallVector<Value> results = writeBody(member.op, mapping, scope);
      for (auto [result, value] : llvm::enumerate(results)) {
        OpOperand *init = member.op.getDpsInitOperand(result);
        if (member.reduces() && !member.writtenPerStep[result]) {
          Value &accumulator = accumulators[slot(index, result, scope.lanes)];
          if (auto type = dyn_cast<VectorType>(accumulator.getType()))
            value = widen(value, type.getNumElements(), member.op.getLoc());
          accumulator = value;
        } else {
          store(member.op, *init, value, scope);
          stored.emplace_back(init->get(), member.op.getMatchingIndexingMap(init), value);
        }
      }
    }
    return accumulators;
  }

  SmallVector<Value> writeBody(linalg::GenericOp op, IRMapping &mapping, const Scope &scope) {
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (auto indexOp = dyn_cast<linalg::IndexOp>(inner)) {
        Value position = scope.ivs[indexOp.getDim()];
        if (scope.lanes > 1 && indexOp.getDim() == group.vectorDim) {
          auto type = VectorType::get({scope.lanes}, b.getIndexType());
          Value base = vector::BroadcastOp::create(b, indexOp.getLoc(), type, position);
          position =
              arith::AddIOp::create(b, indexOp.getLoc(), base, vector::StepOp::create(b, indexOp.getLoc(), type));
        }
        mapping.map(indexOp.getResult(), position);
        continue;
      }
      // A body that is not vectorized may have vectors of its own: those of a structured op in it.
      bool onVectors = scope.lanes > 1 && llvm::any_of(inner.getOperands(), [&](Value operand) {
                         return isa<VectorType>(mapping.lookupOrDefault(operand).getType());
                       });
      if (!onVectors) {
        b.clone(inner, mapping);
        continue;
      }
      SmallVector<Value> operands;
      for (Value operand : inner.getOperands())
        operands.push_back(widen(mapping.lookupOrDefault(operand), scope.lanes, inner.getLoc()));
      OperationState state(inner.getLoc(), inner.getName());
      state.addOperands(operands);
      state.addTypes(VectorType::get({scope.lanes}, inner.getResult(0).getType()));
      state.addAttributes(llvm::to_vector(inner.getDiscardableAttrs()));
      state.propertiesAttr = inner.getPropertiesAsAttribute();
      mapping.map(inner.getResult(0), b.create(state)->getResult(0));
    }
    SmallVector<Value> results;
    for (Value value : op.getBody()->getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }

  //===--------------------------------------------------------------------------------------------------------===//
  // Reductions
  //===--------------------------------------------------------------------------------------------------------===//

  void initAccumulators(unsigned index, const Scope &scope, Accumulators &accumulators) {
    GroupMember &member = group.members[index];
    Location loc = member.op.getLoc();
    for (unsigned result = 0; result < member.op.getNumDpsInits(); ++result) {
      if (member.writtenPerStep[result]) {
        // Never read; keeps the positions of the others.
        Type type = member.op.getRegionOutputArgs()[result].getType();
        accumulators.push_back(arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
        continue;
      }
      Value start = load(member.op, *member.op.getDpsInitOperand(result), scope);
      if (!reducesVectorDim(member)) {
        accumulators.push_back(scope.lanes > 1 ? widen(start, scope.lanes, loc) : start);
        continue;
      }
      accumulators.push_back(start);
      for (int64_t lanes : group.lanes) {
        if (lanes == 1)
          continue;
        auto type = VectorType::get({lanes}, start.getType());
        if (member.argCompare)
          accumulators.push_back(vector::BroadcastOp::create(b, loc, type, start));
        else
          accumulators.push_back(arith::ConstantOp::create(
              b, loc, DenseElementsAttr::get(type, cast<Attribute>(member.reductions[result].neutral))));
      }
    }
  }

  /// Combines vectors to scalars and stores the results.
  void finish(unsigned index, const Scope &scope, Accumulators &accumulators) {
    GroupMember &member = group.members[index];
    for (unsigned result = 0; result < member.op.getNumDpsInits(); ++result) {
      if (member.writtenPerStep[result])
        continue;
      Value value = accumulators[slot(index, result, 1)];
      const Reduction &reduction = member.reductions[result];
      if (reducesVectorDim(member) && !member.argCompare)
        for (int64_t lanes : group.lanes)
          if (lanes > 1) {
            value = vector::ReductionOp::create(b, member.op.getLoc(), reduction.kind,
                                                accumulators[slot(index, result, lanes)], value);
            value.getDefiningOp()->setDiscardableAttrs(reduction.combiner->getDiscardableAttrDictionary());
          }
      store(member.op, *member.op.getDpsInitOperand(result), value, scope);
    }
  }

  /// Reduces (value, position) over all lanes of the vectors for `lanes`, into the scalars and all remaining vectors.
  void combineArg(unsigned index, int64_t lanes, Accumulators &accumulators) {
    if (lanes == 1)
      return;
    GroupMember &member = group.members[index];
    Location loc = member.argCompare->getLoc();
    Value values = accumulators[slot(index, 0, lanes)], positions = accumulators[slot(index, 1, lanes)];
    Type positionType = cast<VectorType>(positions.getType()).getElementType();
    Value best, isBest;
    // The lanes that are not worse than the best of all, NaN included.
    if (auto compare = dyn_cast<arith::CmpFOp>(member.argCompare)) {
      bool greater = compare.getPredicate() == arith::CmpFPredicate::OGT;
      best = vector::ReductionOp::create(
          b, loc, greater ? vector::CombiningKind::MAXNUMF : vector::CombiningKind::MINNUMF, values);
      isBest = arith::CmpFOp::create(b, loc, greater ? arith::CmpFPredicate::UGE : arith::CmpFPredicate::ULE, values,
                                     widen(best, lanes, loc));
    } else {
      auto predicate = cast<arith::CmpIOp>(member.argCompare).getPredicate();
      using I = arith::CmpIPredicate;
      using K = vector::CombiningKind;
      K kind = predicate == I::sgt   ? K::MAXSI
               : predicate == I::slt ? K::MINSI
               : predicate == I::ugt ? K::MAXUI
                                     : K::MINUI;
      best = vector::ReductionOp::create(b, loc, kind, values);
      isBest = arith::CmpIOp::create(b, loc, I::eq, values, widen(best, lanes, loc));
    }
    unsigned bits = positionType.isIndex() ? 64 : positionType.getIntOrFloatBitWidth();
    Value none = arith::ConstantOp::create(b, loc, b.getIntegerAttr(positionType, APInt::getSignedMaxValue(bits)));
    Value candidates = arith::SelectOp::create(b, loc, isBest, positions, widen(none, lanes, loc));
    if (positionType.isIndex())
      candidates = arith::IndexCastOp::create(b, loc, VectorType::get({lanes}, b.getI64Type()), candidates);
    Value position = vector::ReductionOp::create(b, loc, vector::CombiningKind::MINSI, candidates);
    // Equal values with different bits are -0 and +0: take the bits at the position.
    if (auto element = dyn_cast<FloatType>(best.getType())) {
      auto bits = VectorType::get({lanes}, b.getIntegerType(element.getWidth()));
      Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, candidates, widen(position, lanes, loc));
      Value held = arith::BitcastOp::create(b, loc, bits, values);
      Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(bits));
      Value first = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR,
                                                arith::SelectOp::create(b, loc, isFirst, held, zeros));
      best = arith::BitcastOp::create(b, loc, element, first);
    }
    if (positionType.isIndex())
      position = arith::IndexCastOp::create(b, loc, positionType, position);
    accumulators[slot(index, 0, 1)] = best;
    accumulators[slot(index, 1, 1)] = position;
    for (int64_t narrower : group.lanes)
      if (narrower > 1 && narrower < lanes) {
        accumulators[slot(index, 0, narrower)] = widen(best, narrower, loc);
        accumulators[slot(index, 1, narrower)] = widen(position, narrower, loc);
      }
  }

  LoopGroup &group;
  OpBuilder &b;
  SmallVector<unsigned> begun; ///< members whose reductions have begun, outermost first
};

struct VectorizeLoopsPass : mica::impl::VectorizeLoopsPassBase<VectorizeLoopsPass> {
  using VectorizeLoopsPassBase::VectorizeLoopsPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> named;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && !isa<linalg::GenericOp>(op))
        named.push_back(op);
    });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);
    }

    SmallVector<linalg::GenericOp> generics;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op.hasPureBufferSemantics())
        generics.push_back(op);
    });
    DenseSet<Operation *> done;
    for (linalg::GenericOp op : generics) {
      if (done.contains(op))
        continue;
      LoopGroup group = formGroup(op, vectorBits);
      remarkOn(group);
      OpBuilder builder(group.members.back().op);
      NestWriter(group, builder).write();
      for (GroupMember &member : group.members) {
        done.insert(member.op);
        member.op->erase();
      }
    }
  }

private:
  void remarkOn(LoopGroup &group) {
    linalg::GenericOp first = group.members.front().op;
    if (!group.vectorDim) {
      ReasonForScalars why = reasonForScalars(first, vectorBits);
      auto remark =
          remark::missed(first.getLoc(), remark::RemarkOpts::name("not-vectorized").category("vectorization"));
      remark << remark::add("scalar loops: {0}", why.text) << remark::reason("{0}", why.text);
      if (!why.advice.empty())
        remark << remark::metric("Rejected", "vectors") << remark::metric("Selected", "scalar loops")
               << remark::metric("Advice", why.advice);
      return;
    }
    int64_t ops = group.members.size();
    if (group.transposedDim)
      remark::passed(first.getLoc(), remark::RemarkOpts::name("transposed").category("vectorization"))
          << remark::add("blocks of {0}x{0} elements transposed in registers: inputs are contiguous along loop {1}, "
                         "results along loop {2}",
                         group.lanes.front(), *group.transposedDim, *group.vectorDim)
          << remark::metric("Block", group.lanes.front()) << remark::metric("From", *group.transposedDim)
          << remark::metric("To", *group.vectorDim);
    remark::passed(first.getLoc(), remark::RemarkOpts::name("vectorized").category("vectorization"))
        << remark::add("{0} ops in one nest, in vectors of {1} elements along loop {2} of {3}", ops,
                       group.lanes.front(), *group.vectorDim, group.numDims())
        << remark::metric("Ops", ops) << remark::metric("Lanes", group.lanes.front())
        << remark::metric("Loop", *group.vectorDim);
  }
};

} // namespace
