//===- PipelineText.h - positions of passes in a pipeline ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass manager gives no access to its nested pass managers, but prints them all:
//
//     builtin.module(canonicalize{max-iterations=10},builtin.module(cse,func.func(convert-scf-to-cf)))
//
// This parser of that text gives every pass its position (from 1, in the order of the text), and prints the part of the
// pipeline after any position.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_INDEX_PIPELINETEXT_H
#define MICA_COMPILER_INDEX_PIPELINETEXT_H

#include "llvm/ADT/StringRef.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

/// A pass, or a nested pipeline with its anchor.
struct PipelineNode {
  std::string name;    ///< the pass argument, or the anchor op
  std::string options; ///< a pass's options with their braces, "" if none
  bool isNest = false;
  int position = 0; ///< of a pass: from 1
  std::vector<PipelineNode> children;

  /// "cse", "canonicalize{max-iterations=10}", "builtin.module(...)".
  std::string text() const;
  /// The number of passes in it.
  int countPasses() const;
};

/// Parses one pipeline with its anchor. The first pass gets position `firstPosition`. Returns nothing if the text is
/// not a pipeline.
std::optional<PipelineNode> parsePipelineText(llvm::StringRef text, int firstPosition = 1);

/// The passes of the pipelines `roots` (run one after the other, with equal anchors) at positions in (after, last], as
/// one text: "builtin.module(...)". Nested pipelines without any are omitted.
std::string pipelineRange(const std::vector<PipelineNode> &roots, int after,
                          int last = std::numeric_limits<int>::max());

} // namespace mica::compiler

#endif // MICA_COMPILER_INDEX_PIPELINETEXT_H
