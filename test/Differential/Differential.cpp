//===- Differential.cpp - runs programs in every way and compares ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
//   mica-differential FILE.mlir [--ways=plain,O0,O1,O2,O3] [--threads=1,2,3] [--work=DIR] [--no-verify-each]
//
// With --no-verify-each the IR is not verified after every pass, which saves a sixth of the time.
//
// One line of JSON per disagreement, {"entry", "way", "threads", "kind", "detail"}; kind is "reference" (it cannot be
// evaluated), "compile" (no entry: the file does not compile that way), "run" or "differs". The last line counts:
// {"programs", "runs", "disagreements"}. Exit code 0: none; 3: some; 1: the file or a flag is wrong.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "Ways.h"

#include "mica/Compare/Compare.h"
#include "mica/Support/Text.h"

#include "llvm/ADT/StringRef.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <unistd.h>

using namespace mica;
using namespace mica::differential;
namespace fs = std::filesystem;

namespace {

struct Options {
  fs::path file;
  std::vector<Way> ways;
  std::vector<int> threads;
  fs::path work;
  bool verifyEach = true;
};

class Report {
public:
  void add(const std::string &entry, const std::string &way, int threads, const std::string &kind,
           const std::string &detail) {
    ++count;
    // Not every byte of a message is UTF-8.
    std::puts(nlohmann::json({{"entry", entry}, {"way", way}, {"threads", threads}, {"kind", kind}, {"detail", detail}})
                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                  .c_str());
    std::fflush(stdout);
  }
  int count = 0;
};

/// "" where `actual` is `expected` up to what `run` allows in each result and, where it says so, in the signs of zeros.
std::string difference(const std::vector<HostTensor> &actual, const std::vector<HostTensor> &expected, const Run &run) {
  if (actual.size() != expected.size())
    return std::to_string(actual.size()) + " results instead of " + std::to_string(expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    Tolerance tolerance;
    if (!run.relative) {
      tolerance.rtol = 0;
      tolerance.atol = i < run.error.size() ? run.error[i] : 0;
    }
    Comparison comparison = compareTensors(actual[i], expected[i], tolerance);
    if (run.relative && !comparison.same) {
      // Results close to 0 that are differences of large numbers: a few units of the type beside 1.
      const double unit = defaultRelativeL2(expected[i].dtype);
      tolerance.rtol = 8 * unit;
      tolerance.atol = 32 * unit;
      comparison = compareTensors(actual[i], expected[i], tolerance);
    }
    if (!comparison.same)
      return "result " + std::to_string(i) + " (" + expected[i].typeString() +
             "): " + (comparison.reason.empty() ? "" : comparison.reason + "; ") +
             describe(comparison, actual[i], expected[i]);
    for (int64_t at = 0, end = run.signs ? expected[i].numElements() : 0; at < end; ++at) {
      const double want = expected[i].asDouble(at);
      if (want == 0 && std::signbit(want) != std::signbit(actual[i].asDouble(at)))
        return "result " + std::to_string(i) + ": element " + std::to_string(at) +
               " is a zero of the other sign, should be " + (std::signbit(want) ? "-0" : "+0");
    }
  }
  return "";
}

void compareAll(const std::vector<Run> &runs, const Reference &reference, const Outcome &outcome,
                const std::string &way, int threads, Report &report) {
  for (const Run &run : runs) {
    auto expected = reference.results.find(run.entry);
    if (expected == reference.results.end())
      continue;
    if (auto failure = outcome.failures.find(run.entry); failure != outcome.failures.end()) {
      report.add(run.entry, way, threads, "run", failure->second);
      continue;
    }
    const std::vector<HostTensor> &actual = outcome.results.at(run.entry);
    if (std::string text = difference(actual, expected->second, run); !text.empty())
      report.add(run.entry, way, threads, "differs", text);
  }
}

/// Programs that say the same in two ways must do so in the reference.
void compareTwins(const std::vector<Run> &runs, const Reference &reference, Report &report) {
  for (const Run &run : runs) {
    if (run.twin.empty() || !reference.results.count(run.entry) || !reference.results.count(run.twin))
      continue;
    std::string text = difference(reference.results.at(run.entry), reference.results.at(run.twin), run);
    if (!text.empty())
      report.add(run.entry, "reference", 1, "differs", "from its twin '" + run.twin + "': " + text);
  }
}

Result<Options> parseOptions(int argc, char **argv) {
  Options options;
  std::string ways = "plain,O0,O1,O2,O3", threads = "1,2,3";
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef arg = argv[i];
    if (arg.consume_front("--ways="))
      ways = arg.str();
    else if (arg.consume_front("--threads="))
      threads = arg.str();
    else if (arg.consume_front("--work="))
      options.work = arg.str();
    else if (arg == "--no-verify-each")
      options.verifyEach = false;
    else if (options.file.empty() && !arg.starts_with("-"))
      options.file = arg.str();
    else
      return Error{ErrorCode::InvalidInput, "what is '" + arg.str() + "'?",
                   "mica-differential FILE.mlir [--ways=plain,O0,O1,O2,O3] [--threads=1,2,3] [--work=DIR] "
                   "[--no-verify-each]"};
  }
  if (options.file.empty())
    return Error{ErrorCode::InvalidInput, "no file given", "mica-differential FILE.mlir"};
  if (options.work.empty())
    options.work = fs::temp_directory_path() / ("mica-differential-" + std::to_string(getpid()));
  for (const std::string &name : splitText(ways, ',')) {
    MICA_ASSIGN_OR_RETURN(Way way, parseWay(name));
    options.ways.push_back(std::move(way));
  }
  for (const std::string &text : splitText(threads, ',')) {
    int count = 0;
    if (llvm::StringRef(text).getAsInteger(10, count) || count < 1)
      return Error{ErrorCode::InvalidInput, "'" + text + "' is no number of threads", ""};
    options.threads.push_back(count);
  }
  return options;
}

Status checkFile(const Options &options, Report &report) {
  MICA_ASSIGN_OR_RETURN(const std::vector<Run> runs, readRuns(options.file));
  MICA_ASSIGN_OR_RETURN(const Reference reference, evaluateRuns(options.file, runs));
  for (const auto &[entry, failure] : reference.failures)
    report.add(entry, "reference", 1, "reference", failure);
  compareTwins(runs, reference, report);
  size_t invocations = 0;
  for (const Way &way : options.ways) {
    const fs::path folder = options.work / way.name;
    if (Status status = compileWay(options.file, way, folder, options.verifyEach); !status) {
      report.add("", way.name, 0, "compile", status.error().message);
      continue;
    }
    for (int threads : options.threads) {
      if ((way.plain || way.onDevice) && threads != options.threads.front())
        continue; // Plain code has one share of work, and devices cut work themselves.
      MICA_ASSIGN_OR_RETURN(const Outcome outcome, runArtifact(folder, runs, reference, threads));
      compareAll(runs, reference, outcome, way.name, threads, report);
      invocations += runs.size();
    }
  }
  std::puts(nlohmann::json({{"programs", runs.size()}, {"runs", invocations}, {"disagreements", report.count}})
                .dump()
                .c_str());
  return Status::ok();
}

} // namespace

int main(int argc, char **argv) {
  Result<Options> options = parseOptions(argc, argv);
  Status status = options ? Status::ok() : Status(options.error());
  Report report;
  if (status) {
    status = checkFile(*options, report);
    std::error_code ignored;
    fs::remove_all(options->work, ignored);
  }
  if (status)
    return report.count == 0 ? 0 : 3;
  std::fprintf(stderr, "mica-differential: error: %s\n", status.error().message.c_str());
  if (!status.error().hint.empty())
    std::fprintf(stderr, "mica-differential: %s\n", status.error().hint.c_str());
  return 1;
}
