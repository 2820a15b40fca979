//===- Doctor/Doctor.cpp - mica-run --doctor -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Doctor/Doctor.h"

#include "lib/RunTool/Doctor/Costs.h"
#include "lib/RunTool/Doctor/Trials.h"
#include "mica/Runtime/Backend.h"
#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Schemas.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

using namespace doctor;

/// The results of a detector on all of its cases, each with concurrent kernels and with one kernel at a time.
struct Findings {
  int planted = 0, found = 0, clean = 0, alarms = 0;
  double slowest = 0; ///< seconds until a fault was reported
  std::vector<std::string> problems;
  std::optional<Cost> cost;

  bool good() const { return problems.empty(); }
};

Result<TestEnvironment> openEnvironment(const Options &options, const fs::path &folder) {
  const fs::path programs = executablePath().parent_path().parent_path() / "share" / "mica" / "doctor";
  if (!fs::exists(programs / "checked"))
    return Error{ErrorCode::NotFound, "the doctor's programs are not in " + programs.string(),
                 "a build with the compiler makes them; install it, or run its own bin/mica-run --doctor"};
  TestEnvironment environment;
  MICA_ASSIGN_OR_RETURN(environment.checked, runtime::Program::load(programs / "checked"));
  MICA_ASSIGN_OR_RETURN(environment.unchecked, runtime::Program::load(programs / "unchecked"));
  MICA_ASSIGN_OR_RETURN(environment.shadowed, runtime::Program::load(programs / "shadowed"));
  MICA_ASSIGN_OR_RETURN(environment.simulated, runtime::Program::load(programs / "simulated"));
  MICA_ASSIGN_OR_RETURN(environment.simulatedUnchecked, runtime::Program::load(programs / "simulated-unchecked"));
  environment.switches = options.debug;
  environment.folder = folder;
  environment.threads = options.threads;
  return environment;
}

Result<Findings> examine(const TestEnvironment &environment, const Detector &detector) {
  Findings findings;
  std::map<std::string, std::vector<std::string>> missed; // names by what was reported instead
  for (const Case &which : detector.cases)
    for (const bool sync : {false, true}) {
      const std::string name = std::string(which.name) + (sync ? " (one kernel at a time)" : "");
      MICA_ASSIGN_OR_RETURN(const Verdict faulty, attempt(environment, detector, which, true, sync));
      ++findings.planted;
      if (faulty.alarm && faulty.named)
        ++findings.found;
      else if (faulty.alarm)
        findings.problems.push_back("does not name " + std::string(which.op) + " at " + std::string(which.place) +
                                    ": " + name + ": " + faulty.seen);
      else
        missed[faulty.seen].push_back(name);
      findings.slowest = std::max(findings.slowest, faulty.seconds);
      MICA_ASSIGN_OR_RETURN(const Verdict clean, attempt(environment, detector, which, false, sync));
      ++findings.clean;
      findings.alarms += clean.alarm;
      if (clean.alarm)
        findings.problems.push_back("false alarm, clean twin of " + name + ": " + clean.seen);
    }
  for (const auto &[seen, names] : missed)
    findings.problems.push_back("missed " + (int(names.size()) == findings.planted ? "all of them" : joinNames(names)) +
                                ": " + seen);
  MICA_ASSIGN_OR_RETURN(findings.cost, costOf(environment, detector));
  return findings;
}

/// The user's switches that disable something, for the text below a failure.
std::string settingsText(const Switches &switches) {
  const std::string set = switches.assignments();
  return set.empty() ? "" : "these switches are set, and count: " + set;
}

void printRow(const Detector &detector, const Findings &findings) {
  std::printf("%-14s  %-50s  %3d of %-3d  %3d of %-3d  %7.0f ms  %s\n", std::string(detector.name).c_str(),
              std::string(detector.watches).c_str(), findings.found, findings.planted, findings.alarms, findings.clean,
              findings.slowest * 1000, findings.cost->text().c_str());
  for (const std::string &problem : findings.problems)
    std::printf("  %s\n", problem.c_str());
  std::fflush(stdout);
}

nlohmann::ordered_json toJson(const Detector &detector, const Findings &findings) {
  const Cost &cost = *findings.cost;
  return {{"name", detector.name},
          {"watches", detector.watches},
          {"good", findings.good()},
          {"planted", findings.planted},
          {"found", findings.found},
          {"clean", findings.clean},
          {"false_alarms", findings.alarms},
          {"slowest_ms", findings.slowest * 1000},
          {"cost",
           {{"unit", cost.perLaunch ? "ns per launch" : "ratio"},
            {"mean", cost.mean},
            {"low", cost.low},
            {"high", cost.high},
            {"pairs", cost.pairs}}},
          {"problems", findings.problems}};
}

} // namespace

Result<int> runDoctor(const Options &options) {
  MICA_ASSIGN_OR_RETURN(const ScratchFolder folder, ScratchFolder::create("mica-doctor"));
  MICA_ASSIGN_OR_RETURN(const TestEnvironment environment, openEnvironment(options, folder.path()));
  const int threads = options.threads > 0 ? options.threads : runtime::availableCpus();
  if (!options.json)
    std::printf("mica-run %s, %d threads; each fault is planted twice: kernels side by side, and one at a time\n\n"
                "%-14s  %-50s  %-10s  %-10s  %10s  %s\n",
                std::string(version()).c_str(), threads, "detector", "watches", "found", "alarms on", "slowest",
                "cost (95 % interval)");
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::vector<std::string> bad;
  for (const Detector &detector : detectors()) {
    MICA_ASSIGN_OR_RETURN(const Findings findings, examine(environment, detector));
    if (!findings.good())
      bad.emplace_back(detector.name);
    if (options.json)
      rows.push_back(toJson(detector, findings));
    else
      printRow(detector, findings);
  }
  const std::string settings = settingsText(options.debug);
  if (options.json) {
    const nlohmann::ordered_json report = {{"schema", schemaFormat(Schema::Doctor)},
                                           {"version", schemaNumber(Schema::Doctor)},
                                           {"mica", version()},
                                           {"threads", threads},
                                           {"good", bad.empty()},
                                           {"switches", options.debug.assignments()},
                                           {"detectors", rows}};
    std::printf("%s\n", report.dump(1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  } else if (bad.empty()) {
    std::printf("\nall detectors work: every fault found, no false alarm\n");
  } else {
    std::string names;
    for (const std::string &name : bad)
      names += (names.empty() ? "" : ", ") + name;
    std::printf("\nfailed: %s\n%s%s", names.c_str(), settings.c_str(), settings.empty() ? "" : "\n");
  }
  return bad.empty() ? 0 : exitCode(ErrorCode::Difference);
}

} // namespace mica::runtool
