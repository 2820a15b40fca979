//===- RealInputsTest.cpp - published cases in the reference evaluator --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What other projects published as inputs and results of single ops; skipped where the files are not there.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace mica;
using namespace mica::reference;
using Numbers = std::vector<double>;

namespace {

/// The folder of the published cases: MICA_REAL_INPUTS, or shared/inputs beside the source tree.
std::filesystem::path inputsFolder() {
  if (const char *folder = std::getenv("MICA_REAL_INPUTS"))
    return folder;
  return std::filesystem::path(MICA_TEST_SOURCE_DIR) / ".." / "shared" / "inputs";
}

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The tensor a manifest entry describes: its numbers, or the MLIR literal where the publisher's type has no JSON form.
HostTensor tensorOf(const nlohmann::json &entry, const std::filesystem::path &folder) {
  if (entry.contains("dtype") && !entry.contains("undecoded")) {
    HostTensor result(*parseDType(entry["dtype"].get<std::string>()), entry["shape"].get<std::vector<int64_t>>());
    if (entry.contains("bin")) {
      std::string bytes = readFile(folder / entry["bin"].get<std::string>());
      EXPECT_EQ(bytes.size(), result.data.size());
      std::copy_n(bytes.begin(), std::min(bytes.size(), result.data.size()), result.data.begin());
      return result;
    }
    for (int64_t i = 0, e = result.numElements(); i < e; ++i)
      result.setDouble(i, (entry.contains("splat") ? entry["splat"] : entry["data"][i]).get<double>());
    return result;
  }
  std::string type = entry["type"].get<std::string>();
  Program literal("func.func @f() -> " + type + " { %0 = arith.constant " + entry["literal"].get<std::string>() +
                  " : " + type + " return %0 : " + type + " }");
  std::vector<HostTensor> results = literal.run();
  EXPECT_EQ(results.size(), 1u) << literal.errors();
  return results.empty() ? HostTensor() : results[0];
}

/// The first element that leaves the tolerance; empty if all agree.
std::string difference(const HostTensor &got, const HostTensor &want, double atol, double rtol) {
  if (got.typeString() != want.typeString())
    return got.typeString() + " instead of " + want.typeString();
  for (int64_t i = 0; i < got.numElements(); ++i) {
    double a = got.asDouble(i), b = want.asDouble(i);
    bool same = a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= atol + rtol * std::abs(b);
    if (!same)
      return "element " + std::to_string(i) + " is " + std::to_string(a) + " instead of " + std::to_string(b);
  }
  return "";
}

TEST(RealInputsTest, PublishedCasesGiveTheirPublishedResults) {
  std::filesystem::path folder = inputsFolder() / "ops";
  if (!std::filesystem::exists(folder / "manifest.json"))
    GTEST_SKIP() << "no published cases in " << folder << " (set MICA_REAL_INPUTS)";
  nlohmann::json manifest = nlohmann::json::parse(readFile(folder / "manifest.json"), nullptr, false);
  ASSERT_TRUE(manifest.is_array());
  int agreed = 0;
  for (const nlohmann::json &entry : manifest) {
    std::string id = entry["id"].get<std::string>();
    SCOPED_TRACE(id);
    std::vector<HostTensor> args;
    for (const nlohmann::json &input : entry["inputs"])
      args.push_back(tensorOf(input, folder));
    Program program(readFile(folder / entry["file"].get<std::string>()));
    std::vector<HostTensor> results = program.run(args);
    if (results.empty()) {
      ADD_FAILURE() << program.errors();
      continue;
    }
    std::string wrong;
    for (const nlohmann::json &expected : entry["expected"]) {
      const nlohmann::json &tolerance = expected["tolerance"];
      bool isExact = tolerance.is_string();
      // "equals_result": the program returns its own expectation beside the result.
      HostTensor want = expected.contains("equals_result")
                            ? results.at(std::stoi(expected["equals_result"].is_string()
                                                       ? expected["equals_result"].get<std::string>()
                                                       : expected["equals_result"].dump()))
                            : tensorOf(expected, folder);
      wrong += difference(results.at(expected["result"].get<size_t>()), want,
                          isExact ? 0 : tolerance["atol"].get<double>(), isExact ? 0 : tolerance["rtol"].get<double>());
    }
    EXPECT_EQ(wrong, "");
    agreed += wrong.empty();
  }
  std::cout << agreed << " of " << manifest.size() << " published cases agree\n";
}

} // namespace
