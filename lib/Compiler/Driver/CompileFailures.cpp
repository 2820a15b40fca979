//===- CompileFailures.cpp - what is left of a compile that failed ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The error that names the pass, and the record in its place.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/Compilation.h"

#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "lib/Compiler/Diagnostics/FailureClassification.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// The error for a pass that failed; what it said is printed already.
Error Compilation::failureOf(Phase phase) {
  progress.clear();
  const std::optional<PassFailure> &failed = recorder->failure();
  if (input.errors && !silence)
    llvm::errs() << fixLines(input.errors->errors(), "", context);
  if (phase == Phase::Input)
    return {ErrorCode::InvalidInput, input.name + ": not compiled: see the errors above", ""};
  std::string where = failed ? "pass " + failed->pass + " (" + std::to_string(failed->position) + ")" : "the pipeline";
  if (failed && !failed->anchor.empty())
    where += " on kernel " + failed->anchor;
  if (failed && first == Phase::Input && refusesPrograms(failed->pass))
    return {ErrorCode::InvalidInput, input.name + ": not compiled: see the errors above", ""};
  if (givesPlans)
    return {ErrorCode::InvalidInput,
            input.name + ": " + where + " cannot go on from what the program says of kernels and schedules",
            "leave attributes mica_sched.* and mica_codegen.* to the compiler, or say which phase the "
            "program is of: --compile-from=PHASE"};
  return {ErrorCode::Internal, input.name + ": " + where + " failed", ""};
}

/// The record of a compile that failed is what one needs then; it is kept beside the place of the artifact.
Status Compilation::keepRecord(const Status &status) {
  if (!artifact || status.error().code != ErrorCode::Internal || options.dump == DumpMode::Off)
    return status;
  if (failed(recorder->finish(&context)) || !recorder->failure())
    return status;
  if (input.errors)
    llvm::errs() << rejectionLine(*recorder, input.errors->errors());
  if (!artifact->keepFailed())
    return status;
  fs::path kept = artifact->failedPath();
  Error error = status.error();
  error.hint = "snapshots and reproducer are in " + kept.string();
  if (!recorder->failure()->command.empty())
    error.hint += "; the pass alone: sh " + (kept / "repro" / "run.sh").string();
  return error;
}

std::string Compilation::takeText() {
  bool isText = options.resume.empty() && input.sources && input.sources->getNumBuffers() > 0;
  return isText ? input.sources->getMemoryBuffer(input.sources->getMainFileID())->getBuffer().str() : "";
}

void Compilation::repeatFailure(std::string text) { givenText = std::move(text); }

Status Compilation::judge(Status status) const {
  if (status || status.error().code != ErrorCode::Internal || !givesPlans)
    return status;
  return Error{ErrorCode::InvalidInput, status.error().message,
               "leave attributes mica_sched.* and mica_codegen.* to the compiler, or say which phase the "
               "program is of: --compile-from=PHASE"};
}
