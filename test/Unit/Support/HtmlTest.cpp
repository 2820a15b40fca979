//===- HtmlTest.cpp -----------------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Html.h"

#include <gtest/gtest.h>

using namespace mica;

TEST(HtmlTest, EscapesWhatEndsTextOrAnAttribute) {
  EXPECT_EQ(escapeHtml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escapeHtml("\xc3\xa4"), "\xc3\xa4");
}

/// What the policy of `page` allows scripts and styles of.
static std::string nonceOf(const std::string &page) {
  const size_t begin = page.find("script-src 'nonce-") + 18;
  return page.substr(begin, page.find('\'', begin) - begin);
}

TEST(HtmlTest, AllowsNothingButItsOwnStyleAndScript) {
  const std::string page = printHtml({"<x>", "p{}", "<p>y</p>", "run()"});
  const std::string nonce = nonceOf(page);
  EXPECT_GE(nonce.size(), 25u); // 128 bits, of 36 letters each
  EXPECT_NE(page.find("<title>&lt;x&gt;</title>"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce +
                      "'; img-src data:;"),
            std::string::npos);
  EXPECT_NE(page.find("<style nonce=\"" + nonce + "\">\np{}</style>"), std::string::npos);
  EXPECT_NE(page.find("<p>y</p><script nonce=\"" + nonce + "\">\nrun()</script></body></html>\n"), std::string::npos);
  EXPECT_EQ(page.find("connect-src"), std::string::npos);
  HtmlPage served;
  served.isServed = true;
  EXPECT_NE(printHtml(served).find("connect-src 'self'; "), std::string::npos);
}

TEST(HtmlTest, EachPageHasANonceOfItsOwn) {
  EXPECT_NE(nonceOf(printHtml({"a", "", "", ""})), nonceOf(printHtml({"a", "", "", ""})));
}
