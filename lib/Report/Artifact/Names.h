//===- Names.h - what a report calls things -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: names of an artifact as its report has them: as they are, or numbered and masked where the report is
// redacted. The same name gets the same number.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_ARTIFACT_NAMES_H
#define MICA_LIB_REPORT_ARTIFACT_NAMES_H

#include "mica/Artifact/Manifest.h"

#include <map>
#include <string>
#include <string_view>

namespace mica::report {

/// What the source or the model calls the op, with the names around it: "encoder/layer.0/%q"; "" unknown.
std::string fullName(const artifact::OpRecord &op);

class Names {
public:
  /// `constants`: the elements of constants stay in texts.
  Names(bool redact, bool constants) : redact(redact), constants(constants) {}

  bool redacts() const { return redact; }
  std::string kernel(const std::string &name) { return numbered("kernel", name); }
  /// A function, entry or task list.
  std::string function(const std::string &name) { return numbered("function", name); }
  std::string sourceFile(const std::string &name) { return numbered("file", name); }
  /// Ids are hashes of names, which could be guessed.
  std::string id(const std::string &id);
  /// Ops of the dialects that everybody has keep their names.
  std::string opKind(const std::string &kind);
  /// Op that a pass ran on: a kernel, a function, or a path of both.
  std::string anchor(const std::string &op);
  /// A file of the artifact: kernels/<kernel>/x, passes_dump/NNNN_<pass>@<op>.mlir.
  std::string path(const std::string &path);
  /// "FILE:LINE:COLUMN".
  std::string position(const std::string &position);
  /// Any other text: without the elements of constants, unless they are wanted.
  std::string text(std::string_view text) const;
  /// The same; `holdsElements` is set if `text` has elements of constants.
  std::string text(std::string_view text, bool &holdsElements) const;
  /// The same of a text without constants.
  std::string textWithoutElements(std::string_view text) const;
  /// A hash, which would let a guess be checked.
  std::string hash(const std::string &hash) const { return redact ? "" : hash; }
  void addKernel(const std::string &name) { kernel(name); }

private:
  std::string numbered(const std::string &prefix, const std::string &name);

  bool redact, constants;
  std::map<std::string, int> numbers; ///< by prefix and name
  std::map<std::string, int> counts;  ///< by prefix
};

} // namespace mica::report

#endif // MICA_LIB_REPORT_ARTIFACT_NAMES_H
