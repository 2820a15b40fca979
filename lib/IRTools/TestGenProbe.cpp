//===- TestGenProbe.cpp - what a pipeline does to IR -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TestGenProbe.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/TestGenProbe.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

std::string irtools::printModule(ModuleOp module, bool withLocations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  if (withLocations)
    flags.enableDebugInfo().useLocalScope();
  module->print(os, flags);
  os << "\n";
  return text;
}

Document irtools::documentOf(OwningOpRef<ModuleOp> module, const OpPrintingFlags &flags) {
  Document document;
  document.root = std::move(module);
  AsmState::LocationMap places;
  AsmState state(*document.root, flags, &places);
  std::string text;
  llvm::raw_string_ostream os(text);
  document.root->print(os, state);
  for (llvm::StringRef line : llvm::split(text, '\n'))
    document.text.push_back(line.str());
  for (auto [op, place] : places)
    if (op != document.root->getOperation())
      document.lines[op] = place.first;
  return document;
}

LogicalResult irtools::runPipeline(ModuleOp module, const std::string &pipeline) {
  PassManager pm(module.getContext(), "builtin.module");
  llvm::StringRef inner = pipeline;
  inner.consume_front("builtin.module(");
  inner.consume_back(")");
  std::string said;
  llvm::raw_string_ostream os(said);
  if (failed(parsePassPipeline(inner, pm, os)))
    return failure();
  return pm.run(module);
}

/// A message without what differs from op to op: numbers, and what stands in quotes.
static std::string generalize(llvm::StringRef message) {
  std::string text;
  char quote = 0;
  for (size_t i = 0; i < message.size(); ++i) {
    char c = message[i];
    if (quote) {
      quote = c == quote ? 0 : quote;
      continue;
    }
    if (c == '"') {
      quote = c;
      text += "<text>";
    } else if (llvm::isDigit(c)) {
      if (text.empty() || text.back() != '#')
        text += '#';
    } else {
      text += c;
    }
  }
  return text;
}

/// One line that says what kind of change it is: without places, values and counts. Operands and types follow from what
/// happens to other ops, so only attributes, and another op in place of this, are said.
static std::string kindOf(const Change &change) {
  std::string text = changeName(change.kind).str() + " " + change.op;
  std::vector<std::string> details;
  for (const Detail &detail : change.details)
    if (llvm::StringRef what = detail.what; what.starts_with("attribute") || what == "operation")
      details.push_back(detail.what);
  llvm::sort(details);
  details.erase(llvm::unique(details), details.end());
  if (!details.empty())
    text += ": " + llvm::join(details, ", ");
  if (change.rewired && change.kind != ChangeKind::Changed)
    text += change.kind == ChangeKind::Removed ? " (its uses go past it)" : " (put into uses)";
  return text;
}

static Probe runHere(ModuleOp module, const std::string &pipeline) {
  Probe probe;
  std::vector<std::string> errors;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors.push_back("error: " + generalize(diagnostic.str()));
    return success();
  });
  if (failed(verify(module)))
    return probe;
  OwningOpRef<ModuleOp> before = cast<ModuleOp>(module->clone());
  if (failed(runPipeline(module, pipeline))) {
    probe.kind = Probe::Kind::Failed;
    probe.signature = std::move(errors);
  } else {
    OwningOpRef<ModuleOp> after = cast<ModuleOp>(module->clone());
    Document a = documentOf(std::move(before), {}), b = documentOf(std::move(after), {});
    ModuleDiff diff = diffDocuments(a, b);
    probe.kind = Probe::Kind::Changed;
    for (const Change &change : diff.changes)
      probe.signature.push_back(kindOf(change));
    if (diff.same() && a.text != b.text)
      probe.signature.push_back("put in another order");
    else if (diff.same())
      probe.kind =
          printModule(*a.root, true) == printModule(*b.root, true) ? Probe::Kind::Same : Probe::Kind::Relocated;
  }
  llvm::sort(probe.signature);
  probe.signature.erase(llvm::unique(probe.signature), probe.signature.end());
  return probe;
}

/// Reads all that `descriptor` gives until `seconds` have passed; whether its end came.
static bool readAll(int descriptor, double seconds, std::string &text) {
  using Clock = std::chrono::steady_clock;
  auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  char bytes[4096];
  while (true) {
    int64_t left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{descriptor, POLLIN, 0};
    int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready == 0)
      return false;
    if (ready < 0 && errno == EINTR)
      continue;
    ssize_t count = read(descriptor, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return true;
    text.append(bytes, static_cast<size_t>(count));
  }
}

Probe irtools::probePipeline(ModuleOp module, const std::string &pipeline, double seconds) {
  Probe probe;
  int ends[2];
  if (pipe(ends) != 0)
    return probe;
  llvm::outs().flush();
  llvm::errs().flush();
  pid_t child = fork();
  if (child == 0) {
    // What passes print, and the stack trace of a crash, are of no use here. A crash is identified by its signal.
    for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
      std::signal(signal, SIG_DFL);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(ends[0]);
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
    Probe found = runHere(*copy, pipeline);
    std::string text(1, static_cast<char>('0' + static_cast<int>(found.kind)));
    for (const std::string &line : found.signature)
      text += line + '\0';
    for (size_t at = 0; at < text.size();) {
      ssize_t count = write(ends[1], text.data() + at, text.size() - at);
      if (count <= 0)
        break;
      at += static_cast<size_t>(count);
    }
    _exit(0);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return probe;
  }
  std::string text;
  bool ended = readAll(ends[0], seconds, text);
  close(ends[0]);
  if (!ended)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended) {
    probe.kind = Probe::Kind::TimedOut;
  } else if (WIFSIGNALED(status) || text.empty()) {
    probe.kind = Probe::Kind::Crashed;
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    probe.signature.push_back(signal ? std::string("crash: ") + strsignal(signal) : "the process ended");
  } else {
    probe.kind = static_cast<Probe::Kind>(text[0] - '0');
    llvm::StringRef rest = llvm::StringRef(text).drop_front();
    while (!rest.empty()) {
      auto [line, after] = rest.split('\0');
      probe.signature.push_back(line.str());
      rest = after;
    }
  }
  return probe;
}
