//===- CheckPasses.cpp - finding the first wrong pass -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Snapshots are tested in order, not by bisection, because a later pass may hide the error of an earlier one. A
// snapshot is run by `mica-run DIR --from-snapshot=N` in a child process, so a crash is also a result.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/CheckPasses.h"
#include "lib/RunTool/Locate.h"

#include "lib/Support/Json.h"
#include "mica/Compare/Npy.h"
#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <cstdio>
#include <map>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// A state of the program that can be run.
struct Snapshot {
  int64_t position = 0;
  std::string pass, phase;
  std::vector<std::string> ops;    ///< kernels that changed; empty: the program
  std::vector<std::string> passes; ///< of the first state: the passes of phase input that changed the program
};

/// "0026 mica-dispatch-form-groups".
std::string title(const Snapshot &snapshot) {
  std::string number = std::to_string(snapshot.position);
  number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
  return number + " " + snapshot.pass;
}

/// Every position at which something changed, in order. Snapshots of phase input run from its last pass, which
/// represents all of them.
Result<std::vector<Snapshot>> readSnapshots(const fs::path &artifact) {
  const fs::path file = artifact / "passes_dump" / "index.json";
  Result<std::string> text = readFile(file);
  if (!text)
    return Error{text.error().code, "no snapshots to check: " + text.error().message,
                 "compile without --dump-passes=off"};
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(*text, file.string()));
  const Json &json = document.root();
  JsonReport report{file.string(), "the record was cut off or edited; compile the model again", {}};
  const JsonCursor root(json, report);
  std::map<int64_t, Snapshot> passes, snapshots;
  Snapshot input{0, "input", "input", {}, {}};
  root.field("passes").forEach([&](const JsonCursor &item, size_t) {
    const Snapshot pass{item.field("position").integer(0),
                        item.field("pass").string(),
                        item.has("phase") ? item.field("phase").string() : "",
                        {},
                        {}};
    passes[pass.position] = pass;
    if (pass.phase == "input")
      input = pass;
  });
  snapshots[input.position] = input;
  root.field("records").forEach([&](const JsonCursor &item, size_t) {
    const int64_t position = item.field("position").integer(0);
    const std::string op = item.field("op").string();
    if (!item.has("file") || item.field("file").string().empty())
      return;
    if (position <= input.position) {
      if (position > 0)
        snapshots[input.position].passes.push_back(passes[position].pass);
      return;
    }
    Snapshot &snapshot = snapshots.try_emplace(position, passes[position]).first->second;
    if (!op.empty())
      snapshot.ops.push_back(op);
  });
  if (report.failure)
    return *report.failure;
  std::vector<Snapshot> list;
  for (auto &[position, snapshot] : snapshots)
    list.push_back(std::move(snapshot));
  return list;
}

/// The outcome of running a snapshot.
struct Verdict {
  bool same = true;
  bool ran = true;  ///< false: it could not be lowered
  std::string text; ///< "as the reference", or what is wrong
};

class SnapshotRunner {
public:
  SnapshotRunner(const Options &options, const fs::path &artifact, const artifact::EntryRecord &entry,
                 const RunFolder &run, std::vector<Expected> expected)
      : options(options), artifact(artifact), entry(entry), run(run), expected(std::move(expected)) {}

  Result<Verdict> check(const Snapshot &snapshot) const;

private:
  Result<int> start(const Snapshot &snapshot, const fs::path &folder) const;

  const Options &options;
  const fs::path &artifact;
  const artifact::EntryRecord &entry;
  const RunFolder &run;
  std::vector<Expected> expected;
};

/// Runs the snapshot in a child process; its results are written to `folder`.
Result<int> SnapshotRunner::start(const Snapshot &snapshot, const fs::path &folder) const {
  std::vector<std::string> command{executablePath().string(), artifact.string(),
                                   "--from-snapshot=" + std::to_string(snapshot.position), "--entry=" + entry.name,
                                   "--run-dir=" + (folder / "runs").string()};
  for (size_t i = 0; i < entry.args.size(); ++i)
    command.push_back("--input=@" + run.tensorFile("in", i).string());
  for (size_t i = 0; i < expected.size(); ++i)
    command.push_back("--output=@" + (folder / (std::to_string(i) + ".npy")).string());
  if (options.threads > 0)
    command.push_back("--threads=" + std::to_string(options.threads));
  ProcessOptions process;
  process.standardOutput = folder / "output.txt";
  process.standardError = folder / "errors.txt";
  return runProcess(command, process);
}

Result<Verdict> SnapshotRunner::check(const Snapshot &snapshot) const {
  const fs::path folder = run.path() / "snapshots" / std::to_string(snapshot.position);
  MICA_RETURN_IF_ERROR(makeFolder(folder));
  std::fflush(stdout);
  MICA_ASSIGN_OR_RETURN(const int code, start(snapshot, folder));
  // The child's artifact is large and can be made again by `mica-run --from-snapshot`, so it is removed.
  const fs::path variant = variantsOf(artifact) / ("snapshot-" + std::to_string(snapshot.position));
  const bool lowered = fs::exists(variant / "manifest.json");
  std::error_code ignored;
  fs::remove_all(variant, ignored);
  Verdict verdict;
  if (code != 0 && !lowered) {
    verdict.ran = false;
    verdict.text = "cannot be lowered alone: " + (folder / "errors.txt").string();
    return verdict;
  }
  if (code != 0) {
    verdict.same = false;
    verdict.text = code >= 128 ? "the run was killed by signal " + std::to_string(code - 128)
                               : "the run fails with exit code " + std::to_string(code);
    verdict.text += ": " + (folder / "errors.txt").string();
    return verdict;
  }
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    MICA_ASSIGN_OR_RETURN(const HostTensor actual,
                          readNpy(folder / (std::to_string(i) + ".npy"), expected[i].tensor.dtype));
    const Comparison comparison =
        compareTensors(actual, expected[i].tensor, options.tolerance, expected[i].boundsOrNull());
    largest = std::max(largest, comparison.relativeL2);
    if (comparison.same)
      continue;
    verdict.same = false;
    verdict.text = "result " + std::to_string(i) + " (" + actual.typeString() +
                   "): " + describe(comparison, actual, expected[i].tensor, expected[i].boundsOrNull());
    return verdict;
  }
  char text[64];
  std::snprintf(text, sizeof(text), "as the reference, rel-L2 %.2g", largest);
  verdict.text = text;
  return verdict;
}

/// Prints the pass of the first wrong snapshot, and what to do next.
void blame(const Snapshot &wrong, const Snapshot *before, const fs::path &artifact) {
  if (!before) {
    std::printf("snapshots: the program after phase input differs from the program as parsed: a pass of that "
                "phase is wrong%s, or the reference lowering, or the reference\n",
                wrong.passes.empty() ? "" : (" (" + joinNames(wrong.passes) + ")").c_str());
    return;
  }
  const std::string number = std::to_string(wrong.position), folder = artifact.string();
  std::printf("first wrong pass: %s, phase %s%s; the snapshot before it, %s, is right\n", title(wrong).c_str(),
              wrong.phase.c_str(), wrong.ops.empty() ? "" : (", on " + joinNames(wrong.ops, 4)).c_str(),
              title(*before).c_str());
  std::printf("  what it did:   mica-diff %s %s\n", folder.c_str(), number.c_str());
  std::printf("  it alone:      mica-run %s --from-snapshot=%s --check-reference\n", folder.c_str(), number.c_str());
  std::printf("  a test of it:  mica-test-gen %s %s\n", folder.c_str(), number.c_str());
  std::printf("  what in it:    mica-bisect %s\n", folder.c_str());
}

} // namespace

Result<CheckOutcome> checkPasses(const Options &options, const fs::path &artifact, const artifact::EntryRecord &entry,
                                 const RunFolder &run, std::span<const HostTensor> results) {
  MICA_ASSIGN_OR_RETURN(const std::vector<Snapshot> snapshots, readSnapshots(artifact));
  MICA_ASSIGN_OR_RETURN(const int code, evaluateReference(options, artifact, entry, run));
  CheckOutcome outcome;
  if (code != 0) {
    outcome.childExitCode = code;
    return outcome;
  }
  std::vector<Expected> expected;
  for (size_t i = 0; i < results.size(); ++i) {
    MICA_ASSIGN_OR_RETURN(Expected tensor, readExpected(run.tensorFile("reference", i), results[i].dtype));
    expected.push_back(std::move(tensor));
  }
  bool compiledIsRight = true;
  for (size_t i = 0; i < results.size(); ++i)
    compiledIsRight &=
        compareTensors(results[i], expected[i].tensor, options.tolerance, expected[i].boundsOrNull()).same;

  const SnapshotRunner runner(options, artifact, entry, run, std::move(expected));
  const Snapshot *right = nullptr;
  size_t checked = 0, skipped = 0;
  for (const Snapshot &snapshot : snapshots) {
    MICA_ASSIGN_OR_RETURN(const Verdict verdict, runner.check(snapshot));
    std::printf("snapshots: %s (%s): %s\n", title(snapshot).c_str(), snapshot.phase.c_str(), verdict.text.c_str());
    if (!verdict.same) {
      outcome.same = false;
      blame(snapshot, right, artifact);
      return outcome;
    }
    ++(verdict.ran ? checked : skipped);
    if (verdict.ran)
      right = &snapshot;
  }
  std::printf("snapshots: %zu snapshots agree with the reference%s\n", checked,
              skipped ? ("; " + std::to_string(skipped) + " could not be lowered alone").c_str() : "");
  if (!compiledIsRight)
    std::printf(
        "snapshots: the compiled program does not: the fault is after the last snapshot, in code generation or in "
        "the runtime; see kernels/*/kernel.ll, and try --threads=1\n");
  outcome.same = compiledIsRight;
  return outcome;
}

} // namespace mica::runtool
