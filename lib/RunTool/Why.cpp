//===- Why.cpp - why an element is what it is ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Why.h"

#include "lib/RunTool/Outputs.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <cstdio>

namespace mica::runtool {

/// In the folder of the run; mica-report shows it.
static constexpr const char *kWhyFile = "why.json";

Result<std::string> elementName(const std::string &text, bool isArgument, const artifact::Manifest &manifest,
                                const artifact::EntryRecord &entry) {
  if (!isArgument && (text == "nan" || text == "largest"))
    return text;
  const size_t open = std::min(text.find('['), text.size());
  const std::string name = text.substr(0, open), index = text.substr(open);
  // Of a complex value, a part: "result0.im[3]".
  const bool hasPart = name.ends_with(".re") || name.ends_with(".im");
  const std::string whole = hasPart ? name.substr(0, name.size() - 3) : name, part = name.substr(whole.size());
  std::vector<std::string> names;
  const std::vector<artifact::TensorSpec> &specs = isArgument ? entry.args : entry.results;
  for (size_t i = 0; i < specs.size(); ++i) {
    const std::string position = (isArgument ? "arg" : "result") + std::to_string(i);
    const std::string known = isArgument ? (specs[i].name.empty() ? position : specs[i].name) : resultName(entry, i);
    if (name == position || name == known)
      return position + index;
    if (isComplex(specs[i].dtype) && (whole == position || whole == known))
      return position + part + index;
    names.push_back(known);
    // What an argument holds at the end is a result.
    if (const int64_t argument = isArgument ? -1 : specs[i].updates; argument >= 0) {
      const artifact::TensorSpec &stored = entry.args[size_t(argument)];
      const std::string place = "arg" + std::to_string(argument);
      if (name == place || (!stored.name.empty() && name == stored.name))
        return position + index;
      names.push_back(stored.name.empty() ? place : stored.name);
    }
  }
  if (!isArgument)
    for (const artifact::OpRecord &op : manifest.ops) {
      if (name == op.id || (!op.name.empty() && (name == op.name || "%" + name == op.name)))
        return op.id + index;
      if (!op.name.empty())
        names.push_back(op.name);
    }
  return Error{ErrorCode::InvalidInput,
               "'" + name + "' of " + (isArgument ? "--who-uses=" : "--why=") + text + " is no " +
                   (isArgument ? "argument of '" : "result or op of '") + entry.name + "'",
               unknownNameHint(name, names)};
}

Result<CheckOutcome> explainElement(const Options &options, const std::filesystem::path &artifact,
                                    const artifact::Manifest &manifest, const artifact::EntryRecord &entry,
                                    const RunFolder &run) {
  MICA_ASSIGN_OR_RETURN(std::vector<std::string> command,
                        evaluation("explain an element", "--evaluate", artifact, entry, run));
  if (options.whoUses.empty()) {
    MICA_ASSIGN_OR_RETURN(const std::string element, elementName(options.why, false, manifest, entry));
    command.push_back("--why=" + element);
    command.push_back("--why-run=" + run.path().string());
    command.push_back("--why-file=" + (run.path() / kWhyFile).string());
  } else {
    MICA_ASSIGN_OR_RETURN(const std::string element, elementName(options.whoUses, true, manifest, entry));
    command.push_back("--who-uses=" + element);
  }
  if (options.json)
    command.push_back("--why-json");
  std::fflush(stdout);
  CheckOutcome outcome;
  ProcessOptions process;
  // The difference is printed with the answer; what else goes wrong is printed by mica-compile.
  MICA_ASSIGN_OR_RETURN(outcome.childExitCode, runProcess(command, process));
  if (outcome.childExitCode >= 128)
    return Error{ErrorCode::Internal,
                 "the reference evaluator was killed by signal " + std::to_string(outcome.childExitCode - 128), ""};
  return outcome;
}

} // namespace mica::runtool
