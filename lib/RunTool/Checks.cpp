//===- Checks.cpp - comparing results ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Tensors are exchanged with the child process as .npy files of the run folder, so a failed check can be examined
// afterwards.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Checks.h"

#include "lib/RunTool/CheckOps.h"
#include "lib/RunTool/Golden.h"
#include "lib/RunTool/Printed.h"
#include "mica/Compare/Criteria.h"
#include "mica/Compare/Npy.h"
#include "mica/Compare/PrintedText.h"
#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <cstdio>
#include <cstdlib>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// Compares result `i` and prints the verdict; returns whether it agrees.
bool compareAndPrint(std::string_view with, size_t i, const HostTensor &actual, const HostTensor &expected,
                     const Tolerance &tolerance, const Criteria &criteria, const HostTensor *bounds = nullptr) {
  if (!criteria.empty()) {
    const CriteriaVerdict verdict = judgeTensors(actual, expected, criteria);
    std::printf("%s: result %zu (%s): %s, by %s\n%s\n", std::string(with).c_str(), i, actual.typeString().c_str(),
                verdict.same ? "within tolerance" : "DIFFERENT", printCriteria(criteria).c_str(), verdict.text.c_str());
    return verdict.same;
  }
  const Comparison comparison = compareTensors(actual, expected, tolerance, bounds);
  std::printf("%s: result %zu (%s): %s\n", std::string(with).c_str(), i, actual.typeString().c_str(),
              describe(comparison, actual, expected, bounds).c_str());
  return comparison.same;
}

/// The program as parsed; for an artifact of an earlier version, the program after phase input.
fs::path programOf(const fs::path &folder) {
  const fs::path original = folder / artifact::kOriginalFile;
  std::error_code error;
  return fs::exists(original, error) ? original : folder / artifact::kInputFile;
}

/// Compares the printed output of the run, if it was kept.
Result<bool> checkPrinted(const std::string &with, const RunFolder &run) {
  const fs::path file = run.path() / "data" / "printed.txt",
                 reference = run.path() / "data" / "reference" / "printed.txt";
  std::error_code missing;
  if (!fs::exists(file, missing) || !fs::exists(reference, missing))
    return true;
  MICA_ASSIGN_OR_RETURN(const std::string actual, readFile(file));
  MICA_ASSIGN_OR_RETURN(const std::string expected, readFile(reference));
  if (actual.empty() && expected.empty())
    return true;
  fs::path boundsFile = reference;
  boundsFile += ".bounds";
  MICA_ASSIGN_OR_RETURN(const std::string numbers, readFile(boundsFile));
  std::vector<double> bounds;
  for (const std::string &line : splitText(numbers, '\n'))
    if (!line.empty())
      bounds.push_back(std::strtod(line.c_str(), nullptr));
  const std::string difference = comparePrinted(actual, expected, bounds);
  std::printf("%s: printed text: %s\n", with.c_str(),
              difference.empty() ? "as the reference prints it" : ("DIFFERENT: " + difference).c_str());
  return difference.empty();
}

} // namespace

Result<Expected> readExpected(const fs::path &file, DType dtype) {
  Expected expected;
  MICA_ASSIGN_OR_RETURN(expected.tensor, readNpy(file, dtype));
  fs::path bounds = file;
  bounds.replace_extension(".bound.npy");
  std::error_code missing;
  if (fs::exists(bounds, missing)) {
    MICA_ASSIGN_OR_RETURN(expected.bounds, readNpy(bounds, DType::F64));
  }
  return expected;
}

Result<std::vector<std::string>> evaluation(const std::string &what, const char *how, const fs::path &artifact,
                                            const artifact::EntryRecord &entry, const RunFolder &run) {
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code, "cannot " + what + ": " + compiler.error().message, compiler.error().hint};
  std::vector<std::string> command{compiler->string(), how, programOf(artifact).string(), "--entry=" + entry.name};
  for (size_t i = 0; i < entry.args.size(); ++i)
    command.push_back("--input=@" + run.tensorFile("in", i).string());
  return command;
}

Result<int> checkUndefined(const fs::path &artifact, const artifact::EntryRecord &entry, const RunFolder &run) {
  MICA_ASSIGN_OR_RETURN(std::vector<std::string> command,
                        evaluation("look for undefined behavior", "--evaluate", artifact, entry, run));
  command.push_back("--check-ub");
  std::fflush(stdout);
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, ProcessOptions()));
  if (code >= 128)
    return Error{ErrorCode::Internal, "the reference evaluator was killed by signal " + std::to_string(code - 128), ""};
  std::printf("undefined behavior: %s\n", code == 0                                 ? "none found"
                                          : code == exitCode(ErrorCode::Difference) ? "found; nothing was run"
                                                                                    : "not checked, nothing was run");
  return code;
}

Result<int> evaluateReference(const Options &options, const fs::path &artifact, const artifact::EntryRecord &entry,
                              const RunFolder &run, bool quiet) {
  MICA_ASSIGN_OR_RETURN(std::vector<std::string> command,
                        evaluation("compare with the reference", options.checkOps ? "--evaluate=ops" : "--evaluate",
                                   artifact, entry, run));
  MICA_RETURN_IF_ERROR(makeFolder(run.path() / "data" / "reference"));
  for (size_t i = 0; i < entry.results.size(); ++i) {
    const int64_t argument = entry.results[i].updates;
    const std::string file = "@" + run.tensorFile("reference", i).string();
    command.push_back(argument < 0 ? "--output=" + file : "--argument-output=" + std::to_string(argument) + file);
  }
  command.push_back("--printed=" + (run.path() / "data" / "reference" / "printed.txt").string());
  // Explicit tolerances replace bounds.
  if (!options.tolerance.rtol && !options.tolerance.atol)
    command.push_back(options.checkPasses ? "--bounds=narrow" : "--bounds");
  if (options.checkOps) {
    command.push_back("-o");
    command.push_back((run.path() / "data" / "reference" / "ops").string());
  }
  ProcessOptions process;
  if (quiet)
    process.standardError = run.path() / "data" / "reference" / "errors.txt";
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  if (code >= 128)
    return Error{ErrorCode::Internal, "the reference evaluator was killed by signal " + std::to_string(code - 128), ""};
  return code;
}

Result<CheckOutcome> checkReference(const Options &options, const fs::path &artifact,
                                    const artifact::Manifest &manifest, const artifact::EntryRecord &entry,
                                    const RunFolder &run, std::span<const HostTensor> results,
                                    std::span<const CapturedTensor> captured, std::optional<InputSet> set) {
  CheckOutcome outcome;
  if (!set) {
    MICA_ASSIGN_OR_RETURN(outcome.childExitCode, evaluateReference(options, artifact, entry, run));
    if (outcome.childExitCode != 0)
      return outcome;
  }
  const std::string with =
      set && *set != InputSet::Random ? "reference, " + std::string(inputSetName(*set)) : "reference";
  MICA_ASSIGN_OR_RETURN(const bool samePrinted, checkPrinted(with, run));
  outcome.same = samePrinted;
  const fs::path opsFolder = run.path() / "data" / "reference" / "ops";
  for (size_t i = 0; i < results.size(); ++i) {
    MICA_ASSIGN_OR_RETURN(const Expected expected, readExpected(run.tensorFile("reference", i), results[i].dtype));
    outcome.same = compareAndPrint(with, i, results[i], expected.tensor, options.tolerance, options.compare,
                                   expected.boundsOrNull()) &&
                   outcome.same;
  }
  if (options.checkOps) {
    MICA_ASSIGN_OR_RETURN(const bool same, compareOps(captured, manifest, opsFolder, options.tolerance));
    outcome.same = same && outcome.same;
  }
  return outcome;
}

Result<CheckOutcome> checkGolden(const Options &options, const artifact::EntryRecord &entry,
                                 std::span<const HostTensor> results) {
  CheckOutcome outcome;
  const Golden *record = options.golden->record();
  std::printf("golden: comparing %zu results of '%s' with %s%s\n", results.size(), entry.name.c_str(),
              options.goldenData.string().c_str(),
              record ? (" (" + record->program + ", hash " + record->programHash + ")").c_str() : "");
  for (size_t i = 0; i < results.size(); ++i) {
    MICA_ASSIGN_OR_RETURN(const HostTensor expected, options.golden->result(i, entry));
    Criteria criteria = options.compare;
    if (const std::string kept = options.golden->criteria(i);
        criteria.empty() && !options.tolerance.rtol && !options.tolerance.atol && !kept.empty()) {
      MICA_ASSIGN_OR_RETURN(criteria, parseCriteria(kept));
    }
    outcome.same = compareAndPrint("golden", i, results[i], expected, options.tolerance, criteria) && outcome.same;
  }
  return outcome;
}

} // namespace mica::runtool
