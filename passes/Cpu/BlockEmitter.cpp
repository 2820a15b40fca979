//===- BlockEmitter.cpp - register blocks of a contraction and what is fused with it -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The loops made for a matmul with plan "outer 8x32" and a relu behind it:
//
//   for lanes n step 32:                     (or rows first, see ContractionPlan::lanesOuter)
//     for rows m step 8:
//       16 accumulators = init
//       for k: 2 vectors of B, 8 elements of A, 16 multiply-adds
//       16 times relu
//       16 stores
//   a last panel of fewer lanes is masked; the last rows are a smaller block
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Cpu/BlockEmitter.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace mica::cpu;

namespace {

/// Where in the iteration space a register block is: one value per loop of the root.
using Point = SmallVector<OpFoldResult>;
using Values = SmallVector<Value>;

class Emitter {
public:
  Emitter(RewriterBase &rewriter, FusedGroup &group, const ContractionPlan &plan)
      : b(rewriter), group(group), plan(plan), root(group.root), loc(group.root.getLoc()) {}

  LogicalResult run();

private:
  /// Lanes a block covers: `vectors` vectors, of which only the first `count` elements exist where `count` is set.
  struct Lanes {
    int64_t vectors;
    std::optional<OpFoldResult> count;
  };

  // --- index arithmetic
  OpFoldResult constant(int64_t value) { return b.getIndexAttr(value); }
  Value value(OpFoldResult v) { return getValueOrCreateConstantIndexOp(b, loc, v); }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  OpFoldResult add(OpFoldResult v, int64_t offset) {
    return offset == 0 ? v : apply(b.getAffineDimExpr(0) + offset, {v});
  }
  OpFoldResult smaller(OpFoldResult x, OpFoldResult y) {
    AffineMap map = AffineMap::get(2, 0, {b.getAffineDimExpr(0), b.getAffineDimExpr(1)}, b.getContext());
    return affine::makeComposedFoldedAffineMin(b, loc, map, {x, y});
  }
  Values indices(AffineMap map, const Point &point) {
    Values result;
    for (AffineExpr expr : map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        result.push_back(value(point[dim.getPosition()]));
      else
        result.push_back(
            value(affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(map.getNumDims(), 0, expr), point)));
    }
    return result;
  }

  // --- loops
  Values forLoop(OpFoldResult lower, OpFoldResult upper, int64_t step, ValueRange carried,
                 llvm::function_ref<Values(OpFoldResult, ValueRange)> body);
  Values unitLoops(ArrayRef<unsigned> dims, Point &point, ValueRange carried,
                   llvm::function_ref<Values(ValueRange)> body);
  void unitLoops(ArrayRef<unsigned> dims, Point &point, llvm::function_ref<void()> body) {
    unitLoops(dims, point, {}, [&](ValueRange) {
      body();
      return Values();
    });
  }
  void countedBlocks(unsigned dim, int64_t block, Point &point, llvm::function_ref<void(int64_t)> body);
  void laneBlocks(Point &point, llvm::function_ref<void(Lanes)> body);

  // --- values
  Value loadVector(Value buffer, ValueRange position, int64_t lanes, Value mask);
  void storeVector(Value v, Value buffer, ValueRange position, Value mask);
  Value gather(Value buffer, AffineMap map, const Point &point, int64_t lanes, std::optional<OpFoldResult> last);
  Value toVector(Value v, int64_t lanes) {
    return isa<VectorType>(v.getType())
               ? v
               : vector::BroadcastOp::create(b, loc, VectorType::get({lanes}, v.getType()), v).getResult();
  }
  /// The values of loop `dim` in `lanes` neighbouring elements.
  Value indexVector(OpFoldResult first, int64_t lanes) {
    Value steps = vector::StepOp::create(b, loc, VectorType::get({lanes}, b.getIndexType()));
    return arith::AddIOp::create(b, loc, toVector(value(first), lanes), steps);
  }
  Value maskFor(const Lanes &lanes, int64_t vector, int64_t width);
  Values emitBody(linalg::LinalgOp op, int64_t width, llvm::function_ref<Value(OpOperand *)> operand,
                  llvm::function_ref<Value(unsigned)> index);

  // --- parts of a block
  void emitTile(Point &point, int64_t rows, const Lanes &lanes);
  Values outerProducts(Point &point, int64_t rows, const Lanes &lanes, Values start);
  Values summedInBlocks(Point &point, Values start, llvm::function_ref<Values(ValueRange)> step);
  Values dotProducts(Point &point, int64_t rows, int64_t columns);
  void packPanels(Point &point);
  Values panelPosition(const Point &point, int64_t vector);

  AffineMap mapOf(linalg::LinalgOp op, OpOperand *operand) {
    return renameLoops(op.getMatchingIndexingMap(operand), group.loopOf.find(op)->second, root.getNumLoops());
  }
  bool isReduction(unsigned d) const { return !linalg::isParallelIterator(iterators[d]); }
  bool isNeededOutside(Value buffer);

  RewriterBase &b;
  FusedGroup &group;
  const ContractionPlan &plan;
  linalg::LinalgOp root;
  Location loc;

  SmallVector<utils::IteratorType> iterators;
  SmallVector<OpFoldResult> sizes;           ///< of the root's loops
  SmallVector<unsigned> reductions;          ///< the root's reduction loops, outermost first
  llvm::MapVector<Value, AffineMap> outputs; ///< buffers that are stored to, with their indices by the root's loops
  OpOperand *packed = nullptr;
  AffineMap packedMap;
  Value panels; ///< packed operand: [panel][its reduction loops..][columns]
};

} // namespace

Values Emitter::forLoop(OpFoldResult lower, OpFoldResult upper, int64_t step, ValueRange carried,
                        llvm::function_ref<Values(OpFoldResult, ValueRange)> body) {
  auto low = getConstantIntValue(lower), high = getConstantIntValue(upper);
  if (low && high) {
    if (*low >= *high)
      return Values(carried);
    if (*low + step >= *high)
      return body(lower, carried);
  }
  auto loop = scf::ForOp::create(b, loc, value(lower), value(upper), value(constant(step)), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values results = body(OpFoldResult(loop.getInductionVar()), loop.getRegionIterArgs());
  // ForOp::create makes the terminator only for loops that carry nothing.
  if (!carried.empty()) {
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, results);
  }
  return Values(loop.getResults());
}

/// Nested loops over `dims`, one element at a time; `point` is set in the body.
Values Emitter::unitLoops(ArrayRef<unsigned> dims, Point &point, ValueRange carried,
                          llvm::function_ref<Values(ValueRange)> body) {
  if (dims.empty())
    return body(carried);
  return forLoop(constant(0), sizes[dims.front()], 1, carried, [&](OpFoldResult iv, ValueRange inner) {
    point[dims.front()] = iv;
    return unitLoops(dims.drop_front(), point, inner, body);
  });
}

/// Covers loop `dim` by blocks of `block` elements and smaller ones for the rest; the body gets the block's size.
void Emitter::countedBlocks(unsigned dim, int64_t block, Point &point, llvm::function_ref<void(int64_t)> body) {
  OpFoldResult lower = constant(0);
  std::optional<int64_t> total = getConstantIntValue(sizes[dim]);
  for (int64_t size = block; size >= 1;) {
    OpFoldResult upper;
    if (total) {
      int64_t low = *getConstantIntValue(lower), rest = *total - low;
      if (rest <= 0)
        break;
      size = std::min(size, rest);
      upper = constant(low + rest / size * size);
    } else {
      AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
      upper = apply(d0 + (d1 - d0).floorDiv(size) * size, {lower, sizes[dim]});
    }
    forLoop(lower, upper, size, {}, [&](OpFoldResult iv, ValueRange) {
      point[dim] = iv;
      body(size);
      return Values();
    });
    lower = upper;
    if (!total)
      size /= 2;
  }
}

/// Covers the lane loop by panels of `plan.columns`; the last one may be cut short.
void Emitter::laneBlocks(Point &point, llvm::function_ref<void(Lanes)> body) {
  unsigned dim = plan.laneDim;
  int64_t columns = plan.columns, vectors = columns / plan.lanes;
  std::optional<int64_t> total = getConstantIntValue(sizes[dim]);
  OpFoldResult full = apply(b.getAffineDimExpr(0).floorDiv(columns) * columns, {sizes[dim]});
  forLoop(constant(0), full, columns, {}, [&](OpFoldResult iv, ValueRange) {
    point[dim] = iv;
    body(Lanes{vectors, std::nullopt});
    return Values();
  });
  if (total && *total % columns == 0)
    return;
  forLoop(full, sizes[dim], columns, {}, [&](OpFoldResult iv, ValueRange) {
    point[dim] = iv;
    if (total) {
      int64_t rest = *total % columns;
      Lanes lanes{(rest + plan.lanes - 1) / plan.lanes, std::nullopt};
      if (rest % plan.lanes)
        lanes.count = constant(rest);
      body(lanes);
    } else {
      body(Lanes{vectors, apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {sizes[dim], iv})});
    }
    return Values();
  });
}

Value Emitter::maskFor(const Lanes &lanes, int64_t vector, int64_t width) {
  if (!lanes.count)
    return {};
  std::optional<int64_t> count = getConstantIntValue(*lanes.count);
  if (count && *count >= (vector + 1) * width)
    return {};
  auto type = VectorType::get({width}, b.getI1Type());
  return vector::CreateMaskOp::create(b, loc, type, value(add(*lanes.count, -vector * width)));
}

/// `lanes` neighbours from `position` on; elements that `mask` excludes are 0.
Value Emitter::loadVector(Value buffer, ValueRange position, int64_t lanes, Value mask) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  AffineMap minor = AffineMap::getMinorIdentityMap(position.size(), 1, b.getContext());
  return vector::TransferReadOp::create(b, loc, VectorType::get({lanes}, element), buffer, position, minor, zero, mask,
                                        b.getBoolArrayAttr({true}));
}

void Emitter::storeVector(Value v, Value buffer, ValueRange position, Value mask) {
  AffineMap minor = AffineMap::getMinorIdentityMap(position.size(), 1, b.getContext());
  vector::TransferWriteOp::create(b, loc, TypeRange(), v, buffer, position, minor, mask, b.getBoolArrayAttr({true}));
}

/// `lanes` elements along the lane loop that do not lie side by side, read one by one; none beyond position `last` is
/// touched.
Value Emitter::gather(Value buffer, AffineMap map, const Point &point, int64_t lanes,
                      std::optional<OpFoldResult> last) {
  Values elements;
  for (int64_t i = 0; i < lanes; ++i) {
    Point shifted = point;
    shifted[plan.laneDim] = add(point[plan.laneDim], i);
    if (last)
      shifted[plan.laneDim] = smaller(shifted[plan.laneDim], *last);
    elements.push_back(memref::LoadOp::create(b, loc, buffer, indices(map, shifted)));
  }
  return vector::FromElementsOp::create(b, loc, VectorType::get({lanes}, elements.front().getType()), elements);
}

/// The ops of `op`'s body on the values that `operand` gives: scalars where every operand is one, else
/// vectors of `width`.
Values Emitter::emitBody(linalg::LinalgOp op, int64_t width, llvm::function_ref<Value(OpOperand *)> operand,
                         llvm::function_ref<Value(unsigned)> index) {
  Block *block = op.getBlock();
  IRMapping mapping;
  auto lookup = [&](Value v) -> Value {
    if (Value known = mapping.lookupOrNull(v))
      return known;
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument || argument.getOwner() != block)
      return v; // from outside the body
    Value loaded = operand(&op->getOpOperand(argument.getArgNumber()));
    mapping.map(v, loaded);
    return loaded;
  };
  for (Operation &inner : block->without_terminator()) {
    if (auto indexOp = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(indexOp.getResult(), index(indexOp.getDim()));
      continue;
    }
    // A product that is only added: one instruction, one rounding.
    auto mul = dyn_cast<arith::MulFOp>(inner);
    if (mul && mul->hasOneUse() && isa<arith::AddFOp>(*mul->user_begin()) &&
        (mul.getType().isF32() || mul.getType().isF64()))
      continue;
    if (auto sum = dyn_cast<arith::AddFOp>(inner)) {
      auto fusable = [&](Value v) -> arith::MulFOp {
        auto factor = v.getDefiningOp<arith::MulFOp>();
        bool fits = factor && factor->getBlock() == block && factor->hasOneUse() &&
                    (sum.getType().isF32() || sum.getType().isF64());
        return fits ? factor : nullptr;
      };
      arith::MulFOp product = fusable(sum.getLhs());
      Value addend = sum.getRhs();
      if (!product) {
        product = fusable(sum.getRhs());
        addend = sum.getLhs();
      } else if (arith::MulFOp other = fusable(sum.getRhs())) {
        // Both sides are products: the second one is made by itself.
        Value x = lookup(other.getLhs()), y = lookup(other.getRhs());
        bool vectors = isa<VectorType>(x.getType()) || isa<VectorType>(y.getType());
        if (vectors)
          x = toVector(x, width), y = toVector(y, width);
        mapping.map(other.getResult(), arith::MulFOp::create(b, other.getLoc(), x, y, other.getFastmath()).getResult());
      }
      if (product) {
        Value x = toVector(lookup(product.getLhs()), width), y = toVector(lookup(product.getRhs()), width);
        Value z = toVector(lookup(addend), width);
        Location fused = b.getFusedLoc({product.getLoc(), sum.getLoc()});
        mapping.map(sum.getResult(), vector::FMAOp::create(b, fused, x, y, z).getResult());
        continue;
      }
    }
    Values operands = llvm::map_to_vector(inner.getOperands(), lookup);
    bool vectors = llvm::any_of(operands, [](Value v) { return isa<VectorType>(v.getType()); });
    Type type = inner.getResult(0).getType();
    if (vectors) {
      type = VectorType::get({width}, type);
      for (Value &v : operands)
        v = toVector(v, width);
    }
    OperationState state(inner.getLoc(), inner.getName().getStringRef(), operands, {type}, inner.getAttrs());
    mapping.map(inner.getResult(0), b.create(state)->getResult(0));
  }
  return llvm::map_to_vector(block->getTerminator()->getOperands(), lookup);
}

/// Where vector `vector` of the panel at `point` lies in the packed buffer.
Values Emitter::panelPosition(const Point &point, int64_t vector) {
  Values position = {value(apply(b.getAffineDimExpr(0).floorDiv(plan.columns), {point[plan.laneDim]}))};
  for (unsigned d : reductions)
    if (packedMap.isFunctionOfDim(d))
      position.push_back(value(point[d]));
  position.push_back(value(constant(vector * plan.lanes)));
  return position;
}

/// Copies the packed operand at `point` (its loops that are neither lanes nor reduced are set) to [panel][k..][columns].
void Emitter::packPanels(Point &point) {
  Value source = packed->get();
  Type element = cast<MemRefType>(source.getType()).getElementType();
  // A tile at the edge is smaller; its buffer has the size of a whole one, known at compile time.
  auto bound = [&](unsigned d) -> OpFoldResult {
    return getConstantIntValue(sizes[d]) || plan.tile[d] == 0 ? sizes[d] : constant(plan.tile[d]);
  };
  SmallVector<OpFoldResult> shape = {apply(b.getAffineDimExpr(0).ceilDiv(plan.columns), {bound(plan.laneDim)})};
  SmallVector<unsigned> dims;
  for (unsigned d : reductions)
    if (packedMap.isFunctionOfDim(d)) {
      dims.push_back(d);
      shape.push_back(bound(d));
    }
  shape.push_back(constant(plan.columns));
  SmallVector<int64_t> staticShape;
  Values dynamicSizes;
  dispatchIndexOpFoldResults(shape, dynamicSizes, staticShape);
  panels =
      memref::AllocOp::create(b, loc, MemRefType::get(staticShape, element), dynamicSizes, b.getI64IntegerAttr(64));

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
  // Reading along a reduction loop and transposing square blocks of vectors is nearly as fast as copying.
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
      // Interleaving row i with row i + lanes/2, log2(lanes) times over, is a transposition.
      int64_t half = plan.lanes / 2;
      SmallVector<int64_t> low, high;
      for (int64_t i = 0; i < half; ++i) {
        low.append({i, plan.lanes + i});
        high.append({half + i, plan.lanes + half + i});
      }
      for (int64_t stage = 1; stage < plan.lanes; stage *= 2) {
        Values next;
        for (int64_t i = 0; i < half; ++i) {
          next.push_back(vector::ShuffleOp::create(b, loc, rows[i], rows[i + half], low));
          next.push_back(vector::ShuffleOp::create(b, loc, rows[i], rows[i + half], high));
        }
        rows = std::move(next);
      }
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

static void disableUnrolling(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  loop->setAttr("loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

/// How many steps a sum goes on in one accumulator before it is added to a total. Rounding errors grow with the steps of a
/// block plus the number of blocks, not with the length of the whole sum.
static constexpr int64_t kStepsPerSum = 256;

/// All reduction loops around `step`, which takes and gives the sums. Long float sums are made of the sums of blocks, each
/// begun at zero: the totals are touched once per block, so they may lie outside of registers.
Values Emitter::summedInBlocks(Point &point, Values start, llvm::function_ref<Values(ValueRange)> step) {
  SmallVector<Operation *> combiners;
  Operation *combiner = nullptr;
  if (matchReduction(root.getRegionOutputArgs(), 0, combiners) && combiners.size() == 1)
    combiner = dyn_cast<arith::AddFOp>(combiners.front());
  // The loops from number `within` on take `inner` steps, few enough for one accumulator.
  unsigned within = reductions.size();
  int64_t inner = 1;
  for (; within > 0; --within) {
    std::optional<int64_t> size = getConstantIntValue(sizes[reductions[within - 1]]);
    if (!size || inner * *size > kStepsPerSum)
      break;
    inner *= *size;
  }
  // Where the reduction is cut outside of this op, this op's share is one block.
  bool isShare = llvm::any_of(reductions, [&](unsigned d) { return plan.tile[d] > 0; });
  if (!combiner || (within == 0 && !isShare))
    return unitLoops(reductions, point, start, step);

  // The loop before those is cut into blocks; of equal size where there is a divisor close by.
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
    // Unrolled, totals and sums would be live side by side and spill within the steps.
    if (auto loop = results.front().getDefiningOp<scf::ForOp>())
      disableUnrolling(loop);
    return results;
  });
}

/// The block's sums over all reduction loops, from `start` on: rows x vectors values, row by row.
Values Emitter::outerProducts(Point &point, int64_t rows, const Lanes &lanes, Values start) {
  SmallVector<OpFoldResult> rowAt;
  for (int64_t r = 0; r < rows; ++r)
    rowAt.push_back(plan.rowDim < 0 ? constant(0) : add(point[plan.rowDim], r));
  for (Value &v : start)
    v = toVector(v, plan.lanes);
  Values masks;
  for (int64_t u = 0; u < lanes.vectors; ++u)
    masks.push_back(maskFor(lanes, u, plan.lanes));
  OpFoldResult last = add(sizes[plan.laneDim], -1);

  return summedInBlocks(point, start, [&](ValueRange sums) {
    // Elements already read in this step, by operand, row (-1: same for all) and vector (-1: same for all).
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
          LaneAccess access = classifyAccess(map, plan.laneDim);
          bool byRow = plan.rowDim >= 0 && map.isFunctionOfDim(plan.rowDim);
          Value &v = known[{use->getOperandNumber(), byRow ? r : -1, access == LaneAccess::Uniform ? -1 : u}];
          if (v)
            return v;
          if (use == packed)
            return v = loadVector(panels, panelPosition(point, u), plan.lanes, Value());
          Point at = point;
          if (byRow)
            at[plan.rowDim] = rowAt[r];
          if (access == LaneAccess::Uniform)
            return v = memref::LoadOp::create(b, loc, use->get(), indices(map, at));
          at[plan.laneDim] = add(point[plan.laneDim], u * plan.lanes);
          if (access == LaneAccess::Contiguous)
            return v = loadVector(use->get(), indices(map, at), plan.lanes, masks[u]);
          return v = gather(use->get(), map, at, plan.lanes,
                            lanes.count ? std::optional<OpFoldResult>(last) : std::nullopt);
        };
        auto index = [&](unsigned dim) -> Value {
          if (static_cast<int64_t>(dim) == plan.rowDim)
            return value(rowAt[r]);
          if (static_cast<int64_t>(dim) != plan.laneDim)
            return value(point[dim]);
          return indexVector(add(point[dim], u * plan.lanes), plan.lanes);
        };
        next.push_back(toVector(emitBody(root, plan.lanes, operand, index)[0], plan.lanes));
      }
    return next;
  });
}

/// The block's sums without what they start from: one vector of `columns` results per row (a scalar for one column).
Values Emitter::dotProducts(Point &point, int64_t rows, int64_t columns) {
  SmallVector<Operation *> combiners;
  (void)matchReduction(root.getRegionOutputArgs(), 0, combiners);
  Operation *combiner = combiners.front();
  vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
  Type element = root.getRegionOutputArgs()[0].getType();
  auto vectorType = VectorType::get({plan.lanes}, element);
  Value neutral = arith::ConstantOp::create(
      b, loc, vectorType, DenseElementsAttr::get(vectorType, Attribute(*arith::getNeutralElement(combiner))));

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
    OpFoldResult size = sizes[plan.dotDim];
    OpFoldResult full = apply(b.getAffineDimExpr(0).floorDiv(plan.lanes) * plan.lanes, {size});
    Values result = forLoop(constant(0), full, plan.lanes, carried, [&](OpFoldResult iv, ValueRange inner) {
      point[plan.dotDim] = iv;
      return step(inner, Value());
    });
    return forLoop(full, size, plan.lanes, result, [&](OpFoldResult iv, ValueRange inner) {
      point[plan.dotDim] = iv;
      OpFoldResult rest = apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {size, iv});
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

/// One register block at `point`: what it starts from, the reduction, the consumers, the stores.
void Emitter::emitTile(Point &point, int64_t rows, const Lanes &lanes) {
  bool dot = plan.form == ContractionPlan::Form::Dot;
  int64_t width = dot ? lanes.vectors : plan.lanes, vectors = dot ? 1 : lanes.vectors;
  // Buffers whose elements at this block are in registers: not yet stored, or read already.
  llvm::DenseMap<Value, Values> inRegisters;
  std::map<std::tuple<void *, const void *, int64_t, int64_t>, Value> known;
  OpFoldResult last = add(sizes[plan.laneDim], -1);
  auto at = [&](int64_t r, int64_t u) {
    Point shifted = point;
    if (plan.rowDim >= 0)
      shifted[plan.rowDim] = add(point[plan.rowDim], r);
    shifted[plan.laneDim] = add(point[plan.laneDim], u * width);
    return shifted;
  };
  /// What `use` of `op` reads for row `r`, vector `u`.
  auto load = [&](linalg::LinalgOp op, OpOperand *use, int64_t r, int64_t u) -> Value {
    Value source = use->get();
    if (auto found = inRegisters.find(source); found != inRegisters.end())
      return found->second[r * vectors + u];
    if (!isa<MemRefType>(source.getType()))
      return source;
    AffineMap map = mapOf(op, use);
    LaneAccess access = classifyAccess(map, plan.laneDim);
    bool byRow = plan.rowDim >= 0 && map.isFunctionOfDim(plan.rowDim);
    Value &v = known[{source.getAsOpaquePointer(), map.getAsOpaquePointer(), byRow ? r : -1,
                      access == LaneAccess::Uniform ? -1 : u}];
    if (v)
      return v;
    if (access == LaneAccess::Uniform || width == 1)
      return v = memref::LoadOp::create(b, loc, source, indices(map, at(r, u)));
    if (access == LaneAccess::Contiguous)
      return v = loadVector(source, indices(map, at(r, u)), width, maskFor(lanes, u, width));
    return v = gather(source, map, at(r, u), width, lanes.count ? std::optional<OpFoldResult>(last) : std::nullopt);
  };
  /// All results of `op` for the block, computed elementwise.
  auto compute = [&](linalg::LinalgOp op) {
    SmallVector<Values> results(op.getNumDpsInits());
    ArrayRef<unsigned> loops = group.loopOf.find(op)->second;
    Location before = std::exchange(loc, op.getLoc());
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t u = 0; u < vectors; ++u) {
        auto index = [&](unsigned dim) -> Value {
          OpFoldResult here = at(r, u)[loops[dim]];
          bool lane = static_cast<int64_t>(loops[dim]) == plan.laneDim && width > 1;
          return lane ? indexVector(here, width) : value(here);
        };
        Values values = emitBody(
            op, width, [&](OpOperand *use) { return load(op, use, r, u); }, index);
        for (auto [result, v] : llvm::zip_equal(results, values))
          result.push_back(v);
      }
    loc = before;
    for (auto [buffer, values] : llvm::zip_equal(op.getDpsInits(), results))
      inRegisters[buffer] = values;
  };

  if (reductions.empty()) {
    compute(root);
  } else {
    Value result = root.getDpsInits()[0];
    if (group.init) {
      compute(group.init);
    } else {
      Values start;
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t u = 0; u < vectors; ++u)
          start.push_back(load(root, root.getDpsInitOperand(0), r, u));
      inRegisters[result] = start;
    }
    Values start = inRegisters[result];
    if (!dot) {
      inRegisters[result] = outerProducts(point, rows, lanes, start);
    } else {
      SmallVector<Operation *> combiners;
      (void)matchReduction(root.getRegionOutputArgs(), 0, combiners);
      Values sums = dotProducts(point, rows, width);
      for (auto [sum, from] : llvm::zip_equal(sums, start)) {
        Value initial = width == 1 ? from : toVector(from, width);
        OperationState state(combiners[0]->getLoc(), combiners[0]->getName().getStringRef(), {initial, sum},
                             {sum.getType()}, combiners[0]->getAttrs());
        sum = b.create(state)->getResult(0);
      }
      inRegisters[result] = sums;
    }
  }
  for (linalg::LinalgOp consumer : group.consumers)
    compute(consumer);

  for (auto &[buffer, map] : outputs)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t u = 0; u < vectors; ++u) {
        Value v = inRegisters[buffer][r * vectors + u];
        Values position = indices(map, at(r, u));
        if (width == 1 && !isa<VectorType>(v.getType()))
          memref::StoreOp::create(b, loc, v, buffer, position);
        else
          storeVector(toVector(v, width), buffer, position, maskFor(lanes, u, width));
      }
}

/// Whether anything but the group looks at `buffer` later: it is not an allocation of this block, or has other uses.
bool Emitter::isNeededOutside(Value buffer) {
  Value base = baseOf(buffer);
  if (!base || !base.getDefiningOp<memref::AllocOp>() || base.getDefiningOp()->getBlock() != root->getBlock())
    return true;
  SmallVector<Value> worklist = {base};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(worklist, user->getResults());
      else if (!group.loopOf.count(user) && !isa<memref::DeallocOp>(user))
        return true;
    }
  return false;
}

LogicalResult Emitter::run() {
  iterators = root.getIteratorTypesArray();
  int64_t numLoops = root.getNumLoops();
  bool dot = plan.form == ContractionPlan::Form::Dot;
  if (!root.hasPureBufferSemantics() || !hasVectorizableBody(root) || plan.laneDim < 0 || plan.laneDim >= numLoops ||
      plan.rowDim >= numLoops || plan.dotDim >= numLoops || isReduction(plan.laneDim) || plan.rowDim == plan.laneDim ||
      (plan.rowDim >= 0 && isReduction(plan.rowDim)) || static_cast<int64_t>(plan.tile.size()) != numLoops ||
      plan.packOperand >= root.getNumDpsInputs() ||
      classifyAccess(resultMap(root), plan.laneDim) != LaneAccess::Contiguous ||
      (dot ? plan.dotDim < 0 || !isReduction(plan.dotDim) : plan.columns % plan.lanes != 0))
    return failure();
  for (unsigned d = 0; d < numLoops; ++d)
    if (isReduction(d))
      reductions.push_back(d);

  // Consumers may use views made between the root and themselves.
  b.setInsertionPoint(group.consumers.empty() ? root : group.consumers.back());
  for (Range range : root.createLoopRanges(b, loc))
    sizes.push_back(range.size);
  SmallVector<linalg::LinalgOp> writers = {root};
  llvm::append_range(writers, group.consumers);
  for (linalg::LinalgOp op : writers)
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isNeededOutside(init.get()))
        outputs[init.get()] = mapOf(op, &init);

  if (plan.packOperand >= 0 && !dot) {
    packed = root.getDpsInputOperand(plan.packOperand);
    packedMap = root.getMatchingIndexingMap(packed);
  }
  // Loops that are neither rows nor lanes, those that move the packed operand outermost.
  SmallVector<unsigned> packLoops, otherLoops;
  for (AffineExpr expr : resultMap(root).getResults()) {
    int64_t d = cast<AffineDimExpr>(expr).getPosition();
    if (d != plan.laneDim && d != plan.rowDim)
      (packed && packedMap.isFunctionOfDim(d) ? packLoops : otherLoops).push_back(d);
  }

  Point point(numLoops, constant(0));
  auto rowBlocks = [&](llvm::function_ref<void(int64_t)> body) {
    plan.rowDim < 0 ? body(1) : countedBlocks(plan.rowDim, plan.rows, point, body);
  };
  auto columnBlocks = [&](llvm::function_ref<void(Lanes)> body) {
    if (!dot)
      return laneBlocks(point, body);
    countedBlocks(plan.laneDim, plan.columns, point, [&](int64_t size) { body(Lanes{size, std::nullopt}); });
  };
  unitLoops(packLoops, point, [&] {
    if (packed)
      packPanels(point);
    unitLoops(otherLoops, point, [&] {
      if (plan.lanesOuter)
        return columnBlocks([&](Lanes lanes) { rowBlocks([&](int64_t rows) { emitTile(point, rows, lanes); }); });
      rowBlocks([&](int64_t rows) { columnBlocks([&](Lanes lanes) { emitTile(point, rows, lanes); }); });
    });
  });

  for (linalg::LinalgOp consumer : group.consumers)
    b.eraseOp(consumer);
  b.eraseOp(root);
  if (group.init)
    b.eraseOp(group.init);
  return success();
}

LogicalResult mica::cpu::emitGroup(RewriterBase &rewriter, FusedGroup group, const ContractionPlan &plan) {
  OpBuilder::InsertionGuard guard(rewriter);
  return Emitter(rewriter, group, plan).run();
}
