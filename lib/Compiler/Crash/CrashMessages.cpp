//===- CrashMessages.cpp - messages about failed passes -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CrashMessages.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Crash/CrashMessages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::compiler;

std::string compiler::shellWord(llvm::StringRef text) {
  if (llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("/._-:=@+,%").contains(c); }))
    return text.str();
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, '\'');
  return "'" + llvm::join(parts, "'\\''") + "'";
}

/// The flags of the tool, each after a blank.
static std::string flagsText(const RecorderOptions &options) {
  std::string text;
  for (const std::string &flag : options.flags)
    text += " " + shellWord(flag);
  return text;
}

std::string compiler::optArguments(const RecorderOptions &options, llvm::StringRef pipeline) {
  return flagsText(options) + " --pass-pipeline=" + shellWord(pipeline);
}

std::string compiler::pipelineOnOp(const RecordedPass &pass) {
  llvm::StringRef anchor = pass.anchor;
  if (size_t open = anchor.rfind('('); open != llvm::StringRef::npos)
    anchor = anchor.substr(open + 1);
  anchor = anchor.take_until([](char c) { return c == ')'; });
  std::string text = pass.name + pass.options;
  return anchor == "builtin.module" ? "builtin.module(" + text + ")"
                                    : "builtin.module(" + anchor.str() + "(" + text + "))";
}

std::string compiler::passTitle(const RecordedPass &pass, llvm::StringRef shortPath) {
  std::string title = "pass " + pass.name + " (" + std::to_string(pass.position) + ")";
  return shortPath.empty() ? title : title + " on " + shortPath.str();
}

const std::shared_ptr<const CrashRecord::Command> &CrashMessages::of(const RecorderOptions &options,
                                                                     RecordedPipelines &pipelines, int position) {
  std::shared_ptr<const CrashRecord::Command> &texts = known[position];
  if (texts)
    return texts;
  const RecordedPass &pass = pipelines.pass(position);
  const int from = pipelines.wholeState(position - 1, options.mode);
  const std::string arguments = optArguments(options, pipelines.between(from, position));
  auto command = std::make_shared<CrashRecord::Command>();
  command->folder = options.keptDirectory.empty() ? options.directory : options.keptDirectory;
  command->state = command->folder + ":" + std::to_string(from);
  command->command = "mica-opt --resume=" + shellWord(command->state) + arguments;
  command->position = position;
  command->pass = pass.name;
  command->reproducer = options.reproducer;
  command->title = passTitle(pass, "");
  command->longTool = options.tool;
  command->tool = options.tool.substr(0, options.tool.find(' '));
  // The script finds the record relative to its own folder.
  llvm::StringRef record = llvm::StringRef(options.reproducer).starts_with("../") ? "../passes_dump" : "..";
  command->script =
      "\n# It works on the record beside it. mica-opt --resume=RECORD --reproducer=NEW makes a folder that "
      "needs nothing else;\n"
      "# with --strip also one without the names, positions and weights of the program.\nexec "
      "\"${MICA_OPT:-mica-opt}\" --resume=\"$(dirname \"$0\")/" +
      record.str() + "\":" + std::to_string(from) + arguments + " \"$@\"\n";
  return texts = std::move(command);
}
