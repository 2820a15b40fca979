//===- DiffHtml.cpp - printing a diff as HTML -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PrintDiff.h. A self-contained page that is readable without scripts; a script adds filtering and keyboard
// shortcuts.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/PrintDiff.h"
#include "mica/Support/Html.h"

#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::irtools;

/// Unchanged lines shown around a change.
static constexpr size_t kContext = 5;

static constexpr char kStyle[] =
    R"css(:root { color-scheme: light dark; --bg: #fff; --fg: #1c2024; --soft: #60646c; --line: #d9d9e0; --panel: #f6f6f9;
  --add: #d9f2e0; --del: #fbe0e0; --mark: #0b68cb; }
@media (prefers-color-scheme: dark) { :root { --bg: #111315; --fg: #e7e9ec; --soft: #9ba1a9; --line: #33373c;
  --panel: #1a1d20; --add: #12351f; --del: #421a1c; --mark: #6cb2ff; } }
body { margin: 0; background: var(--bg); color: var(--fg); font: 14px/1.45 system-ui, sans-serif; }
header { position: sticky; top: 0; background: var(--panel); border-bottom: 1px solid var(--line); padding: 8px 16px;
  display: flex; gap: 16px; align-items: baseline; flex-wrap: wrap; z-index: 1; }
h1 { font-size: 16px; margin: 0; } h2 { font-size: 15px; margin: 24px 16px 6px; } p, ul { margin: 6px 16px; }
header p { margin: 0; color: var(--soft); }
input { font: inherit; padding: 2px 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--bg);
  color: var(--fg); min-width: 16em; }
table { border-collapse: collapse; width: calc(100% - 32px); margin: 6px 16px; table-layout: fixed; }
td { font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top;
  padding: 0 6px; }
td.n { width: 4em; text-align: right; color: var(--soft); user-select: none; white-space: nowrap; }
tr.d td.l, tr.c td.l { background: var(--del); } tr.a td.r, tr.c td.r { background: var(--add); }
tr.gap td { border-top: 1px dashed var(--line); height: 6px; padding: 0; }
li code, p code { font: 12px ui-monospace, monospace; } .soft { color: var(--soft); }
a { color: var(--mark); text-decoration: none; } a:hover { text-decoration: underline; }
.stat td { font: inherit; border-bottom: 1px solid var(--line); padding: 2px 8px; white-space: normal; }
.stat { table-layout: auto; width: auto; } .same { color: var(--soft); }
)css";

static constexpr char kScript[] =
    R"js(const box = document.getElementById('filter'), parts = [...document.querySelectorAll('section')];
box.hidden = false;
box.addEventListener('input', () => {
  const word = box.value.toLowerCase();
  for (const part of parts) part.hidden = word && !part.dataset.find.toLowerCase().includes(word);
});
document.addEventListener('keydown', event => {
  if (event.target === box) { if (event.key === 'Escape') box.blur(); return; }
  if (event.key === '/') { box.focus(); event.preventDefault(); return; }
  if (event.key !== 'n' && event.key !== 'p') return;
  const stops = [...document.querySelectorAll('section:not([hidden]) [data-stop]')];
  const top = 60, places = stops.map(stop => stop.getBoundingClientRect().top - top);
  const at = event.key === 'n' ? places.findIndex(y => y > 4) : places.findLastIndex(y => y < -4);
  if (at >= 0) window.scrollBy(0, places[at]);
});
)js";

static std::string escape(llvm::StringRef text) { return escapeHtml(text); }

static std::string titleOf(const Comparison &comparison) {
  return comparison.title.empty() ? comparison.before->name + " → " + comparison.after->name : comparison.title;
}

/// Maximum number of linked places of an equal change.
static constexpr size_t kMostLinks = 60;

static void printGroup(const ModuleDiff &diff, const ChangeGroup &group, size_t section, llvm::raw_ostream &os) {
  const Change &change = diff.changes[group.changes.front()];
  os << "<li>";
  if (group.changes.size() > 1)
    os << "same change in " << group.changes.size() << " places: ";
  os << changeName(change.kind) << " <code>" << escape(change.op) << "</code>";
  const std::string *path = nullptr;
  for (size_t i = 0; i < std::min(group.changes.size(), kMostLinks); ++i) {
    const Change &member = diff.changes[group.changes[i]];
    const Place &place = member.after.exists ? member.after : member.before;
    if (!place.path.empty() && (!path || *path != place.path))
      os << (i ? ";" : "") << " in <code>" << escape(place.path) << "</code>";
    path = &place.path;
    if (place.line)
      os << ", <a href=\"#s" << section << (member.after.exists ? "r" : "l") << place.line << "\">line " << place.line
         << "</a>";
  }
  if (group.changes.size() > kMostLinks)
    os << " and " << group.changes.size() - kMostLinks << " more";
  if (change.nested)
    os << ", with " << change.nested << " inside";
  if (change.rewired)
    os << "; " << change.rewired << (change.kind == ChangeKind::Added ? " uses go through it" : " uses go past it");
  for (const Detail &detail : change.details) {
    os << "<br><span class=\"soft\">" << escape(detail.what) << ":</span> ";
    if (!detail.before.empty())
      os << "<code>" << escape(detail.before) << "</code>";
    os << (detail.before.empty() ? "added " : detail.after.empty() ? " removed" : " → ");
    if (!detail.after.empty())
      os << "<code>" << escape(detail.after) << "</code>";
  }
  if (!change.note.empty())
    os << "<br><span class=\"soft\">" << escape(change.note) << "</span>";
  std::vector<std::string> reasons;
  for (size_t member : group.changes)
    for (const std::string &reason : diff.changes[member].reasons)
      if (!llvm::is_contained(reasons, reason)) {
        reasons.push_back(reason);
        os << "<br><span class=\"soft\">why:</span> " << escape(reason);
      }
  os << "</li>\n";
}

static void printRows(const Comparison &comparison, size_t section, llvm::raw_ostream &os) {
  auto line = [](const ShownText &document, int64_t number) {
    return number > 0 && number <= static_cast<int64_t>(document.text.size()) ? escape(document.text[number - 1]) : "";
  };
  os << "<table>\n";
  for (const Hunk &hunk : findHunks(comparison.rows, kContext)) {
    os << "<tr class=\"gap\" data-stop><td colspan=\"4\"></td></tr>\n";
    for (size_t i = hunk.first; i < hunk.last; ++i) {
      const Row &row = comparison.rows[i];
      const char *kind = row.kind == RowKind::Same      ? ""
                         : row.kind == RowKind::Added   ? " class=\"a\""
                         : row.kind == RowKind::Removed ? " class=\"d\""
                                                        : " class=\"c\"";
      auto number = [&](char side, int64_t value) {
        os << "<td class=\"n\"";
        if (value)
          os << " id=\"s" << section << side << value << "\">" << value;
        else
          os << ">";
        os << "</td>";
      };
      os << "<tr" << kind << ">";
      number('l', row.before);
      os << "<td class=\"l\">" << line(*comparison.before, row.before) << "</td>";
      number('r', row.after);
      os << "<td class=\"r\">" << line(*comparison.after, row.after) << "</td></tr>\n";
    }
  }
  os << "</table>\n";
}

std::string irtools::printDiffHtml(const DiffResult &result, llvm::StringRef title) {
  const std::vector<Comparison> &comparisons = result.comparisons;
  const std::vector<size_t> same = findSameChanges(result);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "<header><h1>" << escape(title) << "</h1>"
     << "<input id=\"filter\" type=\"search\" placeholder=\"filter by pass, kernel or op ( / )\" hidden>"
     << "<p>Ops are paired by what they compute: names, order of attributes and harmless moves are no difference. "
        "n, p: next and previous change.</p></header>\n";
  for (const std::string &line : result.lines)
    os << "<p>" << escape(line) << "</p>\n";
  if (comparisons.size() > 1) {
    os << "<table class=\"stat\">\n";
    for (auto [i, comparison] : llvm::enumerate(comparisons))
      os << "<tr" << (comparison.same() ? " class=\"same\"" : "") << "><td><a href=\"#s" << i << "\">"
         << escape(titleOf(comparison)) << "</a></td><td>" << summarize(comparison) << "</td></tr>\n";
    os << "</table>\n";
  }
  for (auto [i, comparison] : llvm::enumerate(comparisons)) {
    std::string find = titleOf(comparison);
    if (comparison.diff)
      for (const Change &change : comparison.diff->changes)
        find += " " + change.op;
    os << "<section id=\"s" << i << "\" data-find=\"" << escape(find) << "\"><h2>" << escape(titleOf(comparison))
       << ": " << summarize(comparison) << "</h2>\n";
    if (!comparison.fallback.empty())
      os << "<p>Compared as text: <code>" << escape(comparison.fallback) << "</code></p>\n";
    if (same[i] != i) {
      os << "<p>The same changes as in <a href=\"#s" << same[i] << "\">" << escape(titleOf(comparisons[same[i]]))
         << "</a>.</p>\n";
    } else if (!comparison.same()) {
      os << "<p class=\"soft\">" << escape(comparison.before->name) << " → " << escape(comparison.after->name)
         << "</p>\n";
      if (comparison.diff) {
        os << "<ul>\n";
        for (const ChangeGroup &group : comparison.diff->groups)
          printGroup(*comparison.diff, group, i, os);
        os << "</ul>\n";
      }
      printRows(comparison, i, os);
    }
    os << "</section>\n";
  }
  return printHtml({title.str(), kStyle, text, kScript});
}
