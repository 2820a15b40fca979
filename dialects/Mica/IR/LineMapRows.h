//===- LineMapRows.h - the rows of a line map -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For readers of line maps (mica/Compiler/Snapshot/SnapshotPrinter.h describes the format) that have parsed the JSON.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_LINEMAPROWS_H
#define MICA_DIALECTS_MICA_IR_LINEMAPROWS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <optional>

namespace mica {

/// Calls `take` with each line, from 1 to `last`, for which `map` has a row, and its index in `sets`, which may be out
/// of range. Malformed rows are skipped.
inline void forEachMappedLine(const llvm::json::Object &map, unsigned last,
                              llvm::function_ref<void(unsigned line, unsigned set)> take) {
  const llvm::json::Array *rows = map.getArray("lines");
  if (!rows)
    return;
  for (const llvm::json::Value &value : *rows) {
    const llvm::json::Array *row = value.getAsArray();
    if (!row || row->size() < 3)
      continue;
    std::optional<int64_t> from = (*row)[0].getAsInteger(), to = (*row)[1].getAsInteger(),
                           set = (*row)[2].getAsInteger();
    if (!from || !to || !set || *from < 1 || *set < 0 || *set > UINT_MAX)
      continue;
    for (int64_t line = *from; line <= std::min<int64_t>(*to, last); ++line)
      take(static_cast<unsigned>(line), static_cast<unsigned>(*set));
  }
}

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_LINEMAPROWS_H
