//===- WalkRuns.cpp - the passes of a dump, each with what it changed -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A dump shows texts; what a pass was given is the newest text of what it ran on. That is a text of the same op, a text
// around it, or a text around it in which newer texts of its parts are put. A process may compile several modules, one
// after the other or at once: a module belongs to those that share a function with it.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/PassDump/Dump.h"

#include "lib/PassDump/Cursor.h"

#include <algorithm>
#include <map>
#include <set>

namespace mica::passdump {

namespace {

/// A text of the dump with its ops; kept as long as a later pass may need it.
struct Text {
  const State *state;
  std::string_view text;
  Scan scan;
  std::string root; ///< "func.func @f" where it is one op; "" of a module without a name, or of several ops
  std::set<std::string> symbols; ///< of the functions in it
  size_t order = 0;
};

bool isModule(std::string_view name) { return name == "module" || name.ends_with(".module"); }

std::shared_ptr<Text> makeText(const State &state, std::string_view text, size_t order) {
  auto made = std::make_shared<Text>();
  made->state = &state;
  made->text = text;
  made->scan = scan(text, state.language);
  made->order = order;
  const std::vector<ScannedOp> &ops = made->scan.ops;
  int32_t top = -1, tops = 0;
  for (size_t i = 0; i < ops.size(); i = static_cast<size_t>(std::max(ops[i].next, static_cast<int32_t>(i) + 1))) {
    if (!ops[i].regions && state.language == Language::Mlir)
      continue;
    ++tops;
    top = static_cast<int32_t>(i);
    if (!isModule(ops[i].name)) {
      if (!ops[i].symbol.empty() && ops[i].regions)
        made->symbols.insert(std::string(ops[i].symbol));
      continue;
    }
    for (size_t j = i + 1; j < static_cast<size_t>(ops[i].next);
         j = static_cast<size_t>(std::max(ops[j].next, static_cast<int32_t>(j) + 1)))
      if (ops[j].regions && !ops[j].symbol.empty())
        made->symbols.insert(std::string(ops[j].symbol));
  }
  if (tops == 1 && state.language != Language::Hlo) {
    const ScannedOp &op = ops[static_cast<size_t>(top)];
    if (!isModule(op.name) && !op.symbol.empty())
      made->root = std::string(op.symbol);
  }
  return made;
}

/// The op in `text` whose symbol is `symbol` and that has a body; -1 where there is none or more than one.
int32_t findSymbol(const Text &text, std::string_view symbol) {
  int32_t found = -1;
  for (size_t i = 0; i < text.scan.ops.size(); ++i) {
    const ScannedOp &op = text.scan.ops[i];
    if (op.symbol != symbol || !op.regions || isModule(op.name))
      continue;
    if (found >= 0)
      return -1;
    found = static_cast<int32_t>(i);
  }
  return found;
}

using Names = std::set<std::string_view>;
Names opNames(const Scan &scan) {
  Names names;
  for (const ScannedOp &op : scan.ops)
    names.insert(op.name);
  return names;
}
double likeness(const std::set<std::string> &x, const Names &y) {
  size_t common = 0;
  for (const std::string &name : x)
    common += y.contains(name);
  const size_t all = x.size() + y.size() - common;
  return all ? static_cast<double>(common) / static_cast<double>(all) : 1;
}
std::set<std::string> owned(const Names &names) { return {names.begin(), names.end()}; }

/// What is compiled: the newest texts of it.
struct Unit {
  std::string name;
  std::set<std::string> symbols;
  std::shared_ptr<Text> whole;                        ///< of the module
  std::map<std::string, std::shared_ptr<Text>> parts; ///< of its functions, by symbol
  std::string firstPass;
  std::set<std::string> firstNames, lastNames; ///< of ops
  size_t texts = 0;
  std::optional<size_t> open; ///< a run whose text after is not yet known, in the walker's list
};

class Walker {
public:
  Walker(const Dump &dump, const std::function<void(Run &&, const Scan *)> &take) : dump(dump), give(take) {}

  void run() {
    for (const State &state : dump.states) {
      ++order;
      if (state.unchanged && state.text.empty()) {
        Run made = begin(state, nameOfUnit(state));
        made.on = state.anchor;
        deliver(std::move(made), nullptr);
        continue;
      }
      const std::shared_ptr<Text> text = makeText(state, state.text, order);
      Unit &unit = unitOf(state, *text);
      const std::string on = anchorOf(state, *text);
      if (state.when == State::When::Before)
        before(unit, state, text, on);
      else
        after(unit, state, text, on);
      keep(unit, text);
    }
    for (auto &[key, made] : pending) {
      const auto &[state, text, on] = made;
      (void)key;
      Run last = begin(*state, text.second);
      last.on = on;
      last.before = state;
      last.opsBefore = static_cast<int64_t>(text.first->scan.ops.size());
      last.isCut = text.first->scan.isCut;
      deliver(std::move(last), nullptr);
    }
  }

private:
  struct Pending {
    const State *state;
    std::pair<std::shared_ptr<Text>, std::string> text; ///< before, and the unit
    std::string on;
  };

  static std::string anchorOf(const State &state, const Text &text) {
    if (!state.anchor.empty())
      return state.anchor;
    return text.root.empty() ? "" : "@" + text.root;
  }

  /// Of a state without a text: what was compiled last, or what has the function that it names.
  std::string nameOfUnit(const State &state) const {
    if (!state.unit.empty() || units.empty())
      return state.unit;
    const std::string symbol = state.anchor.substr(state.anchor.find('@') + 1);
    for (auto unit = units.rbegin(); unit != units.rend(); ++unit)
      if (unit->symbols.contains(symbol))
        return unit->name;
    return units.back().name;
  }

  Unit &unitOf(const State &state, const Text &text) {
    if (!state.unit.empty()) {
      Unit &unit = named[state.unit];
      unit.name = state.unit;
      return unit;
    }
    const bool isWhole = text.root.empty();
    Unit *found = nullptr;
    for (auto unit = units.rbegin(); unit != units.rend() && !found; ++unit) {
      const auto &symbols = unit->symbols;
      if (symbols.empty() || text.symbols.empty() ||
          std::any_of(text.symbols.begin(), text.symbols.end(),
                      [&](const std::string &symbol) { return symbols.contains(symbol); }))
        found = &*unit;
    }
    if (!found && !units.empty() && !isWhole)
      found = &units.back();
    if (found && isWhole && found->texts > 1 && state.pass == found->firstPass && found->whole) {
      // The pipeline begins anew where the text is more like the first one than like the last.
      const Names names = opNames(text.scan);
      if (likeness(found->firstNames, names) > likeness(found->lastNames, names))
        found = nullptr;
    }
    if (!found) {
      found = &units.emplace_back();
      found->name = "module " + std::to_string(units.size());
      for (const std::string &symbol : text.symbols) {
        found->name = symbol + " (" + std::to_string(units.size()) + ")";
        break;
      }
      found->firstPass = state.pass;
      found->firstNames = owned(opNames(text.scan));
    }
    found->symbols.insert(text.symbols.begin(), text.symbols.end());
    return *found;
  }

  Run begin(const State &state, const std::string &unit) {
    Run made;
    made.number = ++number;
    made.state = &state;
    made.unit = unit;
    return made;
  }
  void deliver(Run &&made, const Scan *scan) { give(std::move(made), scan); }

  void keep(Unit &unit, const std::shared_ptr<Text> &text) {
    ++unit.texts;
    if (text->root.empty()) {
      unit.whole = text;
      unit.parts.clear();
      unit.lastNames = owned(opNames(text->scan));
    } else {
      unit.parts[text->root] = text;
    }
  }

  /// The newest text of what `text` shows, in `made`; the part to compare it with.
  std::optional<Part> newest(Unit &unit, const Text &text, Run &made) {
    if (!text.root.empty()) {
      if (const auto part = unit.parts.find(text.root); part != unit.parts.end()) {
        made.before = part->second->state;
        held = part->second;
        return Part{held->text, &held->scan, -1};
      }
      if (!unit.whole)
        return std::nullopt;
      const int32_t root = findSymbol(*unit.whole, text.root);
      if (root < 0)
        return std::nullopt;
      held = unit.whole;
      made.before = held->state;
      made.beforeIsPart = true;
      return Part{held->text, &held->scan, root};
    }
    if (!unit.whole)
      return ofParts(unit, text, made);
    held = unit.whole;
    made.before = held->state;
    if (!unit.parts.empty()) {
      made.ownBefore = joined(*unit.whole, unit.parts);
      held = makeText(*unit.whole->state, made.ownBefore, order);
    }
    return Part{held->text, &held->scan, -1};
  }

  /// A module of which the dump has shown all functions and nothing else: they are put into the first op of `text`.
  std::optional<Part> ofParts(const Unit &unit, const Text &text, Run &made) {
    if (unit.parts.empty() || text.scan.ops.empty() || !isModule(text.scan.ops.front().name) ||
        !std::all_of(text.symbols.begin(), text.symbols.end(),
                     [&](const std::string &symbol) { return unit.parts.contains(symbol); }))
      return std::nullopt;
    const ScannedOp &module = text.scan.ops.front();
    std::string functions, aliases;
    std::set<std::string_view> known;
    for (int32_t i = 1; i < module.next; i = text.scan.ops[static_cast<size_t>(i)].next) {
      const auto part = unit.parts.find(std::string(text.scan.ops[static_cast<size_t>(i)].symbol));
      if (part == unit.parts.end())
        continue;
      const Scan &scan = part->second->scan;
      for (const ScannedOp &op : scan.ops)
        if (op.symbol == part->first && op.regions) {
          functions += "  " + std::string(part->second->text.substr(op.begin, op.end - op.begin)) + "\n";
          break;
        }
      for (const auto &[name, value] : scan.aliases)
        if (known.insert(name).second)
          aliases += std::string(name) + " = " + std::string(value) + "\n";
    }
    made.before = unit.parts.begin()->second->state;
    made.ownBefore = aliases + std::string(text.text.substr(module.begin, module.headEnd - module.begin)) + "{\n" +
                     functions + "}\n";
    held = makeText(*made.before, made.ownBefore, order);
    return Part{held->text, &held->scan, -1};
  }

  /// The module with newer texts of its functions.
  static std::string joined(const Text &whole, const std::map<std::string, std::shared_ptr<Text>> &parts) {
    std::string text, aliases;
    size_t from = 0;
    for (size_t i = 0; i < whole.scan.ops.size(); ++i) {
      const ScannedOp &op = whole.scan.ops[i];
      const auto part = op.regions && !isModule(op.name) ? parts.find(std::string(op.symbol)) : parts.end();
      if (part == parts.end() || op.begin < from)
        continue;
      const Scan &scan = part->second->scan;
      size_t root = 0;
      while (root < scan.ops.size() && scan.ops[root].symbol != op.symbol)
        ++root;
      if (root == scan.ops.size())
        continue;
      text += whole.text.substr(from, op.begin - from);
      const ScannedOp &newer = scan.ops[root];
      text += part->second->text.substr(newer.begin, newer.end - newer.begin);
      for (const auto &[name, value] : scan.aliases)
        if (!whole.scan.aliases.contains(name))
          aliases += std::string(name) + " = " + std::string(value) + "\n";
      from = op.end;
    }
    text += whole.text.substr(from);
    return aliases + text;
  }

  void compareWith(Run &made, const std::optional<Part> &old, const Text &text) {
    if (text.scan.language != Language::Other)
      made.opsAfter = static_cast<int64_t>(text.scan.ops.size());
    made.unparsed = text.scan.unparsedLines();
    made.isCut = text.scan.isCut;
    if (!old) {
      made.changed = true;
      return;
    }
    made.opsBefore = old->root < 0 ? static_cast<int64_t>(old->scan->ops.size())
                                   : old->scan->ops[static_cast<size_t>(old->root)].next - old->root;
    if (old->scan->language != text.scan.language || text.scan.language == Language::Other) {
      made.isNewLanguage = old->scan->language != text.scan.language;
      made.changed = old->text != text.text;
      return;
    }
    Part now{text.text, &text.scan, -1};
    if (old->root >= 0)
      now.root = findSymbol(text, text.root);
    made.difference = compare(*old, now);
    made.changed = !made.difference->same();
  }

  void before(Unit &unit, const State &state, const std::shared_ptr<Text> &text, const std::string &on) {
    finishOpen(unit, *text);
    const std::string key = unit.name + "\n" + text->root;
    if (const auto open = pending.find(key); open != pending.end())
      pending.erase(open);
    pending.insert_or_assign(key, Pending{&state, {text, unit.name}, on});
  }

  /// Without texts after passes, that is the text before the next one.
  void finishOpen(Unit &unit, const Text &text) {
    const auto open = pending.find(unit.name + "\n" + text.root);
    if (open == pending.end())
      return;
    const Pending &was = open->second;
    Run made = begin(*was.state, unit.name);
    made.on = was.on;
    made.before = was.state;
    made.after = text.state;
    compareWith(made, Part{was.text.first->text, &was.text.first->scan, -1}, text);
    deliver(std::move(made), &text.scan);
    pending.erase(open);
  }

  void after(Unit &unit, const State &state, const std::shared_ptr<Text> &text, const std::string &on) {
    Run made = begin(state, unit.name);
    made.on = on;
    made.after = &state;
    std::optional<Part> old;
    const auto open = pending.find(unit.name + "\n" + text->root);
    if (open != pending.end()) {
      held = open->second.text.first;
      made.before = held->state;
      old = Part{held->text, &held->scan, -1};
      pending.erase(open);
    } else {
      old = newest(unit, *text, made);
    }
    compareWith(made, old, *text);
    deliver(std::move(made), &text->scan);
    held.reset();
  }

  const Dump &dump;
  const std::function<void(Run &&, const Scan *)> &give;
  std::deque<Unit> units;
  std::map<std::string, Unit> named;
  std::map<std::string, Pending> pending; ///< texts before a pass, by unit and function
  std::shared_ptr<Text> held;             ///< what the part that is compared points into
  size_t order = 0;
  int64_t number = 0;
};

} // namespace

void walkRuns(const Dump &dump, const std::function<void(Run &&, const Scan *)> &take) { Walker(dump, take).run(); }

} // namespace mica::passdump
