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

std::string printChanges(const Dump &dump, const std::string &pass, size_t &found, size_t &changed) {
  std::string text;
  found = changed = 0;
  walkRuns(dump, [&](Run &&run, const Scan *) {
    if (!pass.empty() && !isNamed(run, pass))
      return;
    ++found;
    changed += run.changed;
    if (pass.empty() && !run.changed)
      return;
    text += "==== " + (run.unit.empty() ? "" : plain(run.unit) + ": ") + runTitle(run) + ": " + runSummary(run) + "\n";
    if (run.difference)
      text += changesText(*run.difference);
  });
  return text;
}

DumpComparison compareDumps(const Dump &before, const Dump &after) {
  struct Kept {
    std::string title, unit;
    const State *state;
    uint64_t deep = 0;
    Language language = Language::Other;
  };
  auto collect = [](const Dump &dump) {
    std::map<std::string, std::vector<Kept>> units;
    walkRuns(dump, [&](Run &&run, const Scan *scan) {
      if (!run.after || !scan)
        return;
      // Units are paired by their names without numbers, or by their order.
      const std::string on = run.on.find('@') == std::string::npos ? "" : run.on.substr(run.on.find('@'));
      Kept kept{(run.state->argument.empty() ? run.state->pass : run.state->argument) + (on.empty() ? "" : " on " + on),
                run.unit, run.after, 0, run.after->language};
      kept.deep = kept.language == Language::Other ? 0 : scan->deep();
      units[run.unit.substr(0, run.unit.find('#'))].push_back(std::move(kept));
    });
    return units;
  };
  const auto x = collect(before), y = collect(after);
  DumpComparison result;
  int64_t same = 0, different = 0;
  auto differ = [](const Kept &p, const Kept &q) {
    return p.language != q.language ||
           (p.language == Language::Other ? p.state->text != q.state->text : p.deep != q.deep);
  };
  bool isFirst = true;
  for (const auto &[unit, left] : x) {
    const auto found = y.find(unit);
    if (found == y.end()) {
      result.text += plain(unit.empty() ? "the program" : unit) + " only in the first\n";
      ++different;
      continue;
    }
    const std::vector<Kept> &right = found->second;
    size_t i = 0, j = 0;
    while (i < left.size() || j < right.size()) {
      // A pass of one side alone is skipped where the other side has the next one.
      if (i < left.size() && j < right.size() && left[i].title != right[j].title) {
        size_t ahead = j;
        while (ahead < right.size() && ahead - j < 1000 && right[ahead].title != left[i].title)
          ++ahead;
        const bool isInRight = ahead < right.size() && right[ahead].title == left[i].title;
        result.text += "  only in the " +
                       std::string(isInRight ? "second: " + plain(right[j].title) : "first: " + plain(left[i].title)) +
                       "\n";
        ++different;
        isInRight ? ++j : ++i;
        continue;
      }
      if (i == left.size() || j == right.size()) {
        result.text +=
            "  only in the " +
            std::string(i == left.size() ? "second: " + plain(right[j].title) : "first: " + plain(left[i].title)) +
            "\n";
        ++different;
        i == left.size() ? ++j : ++i;
        continue;
      }
      const Kept &p = left[i++], &q = right[j++];
      if (!differ(p, q)) {
        ++same;
        continue;
      }
      ++different;
      if (isFirst) {
        result.text += "first difference after " + plain(p.title) + (unit.empty() ? "" : " of " + plain(unit)) + ":\n";
        result.text += compareTexts(*p.state, *q.state).text;
      } else {
        result.text += "  then " + plain(p.title) + "\n";
      }
      isFirst = false;
    }
  }
  for (const auto &[unit, right] : y)
    if (!x.contains(unit)) {
      result.text += plain(unit.empty() ? "the program" : unit) + " only in the second\n";
      ++different;
    }
  result.same = different == 0;
  result.text += groupDigits(same) + " texts are the same, " + groupDigits(different) + " differ\n";
  return result;
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
