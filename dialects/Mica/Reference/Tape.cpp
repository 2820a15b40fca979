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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace mica::reference {

void Tape::begin(func::FuncOp entry, MutableArrayRef<Tensor> arguments) {
  TapeStep step;
  step.op = entry;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    argument.origin = {0, static_cast<unsigned>(i)};
    step.results.push_back(argument);
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

TapeStep beginStep(Operation *op, ArrayRef<Tensor> operands, const Evaluator &evaluator) {
  TapeStep step;
  step.op = op;
  step.operands.assign(operands.begin(), operands.end());
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
    result.origin = {static_cast<int64_t>(tape.steps.size()), static_cast<unsigned>(i)};
    step.results.push_back(result);
  }
  tape.steps.push_back(std::move(step));
}

} // namespace mica::reference
