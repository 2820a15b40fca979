//===- Runner.h - runs states of a program ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: runs one state of a program in the reference evaluator, or by the reference lowering and the runtime, in
// processes with limits of time and memory. Outcomes are kept by the hash of all that they depend on.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_RUNNER_H
#define MICA_LIB_BISECT_RUNNER_H

#include "lib/Bisect/Entry.h"
#include "lib/Bisect/Outcome.h"

#include <filesystem>
#include <optional>

namespace mica::bisect {

/// What memory of the program holds before it is written to, in two runs: a run that reads it differs.
inline constexpr uint8_t kFills[] = {0x55, 0xAA};

struct Limits {
  double seconds = 30;
  int64_t memoryBytes = int64_t(8) << 30;
};

/// An op of the program and what happened there.
struct FoundPlace {
  std::string op, location, what;
};

struct UndefinedFinding {
  bool isKnown = false; ///< false: the evaluator does not take the program, or not to its end; `why` says so
  std::string why;
  std::optional<FoundPlace> origin, visible; ///< none: no undefined behavior
  /// The op at `visible` itself has undefined behavior, because of what `origin` did, such as a free before an access.
  bool isImmediate = false;
};

/// A form of the program of an artifact.
struct Candidate {
  std::filesystem::path artifact;
  std::string identity;             ///< hash of all that the artifact holds
  std::optional<int64_t> position;  ///< the snapshot that is compiled; nothing: the artifact runs as it is
  std::vector<std::string> compile; ///< flags of that compile
  std::vector<std::string> plugins; ///< flags that load plugins, which the identity covers
  std::vector<std::string> run;     ///< flags of mica-run
};

class Runner {
public:
  /// `scratch` is a folder for files of children; `cache`: a folder for outcomes, "" for none.
  static Result<Runner> create(Limits limits, std::filesystem::path scratch, std::filesystem::path cache);

  /// In the reference evaluator, with bounds. Refused: it does not know the program.
  Outcome evaluate(mlir::ModuleOp state, const Entry &entry);
  /// By `mica-compile --plain -O0` and mica-run. Memory that the program allocates holds `fill`.
  Outcome lower(mlir::ModuleOp state, const Entry &entry, uint8_t fill);
  UndefinedFinding undefinedBehavior(mlir::ModuleOp state, const Entry &entry);
  /// Compiles it, where that is to be done, and runs it. Refused: it cannot be compiled.
  Outcome run(const Candidate &candidate, const Entry &entry, uint8_t fill);
  /// Compiles it to `output`, and gives what the compiler says. Fails where it cannot be compiled.
  Result<std::string> compile(const Candidate &candidate, const std::filesystem::path &output) const;

  /// The folder that Mica's tools are in, for `tool`.
  std::filesystem::path tool(const std::string &name) const { return tools / name; }
  const Limits &limits() const { return bounds; }
  const std::filesystem::path &folder() const { return scratch; }
  int64_t runs() const { return started; }
  int64_t cached() const { return known; }

  // The cache.
  std::string keyOf(const std::string &how, const std::string &text, const Entry &entry) const;
  std::optional<std::string> find(const std::string &key);
  void keep(const std::string &key, const std::string &text);

private:
  /// Fails where the system does: no outcome of the program.
  Result<Outcome> lowerNow(mlir::ModuleOp state, const Entry &entry, const std::string &symbol, uint8_t fill);
  std::vector<std::string> compileCommand(const Candidate &candidate, const std::filesystem::path &output) const;
  /// Nothing: it did; else the first error. What the compiler says comes to compile.err in `folder`.
  Result<std::optional<std::string>> compile(const std::vector<std::string> &command,
                                             const std::filesystem::path &folder) const;
  /// Files of the run come to `folder`.
  Result<Outcome> runArtifact(const std::filesystem::path &artifact, const std::vector<std::string> &flags,
                              const Entry &entry, const std::string &symbol, uint8_t fill,
                              const std::filesystem::path &folder) const;
  void keep(const std::string &key, const Outcome &outcome);
  /// Keeps `outcome`. An error, such as a full disk, is not the program's fault: it becomes the message of an outcome,
  /// and is not kept.
  Outcome keepUnlessFailed(const std::string &key, const Result<Outcome> &outcome);

  Limits bounds;
  std::filesystem::path scratch, cache, tools;
  std::string build; ///< of the tools that outcomes depend on, this one among them
  int64_t started = 0, known = 0;
};

/// Evaluates `state` here, in this process. Refused where the evaluator does not know it.
Outcome evaluateHere(mlir::ModuleOp state, const Entry &entry);
/// The same of a program in the LLVM dialect that prints: Refused also where the interpreter finds something undefined.
Outcome interpretHere(mlir::ModuleOp state, const Entry &entry);
UndefinedFinding undefinedBehaviorHere(mlir::ModuleOp state, const Entry &entry);

/// "model.mlir:3:5", or "" where a location has no place in a file.
std::string placeText(mlir::Location location);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_RUNNER_H
