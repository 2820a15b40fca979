//===- Diff.cpp - structural diff of two modules ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Diff.h. MatchOps pairs ops; here each pair is compared, and consequences of an added or removed op are attributed
// to it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/Diff.h"

#include "lib/IRTools/ChangeGroups.h"
#include "lib/IRTools/DetailText.h"
#include "lib/IRTools/MatchOps.h"
#include "lib/IRTools/OpOrder.h"
#include "mica/IRTools/Document.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Maximum number of removed or added ops through which a value is followed.
static constexpr int kLongestChain = 16;

llvm::StringRef irtools::changeName(ChangeKind kind) {
  switch (kind) {
  case ChangeKind::Added:
    return "added";
  case ChangeKind::Removed:
    return "removed";
  case ChangeKind::Changed:
    return "changed";
  case ChangeKind::Moved:
    return "moved";
  }
  return "";
}

int64_t ModuleDiff::count(ChangeKind kind) const {
  return llvm::count_if(changes, [&](const Change &change) { return change.kind == kind; });
}

static std::string pathOf(Operation *op) {
  std::string path;
  for (Operation *at = op->getParentOp(); at; at = at->getParentOp())
    if (auto name = at->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      path = "@" + name.str() + (path.empty() ? "" : "/" + path);
  return path;
}

namespace {
class Comparer {
public:
  Comparer(const Document &before, const Document &after)
      : before(before), after(after), beforeTable(before, names), afterTable(after, names),
        matching(before, beforeTable, after, afterTable) {}

  ModuleDiff run();

private:
  Place placeOf(Operation *op, const Document &document) const {
    return Place{op, document.line(op), pathOf(op), /*exists=*/true, document.origins.lookup(op)};
  }
  void compareOps(Operation *a, Operation *b);
  void compareAttributes(Operation *a, Operation *b, std::vector<Detail> &details);
  void compareOperands(Operation *a, Operation *b, std::vector<Detail> &details);
  /// A detail for two values, or for one if the other is null: their definitions, and how to distinguish them.
  Detail valueDetail(std::string what, Value a, Value b) const;
  /// Whether `a` is `b` after renaming the symbols of paired ops.
  bool isRenamed(Attribute a, Attribute b);
  void compareRegions(Operation *a, Operation *b, std::vector<Detail> &details);
  bool follows(Value a, Value b);
  void reportUnpaired(const OpTable &table, const Document &document, ChangeKind kind);
  void reportMoves();
  void arrange();

  const Document &before, &after;
  AttributeNames names;
  OpTable beforeTable, afterTable;
  Matching matching;
  ModuleDiff diff;
  /// Names of symbols of the first module whose partners have another name.
  llvm::StringMap<std::string> renamed;
  AttrTypeReplacer renaming;
  /// Uses attributed to added or removed ops.
  llvm::DenseMap<Operation *, int64_t> rewired;
  llvm::DenseMap<Operation *, std::string> notes;
};
} // namespace

void Comparer::compareAttributes(Operation *a, Operation *b, std::vector<Detail> &details) {
  DictionaryAttr left = names.attributesOf(a), right = names.attributesOf(b);
  if (left == right)
    return;
  for (NamedAttribute attr : left) {
    Attribute other = right.get(attr.getName());
    if (other != attr.getValue() && !isRenamed(attr.getValue(), other))
      details.push_back(attributeDetail("attribute '" + attr.getName().str() + "'", a->getAttr(attr.getName()),
                                        b->getAttr(attr.getName())));
  }
  for (NamedAttribute attr : right)
    if (!left.get(attr.getName()))
      details.push_back(attributeDetail("attribute '" + attr.getName().str() + "'", {}, b->getAttr(attr.getName())));
}

bool Comparer::isRenamed(Attribute a, Attribute b) { return b && !renamed.empty() && renaming.replace(a) == b; }

Detail Comparer::valueDetail(std::string what, Value a, Value b) const {
  Detail detail{std::move(what), a ? describeValue(a, before) : "", b ? describeValue(b, after) : ""};
  if (detail.before != detail.after)
    return detail;
  // The descriptions are equal, so add the position in the other text.
  auto elsewhere = [&](Value value, const Document &there, const char *known, const char *unknown) -> std::string {
    Operation *maker = value.getDefiningOp();
    Operation *other = matching.partner(maker ? maker : value.getParentBlock()->getParentOp());
    return other ? known + std::to_string(there.line(other)) : unknown;
  };
  detail.before += elsewhere(a, after, ", now line ", ", removed");
  detail.after += elsewhere(b, before, ", was line ", ", added");
  return detail;
}

/// Whether operand `b` instead of `a` is a consequence of an added or removed op, or is the same value.
bool Comparer::follows(Value a, Value b) {
  if (matching.same(a, b) || matching.equal(a, b))
    return true;
  // Follows removed ops to their operands.
  auto through = [&](Value from, auto &&isThere, llvm::SmallVectorImpl<Operation *> &chain, auto &&self) -> bool {
    Operation *def = from.getDefiningOp();
    if (!def || matching.partner(def) || chain.size() >= kLongestChain)
      return false;
    chain.push_back(def);
    for (Value operand : def->getOperands())
      if (isThere(operand) || self(operand, isThere, chain, self))
        return true;
    chain.pop_back();
    return false;
  };
  llvm::SmallVector<Operation *> chain;
  auto reachesB = [&](Value value) { return matching.same(value, b) || matching.equal(value, b); };
  auto reachesA = [&](Value value) { return matching.same(a, value) || matching.equal(a, value); };
  bool found = through(a, reachesB, chain, through);
  if (!found) {
    chain.clear();
    found = through(b, reachesA, chain, through);
  }
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!found && x && y && !matching.partner(x) && !matching.partner(y)) {
    // One op was replaced by another; both are reported.
    chain = {x, y};
    found = true;
  }
  for (Operation *op : chain)
    ++rewired[op];
  return found;
}

void Comparer::compareOperands(Operation *a, Operation *b, std::vector<Detail> &details) {
  unsigned left = a->getNumOperands(), right = b->getNumOperands();
  unsigned i = 0, j = 0;
  if (isCommutative(a) && isCommutative(b) && left == 2 && right == 2) {
    // In the order in which more of them agree.
    auto count = [&](unsigned first) {
      return int(matching.agree(a->getOperand(0), b->getOperand(first))) +
             int(matching.agree(a->getOperand(1), b->getOperand(1 - first)));
    };
    unsigned first = count(1) > count(0) ? 1 : 0;
    for (; i < 2; ++i)
      if (Value x = a->getOperand(i), y = b->getOperand(i ^ first); !follows(x, y))
        details.push_back(valueDetail("operand " + std::to_string(i ^ first), x, y));
    return;
  }
  while (i < left || j < right) {
    if (i < left && j < right && follows(a->getOperand(i), b->getOperand(j))) {
      ++i, ++j;
      continue;
    }
    // If the lists have different lengths, the longer one has additional operands.
    bool skipLeft = i < left && left - i > right - j, skipRight = j < right && right - j > left - i;
    std::string what = "operand " + std::to_string(skipRight ? j : i);
    Value x = skipRight ? Value() : a->getOperand(i++), y = skipLeft ? Value() : b->getOperand(j++);
    details.push_back(valueDetail(std::move(what), x, y));
  }
}

void Comparer::compareRegions(Operation *a, Operation *b, std::vector<Detail> &details) {
  if (a->getNumRegions() != b->getNumRegions())
    details.push_back({"regions", std::to_string(a->getNumRegions()), std::to_string(b->getNumRegions())});
  for (unsigned i = 0; i < std::min(a->getNumRegions(), b->getNumRegions()); ++i) {
    Region &left = a->getRegion(i), &right = b->getRegion(i);
    if (left.getBlocks().size() != right.getBlocks().size())
      details.push_back({"blocks of region " + std::to_string(i), std::to_string(left.getBlocks().size()),
                         std::to_string(right.getBlocks().size())});
    for (auto [x, y] : llvm::zip(left, right)) {
      for (unsigned k = 0; k < std::max(x.getNumArguments(), y.getNumArguments()); ++k) {
        Type s = k < x.getNumArguments() ? x.getArgument(k).getType() : Type();
        Type t = k < y.getNumArguments() ? y.getArgument(k).getType() : Type();
        if ((s ? names.canonical(s) : s) != (t ? names.canonical(t) : t))
          details.push_back(typeDetail("block argument " + std::to_string(k), s, t));
      }
    }
  }
}

void Comparer::compareOps(Operation *a, Operation *b) {
  Change change;
  if (a->getName() != b->getName())
    change.details.push_back({"operation", a->getName().getStringRef().str(), b->getName().getStringRef().str()});
  compareAttributes(a, b, change.details);
  for (unsigned i = 0; i < std::max(a->getNumResults(), b->getNumResults()); ++i) {
    Type s = i < a->getNumResults() ? a->getResult(i).getType() : Type();
    Type t = i < b->getNumResults() ? b->getResult(i).getType() : Type();
    if ((s ? names.canonical(s) : s) != (t ? names.canonical(t) : t))
      change.details.push_back(typeDetail("type of result " + std::to_string(i), s, t));
  }
  compareOperands(a, b, change.details);
  if (a->getNumSuccessors() != b->getNumSuccessors())
    change.details.push_back(
        {"successors", std::to_string(a->getNumSuccessors()), std::to_string(b->getNumSuccessors())});
  for (unsigned i = 0; i < std::min(a->getNumSuccessors(), b->getNumSuccessors()); ++i)
    if (matching.partner(a->getSuccessor(i)) != b->getSuccessor(i))
      change.details.push_back({"successor " + std::to_string(i), describeBlock(a->getSuccessor(i), before),
                                describeBlock(b->getSuccessor(i), after)});
  compareRegions(a, b, change.details);
  for (Detail &detail : change.details)
    if (detail.before == detail.after)
      detail.after += " (another that prints alike)";
  bool isElsewhere = matching.partner(a->getBlock()) != b->getBlock();
  if (change.details.empty() && !isElsewhere)
    return;
  change.kind = change.details.empty() ? ChangeKind::Moved : ChangeKind::Changed;
  change.op = b->getName().getStringRef().str();
  change.before = placeOf(a, before);
  change.after = placeOf(b, after);
  if (isElsewhere) {
    auto parent = [](Operation *op, const Place &place) {
      std::string text = op->getParentOp() ? op->getParentOp()->getName().getStringRef().str() : "";
      return text + (place.path.empty() ? "" : " in " + place.path);
    };
    change.note = "moved from " + parent(a, change.before) + " to " + parent(b, change.after);
  }
  diff.changes.push_back(std::move(change));
}

/// The lines of the ops inside `op`.
static std::vector<LineSpan> linesInside(Operation *op, const Document &document) {
  std::vector<int64_t> lines;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      if (int64_t line = document.line(inner))
        lines.push_back(line);
    });
  llvm::sort(lines);
  std::vector<LineSpan> spans;
  for (int64_t line : lines)
    if (!spans.empty() && line <= spans.back().second + 1)
      spans.back().second = line;
    else
      spans.push_back({line, line});
  return spans;
}

void Comparer::reportUnpaired(const OpTable &table, const Document &document, ChangeKind kind) {
  // The roots of added and removed ops; nested ops are counted with them unless they were moved.
  llvm::DenseMap<Operation *, int64_t> changeOfRoot;
  for (const OpEntry &entry : table.entries()) {
    Operation *op = entry.op;
    if (matching.partner(op))
      continue;
    Operation *parent = op->getParentOp();
    if (auto found = changeOfRoot.find(parent); found != changeOfRoot.end()) {
      int64_t outer = found->second;
      changeOfRoot[op] = outer;
      ++diff.changes[outer].nested;
      continue;
    }
    changeOfRoot[op] = static_cast<int64_t>(diff.changes.size());
    Change change;
    change.kind = kind;
    change.op = op->getName().getStringRef().str();
    (kind == ChangeKind::Removed ? change.before : change.after) = placeOf(op, document);
    change.lines = linesInside(op, document);
    diff.changes.push_back(std::move(change));
  }
}

void Comparer::reportMoves() {
  for (const OpEntry &entry : beforeTable.entries())
    for (Region &region : entry.op->getRegions())
      for (Block &block : region)
        if (matching.partner(&block))
          for (const HarmfulMove &move : findHarmfulMoves(&block, beforeTable, matching)) {
            Change change;
            change.kind = ChangeKind::Moved;
            change.op = move.before->getName().getStringRef().str();
            change.before = placeOf(move.before, before);
            change.after = placeOf(move.after, after);
            bool isAfter = move.passed->isBeforeInBlock(move.after);
            change.note = (isAfter ? "now after " : "now before ") + move.passed->getName().getStringRef().str() +
                          " of line " + std::to_string(after.line(move.passed)) +
                          ", and they may touch the same memory";
            diff.changes.push_back(std::move(change));
          }
}

/// Sorts changes in the order of the second text; removed ops follow the nearest paired op before them.
void Comparer::arrange() {
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> keys;
  int64_t last = -1;
  for (const OpEntry &entry : beforeTable.entries()) {
    if (Operation *partner = matching.partner(entry.op))
      last = afterTable.indexOf(partner);
    else
      keys[entry.op] = {last, beforeTable.indexOf(entry.op)};
  }
  auto key = [&](const Change &change) -> std::pair<int64_t, int64_t> {
    if (change.after.op)
      return {afterTable.indexOf(change.after.op), -1};
    return keys.lookup(change.before.op);
  };
  std::stable_sort(diff.changes.begin(), diff.changes.end(),
                   [&](const Change &a, const Change &b) { return key(a) < key(b); });
}

ModuleDiff Comparer::run() {
  diff.opsBefore = static_cast<int64_t>(beforeTable.entries().size());
  diff.opsAfter = static_cast<int64_t>(afterTable.entries().size());
  for (const OpEntry &entry : beforeTable.entries())
    if (Operation *partner = matching.partner(entry.op)) {
      auto name = entry.op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      auto other = partner->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      if (name && other && name != other)
        renamed[name.getValue()] = other.getValue().str();
    }
  renaming.addReplacement([this](SymbolRefAttr symbol) -> std::optional<std::pair<Attribute, WalkResult>> {
    auto nameOf = [&](StringAttr name) {
      auto found = renamed.find(name.getValue());
      return found == renamed.end() ? name : StringAttr::get(name.getContext(), found->second);
    };
    llvm::SmallVector<FlatSymbolRefAttr> nested;
    for (FlatSymbolRefAttr inner : symbol.getNestedReferences())
      nested.push_back(FlatSymbolRefAttr::get(nameOf(inner.getAttr())));
    return std::pair<Attribute, WalkResult>(SymbolRefAttr::get(nameOf(symbol.getRootReference()), nested),
                                            WalkResult::skip());
  });
  for (const OpEntry &entry : beforeTable.entries())
    if (Operation *partner = matching.partner(entry.op))
      compareOps(entry.op, partner);
  reportUnpaired(beforeTable, before, ChangeKind::Removed);
  reportUnpaired(afterTable, after, ChangeKind::Added);
  reportMoves();
  for (Change &change : diff.changes) {
    Operation *op = change.kind == ChangeKind::Removed ? change.before.op
                    : change.kind == ChangeKind::Added ? change.after.op
                                                       : nullptr;
    change.rewired = op ? rewired.lookup(op) : 0;
  }
  arrange();
  groupChanges(diff);
  llvm::DenseSet<Operation *> touched;
  for (const Change &change : diff.changes)
    touched.insert(change.before.op);
  for (const OpEntry &entry : beforeTable.entries())
    if (Operation *partner = matching.partner(entry.op))
      diff.pairs.push_back({entry.op, partner, touched.contains(entry.op)});
  return std::move(diff);
}

ModuleDiff irtools::diffDocuments(const Document &before, const Document &after) {
  return Comparer(before, after).run();
}
