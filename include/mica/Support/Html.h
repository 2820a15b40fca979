//===- Html.h - pages -----------------------------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every page that Mica writes is one file, which a browser shows without network: its style and script are in it, and
// its policy allows no others. So a text from a program that were markup by mistake could still load and run nothing.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_HTML_H
#define MICA_SUPPORT_HTML_H

#include <string>
#include <string_view>

namespace mica {

/// `text` as the content of an element or of an attribute in quotes.
std::string escapeHtml(std::string_view text);

/// The parts of a page. All but the title are HTML, CSS and JavaScript as they stand.
struct HtmlPage {
  std::string title;
  std::string_view style;
  std::string_view body;
  std::string_view script;
  /// Whether the script may read from the server that the page came from.
  bool isServed = false;
};

std::string printHtml(const HtmlPage &page);

} // namespace mica

#endif // MICA_SUPPORT_HTML_H
