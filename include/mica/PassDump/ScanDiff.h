//===- ScanDiff.h - what changed between two scanned programs ----------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Compares two programs op by op. Names of values, locations and numbers of aliases are no differences. Close to linear
// in the number of ops.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSDUMP_SCANDIFF_H
#define MICA_PASSDUMP_SCANDIFF_H

#include "mica/PassDump/Scan.h"

#include <array>
#include <string>

namespace mica::passdump {

enum class ChangeKind { Added, Removed, Changed, Moved };

struct ChangeDetail {
  std::string what, before, after; ///< "operand 0"; as printed
};

struct ScanChange {
  ChangeKind kind;
  std::string_view op;           ///< its name
  std::string_view text;         ///< of the op without its regions, in the text after; of a removed one in that before
  int64_t before = 0, after = 0; ///< lines, from 1; 0: on the other side only
  int64_t nested = 0;            ///< ops inside that were added or removed with it
  std::vector<ChangeDetail> details;
};

struct ScanDifference {
  std::vector<ScanChange> changes; ///< in the order of the text after, removed ones where they stood
  std::array<int64_t, 4> counts{}; ///< of `changes`, by kind
  bool same() const { return changes.empty(); }
};

/// A program, or one op of it with all inside.
struct Part {
  std::string_view text;
  const Scan *scan = nullptr;
  int32_t root = -1; ///< -1: all of it
  uint64_t deep() const { return root < 0 ? scan->deep() : scan->ops[static_cast<size_t>(root)].deep; }
};

ScanDifference compare(const Part &before, const Part &after);

} // namespace mica::passdump

#endif // MICA_PASSDUMP_SCANDIFF_H
