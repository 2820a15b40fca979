//===- RecordedState.cpp - reading snapshots of a record ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordedState.h. The state after a pass is the last snapshot of the whole program, with nested ops replaced by
// their later snapshots.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Record/RecordedState.h"

#include "lib/Compiler/Record/RecordPaths.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Compiler/Index/PipelineText.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

OwningOpRef<ModuleOp> compiler::parseSnapshot(llvm::StringRef directory, llvm::StringRef name, MLIRContext *context,
                                              std::string &error) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, name);
  Result<std::string> text = artifact::readText(path.str().str());
  if (!text) {
    error = text.error().message;
    return nullptr;
  }
  auto sourceManager = std::make_shared<llvm::SourceMgr>();
  sourceManager->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(*text, path), llvm::SMLoc());
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sourceManager, ParserConfig(context, /*verifyAfterParse=*/false));
  if (!module) {
    error = (llvm::Twine("'") + path.str().str() + "' does not parse").str();
    return nullptr;
  }
  if (Result<artifact::StoredLineMap> map = artifact::readLineMap(path.str().str()))
    attachLineMap(*module, *text, map->json, map->original);
  return module;
}

namespace {
/// Restores the names of resources: a context that has a resource of the same name from another snapshot appends a
/// number.
class ResourceNames {
public:
  void unify(ModuleOp snapshot, llvm::StringRef directory, llvm::StringRef name) {
    std::vector<DenseResourceElementsAttr> numbered = collectResources(snapshot);
    if (numbered.empty())
      return;
    // A separate context keeps the names.
    MLIRContext scratch(snapshot.getContext()->getDialectRegistry(), MLIRContext::Threading::DISABLED);
    scratch.allowUnregisteredDialects(snapshot.getContext()->allowsUnregisteredDialects());
    std::string error;
    OwningOpRef<ModuleOp> written = parseSnapshot(directory, name, &scratch, error);
    if (!written)
      return;
    std::vector<DenseResourceElementsAttr> named = collectResources(*written);
    if (named.size() != numbered.size())
      return;
    llvm::DenseMap<Attribute, Attribute> replacements;
    for (auto [here, there] : llvm::zip_equal(numbered, named)) {
      auto [it, isNew] = known.try_emplace(there.getRawHandle().getKey(), here.getRawHandle());
      if (!isNew)
        replacements[here] = DenseResourceElementsAttr::get(here.getType(), it->second);
    }
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](DenseResourceElementsAttr attr) -> std::optional<Attribute> {
      auto it = replacements.find(attr);
      return it == replacements.end() ? std::nullopt : std::optional<Attribute>(it->second);
    });
    replacer.recursivelyReplaceElementsIn(snapshot);
  }

private:
  llvm::StringMap<DenseResourceElementsHandle> known;
};
} // namespace

/// Replaces the op at `path` by the contents of `snapshot`.
static bool substitute(ModuleOp program, llvm::StringRef path, ModuleOp snapshot) {
  Operation *old = opAt(program, path);
  if (!old)
    return false;
  Operation *replacement = snapshot;
  if (!isa<ModuleOp>(old)) {
    // A function's snapshot is parsed into an implicit module.
    if (!llvm::hasSingleElement(snapshot.getBody()->getOperations()))
      return false;
    replacement = &snapshot.getBody()->front();
  }
  Operation *copy = replacement->clone();
  old->getBlock()->getOperations().insert(Block::iterator(old), copy);
  old->erase();
  return true;
}

/// Whether the op at `path` is nested in the one at `other`.
static bool liesIn(llvm::StringRef path, llvm::StringRef other) {
  return path.size() > other.size() && path.starts_with(other) && (other.empty() || path[other.size()] == '.');
}

/// The index of the record in `directory`, with its mandatory members. Nothing, with `error` set, if there is none.
static std::optional<llvm::json::Value> readIndex(llvm::StringRef directory, std::string &error) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, "index.json");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    error = (llvm::Twine("no record in '") + directory.str() + "': index.json cannot be read (" +
             buffer.getError().message() + ")")
                .str();
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse((*buffer)->getBuffer());
  const llvm::json::Object *index = parsed ? parsed->getAsObject() : nullptr;
  if (index && index->getArray("records") && index->getArray("passes"))
    return std::move(*parsed);
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  error = (llvm::Twine("'") + path.str().str() + "' is damaged: not a record's index").str();
  return std::nullopt;
}

std::optional<RecordedFailure> compiler::loadRecordedFailure(llvm::StringRef directory) {
  std::string error;
  std::optional<llvm::json::Value> index = readIndex(directory, error);
  const llvm::json::Object *failure = index ? index->getAsObject()->getObject("failure") : nullptr;
  if (!failure)
    return std::nullopt;
  RecordedFailure result;
  result.position = failure->getInteger("position").value_or(0);
  result.shortPath = failure->getString("op").value_or("").str();
  result.path = failure->getString("path").value_or(result.shortPath).str();
  return result;
}

std::optional<RecordedState> compiler::loadRecordedState(llvm::StringRef directory, int position, MLIRContext *context,
                                                         std::string &error) {
  std::optional<llvm::json::Value> parsed = readIndex(directory, error);
  if (!parsed)
    return std::nullopt;
  const llvm::json::Object *index = parsed->getAsObject();
  const llvm::json::Array *records = index->getArray("records");
  const llvm::json::Array *passes = index->getArray("passes");
  int last = 0;
  for (const llvm::json::Value &value : *records)
    if (const llvm::json::Object *record = value.getAsObject(); record && !record->getBoolean("failed").value_or(false))
      last = std::max<int>(last, record->getInteger("position").value_or(0));
  if (position > static_cast<int>(passes->size())) {
    error = (llvm::Twine("there is no pass ") + llvm::Twine(position) + " in '" + directory + "'; the last is " +
             llvm::Twine(passes->size()))
                .str();
    return std::nullopt;
  }
  RecordedState state;
  for (const llvm::json::Value &value : *passes) {
    const llvm::json::Object *pass = value.getAsObject();
    auto text = [&](llvm::StringRef key) { return pass ? pass->getString(key).value_or("").str() : std::string(); };
    state.passes.push_back(
        {static_cast<int>(state.passes.size()) + 1, text("pass"), text("options"), text("anchor"), text("phase")});
  }
  state.position = position < 0 ? last : std::min(position, last);
  // A record of phases has the whole program only at the end of each.
  if (index->getString("mode") == "phases")
    while (state.position > 0 && state.position < static_cast<int>(state.passes.size()) &&
           state.passes[state.position - 1].phase == state.passes[state.position].phase)
      --state.position;
  struct Entry {
    int position;
    std::string file;
  };
  std::map<std::string, Entry> snapshots{{"", {0, "0000_input.mlir"}}};
  for (const llvm::json::Value &value : *records) {
    const llvm::json::Object *record = value.getAsObject();
    if (!record)
      continue;
    int at = record->getInteger("position").value_or(0);
    std::optional<llvm::StringRef> file = record->getString("file"), op = record->getString("path");
    if (!op)
      op = record->getString("op");
    if (!file || !op || at > state.position)
      continue;
    Entry &entry = snapshots[op->str()];
    if (at >= entry.position)
      entry = {at, file->str()};
  }
  // A later snapshot of an enclosing op also contains the op.
  llvm::SmallVector<std::pair<std::string, Entry>> order;
  for (auto &[path, entry] : snapshots)
    if (llvm::none_of(snapshots, [&path = path, &entry = entry](auto &other) {
          return liesIn(path, other.first) && other.second.position > entry.position;
        }))
      order.push_back({path, entry});
  llvm::stable_sort(order, [](auto &a, auto &b) { return a.second.position < b.second.position; });
  ResourceNames names;
  for (auto &[path, entry] : order) {
    OwningOpRef<ModuleOp> snapshot = parseSnapshot(directory, entry.file, context, error);
    if (!snapshot)
      return std::nullopt;
    names.unify(*snapshot, directory, entry.file);
    if (path.empty()) {
      state.module = std::move(snapshot);
    } else if (!substitute(*state.module, path, *snapshot)) {
      error = "snapshot '" + entry.file + "' has no place: the program has no '" + path + "'";
      return std::nullopt;
    }
  }
  if (failed(verify(*state.module))) {
    error = "the snapshots up to pass " + std::to_string(state.position) + " do not make a valid program";
    return std::nullopt;
  }
  if (!attachConstants(*state.module, directory, error))
    return std::nullopt;
  state.pipeline = index->getString("pipeline").value_or("").str();
  const std::optional<PipelineNode> pipeline = parsePipelineText(state.pipeline, /*firstPosition=*/1);
  if (!pipeline) {
    error = (llvm::Twine("'") + directory + "/index.json' is damaged: its pipeline does not parse").str();
    return std::nullopt;
  }
  state.remaining = pipelineRange({*pipeline}, state.position);
  return state;
}
