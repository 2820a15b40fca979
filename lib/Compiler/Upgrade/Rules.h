//===- Rules.h - what is rewritten in older programs -------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// A rule gets the cursor at the name of an operation and returns the replacement text, with the cursor after the
// operation.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_UPGRADE_RULES_H
#define MICA_LIB_COMPILER_UPGRADE_RULES_H

#include "lib/Compiler/Upgrade/OpText.h"

#include "llvm/ADT/StringMap.h"

namespace mica::compiler {

/// Services for rules.
class UpgradeContext {
public:
  virtual ~UpgradeContext() = default;

  /// Inserts "%name = `operation`" before the current operation; returns the name.
  virtual std::string define(const std::string &operation) = 0;
  /// The integers of `value` if it is a constant that is defined above.
  virtual std::optional<llvm::SmallVector<int64_t>> constant(llvm::StringRef value) const = 0;
  /// Records a change, for the user.
  virtual void note(const std::string &message) = 0;
};

using UpgradeRule = std::optional<std::string> (*)(TextCursor &cursor, UpgradeContext &context);

/// Adds the rules by name of operation.
void addTosaRules(llvm::StringMap<UpgradeRule> &rules);
void addTensorRules(llvm::StringMap<UpgradeRule> &rules);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_UPGRADE_RULES_H
