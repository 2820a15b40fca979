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

#include "mica/Artifact/SnapshotFile.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

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
  std::vector<const RecordedRemark *> remarks;
  for (const RecordedRun &run : record.runs())
    if (run.position > from && run.position <= to && (run.op == op || run.op.empty() || op.empty()))
      for (const RecordedRemark &remark : run.remarks)
        remarks.push_back(&remark);
  if (remarks.empty())
    return;
  for (Change &change : comparison.diff->changes) {
    std::set<std::string> ids;
    for (const Place *place : {&change.before, &change.after})
      if (place->origin)
        ids.insert(place->origin->ids.begin(), place->origin->ids.end());
    for (const RecordedRemark *remark : remarks)
      if (llvm::any_of(remark->ids, [&](const std::string &id) { return ids.count(id) != 0; }) &&
          !llvm::is_contained(change.reasons, remark->message))
        change.reasons.push_back(remark->message);
  }
}

namespace {
/// The changes of `op` between two passes.
struct Step {
  int64_t from, to;
  std::string op, title;
};

/// The comparisons of one record: those stored beside it are read, the others computed.
class RecordDiff {
public:
  RecordDiff(const Record &record, const RecordDiffOptions &options, mlir::MLIRContext &context)
      : record(record), options(options), context(context), kept(record.folder()) {}

  void add(int64_t from, int64_t to, const std::string &op, const std::string &title) {
    steps.push_back({from, to, op, title});
  }
  /// Compares all that was added; `keeps`: it covers the whole record, so store it.
  Result<DiffResult> run(bool keeps);

private:
  /// Steps in order.
  using Share = std::vector<size_t>;

  /// Two shares of about the same work.
  std::array<Share, 2> divide() const;
  /// Compares the steps of `share` with documents in `own`.
  Status run(const Share &share, mlir::MLIRContext &own);
  Result<Comparison> compare(const Step &step, RecordStates &states);

  const Record &record;
  const RecordDiffOptions &options;
  mlir::MLIRContext &context;
  std::vector<Step> steps;
  std::vector<Comparison> found; ///< by step
  std::mutex guard;              ///< of the members below
  RecordedChanges kept;
  double readSeconds = 0, compareSeconds = 0;
};
} // namespace

Result<Comparison> RecordDiff::compare(const Step &step, RecordStates &states) {
  Clock::time_point start = Clock::now();
  const std::string key = states.keyOf(step.op, step.from, step.to);
  if (!options.recompares) {
    std::lock_guard lock(guard);
    if (std::optional<Comparison> known = kept.find(key, options.kept)) {
      known->isKept = true;
      readSeconds += secondsSince(start);
      return std::move(*known);
    }
  }
  MICA_ASSIGN_OR_RETURN(SharedDocument before, states.state(step.op, step.from));
  MICA_ASSIGN_OR_RETURN(SharedDocument after, states.state(step.op, step.to));
  const Clock::time_point read = Clock::now();
  Comparison comparison = compareDocuments("", std::move(before), std::move(after));
  std::string line = kept.print(key, comparison);
  dropTexts(comparison, options.kept);
  std::lock_guard lock(guard);
  kept.add(std::move(line));
  readSeconds += std::chrono::duration<double>(read - start).count();
  compareSeconds += secondsSince(read);
  return comparison;
}

Status RecordDiff::run(const Share &share, mlir::MLIRContext &own) {
  RecordStates states(record, own);
  for (size_t index : share) {
    const Step &step = steps[index];
    MICA_ASSIGN_OR_RETURN(Comparison comparison, compare(step, states));
    comparison.title = step.title + (step.op.empty() ? "" : " on @" + step.op);
    comparison.position = step.to;
    comparison.on = step.op;
    addReasons(comparison, record, step.from, step.to, step.op);
    for (const RecordedRun &run : record.runs())
      if (run.position > step.from && run.position <= step.to && run.op == step.op)
        comparison.milliseconds += run.milliseconds;
    found[index] = std::move(comparison);
  }
  return Status::ok();
}

std::array<RecordDiff::Share, 2> RecordDiff::divide() const {
  // Ops of all states of each op. A state has costs of its own, too.
  llvm::MapVector<llvm::StringRef, int64_t> work;
  for (const Step &step : steps)
    work[step.op] += 30;
  for (const RecordedRun &run : record.runs())
    if (auto at = work.find(run.op); at != work.end() && !run.file.empty())
      at->second += std::max<int64_t>(run.opsAfter, 0);
  // The program and its functions share texts, so they stay together.
  const int64_t program = work.lookup("");
  std::array<int64_t, 2> sums = {program, 0};
  llvm::StringMap<size_t> shareOf;
  shareOf[""] = 0;
  for (const auto &[op, ops] : work) {
    const size_t at = op.empty() || ops > program / 4 || sums[0] <= sums[1] ? 0 : 1;
    shareOf[op] = at;
    sums[at] += op.empty() ? 0 : ops;
  }
  std::array<Share, 2> shares;
  for (auto [index, step] : llvm::enumerate(steps))
    shares[shareOf.lookup(step.op)].push_back(index);
  return shares;
}

Result<DiffResult> RecordDiff::run(bool keeps) {
  found.resize(steps.size());
  std::array<Share, 2> shares;
  // Documents that are kept live in the caller's context.
  if (options.kept != KeptTexts::All && steps.size() > 16 && std::thread::hardware_concurrency() > 1)
    shares = divide();
  else
    for (size_t index = 0; index < steps.size(); ++index)
      shares[0].push_back(index);
  // One of the threads would unpack the snapshots while the other reads them.
  if (artifact::isSealed(record.folder()))
    (void)artifact::unseal(record.folder()); // errors are reported when a state is read
  Status second = Status::ok();
  std::thread other;
  if (!shares[1].empty())
    other = std::thread([&] {
      mlir::MLIRContext own(context.getDialectRegistry(), mlir::MLIRContext::Threading::DISABLED);
      own.allowUnregisteredDialects();
      second = run(shares[1], own);
    });
  Status first = run(shares[0], context);
  if (other.joinable())
    other.join();
  MICA_RETURN_IF_ERROR(first);
  MICA_RETURN_IF_ERROR(second);
  if (keeps)
    kept.write();
  DiffResult result;
  result.comparisons = std::move(found);
  result.readSeconds = readSeconds;
  result.compareSeconds = compareSeconds;
  return result;
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
      diff.add(from, to, op, title);
  MICA_ASSIGN_OR_RETURN(DiffResult result, diff.run(/*keeps=*/false));
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
        diff.add(info.position - 1, info.position, op, record.title(info.position));
  MICA_ASSIGN_OR_RETURN(DiffResult result, diff.run(/*keeps=*/options.onlyOp.empty()));
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
