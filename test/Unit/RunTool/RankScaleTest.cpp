//===- RankScaleTest.cpp - the model of many ranks -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/RankScale.h"

#include "gtest/gtest.h"

#include <cmath>

namespace mica::bench {
namespace {

TEST(RankScale, LinksAreRead) {
  const Result<std::vector<Link>> links = parseLinks("8:1us:300GB/s,5us:200Gbit/s");
  ASSERT_TRUE(links);
  ASSERT_EQ(links->size(), 2u);
  EXPECT_EQ((*links)[0].ranks, 8);
  EXPECT_DOUBLE_EQ((*links)[0].latencyNs, 1000);
  EXPECT_DOUBLE_EQ((*links)[0].nsPerByte, 1 / 300.0);
  EXPECT_EQ((*links)[1].ranks, 0);
  EXPECT_DOUBLE_EQ((*links)[1].nsPerByte, 1 / 25.0);
  for (const char *wrong : {"", "5us", "5:25GB/s", "5us:25", "0us:25GB/s", "8:1us:300GB/s,12:5us:25GB/s",
                            "5us:25GB/s,8:1us:1GB/s", "x:1us:1GB/s"})
    EXPECT_FALSE(parseLinks(wrong)) << wrong;
}

TEST(RankScale, CountsAreRead) {
  EXPECT_EQ(*parseRankCounts("8..64"), (std::vector<int64_t>{8, 16, 32, 64}));
  EXPECT_EQ(*parseRankCounts("3,12"), (std::vector<int64_t>{3, 12}));
  EXPECT_FALSE(parseRankCounts("8..4"));
  EXPECT_FALSE(parseRankCounts("0"));
}

TEST(RankScale, ExchangesTakeWhatTheirAlgorithmsDo) {
  const std::vector<Link> link{{0, 1000, 0.5}};
  // Nothing with oneself.
  EXPECT_EQ(exchangeNs("all_reduce", 1e6, 1, link), 0);
  EXPECT_DOUBLE_EQ(exchangeNs("shift", 100, 4, link), 1000 + 50);
  // Few bytes: a tree of log2(8) steps; many: each byte twice, but for an eighth.
  EXPECT_DOUBLE_EQ(exchangeNs("all_reduce", 8, 8, link), 3 * (1000 + 4));
  EXPECT_DOUBLE_EQ(exchangeNs("all_reduce", 8e6, 8, link), 6 * 1000 + 2 * 7e6 * 0.5);
  EXPECT_DOUBLE_EQ(exchangeNs("all_gather", 8e6, 8, link), 3 * 1000 + 7e6 * 0.5);
  EXPECT_DOUBLE_EQ(exchangeNs("reduce_scatter", 8e6, 8, link), 3 * 1000 + 7e6 * 0.5);
  EXPECT_DOUBLE_EQ(exchangeNs("all_to_all", 8e6, 8, link), 7 * 1000 + 7e6 * 0.5);
  // Between groups of 8, an eighth of the bytes.
  const std::vector<Link> levels{{8, 1000, 0.5}, {0, 5000, 4}};
  EXPECT_DOUBLE_EQ(exchangeNs("all_reduce", 8e6, 16, levels), 6 * 1000 + 2 * 7e6 * 0.5 + 5000 + 1e6 * 4);
  EXPECT_DOUBLE_EQ(exchangeNs("all_reduce", 8e6, 8, levels), exchangeNs("all_reduce", 8e6, 8, link));
}

TEST(RankScale, ALinkIsFoundAgain) {
  const std::vector<Link> link{{0, 2500, 0.125}};
  std::vector<MeasuredExchange> measured;
  for (const double bytes : {64.0, 4096.0, 1e6})
    for (const char *kind : {"all_gather", "shift"})
      measured.push_back({kind, bytes, exchangeNs(kind, bytes, 4, link), 4});
  const Link found = fitLink(measured);
  EXPECT_NEAR(found.latencyNs, 2500, 1);
  EXPECT_NEAR(found.nsPerByte, 0.125, 1e-4);
  // One size says nothing of bytes.
  EXPECT_NEAR(fitLink({measured[0]}).latencyNs, exchangeNs("all_gather", 64, 4, link) / 2, 1);
}

TEST(RankScale, ForecastsNameWhatDominatesAndABetterWay) {
  Profile profile;
  profile.ranks = 4;
  profile.rows = 16;
  profile.steps = {
      {"up", "a", "", 1000000, 0, true}, {"sum", "b", "all_reduce", 0, 4e6, true}, {"norm", "c", "", 10000, 0, false}};
  const std::vector<Link> links{{0, 1000, 0.1}};
  const Forecast one = forecast(profile, 1, 1, links);
  EXPECT_DOUBLE_EQ(one.kernelNs, 4010000);
  EXPECT_EQ(one.exchangeNs, 0);
  const Forecast many = forecast(profile, 64, 1, links);
  EXPECT_DOUBLE_EQ(many.kernelNs, 1000000.0 * 4 / 64 + 10000);
  EXPECT_EQ(many.dominating, "all_reduce of b");
  EXPECT_DOUBLE_EQ(many.dominatingNs, many.exchangeNs);
  ASSERT_EQ(many.layers.size(), 2u);
  EXPECT_DOUBLE_EQ(many.layers[0].exchangeNs, many.exchangeNs);
  EXPECT_DOUBLE_EQ(many.layers[1].kernelNs, 10000);
  // Sixteen copies that share the rows exchange a sixteenth each, among four.
  const Forecast best = bestForecast(profile, 64, links);
  EXPECT_EQ(best.tensor * best.data, 64);
  EXPECT_EQ(best.data, 16);
  EXPECT_LT(best.totalNs(), many.totalNs());
  const std::string text = forecastText(profile, {8, 64}, links);
  EXPECT_NE(text.find("4 x tensors, 16 x rows"), std::string::npos) << text;
  EXPECT_NE(text.find("all_reduce of b"), std::string::npos) << text;
  EXPECT_NE(text.find("layers with 64 ranks"), std::string::npos) << text;
}

} // namespace
} // namespace mica::bench
