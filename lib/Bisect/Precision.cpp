//===- Precision.cpp - which ops lose the precision of the results ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Precision.h. The ops that mend the results are searched from those with the largest errors on: the shortest row
// of them that does, the last of which is needed; then again, with that one given.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Precision.h"

#include "dialects/Mica/Reference/Evaluate.h"
#include "lib/Bisect/Runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>
#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

/// Without a limit: what is worth the wider types.
static constexpr double kDefaultGain = 10;
/// Elements of the shadow's values that are kept for comparison, 8 bytes each. Ops behind that are in no table.
static constexpr int64_t kMaxKept = int64_t(1) << 27;
/// Rows of the table.
static constexpr size_t kMaxRows = 16;

namespace {

using Clock = std::chrono::steady_clock;

/// Sums of squares.
struct Squares {
  double in = 0, own = 0, out = 0, norm = 0;
};

double squares(const HostTensor &a, const HostTensor &b) {
  double sum = 0;
  for (int64_t i = 0, e = a.numElements(); i < e; ++i) {
    const double difference = a.asDouble(i) - b.asDouble(i);
    // Infinities and NaN that both have are no error; else there is no number for it.
    if (difference == difference && !std::isinf(difference))
      sum += difference * difference;
    else if (a.asDouble(i) != b.asDouble(i) && !(std::isnan(a.asDouble(i)) && std::isnan(b.asDouble(i))))
      return INFINITY;
  }
  return sum;
}

double squares(const HostTensor &a) {
  double sum = 0;
  for (int64_t i = 0, e = a.numElements(); i < e; ++i)
    sum += std::isfinite(a.asDouble(i)) ? a.asDouble(i) * a.asDouble(i) : 0;
  return sum;
}

double relative(double error, double norm) { return error == 0 ? 0 : std::sqrt(error / norm); }

class PrecisionSearch {
public:
  PrecisionSearch(func::FuncOp function, const Entry &entry, double limit, double seconds)
      : function(function), entry(entry), end(Clock::now() + std::chrono::milliseconds(int64_t(1000 * seconds))) {
    found.limit = limit;
  }

  Result<Precision> run();

private:
  /// What is kept of the evaluation without rounding, in the order of evaluation.
  struct Kept {
    Operation *op;
    SmallVector<HostTensor> results;
  };
  Result<SmallVector<HostTensor>> evaluate(const reference::Shadow &shadow);
  double errorOf(ArrayRef<HostTensor> results) const;
  Result<double> errorWith(ArrayRef<Operation *> wide);
  Result<std::vector<OpError>> compare();
  Status mend();

  func::FuncOp function;
  const Entry &entry;
  Clock::time_point end;
  SmallVector<HostTensor> exact;
  Precision found;
};

} // namespace

Result<SmallVector<HostTensor>> PrecisionSearch::evaluate(const reference::Shadow &shadow) {
  std::string problem, printed;
  ScopedDiagnosticHandler handler(function.getContext(), [&](Diagnostic &diagnostic) {
    if (problem.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      problem = placeText(diagnostic.getLocation()) + ": " + diagnostic.str();
    return success();
  });
  reference::EvalOptions options;
  options.shadow = &shadow;
  options.printed = &printed;
  ++found.attempts;
  FailureOr<SmallVector<HostTensor>> results = reference::evaluate(function, entry.inputs, options);
  if (failed(results))
    return Error{ErrorCode::Unsupported, problem,
                 "--precision evaluates the program; docs/Reference.md says what the evaluator takes"};
  return std::move(*results);
}

/// Of `results`, in relative L2.
double PrecisionSearch::errorOf(ArrayRef<HostTensor> results) const {
  double error = 0, norm = 0;
  for (auto [result, right] : llvm::zip_equal(results, exact)) {
    if (right.dtype != DType::F64)
      continue;
    error += squares(result, right);
    norm += squares(right);
  }
  return relative(error, norm);
}

Result<double> PrecisionSearch::errorWith(ArrayRef<Operation *> wide) {
  reference::Shadow shadow;
  shadow.wide.insert(wide.begin(), wide.end());
  MICA_ASSIGN_OR_RETURN(const SmallVector<HostTensor> results, evaluate(shadow));
  return errorOf(results);
}

/// The table: both evaluations side by side, as long as they go the same way.
Result<std::vector<OpError>> PrecisionSearch::compare() {
  std::vector<Kept> kept;
  int64_t elements = 0;
  reference::Shadow shadow;
  shadow.isExact = true;
  shadow.onOp = [&](Operation *op, ArrayRef<HostTensor>, ArrayRef<HostTensor> results) {
    for (const HostTensor &result : results)
      elements += result.numElements();
    if (elements <= kMaxKept)
      kept.push_back({op, SmallVector<HostTensor>(results)});
  };
  MICA_ASSIGN_OR_RETURN(exact, evaluate(shadow));
  std::map<Operation *, Squares> sums;
  std::vector<Operation *> order;
  size_t next = 0;
  shadow.isExact = false;
  shadow.onOp = [&](Operation *op, ArrayRef<HostTensor> before, ArrayRef<HostTensor> after) {
    if (next >= kept.size() || kept[next].op != op)
      return void(next = kept.size());
    auto [it, isNew] = sums.try_emplace(op);
    if (isNew)
      order.push_back(op);
    for (auto [unrounded, rounded, right] : llvm::zip_equal(before, after, kept[next].results)) {
      if (right.shape != rounded.shape)
        return void(next = kept.size());
      it->second.in += squares(unrounded, right);
      it->second.own += squares(rounded, unrounded);
      it->second.out += squares(rounded, right);
      it->second.norm += squares(right);
    }
    kept[next++].results.clear();
  };
  MICA_ASSIGN_OR_RETURN(const SmallVector<HostTensor> rounded, evaluate(shadow));
  found.error = errorOf(rounded);
  std::vector<OpError> ops;
  for (Operation *op : order) {
    const Squares &sum = sums[op];
    ops.push_back(
        {op, ops.size(), relative(sum.in, sum.norm), relative(sum.own, sum.norm), relative(sum.out, sum.norm)});
  }
  llvm::stable_sort(ops, [](const OpError &a, const OpError &b) { return a.own > b.own; });
  return ops;
}

Status PrecisionSearch::mend() {
  std::vector<Operation *> rest;
  for (const OpError &op : found.ops)
    rest.push_back(op.op);
  MICA_ASSIGN_OR_RETURN(found.allWide, errorWith(rest));
  if (!(found.allWide <= found.limit)) {
    found.problem = "not even wider types for all ops bring it there";
    return Status::ok();
  }
  std::vector<Operation *> needed;
  auto holds = [&](size_t count) -> Result<bool> {
    std::vector<Operation *> wide = needed;
    wide.insert(wide.end(), rest.begin(), rest.begin() + count);
    MICA_ASSIGN_OR_RETURN(const double error, errorWith(wide));
    return error <= found.limit;
  };
  while (true) {
    MICA_ASSIGN_OR_RETURN(const bool isEnough, holds(0));
    if (isEnough)
      break;
    size_t low = 0, high = rest.size(); // With `high` of the rest it holds, with `low` it does not.
    while (high - low > 1) {
      if (Clock::now() >= end) {
        found.problem = "the time was over (--budget)";
        return Status::ok();
      }
      const size_t middle = low + (high - low) / 2;
      MICA_ASSIGN_OR_RETURN(const bool isIt, holds(middle));
      (isIt ? high : low) = middle;
    }
    needed.push_back(rest[high - 1]);
    rest.resize(high - 1);
  }
  MICA_ASSIGN_OR_RETURN(found.mended, errorWith(needed));
  found.mending = std::move(needed);
  return Status::ok();
}

Result<Precision> PrecisionSearch::run() {
  MICA_ASSIGN_OR_RETURN(found.ops, compare());
  if (llvm::none_of(exact, [](const HostTensor &result) { return result.dtype == DType::F64; }))
    return Error{ErrorCode::Unsupported, "'" + entry.name + "' gives no floats as results",
                 "--precision compares results; let the function return them"};
  if (found.limit <= 0)
    found.limit = found.error / kDefaultGain;
  MICA_RETURN_IF_ERROR(mend());
  return std::move(found);
}

Result<Precision> bisect::findPrecision(ModuleOp program, const Entry &entry, double limit, double seconds) {
  auto function = program.lookupSymbol<func::FuncOp>(entry.name);
  const bool takesBuffers = llvm::any_of(entry.arguments, [](Type type) { return isa<BaseMemRefType>(type); });
  if (!function || takesBuffers)
    return Error{ErrorCode::Unsupported, "'" + entry.name + "' is no function on tensors",
                 "give the program before bufferization"};
  return PrecisionSearch(function, entry, limit, seconds).run();
}

static std::string nameOf(Operation *op) {
  std::string text = placeText(op->getLoc());
  llvm::raw_string_ostream stream(text);
  stream << (text.empty() ? "" : ": ") << op->getName().getStringRef();
  for (Type type : op->getResultTypes())
    stream << " " << type;
  return text;
}

std::string bisect::describe(const Precision &precision) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  std::vector<OpError> rows = precision.ops;
  llvm::erase_if(rows, [](const OpError &op) { return op.out == 0; });
  const size_t count = std::min(kMaxRows, rows.size());
  llvm::stable_sort(rows, [](const OpError &a, const OpError &b) { return a.out > b.out; });
  std::sort(rows.begin(), rows.begin() + count,
            [](const OpError &a, const OpError &b) { return a.position < b.position; });
  stream << "  errors against f64, in relative L2: of what the op takes, of rounding its result, both\n";
  for (const OpError &op : ArrayRef(rows).take_front(count))
    stream << llvm::format("    %-9.2e %-9.2e %-9.2e ", op.in, op.own, op.out) << nameOf(op.op) << "\n";
  if (rows.size() > count)
    stream << "    and " << rows.size() - count << " ops with smaller ones\n";
  stream << llvm::format("  results: error %.2e; with a wider type for all ops %.2e; limit %.2e\n", precision.error,
                         precision.allWide, precision.limit);
  if (!precision.mending) {
    stream << "precision: no ops mend the results: " << precision.problem << "\n";
    return text;
  }
  if (precision.mending->empty()) {
    stream << "precision: the results are within the limit as they are\n";
    return text;
  }
  stream << "  these in a wider type (f32, or f64 for f32) bring it to " << llvm::format("%.2e:\n", precision.mended);
  for (Operation *op : *precision.mending)
    stream << "    " << nameOf(op) << "\n";
  stream << "precision: " << precision.mending->size() << " of " << precision.ops.size() << " ops take the error from "
         << llvm::format("%.2e to %.2e\n", precision.error, precision.mended);
  return text;
}
