//===- Lifetimes.cpp - lifetimes and promised properties of buffers ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Lifetimes.h. docs/UndefinedBehavior.md lists the detected errors, with sources.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Lifetimes.h"

#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mica::reference {

static Allocation *allocationOf(const Tensor &buffer) {
  return buffer.isBuffer() ? buffer.view().memory->allocation.get() : nullptr;
}

/// "memref.alloc's 4xf32" for messages.
static std::string nameOf(const Allocation &allocation) {
  return allocation.kind == Allocation::Kind::Argument ? "an argument"
                                                       : "memory of " + allocation.op->getName().getStringRef().str();
}

void noteAllocation(Operation *op, const Tensor &buffer, Allocation::Kind kind, Evaluator &evaluator) {
  UndefinedValues *values = evaluator.undefined();
  if (!values || !buffer.isBuffer())
    return;
  auto allocation = std::make_shared<Allocation>();
  allocation->op = op;
  allocation->kind = kind;
  allocation->number = ++values->allocations;
  allocation->bytes = buffer.size() * int64_t((buffer.elementType().bits + 7) / 8);
  buffer.view().memory->allocation = allocation;
  if (kind == Allocation::Kind::Heap)
    values->heap.insert({allocation->number, allocation});
  else if (kind == Allocation::Kind::Stack)
    values->stack.push_back(allocation);
}

LogicalResult endAllocation(Operation *op, const Tensor &buffer, Evaluator &evaluator) {
  Allocation *allocation = allocationOf(buffer);
  if (!allocation)
    return success();
  using Kind = Allocation::Kind;
  if (allocation->endedBy && allocation->kind == Kind::Heap)
    return emitBroken(op, "double free of " + nameOf(*allocation), allocation->endedBy, "freed here first", evaluator);
  if (allocation->kind == Kind::Stack || allocation->kind == Kind::Global)
    return emitBroken(op, nameOf(*allocation) + " is freed, which is not of the heap", allocation->op,
                      "the memory is made here", evaluator);
  // The base buffer of extracted metadata has rank 0, and represents the whole memory.
  const int64_t size = int64_t(buffer.view().memory->size());
  if (buffer.view().offset != 0 || (buffer.rank() != 0 && buffer.size() != size))
    return emitBroken(op,
                      "a view is freed: " + buffer.typeString() + " at offset " + Twine(buffer.view().offset) + " of " +
                          Twine(size) + " elements",
                      allocation->op, "the memory is made here", evaluator);
  allocation->endedBy = op;
  if (UndefinedValues *values = evaluator.undefined())
    values->heap.erase(allocation->number);
  return success();
}

void noteConstant(Operation *op, const Tensor &buffer, Evaluator &evaluator) {
  if (Allocation *allocation = allocationOf(buffer); allocation && evaluator.undefined() && !allocation->constantBy)
    allocation->constantBy = op;
}

/// Ops that use a buffer without accessing its elements: views, sizes, frees, control flow.
static bool isNoAccess(Operation *op) {
  if (isa<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
          memref::TransposeOp, memref::ExtractStridedMetadataOp, memref::MemorySpaceCastOp, memref::AssumeAlignmentOp,
          memref::DistinctObjectsOp, memref::DimOp, memref::RankOp, memref::PrefetchOp, memref::DeallocOp,
          bufferization::DeallocOp, arith::SelectOp>(op))
    return true;
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
    return callee && !callee.isExternal();
  }
  return op->getNumRegions() != 0 && !isa<linalg::LinalgOp, memref::GenericAtomicRMWOp, FunctionOpInterface>(op);
}

static bool writes(Operation *op, unsigned operand) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  return llvm::any_of(found, [&](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) && effect.getEffectValue<OpOperand *>() &&
           effect.getEffectValue<OpOperand *>()->getOperandNumber() == operand;
  });
}

LogicalResult checkAccess(Operation *op, Operands in, Evaluator &evaluator) {
  for (auto [k, operand] : llvm::enumerate(in)) {
    const Allocation *allocation = allocationOf(operand);
    if (!allocation || (!allocation->endedBy && !allocation->constantBy))
      continue;
    if (allocation->endedBy && !isNoAccess(op)) {
      const bool isStack = allocation->kind == Allocation::Kind::Stack;
      return emitBroken(op, nameOf(*allocation) + (isStack ? " is used after its scope" : " is used after it is freed"),
                        allocation->endedBy, isStack ? "the scope ends here" : "the memory is freed here", evaluator);
    }
    if (allocation->constantBy && writes(op, unsigned(k))) {
      const bool isGlobal = isa<memref::GlobalOp>(allocation->constantBy);
      const bool isClone = isa<bufferization::CloneOp>(allocation->constantBy);
      return emitBroken(op,
                        isGlobal  ? "a constant global is written"
                        : isClone ? "memory that was cloned is written"
                                  : "a buffer that is read_only is written",
                        allocation->constantBy,
                        isGlobal  ? "the global is constant"
                        : isClone ? "the memory is cloned here"
                                  : "the buffer is made here",
                        evaluator);
    }
  }
  return success();
}

LogicalResult checkAlignment(Operation *op, const Tensor &buffer, int64_t at, int64_t bytes, Evaluator &evaluator) {
  const unsigned bits = buffer.elementType().bits;
  if (!evaluator.undefined() || !allocationOf(buffer) || bytes <= 1 || (bits % 8 != 0 && bits != 1))
    return success();
  const int64_t address = buffer.view().bytes ? at : at * int64_t((bits + 7) / 8);
  if (address % bytes == 0)
    return success();
  return emitBroken(op,
                    "not aligned to " + Twine(bytes) + " bytes: " + Twine(address) + " bytes after the memory's begin",
                    allocationOf(buffer)->op, "the memory is made here", evaluator);
}

bool overlap(const Tensor &a, const Tensor &b) {
  if (!a.isBuffer() || !b.isBuffer() || a.view().memory != b.view().memory)
    return false;
  std::vector<bool> isOfA(a.view().memory->size());
  auto eachCell = [](const Tensor &buffer, function_ref<void(size_t)> visit) {
    forEachPosition(buffer.shape(), [&](ArrayRef<int64_t> at) {
      for (int64_t i = 0; i < buffer.view().unit(); ++i)
        visit(size_t(buffer.bufferPosition(at) + i));
    });
  };
  eachCell(a, [&](size_t cell) { isOfA[cell] = true; });
  bool found = false;
  eachCell(b, [&](size_t cell) { found |= isOfA[cell]; });
  return found;
}

LogicalResult checkOutputAliases(Operation *op, Operands in, Evaluator &evaluator) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!evaluator.undefined() || !linalgOp || linalgOp.getNumLoops() == 0)
    return success();
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    const Tensor &source = in[input->getOperandNumber()];
    if (!source.isBuffer() || !linalgOp.payloadUsesValueFromOperand(input))
      continue;
    for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
      const Tensor &target = in[init.getOperandNumber()];
      const bool isOnePoint = source.size() == 1 && target.size() == 1 && linalgOp.getNumReductionLoops() == 0;
      if (source.view().memory != target.view().memory || isOnePoint)
        continue;
      // In place, elementwise: each point only reads the element that it writes.
      const bool isInPlace = source.view().offset == target.view().offset &&
                             source.view().strides == target.view().strides && source.shape() == target.shape() &&
                             linalgOp.getMatchingIndexingMap(input) == linalgOp.getMatchingIndexingMap(&init) &&
                             linalgOp.getNumReductionLoops() == 0;
      if (!isInPlace && overlap(source, target))
        return emitBroken(op,
                          "input " + Twine(input->getOperandNumber()) + " and output " +
                              Twine(init.getOperandNumber()) + " have elements in common",
                          allocationOf(target) ? allocationOf(target)->op : op, "their memory is made here", evaluator);
    }
  }
  return success();
}

LogicalResult checkParallelWrites(Operation *op, Operands in, Evaluator &evaluator) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!evaluator.undefined() || !linalgOp)
    return success();
  // Of other maps it depends on the numbers which elements they give.
  if (!llvm::all_of(linalgOp.getIndexingMapsArray(), [](AffineMap map) { return map.isProjectedPermutation(); }))
    return success();
  SmallVector<int64_t> extents(linalgOp.getNumLoops(), 1);
  for (OpOperand &operand : op->getOpOperands())
    for (auto [d, result] : llvm::enumerate(linalgOp.getMatchingIndexingMap(&operand).getResults()))
      if (d < in[operand.getOperandNumber()].shape().size())
        extents[cast<AffineDimExpr>(result).getPosition()] = in[operand.getOperandNumber()].dim(d);
  if (llvm::is_contained(extents, 0))
    return success();
  for (OpOperand &init : linalgOp.getDpsInitsMutable())
    for (auto [loop, kind] : llvm::enumerate(linalgOp.getIteratorTypesArray()))
      if (kind == utils::IteratorType::parallel && extents[loop] > 1 &&
          !linalgOp.getMatchingIndexingMap(&init).isFunctionOfDim(unsigned(loop)))
        return op->emitError() << "iterations of parallel loop " << loop << ", of extent " << extents[loop]
                               << ", write the same elements of output " << init.getOperandNumber();
  return success();
}

StackScope::StackScope(Operation *scope, Evaluator &evaluator) : scope(scope), values(evaluator.undefined()) {
  // The threads of a kernel are interleaved, so their allocations end with the scope of the launch.
  if (values && (evaluator.block || !scope->hasTrait<OpTrait::AutomaticAllocationScope>()))
    values = nullptr;
  if (values)
    begin = values->stack.size();
}

StackScope::~StackScope() {
  if (!values)
    return;
  for (const std::shared_ptr<Allocation> &allocation : ArrayRef(values->stack).drop_front(begin))
    allocation->endedBy = scope;
  values->stack.truncate(begin);
}

void noteLeaks(ArrayRef<Tensor> results, Evaluator &evaluator) {
  UndefinedValues *values = evaluator.undefined();
  if (!values)
    return;
  for (const Tensor &result : results)
    if (const Allocation *allocation = allocationOf(result))
      values->heap.erase(allocation->number);
  llvm::MapVector<Operation *, std::pair<int64_t, int64_t>> sums;
  for (const auto &[number, allocation] : values->heap) {
    auto &[times, bytes] = sums[allocation->op];
    ++times;
    bytes += allocation->bytes;
  }
  for (const auto &[op, sum] : sums)
    values->leaks.push_back(
        placeOf(op, std::to_string(sum.second) + " bytes are never freed" +
                        (sum.first > 1 ? ", of " + std::to_string(sum.first) + " allocations" : std::string())));
}

} // namespace mica::reference
