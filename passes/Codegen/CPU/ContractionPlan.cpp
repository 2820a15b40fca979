//===- ContractionPlan.cpp - selecting the config of a contraction, convolution or pooling -----------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Selects loops, block sizes and tiles; see ContractionPlan.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/ContractionCost.h"

#include "dialects/MicaCodegen/IR/ByteProducts.h"
#include "mica/Support/Checked.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace mlir;
using namespace mica;
using namespace mica::cpu;
using codegen::coefficientOf;

//===------------------------------------------------------------------------------------------------------------===//
// Which ops
//===------------------------------------------------------------------------------------------------------------===//

bool mica::cpu::hasVectorizableBody(linalg::LinalgOp op) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<arith::ConstantOp, linalg::IndexOp>(inner))
      continue;
    if (inner.getNumRegions() != 0 || inner.getNumResults() != 1 || !OpTrait::hasElementwiseMappableTraits(&inner))
      return false;
  }
  // Booleans are stored as bytes in memory, but as bits in vectors.
  return llvm::all_of(op.getBlock()->getArgumentTypes(),
                      [](Type type) { return type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0; });
}

bool mica::cpu::isContraction(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return false;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!isSubsetOfLoops(result) || result.getNumResults() != op.getNumParallelLoops())
    return false;
  unsigned tensors = 0;
  bool window = false;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    maps.push_back(map);
    ++tensors;
    if (!isSubsetOfLoops(map)) {
      window = true;
      for (AffineExpr expr : map.getResults())
        for (unsigned d = 0; d < op.getNumLoops(); ++d)
          if (!coefficientOf(expr, d))
            return false;
    }
  }
  // A reduction of one operand, or of operands with equal maps (the sum of a product of rows), is a row kernel.
  bool alike = llvm::all_of(maps, [&](AffineMap map) { return map == maps.front() || map.getNumResults() == 0; });
  return hasVectorizableBody(op) && (window || (tensors >= 2 && !alike));
}

linalg::LinalgOp mica::cpu::findContraction(func::FuncOp func) {
  linalg::LinalgOp found;
  bool several = false;
  func.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() == 0)
      return;
    // A second reduction (a softmax of the result) makes the kernel a row kernel.
    several |= found || !isContraction(op);
    found = op;
  });
  return several ? linalg::LinalgOp() : found;
}

SmallVector<linalg::LinalgOp> mica::cpu::findChainedContractions(func::FuncOp func) {
  SmallVector<linalg::LinalgOp> found;
  func.walk([&](linalg::LinalgOp op) {
    if (isContraction(op))
      found.push_back(op);
  });
  if (found.size() < 2)
    found.clear();
  return found;
}

//===------------------------------------------------------------------------------------------------------------===//
// Selection
//===------------------------------------------------------------------------------------------------------------===//

static void chooseBlock(const ContractionShape &shape, const CpuTarget &target, ContractionPlan &plan) {
  int64_t rows = plan.rowDim < 0 ? 1 : shape.sizeOr(plan.rowDim, kUnknownSize);
  int64_t columns = shape.sizeOr(plan.laneDim, 4 * plan.lanes);
  bool dynamicRows = plan.rowDim >= 0 && !shape.isStatic(plan.rowDim);
  int64_t registers = target.numRegisters() - 1;
  BlockCost cost(shape, plan, target, rows, columns);
  int64_t best = std::numeric_limits<int64_t>::max(), bestLoads = 0;
  for (int64_t u : {1, 2, 3, 4, 6, 8, 16}) {
    if (u > 1 && (u - 1) * plan.lanes >= columns)
      continue;
    for (int64_t r = std::min<int64_t>(14, rows); r >= 1; --r) {
      // A remainder of a dynamic number of rows is covered by halves.
      if ((dynamicRows && !llvm::isPowerOf2_64(r)) || r * u + u + 1 > registers)
        continue;
      int64_t total = cost.total(r, u);
      // Equal cycles: prefer fewer loads.
      int64_t loads = rows * columns * (r + u) / (r * u);
      if (total < best || (total == best && loads < bestLoads)) {
        best = total;
        bestLoads = loads;
        plan.rows = r;
        plan.columns = u * plan.lanes;
      }
    }
  }
}

/// A multiple of `unit` near `wanted` that divides `extent`, so that every tile is full. If there is none, one up to
/// `wanted` with which the last tile is about as large as the others, because threads get whole tiles.
static int64_t wholeTile(int64_t extent, int64_t wanted, int64_t unit) {
  int64_t rounded = (std::max<int64_t>(wanted, 1) + unit - 1) / unit * unit;
  for (int64_t step = 0; step <= rounded; step += unit)
    for (int64_t size : {rounded + step, rounded - step})
      if (size >= std::max<int64_t>(unit, rounded / 2) && size <= 2 * rounded && extent % size == 0)
        return size;
  if (rounded >= extent)
    return rounded;
  const int64_t even = llvm::divideCeil(extent, llvm::divideCeil(extent, rounded));
  return (even + unit - 1) / unit * unit;
}

/// Whether the op reduces a matrix with long rows to a few rows of results. It is memory-bound, and walking down a
/// panel would access a new page per step.
static bool streamsWideRows(const ContractionShape &shape, const ContractionPlan &plan) {
  int64_t rows = plan.rowDim < 0 ? 1 : shape.size(plan.rowDim);
  return plan.form == ContractionPlan::Form::Outer && plan.packOperand < 0 && shape.inputs.size() == 2 && rows <= 8 &&
         shape.isStatic(plan.laneDim) && (plan.rowDim < 0 || shape.isStatic(plan.rowDim)) &&
         shape.parallelSize() == shape.size(plan.laneDim) * rows && shape.reductionSize() >= 256 &&
         shape.size(plan.laneDim) * shape.elementBytes() >= 4096;
}

/// Whether the steps of a panel whose rows are `row` bytes apart evict each other from the L1 cache: rows a power of
/// two apart map to a few of its sets.
static bool stepsCollide(int64_t row, int64_t steps) {
  // Of all L1 caches so far: sets of lines of one page, and eight or twelve ways.
  constexpr int64_t kPage = 4096, kWays = 8, kLeastSteps = 256;
  const int64_t distinct = kPage / std::gcd(row, kPage);
  return steps >= kLeastSteps && distinct * kWays < steps;
}

/// The operand, contiguous along the lanes, whose panels are worth packing: many rows read each panel, and either its
/// rows are at least a page apart and the matrix exceeds twice the L2 cache, or the steps of a panel collide in the L1
/// cache. -1 if there is none.
static int64_t operandWorthPacking(const ContractionShape &shape, const CpuTarget &target,
                                   const ContractionPlan &plan) {
  for (auto [position, map] : shape.inputs) {
    if (classifyAccess(map, plan.laneDim) != LaneAccess::Contiguous || !isSubsetOfLoops(map) ||
        plan.movesWithRows(map) || shape.reuse(map) < 256)
      continue;
    int64_t row = shape.size(plan.laneDim) * shape.elementBytes();
    constexpr int64_t kPage = 4096;
    // What is packed has room for a tile of each reduction, and tiles of dynamic ones are long.
    const bool known = llvm::all_of(llvm::seq<unsigned>(0, shape.sizes.size()), [&](unsigned d) {
      return shape.isStatic(d) || (shape.isParallel(d) && static_cast<int64_t>(d) != plan.laneDim);
    });
    if ((known && stepsCollide(row, shape.reductionSize())) ||
        (row >= kPage && row * shape.reductionSize() > 2 * target.l2Bytes))
      return position;
  }
  return -1;
}

/// Tiles the parallel loops for workers and caches, and long reductions for the L2 cache.
static void chooseTiles(const ContractionShape &shape, const CpuTarget &target, ContractionPlan &plan) {
  // The minimum work of a tile (multiply-adds), so that the overhead of dispatching it is small.
  constexpr int64_t kMinWork = 256 * 1024;
  // More tiles do not improve the load balance.
  constexpr int64_t kManyTiles = 16;
  unsigned numLoops = shape.sizes.size();
  plan.tile.assign(numLoops, 0);
  SmallVector<int64_t> extent;
  int64_t work = 1, tiles = 1;
  for (unsigned d = 0; d < numLoops; ++d) {
    extent.push_back(shape.size(d));
    work *= std::max<int64_t>(extent[d], 1);
  }
  auto cut = [&](unsigned d, int64_t size) {
    bool dynamic = !shape.isStatic(d);
    if (size <= 0 || (!dynamic && size >= extent[d]))
      return;
    plan.tile[d] = size;
    int64_t count = llvm::divideCeil(extent[d], size);
    work /= std::max<int64_t>(count, 1);
    tiles *= std::max<int64_t>(count, 1);
    extent[d] = std::min(extent[d], size);
  };
  int64_t bytes = shape.elementBytes();
  if (streamsWideRows(shape, plan)) {
    // Read long segments of a few rows of the matrix at a time, once for all rows of results.
    plan.rows = plan.rowDim < 0 ? 1 : shape.size(plan.rowDim);
    plan.columns =
        plan.lanes * std::min<int64_t>(8, llvm::bit_floor<uint64_t>((target.numRegisters() - 2) / (plan.rows + 1)));
    for (unsigned d = 0; d < numLoops; ++d)
      if (!shape.isParallel(d))
        cut(d, 16);
    cut(plan.laneDim, wholeTile(extent[plan.laneDim], target.l1Bytes / 4 / bytes, plan.columns));
    return;
  }
  // Long reductions: the packed operand's panel of one tile must fit into the L2 cache.
  if (plan.form != ContractionPlan::Form::Dot) {
    for (unsigned d = 0; d < numLoops; ++d) {
      if (shape.isParallel(d))
        continue;
      if ((!shape.isStatic(d) && plan.packOperand >= 0) || extent[d] > 4096)
        cut(d, 1024);
    }
  }
  int64_t depth = 1;
  for (unsigned d = 0; d < numLoops; ++d)
    if (!shape.isParallel(d))
      depth = mica::saturatingMul(depth, extent[d]);
  work = mica::saturatingMul(depth, shape.parallelSize());
  tiles = 1;

  // Tile outer loops first: their tiles share no data.
  for (AffineExpr expr : shape.resultMap.getResults()) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    if (d == plan.laneDim || d == plan.rowDim || tiles >= kManyTiles || work <= kMinWork || extent[d] <= 1)
      continue;
    int64_t each = work / extent[d];
    cut(d, std::max<int64_t>(1, std::min<int64_t>(llvm::divideCeil(kMinWork, std::max<int64_t>(each, 1)),
                                                  extent[d] * tiles / kManyTiles)));
  }
  // Then lanes: the panels of one tile fill at most half the L2 cache.
  int64_t fit = std::max<int64_t>(plan.columns, target.l2Bytes / 2 / (depth * bytes) / plan.columns * plan.columns);
  int64_t columns = std::min<int64_t>(fit, std::max<int64_t>(plan.columns, 128 / plan.columns * plan.columns));
  if (plan.rows == 1)
    columns = std::max<int64_t>(columns, plan.columns);
  bool lanesStaticAndOne = shape.isStatic(plan.laneDim) && extent[plan.laneDim] <= plan.columns;
  if (!lanesStaticAndOne && (work > kMinWork * 2 || !shape.isStatic(plan.laneDim))) {
    int64_t each = work / std::max<int64_t>(1, llvm::divideCeil(extent[plan.laneDim], plan.columns));
    int64_t least = llvm::divideCeil(kMinWork, std::max<int64_t>(each, 1)) * plan.columns;
    cut(plan.laneDim, wholeTile(extent[plan.laneDim], std::min(fit, std::max(columns, least)), plan.columns));
  }
  // Then rows: few enough for a sufficient number of tiles, many enough to amortize packing.
  if (plan.rowDim >= 0 && plan.form != ContractionPlan::Form::Transposed &&
      (tiles < kManyTiles || !shape.isStatic(plan.rowDim)) && (work > kMinWork || !shape.isStatic(plan.rowDim))) {
    int64_t least = plan.packOperand >= 0 ? 256 : 64;
    int64_t each = std::max<int64_t>(1, work / std::max<int64_t>(1, extent[plan.rowDim]));
    int64_t wanted = std::max<int64_t>({least, (kMinWork + each - 1) / each, extent[plan.rowDim] * tiles / kManyTiles});
    cut(plan.rowDim, wholeTile(extent[plan.rowDim], wanted, plan.rows));
  }
}

/// The parallel loop of at least four iterations that indexes the fewest inputs, if some input does not depend on it: a
/// block of its rows reads that input once and has independent accumulators. Depthwise convolutions have no other rows.
/// Of equal ones the innermost; -1 if there is none.
static int64_t rowsSharingAnInput(const ContractionShape &shape, const ContractionPlan &plan) {
  int64_t found = -1;
  unsigned fewest = shape.inputs.size();
  for (AffineExpr expr : shape.resultMap.getResults()) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    if (d == plan.laneDim || (shape.isStatic(d) && shape.sizes[d] < 4))
      continue;
    unsigned moved = llvm::count_if(shape.inputs, [&](auto &input) { return input.second.isFunctionOfDim(d); });
    if (moved < shape.inputs.size() && moved <= fewest) {
      fewest = moved;
      found = d;
    }
  }
  return found;
}

/// The reason for `plan` in one line. `scattered`: the input that is not contiguous along the lanes; -1: none.
static std::string reasonOf(const ContractionPlan &plan, int64_t scattered, const CpuTarget &target) {
  if (plan.form == ContractionPlan::Form::Dot)
    return scattered < 0
               ? "the result has too few columns to fill a vector"
               : llvm::formatv("input {0} is contiguous along loop {1} alone, and too few rows would share a packed "
                               "panel of it",
                               scattered, plan.dotDim)
                     .str();
  std::string reason = llvm::formatv("{0} x {1} of {2} vector registers hold sums", plan.rows,
                                     plan.columns / plan.lanes, target.numRegisters());
  if (plan.form == ContractionPlan::Form::Interleaved)
    return reason + llvm::formatv("; one instruction adds {0} along loop {1}, for which input {2} is packed",
                                  32 * plan.lanes <= target.int8DotBits ? "four products" : "two products of 16 bits",
                                  plan.dotDim, plan.packOperand)
                        .str();
  if (plan.form == ContractionPlan::Form::Transposed)
    return llvm::formatv(
               "{0} x {1} of {2} vector registers hold sums, along loop {3}: the rows of the result would leave "
               "lanes without work",
               plan.rows / plan.lanes, plan.columns, target.numRegisters(), plan.rowDim)
        .str();
  if (plan.packOperand >= 0)
    reason += llvm::formatv("; input {0} is packed: {1}", plan.packOperand,
                            plan.packOperand == scattered ? "it is not contiguous along the lanes"
                                                          : "its rows evict each other from the caches");
  return reason;
}

/// Changes `plan`, of the form Outer, to dot products of 8-bit integers if the op and the target allow them, and if
/// enough rows read what is packed for them.
static void useByteProducts(const ContractionShape &shape, const CpuTarget &target, ContractionPlan &plan) {
  constexpr int64_t kLeastRows = 8, kLeastSteps = 16;
  const bool byDots = 32 * plan.lanes <= target.int8DotBits, byPairs = 32 * plan.lanes <= target.int16PairBits;
  if (!(byDots || byPairs) || plan.lanes < 4 || plan.rowDim < 0 || shape.size(plan.rowDim) < kLeastRows ||
      shape.sizeOr(plan.laneDim, plan.lanes) * 2 < plan.lanes)
    return;
  // What is packed has room for a tile of each reduction, and tiles of dynamic ones are long.
  const auto isDynamicReduction = [&](unsigned d) { return !shape.isParallel(d) && !shape.isStatic(d); };
  if (llvm::count_if(llvm::seq<unsigned>(0, shape.sizes.size()), isDynamicReduction) > 1)
    return;
  for (unsigned d = 0; d < shape.sizes.size(); ++d) {
    std::string why;
    if (shape.isParallel(d) || shape.size(d) < kLeastSteps)
      continue;
    auto products = codegen::matchByteProducts(shape.op, plan.laneDim, plan.rowDim, d, why);
    if (!products)
      continue;
    plan.form = ContractionPlan::Form::Interleaved;
    plan.dotDim = d;
    plan.packOperand = products->lane.input;
    if (!byDots) {
      // Both factors are in registers as two vectors of 16-bit integers, beside the sums.
      plan.columns = std::min(plan.columns, 2 * plan.lanes);
      const int64_t vectors = plan.columns / plan.lanes;
      plan.rows = std::min(plan.rows, (target.numRegisters() - 4 - 2 * vectors) / vectors);
    }
    return;
  }
}

bool mica::cpu::hasOneCombiner(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  return matchReduction(op.getRegionOutputArgs(), 0, combiners) && combiners.size() == 1 &&
         linalg::getCombinerOpKind(combiners.front());
}

/// Changes `plan`, of the form Outer, to the form Transposed if the op allows it and is faster in it.
static void useTransposedBlocks(const ContractionShape &shape, const CpuTarget &target, ContractionPlan &plan) {
  if (plan.rowDim < 0)
    return;
  for (auto [position, map] : shape.inputs) {
    const LaneAccess access = classifyAccess(map, plan.rowDim);
    if (access != LaneAccess::Uniform && access != LaneAccess::Contiguous)
      return;
  }
  const TransposedBlock block = betterTransposedBlock(shape, target, plan);
  if (block.rows == 0)
    return;
  plan.form = ContractionPlan::Form::Transposed;
  plan.rows = block.rows;
  plan.columns = block.columns;
}

std::optional<ContractionPlan> mica::cpu::planContraction(linalg::LinalgOp op, const CpuTarget &target,
                                                          int64_t repeats) {
  ContractionShape shape(op, repeats);
  if (shape.resultMap.getNumResults() == 0)
    return std::nullopt; // a full reduction has no lanes
  // Without elements to multiply, a tile of an empty operand would be out of bounds.
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<ShapedType>(operand.getType()); type && llvm::is_contained(type.getShape(), 0))
      return std::nullopt;
  ContractionPlan plan;
  plan.laneDim = cast<AffineDimExpr>(shape.resultMap.getResults().back()).getPosition();
  plan.lanes = std::max<int64_t>(1, target.vectorBits / 8 / shape.elementBytes());

  // An operand that depends on the lanes but is not contiguous along them must be packed, or the form must be Dot.
  int64_t packed = -1;
  AffineMap packedMap;
  for (auto [position, map] : shape.inputs) {
    LaneAccess access = classifyAccess(map, plan.laneDim);
    if (access == LaneAccess::Uniform || access == LaneAccess::Contiguous)
      continue;
    if (isSubsetOfLoops(map)) {
      packed = position;
      packedMap = map;
    }
  }

  // A single column: no operand depends on the lanes.
  bool fewLanes = shape.isStatic(plan.laneDim) && shape.sizes[plan.laneDim] * 4 <= plan.lanes;
  bool noLanes = fewLanes && llvm::all_of(shape.inputs, [&](auto &input) {
                   return classifyAccess(input.second, plan.laneDim) == LaneAccess::Uniform;
                 });
  if (packed >= 0 || noLanes) {
    // Lanes along a reduction loop require that every operand is contiguous along it, and a single combiner op.
    const bool combines = hasOneCombiner(op);
    for (int64_t d = shape.sizes.size() - 1; combines && d >= 0 && plan.dotDim < 0; --d) {
      if (shape.isParallel(d) || (shape.isStatic(d) && shape.sizes[d] < plan.lanes))
        continue;
      if (llvm::all_of(shape.inputs, [&](auto &input) {
            return classifyAccess(input.second, d) == LaneAccess::Contiguous ||
                   classifyAccess(input.second, d) == LaneAccess::Uniform;
          }))
        plan.dotDim = d;
    }
    bool knownReuse = packed >= 0 && llvm::all_of(llvm::seq<unsigned>(0, shape.sizes.size()), [&](unsigned d) {
                        return !shape.isParallel(d) || packedMap.isFunctionOfDim(d) || shape.isStatic(d);
                      });
    // Packing pays with many rows, and with enough lanes to fill its vectors.
    if (plan.dotDim >= 0 && (!knownReuse || fewLanes || shape.reuse(packedMap) < 16))
      plan.form = ContractionPlan::Form::Dot;
    else
      plan.dotDim = -1;
  }

  // Rows: the largest parallel loop that does not index the operand with the lanes; of equal ones the innermost.
  int64_t bestRows = 1;
  for (AffineExpr expr : shape.resultMap.getResults()) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    if (d == plan.laneDim)
      continue;
    bool free = llvm::all_of(shape.inputs, [&](auto &input) {
      return classifyAccess(input.second, plan.laneDim) == LaneAccess::Uniform || !input.second.isFunctionOfDim(d);
    });
    // Pooling: every loop indexes the only operand; rows then only reduce the loop overhead.
    if (!free && shape.inputs.size() > 1)
      continue;
    int64_t size = std::min<int64_t>(shape.size(d), 16);
    if (size > 1 && size >= bestRows) {
      bestRows = size;
      plan.rowDim = d;
    }
  }
  if (plan.rowDim < 0)
    plan.rowDim = rowsSharingAnInput(shape, plan);

  if (plan.form == ContractionPlan::Form::Dot) {
    int64_t rows = plan.rowDim < 0 ? 1 : shape.size(plan.rowDim);
    bool many = target.numRegisters() >= 32;
    plan.rows = rows >= 4 ? (many ? 4 : 2) : rows;
    plan.columns = plan.rows == 1 ? 8 : 4;
    if (shape.isStatic(plan.laneDim))
      while (plan.columns > 1 && plan.columns > shape.sizes[plan.laneDim])
        plan.columns /= 2;
  } else {
    // Panels are packed once for all rows, so an operand that depends on the rows is gathered.
    if (packed >= 0 && !plan.movesWithRows(packedMap))
      plan.packOperand = packed;
    chooseBlock(shape, target, plan);
    if (packed < 0)
      plan.packOperand = operandWorthPacking(shape, target, plan);
    useByteProducts(shape, target, plan);
    useTransposedBlocks(shape, target, plan);
  }
  chooseTiles(shape, target, plan);
  plan.reason = reasonOf(plan, packed, target);
  return plan;
}

RegisterUse ContractionPlan::registerUse(int64_t elementBits, int64_t vectorBits) const {
  const int64_t perVector =
      std::max<int64_t>(1, llvm::divideCeil(lanes * elementBits, std::max<int64_t>(1, vectorBits)));
  if (form == Form::Transposed)
    return {rows / lanes * columns * perVector, (rows / lanes + 1) * perVector};
  const int64_t vectors = form == Form::Dot ? columns : columns / lanes;
  return {rows * vectors * perVector, ((rows > 1 ? vectors : 1) + 1) * perVector};
}

//===------------------------------------------------------------------------------------------------------------===//
// Attribute
//===------------------------------------------------------------------------------------------------------------===//

codegen::ContractionConfigAttr ContractionPlan::toAttr(MLIRContext *context) const {
  return codegen::ContractionConfigAttr::get(context, form, laneDim, rowDim, dotDim, rows, columns, lanes, packOperand,
                                             lanesOuter ? codegen::BlockOrder::LanesOuter
                                                        : codegen::BlockOrder::RowsOuter,
                                             tile, reason.empty() ? StringAttr() : StringAttr::get(context, reason));
}

ContractionPlan ContractionPlan::fromAttr(codegen::ContractionConfigAttr config) {
  ContractionPlan plan;
  plan.form = config.getForm();
  plan.laneDim = config.getLaneDim();
  plan.rowDim = config.getRowDim();
  plan.dotDim = config.getReductionDim();
  plan.rows = config.getRows();
  plan.columns = config.getColumns();
  plan.lanes = config.getLanes();
  plan.packOperand = config.getPackOperand();
  plan.lanesOuter = config.getOrder() == codegen::BlockOrder::LanesOuter;
  plan.tile = SmallVector<int64_t>(config.getTileSizes());
  plan.reason = config.getReason() ? config.getReason().str() : "";
  return plan;
}
