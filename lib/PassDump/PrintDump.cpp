//===- PrintDump.cpp - a dump for the terminal ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Texts of a dump are not trusted: control characters are shown as "?".
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/PassDump/PrintDump.h"

#include "mica/Support/Text.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace mica::passdump {

namespace {

constexpr size_t kMostChanges = 200; ///< of a pass
constexpr std::string_view kNames[] = {"added", "removed", "changed", "moved"};

std::string plain(std::string_view text, size_t most = 160) {
  std::string shown(text.substr(0, most));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }, '?');
  return text.size() > most ? shown + "..." : shown;
}

std::string changeText(const ScanChange &change) {
  static constexpr std::string_view kSigns[] = {"+", "-", "~", "^"};
  std::string text = "  " + std::string(kSigns[static_cast<size_t>(change.kind)]) + " " + plain(change.op) + "  line ";
  text += change.before && change.after ? std::to_string(change.before) + " -> " + std::to_string(change.after)
                                        : std::to_string(std::max(change.before, change.after));
  if (change.nested)
    text += ", with " + groupDigits(change.nested) + (change.nested == 1 ? " op inside" : " ops inside");
  if (change.kind == ChangeKind::Added || change.kind == ChangeKind::Removed)
    text += ": " + plain(change.text.substr(0, change.text.find('\n')));
  text += "\n";
  for (const ChangeDetail &detail : change.details)
    text += "      " + detail.what + ": " + plain(detail.before) + " -> " + plain(detail.after) + "\n";
  return text;
}

std::string changesText(const ScanDifference &difference) {
  std::string text;
  size_t shown = 0;
  for (const ScanChange &change : difference.changes) {
    if (++shown > kMostChanges)
      break;
    text += changeText(change);
  }
  if (difference.changes.size() > kMostChanges)
    text += "  and " + groupDigits(static_cast<int64_t>(difference.changes.size() - kMostChanges)) + " more\n";
  return text;
}

std::string countsText(const std::array<int64_t, 4> &counts) {
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i]) {
      text += text.empty() ? groupDigits(counts[i]) + (counts[i] == 1 ? " op " : " ops ")
                           : ", " + groupDigits(counts[i]) + " ";
      text += kNames[i];
    }
  return text;
}

/// How two texts differ, for people.
DumpComparison compareTexts(const State &before, const State &after) {
  if (before.language != after.language || before.language == Language::Other)
    return {before.text == after.text ? "" : "  the texts differ\n", before.text == after.text};
  const Scan a = scan(before.text, before.language), b = scan(after.text, after.language);
  const ScanDifference difference = compare({before.text, &a, -1}, {after.text, &b, -1});
  return {changesText(difference), difference.same()};
}

} // namespace

bool isNamed(const Run &run, const std::string &pass) {
  return run.state->pass == pass || run.state->argument == pass || std::to_string(run.number) == pass;
}

std::string runTitle(const Run &run) {
  char number[32];
  std::snprintf(number, sizeof number, "%04lld ", static_cast<long long>(run.number));
  std::string title = number + plain(run.state->pass);
  if (!run.state->argument.empty() && run.state->argument != run.state->pass)
    title += " (" + plain(run.state->argument) + ")";
  if (!run.on.empty())
    title += " on " + plain(run.on);
  return title;
}

std::string runSummary(const Run &run) {
  if (run.state->failed)
    return run.difference && !run.difference->same() ? "failed; " + countsText(run.difference->counts) : "failed";
  if (run.state->unchanged)
    return "nothing";
  if (run.state->isDiff)
    return "changed, shown as a difference";
  if (run.difference)
    return run.difference->same() ? "nothing" : countsText(run.difference->counts);
  if (!run.after)
    return "no text after it";
  if (!run.before)
    return "first text";
  return run.isNewLanguage ? "another language" : run.changed ? "changed, compared as text" : "nothing";
}

std::string printRuns(const Dump &dump) {
  std::string text, unit;
  int64_t runs = 0, changed = 0, unparsed = 0;
  walkRuns(dump, [&](Run &&run, const Scan *) {
    if (run.unit != unit || runs == 0)
      text += (unit = run.unit).empty() ? "" : plain(unit) + "\n";
    ++runs;
    changed += run.changed;
    unparsed += run.unparsed;
    text += "  " + runTitle(run) + ": " + runSummary(run);
    if (run.opsAfter >= 0)
      text += run.opsBefore >= 0 && run.opsBefore != run.opsAfter
                  ? ", " + groupDigits(run.opsBefore) + " -> " + groupDigits(run.opsAfter) + " ops"
                  : ", " + groupDigits(run.opsAfter) + (run.opsAfter == 1 ? " op" : " ops");
    if (run.unparsed && run.state->language != Language::Other)
      text += ", " + groupDigits(run.unparsed) + (run.unparsed == 1 ? " line" : " lines") + " not parsed";
    if (run.isCut)
      text += ", the text is cut off";
    text += "\n";
  });
  text += dump.kind + ": " + groupDigits(runs) + (runs == 1 ? " text, " : " passes or stages, ") +
          groupDigits(changed) + " changed something\n";
  for (const std::string &note : dump.notes)
    text += plain(note) + "\n";
  return text;
}

void walkNamedRuns(const Dump &dump, const std::string &pass, size_t &found, size_t &changed,
                   const std::function<void(const Run &)> &take) {
  found = changed = 0;
  walkRuns(dump, [&](Run &&run, const Scan *) {
    if (!pass.empty() && !isNamed(run, pass))
      return;
    ++found;
    changed += run.changed;
    take(run);
  });
}

std::string printChanges(const Dump &dump, const std::string &pass, size_t &found, size_t &changed) {
  std::string text;
  walkNamedRuns(dump, pass, found, changed, [&](const Run &run) {
    if (pass.empty() && !run.changed)
      return;
    text += "==== " + (run.unit.empty() ? "" : plain(run.unit) + ": ") + runTitle(run) + ": " + runSummary(run) + "\n";
    if (run.difference)
      text += changesText(*run.difference);
  });
  return text;
}

namespace {

/// The result of a pass in two dumps; `before` or `after` is null where only the other has the pass.
struct Pair {
  std::string unit, title;
  const State *before = nullptr, *after = nullptr;
  const State *pass = nullptr; ///< names it; its text may be that before it
  bool same = false;
};

struct PassResult {
  std::string title;
  const State *pass, *state;
  uint64_t deep = 0;
};
/// By unit without its number: units of two dumps are paired by name and order.
using Results = std::map<std::string, std::vector<PassResult>>;

Results resultsOf(const Dump &dump) {
  Results units;
  walkRuns(dump, [&](Run &&run, const Scan *scan) {
    if (!run.after || !scan)
      return;
    const std::string on = run.on.find('@') == std::string::npos ? "" : run.on.substr(run.on.find('@'));
    units[run.unit.substr(0, run.unit.find('#'))].push_back(
        {(run.state->argument.empty() ? run.state->pass : run.state->argument) + (on.empty() ? "" : " on " + on),
         run.state, run.after, run.after->language == Language::Other ? 0 : scan->deep()});
  });
  return units;
}

/// Pairs passes in the order of the dumps: a pass of one side alone is skipped where the other side has the next one.
void pairUnit(const std::string &unit, const std::vector<PassResult> &left, const std::vector<PassResult> &right,
              std::vector<Pair> &pairs) {
  constexpr size_t kMostAhead = 1000;
  size_t i = 0, j = 0;
  auto onlyLeft = [&] {
    pairs.push_back({unit, left[i].title, left[i].state, nullptr, left[i].pass});
    ++i;
  };
  auto onlyRight = [&] {
    pairs.push_back({unit, right[j].title, nullptr, right[j].state, right[j].pass});
    ++j;
  };
  while (i < left.size() || j < right.size()) {
    if (i == left.size()) {
      onlyRight();
    } else if (j == right.size()) {
      onlyLeft();
    } else if (left[i].title == right[j].title) {
      const PassResult &p = left[i++], &q = right[j++];
      const bool same = p.state->language == q.state->language &&
                        (p.state->language == Language::Other ? p.state->text == q.state->text : p.deep == q.deep);
      pairs.push_back({unit, p.title, p.state, q.state, q.pass, same});
    } else {
      const auto from = right.begin() + static_cast<ptrdiff_t>(j);
      const auto to = from + static_cast<ptrdiff_t>(std::min(right.size() - j, kMostAhead));
      std::any_of(from, to, [&](const PassResult &other) { return other.title == left[i].title; }) ? onlyRight()
                                                                                                   : onlyLeft();
    }
  }
}

std::vector<Pair> pairDumps(const Dump &before, const Dump &after) {
  const Results x = resultsOf(before), y = resultsOf(after);
  std::vector<Pair> pairs;
  static const std::vector<PassResult> kNone;
  for (const auto &[unit, left] : x) {
    const auto found = y.find(unit);
    pairUnit(unit, left, found == y.end() ? kNone : found->second, pairs);
  }
  for (const auto &[unit, right] : y)
    if (!x.contains(unit))
      pairUnit(unit, kNone, right, pairs);
  return pairs;
}

} // namespace

DumpComparison compareDumps(const Dump &before, const Dump &after) {
  DumpComparison result;
  int64_t same = 0, different = 0;
  bool isFirst = true;
  for (const Pair &pair : pairDumps(before, after)) {
    if (pair.same) {
      ++same;
      continue;
    }
    ++different;
    if (!pair.before || !pair.after) {
      result.text += "  only in the " + std::string(pair.before ? "first" : "second") + ": " + plain(pair.title) + "\n";
    } else if (isFirst) {
      result.text += "first difference after " + plain(pair.title) +
                     (pair.unit.empty() ? "" : " of " + plain(pair.unit)) + ":\n" +
                     compareTexts(*pair.before, *pair.after).text;
      isFirst = false;
    } else {
      result.text += "  then " + plain(pair.title) + "\n";
    }
  }
  result.same = different == 0;
  result.text += groupDigits(same) + " texts are the same, " + groupDigits(different) + " differ\n";
  return result;
}

Dump combineDumps(Dump before, Dump after) {
  Dump made;
  made.kind = "comparison of two dumps";
  const std::vector<Pair> pairs = pairDumps(before, after);
  const Pair *first = nullptr;
  for (const Pair &pair : pairs) {
    if (!pair.before || !pair.after) {
      made.notes.push_back("only in the " + std::string(pair.before ? "first" : "second") + ": " + pair.title +
                           (pair.unit.empty() ? "" : " of " + pair.unit));
      continue;
    }
    if (!pair.same && !first)
      first = &pair;
    for (const State *side : {pair.before, pair.after}) {
      State &state = made.states.emplace_back(*side);
      state.pass = pair.pass->pass;
      state.argument = pair.pass->argument;
      state.anchor = pair.pass->anchor;
      state.when = side == pair.before ? State::When::Before : State::When::After;
      state.unit = pair.unit.empty() ? "program" : pair.unit;
      state.where = (side == pair.before ? "first dump, " : "second dump, ") + side->where;
    }
  }
  if (first)
    made.notes.insert(made.notes.begin(),
                      "first difference after " + first->title + (first->unit.empty() ? "" : " of " + first->unit));
  for (Dump *dump : {&before, &after}) {
    for (DumpSource &source : dump->sources)
      made.sources.push_back(std::move(source));
    // Texts stay where they are, for states point into them.
    made.parts.push_back(std::make_shared<Dump>(std::move(*dump)));
  }
  return made;
}

Result<DumpComparison> compareStates(const Dump &dump, const std::string &first, const std::string &second) {
  struct Found {
    const std::string *name;
    const State *state = nullptr;
    size_t runs = 0;
  };
  std::array<Found, 2> sides = {Found{&first}, Found{&second}};
  bool isInput = true;
  walkRuns(dump, [&](Run &&run, const Scan *) {
    for (Found &side : sides) {
      if (isInput && *side.name == "0") {
        side.state = run.before;
        side.runs = 1;
      } else if (isNamed(run, *side.name)) {
        side.state = run.after;
        ++side.runs;
      }
    }
    isInput = false;
  });
  for (const Found &side : sides) {
    if (!side.runs)
      return Error{ErrorCode::NotFound, "no pass '" + *side.name + "' in the dump", "--stat lists the passes"};
    if (side.runs > 1)
      return Error{ErrorCode::InvalidInput, "'" + *side.name + "' ran " + groupDigits(int64_t(side.runs)) + " times",
                   "give a number; --stat lists the passes"};
    if (!side.state)
      return Error{ErrorCode::NotFound,
                   "the dump has no text " +
                       std::string(*side.name == "0" ? "before its first pass" : "after " + *side.name),
                   "dump with --mlir-print-ir-before-all and --mlir-print-ir-after-all"};
  }
  DumpComparison compared = compareTexts(*sides[0].state, *sides[1].state);
  if (compared.same)
    compared.text = "no differences\n";
  return compared;
}

} // namespace mica::passdump
