//===- ManualComputations.cpp - computations for each device as programs of ranks ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A function that is one sdy.manual_computation becomes the program of one rank: its arguments and results are the
// parts.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/RankPrograms.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;

static bool fits(Type whole, Type part, const Split &split, const Grid &grid) {
  auto from = dyn_cast<RankedTensorType>(whole), to = dyn_cast<RankedTensorType>(part);
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() || from.getRank() != to.getRank() ||
      int64_t(split.size()) > from.getRank())
    return false;
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    int64_t parts = 1;
    for (int16_t axis : dim < int64_t(split.size()) ? ArrayRef<int16_t>(split[dim]) : ArrayRef<int16_t>())
      parts *= grid.sizes[axis];
    if (to.getDimSize(dim) * parts != from.getDimSize(dim))
      return false;
  }
  return true;
}

void hlotypes::inlineManual(func::FuncOp function, sdy::ManualComputationOp manual, const llvm::StringMap<Mesh> &meshes,
                            std::optional<Grid> &grid) {
  Block &block = function.getBody().front();
  auto result = cast<func::ReturnOp>(block.getTerminator());
  if (manual->getBlock() != &block || block.getOperations().size() != 2 || !manual.getBody().hasOneBlock())
    return;
  std::string mesh;
  std::optional<SmallVector<Split>> in = readShardings(manual.getInShardings(), meshes, mesh);
  std::optional<SmallVector<Split>> out = readShardings(manual.getOutShardings(), meshes, mesh);
  if (!in || !out || mesh.empty() || in->size() != manual.getNumOperands() || out->size() != manual.getNumResults())
    return;
  const Mesh &known = meshes.find(mesh)->second;
  // Other axes would be split by a partitioner.
  AnnotationText axes(manual.getManualAxes());
  SmallVector<StringRef> names;
  if (!axes.consume("{"))
    return;
  while (!axes.consume("}")) {
    std::optional<StringRef> name = axes.name("\"");
    if (!name)
      return;
    names.push_back(*name);
    axes.consume(",");
  }
  for (auto [name, size] : llvm::zip_equal(known.names, known.grid.sizes))
    if (size > 1 && !llvm::is_contained(names, name))
      return;
  if (grid && grid->sizes != known.grid.sizes)
    return;
  Block &body = manual.getBody().front();
  // Each argument once, and each result.
  for (auto [operand, argument, split] : llvm::zip_equal(manual.getOperands(), body.getArguments(), *in))
    if (!isa<BlockArgument>(operand) || !operand.hasOneUse() ||
        !fits(operand.getType(), argument.getType(), split, known.grid))
      return;
  auto inner = dyn_cast<sdy::ReturnOp>(body.getTerminator());
  if (!inner || inner->getNumOperands() != manual.getNumResults())
    return;
  for (auto [part, whole, split] : llvm::zip_equal(inner->getOperandTypes(), manual.getResultTypes(), *out))
    if (!fits(whole, part, split, known.grid))
      return;
  if (llvm::any_of(result.getOperands(), [&](Value value) { return value.getDefiningOp() != manual; }))
    return;

  grid = known.grid;
  for (auto [operand, argument, split] : llvm::zip_equal(manual.getOperands(), body.getArguments(), *in)) {
    const unsigned number = cast<BlockArgument>(operand).getArgNumber();
    function.setArgAttr(number, sched::kShardingAttr,
                        describeParts(function.getContext(), known.grid.sizes, split,
                                      cast<RankedTensorType>(operand.getType()).getShape()));
    operand.setType(argument.getType());
    argument.replaceAllUsesWith(operand);
  }
  for (OpOperand &operand : result->getOpOperands()) {
    const unsigned number = cast<OpResult>(operand.get()).getResultNumber();
    function.setResultAttr(operand.getOperandNumber(), sched::kShardingAttr,
                           describeParts(function.getContext(), known.grid.sizes, (*out)[number],
                                         cast<RankedTensorType>(operand.get().getType()).getShape()));
    operand.set(inner->getOperand(number));
  }
  inner->erase();
  block.getOperations().splice(manual->getIterator(), body.getOperations());
  manual->erase();
  function.setFunctionType(
      FunctionType::get(function.getContext(), block.getArgumentTypes(), SmallVector<Type>(result.getOperandTypes())));
}
