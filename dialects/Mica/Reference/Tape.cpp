//===- Tape.cpp - the steps of an evaluation, with their values ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Tape.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Evaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace mica::reference {

//===------------------------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------------------------===//

/// Elements of buffers that the steps of a tape keep: 32 bytes each.
static constexpr int64_t kMostCells = int64_t(1) << 26;

static std::vector<ValueOrigin> &cellsOf(const Tensor &buffer) {
  BufferMemory &memory = *buffer.view().memory;
  if (!memory.origins)
    memory.origins = std::make_shared<std::vector<ValueOrigin>>(memory.size());
  return *memory.origins;
}

/// The elements of `buffer` are those of the value with `origin`.
static void noteComputed(const Tensor &buffer, ValueOrigin origin) {
  std::vector<ValueOrigin> &cells = cellsOf(buffer);
  origin.element = 0;
  forEachPosition(buffer.shape(), [&](ArrayRef<int64_t> position) {
    cells[static_cast<size_t>(buffer.bufferPosition(position))] = origin;
    ++origin.element;
  });
}

void noteStored(const Tensor &value, const Tensor &buffer, int64_t at) {
  if (buffer.view().bytes) {
    buffer.view().memory->origins = nullptr; // several cells each
    return;
  }
  ValueOrigin origin = value.origin;
  origin.element = std::max<int64_t>(origin.element, 0);
  cellsOf(buffer)[static_cast<size_t>(at)] = value.size() == 1 ? origin : ValueOrigin();
}

ValueOrigin originAt(const Tensor &buffer, int64_t at) {
  const BufferMemory &memory = *buffer.view().memory;
  return memory.origins ? (*memory.origins)[static_cast<size_t>(at)] : ValueOrigin();
}

std::shared_ptr<const std::vector<ValueOrigin>> originsOf(const Tensor &buffer) {
  if (!buffer.view().memory->origins)
    return nullptr;
  auto found = std::make_shared<std::vector<ValueOrigin>>();
  forEachPosition(buffer.shape(), [&](ArrayRef<int64_t> position) {
    found->push_back(originAt(buffer, buffer.bufferPosition(position)));
  });
  return found;
}

ValueOrigin originOf(const TapeStep &step, size_t k, int64_t element) {
  if (k < step.operandCells.size() && step.operandCells[k])
    return (*step.operandCells[k])[static_cast<size_t>(element)];
  ValueOrigin origin = Tape::input(step, k).origin;
  if (origin.element < 0)
    origin.element = element;
  return origin;
}

/// Ops whose results and elements in memory keep the origin of what they move.
static bool movesElement(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, affine::AffineLoadOp, affine::AffineStoreOp>(op);
}

/// Whether `op` may store to its operand `k`, a buffer.
static bool storesTo(Operation *op, unsigned k) {
  if (movesElement(op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  return llvm::any_of(found, [&](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) &&
           (!effect.getValue() || effect.getValue() == op->getOperand(k));
  });
}

/// Results of `step` for the elements that it computed in buffers.
static void noteStores(TapeStep &step, Tape &tape) {
  if (auto copy = dyn_cast<memref::CopyOp>(step.op)) {
    const auto moved = originsOf(step.buffers[0]);
    std::vector<ValueOrigin> &cells = cellsOf(step.buffers[1]);
    size_t i = 0;
    forEachPosition(step.buffers[1].shape(), [&](ArrayRef<int64_t> position) {
      cells[static_cast<size_t>(step.buffers[1].bufferPosition(position))] = moved ? (*moved)[i] : ValueOrigin();
      ++i;
    });
    return;
  }
  for (auto [k, buffer] : llvm::enumerate(step.buffers)) {
    if (!buffer.isBuffer() || !storesTo(step.op, static_cast<unsigned>(k)))
      continue;
    if (buffer.view().bytes || tape.cells + buffer.size() > kMostCells) {
      buffer.view().memory->origins = nullptr;
      continue;
    }
    tape.cells += buffer.size();
    const ValueOrigin origin{static_cast<int64_t>(tape.steps.size()), static_cast<unsigned>(step.results.size())};
    step.results.push_back(buffer.loaded());
    step.results.back().origin = origin;
    noteComputed(buffer, origin);
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// Steps
//===------------------------------------------------------------------------------------------------------------===//

void Tape::begin(func::FuncOp entry, MutableArrayRef<Tensor> arguments) {
  TapeStep step;
  step.op = entry;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    this->arguments.push_back(argument);
    if (!argument.isBuffer()) {
      argument.origin = {0, static_cast<unsigned>(i)};
      step.results.push_back(argument);
      continue;
    }
    step.results.push_back(argument.loaded());
    step.results.back().origin = {0, static_cast<unsigned>(i)};
    noteComputed(argument, {0, static_cast<unsigned>(i)});
  }
  steps.push_back(std::move(step));
}

bool passesValuesOn(Operation *op) {
  if (isa<linalg::LinalgOp>(op))
    return false;
  // Parallel loops combine what their iterations compute.
  if (isa<scf::ForallOp, scf::ParallelOp, affine::AffineParallelOp>(op))
    return false;
  return isa<CallOpInterface, RegionBranchOpInterface, tosa::IfOp, tosa::WhileOp, mica::IfOp, mica::WhileOp>(op);
}

TapeStep beginStep(Operation *op, ArrayRef<Tensor> operands, const Evaluator &evaluator, Tape &tape) {
  TapeStep step;
  step.op = op;
  step.operands.assign(operands.begin(), operands.end());
  if (!movesElement(op) && llvm::any_of(operands, [](const Tensor &operand) { return operand.isBuffer(); }))
    step.buffers.assign(operands.begin(), operands.end());
  if (isa<linalg::LinalgOp>(op) && !step.buffers.empty()) {
    step.operandCells.resize(operands.size());
    for (auto [k, buffer] : llvm::enumerate(step.buffers)) {
      if (!buffer.isBuffer() || tape.cells + buffer.size() > kMostCells)
        continue;
      tape.cells += buffer.size();
      step.operandCells[k] = originsOf(buffer);
      step.operands[k] = buffer.loaded();
    }
  }
  if (op->getNumRegions() == 0)
    return step;
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (const Tensor *tensor = evaluator.find(value))
      step.captured.push_back({value, tensor->materialized()});
  return step;
}

void endStep(TapeStep step, MutableArrayRef<Tensor> results, Tape &tape) {
  step.occurrence = tape.counts[step.op]++;
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!movesElement(step.op) || result.origin.step < 0)
      result.origin = {static_cast<int64_t>(tape.steps.size()), static_cast<unsigned>(i)};
    step.results.push_back(result);
  }
  if (!step.buffers.empty())
    noteStores(step, tape);
  step.buffers.clear();
  tape.steps.push_back(std::move(step));
}

} // namespace mica::reference
