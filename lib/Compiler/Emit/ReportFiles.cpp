//===- ReportFiles.cpp - the files of report/ ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ReportFiles.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/ReportFiles.h"

#include "lib/Compiler/Program/JsonLine.h"
#include "mica/Artifact/MemoryMap.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Schemas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

using namespace mica;
using namespace mica::compiler;

/// A JSON file: an object with the schema number and the members that `body` adds.
static std::string printFile(Schema schema, llvm::function_ref<void(llvm::json::OStream &)> body) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("schema", schemaNumber(schema));
    body(json);
  });
  os << "\n";
  return text;
}

std::string compiler::printRemarksReport(const PassRecorder &recorder) {
  // One remark per line: a program has thousands.
  std::string text = "{\"schema\": " + std::to_string(schemaNumber(Schema::Remarks)) + ", \"remarks\": [";
  StringSink sink(text);
  const char *separator = "\n";
  for (const PassRecord &record : recorder.records())
    for (const RecordedRemark &remark : record.remarks) {
      sink.append(std::exchange(separator, ",\n"));
      JsonLine json(sink);
      json.add("position", record.position);
      json.add("pass", recorder.passes()[record.position - 1].name);
      json.add("op", record.anchor);
      addRemark(json, remark);
    }
  return text + "]}\n";
}

//===------------------------------------------------------------------------------------------------------------===//
// Fusion
//===------------------------------------------------------------------------------------------------------------===//

static void printIds(llvm::json::OStream &json, llvm::StringRef key, llvm::ArrayRef<std::string> ids) {
  json.attributeArray(key, [&] {
    for (const std::string &id : ids)
      json.value(id);
  });
}

/// "a, b" -> a, b.
static std::vector<std::string> splitIds(llvm::StringRef text) {
  std::vector<std::string> ids;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ", ", -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    ids.push_back(part.str());
  return ids;
}

std::string compiler::printFusionReport(const PassRecorder &recorder, const artifact::Manifest &manifest) {
  llvm::StringMap<const artifact::OpRecord *> ops;
  for (const artifact::OpRecord &op : manifest.ops)
    ops[op.id] = &op;
  llvm::StringMap<int64_t> firstSite; // by id
  for (auto [number, site] : llvm::enumerate(manifest.sites))
    for (const std::string &id : site.opIds)
      firstSite.try_emplace(id, static_cast<int64_t>(number));
  // The first site that computes any of `ids`, -1 if there is none.
  auto siteOf = [&](llvm::ArrayRef<std::string> ids) -> int64_t {
    int64_t first = -1;
    for (const std::string &id : ids)
      if (auto it = firstSite.find(id); it != firstSite.end() && (first < 0 || it->second < first))
        first = it->second;
    return first;
  };
  return printFile(Schema::Fusion, [&](llvm::json::OStream &json) {
    json.attributeArray("groups", [&] {
      for (auto [number, site] : llvm::enumerate(manifest.sites))
        json.object([&, number = number, &site = site] {
          json.attribute("site", static_cast<int64_t>(number));
          json.attribute("kernel", site.kernel);
          json.attributeArray("ops", [&] {
            for (const std::string &id : site.opIds)
              json.object([&] {
                json.attribute("id", id);
                const artifact::OpRecord *op = ops.lookup(id);
                if (!op)
                  return;
                json.attribute("kind", op->kind);
                if (!op->positions.empty()) {
                  const artifact::SourcePosition &at = op->positions.back();
                  json.attribute("source", at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column));
                }
              });
          });
        });
    });
    json.attributeArray("boundaries", [&] {
      for (const PassRecord &record : recorder.records())
        for (const RecordedRemark &remark : record.remarks) {
          if (remark.name != "not-fused")
            continue;
          std::vector<std::string> producer = splitIds(remark.arg("ProducerIds"));
          std::vector<std::string> reader = splitIds(remark.arg("ReaderIds"));
          json.object([&] {
            json.attribute("producer", remark.arg("Producer"));
            printIds(json, "producer_ids", producer);
            json.attribute("producer_site", siteOf(producer));
            json.attribute("reader", remark.arg("Reader"));
            printIds(json, "reader_ids", reader);
            json.attribute("reader_site", siteOf(reader));
            json.attribute("why", remark.arg("Reason"));
          });
        }
    });
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------------------------===//

std::string compiler::printMemoryReport(const artifact::Manifest &manifest,
                                        const std::vector<artifact::TaskList> &lists) {
  return printFile(Schema::Memory, [&](llvm::json::OStream &json) {
    json.attributeArray("lists", [&] {
      for (const artifact::TaskList &list : lists)
        json.object([&] {
          const std::vector<artifact::ArenaTensor> memories = artifact::arenaTensors(list, manifest);
          int64_t sum = 0, dynamic = 0;
          for (const artifact::ArenaTensor &memory : memories)
            sum += memory.bytes;
          for (const artifact::BufferRecord &buffer : list.buffers)
            dynamic += buffer.kind == artifact::BufferKind::Dynamic;
          json.attribute("list", list.name);
          json.attribute("tasks", static_cast<int64_t>(list.tasks.size()));
          json.attribute("arena_bytes", list.arenaBytes);
          json.attribute("bytes_without_sharing", sum);
          json.attribute("dynamic_buffers", dynamic);
          json.attributeArray("arena", [&] {
            for (const artifact::ArenaTensor &memory : memories)
              json.object([&] {
                const artifact::TensorSpec &type = list.buffers[memory.buffers.front()].type;
                json.attribute("offset", memory.offset);
                json.attribute("bytes", memory.bytes);
                json.attribute("type", shapedTypeString(type.shape, type.dtype));
                json.attribute("first_task", memory.first);
                json.attribute("last_task", memory.last);
                json.attribute("written_by", list.tasks[memory.first].kernel);
                json.attributeArray("readers", [&] {
                  for (int64_t reader : memory.readers)
                    json.value(reader);
                });
                json.attributeArray("buffers", [&] {
                  for (int64_t buffer : memory.buffers)
                    json.value(buffer);
                });
              });
          });
        });
    });
  });
}
