//===- DiffJson.cpp - printing a diff as JSON -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PrintDiff.h; the keys are described in docs/Tools/mica-diff.md.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/PrintDiff.h"

#include "mica/Support/Schemas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mica;
using namespace mica::irtools;

/// Replaces invalid UTF-8, since the compared text is arbitrary.
static std::string clean(llvm::StringRef text) { return llvm::json::fixUTF8(text); }

static void printPlace(llvm::json::OStream &json, llvm::StringRef key, const Place &place) {
  if (!place.exists)
    return;
  json.attributeObject(key, [&] {
    json.attribute("line", place.line);
    json.attribute("in", clean(place.path));
    if (!place.origin)
      return;
    json.attributeArray("ids", [&] {
      for (const std::string &id : place.origin->ids)
        json.value(clean(id));
    });
    json.attributeArray("sources", [&] {
      for (const std::string &source : place.origin->sources)
        json.value(clean(source));
    });
  });
}

static void printChange(llvm::json::OStream &json, const Change &change) {
  json.object([&] {
    json.attribute("kind", changeName(change.kind));
    json.attribute("op", clean(change.op));
    printPlace(json, "before", change.before);
    printPlace(json, "after", change.after);
    json.attributeArray("details", [&] {
      for (const Detail &detail : change.details)
        json.object([&] {
          json.attribute("what", clean(detail.what));
          json.attribute("before", clean(detail.before));
          json.attribute("after", clean(detail.after));
        });
    });
    if (change.nested)
      json.attribute("nested", change.nested);
    if (change.rewired)
      json.attribute("rewired", change.rewired);
    if (!change.note.empty())
      json.attribute("note", clean(change.note));
    if (!change.reasons.empty())
      json.attributeArray("why", [&] {
        for (const std::string &reason : change.reasons)
          json.value(clean(reason));
      });
  });
}

static void printText(llvm::json::OStream &json, const char *side, const std::optional<OwnText> &own) {
  if (!own)
    return;
  json.attributeObject(side, [&] {
    json.attribute("first_line", own->firstLine);
    json.attribute("text", clean(own->text));
  });
}

static void printOne(llvm::json::OStream &json, const Comparison &comparison, int64_t sameAs, bool withTexts) {
  json.object([&] {
    json.attribute("title", clean(comparison.title));
    json.attribute("before", clean(comparison.before->name));
    json.attribute("after", clean(comparison.after->name));
    if (comparison.position >= 0) {
      json.attribute("position", comparison.position);
      json.attribute("on", clean(comparison.on));
    }
    json.attribute("same", comparison.same());
    json.attribute("structural", comparison.diff.has_value());
    if (!comparison.fallback.empty())
      json.attribute("as_text_because", clean(comparison.fallback));
    if (comparison.diff) {
      json.attribute("ops_before", comparison.diff->opsBefore);
      json.attribute("ops_after", comparison.diff->opsAfter);
    }
    if (sameAs >= 0)
      json.attribute("same_changes_as", sameAs);
    if (withTexts) {
      printText(json, "before_text", comparison.lines ? comparison.ownBefore : ownTextOf(*comparison.before));
      printText(json, "after_text", comparison.lines ? comparison.ownAfter : ownTextOf(*comparison.after));
    }
    json.attribute("lines_added", comparison.addedLines());
    json.attribute("lines_removed", comparison.removedLines());
    if (comparison.diff)
      json.attributeArray("changes", [&] {
        for (const Change &change : comparison.diff->changes)
          printChange(json, change);
      });
    if (comparison.diff && comparison.diff->groups.size() < comparison.diff->changes.size())
      json.attributeArray("groups", [&] {
        for (const ChangeGroup &group : comparison.diff->groups)
          if (group.changes.size() > 1)
            json.array([&] {
              for (size_t change : group.changes)
                json.value(static_cast<int64_t>(change));
            });
      });
  });
}

std::string irtools::printDiffJson(const DiffResult &result, bool withTexts) {
  const std::vector<size_t> same = findSameChanges(result);
  std::string text;
  llvm::raw_string_ostream os(text);
  // What programs read, with all texts, is large.
  llvm::json::OStream json(os, /*IndentSize=*/withTexts ? 0 : 1);
  json.object([&] {
    json.attribute("format", schemaFormat(Schema::Diff));
    json.attribute("schema", schemaVersion(Schema::Diff));
    json.attribute("same", result.same());
    json.attributeArray("notes", [&] {
      for (const std::string &line : result.lines)
        json.value(clean(line));
    });
    json.attributeArray("comparisons", [&] {
      for (auto [i, comparison] : llvm::enumerate(result.comparisons))
        printOne(json, comparison, same[i] == i ? -1 : static_cast<int64_t>(same[i]), withTexts);
    });
  });
  os << "\n";
  return text;
}
