//===- Filled.cpp - buffers that are written before they are read -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Visits the operations of a block in order. A store writes a box of the buffer. A loop around it whose induction
// variable moves the box along one dimension by at most its size writes the union of all iterations. The box after the
// outermost loop is the whole buffer or part of it. Adjacent boxes (full vectors and their remainder) are merged. A
// slice that each iteration fills before reading it counts as a box too, whatever reads follow. The analysis ends at
// the first read before the whole buffer is written.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Shadows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mica;

namespace {

/// An affine expression of values, all of them dimension operands of the map.
struct Expr {
  AffineMap map;
  SmallVector<Value> operands;

  static Expr of(MLIRContext *context, OpFoldResult value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return {AffineMap::getConstantMap(*constant, context), {}};
    return Expr{AffineMap::getMultiDimIdentityMap(1, context), {cast<Value>(value)}}.composed();
  }

  /// Composed with the affine.apply ops that define its operands.
  Expr composed() const {
    Expr result = *this;
    affine::fullyComposeAffineMapAndOperands(&result.map, &result.operands);
    affine::canonicalizeMapAndOperands(&result.map, &result.operands);
    // Symbols are treated as dimensions here.
    const unsigned dims = result.map.getNumDims();
    SmallVector<AffineExpr> shifted;
    for (unsigned i = 0; i < result.map.getNumSymbols(); ++i)
      shifted.push_back(getAffineDimExpr(dims + i, map.getContext()));
    result.map = AffineMap::get(dims + shifted.size(), 0, result.map.getResult(0).replaceDimsAndSymbols({}, shifted));
    return result;
  }

  static Expr combine(const Expr &a, const Expr &b, int64_t factor) {
    const unsigned left = a.map.getNumDims();
    AffineExpr sum = a.map.getResult(0) + b.map.getResult(0).shiftDims(b.map.getNumDims(), left) * factor;
    Expr result{AffineMap::get(left + b.map.getNumDims(), 0, sum), a.operands};
    llvm::append_range(result.operands, b.operands);
    return result.composed();
  }

  std::optional<int64_t> constant() const {
    auto expr = dyn_cast<AffineConstantExpr>(map.getResult(0));
    return expr ? std::optional<int64_t>(expr.getValue()) : std::nullopt;
  }

  bool uses(Value value) const {
    for (auto [index, operand] : llvm::enumerate(operands))
      if (operand == value && map.isFunctionOfDim(index))
        return true;
    return false;
  }
};

Expr operator+(const Expr &a, const Expr &b) { return Expr::combine(a, b, 1); }
Expr operator-(const Expr &a, const Expr &b) { return Expr::combine(a, b, -1); }

bool atLeast(const Expr &a, const Expr &b) {
  const Expr difference = a - b;
  if (std::optional<int64_t> constant = difference.constant())
    return *constant >= 0;
  using Set = ValueBoundsConstraintSet;
  return Set::compare(Set::Variable(a.map, a.operands), Set::ComparisonOperator::GE, Set::Variable(b.map, b.operands));
}

bool same(const Expr &a, const Expr &b) {
  if (std::optional<int64_t> constant = (a - b).constant())
    return *constant == 0;
  return atLeast(a, b) && atLeast(b, a);
}

/// The part that is written in one dimension: `size` elements from `from` on, or all of it.
struct Span {
  bool isAll = false;
  Expr from, size;
  std::optional<int64_t> cap = {}; ///< upper limit of the number of elements
};

using Box = SmallVector<Span>;

class Search {
public:
  explicit Search(MLIRContext *context) : context(context) {}

  /// Whether `buffer` is filled in `home` before it is read there.
  bool isFilled(Value buffer, Block *home) {
    llvm::SetVector<Operation *> touching;
    if (!collect(buffer, home, touching))
      return false;
    SmallVector<Operation *> ordered = llvm::to_vector(touching);
    llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    Box written;
    for (Operation *op : ordered) {
      std::optional<Box> box = boxOf(op, buffer);
      if (!box)
        return false;
      if (!join(written, *box))
        written = *box;
      if (isWhole(written, buffer))
        return true;
    }
    return false;
  }

private:
  Expr constant(int64_t value) const { return Expr::of(context, Builder(context).getIndexAttr(value)); }
  Expr value(OpFoldResult value) const { return Expr::of(context, value); }

  Expr extent(Value buffer, int64_t dim) const {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.isDynamicDim(dim))
      return constant(type.getDimSize(dim));
    if (auto view = buffer.getDefiningOp<memref::SubViewOp>(); view && !view.getDroppedDims().any())
      return value(view.getMixedSizes()[dim]);
    if (auto alloc = buffer.getDefiningOp<memref::AllocOp>())
      return value(alloc.getMixedSizes()[dim]);
    // For an argument: the size that memref.dim returns.
    for (Operation *user : buffer.getUsers())
      if (auto size = dyn_cast<memref::DimOp>(user); size && size.getConstantIndex() == dim)
        return value(size.getResult());
    return constant(std::numeric_limits<int64_t>::max() / 4);
  }

  /// The operations of `home` that contain all accesses of `buffer`; false if one of them is not understood.
  bool collect(Value buffer, Block *home, llvm::SetVector<Operation *> &touching) {
    for (Operation *user : buffer.getUsers()) {
      Operation *ancestor = home->findAncestorOpInBlock(*user);
      if (!ancestor)
        return false;
      if (isa<memref::DimOp, memref::DeallocOp>(user) || isa_and_present<check::MicaCheckDialect>(user->getDialect()))
        continue;
      if (auto view = dyn_cast<memref::SubViewOp>(user); view && user == ancestor) {
        if (!collect(view.getResult(), home, touching))
          return false;
        continue;
      }
      touching.insert(ancestor);
    }
    return true;
  }

  /// The box of `buffer` that `op` certainly writes without reading it before; nothing if unknown.
  std::optional<Box> boxOf(Operation *op, Value buffer) {
    if (OpOperand *target = storedBuffer(op))
      return boxOfStore(op, target->get(), buffer);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      return boxOfLoop(loop.getBody(), buffer,
                       {{loop.getInductionVar(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}});
    }
    if (auto loop = dyn_cast<scf::ForallOp>(op)) {
      SmallVector<Variable> variables;
      for (auto [variable, from, to, step] : llvm::zip(loop.getInductionVars(), loop.getMixedLowerBound(),
                                                       loop.getMixedUpperBound(), loop.getMixedStep()))
        variables.push_back({variable, from, to, step});
      return boxOfLoop(loop.getBody(), buffer, variables);
    }
    return std::nullopt;
  }

  /// The box of `root` for the box of `view` that begins at `box`.
  std::optional<Box> throughViews(Box box, Value view, Value root) {
    while (view != root) {
      auto slice = view.getDefiningOp<memref::SubViewOp>();
      if (!slice || !llvm::all_of(slice.getMixedStrides(), [](OpFoldResult s) { return getConstantIntValue(s) == 1; }))
        return std::nullopt;
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      Box outer;
      unsigned inner = 0;
      for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
        if (dropped.test(dim)) {
          outer.push_back({false, value(offset), constant(1)});
          continue;
        }
        Span span = box[inner++];
        if (span.isAll)
          span = {false, constant(0), value(slice.getMixedSizes()[dim])};
        outer.push_back({false, span.from + value(offset), span.size, span.cap});
      }
      box = std::move(outer);
      view = slice.getSource();
    }
    return box;
  }

  std::optional<Box> boxOfStore(Operation *op, Value target, Value root) {
    SmallVector<Value> indices;
    SmallVector<int64_t> sizes;
    auto take = [&](ValueRange at, VectorType type) {
      llvm::append_range(indices, at);
      sizes.assign(indices.size(), 1);
      for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
        sizes[sizes.size() - type.getRank() + dim] = type.getDimSize(dim);
    };
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      take(store.getIndices(), {});
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      take(store.getIndices(), store.getVectorType());
    } else if (auto store = dyn_cast<vector::TransferWriteOp>(op);
               store && store.getPermutationMap().isMinorIdentity() && !store.getMask()) {
      take(store.getIndices(), store.getVectorType());
    } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
      take(store.getIndices(), store.getVectorType());
      return boxOfMasked(store, indices, target, root);
    } else {
      return std::nullopt;
    }
    Box box;
    for (auto [index, size] : llvm::zip(indices, sizes))
      box.push_back({false, value(index), constant(size)});
    // Elements that a transfer leaves out are outside of the buffer.
    return throughViews(box, target, root);
  }

  /// A mask of the first n lanes: n elements are written.
  std::optional<Box> boxOfMasked(vector::MaskedStoreOp store, ArrayRef<Value> indices, Value target, Value root) {
    auto mask = store.getMask().getDefiningOp<vector::CreateMaskOp>();
    if (!mask || mask.getNumOperands() != 1)
      return std::nullopt;
    Box box;
    for (Value index : indices)
      box.push_back({false, value(index), constant(1)});
    box.back().size = value(mask.getOperand(0));
    if (const int64_t width = store.getVectorType().getDimSize(0); !atLeast(constant(width), box.back().size))
      box.back().cap = width;
    return throughViews(box, target, root);
  }

  struct Variable {
    Value variable;
    OpFoldResult from, to, step;
  };

  /// The union of the boxes of all iterations.
  std::optional<Box> boxOfLoop(Block *body, Value buffer, ArrayRef<Variable> variables) {
    std::optional<Box> box = boxOfBody(body, buffer);
    for (const Variable &variable : llvm::reverse(variables)) {
      if (!box)
        return std::nullopt;
      box = unionOver(*box, variable);
    }
    return box;
  }

  std::optional<Box> boxOfBody(Block *body, Value buffer) {
    // If the accesses are to one slice that is filled first, its box is written.
    Value slice;
    bool only = true;
    for (Operation *user : buffer.getUsers()) {
      if (!body->findAncestorOpInBlock(*user) || isa<memref::DimOp>(user))
        continue;
      auto view = dyn_cast<memref::SubViewOp>(user);
      only &= view && user->getBlock() == body && (!slice || slice == view.getResult());
      slice = view ? view.getResult() : slice;
    }
    if (slice && only && isFilled(slice, body)) {
      Box all(cast<MemRefType>(slice.getType()).getRank(), Span{true, constant(0), constant(0)});
      return throughViews(all, slice, buffer);
    }
    // Otherwise the boxes of the operations, if they do not read the buffer.
    llvm::SetVector<Operation *> touching;
    if (!collectInside(buffer, body, touching))
      return std::nullopt;
    SmallVector<Operation *> ordered = llvm::to_vector(touching);
    llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    std::optional<Box> written;
    for (Operation *op : ordered) {
      std::optional<Box> box = boxOf(op, buffer);
      if (!box)
        return std::nullopt;
      if (!written)
        written = box;
      else
        (void)join(*written, *box);
    }
    return written;
  }

  bool collectInside(Value buffer, Block *body, llvm::SetVector<Operation *> &touching) {
    for (Operation *user : buffer.getUsers()) {
      Operation *ancestor = body->findAncestorOpInBlock(*user);
      if (isa<memref::SubViewOp>(user)) {
        if (!collectInside(user->getResult(0), body, touching))
          return false;
        continue;
      }
      if (!ancestor || isa<memref::DimOp, memref::DeallocOp>(user))
        continue;
      touching.insert(ancestor);
    }
    return true;
  }

  /// The union of the boxes for all values of `variable`, if they leave no gap.
  std::optional<Box> unionOver(Box box, const Variable &variable) {
    const Expr iv = value(variable.variable), from = value(variable.from), to = value(variable.to),
               step = value(variable.step);
    std::optional<int64_t> stride = step.constant();
    int moved = -1;
    for (auto [dim, span] : llvm::enumerate(box)) {
      if (span.from.uses(variable.variable)) {
        if (moved >= 0)
          return std::nullopt;
        moved = static_cast<int>(dim);
      } else if (span.size.uses(variable.variable)) {
        return std::nullopt;
      }
    }
    if (moved < 0) // the same offset in every iteration, if there are any
      return atLeast(to, from + constant(1)) ? std::optional<Box>(box) : std::nullopt;
    Span &span = box[moved];
    const Expr base = span.from - iv;
    if (!stride || base.uses(variable.variable))
      return std::nullopt;
    // Each box must reach to the next one, or to the end.
    if (!reaches(span.size, *stride, to - iv))
      return std::nullopt;
    if (span.cap && *span.cap < *stride)
      return std::nullopt;
    span.cap.reset();
    span.from = base + from;
    span.size = to - from;
    return box;
  }

  /// Whether `size` is at least `stride`, or at least `left`.
  bool reaches(const Expr &size, int64_t stride, const Expr &left) {
    if (atLeast(size, constant(stride)) || atLeast(size, left))
      return true;
    // A minimum must satisfy this in each operand.
    if (!size.map.isIdentity() || size.operands.size() != 1)
      return false;
    Value least = size.operands.front();
    if (auto min = least.getDefiningOp<affine::AffineMinOp>())
      return llvm::all_of(llvm::seq<unsigned>(0, min.getMap().getNumResults()), [&](unsigned i) {
        Expr part{min.getMap().getSubMap({i}), llvm::to_vector(min.getMapOperands())};
        part = part.composed();
        return atLeast(part, constant(stride)) || atLeast(part, left);
      });
    if (auto min = least.getDefiningOp<arith::MinSIOp>())
      return reaches(value(min.getLhs()), stride, left) && reaches(value(min.getRhs()), stride, left);
    return false;
  }

  /// Merges `more` into `written` if it is adjacent in one dimension and equal in the others.
  bool join(Box &written, const Box &more) {
    if (written.size() != more.size())
      return false;
    int moved = -1;
    for (auto [dim, spans] : llvm::enumerate(llvm::zip(written, more))) {
      auto &[a, b] = spans;
      if ((a.isAll && b.isAll) || (same(a.from, b.from) && same(a.size, b.size) && a.cap == b.cap))
        continue;
      if (a.isAll || b.isAll)
        return false;
      if (moved >= 0 || a.cap || b.cap || !same(a.from + a.size, b.from))
        return false;
      moved = static_cast<int>(dim);
    }
    if (moved >= 0)
      written[moved].size = written[moved].size + more[moved].size;
    return true;
  }

  bool isWhole(const Box &box, Value buffer) {
    for (auto [dim, span] : llvm::enumerate(box)) {
      if (span.isAll)
        continue;
      if (span.cap || !atLeast(constant(0), span.from) || !atLeast(span.from + span.size, extent(buffer, dim)))
        return false;
    }
    return true;
  }

  MLIRContext *context;
};

} // namespace

bool mica::isFilledFirst(Value buffer, Block *home) { return Search(buffer.getContext()).isFilled(buffer, home); }
