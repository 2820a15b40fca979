//===- Base64Test.cpp - bytes as text -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The vectors of RFC 4648, every byte, and everything that is no base64.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Base64.h"

#include <gtest/gtest.h>

using namespace mica;

TEST(Base64Test, TheVectorsOfTheStandard) {
  const std::pair<std::string_view, std::string_view> kVectors[] = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto &[bytes, text] : kVectors) {
    EXPECT_EQ(encodeBase64(bytes), text);
    EXPECT_EQ(decodeBase64(text), bytes);
  }
}

TEST(Base64Test, EveryByteComesBackWithLinesOrWithout) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i)
    bytes += static_cast<char>(i * 7);
  for (const size_t length : {size_t(0), size_t(4), size_t(76)})
    EXPECT_EQ(decodeBase64(encodeBase64(bytes, length)), bytes);
  EXPECT_EQ(encodeBase64("foobar", 4), "Zm9v\nYmFy");
}

TEST(Base64Test, NothingElseIsTaken) {
  for (const char *text :
       {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "=Zg=", "Zg==Zg==", "Zg=g", "Zm9v!", "Zm9v Zm9v", "Zm9\xff"})
    EXPECT_FALSE(decodeBase64(text)) << text;
}
