//===- VerdictPage.cpp - a report of mica-bisect as a page --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See VerdictPage.h. No script: what there is to see fits a page.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Verdict/VerdictPage.h"

#include "lib/Support/Json.h"
#include "mica/Support/Files.h"
#include "mica/Support/Html.h"
#include "mica/Support/Schemas.h"

#include <algorithm>
#include <vector>

namespace fs = std::filesystem;

namespace mica::report {

namespace page {
extern const std::string_view k_style_css;
} // namespace page

namespace {

constexpr std::string_view kVerdictFile = "verdict.json";

/// Beyond the style of all reports.
constexpr std::string_view kStyle = R"(
main { padding: 14px 20px 60px; max-width: 1500px; margin: auto; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 8px 12px; overflow-x: auto; margin: 4px 0 10px; }
pre .gone, pre .came { display: inline-block; min-width: 100%; } pre .gone { background: var(--del); } pre .came { background: var(--add); }
.kind { font-weight: 650; } .kind.bad { color: var(--failed); } .kind.good { color: var(--ok); } .kind.open { color: var(--restarted); }
h3 { font-size: 13px; margin: 10px 0 2px; color: var(--soft); } ul { margin: 4px 0; padding-left: 20px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; margin: 8px 0; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
)";

/// Lines are compared in full up to this many on both sides; else by whether the other side has the line at all.
constexpr size_t kMostCompared = 3000;

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Which lines of each side the other one does not have, in order.
std::pair<std::vector<bool>, std::vector<bool>> differing(const std::vector<std::string_view> &a,
                                                          const std::vector<std::string_view> &b) {
  std::vector<bool> gone(a.size()), came(b.size());
  if (a.size() > kMostCompared || b.size() > kMostCompared) {
    for (size_t i = 0; i < a.size(); ++i)
      gone[i] = std::find(b.begin(), b.end(), a[i]) == b.end();
    for (size_t i = 0; i < b.size(); ++i)
      came[i] = std::find(a.begin(), a.end(), b[i]) == a.end();
    return {gone, came};
  }
  // The longest common subsequence of what follows each pair of lines.
  std::vector<std::vector<uint16_t>> common(a.size() + 1, std::vector<uint16_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      gone[i++] = true;
    } else {
      came[j++] = true;
    }
  }
  return {gone, came};
}

std::string marked(const std::vector<std::string_view> &lines, const std::vector<bool> &marks, std::string_view how) {
  std::string text = "<pre>";
  for (size_t i = 0; i < lines.size(); ++i)
    text += marks[i] ? "<span class=" + std::string(how) + ">" + escapeHtml(lines[i]) + "</span>\n"
                     : escapeHtml(lines[i]) + "\n";
  return text + "</pre>";
}

std::string pre(std::string_view text) { return "<pre>" + escapeHtml(text) + "</pre>"; }

class Page {
public:
  Page(const Json &json, JsonCursor root) : json(json), root(root) {}

  std::string print() {
    const std::string kind = root.field("verdict").string();
    const bool isGood = kind == "same" || kind == "rounding";
    body = "<main><h1><span class=\"kind " +
           std::string(isGood                   ? "good"
                       : kind == "inconclusive" ? "open"
                                                : "bad") +
           "\">" + escapeHtml(kind) + "</span> " + escapeHtml(root.field("headline").string()) + "</h1>";
    body += "<dl>";
    row("program", root.field("program").string());
    if (root.has("culprit") && root.field("culprit").has("pass"))
      culpritRows(root.field("culprit"));
    row("pipeline", root.field("pipeline").string());
    body += "</dl>";
    place("It begins at", "origin");
    place("Because of", "cause");
    place("It becomes visible at", "visible");
    outcomes();
    if (root.has("culprit") && root.field("culprit").has("pass"))
      states(root.field("culprit"));
    list("Evidence", "evidence");
    list("Ruled out", "ruled_out");
    return body + "</main>";
  }

private:
  void row(std::string_view name, const std::string &value) {
    if (!value.empty())
      body += "<dt>" + std::string(name) + "</dt><dd class=mono>" + escapeHtml(value) + "</dd>";
  }
  void culpritRows(JsonCursor culprit) {
    const std::string occurrence = culprit.field("occurrence").string();
    row("pass", culprit.field("pass").string() + " (" + std::to_string(culprit.field("position").integer()) + " of " +
                    std::to_string(culprit.field("passes").integer()) + (occurrence.empty() ? "" : ", " + occurrence) +
                    ")");
    std::string functions;
    for (const std::string &function : culprit.field("functions").strings())
      functions += (functions.empty() ? "" : ", ") + function;
    row("functions", functions);
    row("pass alone", culprit.field("pipeline").string());
    const int64_t given = culprit.field("ops").integer(), reduced = culprit.field("reduced_ops").integer();
    if (reduced > 0)
      row("input", std::to_string(reduced) + " ops, reduced from " + std::to_string(given));
  }
  void place(std::string_view title, std::string_view key) {
    if (!root.has(key) || !root.field(key).has("what"))
      return;
    const JsonCursor at = root.field(key);
    body += "<div class=alarm><b>" + std::string(title) + "</b> " + escapeHtml(at.field("location").string()) +
            " <code>" + escapeHtml(at.field("op").string()) + "</code> " + escapeHtml(at.field("what").string()) +
            "</div>";
  }
  /// "" where there is null.
  std::string text(std::string_view key) const {
    auto it = json.find(key);
    return it != json.end() && it->is_string() ? it->get<std::string>() : "";
  }
  void outcomes() {
    const std::string expected = text("expected"), actual = text("actual");
    if (expected.empty() && actual.empty())
      return;
    body += "<h2>What the program computes</h2><div class=cols>";
    if (actual.empty()) {
      body += "<div><h3>as written</h3>" + pre(expected) + "</div>";
    } else {
      const std::vector<std::string_view> a = linesOf(expected), b = linesOf(actual);
      const auto [gone, came] = differing(a, b);
      body += "<div><h3>expected</h3>" + marked(a, gone, "gone") + "</div><div><h3>actual</h3>" +
              marked(b, came, "came") + "</div>";
    }
    body += "</div>";
    if (root.has("culprit") && root.field("culprit").has("difference"))
      if (const std::string why = root.field("culprit").field("difference").string(); !why.empty())
        body += pre(why);
  }
  void states(JsonCursor culprit) {
    const std::string before = culprit.field("before").string(), after = culprit.field("after").string();
    if (before.empty())
      return;
    body += "<h2>What the pass does</h2><div class=cols>";
    const std::vector<std::string_view> a = linesOf(before), b = linesOf(after);
    auto [gone, came] = differing(a, b);
    if (after.empty())
      gone.assign(a.size(), false);
    body += "<div><h3>before</h3>" + marked(a, gone, "gone") + "</div>";
    if (!after.empty())
      body += "<div><h3>after</h3>" + marked(b, came, "came") + "</div>";
    body += "</div>";
  }
  void list(std::string_view title, std::string_view key) {
    const std::vector<std::string> lines = root.has(key) ? root.field(key).strings() : std::vector<std::string>();
    if (lines.empty())
      return;
    body += "<h2>" + std::string(title) + "</h2><ul>";
    for (const std::string &line : lines)
      body += "<li>" + escapeHtml(line) + "</li>";
    body += "</ul>";
  }

  const Json &json;
  JsonCursor root;
  std::string body;
};

} // namespace

bool isVerdict(const fs::path &path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? fs::exists(path / kVerdictFile, ignored) : path.filename() == kVerdictFile;
}

Result<std::string> verdictPage(const fs::path &path) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(path, ignored) ? path / kVerdictFile : path;
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file.string()));
  JsonReport report{file.string(), "mica-bisect writes it", {}};
  const JsonCursor root(document.root(), report);
  if (const std::string format = root.field("format").string();
      !report.failure && format != schemaFormat(Schema::Verdict))
    return Error{ErrorCode::Damaged,
                 file.string() + ": its format is '" + format + "', expected '" +
                     std::string(schemaFormat(Schema::Verdict)) + "'",
                 report.hint};
  const std::string body = Page(document.root(), root).print();
  if (report.failure)
    return *report.failure;
  const std::string style = std::string(page::k_style_css) + std::string(kStyle);
  return printHtml({"mica-bisect: " + root.field("verdict").string(), style, body, "", false});
}

} // namespace mica::report
