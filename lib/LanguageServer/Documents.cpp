//===- Documents.cpp - the texts that the editor has open -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Documents.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/LanguageServer/Documents.h"

#include <algorithm>
#include <charconv>
#include <vector>

using namespace mica;
using namespace mica::languageserver;

std::optional<std::filesystem::path> languageserver::pathOf(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme))
    return std::nullopt;
  uri.remove_prefix(std::min(uri.find('/', kScheme.size()), uri.size())); // a host
  std::string path;
  for (size_t at = 0; at < uri.size(); ++at) {
    unsigned code = 0;
    const std::string_view digits = uri.substr(at + 1, 2);
    if (uri[at] == '%' && digits.size() == 2 &&
        std::from_chars(digits.data(), digits.data() + 2, code, 16).ptr == digits.data() + 2) {
      path += static_cast<char>(code);
      at += 2;
    } else {
      path += uri[at];
    }
  }
  return path;
}

std::string languageserver::uriOf(const std::filesystem::path &path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path.string()) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        std::string_view("/-._~").find(c) != std::string_view::npos)
      uri += c;
    else
      uri.append("%").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
  }
  return uri;
}

size_t languageserver::unitsOf(std::string_view text) {
  size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;        // the first byte of a character
    units += byte >= 0xF0 && byte <= 0xF7; // beyond 16 bits: two units
  }
  return units;
}

static std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t next = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, next - at));
    at = next + 1;
  }
  return lines;
}

Json languageserver::lineEdits(std::string_view before, std::string_view after) {
  Json edits = Json::array();
  const std::vector<std::string_view> old = linesOf(before), now = linesOf(after);
  auto edit = [&](size_t line, size_t from, size_t endLine, size_t to, std::string_view text) {
    const Json start = {{"line", line}, {"character", from}}, end = {{"line", endLine}, {"character", to}};
    edits.push_back({{"range", {{"start", start}, {"end", end}}}, {"newText", text}});
  };
  constexpr std::string_view kBlanks = " \t\r\f\v";
  auto indentOf = [&](std::string_view line) { return std::min(line.find_first_not_of(kBlanks), line.size()); };
  const size_t common = std::min(old.size(), now.size());
  for (size_t line = 0; line < common; ++line) {
    const size_t indent = indentOf(old[line]), newIndent = indentOf(now[line]);
    const std::string_view rest = old[line].substr(indent), newRest = now[line].substr(newIndent);
    const std::string_view body = rest.substr(0, rest.find_last_not_of(kBlanks) + 1);
    const std::string_view tail = rest.substr(body.size()),
                           newTail = newRest.substr(std::min(body.size(), newRest.size()));
    if (old[line].substr(0, indent) != now[line].substr(0, newIndent))
      edit(line, 0, line, indent, now[line].substr(0, newIndent));
    if (tail != newTail)
      edit(line, indent + unitsOf(body), line, indent + unitsOf(rest), newTail);
  }
  if (now.size() > old.size())
    edit(common - 1, unitsOf(old.back()), common - 1, unitsOf(old.back()), "\n");
  else if (old.size() > now.size()) // spaces behind the last line break
    edit(common, 0, old.size() - 1, unitsOf(old.back()), "");
  return edits;
}

void Documents::notify(std::string_view method, const Json &params) {
  const Json document = params.value("textDocument", Json::object());
  const std::string uri = document.value("uri", "");
  if (method == "textDocument/didOpen") {
    texts[uri] = document.value("text", "");
  } else if (method == "textDocument/didClose") {
    texts.erase(uri);
  } else if (method == "textDocument/didChange") {
    for (const Json &change : params.value("contentChanges", Json::array()))
      texts[uri] = change.value("text", "");
  }
}

const std::string *Documents::find(const std::string &uri) const {
  const auto found = texts.find(uri);
  return found == texts.end() ? nullptr : &found->second;
}
