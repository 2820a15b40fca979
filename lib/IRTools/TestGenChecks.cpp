//===- TestGenChecks.cpp - generating CHECK lines ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TestGenChecks.h. Works on the printed text, line by line; the printer provides the op of each line.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/TestGenChecks.h"

#include "lib/IRTools/CheckText.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

static std::string symbolOf(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? name.str() : "";
}

bool irtools::isFunctionLike(Operation *op) {
  return isa<FunctionOpInterface>(op) ||
         (op->getNumRegions() == 1 && !op->hasTrait<OpTrait::SymbolTable>() && !symbolOf(op).empty());
}

/// The function that `op` is, or is nested in.
static Operation *functionOf(Operation *op) {
  while (op && !isFunctionLike(op))
    op = op->getParentOp();
  return op;
}

//===------------------------------------------------------------------------------------------------------------===//
// Which ops
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// What the checks cover.
struct Subject {
  llvm::DenseSet<Operation *> touched; ///< added, changed or moved; ops of `after`
  llvm::DenseSet<Operation *> shown;   ///< those, their operands and their users
  /// Names of removed ops, by the symbol of their function.
  std::map<std::string, std::set<std::string>> gone;
  std::set<std::string> goneSymbols; ///< "@f"
};
} // namespace

/// The first word of the printed op: "return" for func.return.
static std::string printedName(const Document &document, Operation *op) {
  int64_t line = document.line(op);
  if (line < 1 || line > static_cast<int64_t>(document.text.size()))
    return op->getName().getStringRef().str();
  llvm::StringRef text = llvm::StringRef(document.text[line - 1]).ltrim();
  if (text.starts_with("%"))
    text = text.split(" = ").second;
  text.consume_front("\"");
  return text.take_until([](char c) { return c == ' ' || c == '"' || c == '(' || c == '{'; }).str();
}

static void addRemoved(Subject &subject, const Document &before, Operation *op,
                       const llvm::DenseMap<Operation *, Operation *> &partners) {
  Operation *function = functionOf(op);
  std::string symbol = symbolOf(op);
  if (!symbol.empty() && (op == function || !function)) {
    subject.goneSymbols.insert("@" + symbol);
    return;
  }
  op->walk([&](Operation *inner) {
    if (!inner->hasTrait<OpTrait::IsTerminator>())
      subject.gone[function ? symbolOf(function) : ""].insert(printedName(before, inner));
  });
  auto show = [&](Operation *near) {
    if (Operation *partner = near ? partners.lookup(near) : nullptr)
      subject.shown.insert(partner);
  };
  for (Value operand : op->getOperands())
    show(operand.getDefiningOp());
  for (Operation *user : op->getUsers()) {
    show(user);
    // The operands that it uses instead.
    if (Operation *partner = partners.lookup(user))
      for (Value operand : partner->getOperands())
        if (Operation *maker = operand.getDefiningOp())
          subject.shown.insert(maker);
  }
}

static Subject findSubject(const Document &before, const ModuleDiff &diff) {
  Subject subject;
  llvm::DenseMap<Operation *, Operation *> partners;
  for (const Pairing &pair : diff.pairs)
    partners[pair.before] = pair.after;
  for (const Change &change : diff.changes) {
    if (change.kind == ChangeKind::Removed)
      addRemoved(subject, before, change.before.op, partners);
    if (!change.after.op)
      continue;
    subject.touched.insert(change.after.op);
    if (change.kind == ChangeKind::Added)
      change.after.op->walk([&](Operation *inner) { subject.touched.insert(inner); });
    if (change.before.op && change.before.op->getName() != change.after.op->getName())
      if (Operation *function = functionOf(change.before.op))
        subject.gone[symbolOf(function)].insert(printedName(before, change.before.op));
  }
  for (Operation *op : subject.touched) {
    subject.shown.insert(op);
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        subject.shown.insert(maker);
    for (Operation *user : op->getUsers())
      subject.shown.insert(user);
  }
  return subject;
}

//===------------------------------------------------------------------------------------------------------------===//
// Which lines
//===------------------------------------------------------------------------------------------------------------===//

static size_t indentOf(llvm::StringRef line) { return line.size() - line.ltrim().size(); }

/// The op of each line, by line - 1: the one that begins on it, or the one whose region begins or ends there.
static std::vector<Operation *> ownersOf(const Document &document) {
  std::vector<Operation *> owners(document.text.size());
  for (auto [op, line] : document.lines)
    if (line >= 1 && line <= static_cast<int64_t>(owners.size()))
      // Of several on a line, the outermost.
      if (!owners[line - 1] || op->isAncestor(owners[line - 1]))
        owners[line - 1] = op;
  std::vector<std::pair<size_t, Operation *>> open;
  for (size_t i = 0; i < owners.size(); ++i) {
    llvm::StringRef text = llvm::StringRef(document.text[i]).ltrim();
    size_t indent = indentOf(document.text[i]);
    bool begins = owners[i] != nullptr;
    while (!open.empty() && (open.back().first > indent || (begins && open.back().first == indent)))
      open.pop_back();
    if (begins)
      open.push_back({indent, owners[i]});
    else if (!open.empty() && open.back().first == indent && (text.starts_with("}") || text.starts_with("^")))
      owners[i] = open.back().second;
  }
  return owners;
}

namespace {
class Writer {
public:
  Writer(const Document &after, Subject subject, bool everything)
      : after(after), subject(std::move(subject)), everything(everything), owners(ownersOf(after)) {}

  std::vector<CheckBlock> write();

private:
  bool isShown(size_t line) const {
    Operation *owner = owners[line];
    return owner && (everything || subject.shown.contains(owner));
  }
  void writeFunction(size_t first, size_t last);
  /// A line outside of functions: a global, or the first of a nested module.
  void writeOutside(size_t line);
  void writeGone(const std::string &function);
  void emit(llvm::StringRef directive, size_t depth, const std::string &text);

  const Document &after;
  Subject subject;
  bool everything;
  std::vector<Operation *> owners;
  CheckAliases aliases;
  std::vector<CheckBlock> blocks;
};
} // namespace

/// Adds "// CHECK-NEXT:   text", on several lines with CHECK-SAME if it is long.
void Writer::emit(llvm::StringRef directive, size_t depth, const std::string &text) {
  std::vector<std::string> parts = wrapCheck(text, 120 - 20 - 2 * depth);
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string line = "// " + (i ? std::string("CHECK-SAME") : directive.str()) + ":";
    line.resize(std::max<size_t>(line.size() + 1, 16), ' ');
    blocks.back().lines.push_back(line + std::string(2 * (depth + (i ? 2 : 0)), ' ') + parts[i]);
  }
}

void Writer::writeGone(const std::string &function) {
  for (const std::string &name : subject.gone[function])
    emit("CHECK-NOT", 1, escapeCheck(name));
}

/// Writes the checks of a function, lines [first, last).
void Writer::writeFunction(size_t first, size_t last) {
  Operation *function = owners[first];
  bool isTouched = everything || subject.touched.contains(function);
  std::vector<size_t> lines;
  for (size_t i = first + 1; i < last; ++i)
    if (isShown(i) && owners[i] != function)
      lines.push_back(i);
  std::string symbol = symbolOf(function);
  // A removed op is only checked if none of its kind remains.
  std::set<std::string> &gone = subject.gone[symbol];
  auto isLeft = [&](const std::string &name) {
    return std::any_of(after.text.begin() + first, after.text.begin() + last,
                       [&](const std::string &line) { return containsWord(line, name); });
  };
  for (auto name = gone.begin(); name != gone.end();)
    name = isLeft(*name) ? gone.erase(name) : std::next(name);
  if (lines.empty() && !isTouched && gone.empty())
    return;

  blocks.push_back({symbol, {}});
  CheckNames names(aliases);
  FunctionLine signature = readFunctionLine(after.text[first]);
  for (const auto &[name, type] : signature.arguments)
    names.count("%" + name);
  for (size_t i : lines)
    names.count(after.text[i]);
  emit("CHECK-LABEL", 0, escapeCheck(signature.head));
  // Arguments are identified by position, so all up to the last used one are checked.
  size_t wanted = isTouched ? signature.arguments.size() : 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    if (names.isUsedAgain("%" + signature.arguments[i].first))
      wanted = std::max(wanted, i + 1);
  for (size_t i = 0; i < wanted; ++i)
    emit("CHECK-SAME", 2, names.argument(signature.arguments[i].first, signature.arguments[i].second));
  if (isTouched && !signature.tail.empty())
    emit("CHECK-SAME", 2, names.rewrite(signature.tail));

  size_t base = indentOf(after.text[first]), previous = first;
  for (size_t i : lines) {
    bool isNext = previous + 1 == i;
    if (!isNext)
      writeGone(symbol);
    llvm::StringRef text = after.text[i];
    text.consume_back(" {");
    emit(isNext ? "CHECK-NEXT" : "CHECK", indentOf(text) > base ? (indentOf(text) - base) / 2 : 0,
         names.rewrite(text.trim()));
    previous = i;
  }
  if (previous + 2 < last)
    writeGone(symbol);
}

void Writer::writeOutside(size_t line) {
  llvm::StringRef text = llvm::StringRef(after.text[line]).trim();
  if (!subject.touched.contains(owners[line]) || text.starts_with("}"))
    return;
  text.consume_back(" {");
  CheckNames names(aliases);
  blocks.push_back({"", {}});
  emit("CHECK", 0, names.rewrite(text));
}

std::vector<CheckBlock> Writer::write() {
  aliases.read(after.text);
  // Checks of lines before the first function.
  blocks.push_back({"", {}});
  for (const std::string &symbol : subject.goneSymbols) {
    bool isLeft = llvm::any_of(after.text, [&](const std::string &line) { return containsWord(line, symbol); });
    if (!isLeft)
      emit("CHECK-NOT", 0, escapeCheck(symbol) + "{{[^a-zA-Z0-9_$.]}}");
  }
  for (size_t i = 0; i < after.text.size(); ++i) {
    Operation *owner = owners[i];
    if (!owner)
      continue;
    if (functionOf(owner) != owner) {
      if (!functionOf(owner))
        writeOutside(i);
      continue;
    }
    size_t end = i + 1;
    while (end < after.text.size() && owners[end] && owner->isAncestor(owners[end]))
      ++end;
    writeFunction(i, end);
    i = end - 1;
  }
  std::vector<std::string> used = aliases.definitions();
  blocks.front().lines.insert(blocks.front().lines.begin(), used.begin(), used.end());
  llvm::erase_if(blocks, [](const CheckBlock &block) { return block.lines.empty(); });
  return std::move(blocks);
}

std::vector<CheckBlock> irtools::makeChecks(const Document &before, const Document &after, const ModuleDiff &diff,
                                            const CheckOptions &options) {
  return Writer(after, findSubject(before, diff), options.everything).write();
}
