//===- LogModel.h - what a trace log says ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the compiles of one log with their products, stacks, problems and times, in memory that grows with the
// number of compiles and products but not with their texts, which are in the store.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_LOGMODEL_H
#define MICA_LIB_REPORT_LOG_LOGMODEL_H

#include "lib/Report/Log/RunRecords.h"
#include "lib/Report/Log/Spans.h"
#include "lib/Report/Log/Stacks.h"
#include "lib/Report/Log/TracedFiles.h"
#include "mica/Trace/Reader.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mica::report {

/// A text that the report shows: its number in the store.
using TextNumber = int64_t;

/// A named text that a compile left.
struct Product {
  std::string name; ///< "fx_graph_runnable.py": the same in every run, unique within compile and attempt
  std::string url;  ///< the file that holds it, relative to the report; "" where it is in no file
  std::string mark; ///< "hit", "miss", "bypass" for what a cache said; else ""
  std::string note; ///< the file the compiler wrote it to, or what is wrong with it
  int64_t attempt = 0;
  int64_t round = 0; ///< see Compile::rounds
  int64_t bytes = 0, lines = 0;
  int64_t logLine = 0;
  TextNumber text = -1;
  trace::Digest digest{};
  int64_t number = 0; ///< among all products and links of the log
};

struct Link {
  std::string name, url; ///< both as the log has them: not to be trusted
  int64_t attempt = 0, number = 0;
};

/// What `compilation_metrics` said at the end of a compile.
struct Metrics {
  std::string kind;     ///< of the record
  TextNumber text = -1; ///< the whole record
  int64_t attempt = 0, round = 0;
  std::string failType, failReason, failFile;
  int64_t failLine = 0;
  std::vector<std::string> restartReasons;
  std::string recompileReason, function, file;
  int64_t line = 0;
  int64_t graphOps = -1, graphNodes = -1, guards = -1; ///< -1: not said
  int64_t microseconds = -1;
};

/// tlparse's five states of a compile.
enum class CompileStatus { Ok, Restarted, Empty, Failed, Unfinished };

/// Everything about one compile id, whatever the attempt.
struct Compile {
  trace::CompileId id; ///< without attempt
  std::vector<Product> products;
  std::vector<Link> links;
  std::vector<Metrics> metrics;
  std::vector<int> stacks; ///< leaves in the trie of stacks, one per start
  int64_t starts = 0;
  /// How often this id began anew after it had ended: programs that reset the compiler number from 0 again.
  int64_t rounds = 0;
  int64_t attempts = 0; ///< highest attempt
  int64_t bytes = 0;    ///< of its records in the log
  int64_t records = 0;
  int64_t firstLine = 0;
  /// Metadata of records that come without payload, as JSON, by kind. `more` counts those beyond the limit.
  std::map<std::string, std::vector<std::string>> facts;
  std::map<std::string, int64_t> more;
  size_t factBytes = 0;
  std::vector<std::string> collectives; ///< of inductor_collective_schedule, in order
  std::vector<std::string> schedules;   ///< graphs, or tasks, in the order in which they are run
  std::vector<EstimatedOp> estimated;   ///< of inductor_runtime_and_tensor_meta, in order
  CodeCollectives inCode;               ///< of all generated code
  bool hasCode = false;
  std::string compiledWith;            ///< the compile that was one with this: another entry of the program
  int artifact = -1;                   ///< number of the report's artifact that came of it
  std::vector<std::string> tensorMeta; ///< ops with shapes and types of inductor_runtime_and_tensor_meta, in order

  CompileStatus status() const;
  /// Time the log gives for all its rounds, or -1.
  int64_t microseconds() const;
};

/// Something a reader should look at first. Occurrences that differ in numbers only are one.
struct Problem {
  std::string kind;  ///< "failure", "graph break", "recompile", ...
  std::string text;  ///< of the first occurrence
  std::string where; ///< "file:line", or ""
  int64_t count = 0;
  std::vector<int> compiles; ///< positions in LogModel::compiles, each once
};

struct KindCount {
  int64_t count = 0, bytes = 0, payloadBytes = 0;
};

struct LogModel {
  std::string name; ///< of the log file, without folder
  int64_t rank = -1;
  trace::ReadCounts counts;
  std::vector<trace::Defect> defects; ///< the first ones
  std::map<std::string, KindCount> kinds;
  std::map<int64_t, int64_t> pids;  ///< records by process
  std::vector<Compile> compiles;    ///< in the order of their first record; the one without id, if any, too
  std::vector<Problem> problems;    ///< worst first
  std::vector<std::string> strings; ///< the log's string table
  Stacks stacks;
  std::vector<int> otherStacks; ///< leaves of stacks of records without compile
  Spans spans;
  TextNumber version = -1; ///< the artifact torch_version
  /// The order in which graphs ran, of records without compile id.
  std::vector<std::string> executions;
  std::vector<TracedArtifact> artifacts;
  std::vector<std::string> notes;  ///< what of them cannot be shown, and why
  std::string firstTime, lastTime; ///< ISO 8601, "" for a log without records
  bool utc = false;                ///< whether those are UTC or the writer's local time
};

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_LOGMODEL_H
