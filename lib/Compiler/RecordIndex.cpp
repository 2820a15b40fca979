//===- RecordIndex.cpp - files of a record ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordIndex.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/RecordIndex.h"

#include "mica/Compiler/Constants.h"
#include "mica/Compiler/LayerPrinter.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

static llvm::StringRef modeName(DumpMode mode) {
  return mode == DumpMode::Passes ? "passes" : mode == DumpMode::Phases ? "phases" : "off";
}

static void printPassInfo(llvm::json::OStream &json, const RecordedPass &info, const std::vector<PipelineNode> &roots) {
  json.object([&] {
    json.attribute("position", info.position);
    json.attribute("pass", info.name);
    json.attribute("options", info.options);
    json.attribute("anchor", info.anchor);
    if (!info.phase.empty())
      json.attribute("phase", info.phase);
    json.attribute("remaining", remainingPipeline(roots, info.position));
  });
}

static void printRecord(llvm::json::OStream &json, const PassRecord &record) {
  json.object([&] {
    json.attribute("position", record.position);
    json.attribute("op", record.anchor);
    json.attribute("ms", record.milliseconds);
    if (record.failed)
      json.attribute("failed", true);
    json.attribute("changed", record.changed);
    if (!record.file.empty())
      json.attribute("file", record.file);
    if (record.opsBefore >= 0)
      json.attribute("ops_before", record.opsBefore);
    if (record.opsAfter >= 0)
      json.attribute("ops_after", record.opsAfter);
    if (!record.kinds.empty())
      json.attributeObject("kinds", [&] {
        for (auto &[kind, count] : record.kinds)
          json.attribute(kind, count);
      });
    if (!record.remarks.empty())
      json.attributeArray("remarks", [&] {
        for (const RecordedRemark &remark : record.remarks)
          json.object([&] { printRemark(json, remark); });
      });
  });
}

std::string compiler::printRecordIndex(const PassRecorder &recorder, const RecorderOptions &options,
                                       const std::vector<PipelineNode> &roots, bool hasInput) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("schema", 1);
    json.attribute("tool", options.tool);
    json.attribute("mode", modeName(options.mode));
    if (hasInput)
      json.attribute("input", "0000_input.mlir");
    json.attribute("pipeline", remainingPipeline(roots, 0));
    json.attributeArray("passes", [&] {
      for (const RecordedPass &info : recorder.passes())
        printPassInfo(json, info, roots);
    });
    json.attributeArray("records", [&] {
      for (const PassRecord &record : recorder.records())
        printRecord(json, record);
    });
    if (const std::optional<PassFailure> &failure = recorder.failure())
      json.attributeObject("failure", [&] {
        json.attribute("position", failure->position);
        json.attribute("pass", failure->pass);
        json.attribute("op", failure->anchor);
        json.attribute("state", failure->file);
        json.attribute("reproducer", failure->reproducer);
        json.attribute("command", failure->command);
      });
  });
  os << "\n";
  return text;
}

std::string compiler::writeRecordFile(llvm::StringRef directory, llvm::StringRef name, llvm::StringRef text) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, name);
  if (std::error_code code = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
    return (llvm::Twine("cannot create folder '") + llvm::sys::path::parent_path(path).str() + "': " + code.message())
        .str();
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return (llvm::Twine("cannot write '") + path.str().str() + "': " + code.message()).str();
  os << text;
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return (llvm::Twine("cannot write '") + path.str().str() + "': " + code.message()).str();
  }
  return "";
}

//===------------------------------------------------------------------------------------------------------------===//
// Layers read back
//===------------------------------------------------------------------------------------------------------------===//

/// Parses a layer of the record and gives its ops their ids back. Does not verify: the layer of a function may call what
/// is in other layers. Diagnostics go to the context's handler.
static OwningOpRef<ModuleOp> parseLayer(llvm::StringRef directory, llvm::StringRef name, MLIRContext *context,
                                        std::string &error) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, name);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    error = (llvm::Twine("cannot read '") + path.str().str() + "': " + buffer.getError().message()).str();
    return nullptr;
  }
  auto sourceManager = std::make_shared<llvm::SourceMgr>();
  llvm::StringRef text = (*buffer)->getBuffer();
  sourceManager->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sourceManager, ParserConfig(context, /*verifyAfterParse=*/false));
  if (!module) {
    error = (llvm::Twine("'") + path.str().str() + "' does not parse").str();
    return nullptr;
  }
  path += ".map.json";
  if (auto map = llvm::MemoryBuffer::getFile(path))
    attachLineMap(*module, text, (*map)->getBuffer());
  return module;
}

std::string compiler::writeReproducerFolder(llvm::StringRef directory, llvm::StringRef input, llvm::StringRef pipeline,
                                            MLIRContext *context) {
  std::string error;
  OwningOpRef<ModuleOp> module = parseLayer(directory, input, context, error);
  if (!module)
    return error;
  std::string text;
  {
    llvm::raw_string_ostream os(text);
    module->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo().elideLargeResourceString(0));
    os << "\n";
  }
  if (std::string problem = writeRecordFile(directory, "repro/input.mlir", text); !problem.empty())
    return problem;
  std::string script = "#!/bin/sh\nexec \"${MICA_OPT:-mica-opt}\" \"$(dirname \"$0\")/input.mlir\" --pass-pipeline='" +
                       pipeline.str() + "' \"$@\"\n";
  if (std::string problem = writeRecordFile(directory, "repro/run.sh", script); !problem.empty())
    return problem;
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, "repro", "run.sh");
  llvm::sys::fs::setPermissions(path, llvm::sys::fs::perms(0755));
  return "";
}

/// The op that the symbols `anchor` ("k", "k.f") lead to from `root`; null if there is none.
static Operation *findAnchor(Operation *root, llvm::StringRef anchor) {
  Operation *at = root;
  while (!anchor.empty()) {
    auto [first, rest] = anchor.split('.');
    Operation *next = nullptr;
    if (at->getNumRegions() == 1)
      for (Operation &op : at->getRegion(0).getOps())
        if (auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
            name && name.getValue() == first) {
          next = &op;
          break;
        }
    if (!next)
      return nullptr;
    at = next;
    anchor = rest;
  }
  return at;
}

/// True if the layer in `file` is that of a module, not of a function: a kernel's module and its function have one name.
static bool isModuleLayer(llvm::StringRef directory, llvm::StringRef file) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, file);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return false;
  for (llvm::StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    bool isAlias = line.empty() || line.front() == '#' || line.front() == '!' || line.starts_with("//");
    if (!isAlias)
      return line.starts_with("module");
  }
  return false;
}

/// Puts what `layer` holds in the place of the op at `anchor`.
static bool substitute(ModuleOp program, llvm::StringRef anchor, ModuleOp layer) {
  Operation *old = findAnchor(program, anchor);
  if (!old)
    return false;
  // The layer of a kernel's function: it lies in the module of its name.
  if (auto module = dyn_cast<ModuleOp>(old); module && module.getName() && !layer.getName())
    old = findAnchor(module, *module.getName());
  if (!old)
    return false;
  Operation *replacement = layer;
  if (!isa<ModuleOp>(old)) {
    // A function's layer parses into a module of the parser's making.
    if (!llvm::hasSingleElement(layer.getBody()->getOperations()))
      return false;
    replacement = &layer.getBody()->front();
  }
  Operation *copy = replacement->clone();
  old->getBlock()->getOperations().insert(Block::iterator(old), copy);
  old->erase();
  return true;
}

std::optional<RecordedState> compiler::loadRecordedState(llvm::StringRef directory, int position, MLIRContext *context,
                                                         std::string &error) {
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
  const llvm::json::Array *records = index ? index->getArray("records") : nullptr;
  const llvm::json::Array *passes = index ? index->getArray("passes") : nullptr;
  if (!records || !passes) {
    if (!parsed)
      llvm::consumeError(parsed.takeError());
    error = (llvm::Twine("'") + path.str().str() + "' is damaged: not a record's index").str();
    return std::nullopt;
  }

  // The last layer of the whole program, and the layers of nested ops that came after it.
  int last = 0, wholeAt = 0;
  for (const llvm::json::Value &value : *records)
    if (const llvm::json::Object *record = value.getAsObject(); record && !record->getBoolean("failed").value_or(false))
      last = std::max<int>(last, record->getInteger("position").value_or(0));
  if (position > static_cast<int>(passes->size())) {
    error = (llvm::Twine("there is no pass ") + llvm::Twine(position) + " in '" + path + "'; the last is " +
             llvm::Twine(passes->size()))
                .str();
    return std::nullopt;
  }
  RecordedState state;
  state.position = position < 0 ? last : std::min(position, last);
  std::string whole = "0000_input.mlir";
  std::map<std::string, std::vector<std::pair<int, std::string>>> nested;
  for (const llvm::json::Value &value : *records) {
    const llvm::json::Object *record = value.getAsObject();
    if (!record)
      continue;
    int at = record->getInteger("position").value_or(0);
    std::optional<llvm::StringRef> file = record->getString("file"), anchor = record->getString("op");
    if (!file || !anchor || at > state.position)
      continue;
    if (!anchor->empty()) {
      nested[anchor->str()].push_back({at, file->str()});
    } else if (at >= wholeAt) {
      wholeAt = at;
      whole = file->str();
    }
  }
  state.module = parseLayer(directory, whole, context, error);
  if (!state.module)
    return std::nullopt;
  // Of each op the last layer; of a kernel's function the last one, and before it the last one of the kernel.
  struct Substitution {
    int position;
    std::string anchor, file;
  };
  std::vector<Substitution> order;
  auto lastWhole = [&](const std::string &anchor) {
    for (auto &[at, file] : llvm::reverse(nested[anchor]))
      if (isModuleLayer(directory, file))
        return at;
    return 0;
  };
  for (auto &[anchor, layers] : nested)
    llvm::sort(layers);
  for (auto &[anchor, layers] : nested) {
    // A layer of the kernel around it has the function too.
    size_t dot = anchor.find('.');
    if (dot != std::string::npos && nested.count(anchor.substr(0, dot)) &&
        lastWhole(anchor.substr(0, dot)) >= layers.back().first)
      continue;
    for (size_t i = layers.size(); i-- > 0 && layers[i].first > wholeAt;) {
      bool isWhole = isModuleLayer(directory, layers[i].second);
      if (isWhole || i + 1 == layers.size())
        order.push_back({layers[i].first, anchor, layers[i].second});
      if (isWhole)
        break;
    }
  }
  llvm::sort(order, [](const Substitution &a, const Substitution &b) { return a.position < b.position; });
  for (const Substitution &each : order) {
    OwningOpRef<ModuleOp> layer = parseLayer(directory, each.file, context, error);
    if (!layer)
      return std::nullopt;
    if (!substitute(*state.module, each.anchor, *layer)) {
      error = "layer '" + each.file + "' has no place: the program has no '" + each.anchor + "'";
      return std::nullopt;
    }
  }
  if (failed(verify(*state.module))) {
    error = "the layers up to pass " + std::to_string(state.position) + " do not make a valid program";
    return std::nullopt;
  }
  if (!attachConstants(*state.module, directory, error))
    return std::nullopt;
  state.pipeline = index->getString("pipeline").value_or("").str();
  for (const llvm::json::Value &value : *passes) {
    const llvm::json::Object *pass = value.getAsObject();
    state.phases.push_back(pass ? pass->getString("phase").value_or("").str() : "");
    if (pass && pass->getInteger("position") == state.position)
      state.remaining = pass->getString("remaining").value_or("").str();
  }
  if (state.position == 0)
    state.remaining = state.pipeline;
  return state;
}
