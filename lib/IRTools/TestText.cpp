//===- TestText.cpp - the text of a lit test ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TestText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/TestText.h"

#include "lib/IRTools/TestGenProbe.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Columns of a line in this project's tests.
static constexpr size_t kColumns = 120;

//===------------------------------------------------------------------------------------------------------------===//
// Lines
//===------------------------------------------------------------------------------------------------------------===//

std::string irtools::passFlags(llvm::StringRef pipeline) {
  llvm::StringRef inner = pipeline;
  inner.consume_front("builtin.module(");
  inner.consume_back(")");
  auto isPlain = [](llvm::StringRef name) {
    return !name.empty() && llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
  };
  auto [name, options] = inner.split('{');
  if (isPlain(name) && !inner.contains('{'))
    return "--" + name.str();
  if (isPlain(name) && options.consume_back("}") && options.find_first_of("{}\"'") == llvm::StringRef::npos)
    return "--" + name.str() + "=\"" + options.trim().str() + "\"";
  return "--pass-pipeline='" + pipeline.str() + "'";
}

std::string irtools::runLine(const std::string &command) {
  std::string text = "// RUN: ", line = text;
  size_t last = 0;
  std::string out;
  // Lit joins the lines including blanks, so they are split after blanks.
  for (llvm::StringRef rest = command; !rest.empty();) {
    llvm::StringRef word = rest.take_until([](char c) { return c == ' '; });
    rest = rest.drop_front(word.size());
    llvm::StringRef blanks = rest.take_while([](char c) { return c == ' '; });
    rest = rest.drop_front(blanks.size());
    if (line.size() + word.size() + 2 > kColumns && last++ != 0) {
      out += line + "\\\n";
      line = "// RUN:   ";
    }
    line += word.str() + blanks.str();
    ++last;
  }
  return out + llvm::StringRef(line).rtrim().str() + "\n";
}

std::string irtools::printInput(ModuleOp module, bool withLocations) {
  std::string text = printParseable(module, withLocations);
  if (module.getSymName() || !module->getDiscardableAttrDictionary().empty() || withLocations)
    return text;
  std::string out;
  bool isInside = false;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).rtrim().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!isInside && line == "module {") {
      isInside = true;
      continue;
    }
    if (isInside && line == "}") {
      isInside = false;
      continue;
    }
    if (isInside)
      line.consume_front("  ");
    out += line.str() + "\n";
  }
  return out;
}

/// The first line of each function of `input`: symbol -> line from 0.
static std::map<std::string, size_t> functionLines(const std::string &input, MLIRContext &context) {
  Document document = parseDocument("test", input, "", context);
  std::map<std::string, size_t> lines;
  for (auto [op, line] : document.lines)
    if (isFunctionLike(op))
      lines.emplace(SymbolTable::getSymbolName(op).str(), static_cast<size_t>(line - 1));
  return lines;
}

std::string irtools::placeChecks(const std::string &input, const std::vector<CheckBlock> &blocks, bool atTop,
                                 MLIRContext &context) {
  std::map<std::string, size_t> places;
  if (!atTop)
    places = functionLines(input, context);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(input).rtrim().split(lines, '\n');
  // Blocks must be in the order of the output, so no block may precede an earlier one.
  std::vector<std::vector<const CheckBlock *>> before(lines.size() + 1);
  size_t at = 0;
  for (const CheckBlock &block : blocks) {
    if (auto place = places.find(block.symbol); place != places.end() && place->second >= at)
      at = place->second;
    else if (!atTop && !block.symbol.empty() && place == places.end() && at != 0)
      at = lines.size();
    before[at].push_back(&block);
  }
  std::string out;
  for (size_t i = 0; i <= lines.size(); ++i) {
    std::string indent = i < lines.size() ? std::string(lines[i].size() - lines[i].ltrim().size(), ' ') : "";
    if (!before[i].empty() && !out.empty() && !llvm::StringRef(out).ends_with("\n\n"))
      out += "\n";
    for (size_t k = 0; k < before[i].size(); ++k) {
      for (const std::string &line : before[i][k]->lines)
        out += indent + line + "\n";
      bool isAboutNext = i < lines.size() && places.count(before[i][k]->symbol);
      if (k + 1 < before[i].size() || (!isAboutNext && i < lines.size()))
        out += "\n";
    }
    if (i < lines.size())
      out += lines[i].str() + "\n";
  }
  return out;
}

//===------------------------------------------------------------------------------------------------------------===//
// Diagnostics
//===------------------------------------------------------------------------------------------------------------===//

static llvm::StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  return "error";
}

OwningOpRef<ModuleOp> irtools::parseQuietly(llvm::StringRef text, MLIRContext &context) {
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &) { return success(); });
  return parseSourceString<ModuleOp>(text, &context, "test.mlir");
}

std::string irtools::placeDiagnostics(const std::string &input, const std::string &pipeline, MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseQuietly(input, context);
  if (!module)
    return "";
  std::map<int64_t, std::vector<std::string>> said; // by line from 1; 0: without one
  auto add = [&](Diagnostic &diagnostic) {
    auto position = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
    std::string text = diagnostic.str();
    // Of a multi-line message only the first line is compared.
    text = llvm::StringRef(text).split('\n').first.str();
    said[position ? position.getLine() : 0].push_back(
        ("{{" + llvm::StringRef(text).trim() + "}}")
            .str()
            .insert(0, severityName(diagnostic.getSeverity()).str() + "|"));
  };
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      add(diagnostic);
      for (Diagnostic &note : diagnostic.getNotes())
        add(note);
      return success();
    });
    (void)runPipeline(*module, pipeline);
  }
  if (said.empty())
    return "";
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(input).rtrim().split(lines, '\n');
  std::string out;
  auto put = [&](const std::vector<std::string> &messages, const std::string &indent, bool hasPlace) {
    for (size_t i = 0; i < messages.size(); ++i) {
      auto [severity, text] = llvm::StringRef(messages[i]).split('|');
      std::string place = hasPlace ? " @+" + std::to_string(messages.size() - i) : " @unknown";
      out += indent + "// expected-" + severity.str() + place + " " + text.str() + "\n";
    }
  };
  if (auto nowhere = said.find(0); nowhere != said.end())
    put(nowhere->second, "", false);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (auto here = said.find(static_cast<int64_t>(i) + 1); here != said.end())
      put(here->second, std::string(lines[i].size() - lines[i].ltrim().size(), ' '), true);
    out += lines[i].str() + "\n";
  }
  return out;
}

bool irtools::diagnosticsAgree(const std::string &test, const std::string &pipeline, MLIRContext &context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(test, "test.mlir"), llvm::SMLoc());
  std::string said;
  llvm::raw_string_ostream os(said);
  SourceMgrDiagnosticVerifierHandler handler(sources, &context, os);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (module && !pipeline.empty())
    (void)runPipeline(*module, pipeline);
  return succeeded(handler.verify());
}

//===------------------------------------------------------------------------------------------------------------===//
// FileCheck
//===------------------------------------------------------------------------------------------------------------===//

Result<bool> irtools::fileCheckAgrees(const std::string &fileCheck, const std::string &test,
                                      const std::string &output) {
  llvm::SmallString<128> paths[2];
  const std::string *texts[2] = {&test, &output};
  std::vector<std::unique_ptr<llvm::FileRemover>> removers;
  for (int i = 0; i < 2; ++i) {
    int descriptor = -1;
    if (std::error_code problem = llvm::sys::fs::createTemporaryFile("mica-test-gen", "mlir", descriptor, paths[i]))
      return Error{ErrorCode::Io, "cannot write a temporary file: " + problem.message(), "check TMPDIR"};
    removers.push_back(std::make_unique<llvm::FileRemover>(paths[i]));
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << *texts[i];
  }
  llvm::StringRef arguments[] = {fileCheck, paths[0]};
  std::optional<llvm::StringRef> streams[] = {llvm::StringRef(paths[1]), llvm::StringRef(), llvm::StringRef()};
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(fileCheck, arguments, std::nullopt, streams, 0, 0, &problem);
  if (code < 0)
    return Error{ErrorCode::NotFound, "cannot run '" + fileCheck + "': " + problem, "check FILECHECK"};
  return code == 0;
}
