//===- Context.h - what the parts of an artifact's report share ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: an artifact is not trusted, so every text of it is made valid UTF-8 or masked (Names), every file is read
// only where it really lies inside the folder, and a part that is damaged is left out with a note.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_ARTIFACT_CONTEXT_H
#define MICA_LIB_REPORT_ARTIFACT_CONTEXT_H

#include "lib/Report/Artifact/Names.h"
#include "lib/Report/Log/TextStore.h"
#include "lib/Support/Json.h"
#include "mica/Artifact/Artifact.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mica::report {

struct ArtifactContext {
  const artifact::Artifact &artifact;
  TextStore &store;
  Names &names;
  bool plain = false;  ///< texts go to files, not into the packs, and passes are not compared
  bool traced = false; ///< files that are not there are where the trace was written
  std::string folder;  ///< of the artifact's own files below the report's, with --plain
  std::map<std::string, int> kernelNumbers;
  std::map<std::string, int> fileNumbers;
  std::vector<std::string> notes; ///< what is left out, and why
  bool tensors = false;           ///< elements of dumps are taken, too
  bool holdsValues = false;       ///< a text has elements of a constant: a small one, or one of the source

  /// A text that pages load on their own; its number.
  Result<int64_t> addText(std::string_view text) { return store.addText(text, trace::md5(text)); }
  Json ids(const std::vector<std::string> &ids) {
    Json list = Json::array();
    for (const std::string &id : ids)
      list.push_back(names.id(id));
    return list;
  }
  int kernelNumber(const std::string &name) const {
    const auto found = kernelNumbers.find(name);
    return found == kernelNumbers.end() ? -1 : found->second;
  }
};

/// A row: always a list, while braces around two lists that begin with texts make an object.
template <typename... Values> Json row(Values &&...values) {
  Json list = Json::array();
  (list.push_back(Json(std::forward<Values>(values))), ...);
  return list;
}

/// Whether `file` is a regular file below `folder`, links followed.
bool liesInside(const std::filesystem::path &folder, const std::filesystem::path &file);

/// Members of foreign JSON: of the wanted type, or a value that stands for none.
std::string textMember(const Json &object, const char *key);
int64_t integerMember(const Json &object, const char *key, int64_t otherwise = 0);
double numberMember(const Json &object, const char *key);
bool booleanMember(const Json &object, const char *key);
std::vector<std::string> textsMember(const Json &object, const char *key);
/// The list under `key`, or an empty one.
const Json &listMember(const Json &object, const char *key);

/// Each part as the pages read it (Page/artifact.js names the columns of rows).
Json programPart(ArtifactContext &context);
Json taskListsPart(ArtifactContext &context);
Result<Json> filesPart(ArtifactContext &context);
/// `diffs`: what mica-diff said of the record (PassDiffs.h), or null.
Result<Json> passesPart(ArtifactContext &context, const Json &diffs);
Result<Json> decisionsPart(ArtifactContext &context);
Result<Json> runsPart(ArtifactContext &context);

} // namespace mica::report

#endif // MICA_LIB_REPORT_ARTIFACT_CONTEXT_H
