//===- DiffSources.cpp - comparing files, passes and records ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DiffSources.h; artifacts are in DiffArtifacts.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/DiffSources.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <chrono>
#include <set>

using namespace mica;
using namespace mica::irtools;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<int64_t> irtools::addComparison(DiffResult &result, std::string title, DocumentReader readBefore,
                                       DocumentReader readAfter, bool onlyIfDifferent) {
  Clock::time_point start = Clock::now();
  MICA_ASSIGN_OR_RETURN(SharedDocument before, readBefore());
  MICA_ASSIGN_OR_RETURN(SharedDocument after, readAfter());
  Clock::time_point read = Clock::now();
  Comparison comparison = compareDocuments(std::move(title), std::move(before), std::move(after));
  result.readSeconds += std::chrono::duration<double>(read - start).count();
  result.compareSeconds += std::chrono::duration<double>(Clock::now() - read).count();
  if (onlyIfDifferent && comparison.same())
    return -1;
  result.comparisons.push_back(std::move(comparison));
  return static_cast<int64_t>(result.comparisons.size()) - 1;
}

Result<DiffResult> irtools::diffFiles(const std::string &before, const std::string &after, mlir::MLIRContext &context) {
  DiffResult result;
  MICA_RETURN_IF_ERROR(addComparison(
                           result, "", [&] { return share(readDocument(before, context)); },
                           [&] { return share(readDocument(after, context)); })
                           .status());
  return result;
}

/// Adds to each change the remarks of passes in (from, to] on `op` that mention its ids.
static void addReasons(Comparison &comparison, const Record &record, int64_t from, int64_t to, const std::string &op) {
  if (!comparison.diff)
    return;
  for (Change &change : comparison.diff->changes) {
    std::set<std::string> ids;
    for (const Place *place : {&change.before, &change.after})
      if (place->origin)
        ids.insert(place->origin->ids.begin(), place->origin->ids.end());
    for (const RecordedRun &run : record.runs()) {
      if (run.position <= from || run.position > to || (run.op != op && !run.op.empty() && !op.empty()))
        continue;
      for (const RecordedRemark &remark : run.remarks)
        if (llvm::any_of(remark.ids, [&](const std::string &id) { return ids.count(id) != 0; }) &&
            !llvm::is_contained(change.reasons, remark.message))
          change.reasons.push_back(remark.message);
    }
  }
}

namespace {
/// The comparisons of one record: those stored beside it are read, the others computed.
class RecordDiff {
public:
  RecordDiff(const Record &record, const RecordDiffOptions &options, mlir::MLIRContext &context)
      : record(record), options(options), states(record, context), kept(record.folder()) {}

  /// Adds the changes of `op` between two passes.
  Status add(int64_t from, int64_t to, const std::string &op, const std::string &title);
  /// The result; `keeps`: it covers the whole record, so store it.
  DiffResult take(bool keeps) {
    if (keeps)
      kept.write();
    return std::move(result);
  }

private:
  Result<Comparison> compare(int64_t from, int64_t to, const std::string &op);

  const Record &record;
  const RecordDiffOptions &options;
  RecordStates states;
  RecordedChanges kept;
  DiffResult result;
};
} // namespace

Result<Comparison> RecordDiff::compare(int64_t from, int64_t to, const std::string &op) {
  Clock::time_point start = Clock::now();
  const std::string key = states.keyOf(op, from, to);
  if (!options.recompares)
    if (std::optional<Comparison> found = kept.find(key, options.kept)) {
      found->isKept = true;
      result.readSeconds += secondsSince(start);
      return std::move(*found);
    }
  MICA_ASSIGN_OR_RETURN(SharedDocument before, states.state(op, from));
  MICA_ASSIGN_OR_RETURN(SharedDocument after, states.state(op, to));
  result.readSeconds += secondsSince(start);
  start = Clock::now();
  Comparison comparison = compareDocuments("", std::move(before), std::move(after));
  kept.add(key, comparison);
  dropTexts(comparison, options.kept);
  result.compareSeconds += secondsSince(start);
  return comparison;
}

Status RecordDiff::add(int64_t from, int64_t to, const std::string &op, const std::string &title) {
  MICA_ASSIGN_OR_RETURN(Comparison comparison, compare(from, to, op));
  comparison.title = title + (op.empty() ? "" : " on @" + op);
  comparison.position = to;
  comparison.on = op;
  addReasons(comparison, record, from, to, op);
  for (const RecordedRun &run : record.runs())
    if (run.position > from && run.position <= to && run.op == op)
      comparison.milliseconds += run.milliseconds;
  result.comparisons.push_back(std::move(comparison));
  return Status::ok();
}

static Error noSuchOp(const Record &record, const std::string &op) {
  return Error{ErrorCode::InvalidInput, "no kernel '" + op + "' in the record '" + record.folder() + "'",
               "index.json there lists them as \"op\""};
}

static bool knowsOp(const Record &record, const std::string &op) {
  return op.empty() || llvm::any_of(record.runs(), [&](const RecordedRun &run) { return run.op == op; });
}

Result<DiffResult> irtools::diffPasses(const Record &record, int64_t from, int64_t to, const RecordDiffOptions &options,
                                       mlir::MLIRContext &context) {
  if (!knowsOp(record, options.onlyOp))
    return noSuchOp(record, options.onlyOp);
  RecordDiff diff(record, options, context);
  std::string title = to == from + 1 ? record.title(to) : record.title(from) + " -> " + record.title(to);
  bool isBackward = to < from;
  for (const std::string &op : record.changedOps(std::min(from, to), std::max(from, to)))
    if (options.onlyOp.empty() || op == options.onlyOp)
      MICA_RETURN_IF_ERROR(diff.add(from, to, op, title));
  DiffResult result = diff.take(/*keeps=*/false);
  if (result.comparisons.empty())
    result.lines.push_back(title + ": nothing changed" + (options.onlyOp.empty() ? "" : " in @" + options.onlyOp) +
                           (isBackward ? " between them" : ""));
  return result;
}

Result<DiffResult> irtools::diffEachPass(const Record &record, const RecordDiffOptions &options,
                                         mlir::MLIRContext &context) {
  if (!knowsOp(record, options.onlyOp))
    return noSuchOp(record, options.onlyOp);
  RecordDiff diff(record, options, context);
  for (const RecordedPassInfo &info : record.passes())
    for (const std::string &op : record.changedOps(info.position - 1, info.position))
      if (options.onlyOp.empty() || op == options.onlyOp)
        MICA_RETURN_IF_ERROR(diff.add(info.position - 1, info.position, op, record.title(info.position)));
  DiffResult result = diff.take(/*keeps=*/options.onlyOp.empty());
  if (result.comparisons.empty())
    result.lines.push_back("no pass changed anything");
  return result;
}

/// Compares one state of both; adds nothing if they are equal.
static Result<bool> addDifference(DiffResult &result, const Record &before, const Record &after, int64_t position,
                                  const std::string &op, const std::string &title, mlir::MLIRContext &context) {
  if (before.fingerprint(op, position) == after.fingerprint(op, position))
    return false;
  MICA_ASSIGN_OR_RETURN(const int64_t at, addComparison(
                                              result, title, [&] { return share(before.state(op, position, context)); },
                                              [&] { return share(after.state(op, position, context)); },
                                              /*onlyIfDifferent=*/true));
  return at >= 0;
}

Result<DiffResult> irtools::diffRecords(const Record &before, const Record &after, mlir::MLIRContext &context) {
  DiffResult result;
  MICA_ASSIGN_OR_RETURN(bool inputDiffers, addDifference(result, before, after, 0, "", "the inputs differ", context));
  if (inputDiffers)
    return result;
  size_t count = std::min(before.passes().size(), after.passes().size());
  for (size_t i = 0; i < count; ++i) {
    const RecordedPassInfo &a = before.passes()[i], &b = after.passes()[i];
    auto line = [](const RecordedPassInfo &info) { return info.pass + (info.options.empty() ? "" : info.options); };
    std::vector<std::string> ops = before.changedOps(a.position - 1, a.position);
    for (const std::string &op : after.changedOps(b.position - 1, b.position))
      if (!llvm::is_contained(ops, op))
        ops.push_back(op);
    for (const std::string &op : ops) {
      std::string title = "first difference: after pass " + before.title(a.position) + (op.empty() ? "" : " on @" + op);
      if (!knowsOp(before, op) || !knowsOp(after, op)) {
        result.lines.push_back(title + ": only " + (knowsOp(before, op) ? before : after).folder() + " has it");
        result.differs = true;
        return result;
      }
      MICA_ASSIGN_OR_RETURN(bool differs, addDifference(result, before, after, a.position, op, title, context));
      if (differs && line(a) != line(b))
        result.lines.push_back("the pipelines differ there: " + line(a) + " and " + line(b));
      if (differs)
        return result;
    }
    if (line(a) != line(b) || a.anchor != b.anchor) {
      result.lines.push_back("the pipelines differ at position " + std::to_string(a.position) + ": " + line(a) +
                             " and " + line(b) + "; the states before it are the same");
      result.differs = true;
      return result;
    }
  }
  if (before.passes().size() != after.passes().size()) {
    result.lines.push_back("same up to pass " + before.title(static_cast<int64_t>(count)) +
                           "; then one pipeline ends, of " + std::to_string(before.passes().size()) + " and " +
                           std::to_string(after.passes().size()) + " passes");
    result.differs = true;
  } else {
    result.lines.push_back("same after each of " + std::to_string(count) + " passes");
  }
  return result;
}
