//===- PanelPlan.cpp - selecting the layout of stored panels, and transposed blocks -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Which constant operand of a contraction is stored as panels, in which order: along the columns of the blocks that the
// op's config has, or along the rows, so that the config can have the form Transposed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/ContractionCost.h"

using namespace mlir;
using namespace mica;
using namespace mica::cpu;

static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

/// The cheapest block of up to `most` rows and `u` vectors that fits into the registers: its cost, the loads of the
/// whole operation (of equally cheap blocks, that with fewer), and its rows.
static std::tuple<int64_t, int64_t, int64_t> cheapestRows(const BlockCost &cost, int64_t u, int64_t most,
                                                          const CpuTarget &target) {
  std::tuple best(kNone, int64_t(0), int64_t(0));
  for (int64_t r = std::min(most, cost.rows); r >= 1; --r)
    if (r * u + u + 1 <= target.numRegisters() - 1)
      best = std::min(best, std::tuple(cost.total(r, u), cost.rows * cost.columns * (r + u) / (r * u), r));
  return best;
}

TransposedBlock mica::cpu::betterTransposedBlock(const ContractionShape &shape, const CpuTarget &target,
                                                 const ContractionPlan &plan) {
  // A transposition takes as long as about this many steps of the reduction.
  constexpr int64_t kLeastSteps = 32;
  if (plan.form != ContractionPlan::Form::Outer || plan.packOperand >= 0 || plan.rowDim < 0 || plan.lanes == 1 ||
      !shape.isStatic(plan.rowDim) || !shape.isStatic(plan.laneDim) || shape.inputs.size() < 2 ||
      !hasOneCombiner(shape.op) || shape.reductionSize() < kLeastSteps)
    return {};
  const int64_t columns = shape.sizes[plan.laneDim], size = shape.sizes[plan.rowDim];
  TransposedBlock best;
  for (int64_t u : {2, 3, 4, 1}) {
    if (size % (u * plan.lanes) != 0)
      continue;
    auto [cost, loads, pixels] =
        cheapestRows(BlockCost(columns, size, plan.lanes), u, std::min<int64_t>(14, plan.lanes), target);
    if (cost < best.cost)
      best = {cost, u * plan.lanes, pixels};
  }
  int64_t outer = BlockCost(size, columns, plan.lanes).total(plan.rows, plan.columns / plan.lanes);
  // Elements that are not contiguous along the lanes are shuffled out of several vectors.
  if (llvm::any_of(shape.inputs, [&](auto &input) {
        LaneAccess access = classifyAccess(input.second, plan.laneDim);
        return access != LaneAccess::Uniform && access != LaneAccess::Contiguous;
      }))
    outer += outer / 4;
  // Less than a sixteenth is lost to transpositions and broadcasts.
  return best.cost < outer - outer / 16 ? best : TransposedBlock();
}

/// The layout of `operand`, with map `map`, as panels of `columns` elements along loop `lanes`.
static PanelLayout layoutOf(const ContractionShape &shape, unsigned operand, AffineMap map, unsigned lanes,
                            int64_t columns) {
  PanelLayout layout;
  layout.operand = operand;
  layout.laneDim = lanes;
  layout.columns = columns;
  for (bool parallel : {true, false}) {
    for (unsigned d = 0; d < shape.sizes.size(); ++d)
      if (d != lanes && shape.isParallel(d) == parallel && map.isFunctionOfDim(d))
        layout.dims.push_back(d);
    if (parallel)
      layout.dims.push_back(PanelLayout::kPanel);
  }
  layout.dims.push_back(lanes);
  return layout;
}

/// Panels along plan.rowDim of the only input that moves along it, with which blocks of the form Transposed are faster
/// than `plan`.
static std::optional<PanelLayout> panelsAlongRows(const ContractionShape &shape, const CpuTarget &target,
                                                  const ContractionPlan &plan,
                                                  llvm::function_ref<bool(OpOperand &)> isConstant) {
  // Few columns read the operand once, in order.
  if (plan.rowDim < 0 || shape.sizes[plan.laneDim] < 4)
    return std::nullopt;
  std::optional<unsigned> operand;
  AffineMap map;
  for (auto [position, candidate] : shape.inputs) {
    if (!candidate.isFunctionOfDim(plan.rowDim))
      continue;
    if (operand || candidate.isFunctionOfDim(plan.laneDim) || !isSubsetOfLoops(candidate) ||
        !isConstant(shape.op->getOpOperand(position)))
      return std::nullopt;
    operand = position;
    map = candidate;
  }
  if (!operand)
    return std::nullopt;
  const TransposedBlock block = betterTransposedBlock(shape, target, plan);
  if (block.rows == 0)
    return std::nullopt;
  return layoutOf(shape, *operand, map, plan.rowDim, block.rows);
}

std::optional<PanelLayout> mica::cpu::planPanels(linalg::LinalgOp op, const CpuTarget &target,
                                                 llvm::function_ref<bool(OpOperand &)> isConstant) {
  std::optional<ContractionPlan> plan = planContraction(op, target);
  ContractionShape shape(op);
  if (!plan || plan->form == ContractionPlan::Form::Interleaved || plan->form == ContractionPlan::Form::Transposed ||
      !shape.isStatic(plan->laneDim) || shape.inputs.size() < 2)
    return std::nullopt;
  if (auto rows = panelsAlongRows(shape, target, *plan, isConstant))
    return rows;

  std::optional<unsigned> operand;
  AffineMap map;
  for (auto [position, candidate] : shape.inputs) {
    const bool hasLanes = candidate.isFunctionOfDim(plan->laneDim);
    // Another operand along the lanes must be split as the result is.
    if (hasLanes && !isSubsetOfLoops(candidate))
      return std::nullopt;
    if (!hasLanes || plan->movesWithRows(candidate) || !isConstant(op->getOpOperand(position)))
      continue;
    if (operand)
      return std::nullopt; // two such operands have no block of rows in common
    operand = position;
    map = candidate;
  }
  if (!operand)
    return std::nullopt;

  const int64_t rows = plan->rowDim < 0 ? 1 : shape.size(plan->rowDim), columns = shape.sizes[plan->laneDim];
  // Few rows read the operand once, in order, and panels would only shorten what is read in a row.
  if (rows < 4)
    return std::nullopt;
  // The best width that divides the columns; blocks without one cost too much at their edges.
  const BlockCost cost(shape, *plan, target, rows, columns);
  auto cheapest = [&](int64_t u) {
    auto [cycles, loads, r] = cheapestRows(cost, u, /*most=*/14, target);
    return std::pair(cycles, loads);
  };
  const int64_t planned =
      plan->form == ContractionPlan::Form::Outer ? cheapest(plan->columns / plan->lanes).first : kNone;
  std::pair best(kNone, int64_t(0));
  int64_t width = 0;
  for (int64_t u : {4, 3, 2, 6, 8, 1}) {
    if (columns % (u * plan->lanes) != 0)
      continue;
    if (auto found = cheapest(u); found < best) {
      best = found;
      width = u * plan->lanes;
    }
  }
  if (best.first == kNone || (planned != kNone && best.first > planned + planned / 8))
    return std::nullopt;
  return layoutOf(shape, *operand, map, plan->laneDim, width);
}
