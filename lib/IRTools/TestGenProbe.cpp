//===- TestGenProbe.cpp - classifying the effect of a pipeline ---------------------------------------------------===//
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

#include <cstring>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

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

static LogicalResult runPasses(ModuleOp module, const std::string &pipeline, bool verifies) {
  PassManager pm(module.getContext(), "builtin.module");
  pm.enableVerifier(verifies);
  llvm::StringRef inner = pipeline;
  inner.consume_front("builtin.module(");
  inner.consume_back(")");
  std::string said;
  llvm::raw_string_ostream os(said);
  if (failed(parsePassPipeline(inner, pm, os)))
    return failure();
  return pm.run(module);
}

LogicalResult irtools::runPipeline(ModuleOp module, const std::string &pipeline) {
  return runPasses(module, pipeline, /*verifies=*/true);
}

std::string irtools::invalidAfter(ModuleOp module, const std::string &pipeline, double seconds) {
  const Forked forked = runForked(
      [&]() -> std::string {
        OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
        std::string error;
        ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
          if (error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
            error = diagnostic.str();
          return success();
        });
        if (failed(runPasses(*copy, pipeline, /*verifies=*/false)))
          return "";
        error.clear();
        return failed(verify(*copy)) ? error : "";
      },
      seconds);
  return forked.ended && !forked.signal ? forked.text : "";
}

/// A message without the parts that differ between ops: numbers, and quoted text.
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

/// A line that classifies a change: without places, values and counts. Changes of operands and types are consequences
/// of other changes, so only attributes and replaced ops are included.
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

ForkedRun irtools::startProbe(ModuleOp module, const std::string &pipeline, double seconds) {
  return ForkedRun(
      [&] {
        OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
        Probe found = runHere(*copy, pipeline);
        std::string text(1, static_cast<char>('0' + static_cast<int>(found.kind)));
        for (const std::string &line : found.signature)
          text += line + '\0';
        return text;
      },
      seconds);
}

Probe irtools::probePipeline(ModuleOp module, const std::string &pipeline, double seconds) {
  return readProbe(startProbe(module, pipeline, seconds).wait());
}

Probe irtools::readProbe(const Forked &forked) {
  Probe probe;
  if (!forked.started)
    return probe;
  if (!forked.ended) {
    probe.kind = Probe::Kind::TimedOut;
  } else if (forked.signal || forked.text.empty()) {
    probe.kind = Probe::Kind::Crashed;
    probe.signature.push_back(forked.signal ? std::string("crash: ") + strsignal(forked.signal) : "the process ended");
  } else {
    probe.kind = static_cast<Probe::Kind>(forked.text[0] - '0');
    llvm::StringRef rest = llvm::StringRef(forked.text).drop_front();
    while (!rest.empty()) {
      auto [line, after] = rest.split('\0');
      probe.signature.push_back(line.str());
      rest = after;
    }
  }
  return probe;
}
