//===- Elements.cpp - texts without the elements of constants ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One pass over the text, whichever language it is in: what begins a literal in one means nothing in the others. A
// literal that does not end was cut off by whoever quoted it, and goes as far as what may stand in one.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Elements.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mica::report {

namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kElided = "dense_resource<__elided__>";

bool isHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first);
}

class Elider {
public:
  explicit Elider(std::string_view text) : text(text) {}

  std::string run() {
    for (size_t known = text.npos; at < text.size();) {
      if (isLineStart() && at != known) {
        beginLine();
        known = at;
      } else {
        step();
      }
    }
    copyTo(text.size());
    return std::move(out);
  }

private:
  bool isLineStart() const { return at == 0 || text[at - 1] == '\n'; }

  void step() {
    switch (text[at]) {
    case 'd':
    case 's':
      return literal();
    case '"':
      return blob();
    case '[':
    case '<':
      return aggregate();
    case 'c':
      return characters();
    case '{':
      return braces();
    default:
      ++at;
    }
  }

  std::string_view rest() const { return text.substr(at); }
  /// Of the line that `at` is in, what stands before.
  std::string_view before() const { return text.substr(line, at - line); }
  size_t lineEnd(size_t from) const { return std::min(text.find('\n', from), text.size()); }

  void copyTo(size_t end) {
    out.append(text, copied, end - copied);
    copied = end;
  }
  /// Puts `with` in the place of [begin, end), and the line breaks that were there behind it.
  void replace(size_t begin, size_t end, std::string_view with) {
    copyTo(begin);
    out += with;
    const std::string_view gone = text.substr(begin, end - begin);
    out.append(static_cast<size_t>(std::count(gone.begin(), gone.end(), '\n')), '\n');
    if (const size_t last = gone.rfind('\n'); last != gone.npos)
      line = begin + last + 1;
    copied = at = end;
  }

  /// Behind the quotation mark that closes the string which begins at `from`, escaped quotation marks passed over.
  size_t stringEnd(size_t from) const {
    const bool inJson = from > 0 && text[from - 1] == '\\';
    for (size_t i = from + 1; i < text.size(); ++i)
      if (text[i] == '\\' && !(inJson && i + 1 < text.size() && text[i + 1] == '"'))
        ++i;
      else if (text[i] == '"')
        return i + 1;
      else if (text[i] == '\n')
        return i;
    return text.size();
  }

  /// Whether the quotation mark at `place` begins an element; one behind an element ends the string that all this is
  /// quoted in.
  bool opensString(size_t place) const {
    const size_t last = text.find_last_not_of(" \t\\", place - 1);
    return last != text.npos && std::string_view("[(,<").find(text[last]) != std::string_view::npos;
  }

  /// dense<[..]>, dense<"0x..">, sparse<[..], [..]>
  void literal() {
    const bool isDense = rest().starts_with("dense<");
    if ((!isDense && !rest().starts_with("sparse<[")) || (at > 0 && isWord(text[at - 1]))) {
      ++at;
      return;
    }
    const size_t open = text.find('<', at), first = text.find_first_not_of(" \t\n", open + 1);
    const std::string_view inside = first == text.npos ? std::string_view() : text.substr(first);
    const bool isList = inside.starts_with('['),
               isHexadecimal = inside.starts_with("\"0x") || inside.starts_with("\\\"0x");
    // What the runtime compares with the manifest at load is none of the program's.
    if ((!isList && !isHexadecimal) || before().find(" constant @mica_") != std::string_view::npos) {
      at = open + 1;
      return;
    }
    int depth = 0;
    size_t end = first;
    for (; end < text.size(); ++end) {
      const char c = text[end];
      if (c == '"' && opensString(end))
        end = stringEnd(end) - 1;
      else if (c == '[')
        ++depth;
      else if (c == ']')
        --depth;
      else if (c == '>' && depth == 0)
        return replace(at, end + 1, kElided);
      else if (!isWord(c) && std::string_view(" \t\n.,+-()\\").find(c) == std::string_view::npos)
        break;
    }
    replace(at, end, kElided);
  }

  /// w: "0x04000000...": the bytes of a resource
  void blob() {
    constexpr size_t kShortest = 9;
    size_t end = at + 3;
    if (!rest().starts_with("\"0x")) {
      ++at;
      return;
    }
    while (end < text.size() && isHex(text[end]))
      ++end;
    if (end - at - 3 < kShortest)
      at = end;
    else
      replace(at + 3, end, "...");
  }

  /// [float 1.0, float 2.0] and <i32 1, i32 2> of LLVM IR; [1.0E+0,2.0E+0] behind "ymm0 = " in a comment of assembly
  void aggregate() {
    const char close = text[at] == '[' ? ']' : '>';
    static constexpr std::string_view kElement = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-., ";
    const size_t end = text.find_first_not_of(kElement, at + 1);
    const size_t begin = at++;
    if (end == text.npos || text[end] != close)
      return;
    const std::string_view inside = text.substr(begin + 1, end - begin - 1), front = text.substr(line, begin - line);
    if (isSplat(inside) || front.starts_with("@mica_") || !(isTyped(inside) || isComment(front)))
      return;
    // A mask is code: the last operand.
    if (front.find("shufflevector ") != front.npos &&
        text.substr(end, lineEnd(end) - end).find('<') == std::string_view::npos)
      return;
    at = begin;
    replace(begin + 1, end, "...");
  }
  /// Whether there is one element, or all that are known are the same.
  static bool isSplat(std::string_view elements) {
    std::string_view first;
    while (!elements.empty()) {
      const size_t comma = elements.find(',');
      const std::string_view element = trimmed(elements.substr(0, comma));
      elements = comma == elements.npos ? std::string_view() : elements.substr(comma + 1);
      if (element == "u" || element == first)
        continue;
      if (!first.empty())
        return false;
      first = element;
    }
    return true;
  }
  /// Whether `front` ends with a comment "# ymm0 = ".
  static bool isComment(std::string_view front) {
    const size_t hash = front.rfind("# ");
    return hash != front.npos && front.ends_with(" = ") &&
           std::all_of(front.begin() + std::ptrdiff_t(hash) + 1, front.end() - 3,
                       [](char c) { return isWord(c) || std::string_view(" {}%").find(c) != std::string_view::npos; });
  }
  /// Whether each element has a type before it.
  static bool isTyped(std::string_view elements) {
    while (!elements.empty()) {
      const size_t comma = elements.find(',');
      const std::string_view element = trimmed(elements.substr(0, comma));
      const std::string_view type = element.substr(0, element.find(' '));
      const bool isInteger =
          type.size() > 1 && type[0] == 'i' && type.find_first_not_of("0123456789", 1) == std::string_view::npos;
      if (type.size() == element.size() ||
          !(isInteger || type == "float" || type == "double" || type == "half" || type == "bfloat"))
        return false;
      elements = comma == elements.npos ? std::string_view() : elements.substr(comma + 1);
    }
    return true;
  }

  /// @w = constant [4 x i8] c"..", llvm.mlir.global constant @w("..")
  void characters() {
    const bool isLlvm = rest().starts_with("c\"") && text.substr(line).starts_with("@");
    if (!isLlvm || text.substr(line).starts_with("@mica_")) {
      ++at;
      return;
    }
    replace(at + 2, stringEnd(at + 1) - 1, "...");
  }

  /// .global .align 4 .b8 w[4] = {0, 0, 1, 2}
  void braces() {
    const size_t end = text.find_first_not_of("0123456789abcdefxABCDEFU+-., \t\n", at + 1), begin = at++;
    const std::string_view front = text.substr(line, begin - line);
    if (end == text.npos || text[end] != '}' || !front.ends_with("= ") ||
        !(trimmed(front).starts_with(".global") || trimmed(front).starts_with(".const") ||
          trimmed(front).starts_with(".visible")) ||
        text.substr(begin, end - begin).find(',') == std::string_view::npos)
      return;
    at = begin;
    replace(begin + 1, end, "...");
  }

  /// What a line of assembly or of the LLVM dialect begins with. A run of data of more than one element is elided as a
  /// whole.
  void beginLine() {
    line = at;
    const std::string_view now = text.substr(at, lineEnd(at) - at);
    if (const std::string_view code = trimmed(now); code.starts_with("llvm.mlir.global ")) {
      const size_t open = code.find("(\"");
      const size_t name = code.find('@');
      if (open != code.npos && name < open && !code.substr(name).starts_with("@mica_")) {
        const size_t begin = static_cast<size_t>(code.data() - text.data()) + open + 1;
        replace(begin + 1, stringEnd(begin) - 1, "...");
      }
      return;
    }
    if (!now.starts_with('\t') && !now.starts_with('.') && !now.starts_with(' ')) {
      if (const size_t colon = now.find(':');
          colon != now.npos && std::all_of(now.begin(), now.begin() + std::ptrdiff_t(colon),
                                           [](char c) { return isWord(c) || c == '.' || c == '$'; }))
        label = now.substr(0, colon);
      return;
    }
    const std::string_view code = trimmed(now);
    if (now.starts_with('.') && now.find(':') != now.npos)
      label = now.substr(0, now.find(':'));
    else if (code.starts_with(".section") || code == ".text" || code == ".data" || code == ".bss")
      section = trimmed(code.substr(code.starts_with(".section") ? 8 : 0));
    else if (isData(now))
      data();
  }

  /// The operands of a directive that lays down numbers or characters; an empty text where `now` is none.
  static std::string_view operands(std::string_view now) {
    static constexpr std::array<std::string_view, 19> kDirectives = {
        ".byte",  ".2byte", ".4byte", ".8byte", ".short",  ".value",  ".hword", ".word",  ".int",   ".long",
        ".xword", ".quad",  ".octa",  ".float", ".single", ".double", ".ascii", ".asciz", ".string"};
    const std::string_view code = trimmed(now);
    const size_t end = code.find_first_of(kBlanks);
    if (end == code.npos || std::find(kDirectives.begin(), kDirectives.end(), code.substr(0, end)) == kDirectives.end())
      return {};
    const std::string_view given = trimmed(code.substr(end));
    // Others are addresses.
    const bool isNumber = !given.empty() && (given[0] == '-' || (given[0] >= '0' && given[0] <= '9'));
    return isNumber || given.starts_with('"') ? given : std::string_view();
  }
  static bool isData(std::string_view now) { return !operands(now).empty(); }

  void data() {
    const bool isKept = label.starts_with("mica_") || section.starts_with(".debug") || section.starts_with(".note") ||
                        section.starts_with(".eh_frame");
    size_t end = at;
    std::string elements;
    bool hasText = false;
    while (end < text.size()) {
      const std::string_view given = operands(text.substr(end, lineEnd(end) - end));
      if (given.empty())
        break;
      hasText |= given[0] == '"';
      elements.append(elements.empty() ? "" : ",").append(given.substr(0, given.find_first_of("#;\t ")));
      end = std::min(lineEnd(end) + 1, text.size());
    }
    if (!isKept && (hasText || !isSplat(elements)))
      while (at < end) {
        const std::string_view given = operands(text.substr(at, lineEnd(at) - at));
        const size_t begin = static_cast<size_t>(given.data() - text.data());
        replace(begin, begin + given.size(), "...");
        if (at < text.size())
          ++at;
      }
    else
      at = end;
    line = at;
  }

  std::string_view text;
  std::string out;
  size_t at = 0, copied = 0, line = 0;
  std::string_view label, section; ///< of assembly
};

} // namespace

std::string elideElements(std::string_view text) { return Elider(text).run(); }

} // namespace mica::report
