//===- RowGroup.cpp - structured ops that share rows ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Decides which ops form a group, by the sizes of their loops and their accesses of buffers.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/RowGroup.h"

#include "dialects/RootBuffer.h"
#include "mica/Support/Checked.h"
#include "passes/Codegen/GPU/LaunchBuilder.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::device;

/// Shorter reductions are done by one thread.
static constexpr int64_t kShortRow = 17;
/// With more rows than this a kernel has enough cooperative groups to include elementwise ops; for at most kSmallRow
/// elements that does not matter.
static constexpr int64_t kManyRows = 16, kSmallRow = 4096;

codegen::GpuReductionConfigAttr RowPlan::toAttr(MLIRContext *context) const {
  return codegen::GpuReductionConfigAttr::get(context, group, lanes, elements,
                                              reason.empty() ? StringAttr() : StringAttr::get(context, reason));
}

std::optional<RowPlan> RowPlan::of(Operation *op) {
  const auto config = codegen::loweringConfigOf<codegen::GpuReductionConfigAttr>(op);
  if (!config)
    return std::nullopt;
  return RowPlan{config.getGroup(), config.getThreads(), config.getElements(), /*reason=*/""};
}

AffineMap RowOp::mapOf(OpOperand &operand, unsigned loops) const {
  SmallVector<AffineExpr> dims;
  for (unsigned to : place)
    dims.push_back(getAffineDimExpr(to, op.getContext()));
  return op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(dims, {}, loops, 0);
}

static std::optional<int64_t> product(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    count = mica::saturatingMul(count, size);
  }
  return count;
}

std::optional<int64_t> RowGroup::innerSize() const { return product(ArrayRef(sizes).drop_front(rows)); }
std::optional<int64_t> RowGroup::rowCount() const { return product(ArrayRef(sizes).take_front(rows)); }

int64_t RowGroup::elementsAtOnce(int64_t bytes) const {
  if (inner == 0 || ShapedType::isDynamic(sizes.back()))
    return 1;
  const unsigned last = loops() - 1;
  int64_t widest = 0;
  for (const RowOp &each : ops)
    for (OpOperand &operand : each.op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      AffineMap map = each.mapOf(operand, loops());
      if (!type || !map.isFunctionOfDim(last))
        continue;
      const int64_t elementBytes = vectorElementBytes(type.getElementType());
      auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
      if (!type.getLayout().isIdentity() || !map.isProjectedPermutation(/*allowZeroInResults=*/true) || !dim ||
          dim.getPosition() != last || type.getShape().back() != sizes.back() || elementBytes == 0)
        return 1;
      widest = std::max(widest, elementBytes);
    }
  return elementsPerAccess(bytes, widest, sizes.back());
}

LogicalResult mica::device::verifyPlan(const RowPlan &plan, const RowGroup &group) {
  /// The widest access of a thread, on any device.
  constexpr int64_t kAccessBytes = 16;
  const auto error = [](linalg::GenericOp op) {
    return op.emitOpError() << "'" << codegen::kLoweringConfigAttr << "': ";
  };
  for (const RowOp &each : group.ops) {
    std::optional<RowPlan> own = RowPlan::of(each.op);
    if (own && (own->lanes != plan.lanes || own->elements != plan.elements))
      return error(each.op) << "(C6) threads = " << own->lanes << ", elements = " << own->elements << ", expected "
                            << plan.lanes << " and " << plan.elements << " as in the first operation of group "
                            << plan.group << ": the group is one launch";
  }
  const int64_t most = group.elementsAtOnce(kAccessBytes);
  if (plan.elements <= most)
    return success();
  InFlightDiagnostic diagnostic = error(group.ops.front().op) << "(C5) elements = " << plan.elements << ", expected ";
  if (most == 1)
    return diagnostic
           << "1: the elements of a row are not known to lie side by side, or their number is odd or dynamic";
  diagnostic << "1";
  for (int64_t elements = 2; elements <= most; elements *= 2)
    diagnostic << (elements == most ? " or " : ", ") << elements;
  return diagnostic << ": an access of a thread has at most " << kAccessBytes << " bytes, and divides a row of "
                    << group.sizes.back() << " elements";
}

std::optional<SmallVector<Combiner>> mica::device::combinersOf(linalg::GenericOp op, std::string &why) {
  SmallVector<Combiner> combiners;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    SmallVector<Operation *> ops;
    if (!matchReduction(op.getRegionOutputArgs(), i, ops) || ops.size() != 1) {
      why = "its results are not combined by one operation each";
      return std::nullopt;
    }
    std::optional<TypedAttr> neutral = arith::getNeutralElement(ops.front());
    if (!neutral) {
      why = (ops.front()->getName().getStringRef() + " has no neutral element").str();
      return std::nullopt;
    }
    // For a type without infinities, the largest finite number is neutral.
    if (isa<arith::MaximumFOp, arith::MinimumFOp>(ops.front())) {
      auto type = cast<FloatType>(ops.front()->getResult(0).getType());
      const llvm::fltSemantics &semantics = type.getFloatSemantics();
      if (!APFloat::semanticsHasInf(semantics))
        neutral = FloatAttr::get(type, APFloat::getLargest(semantics, isa<arith::MaximumFOp>(ops.front())));
    }
    combiners.push_back({ops.front(), *neutral});
  }
  return combiners;
}

static bool isElementwiseBody(linalg::GenericOp op) {
  return llvm::all_of(*op.getBody(), [](Operation &inner) { return isMemoryEffectFree(&inner); });
}

namespace {
/// The loops and buffers of a group while it is extended.
class Grower {
public:
  /// Whether `op` fits, as a member before or after all others; if so, adds it.
  bool take(linalg::GenericOp op, bool atFront);
  /// The first member.
  void seed(linalg::GenericOp op);
  RowGroup group;

private:
  struct Access {
    Value buffer;
    AffineMap map;
    bool writes;
  };
  bool fits(const RowOp &candidate) const;
  void note(const RowOp &member);
  void accessesOf(const RowOp &each, SmallVector<Access> &found) const;

  SmallVector<Access> accesses;
  /// Per loop of the group: the dimensions of buffers that have its size.
  SmallVector<llvm::DenseSet<std::pair<Value, unsigned>>> extents;
};
} // namespace

/// Orders the loops of the op: those over rows are its first `rows` parallel ones.
static RowOp arrange(linalg::GenericOp op, unsigned rows) {
  RowOp each{op, RowOp::Kind::Scalar, {}};
  if (op.getNumReductionLoops() > 0)
    each.kind = RowOp::Kind::Reduce;
  else if (op.getNumLoops() > rows)
    each.kind = RowOp::Kind::Map;
  each.place.resize(op.getNumLoops());
  unsigned row = 0, within = rows;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    each.place[loop] = linalg::isParallelIterator(type) && row < rows ? row++ : within++;
  return each;
}

void Grower::accessesOf(const RowOp &each, SmallVector<Access> &found) const {
  for (OpOperand &operand : each.op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      found.push_back({operand.get(), each.mapOf(operand, group.loops()), each.op.isDpsInit(&operand)});
}

bool Grower::fits(const RowOp &candidate) const {
  // Sizes match if they are equal constants, or the same dimension of the same buffer.
  SmallVector<int64_t> sizes = candidate.op.getStaticLoopRanges();
  SmallVector<Access> own;
  accessesOf(candidate, own);
  for (auto [loop, to] : llvm::enumerate(candidate.place)) {
    if (!ShapedType::isDynamic(sizes[loop]) && sizes[loop] == group.sizes[to])
      continue;
    bool same = false;
    for (const Access &access : own)
      for (auto [dim, expr] : llvm::enumerate(access.map.getResults()))
        if (auto d = dyn_cast<AffineDimExpr>(expr); d && d.getPosition() == to)
          same |= extents[to].contains({access.buffer, static_cast<unsigned>(dim)});
    if (!same)
      return false;
  }
  // All members must access the same elements of a buffer that a member writes.
  for (const Access &access : own) {
    Value root = mica::rootBuffer(access.buffer);
    for (const Access &other : llvm::concat<const Access>(accesses, own)) {
      if (!(access.writes || other.writes) || mica::rootBuffer(other.buffer) != root)
        continue;
      if (access.buffer != other.buffer || access.map != other.map)
        return false;
      for (unsigned row = 0; row < group.rows; ++row)
        if (!llvm::is_contained(access.map.getResults(), getAffineDimExpr(row, access.map.getContext())))
          return false;
    }
  }
  return true;
}

void Grower::note(const RowOp &member) {
  size_t before = accesses.size();
  accessesOf(member, accesses);
  for (const Access &access : ArrayRef(accesses).drop_front(before))
    for (auto [dim, expr] : llvm::enumerate(access.map.getResults()))
      if (auto d = dyn_cast<AffineDimExpr>(expr))
        extents[d.getPosition()].insert({access.buffer, static_cast<unsigned>(dim)});
}

void Grower::seed(linalg::GenericOp op) {
  group.rows = op.getNumParallelLoops();
  group.inner = op.getNumReductionLoops();
  RowOp member = arrange(op, group.rows);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  group.sizes.resize(group.loops());
  for (auto [loop, to] : llvm::enumerate(member.place))
    group.sizes[to] = sizes[loop];
  extents.resize(group.loops());
  note(member);
  group.ops = {member};
}

bool Grower::take(linalg::GenericOp op, bool atFront) {
  const bool reduces = op.getNumReductionLoops() > 0;
  if (!op.hasPureBufferSemantics() || !isElementwiseBody(op))
    return false;
  if (reduces ? op.getNumParallelLoops() != group.rows || op.getNumReductionLoops() != group.inner
              : op.getNumLoops() != group.rows && op.getNumLoops() != group.loops())
    return false;
  RowOp candidate = arrange(op, group.rows);
  std::string why;
  if (reduces && !combinersOf(op, why))
    return false;
  if (candidate.kind == RowOp::Kind::Map) {
    // One cooperative group would do the work of many blocks.
    std::optional<int64_t> rows = group.rowCount(), within = group.innerSize();
    if (rows && *rows < kManyRows && (!within || *within > kSmallRow))
      return false;
  }
  if (!fits(candidate))
    return false;
  note(candidate);
  group.ops.insert(atFront ? group.ops.begin() : group.ops.end(), candidate);
  return true;
}

/// Whether all threads of a cooperative group would load a scalar that one of them overwrites later.
static bool updatesRowInPlace(const RowGroup &group) {
  llvm::DenseSet<Value> read, written;
  for (const RowOp &each : group.ops) {
    for (OpOperand &operand : each.op->getOpOperands())
      if (!each.op.getMatchingBlockArgument(&operand).use_empty() && !written.contains(operand.get()) &&
          !(each.kind == RowOp::Kind::Reduce && each.op.isDpsInit(&operand)))
        read.insert(operand.get());
    for (OpOperand &init : each.op.getDpsInitsMutable()) {
      if (each.kind != RowOp::Kind::Map && read.contains(init.get()))
        return true;
      written.insert(init.get());
    }
  }
  return false;
}

std::optional<RowGroup> mica::device::groupAround(ArrayRef<linalg::GenericOp> run, size_t from, size_t seed,
                                                  size_t &begin, std::string &why) {
  linalg::GenericOp op = run[seed];
  why.clear();
  if (op.getNumReductionLoops() == 0 || !op.hasPureBufferSemantics() || !isElementwiseBody(op))
    return std::nullopt;
  Grower grower;
  grower.seed(op);
  if (std::optional<int64_t> size = grower.group.innerSize(); size && *size < kShortRow)
    return std::nullopt;
  // Elements of a row must be contiguous in memory. If instead adjacent results are contiguous, a thread per result
  // reads contiguously.
  const unsigned last = grower.group.loops() - 1;
  bool isAlong = false, isAcross = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = grower.group.ops.front().mapOf(*input, grower.group.loops());
    if (!isa<MemRefType>(input->get().getType()) || map.getNumResults() == 0)
      continue;
    // A scalar per row, such as a scale, is loaded once whatever its layout.
    if (llvm::none_of(llvm::seq(grower.group.rows, grower.group.loops()),
                      [&](unsigned loop) { return map.isFunctionOfDim(loop); }))
      continue;
    AffineExpr fastest = map.getResults().back();
    isAlong |= fastest.isFunctionOfDim(last);
    for (unsigned row = 0; row < grower.group.rows; ++row)
      isAcross |= fastest.isFunctionOfDim(row);
  }
  std::optional<int64_t> rows = grower.group.rowCount();
  if (!isAlong || (isAcross && !(rows && *rows == 1)))
    return std::nullopt;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = grower.group.ops.front().mapOf(init, grower.group.loops());
    for (unsigned row = 0; row < grower.group.rows; ++row)
      if (!llvm::is_contained(map.getResults(), getAffineDimExpr(row, op.getContext())))
        return std::nullopt;
  }
  if (!combinersOf(op, why))
    return std::nullopt;
  begin = seed;
  while (begin > from && grower.take(run[begin - 1], /*atFront=*/true))
    --begin;
  for (size_t i = seed + 1; i < run.size() && grower.take(run[i], /*atFront=*/false); ++i) {
  }
  if (updatesRowInPlace(grower.group)) {
    why = "a number per row is updated in place";
    return std::nullopt;
  }
  return std::move(grower.group);
}

RowGroup mica::device::groupOf(ArrayRef<linalg::GenericOp> ops) {
  Grower grower;
  const linalg::GenericOp *seed =
      llvm::find_if(ops, [](linalg::GenericOp op) { return op.getNumReductionLoops() > 0; });
  if (seed == ops.end())
    return {};
  grower.seed(*seed);
  grower.group.ops.clear();
  for (linalg::GenericOp op : ops)
    grower.group.ops.push_back(arrange(op, grower.group.rows));
  return std::move(grower.group);
}
