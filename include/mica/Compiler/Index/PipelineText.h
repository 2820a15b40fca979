//===- PipelineText.h - the passes of a pipeline, counted ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass manager does not let one look into its nested pass managers, but it prints them all:
//
//     builtin.module(canonicalize{max-iterations=10},builtin.module(cse,func.func(convert-scf-to-cf)))
//
// This is the reader of that text. It gives every pass its position (from 1, in the order of the text) and prints what
// remains of the pipeline after any position.
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
  /// Number of passes in it.
  int countPasses() const;
};

/// Reads one pipeline with its anchor. The first pass gets position `firstPosition`. Nothing where the text is not one.
std::optional<PipelineNode> parsePipelineText(llvm::StringRef text, int firstPosition = 1);

/// The passes of the pipelines `roots` (run one after the other, with equal anchors) at positions in (after, last], as
/// one text: "builtin.module(...)". Nests without any are left out.
std::string pipelineRange(const std::vector<PipelineNode> &roots, int after,
                          int last = std::numeric_limits<int>::max());

} // namespace mica::compiler

#endif // MICA_COMPILER_INDEX_PIPELINETEXT_H
