//===- Contraction.cpp - loop nests of multiply-accumulate ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Two inner kernels, both over contiguous cells so that the C++ compiler vectorizes them:
//   row:  c[0..n) += a0 * b0[0..n) + a1 * b1[0..n) + ...   four steps of a reduction loop at a time
//   dot:  c       += a[0..n) . b[0..n)
// The innermost loops are chosen to fit one of them (after copying an operand, if none fits); the other loops are
// outside in the given order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Contraction.h"

#include "dialects/Mica/Reference/Bounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace mica::reference {

//===------------------------------------------------------------------------------------------------------------===//
// The nest
//===------------------------------------------------------------------------------------------------------------===//

namespace {

/// c[i] += a * b[i], with constant `a` and contiguous b and c.
template <typename T> void rowKernel1(int64_t n, T a, const T *b, T *__restrict c) {
  for (int64_t i = 0; i < n; ++i)
    c[i] += a * b[i];
}

/// Four rows of b at once, so that c is read and written a quarter as often.
template <typename T> void rowKernel4(int64_t n, const T (&a)[4], const T *const (&b)[4], T *__restrict c) {
  const T *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];
  for (int64_t i = 0; i < n; ++i)
    c[i] += (a[0] * b0[i] + a[1] * b1[i]) + (a[2] * b2[i] + a[3] * b3[i]);
}

/// a . b, both contiguous, in eight partial sums.
template <typename T> T dotKernel(int64_t n, const T *a, const T *b) {
  T partial[8] = {};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k)
      partial[k] += a[i + k] * b[i + k];
  T sum = 0;
  for (; i < n; ++i)
    sum += a[i] * b[i];
  for (T part : partial)
    sum += part;
  return sum;
}

/// The nest, its loops split into outer ones, `middle` (four steps at a time by the row kernel) and `inner`.
template <typename T> class Nest {
public:
  Nest(SmallVector<MacLoop> loops) : outer(std::move(loops)) {
    inner = takeInner();
    // Beside a row, a reduction loop that indexes a and b but not c.
    for (size_t i = outer.size(); isRow && i-- > 0;) {
      if (outer[i].c != 0 || outer[i].extent < 4)
        continue;
      middle = outer[i];
      outer.erase(outer.begin() + i);
      break;
    }
  }

  void run(const T *a, const T *b, T *c) const {
    if (swapped)
      std::swap(a, b);
    runOuter(0, a, b, c);
  }

private:
  /// Removes the longest loop that fits an inner kernel; without one, the longest.
  MacLoop takeInner() {
    size_t best = 0;
    int64_t bestScore = -1;
    for (auto [i, loop] : llvm::enumerate(outer)) {
      bool row = loop.c == 1 && ((loop.b == 1 && loop.a == 0) || (loop.a == 1 && loop.b == 0));
      bool dot = loop.c == 0 && loop.a == 1 && loop.b == 1;
      // Beyond some length a longer inner loop is not faster; then rows are preferred.
      int64_t score = std::min<int64_t>(loop.extent, 64) * (row ? 9 : dot ? 8 : 2);
      if (score <= bestScore)
        continue;
      best = i;
      bestScore = score;
      isRow = row;
      isDot = dot;
    }
    MacLoop loop = outer[best];
    outer.erase(outer.begin() + best);
    // In a row kernel the contiguous operand is called b.
    swapped = isRow && loop.a == 1;
    if (swapped) {
      std::swap(loop.a, loop.b);
      for (MacLoop &other : outer)
        std::swap(other.a, other.b);
    }
    return loop;
  }

  void runOuter(size_t depth, const T *a, const T *b, T *c) const {
    if (depth == outer.size())
      return runInner(a, b, c);
    const MacLoop &loop = outer[depth];
    for (int64_t i = 0; i < loop.extent; ++i)
      runOuter(depth + 1, a + i * loop.a, b + i * loop.b, c + i * loop.c);
  }

  void runInner(const T *a, const T *b, T *c) const {
    if (isRow)
      return runRows(a, b, c);
    if (isDot) {
      *c += dotKernel(inner.extent, a, b);
      return;
    }
    for (int64_t i = 0; i < inner.extent; ++i)
      c[i * inner.c] += a[i * inner.a] * b[i * inner.b];
  }

  void runRows(const T *a, const T *b, T *c) const {
    int64_t k = 0;
    for (; k + 4 <= middle.extent; k += 4) {
      T factors[4];
      const T *rows[4];
      for (int64_t j = 0; j < 4; ++j) {
        factors[j] = a[(k + j) * middle.a];
        rows[j] = b + (k + j) * middle.b;
      }
      rowKernel4(inner.extent, factors, rows, c);
    }
    for (; k < middle.extent; ++k)
      rowKernel1(inner.extent, a[k * middle.a], b + k * middle.b, c);
  }

  SmallVector<MacLoop> outer;
  MacLoop middle = {1, 0, 0, 0};
  MacLoop inner;
  bool isRow = false, isDot = false, swapped = false;
};

/// True if one of the inner kernels can run along `loop`.
bool fitsKernel(const MacLoop &loop) {
  return (loop.c == 1 && loop.a + loop.b == 1 && loop.a * loop.b == 0) || (loop.c == 0 && loop.a == 1 && loop.b == 1);
}

/// Larger copies of an operand cost more memory than they are worth.
constexpr int64_t kMaxPackedCells = int64_t(1) << 26;

/// For nests in which no loop fits a kernel (both matrices transposed): copies the operand that depends on the result's
/// contiguous loop so that it is contiguous along it too. Returns the operand to use.
const Cell *packForRows(SmallVectorImpl<MacLoop> &loops, int64_t MacLoop::*stride, const Cell *operand,
                        std::vector<Cell> &storage) {
  auto inner = llvm::find_if(loops, [](const MacLoop &loop) { return loop.c == 1 && loop.a * loop.b == 0; });
  if (inner == loops.end() || (*inner).*stride == 0 || llvm::any_of(loops, fitsKernel))
    return operand;
  // The loops on which the operand depends, the contiguous one last.
  SmallVector<MacLoop *> order;
  for (MacLoop &loop : loops)
    if (&loop != inner && loop.*stride != 0)
      order.push_back(&loop);
  order.push_back(inner);
  SmallVector<int64_t> shape, oldStrides;
  int64_t size = 1;
  for (MacLoop *loop : order) {
    shape.push_back(loop->extent);
    oldStrides.push_back(loop->*stride);
    if (llvm::MulOverflow(size, loop->extent, size) || size > kMaxPackedCells)
      return operand;
  }
  storage.resize(size);
  Cell *cell = storage.data();
  forEachPosition(shape, [&](ArrayRef<int64_t> at) { *cell++ = operand[linearize(at, oldStrides)]; });
  for (auto [loop, newStride] : llvm::zip_equal(order, stridesOf(shape)))
    loop->*stride = newStride;
  return storage.data();
}

} // namespace

void multiplyAccumulate(ArrayRef<MacLoop> loops, const Cell *a, const Cell *b, Cell *c, bool isFloat) {
  SmallVector<MacLoop> useful;
  int64_t terms = 1;
  for (const MacLoop &loop : loops) {
    if (loop.extent <= 0)
      return;
    if (loop.extent > 1)
      useful.push_back(loop);
    if (loop.c == 0)
      terms *= loop.extent;
  }
  noteAccumulation(terms);
  if (useful.empty())
    useful.push_back({1, 0, 0, 0});
  std::vector<Cell> packedA, packedB;
  a = packForRows(useful, &MacLoop::a, a, packedA);
  b = packForRows(useful, &MacLoop::b, b, packedB);
  if (isFloat)
    Nest<double>(std::move(useful)).run(&a->f, &b->f, &c->f);
  else
    Nest<uint64_t>(std::move(useful))
        .run(reinterpret_cast<const uint64_t *>(a), reinterpret_cast<const uint64_t *>(b),
             reinterpret_cast<uint64_t *>(c));
}

//===------------------------------------------------------------------------------------------------------------===//
// Matching
//===------------------------------------------------------------------------------------------------------------===//

/// Follows casts from `value` to an input's block argument, and records them in `form`. Returns the input, or nothing.
static std::optional<unsigned> traceInput(Value value, Block &block, SmallVector<Operation *> &casts) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
             arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp>(op) ||
        op->getBlock() != &block)
      return std::nullopt;
    casts.insert(casts.begin(), op);
    value = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &block || argument.getArgNumber() > 1)
    return std::nullopt;
  return argument.getArgNumber();
}

/// Whether some value makes the result of `op` poison. Such bodies are evaluated op by op, which finds it.
static bool mayMakePoison(Operation &op) {
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return true;
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    return flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap();
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op))
    return flags.getFastMathFlagsAttr() &&
           arith::bitEnumContainsAny(flags.getFastMathFlagsAttr().getValue(),
                                     arith::FastMathFlags::nnan | arith::FastMathFlags::ninf);
  return false;
}

std::optional<MacForm> matchMultiplyAccumulate(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  Block &block = *op.getBlock();
  if (llvm::any_of(block, mayMakePoison))
    return std::nullopt;
  Operation *add = block.getTerminator()->getOperand(0).getDefiningOp();
  if (!add || !isa<arith::AddFOp, arith::AddIOp>(add) || add->getBlock() != &block)
    return std::nullopt;
  Value out = block.getArgument(2);
  Value product = add->getOperand(0) == out ? add->getOperand(1) : add->getOperand(0);
  Operation *multiply = product.getDefiningOp();
  if (!llvm::is_contained(add->getOperands(), out) || !multiply || !isa<arith::MulFOp, arith::MulIOp>(multiply) ||
      multiply->getBlock() != &block)
    return std::nullopt;

  MacForm form;
  SmallVector<Operation *> casts[2];
  std::optional<unsigned> first = traceInput(multiply->getOperand(0), block, casts[0]);
  std::optional<unsigned> second = traceInput(multiply->getOperand(1), block, casts[1]);
  if (!first || !second || *first == *second)
    return std::nullopt;
  form.casts[*first] = std::move(casts[0]);
  form.casts[*second] = std::move(casts[1]);
  return form;
}

} // namespace mica::reference
