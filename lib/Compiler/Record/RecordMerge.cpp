//===- RecordMerge.cpp - merging the record of a rebuild ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordMerge.h. Positions and the numbers in file names are moved by the position of the snapshot.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Record/RecordMerge.h"

#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::compiler;

static Result<llvm::json::Object> parseObject(llvm::StringRef text, const std::string &name) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (parsed && parsed->getAsObject())
    return std::move(*parsed->getAsObject());
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  return Error{ErrorCode::Damaged, name + " is damaged: not a JSON object", "compile the model again"};
}

static std::string print(llvm::json::Object object) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.value(llvm::json::Value(std::move(object)));
  os << "\n";
  return text;
}

/// "0003_cse@k.mlir" moved by 38: "0041_cse@k.mlir".
static std::string movedName(llvm::StringRef name, int by) {
  auto [number, rest] = name.split('_');
  int position = 0;
  if (number.getAsInteger(10, position))
    return name.str();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%04d_", position + by) << rest;
  return text;
}

static bool isOf(llvm::StringRef op, llvm::StringRef kernel) {
  return kernel.empty() || op == kernel || (op.starts_with(kernel) && op.drop_front(kernel.size()).starts_with("."));
}

static bool comesBefore(const llvm::json::Value &a, const llvm::json::Value &b) {
  const llvm::json::Object *x = a.getAsObject(), *y = b.getAsObject();
  const int64_t at = x->getInteger("position").value_or(0), other = y->getInteger("position").value_or(0);
  return at != other ? at < other : x->getString("op").value_or("") < y->getString("op").value_or("");
}

Result<MergedRecord> compiler::mergeRecord(const std::string &homeIndex, const std::string &record, int position,
                                           const std::string &kernel) {
  const std::string addedIndex = record + "/index.json";
  MICA_ASSIGN_OR_RETURN(const std::string homeText, readFile(homeIndex));
  MICA_ASSIGN_OR_RETURN(const std::string addedText, readFile(addedIndex));
  MICA_ASSIGN_OR_RETURN(llvm::json::Object index, parseObject(homeText, homeIndex));
  MICA_ASSIGN_OR_RETURN(llvm::json::Object added, parseObject(addedText, addedIndex));
  llvm::json::Array *old = index.getArray("records"), *made = added.getArray("records");
  if (!old || !made)
    return Error{ErrorCode::Damaged, homeIndex + " is damaged: it has no records", "compile the model again"};

  MergedRecord merged;
  llvm::json::Array records;
  for (llvm::json::Value &value : *old) {
    const llvm::json::Object *each = value.getAsObject();
    if (!each)
      continue;
    const bool follows =
        each->getInteger("position").value_or(0) > position && isOf(each->getString("op").value_or(""), kernel);
    if (!follows)
      records.push_back(std::move(value));
    else if (std::optional<llvm::StringRef> file = each->getString("file"))
      merged.removed.push_back(file->str());
  }
  for (llvm::json::Value &value : *made) {
    llvm::json::Object *each = value.getAsObject();
    if (!each)
      continue;
    (*each)["position"] = each->getInteger("position").value_or(0) + position;
    if (std::optional<llvm::StringRef> file = each->getString("file")) {
      const std::string name = file->str(), moved = movedName(name, position);
      MergedRecord::Snapshot &snapshot = merged.snapshots[moved];
      MICA_ASSIGN_OR_RETURN(snapshot.text, artifact::readText(record + "/" + name));
      MICA_ASSIGN_OR_RETURN(artifact::StoredLineMap map, artifact::readLineMap(record + "/" + name));
      // The name occurs once, in the map's header; the layout is kept.
      snapshot.map = std::move(map.json);
      if (size_t at = snapshot.map.find("\"" + name + "\""); at != std::string::npos)
        snapshot.map.replace(at + 1, name.size(), moved);
      (*each)["file"] = moved;
    }
    records.push_back(std::move(value));
  }
  llvm::stable_sort(records, comesBefore);
  index["records"] = std::move(records);
  llvm::erase_if(merged.removed, [&](const std::string &name) { return merged.snapshots.count(name) > 0; });
  merged.index = print(std::move(index));
  return merged;
}

Result<std::string> compiler::mergeRemarks(const std::string &remarks, const std::string &added, int position) {
  MICA_ASSIGN_OR_RETURN(llvm::json::Object report, parseObject(remarks, "report/remarks.json"));
  MICA_ASSIGN_OR_RETURN(llvm::json::Object more, parseObject(added, "the remarks of the build"));
  llvm::json::Array *old = report.getArray("remarks"), *made = more.getArray("remarks");
  if (!old || !made)
    return Error{ErrorCode::Damaged, "report/remarks.json is damaged: it has no remarks", "compile the model again"};
  llvm::json::Array all;
  for (llvm::json::Value &value : *old)
    if (const llvm::json::Object *each = value.getAsObject();
        each && each->getInteger("position").value_or(0) <= position)
      all.push_back(std::move(value));
  for (llvm::json::Value &value : *made)
    if (llvm::json::Object *each = value.getAsObject()) {
      (*each)["position"] = each->getInteger("position").value_or(0) + position;
      all.push_back(std::move(value));
    }
  report["remarks"] = std::move(all);
  return print(std::move(report));
}

Result<std::vector<std::string>> compiler::recordedPhases(const std::string &file) {
  std::vector<std::string> phases;
  if (!llvm::sys::fs::exists(file))
    return phases;
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  MICA_ASSIGN_OR_RETURN(const llvm::json::Object index, parseObject(text, file));
  if (const llvm::json::Array *passes = index.getArray("passes"))
    for (const llvm::json::Value &value : *passes)
      phases.push_back(value.getAsObject() ? value.getAsObject()->getString("phase").value_or("").str() : "");
  return phases;
}
