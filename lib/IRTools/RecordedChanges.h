//===- RecordedChanges.h - stored comparisons of a record -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The comparisons of a record, in a file of its folder, each with a key that hashes the compared texts and line maps,
// so that an edited or rebuilt snapshot has a different key. docs/Artifact.md describes the file.
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

/// What a loaded comparison has besides the changes and the number of lines.
enum class KeptTexts { None, Own, All };

/// Drops the texts of `comparison` that `kept` does not include.
void dropTexts(Comparison &comparison, KeptTexts kept);

class RecordedChanges {
public:
  /// Reads those of the record `folder`; none if there is no file, or it is damaged or of another version.
  explicit RecordedChanges(std::string folder);

  /// The comparison for `key`, without a title; nothing if there is none, or if the texts that `kept` includes cannot
  /// be read.
  std::optional<Comparison> find(const std::string &key, KeptTexts kept);
  /// The line for `comparison`, which has its rows; "" if it cannot be stored. Any thread may call this.
  std::string print(const std::string &key, const Comparison &comparison) const;
  /// Adds what print() returned for write().
  void add(std::string line);
  /// Stores the comparisons that were found or added since, and no others, if any was added. Does nothing if the folder
  /// is not writable.
  void write();

private:
  SharedText readText(const std::string &name);
  /// Null if its text is requested and cannot be read.
  SharedText readSide(const llvm::json::Object &side, KeptTexts kept, std::optional<OwnText> &own);

  std::string folder;
  std::string contents;                                   ///< of the file, decompressed
  llvm::DenseMap<llvm::StringRef, llvm::StringRef> known; ///< lines of `contents` by key
  std::vector<std::string> current;                       ///< lines of the found and added comparisons
  bool hasNews = false;
  /// A cache of the last texts: adjacent comparisons share one.
  std::pair<std::string, SharedText> last[2];
};

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_RECORDEDCHANGES_H
