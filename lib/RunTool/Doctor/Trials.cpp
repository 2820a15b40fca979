//===- Doctor/Trials.cpp - testing one planted fault, or its clean twin ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Doctor/Trials.h"

#include "mica/Runtime/Context.h"
#include "mica/Runtime/Ledger.h"
#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace mica::runtool::doctor {
namespace {

/// A child process without a report is killed after this time: the detector is disabled, or does not work.
constexpr double kChildSeconds = 10;

/// The rank of an assert-level, lowest first; warn checks as much as all.
int rankOf(std::string_view level) {
  constexpr std::string_view kLevels[] = {"none", "user", "safe", "all"};
  const auto *found = std::find(std::begin(kLevels), std::end(kLevels), level);
  return level == "warn" ? 3 : int(found - std::begin(kLevels));
}

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

/// Runs the case in this process.
Result<runtime::FaultInfo> run(const TestEnvironment &environment, const Detector &detector, const Case &which,
                               bool faulty, Switches switches, std::string &message) {
  std::vector<runtime::Tensor> tensors;
  for (const Argument &argument : faulty ? which.faulty : which.clean) {
    MICA_ASSIGN_OR_RETURN(runtime::Tensor tensor, runtime::Tensor::fromHost(argument.tensor()));
    tensors.push_back(std::move(tensor));
  }
  std::vector<runtime::TensorView> views;
  for (const runtime::Tensor &tensor : tensors)
    views.push_back(tensor.view());
  const std::shared_ptr<const runtime::Program> &program = environment.programFor(detector);
  MICA_ASSIGN_OR_RETURN(const size_t entry, program->findEntry(which.entry));
  runtime::ContextOptions options;
  options.threads = environment.threads;
  options.switches = std::move(switches);
  MICA_ASSIGN_OR_RETURN(const auto context, runtime::Context::create(program, std::move(options)));
  std::vector<runtime::Tensor> results;
  runtime::FaultInfo fault;
  const Status status = context->invoke(entry, views, results, &fault);
  message = status ? "" : status.error().message;
  return fault;
}

Result<Verdict> tryRun(const TestEnvironment &environment, const Detector &detector, const Case &which, bool faulty,
                       bool sync) {
  std::string more(detector.switches);
  more += sync ? ",device-sync-mode" : "";
  MICA_ASSIGN_OR_RETURN(Switches switches, environment.with(more));
  std::string message;
  MICA_ASSIGN_OR_RETURN(const runtime::FaultInfo fault,
                        run(environment, detector, which, faulty, std::move(switches), message));
  bool named = fault.opKind == which.op && fault.file == which.place && fault.line == which.line &&
               message.find(which.says) != message.npos;
  if (detector.method == Method::Simulated) {
    const std::string site =
        std::string(which.op) + " at " + std::string(which.place) + ":" + std::to_string(which.line) + ":";
    const std::vector<std::string> lines = splitText(message, '\n');
    named = std::any_of(lines.begin(), lines.end(), [&](const std::string &line) {
      return line.find(which.says) != line.npos && line.find(site) != line.npos;
    });
  }
  return Verdict{!message.empty(), named, message.empty() ? "no report" : firstLine(message)};
}

/// Whether the dispatch `site` has the operation.
bool hasOperation(const runtime::Program &program, int64_t site, const Case &which) {
  const std::vector<artifact::SiteRecord> &sites = program.manifest().sites;
  if (site < 0 || size_t(site) >= sites.size())
    return false;
  const std::vector<std::string> &ids = sites[size_t(site)].opIds;
  return std::any_of(ids.begin(), ids.end(), [&](const std::string &id) {
    const runtime::FaultInfo there = program.faultInfo(id);
    return there.opKind == which.op && there.file == which.place && there.line == which.line;
  });
}

/// Whether the op log has a line for a failed launch with the operation.
Result<Verdict> tryOpLog(const TestEnvironment &environment, const Detector &detector, const Case &which, bool faulty,
                         bool sync) {
  // A separate folder: the log chooses the file name, so that contexts and ranks do not share a file.
  const fs::path logs = environment.folder / "logs";
  std::error_code failed;
  fs::remove_all(logs, failed);
  if (!fs::create_directory(logs, failed))
    return systemError("make", logs, failed.value());
  std::string more(detector.switches);
  more += sync ? ",device-sync-mode" : "";
  MICA_ASSIGN_OR_RETURN(Switches switches, environment.with(more));
  MICA_RETURN_IF_ERROR(switches.set("op-log-file", (logs / "ops.jsonl").string(), SwitchSource::Flag));
  std::string message;
  MICA_RETURN_IF_ERROR(run(environment, detector, which, faulty, std::move(switches), message).status());
  std::string log;
  for (const fs::directory_entry &file : fs::directory_iterator(logs)) {
    MICA_ASSIGN_OR_RETURN(log, readFile(file.path()));
  }
  Verdict verdict{false, false, "the op log has no line of a launch that failed"};
  for (const std::string &line : splitText(log, '\n')) {
    const auto event = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!event.is_object() || event.value("status", 0) == 0)
      continue;
    verdict.alarm = true;
    verdict.seen = line;
    verdict.named |= hasOperation(*environment.programFor(detector), event.value("site", int64_t(-1)), which);
  }
  return verdict;
}

Result<Verdict> tryChild(const TestEnvironment &environment, const Detector &detector, const Case &which, bool faulty,
                         bool sync) {
  const bool crash = detector.method == Method::Crash;
  const runtime::Program &program = crash ? *environment.unchecked : *environment.checked;
  const fs::path ledgerFile = environment.folder / "child.ledger", said = environment.folder / "child.txt";
  std::error_code ignored;
  fs::remove(ledgerFile, ignored);
  MICA_ASSIGN_OR_RETURN(const Switches switches, environment.with(detector.switches));
  std::string more =
      "launch-ledger=" + ledgerFile.string() + ",uninitialized-read-check=off,assert-level=" + (crash ? "none" : "all");
  more += ",hang-timeout=" + switches.text(Switch::HangTimeout);
  more += sync ? ",device-sync-mode" : "";
  std::vector<std::string> arguments = {executablePath().string(),
                                        program.folder().string(),
                                        "--no-rebuild",
                                        "--entry=" + std::string(which.entry),
                                        "--run-dir=" + (environment.folder / "runs").string(),
                                        "--mica-debug=" + more};
  if (environment.threads > 0)
    arguments.push_back("--threads=" + std::to_string(environment.threads));
  for (const Argument &argument : faulty ? which.faulty : which.clean)
    arguments.push_back("--input=" + argument.spec());
  ProcessOptions options;
  options.standardInput = "/dev/null";
  options.standardOutput = options.standardError = said;
  options.secondsLimit = kChildSeconds;
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(arguments, options));
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(said));

  Verdict verdict;
  verdict.seen = "exit code " + std::to_string(code);
  if (!crash && code == 128 + SIGKILL)
    verdict.seen = "it still ran after " + std::to_string(int(kChildSeconds)) + " seconds";
  verdict.alarm = crash ? code > 128 : code == exitCode(ErrorCode::Hang);
  if (!faulty && code != 0)
    verdict.alarm = true;
  const Result<runtime::LedgerContents> ledger = runtime::readLedger(ledgerFile);
  if (!ledger) {
    verdict.seen += "; " + ledger.error().message;
    verdict.alarm &= !crash || !faulty;
    return verdict;
  }
  using End = runtime::LedgerContents::End;
  const bool noted = ledger->end == (crash ? End::Crash : End::Hang);
  verdict.seen += noted ? ", noted in the ledger" : ", not noted in the ledger";
  verdict.alarm = faulty ? verdict.alarm && noted : verdict.alarm || noted;
  const bool ran = std::any_of(ledger->entries.begin(), ledger->entries.end(), [&](const runtime::LedgerEntry &entry) {
    return entry.stage == runtime::LedgerEntry::Stage::Running && hasOperation(program, entry.site, which);
  });
  verdict.named = ran && text.find(which.says) != text.npos;
  return verdict;
}

} // namespace

const std::shared_ptr<const runtime::Program> &TestEnvironment::programFor(const Detector &detector) const {
  if (detector.method == Method::Simulated) {
    if (detector.simCheck.empty() || !switches.isSet(Switch::SimCheck))
      return simulated;
    const std::vector<std::string> checks = splitText(switches.text(Switch::SimCheck), '+');
    const bool isOn = std::any_of(checks.begin(), checks.end(), [&](const std::string &check) {
      return check == "all" || check == detector.simCheck;
    });
    return isOn ? simulated : simulatedUnchecked;
  }
  if (detector.shadows)
    return switches.isSet(Switch::UninitializedReadCheck) && !switches.flag(Switch::UninitializedReadCheck) ? unchecked
                                                                                                            : shadowed;
  const bool weaker = switches.isSet(Switch::AssertLevel) && !detector.level.empty() &&
                      rankOf(switches.text(Switch::AssertLevel)) < rankOf(detector.level);
  return weaker ? unchecked : checked;
}

Result<Switches> TestEnvironment::with(std::string_view more) const {
  Switches all = switches;
  if (!more.empty())
    MICA_RETURN_IF_ERROR(all.set(more.starts_with(",") ? more.substr(1) : more, SwitchSource::Default));
  return all;
}

Result<Verdict> attempt(const TestEnvironment &environment, const Detector &detector, const Case &which, bool faulty,
                        bool sync) {
  // Without its checks such a program has undefined behavior, so it must not run in this process.
  if (faulty && (detector.shadows || !detector.level.empty()) &&
      environment.programFor(detector) == environment.unchecked)
    return Verdict{false, false,
                   "with " +
                       (detector.shadows ? std::string("uninitialized-read-check=off")
                                         : "assert-level=" + environment.switches.text(Switch::AssertLevel)) +
                       " the code has no such checks"};
  if (faulty && detector.method == Method::Simulated &&
      environment.programFor(detector) == environment.simulatedUnchecked)
    return Verdict{false, false,
                   "with sim-check=" + environment.switches.text(Switch::SimCheck) + " the code has no such checks"};
  const auto begin = std::chrono::steady_clock::now();
  const bool here = detector.method == Method::Run || detector.method == Method::Simulated;
  Result<Verdict> verdict = here                               ? tryRun(environment, detector, which, faulty, sync)
                            : detector.method == Method::OpLog ? tryOpLog(environment, detector, which, faulty, sync)
                                                               : tryChild(environment, detector, which, faulty, sync);
  if (verdict)
    verdict->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return verdict;
}

} // namespace mica::runtool::doctor
