//===- Rules.h - what is rewritten in older programs -------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// A rule gets the cursor at the name of an operation and gives the text that takes its place, with the cursor behind
// it.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_UPGRADE_RULES_H
#define MICA_LIB_COMPILER_UPGRADE_RULES_H

#include "lib/Compiler/Upgrade/OpText.h"

#include "llvm/ADT/StringMap.h"

namespace mica::compiler {

/// What rules may ask and say.
class UpgradeContext {
public:
  virtual ~UpgradeContext() = default;

  /// Puts "%name = `operation`" before the operation at hand; gives the name.
  virtual std::string define(const std::string &operation) = 0;
  /// The integers of the constant that `value` is, if the text above says so.
  virtual std::optional<llvm::SmallVector<int64_t>> constant(llvm::StringRef value) const = 0;
  /// Says what was done.
  virtual void note(const std::string &message) = 0;
};

using UpgradeRule = std::optional<std::string> (*)(TextCursor &cursor, UpgradeContext &context);

/// By the name of the operation.
void addTosaRules(llvm::StringMap<UpgradeRule> &rules);
void addTensorRules(llvm::StringMap<UpgradeRule> &rules);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_UPGRADE_RULES_H
