//===- HandEdits.cpp - files of an artifact that somebody changed -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See HandEdits.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/HandEdits.h"

#include "mica/Artifact/Edits.h"
#include "mica/Support/Files.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include "llvm/ADT/StringRef.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

std::string HandEdit::text() const {
  if (kernel.empty())
    return file + (file.find(", ") == file.npos ? " was edited by hand" : " were edited by hand");
  return fs::path(file).filename().string() + " of " + kernel + " was edited by hand";
}

/// The kernel that a file of an artifact is of, or "".
static std::string kernelOf(const std::string &file) {
  llvm::StringRef path = file;
  if (path.consume_front("kernels/"))
    return path.split('/').first.str();
  return artifact::parseSnapshotName(file).anchor;
}

/// A copy of the artifact in which `file`, or all that was edited, is as the compiler left it.
static Result<CompiledProgram> takeBack(const CompiledProgram &program, const std::string &file, size_t number,
                                        const Runner &runner) {
  const fs::path copy = runner.folder() / ("unedited" + std::to_string(number));
  std::error_code error;
  MICA_RETURN_IF_ERROR(makeFolder(copy));
  for (const fs::directory_entry &part : fs::directory_iterator(program.folder, error)) {
    const std::string name = part.path().filename().string();
    if (name != "runs" && name != "variants" && !error)
      fs::copy(part.path(), copy / name, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
  }
  if (error)
    return Error{ErrorCode::Io, "cannot copy " + program.folder.string() + ": " + error.message(),
                 "is there space in the folder for temporary files?"};
  std::vector<std::string> command{runner.tool("mica-compile").string(), "--rebuild=" + copy.string(),
                                   file.empty() ? "--reset" : "--reset=" + file, "--no-check-schedule"};
  command.insert(command.end(), program.plugins.begin(), program.plugins.end());
  ProcessOptions process;
  process.standardOutput = runner.folder() / "reset.out";
  process.standardError = runner.folder() / "reset.err";
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  if (code != 0)
    return Error{ErrorCode::InvalidInput, "the edits of " + program.folder.string() + " cannot be taken back",
                 "compile the program again"};
  return CompiledProgram{copy, program.plugins};
}

static Result<Is> judgeProgramIn(const CompiledProgram &program, const std::string &what, const Runner &runner,
                                 const Judge &judge) {
  MICA_ASSIGN_OR_RETURN(const CompiledForms forms, CompiledForms::open(program, runner));
  return judge(forms.compiled(), what).is;
}

Result<EditSearch> bisect::findEdit(const CompiledProgram &program, const Runner &runner, const Judge &judge) {
  EditSearch search;
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact opened, artifact::Artifact::open(program.folder));
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> edited, artifact::editedByHand(opened));
  if (edited.empty())
    return search;
  MICA_ASSIGN_OR_RETURN(CompiledProgram original, takeBack(program, "", 0, runner));
  MICA_ASSIGN_OR_RETURN(const Is is, judgeProgramIn(original, "without edits by hand", runner, judge));
  if (is != Is::Right) {
    search.unedited = std::move(original);
    return search;
  }
  std::string culprit = edited.front();
  for (size_t i = 0; edited.size() > 1 && i < edited.size(); ++i) {
    culprit.clear();
    const Result<CompiledProgram> without = takeBack(program, edited[i], i + 1, runner);
    if (!without)
      continue;
    MICA_ASSIGN_OR_RETURN(const Is one, judgeProgramIn(*without, "without the edit of " + edited[i], runner, judge));
    if (one != Is::Right)
      continue;
    culprit = edited[i];
    break;
  }
  HandEdit edit;
  edit.file = culprit.empty() ? joinNames(edited) : culprit;
  if (!culprit.empty()) {
    edit.kernel = kernelOf(culprit);
    if (Result<std::string> text = readFile(original.folder / culprit))
      edit.before = std::move(*text);
    if (Result<std::string> text = readFile(program.folder / culprit))
      edit.after = std::move(*text);
  }
  search.wrong = std::move(edit);
  return search;
}
