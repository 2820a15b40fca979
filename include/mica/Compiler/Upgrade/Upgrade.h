//===- Upgrade.h - older spellings of a program, as this version reads them -------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// What older versions of MLIR wrote and version 22 does not parse, rewritten in the text: the rest of the file,
// comments and weights included, stays as it is.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_UPGRADE_UPGRADE_H
#define MICA_COMPILER_UPGRADE_UPGRADE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::compiler {

/// What was done to the operations of one kind.
struct UpgradeNote {
  llvm::SMLoc first;   ///< the first of them, in the text as it was
  int64_t count = 0;   ///< how many
  std::string message; ///< "'tosa.const': attribute 'value' is called 'values'"
};

struct UpgradedText {
  std::string text;
  std::vector<UpgradeNote> notes; ///< by position; empty where nothing is old
};

/// Rewrites older spellings in `text`. What it does not understand stays as it is, for the parser to judge.
UpgradedText upgradeText(llvm::StringRef text);

} // namespace mica::compiler

#endif // MICA_COMPILER_UPGRADE_UPGRADE_H
