//===- BlockReducer.cpp - reductions of a register block ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BlockReducer.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/BlockReducer.h"
#include "passes/Codegen/Common/TransposeVectors.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace mica::cpu;

//===------------------------------------------------------------------------------------------------------------===//
// The packed operand
//===------------------------------------------------------------------------------------------------------------===//

/// The position of vector `vector` of the panel at `point` in the packed buffer.
BlockBuilder::Values BlockReducer::panelPosition(const Point &point, int64_t vector) {
  Values position = {value(apply(b.getAffineDimExpr(0).floorDiv(plan.columns), {point[plan.laneDim]}))};
  for (unsigned d : reductions)
    if (packedMap.isFunctionOfDim(d))
      position.push_back(value(point[d]));
  position.push_back(value(constant(vector * plan.lanes)));
  return position;
}

OpFoldResult BlockReducer::bound(unsigned dim) {
  return getConstantIntValue(sizes[dim]) || plan.tile[dim] == 0 ? sizes[dim] : constant(plan.tile[dim]);
}

Value BlockReducer::allocate(ArrayRef<OpFoldResult> shape, Type element) {
  SmallVector<int64_t> staticShape;
  Values dynamicSizes;
  dispatchIndexOpFoldResults(shape, dynamicSizes, staticShape);
  return memref::AllocOp::create(b, loc, MemRefType::get(staticShape, element), dynamicSizes, b.getI64IntegerAttr(64));
}

void BlockReducer::packPanels(Point &point) {
  Value source = packed->get();
  Type element = cast<MemRefType>(source.getType()).getElementType();
  SmallVector<OpFoldResult> shape = {apply(b.getAffineDimExpr(0).ceilDiv(plan.columns), {bound(plan.laneDim)})};
  SmallVector<unsigned> dims;
  for (unsigned d : reductions)
    if (packedMap.isFunctionOfDim(d)) {
      dims.push_back(d);
      shape.push_back(bound(d));
    }
  shape.push_back(constant(plan.columns));
  panels = allocate(shape, element);

  bool sideBySide = classifyAccess(packedMap, plan.laneDim) == LaneAccess::Contiguous;
  OpFoldResult last = add(sizes[plan.laneDim], -1);
  auto copyRow = [&](const Lanes &lanes) {
    for (int64_t u = 0; u < lanes.vectors; ++u) {
      Point at = point;
      at[plan.laneDim] = add(point[plan.laneDim], u * plan.lanes);
      Value v = sideBySide ? loadVector(source, indices(packedMap, at), plan.lanes, maskFor(lanes, u, plan.lanes))
                           : gather(source, packedMap, at, plan.lanes,
                                    lanes.count ? std::optional<OpFoldResult>(last) : std::nullopt);
      storeVector(v, panels, panelPosition(point, u), Value());
    }
  };
  // Loading along a reduction loop and transposing square blocks of vectors is nearly as fast as copying.
  int64_t along = -1;
  for (unsigned d : dims)
    if (!sideBySide && classifyAccess(packedMap, d) == LaneAccess::Contiguous)
      along = d;
  auto transposeBlock = [&](const Lanes &lanes) {
    for (int64_t u = 0; u < lanes.vectors; ++u) {
      Values rows;
      for (int64_t j = 0; j < plan.lanes; ++j) {
        Point at = point;
        at[plan.laneDim] = add(point[plan.laneDim], u * plan.lanes + j);
        if (lanes.count)
          at[plan.laneDim] = smaller(at[plan.laneDim], last);
        rows.push_back(loadVector(source, indices(packedMap, at), plan.lanes, Value()));
      }
      rows = transposeVectors(b, loc, std::move(rows));
      for (int64_t j = 0; j < plan.lanes; ++j) {
        Point at = point;
        at[along] = add(point[along], j);
        storeVector(rows[j], panels, panelPosition(at, u), Value());
      }
    }
  };

  laneBlocks(point, [&](Lanes lanes) {
    if (along < 0 || !llvm::isPowerOf2_64(plan.lanes) || plan.lanes == 1)
      return unitLoops(dims, point, [&] { copyRow(lanes); });
    SmallVector<unsigned> others(dims);
    llvm::erase(others, static_cast<unsigned>(along));
    unitLoops(others, point, [&] {
      OpFoldResult full = apply(b.getAffineDimExpr(0).floorDiv(plan.lanes) * plan.lanes, {sizes[along]});
      forLoop(constant(0), full, plan.lanes, {}, [&](OpFoldResult iv, ValueRange) {
        point[along] = iv;
        transposeBlock(lanes);
        return Values();
      });
      forLoop(full, sizes[along], 1, {}, [&](OpFoldResult iv, ValueRange) {
        point[along] = iv;
        copyRow(lanes);
        return Values();
      });
    });
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------------------------===//

static void disableUnrolling(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  loop->setAttr("loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

/// Number of steps that are accumulated before the accumulator is added to a total. The rounding error grows with the
/// steps of a block plus the number of blocks, not with the length of the whole reduction.
static constexpr int64_t kStepsPerSum = 256;

/// Emits all reduction loops around `step`, which takes and returns the accumulators. Long float reductions are split
/// into blocks, each starting from zero: the totals are accessed once per block, so they may be spilled.
BlockBuilder::Values BlockReducer::summedInBlocks(Point &point, Values start,
                                                  llvm::function_ref<Values(ValueRange)> step) {
  SmallVector<Operation *> combiners;
  Operation *combiner = nullptr;
  if (matchReduction(root.getRegionOutputArgs(), 0, combiners) && combiners.size() == 1)
    combiner = dyn_cast<arith::AddFOp>(combiners.front());
  // The loops from number `within` on have `inner` steps, few enough for one accumulator.
  unsigned within = reductions.size();
  int64_t inner = 1;
  for (; within > 0; --within) {
    std::optional<int64_t> size = getConstantIntValue(sizes[reductions[within - 1]]);
    if (!size || inner * *size > kStepsPerSum)
      break;
    inner *= *size;
  }
  // If the reduction is tiled outside of this op, this op's part is one block.
  bool isShare = llvm::any_of(reductions, [&](unsigned d) { return plan.tile[d] > 0; });
  if (!combiner || (within == 0 && !isShare))
    return unitLoops(reductions, point, start, step);

  // The loop outside of those is split into blocks; of equal size if there is a suitable divisor.
  unsigned outermost = std::max(within, 1u) - 1, dim = reductions[outermost];
  ArrayRef<unsigned> outer = ArrayRef(reductions).take_front(outermost);
  ArrayRef<unsigned> rest = ArrayRef(reductions).drop_front(outermost + 1);
  std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
  int64_t steps = within == 0 ? *size : std::max<int64_t>(1, kStepsPerSum / inner);
  for (int64_t even = 2 * steps; size && even > steps / 2; --even)
    if (*size % even == 0) {
      steps = even;
      break;
    }
  auto type = cast<VectorType>(start.front().getType());
  Value zero = arith::ConstantOp::create(b, loc, type,
                                         DenseElementsAttr::get(type, Attribute(*arith::getNeutralElement(combiner))));
  return unitLoops(outer, point, start, [&](ValueRange totals) {
    Values results = forLoop(constant(0), sizes[dim], steps, totals, [&](OpFoldResult first, ValueRange carried) {
      OpFoldResult end = add(first, steps);
      if (!size || *size % steps != 0)
        end = smaller(end, sizes[dim]);
      Values sums = forLoop(first, end, 1, Values(start.size(), zero), [&](OpFoldResult iv, ValueRange now) {
        point[dim] = iv;
        return unitLoops(rest, point, now, step);
      });
      Values next;
      for (auto [total, sum] : llvm::zip_equal(carried, sums))
        next.push_back(arith::AddFOp::create(b, combiner->getLoc(), total, sum));
      return next;
    });
    // If unrolled, totals and accumulators would be live at the same time and be spilled inside the steps.
    if (auto loop = results.front().getDefiningOp<scf::ForOp>())
      disableUnrolling(loop);
    return results;
  });
}

Value BlockReducer::loadInput(OpOperand *use, Point point, int64_t laneDim, const Lanes &lanes, int64_t vector,
                              Value mask) {
  AffineMap map = root.getMatchingIndexingMap(use);
  LaneAccess access = classifyAccess(map, laneDim);
  if (access == LaneAccess::Uniform)
    return memref::LoadOp::create(b, loc, use->get(), indices(map, point));
  point[laneDim] = add(point[laneDim], vector * plan.lanes);
  if (access == LaneAccess::Contiguous)
    return loadVector(use->get(), indices(map, point), plan.lanes, mask);
  return loadScattered(use->get(), map, point, lanes, vector, plan.lanes);
}

std::optional<unsigned> BlockReducer::windowAlongRows() {
  // More steps would take more registers and code than the loads that are saved.
  constexpr int64_t kMostSteps = 25;
  if (plan.form != ContractionPlan::Form::Outer || plan.rowDim < 0 || packed)
    return std::nullopt;
  int64_t steps = 1;
  for (unsigned d : reductions) {
    std::optional<int64_t> size = getConstantIntValue(sizes[d]);
    if (!size || *size > kMostSteps || (steps *= *size) > kMostSteps)
      return std::nullopt;
  }
  std::optional<unsigned> window;
  for (OpOperand *input : root.getDpsInputOperands()) {
    AffineMap map = root.getMatchingIndexingMap(input);
    if (!isa<MemRefType>(input->get().getType()) || !map.isFunctionOfDim(plan.rowDim))
      continue;
    if (window)
      return std::nullopt;
    for (AffineExpr expr : map.getResults())
      for (unsigned d : reductions)
        if (expr.isFunctionOfDim(plan.rowDim) && expr.isFunctionOfDim(d))
          window = d;
    // One dimension alone moves with either: elements at one distance are one element.
    const auto moving = llvm::count_if(map.getResults(), [&](AffineExpr expr) {
      return expr.isFunctionOfDim(plan.rowDim) || (window && expr.isFunctionOfDim(*window));
    });
    if (!window || moving != 1)
      return std::nullopt;
  }
  return window;
}

BlockBuilder::Values BlockReducer::windowProducts(Point &point, unsigned windowDim, int64_t rows, const Lanes &lanes,
                                                  Values sums) {
  // Rows of the input, by their distance from the first one, with the results and steps that read them.
  std::map<int64_t, SmallVector<std::pair<int64_t, int64_t>>> readers;
  for (OpOperand *input : root.getDpsInputOperands()) {
    AffineMap map = root.getMatchingIndexingMap(input);
    for (AffineExpr expr : map.getResults())
      if (expr.isFunctionOfDim(plan.rowDim))
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t k = 0; k < *getConstantIntValue(sizes[windowDim]); ++k)
            readers[r * *codegen::coefficientOf(expr, plan.rowDim) + k * *codegen::coefficientOf(expr, windowDim)]
                .push_back({r, k});
  }
  Values masks;
  for (int64_t u = 0; u < lanes.vectors; ++u)
    masks.push_back(maskFor(lanes, u, plan.lanes));

  SmallVector<unsigned> others(reductions);
  llvm::erase(others, windowDim);
  int64_t count = 1;
  for (unsigned d : others)
    count *= *getConstantIntValue(sizes[d]);
  for (int64_t step = 0; step < count; ++step) {
    int64_t rest = step;
    for (unsigned d : llvm::reverse(others)) {
      point[d] = constant(rest % *getConstantIntValue(sizes[d]));
      rest /= *getConstantIntValue(sizes[d]);
    }
    // Elements that are loaded, by operand, distance or step (-1: same for all) and vector (-1: same for all).
    std::map<std::tuple<unsigned, int64_t, int64_t>, Value> known;
    for (auto &[distance, results] : readers)
      for (auto [r, k] : results)
        for (int64_t u = 0; u < lanes.vectors; ++u) {
          Point at = point;
          at[windowDim] = constant(k);
          at[plan.rowDim] = add(point[plan.rowDim], r);
          auto operand = [&](OpOperand *use) -> Value {
            if (root.isDpsInit(use))
              return sums[r * lanes.vectors + u];
            if (!isa<MemRefType>(use->get().getType()))
              return use->get();
            AffineMap map = root.getMatchingIndexingMap(use);
            LaneAccess access = classifyAccess(map, plan.laneDim);
            const int64_t place = map.isFunctionOfDim(plan.rowDim) ? distance : map.isFunctionOfDim(windowDim) ? k : -1;
            Value &v = known[{use->getOperandNumber(), place, access == LaneAccess::Uniform ? -1 : u}];
            if (v)
              return v;
            return v = loadInput(use, at, plan.laneDim, lanes, u, masks[u]);
          };
          auto index = [&](unsigned dim) -> Value {
            if (static_cast<int64_t>(dim) != plan.laneDim)
              return value(at[dim]);
            return indexVector(add(point[dim], u * plan.lanes), plan.lanes);
          };
          Value &sum = sums[r * lanes.vectors + u];
          sum = toVector(emitBody(root, plan.lanes, operand, index)[0], plan.lanes);
        }
  }
  return sums;
}

BlockBuilder::Values BlockReducer::outerProducts(Point &point, int64_t rows, const Lanes &lanes, Values start) {
  const bool swapped = plan.form == ContractionPlan::Form::Transposed;
  const int64_t rowDim = swapped ? plan.laneDim : plan.rowDim, laneDim = swapped ? plan.rowDim : plan.laneDim;
  SmallVector<OpFoldResult> rowAt;
  for (int64_t r = 0; r < rows; ++r)
    rowAt.push_back(rowDim < 0 ? constant(0) : add(point[rowDim], r));
  for (Value &v : start)
    v = toVector(v, plan.lanes);
  if (std::optional<unsigned> window = windowAlongRows())
    return windowProducts(point, *window, rows, lanes, std::move(start));
  Values masks;
  for (int64_t u = 0; u < lanes.vectors; ++u)
    masks.push_back(maskFor(lanes, u, plan.lanes));

  return summedInBlocks(point, start, [&](ValueRange sums) {
    // Elements that this step has loaded, by operand, row (-1: same for all) and vector (-1: same for all).
    std::map<std::tuple<unsigned, int64_t, int64_t>, Value> known;
    Values next;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t u = 0; u < lanes.vectors; ++u) {
        auto operand = [&](OpOperand *use) -> Value {
          if (root.isDpsInit(use))
            return sums[r * lanes.vectors + u];
          if (!isa<MemRefType>(use->get().getType()))
            return use->get();
          AffineMap map = root.getMatchingIndexingMap(use);
          LaneAccess access = classifyAccess(map, laneDim);
          bool byRow = rowDim >= 0 && map.isFunctionOfDim(rowDim);
          Value &v = known[{use->getOperandNumber(), byRow ? r : -1, access == LaneAccess::Uniform ? -1 : u}];
          if (v)
            return v;
          if (use == packed)
            return v = loadVector(panels, panelPosition(point, u), plan.lanes, Value());
          Point at = point;
          if (byRow)
            at[rowDim] = rowAt[r];
          return v = loadInput(use, at, laneDim, lanes, u, masks[u]);
        };
        auto index = [&](unsigned dim) -> Value {
          if (static_cast<int64_t>(dim) == rowDim)
            return value(rowAt[r]);
          if (static_cast<int64_t>(dim) != laneDim)
            return value(point[dim]);
          return indexVector(add(point[dim], u * plan.lanes), plan.lanes);
        };
        next.push_back(toVector(emitBody(root, plan.lanes, operand, index)[0], plan.lanes));
      }
    return next;
  });
}

BlockBuilder::Values BlockReducer::transposedProducts(Point &point, int64_t rows, int64_t columns) {
  SmallVector<Operation *> combiners;
  (void)matchReduction(root.getRegionOutputArgs(), 0, combiners);
  const int64_t vectors = rows / plan.lanes;
  Values sums = outerProducts(point, columns, Lanes{vectors, std::nullopt},
                              Values(vectors * columns, neutralVector(combiners.front())));
  // Steps of a window read the same elements for neighboring results. LLVM would keep these in registers across
  // unrolled steps, and spill them.
  auto loop = sums.front().getDefiningOp<scf::ForOp>();
  if (loop && llvm::any_of(root.getDpsInputOperands(), [&](OpOperand *input) {
        return !root.getMatchingIndexingMap(input).isProjectedPermutation();
      }))
    loop.walk([](scf::ForOp inner) { disableUnrolling(inner); });
  Values results;
  for (int64_t u = 0; u < vectors; ++u) {
    Values block;
    for (int64_t c = 0; c < plan.lanes; ++c)
      block.push_back(sums[std::min(c, columns - 1) * vectors + u]);
    llvm::append_range(results, transposeVectors(b, loc, std::move(block)));
  }
  return results;
}

Value BlockReducer::neutralVector(Operation *combiner) {
  auto type = VectorType::get({plan.lanes}, root.getRegionOutputArgs()[0].getType());
  return arith::ConstantOp::create(b, loc, type,
                                   DenseElementsAttr::get(type, Attribute(*arith::getNeutralElement(combiner))));
}

BlockBuilder::Values BlockReducer::dotProducts(Point &point, int64_t rows, int64_t columns) {
  SmallVector<Operation *> combiners;
  (void)matchReduction(root.getRegionOutputArgs(), 0, combiners);
  Operation *combiner = combiners.front();
  vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
  Type element = root.getRegionOutputArgs()[0].getType();
  Value neutral = neutralVector(combiner);

  SmallVector<OpFoldResult> rowAt, columnAt;
  for (int64_t r = 0; r < rows; ++r)
    rowAt.push_back(plan.rowDim < 0 ? constant(0) : add(point[plan.rowDim], r));
  for (int64_t c = 0; c < columns; ++c)
    columnAt.push_back(add(point[plan.laneDim], c));

  auto step = [&](ValueRange sums, Value mask) {
    std::map<std::tuple<unsigned, int64_t, int64_t>, Value> known;
    Values next;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c) {
        Point at = point;
        if (plan.rowDim >= 0)
          at[plan.rowDim] = rowAt[r];
        at[plan.laneDim] = columnAt[c];
        Value sum = sums[r * columns + c];
        auto operand = [&](OpOperand *use) -> Value {
          if (root.isDpsInit(use))
            return sum;
          if (!isa<MemRefType>(use->get().getType()))
            return use->get();
          AffineMap map = root.getMatchingIndexingMap(use);
          bool byRow = plan.rowDim >= 0 && map.isFunctionOfDim(plan.rowDim);
          Value &v = known[{use->getOperandNumber(), byRow ? r : -1, map.isFunctionOfDim(plan.laneDim) ? c : -1}];
          if (v)
            return v;
          if (classifyAccess(map, plan.dotDim) == LaneAccess::Uniform)
            return v = memref::LoadOp::create(b, loc, use->get(), indices(map, at));
          return v = loadVector(use->get(), indices(map, at), plan.lanes, mask);
        };
        auto index = [&](unsigned dim) -> Value {
          return static_cast<int64_t>(dim) == plan.dotDim ? indexVector(at[dim], plan.lanes) : value(at[dim]);
        };
        Value result = toVector(emitBody(root, plan.lanes, operand, index)[0], plan.lanes);
        next.push_back(mask ? arith::SelectOp::create(b, loc, mask, result, sum).getResult() : result);
      }
    return next;
  };

  SmallVector<unsigned> others(reductions);
  llvm::erase(others, static_cast<unsigned>(plan.dotDim));
  Values sums = unitLoops(others, point, Values(rows * columns, neutral), [&](ValueRange carried) {
    return strips(plan.dotDim, constant(0), plan.lanes, point, carried, [&](auto rest, ValueRange inner) {
      return step(inner, maskFor(Lanes{1, rest}, 0, plan.lanes));
    });
  });

  Values results;
  auto flags = isa<FloatType>(element) ? arith::FastMathFlags::reassoc : arith::FastMathFlags::none;
  for (int64_t r = 0; r < rows; ++r) {
    Values elements;
    for (int64_t c = 0; c < columns; ++c)
      elements.push_back(vector::ReductionOp::create(b, combiner->getLoc(), kind, sums[r * columns + c], flags));
    results.push_back(
        columns == 1
            ? elements[0]
            : vector::FromElementsOp::create(b, loc, VectorType::get({columns}, element), elements).getResult());
  }
  return results;
}
