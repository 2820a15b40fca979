//===- FailureTexts.cpp - what is said of a pass that went wrong ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See FailureTexts.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/FailureTexts.h"

#include "mica/Trace/JsonScan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::compiler;

/// As a JSON string.
static std::string quoted(llvm::StringRef text) {
  return trace::quoteJson(llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text));
}

std::string compiler::shellWord(llvm::StringRef text) {
  if (llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("/._-:=@+,%").contains(c); }))
    return text.str();
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
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

const CrashTexts::OfPass &CrashTexts::of(const RecorderOptions &options, RecordedPipelines &pipelines, int position) {
  auto [it, isNew] = known.try_emplace(position);
  OfPass &texts = it->second;
  if (!isNew)
    return texts;
  const std::string &directory = options.keptDirectory.empty() ? options.directory : options.keptDirectory;
  const int from = pipelines.wholeState(position - 1, options.mode);
  const std::string arguments = optArguments(options, pipelines.between(from, position));
  texts.state = directory + ":" + std::to_string(from);
  auto command = std::make_shared<CrashRecord::Command>();
  command->command = "mica-opt --resume=" + shellWord(texts.state) + arguments;
  command->json = quoted(command->command);
  // The script finds the record from where it lies itself.
  llvm::StringRef record = llvm::StringRef(options.reproducer).starts_with("../") ? "../passes_dump" : "..";
  command->script =
      "\n# It works on the record beside it. mica-opt --resume=RECORD --reproducer=NEW makes a folder that "
      "needs nothing else;\n"
      "# with --strip also one without the names, positions and weights of the program.\nexec "
      "\"${MICA_OPT:-mica-opt}\" --resume=\"$(dirname \"$0\")/" +
      record.str() + "\":" + std::to_string(from) + arguments + " \"$@\"\n";
  texts.command = std::move(command);
  return texts;
}

CrashRecord::Pass CrashTexts::describe(const RecorderOptions &options, RecordedPipelines &pipelines, int position,
                                       const std::string &path, const std::string &shortPath,
                                       const std::string &input) {
  const OfPass &texts = of(options, pipelines, position);
  const RecordedPass &pass = pipelines.pass(position);
  const std::string title = passTitle(pass, shortPath);
  CrashRecord::Pass result;
  result.command = texts.command;
  result.failure = "{\"position\": " + std::to_string(position) + ", \"pass\": " + quoted(pass.name) +
                   ", \"op\": " + quoted(shortPath) + (path != shortPath ? ", \"path\": " + quoted(path) : "") +
                   ", \"input\": " + quoted(input) + ", \"reproducer\": " + quoted(options.reproducer) +
                   ", \"command\": ";
  const std::string &directory = options.keptDirectory.empty() ? options.directory : options.keptDirectory;
  result.message[0] = options.tool.substr(0, options.tool.find(' ')) + ": error: " + title + " ";
  result.message[1] = "; its input is " +
                      (input.empty() ? "the state --resume=" + texts.state : directory + "/" + input) +
                      "\n  the pass alone: ";
  result.title = options.tool + ": " + title;
  return result;
}
