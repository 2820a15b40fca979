//===- Decisions.cpp - what passes decided: fusion, memory, hints, remarks ----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The files of report/, each left out where it is damaged.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Context.h"

#include "mica/Support/Files.h"
#include "mica/Trace/JsonScan.h"

namespace mica::report {

/// The file as JSON; null where there is none, or where it is damaged, which is noted.
static Json readDecisions(ArtifactContext &context, const char *name) {
  const std::string path = std::string("report/") + name + ".json";
  if (!liesInside(context.artifact.folder(), context.artifact.path(path)))
    return {};
  const Result<std::string> text = readFile(context.artifact.path(path));
  Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (json.is_object())
    return json;
  context.notes.push_back(path + " is damaged, and left out");
  return {};
}

Result<Json> decisionsPart(ArtifactContext &context) {
  Names &names = context.names;
  Json memory = Json::array(), boundaries = Json::array(), hints = Json::array(), remarks = Json::array();
  const Json memoryFile = readDecisions(context, "memory"), fusionFile = readDecisions(context, "fusion"),
             hintsFile = readDecisions(context, "perf_hints"), remarksFile = readDecisions(context, "remarks");
  for (const Json &list : listMember(memoryFile, "lists")) {
    Json pieces = Json::array();
    for (const Json &piece : listMember(list, "arena")) {
      Json readers = Json::array(), buffers = Json::array();
      for (const Json &reader : listMember(piece, "readers"))
        if (reader.is_number_integer())
          readers.push_back(reader);
      for (const Json &buffer : listMember(piece, "buffers"))
        if (buffer.is_number_integer())
          buffers.push_back(buffer);
      pieces.push_back(row(integerMember(piece, "offset"), integerMember(piece, "bytes"),
                           trace::validUtf8(textMember(piece, "type")), integerMember(piece, "first_task"),
                           integerMember(piece, "last_task"), names.kernel(textMember(piece, "written_by")),
                           std::move(readers), std::move(buffers)));
    }
    memory.push_back(row(names.function(textMember(list, "list")), integerMember(list, "arena_bytes"),
                         integerMember(list, "bytes_without_sharing"), integerMember(list, "dynamic_buffers"),
                         std::move(pieces)));
  }
  for (const Json &b : listMember(fusionFile, "boundaries"))
    boundaries.push_back(row(names.text(textMember(b, "producer")), context.ids(textsMember(b, "producer_ids")),
                             integerMember(b, "producer_site", -1), names.text(textMember(b, "reader")),
                             context.ids(textsMember(b, "reader_ids")), integerMember(b, "reader_site", -1),
                             names.text(textMember(b, "why"))));
  for (const Json &hint : listMember(hintsFile, "hints"))
    hints.push_back(row(names.kernel(textMember(hint, "kernel")), integerMember(hint, "bytes"),
                        names.text(textMember(hint, "cause")), names.text(textMember(hint, "change")),
                        names.position(textMember(hint, "source")), context.ids(textsMember(hint, "ids"))));
  for (const Json &remark : listMember(remarksFile, "remarks")) {
    Json arguments = Json::array(), sources = Json::array();
    if (const auto given = remark.find("args"); given != remark.end() && given->is_object())
      for (const auto &[key, value] : given->items())
        arguments.push_back(
            row(names.text(key), names.text(value.is_string() ? value.get<std::string>() : value.dump())));
    for (const std::string &source : textsMember(remark, "sources"))
      sources.push_back(names.position(source));
    const std::string kind = textMember(remark, "kind");
    remarks.push_back(row(integerMember(remark, "position"), trace::validUtf8(textMember(remark, "pass")),
                          names.anchor(textMember(remark, "op")), trace::validUtf8(kind),
                          trace::validUtf8(textMember(remark, "name")), names.text(textMember(remark, "message")),
                          std::move(arguments), context.ids(textsMember(remark, "ids")), std::move(sources)));
  }
  MICA_ASSIGN_OR_RETURN(const int64_t text, context.addText(printJsonLine(remarks)));
  return Json{{"memory", std::move(memory)},
              {"boundaries", std::move(boundaries)},
              {"hints", std::move(hints)},
              {"remarks", text},
              {"remarkCount", remarks.size()}};
}

} // namespace mica::report
