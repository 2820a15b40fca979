//===- Diff.h - the structural difference of two modules --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops of two modules are paired by what they came from (ids, positions), by the values they compute (a hash of
// everything above them in the use-def graph) and by what is made of their results (a hash of everything below), and
// what is left by the company they keep. Then each pair is compared. SSA names, the order of attributes, locations, the
// order of functions and of ops without effects on each other make no difference.
//
// What follows from another change is not reported again: users of a removed op that take its operand instead, users of
// a changed type, references to a renamed symbol. Operands of commutative ops may change places; constants are what
// their values are, wherever they stand.
//
// Cost: linear in the ops but for the few that have no partner by hash (bounded windows).
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

/// One thing that differs between the two ops of a pair.
struct Detail {
  std::string what;          ///< "attribute 'value'", "operand 1", "type of result 0", "operation", "block argument 2"
  std::string before, after; ///< "" where it is absent on that side
};

/// An op on one side.
struct Place {
  mlir::Operation *op = nullptr;             ///< null where the change has no such side, or was read from a record
  int64_t line = 0;                          ///< 0 unknown
  std::string path;                          ///< symbols on the way to it: "@main", "@kernel/@matmul"
  bool exists = false;                       ///< the change has this side
  std::shared_ptr<const Origin> origin = {}; ///< null: not said
};

/// Lines from `first` to `last`.
using LineSpan = std::pair<int64_t, int64_t>;

struct Change {
  ChangeKind kind = ChangeKind::Changed;
  std::string op; ///< name of the op (of the new one where it was replaced)
  Place before, after;
  std::vector<Detail> details;
  std::vector<LineSpan> lines;      ///< of an op that came or went: of the ops inside it, in order
  int64_t nested = 0;               ///< ops inside it that came or went with it
  int64_t rewired = 0;              ///< uses that follow from it: they skip the removed op, or go through the added one
  std::string note;                 ///< what is known beside: "same value as line 12", "must stay after line 7"
  std::vector<std::string> reasons; ///< remarks that speak of it
};

/// A pair of ops and what holds for it, for views that show both texts.
struct Pairing {
  mlir::Operation *before, *after;
  bool touched; ///< a change names it
};

/// Changes that are one change made in several places, as in each layer of a network: what differs is the same but for
/// lines, ids and the function they are in.
struct ChangeGroup {
  std::vector<size_t> changes; ///< positions in ModuleDiff::changes, ascending; at least one
};

struct ModuleDiff {
  std::vector<Change> changes;     ///< in the order of the text, removed and added ones where they stand
  std::vector<ChangeGroup> groups; ///< every change once, in the order of their first ones
  std::vector<Pairing> pairs;      ///< all, in pre-order of the first module
  int64_t opsBefore = 0, opsAfter = 0;
  bool same() const { return changes.empty(); }
  int64_t count(ChangeKind kind) const;
};

/// What `change` says but for where: equal for changes of one group.
std::string changeSignature(const Change &change);

/// Compares what both parse to; both must have a `root` in the same context.
ModuleDiff diffDocuments(const Document &before, const Document &after);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_DIFF_H
