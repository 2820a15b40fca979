//===- ErrorHelp.cpp - what to do about an error ------------------------------------------------------------------===//
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

#include "dialects/Mica/IR/LineMapRows.h"
#include "dialects/Mica/IR/OpIds.h"
#include "mica/Artifact/SnapshotFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
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
    return failure(); // the next handler prints it
  });
}

std::vector<RecordedDiagnostic> ErrorListener::errors() const {
  std::lock_guard lock(heard->mutex);
  return heard->errors;
}

/// The line of `text` that "file:line:column" names; "" where it has none.
static llvm::StringRef lineAt(llvm::StringRef text, llvm::StringRef place) {
  unsigned line = 0;
  if (place.rsplit(':').first.rsplit(':').second.getAsInteger(10, line))
    return "";
  for (; line > 1 && !text.empty(); --line)
    text = text.split('\n').second;
  return text.split('\n').first;
}

std::string compiler::fixLines(const std::vector<RecordedDiagnostic> &errors, llvm::StringRef text,
                               MLIRContext &context) {
  std::string lines;
  std::set<std::string> seen;
  for (const RecordedDiagnostic &error : errors) {
    std::string fix = fixFor(error, error.sources.empty() ? "" : lineAt(text, error.sources.front()), context);
    if (!fix.empty() && seen.insert(fix).second)
      lines += "  what to do: " + fix + "\n";
  }
  return lines;
}

//===------------------------------------------------------------------------------------------------------------===//
// Who made the op
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `snapshot` of `directory` shows the op: a line with its name that, by the snapshot's map, comes from where it comes from.
static bool showsOp(llvm::StringRef directory, llvm::StringRef snapshot, const RecordedDiagnostic &error) {
  const std::filesystem::path file = std::filesystem::path(directory.str()) / snapshot.str();
  const Result<std::string> text = artifact::readText(file);
  const Result<artifact::StoredLineMap> stored = artifact::readLineMap(file);
  if (!text || !stored)
    return false;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(stored->json);
  if (!json) {
    llvm::consumeError(json.takeError());
    return false;
  }
  const llvm::json::Object *root = json->getAsObject();
  const llvm::json::Array *sets = root ? root->getArray("sets") : nullptr;
  if (!sets)
    return false;
  auto isFrom = [&](int64_t set) {
    const llvm::json::Object *origin = (*sets)[static_cast<size_t>(set)].getAsObject();
    auto has = [&](llvm::StringRef key, const std::vector<std::string> &wanted) {
      const llvm::json::Array *list = origin ? origin->getArray(key) : nullptr;
      return list && llvm::any_of(*list, [&](const llvm::json::Value &value) {
               llvm::StringRef name = value.getAsString().value_or("");
               return llvm::any_of(wanted, [&](const std::string &each) { return name.ends_with(each); });
             });
    };
    return error.ids.empty() ? has("sources", error.sources) : has("ids", error.ids);
  };
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*text).split(lines, '\n');
  bool found = false;
  forEachMappedLine(*root, static_cast<unsigned>(lines.size()), [&](unsigned line, unsigned set) {
    found = found || (set < sets->size() && lines[line - 1].contains(error.op) && isFrom(set));
  });
  return found;
}

std::string compiler::rejectionLine(const PassRecorder &recorder, const std::vector<RecordedDiagnostic> &errors) {
  const std::optional<PassFailure> &failure = recorder.failure();
  if (!failure)
    return "";
  std::string line = "  pass " + failure->pass + " (" + std::to_string(failure->position) + ")" +
                     (failure->anchor.empty() ? "" : " on " + failure->anchor);
  // The snapshots that the failing op was part of, the newest first.
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
