//===- Bounds.cpp - error bounds of operations on tensors -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The rules evaluate an op's own function again, on bounds, on squares, or on perturbed operands, so that its semantics
// is not implemented twice.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Bounds.h"

#include "dialects/Mica/Reference/Evaluator.h"
#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace mica::reference {

static thread_local int64_t accumulation = 0;

void noteAccumulation(int64_t terms) { accumulation = std::max(accumulation, terms); }
int64_t takeAccumulation() { return std::exchange(accumulation, 0); }

HostTensor boundsToHost(const Tensor &value, bool isUndecided) {
  HostTensor host(DType::F64, std::vector<int64_t>(value.shape().begin(), value.shape().end()));
  const Tensor bounds = value.isBuffer() ? value.boundTwin().loaded() : value.boundTwin();
  for (int64_t i = 0, e = host.numElements(); i < e; ++i)
    host.setDouble(i, isUndecided ? kUnknown : bounds.data()[i].f);
  return host;
}

namespace {

/// A deterministic stream of signs.
class Signs {
public:
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 63 ? 1.0 : -1.0;
  }

private:
  uint64_t state = 0x9e3779b97f4a7c15u;
};

/// One op with its operands and results.
class BoundedRun {
public:
  BoundedRun(Operation *op, const OpFn &fn, Operands in, Results &out, Evaluator &evaluator)
      : op(op), fn(fn), in(in), out(out), evaluator(evaluator), rule(boundRule(op)), mask(evaluator.mask) {}

  LogicalResult run();

private:
  LogicalResult move();
  LogicalResult linear();
  LogicalResult undefinedSums();
  LogicalResult change();
  LogicalResult markOpenProducts(Operands operands);
  LogicalResult runOn(SmallVector<Tensor> operands, SmallVectorImpl<Tensor> &results);
  LogicalResult findOpenSums(Operands operands, double scale, int64_t terms, double largest, std::vector<char> &open);
  std::vector<double> findBiasedSums(Operands operands, int64_t terms);
  void setUnknown();
  /// Whether elements of operand `k` are moved by a Move rule.
  bool isMovedFrom(size_t k) const {
    return rule.data == ~0u || (k < 31 && ((rule.data >> k) & 1)) ||
           ((rule.data & BoundRule::kLast) && k + 1 == in.size());
  }
  bool anyBound() const {
    return llvm::any_of(in, [](const Tensor &operand) { return operand.hasBound(); });
  }
  /// Vector code is lowered as it is, so its accumulators are rounded to their own type.
  ElementType accumulator(ElementType type) const {
    const bool isVectorCode = isa_and_nonnull<vector::VectorDialect>(op->getDialect());
    return accumulatorOf(type, evaluator.options.narrowAccumulators || isVectorCode);
  }

  Operation *op;
  const OpFn &fn;
  Operands in;
  Results &out;
  Evaluator &evaluator;
  BoundRule rule;
  std::optional<Tensor> mask; ///< of the op, which its function takes
};

/// Evaluates the op without bounds on operands that are not values of the program.
LogicalResult BoundedRun::runOn(SmallVector<Tensor> operands, SmallVectorImpl<Tensor> &results) {
  for (Tensor &operand : operands)
    operand.bound = nullptr;
  evaluator.mask = mask;
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  ++evaluator.suspended;
  LogicalResult status = fn(op, operands, results, evaluator);
  --evaluator.suspended;
  return status;
}

void BoundedRun::setUnknown() {
  for (Tensor &result : out) {
    if (result.isBuffer())
      continue;
    Tensor bounds(DType::F64, result.shape());
    Cell *cells = bounds.mutableData();
    std::fill_n(cells, bounds.size(), Cell::of(kUnknown));
    result.setBound(std::move(bounds));
  }
}

LogicalResult BoundedRun::run() {
  // An op with destinations on buffers has no results: it is evaluated again, with bounds, on the tensors in them.
  if (op->getNumResults() == 0 && isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()) &&
      llvm::any_of(in, [](const Tensor &operand) { return operand.isBuffer(); }))
    return fn(op, in, out, evaluator);
  if (rule.kind == BoundRule::Kind::Self) {
    // The condition or trip count is uncertain.
    if (op->getNumRegions() != 0 && !isa<linalg::LinalgOp>(op))
      for (const Tensor &operand : in) {
        const bool decides = !operand.isBuffer() && !operand.elementType().isFloat && operand.rank() == 0;
        if (decides && failed(requireDefined(op, operand, "a condition or a trip count", evaluator)))
          return failure();
        evaluator.isUndecided |= decides && operand.hasBound() && operand.scalarBound() > 0;
      }
    return fn(op, in, out, evaluator);
  }
  switch (rule.kind) {
  case BoundRule::Kind::Move:
    return move();
  case BoundRule::Kind::Linear:
    return roundingErrorsAreOff() ? undefinedSums() : linear();
  default:
    return change();
  }
}

LogicalResult BoundedRun::move() {
  const bool isMoved = anyBound();
  SmallVector<Tensor> twins, moved, constants;
  bool isUncertain = false;
  if (isMoved) {
    for (auto [k, operand] : llvm::enumerate(in)) {
      const bool isData = isMovedFrom(k);
      isUncertain |= !isData && operand.hasBound() && !operand.isBuffer();
      if (!isData && !operand.isBuffer() && failed(requireDefined(op, operand, "an index or a mask", evaluator)))
        return failure();
      twins.push_back(isData ? operand.boundTwin() : operand);
    }
  }
  if (failed(fn(op, in, out, evaluator)))
    return failure();
  for (Tensor &result : out)
    result.bound = nullptr;
  if (!isMoved)
    return success();
  if (failed(runOn(twins, moved)))
    return setUnknown(), success();
  if (isUncertain)
    return setUnknown(), success();
  if (rule.fills) {
    // Elements that remain when all moved elements are 0 are the op's own.
    for (auto [k, twin] : llvm::enumerate(twins))
      if (isMovedFrom(k))
        twin = twin.isBuffer() ? Tensor::newBuffer(Tensor(twin.elementType(), twin.shape()))
                               : Tensor(twin.elementType(), twin.shape());
    if (failed(runOn(twins, constants)))
      return setUnknown(), success();
  }
  for (auto [i, result] : llvm::enumerate(out)) {
    if (result.isBuffer())
      continue;
    Tensor bounds = moved[i];
    if (rule.fills) {
      Cell *cells = bounds.mutableData();
      for (int64_t k = 0, e = bounds.size(); k < e; ++k)
        if (constants[i].data()[k].f != 0)
          cells[k] = Cell::of(0.0);
    }
    result.setBound(std::move(bounds));
  }
  return success();
}

/// `tensor` with each float, and with `integers` each integer, squared, plus the square of its bound over `scale`.
/// `onlyFinite`: infinities and NaN become 0.
Tensor squared(const Tensor &tensor, double scale, bool integers, bool onlyFinite = false) {
  const bool isFloat = tensor.elementType().isFloat;
  if (!isFloat && !integers)
    return tensor;
  Tensor result = tensor;
  Cell *cells = result.mutableData();
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    if (!isFloat) {
      cells[i].i *= cells[i].i;
      continue;
    }
    const double bound = tensor.boundAt(i) / scale, value = onlyFinite && !std::isfinite(cells[i].f) ? 0 : cells[i].f;
    cells[i].f = value * value + bound * bound;
  }
  return result;
}

/// 1 if `holds(value, bound)`, else 0.
template <typename Predicate> Tensor indicator(const Tensor &tensor, Predicate holds) {
  Tensor result = tensor;
  Cell *cells = result.mutableData();
  for (int64_t i = 0, e = result.size(); i < e; ++i)
    if (tensor.elementType().isFloat)
      cells[i] = Cell::of(holds(cells[i].f, tensor.boundAt(i)) ? 1.0 : 0.0);
    else
      cells[i] = Cell::of(int64_t(cells[i].i == 0 && holds(0.0, tensor.boundAt(i))));
  return result;
}

/// Each number other than 0, which is added without rounding, as 1 or -1: a hash of it.
Tensor hashed(const Tensor &tensor, uint64_t seed) {
  if (!tensor.elementType().isFloat)
    return tensor;
  Tensor result = tensor;
  Cell *cells = result.mutableData();
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    const auto bits = llvm::bit_cast<uint64_t>(std::fabs(cells[i].f));
    cells[i].f = bits == 0 ? 0 : ((bits + seed) * 0x9e3779b97f4a7c15u * (seed | 1)) >> 63 ? 1 : -1;
  }
  return result;
}

/// The number of different absolute values of a tensor of floats, where each 0 is another; at least `enough`, if there
/// are as many.
int64_t countDifferent(const Tensor &tensor, int64_t enough) {
  llvm::DenseSet<uint64_t> seen;
  int64_t different = 0;
  for (int64_t i = 0, e = tensor.size(); i < e && different < enough; ++i) {
    const double value = std::fabs(tensor.data()[i].f);
    different += value == 0 || seen.insert(llvm::bit_cast<uint64_t>(value) >> 1).second;
  }
  return different;
}

/// Whether nearly all elements of `tensor` are different numbers, or 0.
bool isDistinct(const Tensor &tensor) {
  const int64_t most = tensor.size() - tensor.size() / 16;
  return !tensor.elementType().isFloat || countDifferent(tensor, most) >= most;
}

/// The largest power of two, as an exponent, that divides all finite elements.
int quantumOf(const Tensor &tensor) {
  int quantum = 5000;
  if (!tensor.elementType().isFloat)
    return 0;
  for (int64_t i = 0, e = tensor.size(); i < e; ++i)
    quantum = std::min(quantum, lastBit(tensor.data()[i].f));
  return quantum;
}

/// |bound| / |value|, as norms.
double relativeBound(const Tensor &tensor) {
  if (!tensor.bound || !tensor.elementType().isFloat)
    return 0;
  double bounds = 0, values = 0;
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    const double bound = tensor.boundAt(i), value = tensor.data()[i].f;
    if (std::isfinite(bound) && std::isfinite(value)) {
      bounds += bound * bound;
      values += value * value;
    }
  }
  return values > 0 ? std::sqrt(bounds / values) : 0;
}

/// Finds sums with an infinite or NaN term for which another order of summation may give a different infinity or NaN:
/// their finite terms may overflow, or the sign of a factor of an infinity is uncertain.
LogicalResult BoundedRun::findOpenSums(Operands operands, double scale, int64_t terms, double largest,
                                       std::vector<char> &open) {
  WithoutRounding exact;
  auto note = [&](SmallVector<Tensor> changed, auto isOpen) {
    SmallVector<Tensor> sums;
    if (failed(runOn(std::move(changed), sums)))
      return failure();
    open.resize(static_cast<size_t>(sums[0].size()), 0);
    for (size_t i = 0; i < open.size(); ++i)
      open[i] |= isOpen(sums[0].data()[i].f);
    return success();
  };
  SmallVector<Tensor> finite;
  for (auto [k, operand] : llvm::enumerate(operands))
    finite.push_back(
        squared(operand, scale, /*integers=*/isa<linalg::LinalgOp>(op) && k < rule.factors, /*onlyFinite=*/true));
  if (failed(note(std::move(finite), [&](double sum) { return !(std::sqrt(sum * double(terms)) <= largest); })))
    return failure();
  auto isInfinite = [](double value, double) { return std::isinf(value); };
  auto hasNoSign = [](double value, double bound) { return bound > 0 && std::fabs(value) <= bound; };
  for (unsigned k = 0; rule.factors == 2 && k < 2; ++k) {
    if (!operands[1 - k].hasBound())
      continue;
    SmallVector<Tensor> marked(operands.begin(), operands.end());
    marked[k] = indicator(operands[k], isInfinite);
    marked[1 - k] = indicator(operands[1 - k], hasNoSign);
    for (size_t other = 2; other < marked.size(); ++other)
      marked[other] = indicator(operands[other], [](double, double) { return false; });
    if (failed(note(std::move(marked), [](double sum) { return sum != 0; })))
      return failure();
  }
  return success();
}

/// For each sum, how much larger its rounding error may be than that of terms that all differ. Adding a term rounds it
/// to a multiple of the last place of the sum, always in the same direction as long as the sum has that exponent: the
/// errors of equal terms add up. How many are equal is computed by the op on hashes of the factors.
std::vector<double> BoundedRun::findBiasedSums(Operands operands, int64_t terms) {
  constexpr int kHashes = 4;
  std::vector<double> factors;
  const bool isOneTermEach = rule.factors == 2 || operands[0].size() >= terms * out[0].size();
  if (terms < 16 || (isOneTermEach && llvm::all_of(operands.take_front(rule.factors), isDistinct)))
    return factors;
  for (int hash = 1; hash <= kHashes; ++hash) {
    SmallVector<Tensor> marked, sums;
    for (auto [k, operand] : llvm::enumerate(operands))
      marked.push_back(k < rule.factors ? hashed(operand, uint64_t(hash) * 0xd1342543de82ef95u)
                                        : indicator(operand, [](double, double) { return false; }));
    if (failed(runOn(std::move(marked), sums)))
      return {};
    factors.resize(static_cast<size_t>(sums[0].size()), 1);
    const double count = rule.averages ? double(terms) : 1;
    for (size_t i = 0; i < factors.size(); ++i)
      if (const double sum = std::fabs(sums[0].data()[i].f); sum * count > 0)
        factors[i] = std::max(factors[i], sum * count / (2 * std::sqrt(double(terms))));
  }
  return factors;
}

/// A sum of n different terms t has the bound 2 u n |t|_2 >= 2 u sqrt(n) sum |t|, which holds for any order; |t|_2 of
/// all results is computed by the op on squares. The operands' bounds are included:
/// (|a|^2 + (da/s)^2) (|b|^2 + (db/s)^2) s^2 contains |a db|^2 + |b da|^2.
LogicalResult BoundedRun::linear() {
  SmallVector<Tensor> operands(in.begin(), in.end());
  takeAccumulation();
  if (failed(fn(op, in, out, evaluator)))
    return failure();
  int64_t terms = takeAccumulation();
  if (terms == 0) // if unknown, the number of elements of the largest operand
    for (const Tensor &operand : operands)
      terms = std::max(terms, operand.size());
  // What the sums start with is a term, too.
  terms += operands.size() > rule.factors && operands[rule.factors].elementType().isFloat;
  Tensor &result = out[0];
  result.bound = nullptr;
  const bool isAny = llvm::any_of(operands, [](const Tensor &operand) { return operand.hasBound(); });
  if (!result.elementType().isFloat)
    return isAny ? (setUnknown(), success()) : success();
  const ElementType type = result.elementType(), sum = accumulator(type);
  const double unit = unitRoundoff(sum), own = 2 * unit * double(terms);
  int quantum = 0, added = 5000;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    if (k < rule.factors)
      quantum += quantumOf(operand);
    else if (operand.elementType().isFloat)
      added = std::min(added, quantumOf(operand));
  }
  quantum = std::min(quantum, added);
  double scale = own;
  if (rule.factors == 2)
    scale = std::max(own, std::sqrt(relativeBound(operands[0]) * relativeBound(operands[1])));
  // Errors that all terms have in common (equal weights, one factor of a whole row) do not cancel.
  double common = 0;
  for (const Tensor &operand : ArrayRef<Tensor>(operands).take_front(rule.factors))
    common += relativeBound(operand);
  SmallVector<Tensor> squares, sums;
  for (auto [k, operand] : llvm::enumerate(operands))
    squares.push_back(squared(operand, scale, /*integers=*/isa<linalg::LinalgOp>(op) && k < rule.factors));
  WithoutRounding exact;
  if (failed(runOn(std::move(squares), sums)))
    return setUnknown(), success();
  const bool isAverage = rule.averages;
  // In an average each square has the weight 1 / n instead of 1 / n^2; at an edge n is smaller, down to that of a
  // corner.
  const double weight = isAverage ? std::min(1.0, 4.0 / double(terms)) : 1.0;
  Tensor bounds(DType::F64, result.shape());
  Cell *cells = bounds.mutableData();
  const double limit = std::ldexp(1.0, std::clamp(quantum + int(std::lround(-std::log2(unit))), -2000, 2000));
  const double largest = largestFinite(sum);
  const auto hasInfinite = [&](int64_t i) { return !std::isfinite(sums[0].data()[i].f); };
  // Multiples of 2^quantum are added exactly below the limit.
  const auto normOf = [&](int64_t i) { return std::sqrt(sums[0].data()[i].f * weight); };
  const auto isExact = [&](int64_t i) {
    return !isAny && !isAverage && std::isfinite(result.data()[i].f) &&
           std::sqrt(double(terms) + 1) * normOf(i) < limit;
  };
  const auto every = llvm::seq<int64_t>(0, result.size());
  const std::vector<double> biases =
      llvm::all_of(every, isExact) ? std::vector<double>() : findBiasedSums(operands, terms);
  std::vector<char> open;
  if (llvm::any_of(every, hasInfinite) && failed(findOpenSums(operands, scale, terms, largest, open)))
    return setUnknown(), success();
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    const double raw = result.data()[i].f, norm = normOf(i);
    const double bias = biases.empty() ? 0 : (biases[static_cast<size_t>(i)] - 1) * own * norm;
    if (isExact(i))
      cells[i] = Cell::of(raw == 0 ? kSignOfZero : 0.0);
    else if (!std::isfinite(norm))
      // An infinite or NaN operand determines the sum in any order, unless finite terms overflow.
      cells[i] = Cell::of(std::isfinite(raw) || open[static_cast<size_t>(i)] ? kUnknown : 0.0);
    else
      cells[i] = Cell::of(roundedBound(type, raw, norm * scale + common * std::fabs(raw) + bias));
    // Intermediate sums may be infinite, of either sign.
    if (std::isfinite(norm) && std::sqrt(double(terms)) * norm > largest)
      cells[i] = Cell::of(kUnknown);
  }
  result.setBound(std::move(bounds));
  return success();
}

/// A sum is undefined if one of its terms is: a product is, whatever the other factor.
LogicalResult BoundedRun::undefinedSums() {
  SmallVector<Tensor> operands(in.begin(), in.end());
  if (failed(fn(op, in, out, evaluator)))
    return failure();
  Tensor &result = out[0];
  result.bound = nullptr;
  auto marks = [](const Tensor &operand, auto isMarked) {
    Tensor marked(operand.elementType(), operand.shape());
    for (int64_t i = 0, e = operand.size(); i < e; ++i)
      marked.mutableData()[i] = operand.elementType().number(isMarked(i) ? 1 : 0);
    return marked;
  };
  WithoutRounding exact;
  Tensor bounds(DType::F64, result.shape());
  for (auto [k, operand] : llvm::enumerate(operands)) {
    if (!operand.hasBound() || operand.isBuffer())
      continue;
    SmallVector<Tensor> marked, sums;
    for (auto [other, value] : llvm::enumerate(operands)) {
      const bool isFactor = other < rule.factors && k < rule.factors;
      const Tensor &tested = operand;
      if (value.isBuffer() || value.elementType().bits == 1)
        marked.push_back(value);
      else
        marked.push_back(marks(value, [&](int64_t i) { return other == k ? tested.boundAt(i) != 0 : isFactor; }));
    }
    if (failed(runOn(std::move(marked), sums)))
      return setUnknown(), success();
    for (int64_t i = 0, e = bounds.size(); i < e; ++i) {
      const Cell sum = sums[0].data()[i];
      if (result.elementType().isFloat ? sum.f != 0 : sum.i != 0)
        bounds.mutableData()[i] = Cell::of(kUnknown);
    }
  }
  result.setBound(std::move(bounds));
  return success();
}

/// Evaluates the op on operands that are randomly perturbed within their bounds, and with perturbed intermediate
/// roundings.
LogicalResult BoundedRun::change() {
  constexpr int kSamples = 8;
  const bool isComputed = rule.kind == BoundRule::Kind::Compute;
  SmallVector<Tensor> operands(in.begin(), in.end());
  takeAccumulation();
  if (failed(fn(op, in, out, evaluator)))
    return failure();
  int64_t terms = takeAccumulation();
  // The op may have modified its operands in place.
  for (Tensor &result : out)
    result.bound = nullptr;
  const bool isAny = llvm::any_of(operands, [](const Tensor &operand) { return operand.hasBound(); });
  if (!isAny && roundingErrorsAreOff())
    return success();
  const bool givesFloats = llvm::any_of(out, [](const Tensor &result) { return result.elementType().isFloat; });
  if (out.empty() || (!isAny && !(isComputed && givesFloats)))
    return success();
  for (const Tensor &operand : operands) {
    if (operand.isBuffer()) {
      evaluator.isUndecided = true; // an op on a buffer cannot be evaluated twice
      return success();
    }
    if (terms == 0 && operand.rank() > 0)
      terms = std::max(terms, *llvm::max_element(operand.shape()));
  }
  // The roundings of equal terms go one way (findBiasedSums).
  int64_t different = 0;
  for (const Tensor &operand : operands)
    if (operand.elementType().isFloat && operand.rank() > 0)
      different = std::max(different, countDifferent(operand, (terms + 3) / 4));
  const double oneWay = different > 0 ? std::max(1.0, std::sqrt(double(terms) / (4 * double(different)))) : 1;
  // A sine that is 0 in f64 is not 0 in f32: a factor of it contributes whatever its perturbation is.
  double turned = 0;
  if (rule.inner != 1)
    for (const Tensor &operand : operands)
      for (int64_t i = 0, e = operand.elementType().isFloat ? operand.size() : 0; i < e; ++i)
        turned += std::isfinite(operand.data()[i].f) ? operand.data()[i].f * operand.data()[i].f : 0;
  turned = std::sqrt(turned) * rule.inner;
  // An intermediate that vanishes may be multiplied by any operand afterwards.
  double largest = 1;
  for (const Tensor &operand : operands)
    for (int64_t i = 0, e = operand.elementType().isFloat ? operand.size() : 0; i < e; ++i)
      if (const double value = std::fabs(operand.data()[i].f); std::isfinite(value))
        largest = std::max(largest, value);
  std::vector<std::vector<double>> squares, together(out.size());
  for (const Tensor &result : out)
    squares.emplace_back(static_cast<size_t>(result.size()), 0.0);
  Signs signs;
  for (int sample = 0; sample < kSamples; ++sample) {
    SmallVector<Tensor> changed;
    for (const Tensor &operand : operands) {
      Tensor other = operand;
      other.bound = nullptr;
      const ElementType type = operand.elementType();
      const double unit = isComputed && type.isFloat ? rule.inner * kRoundings * unitRoundoff(accumulator(type)) *
                                                           (type.dtype == DType::F64 ? 4 : 1)
                                                     : 0; // the evaluator rounds to f64 itself
      if (type.isFloat ? (isComputed || operand.bound) : operand.bound != nullptr) {
        Cell *cells = other.mutableData();
        for (int64_t i = 0, e = other.size(); i < e; ++i) {
          // In the first run, all in one direction. An infinity is not rounded.
          if (type.isFloat) {
            const double rounding = std::isfinite(cells[i].f) ? unit * std::fabs(cells[i].f) : 0;
            cells[i].f += (sample == 0 ? 1.0 : signs.next()) * (operand.boundAt(i) + rounding);
          } else if (operand.boundAt(i) > 0)
            return setUnknown(), success();
        }
      }
      changed.push_back(std::move(other));
    }
    SmallVector<Tensor> results;
    WithoutRounding exact;
    if (failed(runOn(std::move(changed), results)))
      return setUnknown(), success();
    for (auto [r, result] : llvm::enumerate(out))
      for (int64_t i = 0, e = result.size(); i < e; ++i) {
        const Cell before = result.data()[i], after = results[r].data()[i];
        double difference = 0;
        if (!result.elementType().isFloat)
          difference = before.i == after.i ? 0 : kUnknown;
        else if (!(before.f == after.f || (std::isnan(before.f) && std::isnan(after.f))))
          difference = after.f - before.f;
        difference = std::isnan(difference) ? kUnknown : std::fabs(difference);
        squares[r][static_cast<size_t>(i)] += difference * difference;
        if (sample == 0)
          together[r].push_back(difference);
      }
  }
  for (auto [r, result] : llvm::enumerate(out)) {
    Tensor bounds(DType::F64, result.shape());
    Cell *cells = bounds.mutableData();
    const ElementType type = result.elementType();
    for (int64_t i = 0, e = result.size(); i < e; ++i) {
      // Twice the root mean square of eight samples; for orderings and selections the maximum that was observed.
      const double seen = squares[r][static_cast<size_t>(i)] / (isComputed ? kSamples : 1);
      double bound = std::max((isComputed ? 2 : 1) * std::sqrt(seen), together[r][static_cast<size_t>(i)]);
      if (type.isFloat && isComputed) {
        const double raw = result.data()[i].f;
        if (std::isfinite(raw))
          bound += kRoundings * halfSmallest(accumulator(type)) * largest +
                   unitRoundoff(accumulator(type)) *
                       (kRoundings * oneWay * std::sqrt(double(terms)) * std::fabs(raw) + turned);
        bound = roundedBound(type, raw, bound, kFunctionRoundings);
      }
      cells[i] = Cell::of(bound);
    }
    result.setBound(std::move(bounds));
  }
  return rule.products && !roundingErrorsAreOff() ? markOpenProducts(operands) : success();
}

/// Partial products, which an order of evaluation makes, may overflow to an infinity or lose bits below the normal
/// numbers of the type that accumulates. The largest one has all factors above 1, the smallest all below 1.
LogicalResult BoundedRun::markOpenProducts(Operands operands) {
  Tensor &result = out[0];
  if (!result.elementType().isFloat)
    return success();
  const ElementType type = accumulator(result.elementType());
  const double smallest = 2 * halfSmallest(type) / unitRoundoff(type);
  auto note = [&](auto change, auto isOpen) {
    SmallVector<Tensor> changed(operands.begin(), operands.end()), products;
    for (Tensor &operand : changed) {
      Cell *cells = operand.elementType().isFloat ? operand.mutableData() : nullptr;
      for (int64_t i = 0, e = cells ? operand.size() : 0; i < e; ++i)
        cells[i].f = change(std::isfinite(cells[i].f) && cells[i].f != 0 ? std::fabs(cells[i].f) : 1.0);
    }
    WithoutRounding exact;
    if (failed(runOn(std::move(changed), products)))
      return failure();
    Tensor bounds = result.boundTwin();
    for (int64_t i = 0, e = bounds.size(); i < e; ++i)
      if (isOpen(products[0].data()[i].f))
        bounds.mutableData()[i] = Cell::of(kUnknown);
    result.setBound(std::move(bounds));
    return success();
  };
  if (failed(note([](double value) { return std::max(value, 1.0); },
                  [&](double product) { return !(product <= largestFinite(type)); })) ||
      failed(
          note([](double value) { return std::min(value, 1.0); }, [&](double product) { return product < smallest; })))
    return setUnknown(), success();
  return success();
}

/// A load or store of one element in the search for undefined behavior: the result of move() without a second run.
template <typename OpT>
LogicalResult moveElement(OpT op, const OpFn &fn, Operands in, Results &out, Evaluator &evaluator) {
  constexpr bool isLoad = std::is_same_v<OpT, memref::LoadOp>;
  const Tensor buffer = in[isLoad ? 0 : 1];
  const Tensor value = in[0];
  SmallVector<int64_t, 4> position;
  for (const Tensor &index : in.drop_front(isLoad ? 1 : 2)) {
    if (index.bound && failed(requireDefined(op, index, "an index or a mask", evaluator)))
      return failure();
    position.push_back(index.value().i);
  }
  if (failed(fn(op, in, out, evaluator)))
    return failure();
  BufferMemory &memory = *buffer.view().memory;
  if (!memory.bounds && (isLoad || !value.bound))
    return success();
  const auto at = size_t(buffer.bufferPosition(position));
  if constexpr (isLoad) {
    if ((*memory.bounds)[at].f != 0)
      out[0].setBound(Tensor::scalar(DType::F64, (*memory.bounds)[at]));
  } else {
    buffer.boundTwin();
    (*memory.bounds)[at] = Cell::of(value.scalarBound());
  }
  return success();
}
} // namespace

LogicalResult runWithBounds(Operation *op, const OpFn &fn, MutableArrayRef<Tensor> in, SmallVectorImpl<Tensor> &out,
                            Evaluator &evaluator) {
  // Elementwise ops have the rules of ScalarBounds.cpp, per element.
  if (evaluator.table.scalars.contains(op) && evaluator.table.scalars.resolve(op))
    return fn(op, in, out, evaluator);
  if (evaluator.undefined()) {
    if (isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return fn(op, in, out, evaluator);
    if (auto load = dyn_cast<memref::LoadOp>(op); load && load.getType().isIntOrIndexOrFloat())
      return moveElement(load, fn, in, out, evaluator);
    if (auto store = dyn_cast<memref::StoreOp>(op); store && store.getValue().getType().isIntOrIndexOrFloat())
      return moveElement(store, fn, in, out, evaluator);
  }
  if (!evaluator.undefined() || !isa<vector::ExtractOp, vector::InsertOp, vector::ShuffleOp>(op))
    return BoundedRun(op, fn, in, out, evaluator).run();
  SmallVector<Tensor> operands(in); // a copy, because the op may reuse its operands
  if (failed(BoundedRun(op, fn, in, out, evaluator).run()))
    return failure();
  markUndefinedLanes(op, operands, out, evaluator);
  return success();
}

} // namespace mica::reference
