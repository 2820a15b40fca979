//===- SampledErrors.cpp - bounds of rounding errors by sampling --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/SampledErrors.h"

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Tensor.h"

#include "mlir/IR/Diagnostics.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

double ErrorSample::next() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return std::ldexp(double(state >> 11), -52) - 1;
}

void ErrorSample::apply(MutableArrayRef<Tensor> results) {
  for (Tensor &result : results) {
    if (result.isBuffer() || !result.hasBound())
      continue;
    const Tensor bounds = result.boundTwin();
    result.bound = nullptr;
    Cell *cells = result.mutableData();
    const ElementType type = result.elementType();
    bool isMoved = false;
    for (int64_t i = 0, e = result.size(); i < e; ++i) {
      const double bound = bounds.data()[i].f;
      // Equal values, and what a comparison of bits asks for.
      if (bound <= kSignOfZero)
        continue;
      isMoved = true;
      if (!type.isFloat)
        cells[i].i = type.wrap(cells[i].i + 1);
      else if (std::isinf(bound))
        cells[i].f = std::nan("");
      else
        cells[i].f += bound * (isOutward ? std::copysign(1.0, cells[i].f) : next());
    }
    if (isMoved && type.isFloat)
      result.roundAll();
  }
}

bool Deviations::add(const HostTensor &value, const HostTensor &sample) {
  if (value.shape != sample.shape || value.dtype != sample.dtype)
    return false;
  largest.resize(static_cast<size_t>(value.numElements()), 0);
  for (size_t i = 0; i < largest.size(); ++i) {
    const double before = value.asDouble(int64_t(i)), after = sample.asDouble(int64_t(i));
    if (before == after || (std::isnan(before) && std::isnan(after)))
      continue;
    const double moved = std::fabs(after - before);
    largest[i] = std::isnan(moved) || !isFloat(value.dtype) ? kUnknown : std::max(largest[i], moved);
  }
  return true;
}

void Deviations::lower(HostTensor &bound) const {
  constexpr double kMargin = 4;
  double squares = 0;
  int64_t count = 0;
  for (const double moved : largest)
    if (std::isfinite(moved)) {
      squares += moved * moved;
      ++count;
    }
  const double typical = count > 0 ? std::sqrt(squares / double(count)) : 0;
  for (size_t i = 0; i < largest.size(); ++i) {
    const double limit = kMargin * std::max(largest[i], typical);
    if (limit < bound.asDouble(int64_t(i)))
      bound.setDouble(int64_t(i), limit);
  }
}

bool canSampleErrors(func::FuncOp entry) {
  const auto isMemory = [](Type type) { return isa<BaseMemRefType>(type); };
  return !entry->getParentOfType<ModuleOp>()
              .walk([&](Operation *op) {
                return llvm::any_of(op->getOperandTypes(), isMemory) || llvm::any_of(op->getResultTypes(), isMemory)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

bool isLoose(const HostTensor &value, const HostTensor &bound) {
  const double share = isFloat(value.dtype) ? std::min(0.5, std::ldexp(unitRoundoff(value.dtype), 12)) : 0.5;
  const int64_t count = value.numElements();
  double squares = 0;
  for (int64_t i = 0; i < count; ++i)
    if (const double number = value.asDouble(i); std::isfinite(number))
      squares += number * number;
  const double typical = std::sqrt(squares / double(std::max<int64_t>(count, 1)));
  int64_t loose = 0;
  for (int64_t i = 0; i < count; ++i)
    loose += !(bound.asDouble(i) <= share * std::max(std::fabs(value.asDouble(i)), typical));
  return 4 * loose >= count && count > 0;
}

bool lowerLooseBounds(func::FuncOp entry, ArrayRef<HostTensor> args, const EvalOptions &options,
                      ArrayRef<HostTensor> results, MutableArrayRef<HostTensor> bounds,
                      decltype(EvalOptions::onOp) onOp) {
  const auto isEachLoose = [](const auto &each) { return isLoose(std::get<0>(each), std::get<1>(each)); };
  if (!llvm::any_of(llvm::zip_equal(results, ArrayRef<HostTensor>(bounds)), isEachLoose) || !canSampleErrors(entry))
    return false;
  std::vector<Deviations> deviations(results.size());
  ScopedDiagnosticHandler quiet(entry.getContext(), [](Diagnostic &) { return success(); });
  for (unsigned number = 0; number < kErrorSamples; ++number) {
    ErrorSample errors(number);
    SmallVector<HostTensor> sampledBounds;
    std::string printed;
    EvalOptions sampled;
    sampled.bounds = &sampledBounds;
    sampled.narrowAccumulators = options.narrowAccumulators;
    sampled.maxElements = options.maxElements;
    sampled.errors = &errors;
    sampled.printed = &printed;
    sampled.onOp = onOp;
    FailureOr<SmallVector<HostTensor>> moved = evaluate(entry, args, sampled);
    if (failed(moved))
      return false;
    for (auto [deviation, value, sample] : llvm::zip_equal(deviations, results, *moved))
      if (!deviation.add(value, sample))
        return false;
  }
  for (auto [deviation, bound] : llvm::zip_equal(deviations, bounds))
    deviation.lower(bound);
  return true;
}

} // namespace mica::reference
