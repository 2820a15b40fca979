//===- ContractionLaunch.cpp - launches with a block of threads per tile of a contraction -----------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Workgroup memory has the tiles of the inputs for some steps of k, as a ring buffer of stages:
//
//   copy steps 0 .. stages - 2, a group of asynchronous copies each
//   for step t
//     wait for the copies of step t; barrier: they are visible to all threads, and step t - 1 is no longer read
//     copy step t + stages - 1 to the stage of step t - 1; computed or unaligned elements are loaded to registers
//     accumulate step t in registers
//     store the loaded registers to workgroup memory
//   store the accumulators, through the epilogue
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/ContractionLaunch.h"

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "passes/Codegen/GPU/EpilogueEmitter.h"
#include "passes/Codegen/GPU/Factors.h"
#include "passes/Codegen/GPU/Registers.h"
#include "passes/Codegen/GPU/TileMemory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mica::device;

//===------------------------------------------------------------------------------------------------------------===//
// Code
//===------------------------------------------------------------------------------------------------------------===//

namespace {

/// Common base of both strategies. Positions are indices; m and n are within the block's tile unless stated otherwise.
class Emitter {
public:
  /// `corner`: all 0.
  Emitter(RewriterBase &rewriter, const ContractionGroup &group, const ContractionPlan &plan,
          const LoopPositions &corner)
      : rewriter(rewriter), loc(group.product.op.getLoc()), group(group), product(group.product), plan(plan),
        corner(corner), lhs(rewriter, product, plan, product.lhs), rhs(rewriter, product, plan, product.rhs),
        results(rewriter, group, plan) {}
  virtual ~Emitter() = default;

  SmallVector<Type> memoryTypes() { return {lhs.type(), rhs.type()}; }
  void emit(ValueRange positions, Value thread, ArrayRef<BlockArgument> memory);

protected:
  /// Computes the positions of the thread's results.
  virtual void begin(Value thread) = 0;
  /// Creates the accumulators, in the strategy's layout, from values of results, and back. begin() has determined the
  /// positions. `make` is called with the position of `count` contiguous results along n.
  using MakeRun = llvm::function_ref<SmallVector<Value>(Value m, Value n, int64_t count)>;
  using TakeRun = llvm::function_ref<void(Value m, Value n, ArrayRef<Value>)>;
  virtual SmallVector<Value> makeSums(MakeRun make) = 0;
  virtual void takeSums(ArrayRef<Value> sums, TakeRun take) = 0;
  /// The accumulators after the step in stage `slot`.
  virtual SmallVector<Value> step(Value slot, ValueRange sums) = 0;

  Value number(int64_t value) { return arith::ConstantIndexOp::create(rewriter, loc, value); }
  Value add(Value a, Value b) { return rewriter.createOrFold<arith::AddIOp>(loc, a, b); }
  Value add(Value a, int64_t b) { return b == 0 ? a : add(a, number(b)); }
  Value multiply(Value a, int64_t b) { return rewriter.createOrFold<arith::MulIOp>(loc, a, number(b)); }
  Value divide(Value a, int64_t b) { return rewriter.createOrFold<arith::DivUIOp>(loc, a, number(b)); }
  Value remainder(Value a, int64_t b) { return rewriter.createOrFold<arith::RemUIOp>(loc, a, number(b)); }

  RewriterBase &rewriter;
  Location loc;
  const ContractionGroup &group;
  const Contraction &product;
  const ContractionPlan &plan;
  LoopPositions corner; ///< of the block's tile
  TileMemory lhs, rhs;
  EpilogueEmitter results;

private:
  SmallVector<Value> loop(Value steps, SmallVector<Value> sums);
  /// Copies of a step in progress.
  struct Copies {
    Value slot;
    Value token; ///< of the group of asynchronous copies; null if there are none
    SmallVector<std::pair<TileMemory *, SmallVector<TileMemory::Chunk>>> chunks; ///< loaded, not yet stored
  };
  Copies beginCopies(Value step, Value steps);
  void endCopies(const Copies &copies);
};

} // namespace

/// Begins to copy step number `step`, if it exists.
Emitter::Copies Emitter::beginCopies(Value step, Value steps) {
  Copies copies;
  Value valid;
  std::optional<int64_t> number = getConstantIntValue(step), count = getConstantIntValue(steps);
  if (!number || !count || *number >= *count)
    valid = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, step, steps);
  Value begin = multiply(step, plan.k);
  copies.slot = remainder(step, plan.stages);
  for (TileMemory *tile : {&lhs, &rhs})
    if (!tile->isAsync())
      copies.chunks.push_back({tile, tile->fetch(loc, begin, valid)});
  if (!lhs.isAsync() && !rhs.isAsync())
    return copies;
  {
    OpBuilder::InsertionGuard guard(rewriter);
    if (valid) {
      auto branch = scf::IfOp::create(rewriter, loc, valid, /*withElseRegion=*/false);
      rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    for (TileMemory *tile : {&lhs, &rhs})
      if (tile->isAsync())
        tile->copy(loc, begin, copies.slot);
  }
  auto made = nvgpu::DeviceAsyncCreateGroupOp::create(
      rewriter, loc, nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()), ValueRange());
  // Without operands or an attribute the parser would parse the following op's results as operands, so that snapshots
  // could not be parsed.
  made->setAttr(mica::codegen::kCopiesAttr, rewriter.getUnitAttr());
  copies.token = made;
  return copies;
}

/// Stores the registers of `copies`.
void Emitter::endCopies(const Copies &copies) {
  for (const auto &[tile, chunks] : copies.chunks)
    tile->put(loc, chunks, copies.slot);
}

SmallVector<Value> Emitter::loop(Value steps, SmallVector<Value> sums) {
  Value token;
  for (int64_t i = 0; i + 1 < plan.stages; ++i) {
    Copies copies = beginCopies(number(i), steps);
    endCopies(copies);
    token = copies.token;
  }
  auto loop = scf::ForOp::create(rewriter, loc, number(0), steps, number(1), sums);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  auto wait = [&](int64_t groups) {
    if (token)
      nvgpu::DeviceAsyncWaitOp::create(rewriter, loc, token, rewriter.getI32IntegerAttr(groups));
  };
  Copies copies;
  if (plan.stages == 1) {
    gpu::BarrierOp::create(rewriter, loc);
    copies = beginCopies(step, steps);
    endCopies(copies);
    token = copies.token;
    wait(0);
    gpu::BarrierOp::create(rewriter, loc);
  } else {
    wait(plan.stages - 2);
    gpu::BarrierOp::create(rewriter, loc);
    copies = beginCopies(add(step, plan.stages - 1), steps);
  }
  SmallVector<Value> after = this->step(remainder(step, plan.stages), loop.getRegionIterArgs());
  // The loads have completed by now; the stage is not read before the next barrier.
  if (plan.stages > 1)
    endCopies(copies);
  scf::YieldOp::create(rewriter, loc, after);
  return SmallVector<Value>(loop.getResults());
}

void Emitter::emit(ValueRange positions, Value thread, ArrayRef<BlockArgument> memory) {
  for (auto [dim, position] : llvm::zip_equal(product.batch, positions.drop_back(2)))
    corner.setLoop(dim, position);
  corner.set(Axis::M, positions[positions.size() - 2]);
  corner.set(Axis::N, positions.back());
  lhs.place(loc, memory[0], corner, thread);
  rhs.place(loc, memory[1], corner, thread);
  results.place(corner);
  begin(thread);
  SmallVector<Value> sums = makeSums([&](Value m, Value n, int64_t count) { return results.start(m, n, count); });
  OpFoldResult steps = affine::makeComposedFoldedAffineApply(
      rewriter, loc, rewriter.getAffineSymbolExpr(0).ceilDiv(plan.k), {corner.size(Axis::K)});
  sums = loop(getValueOrCreateConstantIndexOp(rewriter, loc, steps), std::move(sums));
  takeSums(sums, [&](Value m, Value n, ArrayRef<Value> values) { results.give(m, n, values); });
}

//===------------------------------------------------------------------------------------------------------------===//
// Tensor cores
//===------------------------------------------------------------------------------------------------------------===//

namespace {
class TensorCoreEmitter : public Emitter {
public:
  TensorCoreEmitter(RewriterBase &rewriter, const ContractionGroup &group, const ContractionPlan &plan,
                    const LoopPositions &corner, const MmaShape &shape)
      : Emitter(rewriter, group, plan, corner), shape(shape) {}

private:
  void begin(Value thread) override;
  SmallVector<Value> makeSums(MakeRun make) override;
  void takeSums(ArrayRef<Value> sums, TakeRun take) override;
  SmallVector<Value> step(Value slot, ValueRange sums) override;

  /// Loads with ldmatrix the part of a tile for the fragment (A), or two adjacent fragments (B), at `side` and `k`.
  Value loadMatrix(TileMemory &tile, Value slot, Value side, int64_t k, bool sideFirst);
  /// Loads the fragment at `side` and `k` element by element.
  Value gather(TileMemory &tile, Value slot, Value side, int64_t k, int64_t registers, int64_t perSide);
  /// `fragment` as the mma operation takes it.
  Value rounded(Value fragment);
  /// Transposed ldmatrix exists only for 16-bit elements.
  bool hasMatrixLoads(TileMemory &tile) const { return shape.hasMatrixLoads && (shape.each == 2 || tile.isAlongK()); }
  int64_t countM() const { return plan.warpM / shape.m; }
  int64_t countN() const { return plan.warpN / shape.n; }

  MmaShape shape;
  Value lane, quad, item; ///< quad: lane / 4, item: lane % 4
  Value firstM, firstN;   ///< of the warp's tile
};
} // namespace

void TensorCoreEmitter::begin(Value thread) {
  const int64_t warpsN = plan.n / plan.warpN;
  Value warp = divide(thread, kWarp);
  lane = remainder(thread, kWarp);
  quad = divide(lane, 4);
  item = remainder(lane, 4);
  firstM = multiply(divide(warp, warpsN), plan.warpM);
  firstN = multiply(remainder(warp, warpsN), plan.warpN);
}

SmallVector<Value> TensorCoreEmitter::makeSums(MakeRun make) {
  SmallVector<Value> sums;
  auto type = VectorType::get({shape.registersC(), 2}, product.sumType());
  for (int64_t i = 0; i < countM(); ++i)
    for (int64_t j = 0; j < countN(); ++j) {
      SmallVector<Value> values;
      for (int64_t r = 0; r < shape.registersC(); ++r)
        values.append(
            make(add(add(firstM, quad), i * shape.m + 8 * r), add(add(firstN, multiply(item, 2)), j * shape.n), 2));
      sums.push_back(vector::FromElementsOp::create(rewriter, loc, type, values));
    }
  return sums;
}

void TensorCoreEmitter::takeSums(ArrayRef<Value> sums, TakeRun take) {
  for (int64_t i = 0; i < countM(); ++i)
    for (int64_t r = 0; r < shape.registersC(); ++r)
      for (int64_t j = 0; j < countN(); ++j) {
        SmallVector<Value> values;
        for (int64_t e = 0; e < 2; ++e)
          values.push_back(vector::ExtractOp::create(rewriter, loc, sums[i * countN() + j], ArrayRef<int64_t>{r, e}));
        take(add(add(firstM, quad), i * shape.m + 8 * r), add(add(firstN, multiply(item, 2)), j * shape.n), values);
      }
}

Value TensorCoreEmitter::loadMatrix(TileMemory &tile, Value slot, Value side, int64_t k, bool sideFirst) {
  // Four matrices of 8 rows of 16 bytes: lanes 8 j to 8 j + 7 provide the addresses of the rows of matrix j. The order
  // of the halves along the side and along k depends on the fragment's registers.
  Value matrix = divide(lane, 8), row = remainder(lane, 8);
  Value first = remainder(matrix, 2), second = divide(matrix, 2);
  Value alongSide = multiply(sideFirst ? first : second, 8),
        alongK = multiply(sideFirst ? second : first, 4 * shape.each);
  Value atSide = add(side, alongSide), atK = add(alongK, k);
  if (tile.isAlongK())
    atSide = add(atSide, row);
  else
    atK = add(atK, row);
  SmallVector<Value> indices = tile.at(loc, slot, atSide, atK);
  auto type = VectorType::get({4, shape.each}, tile.type().getElementType());
  return nvgpu::LdMatrixOp::create(rewriter, loc, type, tile.where(), indices, /*transpose=*/!tile.isAlongK(),
                                   /*numTiles=*/4);
}

Value TensorCoreEmitter::gather(TileMemory &tile, Value slot, Value side, int64_t k, int64_t registers,
                                int64_t perSide) {
  SmallVector<Value> values;
  for (int64_t r = 0; r < registers; ++r) {
    Value atSide = add(add(side, quad), 8 * (r % perSide));
    Value atK = add(multiply(item, shape.each), k + 4 * shape.each * (r / perSide));
    if (tile.isAlongK()) {
      Value part = tile.load(loc, slot, atSide, atK, shape.each);
      for (int64_t e = 0; e < shape.each; ++e)
        values.push_back(vector::ExtractOp::create(rewriter, loc, part, e));
      continue;
    }
    for (int64_t e = 0; e < shape.each; ++e)
      values.push_back(memref::LoadOp::create(rewriter, loc, tile.where(), tile.at(loc, slot, atSide, add(atK, e))));
  }
  return vector::FromElementsOp::create(rewriter, loc,
                                        VectorType::get({registers, shape.each}, tile.type().getElementType()), values);
}

Value TensorCoreEmitter::rounded(Value fragment) {
  if (!shape.isTf32)
    return fragment;
  // Round to nearest: the mma operation itself would truncate.
  auto rounding = NVVM::FPRoundingModeAttr::get(rewriter.getContext(), NVVM::FPRoundingMode::RNA);
  SmallVector<Value> values;
  for (int64_t r = 0; r < cast<VectorType>(fragment.getType()).getDimSize(0); ++r) {
    Value value = vector::ExtractOp::create(rewriter, loc, fragment, ArrayRef<int64_t>{r, 0});
    Value bits = NVVM::ConvertFloatToTF32Op::create(rewriter, loc, rewriter.getI32Type(), value, rounding);
    values.push_back(arith::BitcastOp::create(rewriter, loc, rewriter.getF32Type(), bits));
  }
  return vector::FromElementsOp::create(rewriter, loc, fragment.getType(), values);
}

SmallVector<Value> TensorCoreEmitter::step(Value slot, ValueRange before) {
  SmallVector<Value> sums(before);
  for (int64_t k = 0; k < plan.k; k += shape.k) {
    SmallVector<Value> as, bs;
    for (int64_t i = 0; i < countM(); ++i) {
      Value side = add(firstM, i * shape.m);
      as.push_back(rounded(hasMatrixLoads(lhs) ? loadMatrix(lhs, slot, side, k, /*sideFirst=*/true)
                                               : gather(lhs, slot, side, k, shape.registersA(), shape.m / 8)));
    }
    for (int64_t j = 0; j < countN(); ++j) {
      Value side = add(firstN, j * shape.n);
      if (!hasMatrixLoads(rhs)) {
        bs.push_back(rounded(gather(rhs, slot, side, k, shape.registersB(), 1)));
        continue;
      }
      if (j % 2 == 1)
        continue; // loaded with the previous one
      Value both = loadMatrix(rhs, slot, side, k, /*sideFirst=*/false);
      for (int64_t first : {0, 2}) {
        SmallVector<Value> values;
        for (int64_t r = first; r < first + 2; ++r)
          for (int64_t e = 0; e < shape.each; ++e)
            values.push_back(vector::ExtractOp::create(rewriter, loc, both, ArrayRef<int64_t>{r, e}));
        bs.push_back(rounded(vector::FromElementsOp::create(
            rewriter, loc, VectorType::get({2, shape.each}, rhs.type().getElementType()), values)));
      }
    }
    for (int64_t i = 0; i < countM(); ++i)
      for (int64_t j = 0; j < countN(); ++j) {
        Value &sum = sums[i * countN() + j];
        sum = nvgpu::MmaSyncOp::create(rewriter, loc, as[i], bs[j], sum, ArrayRef<int64_t>{shape.m, shape.n, shape.k},
                                       /*tf32Enabled=*/shape.isTf32);
      }
  }
  return sums;
}

//===------------------------------------------------------------------------------------------------------------===//
// Multiply-adds of each thread
//===------------------------------------------------------------------------------------------------------------===//

namespace {
class TileEmitter : public Emitter {
public:
  using Emitter::Emitter;

private:
  void begin(Value thread) override;
  SmallVector<Value> makeSums(MakeRun make) override;
  void takeSums(ArrayRef<Value> sums, TakeRun take) override;
  SmallVector<Value> step(Value slot, ValueRange sums) override;

  /// Contiguous elements of `tile` that a thread loads at once along its side: a chunk or all.
  static int64_t runOf(TileMemory &tile, int64_t results) {
    return std::min<int64_t>(results, kChunkBytes * 8 / tile.type().getElementType().getIntOrFloatBitWidth());
  }
  /// The position of result `i` of a thread along a side: segments of `run`, so that those of adjacent threads are
  /// contiguous.
  Value sideAt(Value thread, int64_t threads, int64_t i, int64_t run) {
    return add(multiply(thread, run), i / run * threads * run + i % run);
  }
  /// Loads the tile's elements for all results of a thread and `depth` positions of k from `k` on: [position][result].
  SmallVector<SmallVector<Value>> take(TileMemory &tile, Value slot, Value thread, int64_t threads, int64_t results,
                                       int64_t run, int64_t k, int64_t depth);

  Value threadM, threadN;
  int64_t threadsM = 0, threadsN = 0, runM = 1, runN = 1;
};
} // namespace

void TileEmitter::begin(Value thread) {
  threadsM = plan.m / plan.threadM;
  threadsN = plan.n / plan.threadN;
  threadM = divide(thread, threadsN);
  threadN = remainder(thread, threadsN);
  runM = runOf(lhs, plan.threadM);
  runN = runOf(rhs, plan.threadN);
}

SmallVector<Value> TileEmitter::makeSums(MakeRun make) {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < plan.threadM; ++i)
    for (int64_t j = 0; j < plan.threadN; j += runN)
      sums.append(make(sideAt(threadM, threadsM, i, runM), sideAt(threadN, threadsN, j, runN), runN));
  return sums;
}

void TileEmitter::takeSums(ArrayRef<Value> sums, TakeRun take) {
  for (int64_t i = 0; i < plan.threadM; ++i)
    for (int64_t j = 0; j < plan.threadN; j += runN)
      take(sideAt(threadM, threadsM, i, runM), sideAt(threadN, threadsN, j, runN),
           sums.slice(i * plan.threadN + j, runN));
}

SmallVector<SmallVector<Value>> TileEmitter::take(TileMemory &tile, Value slot, Value thread, int64_t threads,
                                                  int64_t results, int64_t run, int64_t k, int64_t depth) {
  SmallVector<SmallVector<Value>> values(depth, SmallVector<Value>(results));
  if (tile.isAlongK()) {
    for (int64_t i = 0; i < results; ++i) {
      Value part = tile.load(loc, slot, sideAt(thread, threads, i, run), number(k), depth);
      for (int64_t d = 0; d < depth; ++d)
        values[d][i] = vector::ExtractOp::create(rewriter, loc, part, d);
    }
    return values;
  }
  for (int64_t d = 0; d < depth; ++d)
    for (int64_t i = 0; i < results; i += run) {
      Value part = tile.load(loc, slot, sideAt(thread, threads, i, run), number(k + d), run);
      for (int64_t e = 0; e < run; ++e)
        values[d][i + e] = vector::ExtractOp::create(rewriter, loc, part, e);
    }
  return values;
}

SmallVector<Value> TileEmitter::step(Value slot, ValueRange before) {
  SmallVector<Value> sums(before);
  int64_t depth = 4;
  for (TileMemory *tile : {&lhs, &rhs})
    depth = std::min(depth, runOf(*tile, depth));
  Block *body = product.op.getBody();
  auto contract = arith::FastMathFlagsAttr::get(rewriter.getContext(), arith::FastMathFlags::contract);
  for (int64_t k = 0; k < plan.k; k += depth) {
    auto as = take(lhs, slot, threadM, threadsM, plan.threadM, runM, k, depth);
    auto bs = take(rhs, slot, threadN, threadsN, plan.threadN, runN, k, depth);
    for (int64_t d = 0; d < depth; ++d)
      for (int64_t i = 0; i < plan.threadM; ++i)
        for (int64_t j = 0; j < plan.threadN; ++j) {
          IRMapping mapping;
          mapping.map(product.lhsFactor, as[d][i]);
          mapping.map(product.rhsFactor, bs[d][j]);
          mapping.map(product.op.getRegionOutputArgs()[0], sums[i * plan.threadN + j]);
          // A fused multiply-add, if the device has one: the order of the reduction is unspecified anyway.
          sums[i * plan.threadN + j] =
              computeAgain(rewriter, body, body->getTerminator()->getOperand(0), mapping, [&](Operation *copy) {
                if (isa<arith::MulFOp, arith::AddFOp>(copy))
                  copy->setAttr("fastmath", contract);
              });
        }
  }
  return sums;
}

//===------------------------------------------------------------------------------------------------------------===//
// The launch
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<mlir::gpu::LaunchOp> mica::device::launchContraction(RewriterBase &rewriter, LaunchBuilder &builder,
                                                               const ContractionGroup &group,
                                                               const ContractionPlan &plan) {
  OpBuilder::InsertionGuard guard(rewriter);
  const Contraction &product = group.product;
  std::string why;
  std::optional<MmaShape> shape;
  Device device;
  device.allowTf32 = plan.tf32;
  if (plan.strategy == ContractionPlan::Strategy::TensorCores && !(shape = mmaShapeOf(product, device, why)))
    return failure();
  Location loc = product.op.getLoc();
  SmallVector<OpFoldResult> sizes;
  for (Range &range : cast<linalg::LinalgOp>(product.op.getOperation()).createLoopRanges(rewriter, loc))
    sizes.push_back(range.size);
  SmallVector<SharedLoop> loops;
  for (unsigned dim : product.batch)
    loops.push_back({rewriter.getIndexAttr(0), rewriter.getIndexAttr(1), sizes[dim]});
  LoopPositions corner(rewriter, loc, product, sizes);
  for (auto [axis, tile] : {std::pair(Axis::M, plan.m), std::pair(Axis::N, plan.n)}) {
    OpFoldResult count = affine::makeComposedFoldedAffineApply(
        rewriter, loc, rewriter.getAffineSymbolExpr(0).ceilDiv(tile), {corner.size(axis)});
    loops.push_back({rewriter.getIndexAttr(0), rewriter.getIndexAttr(tile), count});
  }
  std::unique_ptr<Emitter> emitter;
  if (shape)
    emitter = std::make_unique<TensorCoreEmitter>(rewriter, group, plan, corner, *shape);
  else
    emitter = std::make_unique<TileEmitter>(rewriter, group, plan, corner);
  return builder.launchGroups(rewriter, loc, loops, plan.threads(), 1, emitter->memoryTypes(),
                              [&](ValueRange positions, Value thread, ArrayRef<BlockArgument> memory) {
                                emitter->emit(positions, thread, memory);
                              });
}
