//===- HelpFormats.cpp - man pages and shell completions from a table of flags -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See HelpFormats.h. What a flag takes is read off the placeholder of its value: 'a|b|c' are choices, '0..3' is a
// range, words in capitals that hold FILE, PATH or LIB are files, those with DIR are folders.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Support/HelpFormats.h"

#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <algorithm>
#include <cctype>

namespace mica {
namespace {

enum class Takes { Text, Choice, File, Folder };

/// What the value of a flag can be.
struct ValueKind {
  Takes takes = Takes::Text;
  std::vector<std::string> choices;
  bool isList = false; ///< several, separated by commas
};

bool isChoice(std::string_view word) {
  bool hasLower = false;
  for (const char c : word) {
    if (!std::islower(static_cast<unsigned char>(c)) && !std::isdigit(static_cast<unsigned char>(c)) && c != '-')
      return false;
    hasLower |= std::islower(static_cast<unsigned char>(c)) != 0;
  }
  return hasLower;
}

ValueKind kindOf(const Flag &flag) {
  ValueKind kind;
  std::string_view value = flag.value;
  if (constexpr std::string_view kMore = ",..."; value.ends_with(kMore)) {
    kind.isList = true;
    value.remove_suffix(kMore.size());
  }
  if (value.size() == 4 && value.substr(1, 2) == "..") {
    kind.takes = Takes::Choice;
    for (char digit = value[0]; digit <= value[3]; ++digit)
      kind.choices.emplace_back(1, digit);
    return kind;
  }
  for (const std::string &word : splitText(value, '|'))
    if (isChoice(word))
      kind.choices.push_back(word);
  if (!kind.choices.empty())
    kind.takes = Takes::Choice;
  else if (value.find("FILE") != value.npos || value.find("PATH") != value.npos || value == "LIB" || value == "RECORD")
    kind.takes = Takes::File;
  else if (value.find("DIR") != value.npos)
    kind.takes = Takes::Folder;
  return kind;
}

/// Flags without what is only an example of one, such as --PASS.
template <typename Visit> void forEachFlag(const HelpPage &page, Visit visit) {
  for (const FlagGroup &group : page.groups)
    for (const Flag &flag : group.flags)
      if (flag.name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 2) == flag.name.npos)
        visit(flag);
}

std::string replaced(std::string_view text, std::string_view from, auto replacement) {
  std::string result;
  for (const char c : text) {
    if (from.find(c) != from.npos)
      result += replacement(c);
    else
      result += c;
  }
  return result;
}

/// `text` in single quotes of a POSIX shell.
std::string shellQuoted(std::string_view text) {
  return "'" + replaced(text, "'", [](char) { return std::string("'\\''"); }) + "'";
}

std::string joined(const std::vector<std::string> &words, std::string_view between) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

/// The name of a shell function.
std::string functionName(std::string_view tool) {
  return "_" + replaced(tool, "-", [](char) { return std::string("_"); });
}

/// A flag as it stands before its value: "--output=", "-O", "--help".
std::string stemOf(const Flag &flag) {
  return std::string(flag.name) + (flag.kind == Flag::Value::Required && !isShortFlag(flag.name) ? "=" : "");
}

/// A shell command that prints the flags of page.flagCommand, one a line; "" without one.
std::string flagListing(const HelpPage &page) {
  return page.flagCommand.empty()
             ? ""
             : std::string(page.flagCommand) + " 2>/dev/null | sed -n 's/^ *\\(--[a-z0-9-]*\\).*/\\1/p'";
}

/// Text of a man page: hyphens as typed, and no line that starts as a request.
std::string manText(std::string_view text) {
  std::string result;
  for (const std::string &line : splitText(text, '\n')) {
    std::string escaped = replaced(line, "\\-", [](char c) { return c == '-' ? std::string("\\-") : "\\e"; });
    if (!escaped.empty() && (escaped[0] == '.' || escaped[0] == '\''))
      escaped.insert(0, "\\&");
    result += escaped + "\n";
  }
  return result;
}

std::string manFlag(const Flag &flag) {
  const auto escaped = [](std::string_view text) {
    std::string line = manText(text);
    line.pop_back();
    return line;
  };
  // A list of alternatives may be wider than a line.
  const std::string value = replaced(escaped(flag.value), "|", [](char c) { return c + std::string("\\:"); });
  std::string line = "\\fB" + escaped(flag.name) + "\\fR";
  const bool isAttached = flag.name == "-O";
  if (flag.kind == Flag::Value::Required)
    line += (isAttached ? "" : isShortFlag(flag.name) ? " " : "=") + ("\\fI" + value + "\\fR");
  else if (flag.kind == Flag::Value::Optional)
    line += "[=\\fI" + value + "\\fR]";
  return line;
}

} // namespace

std::pair<std::string_view, std::string_view> splitBrief(std::string_view help) {
  const size_t end = help.find('\n');
  return end == help.npos ? std::pair(help, std::string_view()) : std::pair(help.substr(0, end), help.substr(end + 1));
}

bool isShortFlag(std::string_view name) { return name.size() == 2 && name[0] == '-' && name[1] != '-'; }

std::string manPage(const HelpPage &page) {
  // One sentence names the page; makewhatis reads it.
  std::string brief(page.overview.substr(0, page.overview.find(". ")));
  brief = replaced(brief.substr(0, brief.find(".\n")), "\n", [](char) { return std::string(" "); });
  if (brief.ends_with('.'))
    brief.pop_back();
  if (!brief.empty())
    brief[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(brief[0])));
  std::string upper(page.tool);
  for (char &c : upper)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text = ".TH " + upper + " 1 \"\" \"Mica " + std::string(version()) + "\" \"Mica\"\n.ad l\n.SH NAME\n";
  text += manText(std::string(page.tool) + " - " + brief);
  text += ".SH SYNOPSIS\n.nf\n" + manText(page.usage) + ".fi\n.SH DESCRIPTION\n" + manText(page.overview);
  text += ".SH OPTIONS\n";
  for (const FlagGroup &group : page.groups) {
    text += ".SS " + manText(group.title);
    for (const Flag &flag : group.flags) {
      const auto [help, details] = splitBrief(flag.help);
      text += ".TP\n" + manFlag(flag) + "\n" + manText(help);
      if (!details.empty())
        text += ".br\n" + manText(details);
    }
  }
  text += ".SH EXIT STATUS\n";
  for (const std::string &line : splitText(page.exitCodes, '\n')) {
    const size_t end = std::min(line.find("  "), line.size()),
                 next = std::min(line.find_first_not_of(' ', end), line.size());
    text += ".TP\n\\fB" + line.substr(0, end) + "\\fR\n" + manText(line.substr(next));
  }
  return text;
}

std::string bashCompletion(const HelpPage &page) {
  const std::string function = functionName(page.tool);
  std::vector<std::string> stems;
  std::string cases;
  forEachFlag(page, [&](const Flag &flag) {
    stems.push_back(stemOf(flag));
    const ValueKind kind = kindOf(flag);
    if (flag.kind == Flag::Value::None || kind.takes == Takes::Text)
      return;
    std::string reply = kind.takes == Takes::Choice ? "-W " + shellQuoted(joined(kind.choices, " "))
                        : kind.takes == Takes::File ? std::string("-f")
                                                    : std::string("-d");
    cases += "    " + std::string(flag.name) + ") COMPREPLY=($(compgen " + reply + " -- \"$value\")) ;;\n";
  });
  const std::string listing = flagListing(page), more = listing.empty() ? "" : "\" $(" + listing + ")\"";
  // '=' splits words in bash (COMP_WORDBREAKS), so the flag is read off the line; what is replaced is what follows '='.
  // A list is completed at its last comma.
  return "# bash completion of " + std::string(page.tool) + ", made by " + std::string(page.tool) + " --help=bash\n" +
         function +
         "() {\n"
         "  local line=\"${COMP_LINE:0:COMP_POINT}\" flag value before=\"\"\n"
         "  local word=\"${line##* }\"\n"
         "  local rest=\"${line% *}\"\n"
         "  local previous=\"${rest##* }\"\n"
         "  COMPREPLY=()\n"
         "  case \"$word\" in\n"
         "    -*=*) flag=\"${word%%=*}\" value=\"${word#*=}\" ;;\n"
         "    -*) COMPREPLY=($(compgen -W " +
         shellQuoted(joined(stems, " ")) + more +
         " -- \"$word\"))\n"
         "      [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
         "      return ;;\n"
         "    *) flag=\"$previous\" value=\"$word\" ;;\n"
         "  esac\n"
         "  [[ $value == *,* ]] && before=\"${value%,*},\" && value=\"${value##*,}\"\n"
         "  case \"$flag\" in\n" +
         cases +
         "    -*) [[ $word == -*=* ]] && return; COMPREPLY=($(compgen -f -- \"$value\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$value\")) ;;\n"
         "  esac\n"
         "  COMPREPLY=(\"${COMPREPLY[@]/#/$before}\")\n"
         "}\n"
         "complete -o filenames -F " +
         function + " " + std::string(page.tool) + "\n";
}

std::string zshCompletion(const HelpPage &page) {
  std::string rows;
  const auto escaped = [](std::string_view text) {
    return replaced(text, "[]:\\", [](char c) { return std::string("\\") + c; });
  };
  forEachFlag(page, [&](const Flag &flag) {
    std::string row = "*" + std::string(flag.name);
    const bool isShort = isShortFlag(flag.name);
    if (flag.kind == Flag::Value::Required)
      row += isShort ? "+" : "=";
    else if (flag.kind == Flag::Value::Optional)
      row += "=-";
    row += "[" + escaped(splitBrief(flag.help).first) + "]";
    if (flag.kind != Flag::Value::None) {
      const ValueKind kind = kindOf(flag);
      row += (flag.kind == Flag::Value::Optional ? "::" : ":") + escaped(flag.value) + ":";
      if (kind.takes == Takes::Choice)
        row += kind.isList ? "_values -s , value " + joined(kind.choices, " ") : "(" + joined(kind.choices, " ") + ")";
      else if (kind.takes == Takes::File)
        row += "_files";
      else if (kind.takes == Takes::Folder)
        row += "_files -/";
      else
        row += " ";
    }
    rows += "  " + shellQuoted(row) + " \\\n";
  });
  const std::string listing = flagListing(page);
  if (!listing.empty())
    rows += "  ${(f)\"$(" + listing + ")\"} \\\n";
  return "#compdef " + std::string(page.tool) + "\n# made by " + std::string(page.tool) +
         " --help=zsh\n_arguments -s \\\n" + rows + "  '*:file:_files'\n";
}

std::string fishCompletion(const HelpPage &page) {
  std::string text =
      "# fish completion of " + std::string(page.tool) + ", made by " + std::string(page.tool) + " --help=fish\n";
  const auto quotedForFish = [](std::string_view word) {
    return "'" + replaced(word, "\\'", [](char c) { return std::string("\\") + c; }) + "'";
  };
  forEachFlag(page, [&](const Flag &flag) {
    const ValueKind kind = kindOf(flag);
    text += "complete -c " + std::string(page.tool);
    text += isShortFlag(flag.name)        ? " -s " + std::string(flag.name.substr(1))
            : flag.name.starts_with("--") ? " -l " + std::string(flag.name.substr(2))
                                          : " -o " + std::string(flag.name.substr(1));
    if (flag.kind != Flag::Value::None) {
      // An optional value follows '=' alone, which fish takes from a flag that needs none.
      if (flag.kind == Flag::Value::Required)
        text += " -r";
      if (kind.takes == Takes::Choice)
        text += " -f -a " + quotedForFish(joined(kind.choices, " "));
      else if (kind.takes == Takes::Folder)
        text += " -f -a '(__fish_complete_directories)'";
      else if (kind.takes == Takes::Text)
        text += " -f";
    }
    text += " -d " + quotedForFish(splitBrief(flag.help).first) + "\n";
  });
  if (const std::string listing = flagListing(page); !listing.empty())
    text += "complete -c " + std::string(page.tool) + " -n 'string match -q -- \"-*\" (commandline -ct)' -a " +
            quotedForFish("(" + listing + ")") + "\n";
  return text;
}

} // namespace mica
