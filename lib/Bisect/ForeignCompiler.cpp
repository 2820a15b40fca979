//===- ForeignCompiler.cpp - runs the commands of anybody's compiler ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ForeignCompiler.h. Commands run in /bin/sh, so that a pipe of several tools is one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/ForeignCompiler.h"

#include "mica/Support/Files.h"
#include "mica/Support/Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <csignal>

using namespace mica;
using namespace mica::bisect;

/// Exit codes of a shell that found no command, or no program.
static constexpr int kNotFound = 127, kNotRunnable = 126;
/// From here on, of a command that a signal ended.
static constexpr int kSignals = 128;

/// What a command says of its failure, in a line: the first that says so, or the first.
static std::string messageOf(llvm::StringRef errors, int code) {
  llvm::StringRef first;
  for (llvm::StringRef line : llvm::split(errors, '\n')) {
    if (line.contains("error"))
      return line.trim().str();
    if (first.empty())
      first = line.trim();
  }
  return first.empty() ? "exit code " + std::to_string(code) : first.str();
}

/// Whether it says itself where its arguments go.
static bool takesArguments(llvm::StringRef command) { return command.contains("$1") || command.contains("$@"); }

static std::string shellWord(llvm::StringRef word) {
  const bool isPlain =
      llvm::all_of(word, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("-_=.,/:+%").contains(c); });
  if (isPlain && !word.empty())
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string bisect::shellText(const std::string &command, const std::vector<std::string> &arguments) {
  std::string text = takesArguments(command) ? "sh -c " + shellWord(command) + " sh" : command;
  for (const std::string &argument : arguments)
    text += " " + shellWord(argument);
  return text;
}

static std::string signalText(int signal) {
  return "ended by signal " + std::to_string(signal) + " (" + ::sigdescr_np(signal) + ")";
}

Result<ForeignCompiler::Ended> ForeignCompiler::shell(const std::string &command, const std::string &flag,
                                                      std::vector<std::string> arguments) {
  ProcessOptions process;
  process.standardInput = "/dev/null";
  process.standardOutput = scratch / "command.out";
  process.standardError = scratch / "command.err";
  process.secondsLimit = limits.seconds;
  process.memoryLimit = limits.memoryBytes;
  process.ownGroup = true;
  std::vector<std::string> words{"/bin/sh", "-c", takesArguments(command) ? command : command + " \"$@\"", "sh"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const auto start = std::chrono::steady_clock::now();
  Ended ended;
  MICA_ASSIGN_OR_RETURN(ended.code, runProcess(words, process));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ended.timedOut = ended.code == kSignals + SIGKILL && took.count() >= limits.seconds;
  MICA_ASSIGN_OR_RETURN(ended.output, readFile(process.standardOutput));
  MICA_ASSIGN_OR_RETURN(ended.errors, readFile(process.standardError));
  // Messages name the files that the command got; the folder has another name in every call.
  for (size_t at = 0; (at = ended.errors.find(scratch.string() + "/", at)) != std::string::npos;)
    ended.errors.erase(at, scratch.string().size() + 1);
  if (ended.code == kNotFound || ended.code == kNotRunnable)
    return Error{ErrorCode::InvalidInput, flag + "=" + command + ": " + messageOf(ended.errors, ended.code),
                 "give a command of /bin/sh; it is run in this folder"};
  return ended;
}

Result<Compiled> ForeignCompiler::compile(const std::string &program, size_t first, size_t last) {
  const std::filesystem::path input = scratch / "input.mlir", output = scratch / "output.mlir";
  std::error_code ignored;
  std::filesystem::remove(output, ignored);
  MICA_RETURN_IF_ERROR(writeFile(input, program));
  std::vector<std::string> arguments{input.string()};
  const std::vector<std::string> passes = pipeline.arguments(first, last);
  arguments.insert(arguments.end(), passes.begin(), passes.end());
  arguments.insert(arguments.end(), {"-o", output.string()});
  MICA_ASSIGN_OR_RETURN(const Ended ended, shell(commands.opt, "--opt", arguments));
  Compiled compiled;
  if (ended.timedOut) {
    compiled.status = Compiled::Status::TimedOut;
    compiled.message = "does not end in " + llvm::utostr(static_cast<uint64_t>(limits.seconds)) + " s";
  } else if (ended.code > kSignals) {
    compiled.status = Compiled::Status::Crashed;
    compiled.signal = ended.code - kSignals;
    compiled.message = signalText(compiled.signal);
  } else if (ended.code != 0) {
    compiled.message = messageOf(ended.errors, ended.code);
  } else {
    Result<std::string> text = readFile(output);
    if (!text)
      return Error{ErrorCode::InvalidInput, "--opt=" + commands.opt + " ends with exit code 0 and writes no file",
                   "it gets FILE, the flags of the passes, and -o OUTPUT"};
    compiled.status = Compiled::Status::Ended;
    compiled.text = std::move(*text);
  }
  return compiled;
}

Result<Outcome> ForeignCompiler::runOnce(const std::string &program) {
  if (auto it = known.find(program); it != known.end())
    return it->second;
  MICA_ASSIGN_OR_RETURN(Outcome outcome, run(program));
  return known.emplace(program, std::move(outcome)).first->second;
}

Result<Outcome> ForeignCompiler::run(const std::string &program) {
  const std::filesystem::path input = scratch / "program.mlir";
  MICA_RETURN_IF_ERROR(writeFile(input, program));
  MICA_ASSIGN_OR_RETURN(Ended ended, shell(commands.run, "--run", {input.string()}));
  Outcome outcome;
  outcome.printed = std::move(ended.output);
  if (ended.timedOut) {
    outcome.status = Outcome::Status::TimedOut;
    outcome.message = "the program does not end in " + llvm::utostr(static_cast<uint64_t>(limits.seconds)) + " s";
  } else if (ended.code > kSignals) {
    outcome.status = Outcome::Status::Crashed;
    outcome.message = "the program was " + signalText(ended.code - kSignals);
  } else if (ended.code != 0) {
    outcome.status = Outcome::Status::Refused;
    outcome.message = messageOf(ended.errors.empty() ? outcome.printed : ended.errors, ended.code);
  } else {
    outcome.status = Outcome::Status::Ran;
  }
  return outcome;
}
