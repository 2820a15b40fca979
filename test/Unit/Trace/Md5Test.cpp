//===- Md5Test.cpp - the hash of payloads ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The vectors of RFC 1321, and every length around a block's end.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Md5.h"

#include <gtest/gtest.h>

using namespace mica::trace;

namespace {

std::string hash(std::string_view text) { return hexDigits(md5(text)); }

TEST(Md5Test, VectorsOfTheStandard) {
  EXPECT_EQ(hash(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(hash("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(hash("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(hash("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Md5Test, LengthsAroundABlock) {
  // From md5sum.
  EXPECT_EQ(hash(std::string(55, 'x')), "04364420e25c512fd958a70738aa8f72");
  EXPECT_EQ(hash(std::string(56, 'x')), "668a72d5ba17f08e62dabcafad6db14b");
  EXPECT_EQ(hash(std::string(64, 'x')), "c1bb4f81d892b2d57947682aeb252456");
  EXPECT_EQ(hash(std::string(1000, 'x')), "398533d48111e9f664b1f64cb10c4b63");
}

TEST(Md5Test, ADigestIsReadAsItIsPrinted) {
  Digest digest;
  ASSERT_TRUE(parseDigest("0cc175b9c0f1b6a831c399e269772661", digest));
  EXPECT_EQ(digest, md5("a"));
  EXPECT_FALSE(parseDigest("0cc175b9c0f1b6a831c399e26977266", digest));
  EXPECT_FALSE(parseDigest("0CC175B9C0F1B6A831C399E269772661", digest));
}

} // namespace
