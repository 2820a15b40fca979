//===- Html.cpp - HTML pages --------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Html.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Html.h"

#include "lib/Support/FileDescriptor.h"

std::string mica::escapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text)
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  return out;
}

std::string mica::printHtml(const HtmlPage &page) {
  // Unique to this page, so that injected markup cannot contain it.
  const std::string nonce = randomSuffix() + randomSuffix() + randomSuffix();
  std::string text = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-" +
                     nonce + "'; style-src 'nonce-" + nonce + "'; ";
  text += page.isServed ? "connect-src 'self'; " : "";
  text += "img-src data:; base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"referrer\" "
          "content=\"no-referrer\">\n<title>";
  text += escapeHtml(page.title);
  text += "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style nonce=\"" + nonce + "\">\n";
  text += page.style;
  text += "</style></head>\n<body>\n";
  text += page.body;
  text += "<script nonce=\"" + nonce + "\">\n";
  text += page.script;
  text += "</script></body></html>\n";
  return text;
}
