//===- Diff.h - structural diff of two modules ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops of two modules are matched by their origin (ids, positions), by the values they compute (a hash of everything
// above them in the use-def graph), by the uses of their results (a hash of everything below), and the rest by their
// matched neighbors. Then each pair is compared. SSA names, the order of attributes, locations, and the order of
// functions and of ops without effects on each other are ignored.
//
// Consequences of another change are not reported: users of a removed op that use its operand instead, users of a
// changed type, references to a renamed symbol. Operands of commutative ops may be swapped; constants are equal if
// their values are, wherever they are placed.
//
// Cost: linear in the number of ops, except for the few without a partner by hash (bounded windows).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_DIFF_H
#define MICA_IRTOOLS_DIFF_H

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mica::irtools {

struct Document;
struct Origin;

enum class ChangeKind { Added, Removed, Changed, Moved };
/// "added", "removed", "changed", "moved".
llvm::StringRef changeName(ChangeKind kind);

/// One difference between the two ops of a pair.
struct Detail {
  std::string what;          ///< "attribute 'value'", "operand 1", "type of result 0", "operation", "block argument 2"
  std::string before, after; ///< "" if absent on that side
};

/// An op on one side.
struct Place {
  mlir::Operation *op = nullptr;             ///< null if the change has no such side, or was read from a record
  int64_t line = 0;                          ///< 0 unknown
  std::string path;                          ///< symbols on the path to it: "@main", "@kernel/@matmul"
  bool exists = false;                       ///< the change has this side
  std::shared_ptr<const Origin> origin = {}; ///< null: unknown
};

/// Lines from `first` to `last`.
using LineSpan = std::pair<int64_t, int64_t>;

struct Change {
  ChangeKind kind = ChangeKind::Changed;
  std::string op; ///< name of the op (of the new one if it was replaced)
  Place before, after;
  std::vector<Detail> details;
  std::vector<LineSpan> lines;      ///< of an added or removed op: of the ops inside it, in order
  int64_t nested = 0;               ///< ops inside it that were added or removed with it
  int64_t rewired = 0;              ///< uses that changed as a consequence: they skip a removed op, or use the new one
  std::string note;                 ///< additional information: "same value as line 12", "must stay after line 7"
  std::vector<std::string> reasons; ///< remarks about it
};

/// A pair of ops and its state, for views that show both texts.
struct Pairing {
  mlir::Operation *before, *after;
  bool touched; ///< a change names it
};

/// Equal changes in several places, as in each layer of a network: they differ only in lines, ids and the function.
struct ChangeGroup {
  std::vector<size_t> changes; ///< positions in ModuleDiff::changes, ascending; at least one
};

struct ModuleDiff {
  std::vector<Change> changes;     ///< in the order of the text, removed and added ones at their places
  std::vector<ChangeGroup> groups; ///< every change once, in the order of first changes
  std::vector<Pairing> pairs;      ///< all, in pre-order of the first module
  int64_t opsBefore = 0, opsAfter = 0;
  bool same() const { return changes.empty(); }
  int64_t count(ChangeKind kind) const;
};

/// A string for `change` without its place: equal for changes of one group.
std::string changeSignature(const Change &change);

/// Compares two parsed documents; both must have a `root` in the same context.
ModuleDiff diffDocuments(const Document &before, const Document &after);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_DIFF_H
