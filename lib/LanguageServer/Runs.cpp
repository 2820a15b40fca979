//===- Runs.cpp - runs of a program for an editor -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header. The tools print "FILE:LINE:COLUMN: error: ..." for places in the text, and "mica-run: error: ... at
// FILE:LINE:COLUMN ..." for faults of a run.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/LanguageServer/Runs.h"

#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <regex>

namespace fs = std::filesystem;

namespace mica::languageserver {

static int64_t numberOf(const std::string &digits) { return std::strtoll(digits.c_str(), nullptr, 10); }

std::vector<Problem> problemsOf(std::string_view printed) {
  static const std::regex placed(R"(^(?:[\w-]+: )?([^\s:][^:]*):(\d+):(\d+): (error|warning|note): (.*)$)");
  static const std::regex plain(R"(^[\w-]+: (error|warning): (.*)$)");
  static const std::regex place(R"((?:^| )([^\s:()]+\.mlir):(\d+):(\d+))");
  constexpr size_t kMostOfLine = 4000; // std::regex recurses
  std::vector<Problem> problems;
  for (const std::string &whole : splitText(printed, '\n')) {
    const std::string line = whole.substr(0, kMostOfLine);
    std::smatch found, at;
    if (std::regex_match(line, found, placed)) {
      if (found[4] != "note")
        problems.push_back({found[1], numberOf(found[2]), numberOf(found[3]), found[4] == "warning", found[5]});
      else if (!problems.empty())
        problems.back().message += "\n" + found[5].str();
    } else if (std::regex_match(line, found, plain)) {
      Problem problem{"", 1, 1, found[1] == "warning", found[2]};
      if (std::regex_search(problem.message, at, place)) {
        problem.file = at[1];
        problem.line = numberOf(at[2]);
        problem.column = numberOf(at[3]);
      }
      problems.push_back(std::move(problem));
    } else if (const size_t hint = line.find("hint: ");
               hint != std::string::npos && !problems.empty() && line.find_first_not_of(' ') == hint) {
      problems.back().message += "\n" + line.substr(hint);
    }
  }
  return problems;
}

Result<RunOutcome> runProgram(const fs::path &file, const std::vector<std::string> &flags) {
  MICA_ASSIGN_OR_RETURN(const fs::path runner, findRunner(reinterpret_cast<const void *>(&problemsOf)));
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-lsp"));
  std::vector<std::string> command{runner.string(), file.string()};
  command.insert(command.end(), flags.begin(), flags.end());
  ProcessOptions options;
  options.standardInput = "/dev/null";
  options.standardOutput = scratch.path() / "out";
  options.standardError = scratch.path() / "err";
  RunOutcome outcome;
  MICA_ASSIGN_OR_RETURN(outcome.exitCode, runProcess(command, options));
  MICA_ASSIGN_OR_RETURN(const std::string printed, readFile(options.standardError));
  outcome.problems = problemsOf(printed);
  if (outcome.exitCode == 0 || !outcome.problems.empty())
    return outcome;
  MICA_ASSIGN_OR_RETURN(const std::string results, readFile(options.standardOutput));
  outcome.problems.push_back(
      {"", 1, 1, false,
       "mica-run ended with exit code " + std::to_string(outcome.exitCode) + "\n" + results.substr(0, 2000)});
  return outcome;
}

} // namespace mica::languageserver
