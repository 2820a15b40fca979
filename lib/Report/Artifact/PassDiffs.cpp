//===- PassDiffs.cpp - what each pass did, by structure -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/PassDiffs.h"

#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"

#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::report {

PassDiffs runMicaDiff(const std::vector<std::string> &arguments, const fs::path &scratch, const std::string &stem,
                      double secondsLimit) {
  // It is beside mica-compile, wherever that is, or beside this tool.
  const Result<fs::path> compiler = findCompiler();
  fs::path tool = (compiler ? compiler->parent_path() : executablePath().parent_path()) / "mica-diff";
  if (::access(tool.c_str(), X_OK) != 0)
    tool = executablePath().parent_path() / "mica-diff";
  if (::access(tool.c_str(), X_OK) != 0)
    return {{}, "mica-diff is not beside mica-compile or this tool"};
  const fs::path json = scratch / (stem + ".json"), said = scratch / (stem + ".txt");
  ProcessOptions options;
  options.standardOutput = options.standardError = said;
  options.secondsLimit = secondsLimit;
  std::vector<std::string> command = {tool.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--json=" + json.string(), "--quiet"});
  const Result<int> code = runProcess(command, options);
  PassDiffs diffs;
  if (!code || (*code != 0 && *code != 3)) {
    diffs.why =
        "mica-diff could not compare (" + (code ? "exit code " + std::to_string(*code) : code.error().message) + ")";
  } else if (Result<std::string> text = readFile(json)) {
    diffs.found = Json::parse(*text, nullptr, false);
    if (!diffs.found.is_object())
      diffs = {{}, "what mica-diff wrote is no JSON"};
  } else {
    diffs.why = "mica-diff wrote nothing";
  }
  std::error_code ignored;
  fs::remove(json, ignored);
  fs::remove(said, ignored);
  return diffs;
}

PassDiffs comparePasses(const fs::path &artifact, const fs::path &scratch) {
  PassDiffs diffs = runMicaDiff({artifact.string(), "--texts"}, scratch, "diffs");
  if (!diffs.why.empty())
    diffs.why += ": passes are compared as text";
  return diffs;
}

} // namespace mica::report
