//===- Html.h - pages -----------------------------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Writes self-contained HTML pages: style and script are inline, and the content security policy allows no others, so
// that text of a program that is mistaken for markup cannot load or run anything.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_HTML_H
#define MICA_SUPPORT_HTML_H

#include <string>
#include <string_view>

namespace mica {

/// Escapes `text` for the content of an element or a quoted attribute.
std::string escapeHtml(std::string_view text);

/// The parts of a page. All but the title are raw HTML, CSS and JavaScript.
struct HtmlPage {
  std::string title;
  std::string_view style;
  std::string_view body;
  std::string_view script;
  /// Whether the script may fetch from the page's server.
  bool isServed = false;
};

std::string printHtml(const HtmlPage &page);

} // namespace mica

#endif // MICA_SUPPORT_HTML_H
