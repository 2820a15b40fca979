//===- ErrorHelp.cpp - hints for errors ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ErrorHelp.h; the table of fixes is in Fixes.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Diagnostics/ErrorHelp.h"

#include "dialects/Mica/IR/OpIds.h"
#include "lib/Compiler/Diagnostics/OpGrammar.h"
#include "mica/Artifact/ReadLineMap.h"
#include "mica/Artifact/SnapshotFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <filesystem>
#include <optional>
#include <set>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

//===------------------------------------------------------------------------------------------------------------===//
// Listening
//===------------------------------------------------------------------------------------------------------------===//

/// "'linalg.matmul' op has ..." -> "linalg.matmul".
static std::string opOfMessage(llvm::StringRef message) {
  if (!message.consume_front("'"))
    return "";
  auto [name, rest] = message.split('\'');
  return rest.starts_with(" op ") && name.contains('.') ? name.str() : "";
}

void ErrorListener::listen(MLIRContext &context) {
  context.getDiagEngine().registerHandler([heard = heard](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      RecordedDiagnostic error;
      error.message = diagnostic.str();
      error.op = opOfMessage(error.message);
      for (llvm::StringRef id : getOpIds(diagnostic.getLocation()))
        error.ids.push_back(id.str());
      for (FileLineColLoc place : getSourcePositions(diagnostic.getLocation()))
        error.sources.push_back((llvm::sys::path::filename(place.getFilename().strref()) + ":" +
                                 llvm::Twine(place.getLine()) + ":" + llvm::Twine(place.getColumn()))
                                    .str());
      std::lock_guard lock(heard->mutex);
      heard->errors.push_back(std::move(error));
    }
    return failure(); // so that the next handler prints it
  });
}

std::vector<RecordedDiagnostic> ErrorListener::errors() const {
  std::lock_guard lock(heard->mutex);
  return heard->errors;
}

/// The offset of `place`, "model.mlir:2:19", in `text`; npos if it is outside.
static size_t offsetOf(llvm::StringRef text, llvm::StringRef place) {
  auto [before, columnText] = place.rsplit(':');
  size_t line = 0, column = 0, offset = 0;
  if (before.rsplit(':').second.getAsInteger(10, line) || columnText.getAsInteger(10, column) || line == 0 ||
      column == 0)
    return llvm::StringRef::npos;
  for (; line > 1; --line) {
    offset = text.find('\n', offset);
    if (offset == llvm::StringRef::npos)
      return offset;
    ++offset;
  }
  return std::min(offset + column - 1, text.size());
}

std::string compiler::fixLines(const std::vector<RecordedDiagnostic> &errors, llvm::StringRef text,
                               MLIRContext &context) {
  std::string lines;
  std::set<std::string> seen;
  auto add = [&](std::string line) {
    if (seen.insert(line).second)
      lines += line + "\n";
  };
  for (const RecordedDiagnostic &error : errors) {
    const size_t at = error.sources.empty() ? llvm::StringRef::npos : offsetOf(text, error.sources.front());
    llvm::StringRef before = at == llvm::StringRef::npos ? "" : text.take_front(at);
    llvm::StringRef line = at == llvm::StringRef::npos
                               ? ""
                               : text.drop_front(before.rfind('\n') + 1).take_until([](char c) { return c == '\n'; });
    if (std::string fix = fixFor(error, line, context); !fix.empty())
      add("  hint: " + fix);
    // The parser's message about expected tokens needs the op's grammar to be useful.
    else if (llvm::StringRef op = opBefore(before), message = error.message;
             error.op.empty() && !op.empty() && (message.contains("expected") || message.starts_with("custom op "))) {
      add("note: " + op.str() + " is written: " + grammarOf(op).str());
      if (llvm::StringRef example = exampleOf(op); !example.empty())
        add("note: for example: " + example.str());
    }
  }
  return lines;
}

//===------------------------------------------------------------------------------------------------------------===//
// Who made the op
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `snapshot` of `directory` contains the op: a line with its name whose ids or positions in the line map are
/// those of the op.
static bool showsOp(llvm::StringRef directory, llvm::StringRef snapshot, const RecordedDiagnostic &error) {
  const std::filesystem::path file = std::filesystem::path(directory.str()) / snapshot.str();
  const Result<std::string> text = artifact::readText(file);
  const Result<artifact::StoredLineMap> stored = artifact::readLineMap(file);
  if (!text || !stored)
    return false;
  const std::optional<artifact::LineMapSets> map = artifact::readLineMapSets(stored->json);
  if (!map)
    return false;
  auto isFrom = [&](const artifact::LineMapSets::Set &set) {
    return llvm::any_of(error.ids.empty() ? set.sources : set.ids, [&](llvm::StringRef name) {
      return llvm::any_of(error.ids.empty() ? error.sources : error.ids,
                          [&](const std::string &each) { return name.ends_with(each); });
    });
  };
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*text).split(lines, '\n');
  bool found = false;
  map->forEachLine(static_cast<int64_t>(lines.size()), [&](int64_t line, size_t set) {
    found = found || (lines[line - 1].contains(error.op) && isFrom(map->sets[set]));
  });
  return found;
}

std::string compiler::rejectionLine(const PassRecorder &recorder, const std::vector<RecordedDiagnostic> &errors) {
  const std::optional<PassFailure> &failure = recorder.failure();
  if (!failure)
    return "";
  std::string line = "  pass " + failure->pass + " (" + std::to_string(failure->position) + ")" +
                     (failure->anchor.empty() ? "" : " on " + failure->anchor);
  // The snapshots that contained the failing op, newest first.
  struct Snapshot {
    std::string file, maker;
  };
  std::vector<Snapshot> snapshots;
  auto isPart = [&](const PassRecord &record) {
    return record.path.empty() || record.path == failure->path ||
           llvm::StringRef(failure->path).starts_with(record.path + ".");
  };
  for (const PassRecord &record : recorder.records())
    if (record.position < failure->position && !record.file.empty() && !record.failed && isPart(record))
      snapshots.insert(snapshots.begin(), {record.file, "pass " + recorder.passes()[record.position - 1].name + " (" +
                                                            std::to_string(record.position) + ")"});
  snapshots.push_back({"0000_input.mlir", ""});
  line += " read " + snapshots.front().file;
  auto rejected = llvm::find_if(errors, [](const RecordedDiagnostic &error) { return !error.op.empty(); });
  if (rejected == errors.end())
    return line + "\n";
  std::optional<Snapshot> oldest;
  for (const Snapshot &snapshot : snapshots) {
    if (!showsOp(recorder.directory(), snapshot.file, *rejected))
      break;
    oldest = snapshot;
  }
  if (oldest)
    line += "; '" + rejected->op + "', which it rejects, " +
            (oldest->maker.empty() ? "is in the input" : "was made by " + oldest->maker);
  else
    line += "; '" + rejected->op + "', which it rejects, is in no snapshot before it: the pass made it itself";
  return line + "\n";
}
