//===- BenchTest.cpp - what mica-bench says of samples and of assembly --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/Mca.h"
#include "lib/RunTool/Bench/Result.h"
#include "lib/RunTool/Bench/Statistics.h"
#include "lib/RunTool/Bench/Tables.h"
#include "mica/Support/Files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace mica::bench {
namespace {

TEST(StatisticsTest, SummaryIsByOrder) {
  const Summary summary = summarize({5, 1, 3, 2, 4});
  EXPECT_EQ(summary.median, 3);
  EXPECT_EQ(summary.fastest, 1);
  EXPECT_EQ(summary.slowest, 5);
  EXPECT_EQ(summary.firstQuartile, 2);
  EXPECT_EQ(summary.thirdQuartile, 4);
  EXPECT_EQ(summarize({7, 9}).median, 8);
  EXPECT_EQ(summarize({}).median, 0);
}

/// The share of intervals of medians that hold the true one.
TEST(StatisticsTest, IntervalsHoldTheMedianNineteenTimesInTwenty) {
  std::mt19937 draw(3);
  std::lognormal_distribution<double> times(0, 1); // with median 1 and a long tail
  int held = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> samples(31);
    for (double &sample : samples)
      sample = times(draw);
    const Summary summary = summarize(samples);
    held += summary.low <= 1 && 1 <= summary.high;
  }
  EXPECT_GE(held, 1880);
  EXPECT_LE(held, 1990);
}

/// The exact probability, by all ways to choose which samples are of the first program.
double exactProbability(const std::vector<double> &first, const std::vector<double> &second) {
  std::vector<double> all = first;
  all.insert(all.end(), second.begin(), second.end());
  const auto statistic = [&](const std::vector<bool> &isFirst) {
    double u = 0;
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = 0; j < all.size(); ++j)
        if (isFirst[i] && !isFirst[j])
          u += all[i] > all[j] ? 1 : all[i] == all[j] ? 0.5 : 0;
    return std::abs(u - static_cast<double>(first.size() * second.size()) / 2);
  };
  std::vector<bool> choice(all.size(), false);
  std::fill(choice.begin(), choice.begin() + static_cast<long>(first.size()), true);
  const double found = statistic(choice);
  int asMuch = 0, ways = 0;
  do {
    asMuch += statistic(choice) >= found;
    ++ways;
  } while (std::prev_permutation(choice.begin(), choice.end()));
  return static_cast<double>(asMuch) / ways;
}

TEST(StatisticsTest, ProbabilityIsNearTheExactOne) {
  std::mt19937 draw(5);
  for (int i = 0; i < 40; ++i) {
    std::vector<double> first(6), second(7);
    for (double &sample : first)
      sample = static_cast<double>(draw() % 12);
    for (double &sample : second)
      sample = static_cast<double>(draw() % 12 + i % 8);
    EXPECT_NEAR(compareSamples(first, second).probability, exactProbability(first, second), 0.04) << i;
  }
}

TEST(StatisticsTest, SlowerByTwoPercentIsShownAndSamplesOfOneProgramDoNotDiffer) {
  std::mt19937 draw(7);
  std::lognormal_distribution<double> times(0, 0.01);
  const auto samples = [&](double factor) {
    std::vector<double> values(80);
    for (double &value : values)
      value = factor * times(draw);
    return values;
  };
  int slower = 0, faster = 0, none = 0;
  for (int i = 0; i < 12; ++i) {
    slower += compareSamples(samples(1), samples(1.02)).verdict == 1;
    faster += compareSamples(samples(1.02), samples(1)).verdict == -1;
    none += compareSamples(samples(1), samples(1)).verdict == 0;
  }
  EXPECT_EQ(slower, 12);
  EXPECT_EQ(faster, 12);
  EXPECT_EQ(none, 12);
  EXPECT_EQ(compareSamples({1, 1, 1}, {9, 9, 9}).verdict, 0) << "three samples show nothing";
}

TEST(AssemblyTest, InnermostLoopsAreFoundWithTheirLine) {
  const char *const assembly = "f:\n"
                               "\t.loc\t1 2 0\n"
                               ".LBB0_1:                                # outer\n"
                               "\tmovl\t%eax, %ecx\n"
                               ".LBB0_2:\n"
                               "\t.loc\t1 7 0 prologue_end\n"
                               "\tvfmadd231ps\t(%rdi), %zmm1, %zmm0\n"
                               "\tvaddps\t%zmm1, %zmm0, %zmm2\n"
                               "\t.loc\t1 8 0\n"
                               "\taddq\t$64, %rdi\n"
                               "\tjne\t.LBB0_2\n"
                               "\tvmulss\t%xmm1, %xmm0, %xmm0\n"
                               "\tjne\t.LBB0_1\n"
                               ".LBB0_3:\n"
                               "\tvaddss\t%xmm1, %xmm0, %xmm0\n"
                               "\tjb\t.LBB0_3                          # scalar\n"
                               "\tjmp\t.LBB0_4\n"
                               ".LBB0_4:\n"
                               "\tret\n";
  const std::vector<AssemblyLoop> loops = innermostLoops(assembly);
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(loops[0].first, 5);
  EXPECT_EQ(loops[0].last, 11);
  EXPECT_EQ(loops[0].line, 7);
  EXPECT_EQ(loops[0].packed, 2);
  EXPECT_EQ(loops[0].scalar, 0);
  EXPECT_EQ(loops[0].instructions.size(), 4U);
  EXPECT_EQ(loops[1].first, 14);
  EXPECT_EQ(loops[1].scalar, 1);
  EXPECT_TRUE(innermostLoops("\tret\n").empty());
}

Results exampleResults() {
  Results results;
  results.machine = "m";
  results.limits = {{1, 1e11, 1e10}};
  Measurement measurement{"p.mlir", "main", "cpu", 1, {1000, 1010, 1020, 1005, 1001, 1002}, 5000, 1 << 20, {}, {}};
  measurement.counters = {{"cycles", 3000}, {"instructions", 6000}};
  measurement.kernels = {{"add", 2, 800, 390, 410, 2500}};
  measurement.observedNs = 1100;
  measurement.busyNs = 800;
  results.measurements = {measurement};
  return results;
}

TEST(ResultsTest, FileHasAllThatWasMeasured) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "mica-bench-test.json";
  const Results results = exampleResults();
  ASSERT_TRUE(writeResults(results, file).isOk());
  const Result<Results> again = readResults(file);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(measurementText(again->measurements[0], *again), measurementText(results.measurements[0], results));
  ASSERT_TRUE(writeFile(file, "{\"format\": \"mica-golden\", \"version\": \"1.0\"}").isOk());
  EXPECT_EQ(readResults(file).error().message.substr(file.string().size()),
            ": the document is of the format 'mica-golden', not 'mica-bench'");
  std::filesystem::remove(file);
}

TEST(ResultsTest, TextSaysWhatTheTimeIsOfTheLimits) {
  Results results = exampleResults();
  std::string text = measurementText(results.measurements[0], results);
  // 5,000 operations take 50 ns at the peak, and a MiB 104.9 us.
  EXPECT_NE(text.find("at least 104.9 us on this machine, bound by memory: 0.0 times that"), std::string::npos) << text;
  EXPECT_NE(text.find("(2.00 instructions in a cycle)"), std::string::npos) << text;
  results.cacheBytes = 2 << 20;
  text = measurementText(results.measurements[0], results);
  EXPECT_NE(text.find("which the caches hold"), std::string::npos) << text;
  EXPECT_NE(text.find("at least 50 ns on this machine, bound by computation: 20.1 times that"), std::string::npos)
      << text;
}

TEST(ResultsTest, ComparisonNamesWhatOneSideHasAlone) {
  const Results first = exampleResults();
  Results second = first;
  second.measurements[0].threads = 2;
  int slower = 0;
  EXPECT_EQ(comparisonText(first, second, slower),
            "p.mlir, main, 2 threads: only in the second\np.mlir, main, 1 thread: only in the first\n");
  EXPECT_EQ(slower, 0);
}

} // namespace
} // namespace mica::bench
