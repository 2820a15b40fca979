//===- CompiledForms.cpp - forms of a compiled program and what they compute --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CompiledForms.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/CompiledForms.h"

#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/BuildRecord.h"
#include "mica/Artifact/Edits.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Process.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

bool bisect::isArtifact(const fs::path &folder) { return artifact::isArtifact(folder); }

std::vector<std::string> bisect::pluginsOf(const fs::path &folder) {
  const artifact::BuildRecord build = artifact::readBuildRecord(folder);
  std::vector<std::string> flags;
  for (const std::string &word : build.commandLine)
    for (const std::string prefix : {"--load-pass-plugin=", "--load-llvm-pass-plugin="}) {
      if (!llvm::StringRef(word).starts_with(prefix))
        continue;
      const fs::path file = fs::path(build.workingFolder) / word.substr(prefix.size());
      std::error_code ignored;
      if (fs::exists(file, ignored))
        flags.push_back(prefix + file.string());
    }
  return flags;
}

/// Builds what was edited since the last build.
static Status buildEdits(const CompiledProgram &program, const Runner &runner) {
  MICA_RETURN_IF_ERROR(artifact::placeBuiltFiles(program.folder));
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact opened, artifact::Artifact::open(program.folder));
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> changed, artifact::changedSinceBuild(opened));
  if (changed.empty())
    return Status::ok();
  std::vector<std::string> command{runner.tool("mica-compile").string(), "--rebuild=" + program.folder.string(),
                                   "--no-check-schedule"};
  command.insert(command.end(), program.plugins.begin(), program.plugins.end());
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, {}));
  if (code != 0)
    return Error{ErrorCode::InvalidInput, program.folder.string() + " was edited and cannot be rebuilt: see above",
                 "correct the edit, or take it back: mica-compile --rebuild=" + program.folder.string() + " --reset"};
  return Status::ok();
}

Result<CompiledForms> CompiledForms::open(const CompiledProgram &program, const Runner &runner) {
  MICA_RETURN_IF_ERROR(buildEdits(program, runner));
  CompiledForms forms;
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact opened, artifact::Artifact::open(program.folder));
  forms.described = opened.manifest();
  forms.base.artifact = program.folder;
  forms.base.plugins = program.plugins;
  Hasher hasher;
  for (const char *name : {"manifest.json", "passes_dump/index.json"})
    if (const Result<std::string> text = readFile(program.folder / name))
      hasher.update(*text);
  forms.base.identity = hasher.hex();
  Result<irtools::Record> record = irtools::Record::open(program.folder.string());
  if (!record)
    return forms;
  int64_t inputEnd = 0;
  for (const irtools::RecordedPassInfo &pass : record->passes()) {
    if (pass.phase == "input")
      inputEnd = pass.position;
    if (pass.phase == "schedule")
      forms.beforeKernel = pass.position;
  }
  std::set<int64_t> positions{inputEnd};
  for (const irtools::RecordedRun &run : record->runs())
    if (!run.file.empty() && run.position > inputEnd)
      positions.insert(run.position);
  forms.distinct.assign(positions.begin(), positions.end());
  forms.recorded = std::move(*record);
  return forms;
}

std::vector<std::string> CompiledForms::kernels() const {
  std::vector<std::string> names;
  for (const artifact::KernelRecord &kernel : described.kernels)
    names.push_back(kernel.name);
  return names;
}

Candidate CompiledForms::snapshot(int64_t position, const std::vector<std::string> &earlier) const {
  Candidate candidate = base;
  candidate.position = position;
  candidate.compile = {"--plain", "-O0", "--dump-passes=off"};
  // Task lists of phase lowered run as they are: in an order, and kernels on one thread, as those of other phases do.
  candidate.run = {"--threads=1"};
  // LLVM's passes are no part of the state.
  std::erase_if(candidate.plugins, [](llvm::StringRef flag) { return flag.starts_with("--load-llvm-pass-plugin="); });
  if (!earlier.empty())
    candidate.compile.push_back("--kernels-at=" + std::to_string(position - 1) + ":" + llvm::join(earlier, ","));
  return candidate;
}

Candidate CompiledForms::withPlain(const std::vector<std::string> &kernels) const {
  Candidate candidate = base;
  candidate.position = beforeKernel;
  candidate.compile = {"--dump-passes=off"};
  if (!kernels.empty())
    candidate.compile.push_back("--plain-kernels=" + llvm::join(kernels, ","));
  return candidate;
}

Candidate CompiledForms::limited(const std::string &kernel, int64_t passes) const {
  Candidate candidate = withPlain({});
  candidate.compile.push_back("--llvm-bisect-limit=" + kernel + ":" + std::to_string(passes));
  return candidate;
}

Judgement Judge::operator()(const Candidate &candidate, const std::string &what, uint8_t fill) const {
  Judgement judgement = judgeOutcome(runner.run(candidate, entry, fill), baseline);
  settings.progress(what + ": " +
                    (judgement.is == Is::Right ? std::string("as the program")
                     : judgement.is == Is::Wrong
                         ? "wrong: " + llvm::StringRef(judgement.why).take_until([](char c) { return c == '\n'; }).str()
                         : "cannot be run: " + judgement.why));
  return judgement;
}
