//===- HandEdits.h - files of an artifact that somebody changed ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: whether a program is wrong because of an edit by hand, and which one.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_HANDEDITS_H
#define MICA_LIB_BISECT_HANDEDITS_H

#include "lib/Bisect/CompiledForms.h"

namespace mica::bisect {

struct HandEdit {
  std::string file;          ///< relative to the artifact; several, joined by commas, where no single one is to blame
  std::string kernel;        ///< that it is of, or ""
  std::string before, after; ///< the texts, where it is one file

  /// "kernel.mlir of softmax was edited by hand".
  std::string text() const;
};

/// What came of taking edits back.
struct EditSearch {
  std::optional<HandEdit> wrong; ///< without it the program is right
  /// The program without its edits, which is wrong too.
  std::optional<CompiledProgram> unedited;
};

/// Takes back the edits of `program`, which is wrong, in copies in the runner's folder. Neither where there are none.
Result<EditSearch> findEdit(const CompiledProgram &program, const Runner &runner, const Judge &judge);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_HANDEDITS_H
