//===- FusionRules.cpp - rules for grouping ops into kernels ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See FusionRules.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/FusionRules.h"

#include "mica/Support/Checked.h"
#include "passes/Dispatch/OpClasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mica;

/// Maximum number of ops of a kernel: larger kernels would be hard to read, and the rules slow.
static constexpr size_t kMaxOps = 40;
/// Maximum number of tensors that a kernel writes.
static constexpr size_t kMaxResults = 8;
/// Up to this number of elements a kernel may run on one core, since partitioning would not pay.
static constexpr int64_t kSerialElements = 32 * 1024;
/// With this number of independent rows, all cores have work.
static constexpr int64_t kEnoughRows = 16;
/// Elements of the contiguous dimension that form a work partition.
static constexpr int64_t kBlockElements = 4096;

static bool isAllParallel(linalg::LinalgOp op) { return op.getNumParallelLoops() == op.getNumLoops(); }

/// Whether the body reads tensors at computed positions.
static bool gathers(linalg::LinalgOp op) {
  return op.getBlock()
      ->walk([](Operation *inner) {
        return isa<tensor::ExtractOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether all uses of the results of `op` are operands of `reader`, inputs or inits as asked.
static bool isReadOnlyBy(Operation *op, linalg::LinalgOp reader, bool asInit) {
  return llvm::all_of(op->getUses(),
                      [&](OpOperand &use) { return use.getOwner() == reader && reader.isDpsInit(&use) == asInit; });
}

//===------------------------------------------------------------------------------------------------------------===//
// Contraction kernels
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `op` only computes the init of `root`: a fill or broadcast without other readers.
static bool isInitOf(linalg::LinalgOp op, linalg::LinalgOp root) {
  if (!isAllParallel(op) || op->getNumResults() != 1 || gathers(op) || !isReadOnlyBy(op, root, /*asInit=*/true))
    return false;
  return op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity();
}

/// Whether `op` only transposes or broadcasts a factor of `root`.
static bool isOperandMovementOf(linalg::LinalgOp op, linalg::LinalgOp root) {
  if (classify(op) != OpClass::DataMovement || classify(root) != OpClass::Contraction || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || !isReadOnlyBy(op, root, /*asInit=*/false))
    return false;
  AffineMap in = op.getIndexingMapsArray().front(), out = op.getIndexingMapsArray().back();
  return in.isProjectedPermutation() && out.isPermutation() && op.getBlock()->without_terminator().empty();
}

/// Whether recomputing `op` for each reader is cheap: a few short operations.
static bool isCheap(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &inner) {
    return isa_and_present<arith::ArithDialect>(inner.getDialect()) &&
           !isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(inner);
  });
}

/// Whether `op` is elementwise on elements at the same position, and is read only by `root`, as a factor, or by ops of
/// `prologue`.
static bool isPrologueOf(linalg::LinalgOp op, linalg::LinalgOp root, const llvm::DenseSet<Operation *> &prologue) {
  const OpClass opClass = classify(op);
  if (classify(root) != OpClass::Contraction || op->getNumResults() != 1 || !op->hasOneUse() || !isAllParallel(op) ||
      (opClass != OpClass::Elementwise && opClass != OpClass::DataMovement && opClass != OpClass::Fill) ||
      op.hasIndexSemantics() || gathers(op) || !isCheap(op))
    return false;
  OpOperand &use = *op->use_begin();
  auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!reader || reader.isDpsInit(&use) || (reader == root ? opClass == OpClass::Fill : !prologue.contains(reader)))
    return false;
  if (!op.getIndexingMapMatchingResult(op->getResult(0)).isPermutation())
    return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return op.isScalar(operand) || op.getMatchingIndexingMap(operand).isProjectedPermutation();
  });
}

/// Whether `op` only extends integers to 32 bits, or subtracts such integers.
static bool isWidening(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(),
                      llvm::IsaPred<arith::ExtSIOp, arith::ExtUIOp, arith::SubIOp>) &&
         !op.getBlock()->without_terminator().empty() && getElementTypeOrSelf(op->getResult(0).getType()).isInteger(32);
}

static int64_t bitsOf(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

/// Whether computing `value`, a result of an op of `prologue`, reads at most `most` bits per element, because each tile
/// of the contraction reads them again.
static bool readsAtMost(int64_t most, Value value, const llvm::DenseSet<Operation *> &prologue) {
  int64_t bits = 0;
  SmallVector<linalg::LinalgOp> work{cast<linalg::LinalgOp>(value.getDefiningOp())};
  while (!work.empty()) {
    linalg::LinalgOp op = work.pop_back_val();
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (Operation *def = input->get().getDefiningOp(); def && prologue.contains(def))
        work.push_back(cast<linalg::LinalgOp>(def));
      else if (!op.isScalar(input) && op.getMatchingIndexingMap(input).getNumResults() == op.getNumLoops())
        bits += bitsOf(input->get());
    }
  }
  return bits <= most;
}

/// Whether `op` is elementwise on values of `continued`, at the same position.
static bool isEpilogue(linalg::LinalgOp op, const llvm::DenseSet<Value> &continued) {
  if (classify(op) != OpClass::Elementwise || gathers(op))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  if (!result.isIdentity())
    return false;
  bool any = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isDpsInit(&operand)) {
      if (op.getMatchingIndexingMap(&operand) != result || op.payloadUsesValueFromOperand(&operand))
        return false;
    } else if (continued.contains(operand.get())) {
      any = true;
      if (op.getMatchingIndexingMap(&operand) != result)
        return false;
    } else if (!op.isScalar(&operand) && !op.getMatchingIndexingMap(&operand).isProjectedPermutation()) {
      return false;
    }
  }
  return any;
}

/// Whether `op` pads images of `root`, each of which the tiles of `root` may pad for themselves: no image is read for
/// several results, and its padded dimensions are the innermost ones and fit into a cache.
static bool isPaddingOf(Operation *op, linalg::LinalgOp root) {
  constexpr int64_t kMostBytes = 512 * 1024;
  auto pad = dyn_cast<tensor::PadOp>(op);
  if (!pad || !pad->hasOneUse() || !pad.getConstantPaddingValue() || !pad.getResultType().hasStaticShape() ||
      !pad.getSourceType().hasStaticShape() || ShapedType::isDynamicShape(root.getStaticLoopRanges()) ||
      !pad.getLow().empty() || !pad.getHigh().empty() || classify(root) == OpClass::Contraction)
    return false;
  OpOperand &use = *pad->use_begin();
  if (use.getOwner() != root || !root.isDpsInput(&use))
    return false;
  AffineMap map = root.getMatchingIndexingMap(&use);
  for (auto [loop, kind] : llvm::enumerate(root.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel && !map.isFunctionOfDim(loop))
      return false;
  bool isInner = false;
  int64_t bytes = llvm::divideCeil(bitsOf(pad.getResult()), 8);
  for (auto [low, high, size] :
       llvm::zip_equal(pad.getStaticLow(), pad.getStaticHigh(), pad.getResultType().getShape())) {
    if (low < 0 || high < 0 || (isInner && low == 0 && high == 0))
      return false;
    isInner |= low != 0 || high != 0;
    if (isInner)
      bytes = saturatingMul(bytes, size);
  }
  return isInner && bytes <= kMostBytes;
}

/// Why `ops` are not a contraction kernel around `root`; empty if they are.
static StringRef reasonAgainstHeavy(ArrayRef<Operation *> ops, linalg::LinalgOp root, Prologues prologues,
                                    bool padding) {
  if (root->getNumResults() != 1)
    return "the product, convolution or pooling has several results";
  llvm::DenseSet<Operation *> prologue;
  if (prologues != Prologues::None)
    for (Operation *op : llvm::reverse(ops))
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
          linalgOp && isPrologueOf(linalgOp, root, prologue) && (prologues == Prologues::All || isWidening(linalgOp)))
        prologue.insert(op);
  llvm::DenseSet<Value> continued(root->result_begin(), root->result_end());
  for (Operation *op : ops) {
    if (op == root)
      continue;
    if (padding && isPaddingOf(op, root))
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return "an op that is no linalg op is a separate kernel beside a product, convolution or pooling";
    if (prologue.contains(op)) {
      const Value result = op->getResult(0);
      if (*op->user_begin() == root &&
          !readsAtMost(prologues == Prologues::Widening ? 8 : bitsOf(result), result, prologue))
        return "the producer reads more bytes than it writes, and would be recomputed for each tile";
      continue;
    }
    if (isInitOf(linalgOp, root) || isOperandMovementOf(linalgOp, root))
      continue;
    if (!isEpilogue(linalgOp, continued))
      return "an op is neither an elementwise producer nor an elementwise consumer of the product, convolution or "
             "pooling";
    continued.insert(op->result_begin(), op->result_end());
  }
  return "";
}

//===------------------------------------------------------------------------------------------------------------===//
// Row kernels
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// A dimension of a value or of the iteration space of an op.
using Dim = std::pair<void *, unsigned>;

/// Which dimensions of the ops of a kernel are equal, according to their indexing maps.
class DimClasses {
public:
  explicit DimClasses(ArrayRef<linalg::LinalgOp> ops) {
    for (linalg::LinalgOp op : ops) {
      for (unsigned d = 0; d < op.getNumLoops(); ++d)
        classes.insert({op.getOperation(), d});
      for (OpOperand &operand : op->getOpOperands()) {
        // A tensor.empty that several ops use as init does not relate their dimensions.
        if (operand.get().getDefiningOp<tensor::EmptyOp>())
          continue;
        for (auto [position, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
          if (auto dim = dyn_cast<AffineDimExpr>(expr))
            classes.unionSets({op.getOperation(), dim.getPosition()}, {operand.get().getAsOpaquePointer(), position});
      }
      for (OpResult result : op->getResults())
        for (auto [position, expr] : llvm::enumerate(op.getIndexingMapMatchingResult(result).getResults()))
          if (auto dim = dyn_cast<AffineDimExpr>(expr))
            classes.unionSets({op.getOperation(), dim.getPosition()}, {result.getAsOpaquePointer(), position});
    }
  }

  Dim leader(linalg::LinalgOp op, unsigned loop) const { return *classes.findLeader({op.getOperation(), loop}); }

  /// The loop of `op` in class `cls`, if it is unique, parallel and only used as a plain index.
  std::optional<unsigned> parallelLoop(linalg::LinalgOp op, Dim cls) const {
    std::optional<unsigned> found;
    for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
      if (leader(op, loop) != cls)
        continue;
      if (found || iterator != utils::IteratorType::parallel)
        return std::nullopt;
      found = loop;
    }
    if (!found)
      return std::nullopt;
    for (AffineMap map : op.getIndexingMapsArray())
      for (AffineExpr expr : map.getResults())
        if (!isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(*found))
          return std::nullopt;
    return found;
  }

private:
  llvm::EquivalenceClasses<Dim> classes;
};
} // namespace

/// Whether `map` has loops in increasing order, so that memory is read in order, possibly repeatedly.
static bool isForwards(AffineMap map) {
  int64_t last = -1;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    if (static_cast<int64_t>(dim.getPosition()) <= last)
      return false;
    last = dim.getPosition();
  }
  return true;
}

/// A loop's size; a dynamic one is assumed to be large.
static int64_t sizeOr(int64_t size) { return ShapedType::isDynamic(size) ? 1024 : size; }

/// Why `ops`, none of which is a contraction, cannot be computed row by row together; empty if they can.
static StringRef reasonAgainstRows(ArrayRef<Operation *> ops) {
  SmallVector<linalg::LinalgOp> chain;
  llvm::DenseSet<Value> computed;
  for (Operation *op : ops) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return "an op that is no linalg op (a slice, a pad) is a separate kernel";
    bool gathersComputed =
        op->walk([&](tensor::ExtractOp inner) {
            return computed.contains(inner.getTensor()) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted();
    // After a transpose, every row of one side would be a column of the other.
    bool transposes = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
      bool matters = classify(op) == OpClass::DataMovement || computed.contains(operand.get());
      return matters && !isForwards(linalgOp.getMatchingIndexingMap(&operand));
    });
    if (gathersComputed)
      return "an op reads the other's result at computed indices";
    if (transposes)
      return "a transpose lies between: rows of one are columns of the other";
    computed.insert(op->result_begin(), op->result_end());
    // A fill joins the op that it initializes.
    if (classify(op) != OpClass::Fill)
      chain.push_back(linalgOp);
  }
  if (chain.size() <= 1)
    return "";
  DimClasses classes(chain);
  auto elementsOf = [](linalg::LinalgOp op) {
    int64_t elements = 1;
    for (int64_t size : op.getStaticLoopRanges())
      elements *= std::max<int64_t>(sizeOr(size), 1);
    return elements;
  };
  linalg::LinalgOp largest = *std::max_element(chain.begin(), chain.end(), [&](linalg::LinalgOp a, linalg::LinalgOp b) {
    return elementsOf(a) < elementsOf(b);
  });

  // Rows: the loops of the largest op that every op has, and that are parallel.
  int64_t rows = 1, block = 1;
  bool any = false;
  SmallVector<int64_t> sizes = largest.getStaticLoopRanges();
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    Dim cls = classes.leader(largest, loop);
    if (!llvm::all_of(chain, [&](linalg::LinalgOp op) { return classes.parallelLoop(op, cls).has_value(); }))
      continue;
    any = true;
    if (loop + 1 == sizes.size())
      block = std::max<int64_t>(1, sizeOr(sizes[loop]) / kBlockElements);
    else
      rows = saturatingMul(rows, sizeOr(sizes[loop]));
  }
  if (!any)
    return llvm::all_of(chain, [](linalg::LinalgOp op) { return op.getNumLoops() == 0; })
               ? ""
               : "no dimension is parallel in all of them";
  // All ops have the same iteration space, so fusing them never costs performance.
  bool same = llvm::all_of(
      chain, [&](linalg::LinalgOp op) { return isAllParallel(op) && elementsOf(op) == elementsOf(largest); });
  bool wins = same || elementsOf(largest) <= kSerialElements || rows * block >= kEnoughRows;
  return wins ? "" : "too few rows in common for all cores, and too many elements for one";
}

//===------------------------------------------------------------------------------------------------------------===//
// Attention kernels
//===------------------------------------------------------------------------------------------------------------===//

StringRef mica::reasonAgainstAttention(ArrayRef<Operation *> ops) {
  // Each block of rows reads all keys and values again, from the caches if they are not too many.
  constexpr int64_t kMostKeys = 8192, kLeastRows = 8, kLeastBlocks = 8;
  if (ops.size() > kMaxOps)
    return "the kernel would have too many ops";
  SmallVector<linalg::LinalgOp> products;
  for (Operation *op : ops) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || gathers(linalgOp))
      return "an op that is no linalg op, or reads at computed indices, lies between the products";
    if (isHeavy(op))
      products.push_back(linalgOp);
  }
  if (products.size() != 2 || classify(products[0]) != OpClass::Contraction ||
      classify(products[1]) != OpClass::Contraction)
    return "they are no chain of two products";
  linalg::LinalgOp first = products[0], last = products[1];
  for (linalg::LinalgOp product : products)
    if (ShapedType::isDynamicShape(product.getStaticLoopRanges()))
      return "sizes of a product are not known";

  SmallVector<linalg::LinalgOp> chain;
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  bool reduces = false;
  for (Operation *op : ops) {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    if (op != last && op->isBeforeInBlock(last) &&
        !llvm::all_of(op->getUsers(), [&](Operation *user) { return members.contains(user); }))
      return "a tensor between the products is needed elsewhere";
    if (classify(op) == OpClass::Fill || isOperandMovementOf(linalgOp, first) || isOperandMovementOf(linalgOp, last))
      continue;
    reduces |= op != first && op != last && linalgOp.getNumReductionLoops() > 0;
    chain.push_back(linalgOp);
  }
  if (!reduces)
    return "nothing is reduced between the products";

  // The rows: loops of the result that every op has. The last of them shares the other factor of the last product.
  DimClasses classes(chain);
  int64_t rows = 1;
  std::optional<unsigned> shared;
  for (AffineExpr expr : last.getIndexingMapMatchingResult(last->getResult(0)).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return "the result of a product is no plain tensor of its loops";
    const Dim cls = classes.leader(last, dim.getPosition());
    if (!llvm::all_of(chain, [&](linalg::LinalgOp op) { return classes.parallelLoop(op, cls).has_value(); }))
      continue;
    shared = dim.getPosition();
    rows = saturatingMul(rows, last.getStaticLoopRanges()[*shared]);
  }
  const auto sharesFactor = [](linalg::LinalgOp product, unsigned loop) {
    return llvm::any_of(product.getDpsInputOperands(), [&](OpOperand *input) {
      AffineMap map = product.getMatchingIndexingMap(input);
      return map.getNumResults() > 0 && !map.isFunctionOfDim(loop);
    });
  };
  if (!shared || !sharesFactor(last, *shared) || last.getStaticLoopRanges()[*shared] < kLeastRows)
    return "too few rows share the factors of the products";
  if (rows < kLeastRows * kLeastBlocks)
    return "too few rows for all cores";
  for (auto [loop, size] : llvm::enumerate(last.getStaticLoopRanges()))
    if (last.getIteratorTypesArray()[loop] == utils::IteratorType::reduction && size > kMostKeys)
      return "a row between the products is too long for the caches";
  return "";
}

//===------------------------------------------------------------------------------------------------------------===//
// The rules
//===------------------------------------------------------------------------------------------------------------===//

StringRef mica::reasonAgainstSharing(ArrayRef<Operation *> ops, Prologues prologues, bool padding) {
  if (ops.size() == 1)
    return "";
  if (llvm::any_of(ops, [](Operation *op) { return classify(op) == OpClass::BufferCode; }))
    return "loops of the program form a separate kernel";
  if (ops.size() > kMaxOps)
    return "the kernel would have too many ops";
  if (llvm::count_if(ops, isHeavy) > 1)
    return "each has a product, convolution or pooling; a kernel has one";
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  size_t results = 0;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      results += llvm::any_of(result.getUsers(), [&](Operation *user) { return !members.contains(user); });
  if (results > kMaxResults)
    return "the kernel would write too many tensors";
  auto heavy = llvm::find_if(ops, isHeavy);
  return heavy == ops.end() ? reasonAgainstRows(ops)
                            : reasonAgainstHeavy(ops, cast<linalg::LinalgOp>(*heavy), prologues, padding);
}

/// Ops that widen one factor, one after the other: an extension and a difference. More would cost more than storing it.
static constexpr unsigned kMaxWidenings = 3;

/// Whether the elements that `op`, which widens integers, reads are of 8 bits, or widened from such by fewer than
/// `limit` ops.
static bool readsBytes(linalg::LinalgOp op, unsigned limit = kMaxWidenings) {
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    if (op.isScalar(input) || op.getMatchingIndexingMap(input).getNumResults() == 0 || bitsOf(input->get()) == 8)
      return true;
    auto producer = input->get().getDefiningOp<linalg::LinalgOp>();
    return limit > 1 && producer && isAllParallel(producer) && isWidening(producer) && readsBytes(producer, limit - 1);
  });
}

/// Whether contractions alone read what `op` computes, as factors, or fewer than `limit` ops that widen it further for
/// them.
static bool feedsFactors(linalg::LinalgOp op, unsigned limit = kMaxWidenings) {
  return llvm::all_of(op->getUses(), [&](OpOperand &use) {
    auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return reader && !reader.isDpsInit(&use) &&
           (classify(reader) == OpClass::Contraction ||
            (limit > 1 && isAllParallel(reader) && isWidening(reader) && feedsFactors(reader, limit - 1)));
  });
}

bool mica::widensFactors(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && op->getNumResults() == 1 && !op->use_empty() && linalgOp.getNumLoops() > 0 &&
         isAllParallel(linalgOp) && isWidening(linalgOp) && readsBytes(linalgOp) && feedsFactors(linalgOp);
}

bool mica::isCheaperPerReader(Operation *op, Prologues prologues) {
  OpClass opClass = classify(op);
  if (opClass == OpClass::Fill)
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (prologues != Prologues::None && widensFactors(op))
    return true;
  if (opClass != OpClass::DataMovement || !linalgOp || linalgOp.getNumDpsInputs() != 1 ||
      linalgOp->getNumResults() != 1 || gathers(linalgOp))
    return false;
  // A broadcast of a small existing tensor.
  AffineMap in = linalgOp.getIndexingMapsArray().front();
  Operation *def = linalgOp.getDpsInputs().front().getDefiningOp();
  bool atHand = !def || matchPattern(def, m_Constant());
  return atHand && in.isProjectedPermutation() && in.getNumResults() < in.getNumDims();
}
