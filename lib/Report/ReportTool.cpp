//===- ReportTool.cpp - mica-report ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Flags and forms of the tool.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Report/ReportTool.h"

#include "mica/Report/Report.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <cstdio>

namespace mica {
namespace {

constexpr std::string_view kTool = "mica-report";

Result<int> run(int argc, char **argv) {
  bool verify = false;
  CommandLine line(kTool, "mica-report DIR | mica-report explain ID DIR",
                   "Shows the artifact in DIR: entries, kernels and the ops fused into them, layers, memory, files.\n"
                   "`explain` shows everything known about one op; ID may be shortened.",
                   {{"Report",
                     {{"--verify", Flag::Value::None, "",
                       "reads every file and names those that are not as the compiler left them; exit code 3 if any",
                       [&](const std::string &) {
                         verify = true;
                         return Status();
                       }}}}});
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> words, line.parse(argc, argv));
  if (line.helpWanted()) {
    std::printf("%s", line.helpText().c_str());
    return 0;
  }
  if (line.versionWanted()) {
    std::printf("mica-report %s\nartifact schema %d.%d, no LLVM inside (mica-compile --version names the compiler's)\n",
                std::string(version()).c_str(), artifact::kSchemaMajor, artifact::kSchemaMinor);
    return 0;
  }
  const bool explain = words.size() == 3 && words[0] == "explain";
  if (words.size() == 3 && !explain)
    return Error{ErrorCode::InvalidInput, "'" + words[0] + "' is nothing this tool does",
                 unknownNameHint(words[0], {"explain"})};
  if (!explain && words.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 words.empty() ? "no artifact given" : "these arguments are not a form of the tool",
                 "usage: mica-report DIR, or mica-report explain ID DIR"};
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(words.back()));
  if (verify) {
    MICA_ASSIGN_OR_RETURN(const std::vector<artifact::FileChange> changes, artifact.changes());
    for (const artifact::FileChange &change : changes)
      std::printf("%s %s\n", change.state == artifact::FileState::Missing ? "missing" : "edited ", change.path.c_str());
    std::printf("%zu of %zu files are as the compiler left them\n", artifact.manifest().files.size() - changes.size(),
                artifact.manifest().files.size());
    return changes.empty() ? 0 : exitCode(ErrorCode::Difference);
  }
  MICA_ASSIGN_OR_RETURN(const std::string text,
                        explain ? report::explainOp(artifact, words[1]) : report::describeArtifact(artifact));
  std::printf("%s", text.c_str());
  return 0;
}

} // namespace

int reportTool(int argc, char **argv) {
  Result<int> code = run(argc, argv);
  if (code && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    code = Error{ErrorCode::Io, "cannot write the standard output", "is the disk full?"};
  if (code)
    return *code;
  printError(kTool, code.error());
  return exitCode(code.error().code);
}

} // namespace mica
