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

TEST(HtmlTest, AllowsNothingButItsOwnStyleAndScript) {
  const std::string page = printHtml({"<x>", "p{}", "<p>y</p>", "run()"});
  EXPECT_NE(page.find("<title>&lt;x&gt;</title>"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'; script-src 'nonce-mica'; style-src 'nonce-mica'; img-src data:;"),
            std::string::npos);
  EXPECT_NE(page.find("<style nonce=\"mica\">\np{}</style>"), std::string::npos);
  EXPECT_NE(page.find("<p>y</p><script nonce=\"mica\">\nrun()</script></body></html>\n"), std::string::npos);
  EXPECT_EQ(page.find("connect-src"), std::string::npos);
  HtmlPage served;
  served.isServed = true;
  EXPECT_NE(printHtml(served).find("connect-src 'self'; "), std::string::npos);
}
