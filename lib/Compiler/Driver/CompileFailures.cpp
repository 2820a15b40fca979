//===- CompileFailures.cpp - failed compiles ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The error that names the pass, and where its record is kept.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/Compilation.h"

#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "lib/Compiler/Diagnostics/FailureClassification.h"
#include "lib/Compiler/Driver/HostFunctions.h"
#include "mica/Support/Text.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// The error for a failed pass, whose messages are printed already.
Error Compilation::failureOf(Phase phase) {
  progress.clear();
  failedInPass = true;
  const std::optional<PassFailure> &failed = recorder->failure();
  if (input.errors && !silence)
    (input.said ? static_cast<llvm::raw_ostream &>(*input.said) : llvm::errs())
        << fixLines(input.errors->errors(), "", context);
  if (phase == Phase::Input)
    return {ErrorCode::InvalidInput, input.name + ": not compiled: see the errors above", hintOfChecks()};
  std::string where = failed ? "pass " + failed->pass + " (" + std::to_string(failed->position) + ")" : "the pipeline";
  if (failed && !failed->anchor.empty())
    where += " on kernel " + failed->anchor;
  if (failed && first == Phase::Input && refusesPrograms(failed->pass))
    return {ErrorCode::InvalidInput, input.name + ": not compiled: see the errors above", hintOfChecks()};
  if (givesPlans)
    return {ErrorCode::InvalidInput,
            input.name + ": " + where + " rejects the kernel and schedule attributes of the program",
            "remove the attributes mica_sched.* and mica_codegen.*, or name the phase that the "
            "program comes from: --compile-from=PHASE"};
  return {ErrorCode::Internal, input.name + ": " + where + " failed", ""};
}

/// Moves the record of a failed compile to its place beside the artifact's.
Status Compilation::keepRecord(const Status &status) {
  if (!artifact || status.error().code != ErrorCode::Internal || options.dump == DumpMode::Off)
    return status;
  if (failed(recorder->finish(&context)) || !recorder->failure())
    return status;
  if (input.errors)
    (input.said ? static_cast<llvm::raw_ostream &>(*input.said) : llvm::errs())
        << rejectionLine(*recorder, input.errors->errors());
  if (!artifact->keepFailed())
    return status;
  fs::path kept = keptRecord = artifact->failedPath();
  Error error = status.error();
  error.hint = "snapshots and reproducer are in " + kept.string();
  if (!recorder->failure()->command.empty())
    error.hint += "; the pass alone: sh " + (kept / "repro" / "run.sh").string();
  return error;
}

llvm::StringRef Compilation::sourceText() const {
  bool isText = options.resume.empty() && input.sources && input.sources->getNumBuffers() > 0;
  return isText ? input.sources->getMemoryBuffer(input.sources->getMainFileID())->getBuffer() : "";
}

std::string Compilation::takeText() { return input.binary ? input.binary->getBuffer().str() : sourceText().str(); }

void Compilation::repeatFailure(std::string text) { givenText = std::move(text); }

Status Compilation::judge(Status status) const {
  if (status || status.error().code != ErrorCode::Internal || !givesPlans)
    return status;
  return Error{ErrorCode::InvalidInput, status.error().message,
               "remove the attributes mica_sched.* and mica_codegen.*, or name the phase that the "
               "program comes from: --compile-from=PHASE"};
}

std::vector<std::string> Compilation::checksOfKernels() const {
  std::vector<std::string> checks;
  if (options.trackReads)
    checks.emplace_back("uninitialized-read-check");
  if (options.nanCheck)
    checks.emplace_back("nan-check");
  if (options.assertLevel != "user")
    checks.push_back("assert-level=" + options.assertLevel);
  return checks;
}

bool Compilation::hasHostForm() const {
  const bool isWhole = options.resume.empty() && !options.from && !options.to && options.specialize.empty() &&
                       options.addedPasses.empty();
  return failedInPass && isWhole && !options.plain && !givesPlans && !holdsLaunches && !holdsPlainEntries &&
         !isForRanks; // on the host alone it would not be split
}

std::string Compilation::hintOfChecks() const {
  const std::vector<std::string> checks = checksOfKernels();
  if (!hasHostForm() || checks.empty())
    return "";
  return "without " + joinNames(checks) + " the program may run in its host functions, which have no such checks";
}

bool Compilation::mayRunOnHost() const { return !givenText && hasHostForm() && checksOfKernels().empty(); }

CompileOptions Compilation::optionsOnHost(std::string text) const {
  CompileOptions onHost = options;
  onHost.text = std::make_shared<const std::string>(std::move(text));
  onHost.plain = true;
  onHost.target = "cpu";
  onHost.hostReason = "a pass failed";
  const std::string instead =
      target.device || options.target != onHost.target
          ? "; it is a program for the CPU, and --target=" + options.target + " is without effect"
          : "";
  if (const std::vector<RecordedDiagnostic> said = errors(); !said.empty()) {
    const RecordedDiagnostic &error = said.front();
    onHost.hostReason = reasonOf(error);
    onHost.hostSource = error.sources.empty() ? "" : error.sources.back();
  }
  onHost.hostReason += instead;
  return onHost;
}

void Compilation::warnOfHost() {
  for (const HostFunction &function : options.hostReasons)
    llvm::errs() << (function.source.empty() ? input.name : function.source) << ": warning: " << function.text()
                 << "\n";
  if (options.hostReason.empty())
    return;
  llvm::errs() << (options.hostSource.empty() ? input.name : options.hostSource)
               << ": warning: the whole program runs in its host functions, on one thread and without kernels: "
               << options.hostReason << "\n";
}
