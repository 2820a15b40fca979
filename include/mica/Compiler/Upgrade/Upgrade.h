//===- Upgrade.h - older spellings of a program, as this version reads them -------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Rewrites text that older versions of MLIR printed and version 22 does not parse. The rest of the file, comments and
// weights included, is unchanged.
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

/// The changes to the operations of one kind.
struct UpgradeNote {
  llvm::SMLoc first;   ///< the first occurrence, in the original text
  int64_t count = 0;   ///< how many
  std::string message; ///< "'tosa.const': attribute 'value' is called 'values'"
};

struct UpgradedText {
  std::string text;
  std::vector<UpgradeNote> notes; ///< by position; empty if nothing was changed
};

/// Rewrites older spellings in `text`. Unknown constructs are left for the parser to diagnose.
UpgradedText upgradeText(llvm::StringRef text);

} // namespace mica::compiler

#endif // MICA_COMPILER_UPGRADE_UPGRADE_H
