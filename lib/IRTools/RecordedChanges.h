//===- RecordedChanges.h - what each pass did, kept beside the record -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The comparisons of a record, in a file of its folder, each under a key made of the texts and line maps that were
// compared: a snapshot that was edited or made again has another. docs/Artifact.md describes the file.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_RECORDEDCHANGES_H
#define MICA_LIB_IRTOOLS_RECORDEDCHANGES_H

#include "mica/IRTools/PrintDiff.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm::json {
class Object;
} // namespace llvm::json

namespace mica::irtools {

/// What is kept of comparisons beyond the changes and the number of lines.
enum class KeptTexts { None, Own, All };

/// Drops from `comparison` what `kept` does not ask for.
void dropTexts(Comparison &comparison, KeptTexts kept);

class RecordedChanges {
public:
  /// Those kept in the record `folder`; none where the file is not there, is damaged, or another version wrote it.
  explicit RecordedChanges(std::string folder);

  /// The comparison kept under `key`, without a title; nothing where there is none, or the texts that `kept` asks for
  /// cannot be read.
  std::optional<Comparison> find(const std::string &key, KeptTexts kept);
  /// Notes `comparison`, which has its rows, for write().
  void add(const std::string &key, const Comparison &comparison);
  /// Keeps those that were found and added since, and no others, where anything was added. A folder that cannot be
  /// written to is left as it is.
  void write();

private:
  SharedText readText(const std::string &name);
  /// Null where its text is asked for and cannot be read.
  SharedText readSide(const llvm::json::Object &side, KeptTexts kept, std::optional<OwnText> &own);

  std::string folder;
  std::string contents;                                   ///< of the file, not compressed
  llvm::DenseMap<llvm::StringRef, llvm::StringRef> known; ///< lines of `contents` by key
  std::vector<std::string> current;                       ///< lines of those found and added
  bool hasNews = false;
  /// The text read last: of neighbours one is after what the other is before.
  std::pair<std::string, SharedText> last[2];
};

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_RECORDEDCHANGES_H
