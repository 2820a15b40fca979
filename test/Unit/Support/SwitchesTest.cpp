//===- SwitchesTest.cpp - MICA_DEBUG -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table of switches, and the ways to set one.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Switches.h"
#include "mica/Support/Files.h"
#include "test/Unit/Support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

using namespace mica;

namespace {

TEST(SwitchesTest, EveryRowIsWholeAndItsExampleCanBeSet) {
  std::set<std::string_view> names;
  ASSERT_EQ(switchTable().size(), kSwitchCount);
  for (const SwitchInfo &info : switchTable()) {
    EXPECT_EQ(&switchTable()[size_t(info.which)], &info);
    EXPECT_TRUE(names.insert(info.name).second);
    EXPECT_FALSE(info.help.empty() || info.cost.empty() || info.values.empty());
    Switches switches;
    EXPECT_TRUE(switches.set(info.example, SwitchSource::Flag).isOk()) << info.example;
    EXPECT_TRUE(switches.isSet(info.which)) << info.example;
    EXPECT_NE(switchHelp().find(info.help), std::string::npos);
    // What is handed to a child says the same there.
    Switches child;
    ASSERT_TRUE(child.set(switches.assignments(), SwitchSource::Flag).isOk());
    for (const SwitchInfo &other : switchTable())
      EXPECT_EQ(child.text(other.which), switches.text(other.which));
    EXPECT_EQ(switches.codeSwitches().empty(), !info.changesCode)
        << "what changes code is in the cache's key, else nothing";
  }
  Switches sensible;
  ASSERT_TRUE(sensible.set("sensible", SwitchSource::Flag).isOk());
  EXPECT_TRUE(sensible.flag(Switch::DeviceSyncMode));
  EXPECT_EQ(sensible.seconds(Switch::HangTimeout), 60);
}

TEST(SwitchesTest, WrongNamesAndValuesAreErrorsWithTheNearestAndSetNothing) {
  Switches switches;
  auto messageOf = [&](std::string_view text) {
    Status status = switches.set(text, SwitchSource::Flag);
    return status ? "" : status.error().message + " | " + status.error().hint;
  };
  EXPECT_EQ(
      messageOf("device-sync-mod").find("there is no switch 'device-sync-mod' | did you mean 'device-sync-mode'?"), 0u);
  EXPECT_EQ(messageOf("op-log-level=tracee").find("op-log-level=tracee: unknown value | did you mean 'trace'?"), 0u);
  EXPECT_EQ(messageOf("device-sync-mode=onn").find("device-sync-mode=onn: unknown value | did you mean 'on'?"), 0u);
  EXPECT_EQ(messageOf("op-log-level").find("op-log-level needs a value"), 0u);
  EXPECT_EQ(messageOf("hang-timeout=soon").find("hang-timeout=soon: unknown value | a number of seconds"), 0u);
  EXPECT_EQ(messageOf("op-log-file").find("op-log-file needs a value: FILE"), 0u);
  EXPECT_NE(messageOf("device-sync-mode,op-log-level=x"), "");
  EXPECT_FALSE(switches.isSet(Switch::DeviceSyncMode)) << "all or nothing";
  EXPECT_EQ(messageOf(" device-sync-mode , op-log-level = TRACE , hang-timeout=1.5s"), "");
  EXPECT_EQ(switches.text(Switch::OpLogLevel), "trace");
  EXPECT_EQ(switches.seconds(Switch::HangTimeout), 1.5);
}

TEST(SwitchesTest, FlagBeforeApiBeforeEnvironmentBeforeFile) {
  TemporaryFolder folder;
  const std::string file = folder / "mica.json";
  ASSERT_TRUE(
      writeFile(file, R"({"debug": {"op-log-level": "info", "hang-timeout": 5, "device-sync-mode": true}})").isOk());
  ::setenv("MICA_CONFIG", file.c_str(), 1);
  ::setenv("MICA_DEBUG", "op-log-level=error,hang-timeout=6", 1);
  Result<Switches> read = switchesFromEnvironment(/*readsFolder=*/false);
  ASSERT_TRUE(read.isOk()) << read.error().message;
  Switches switches = *read;
  EXPECT_EQ(switches.text(Switch::OpLogLevel), "error");
  EXPECT_EQ(switches.source(Switch::DeviceSyncMode), SwitchSource::File);
  EXPECT_TRUE(switches.flag(Switch::DeviceSyncMode));
  ASSERT_TRUE(switches.set("op-log-level=trace", SwitchSource::Flag).isOk());
  ASSERT_TRUE(switches.set("op-log-level=debug,hang-timeout=7", SwitchSource::Api).isOk());
  EXPECT_EQ(switches.text(Switch::OpLogLevel), "trace");
  EXPECT_EQ(switches.seconds(Switch::HangTimeout), 7);
  auto failureOf = [&](const std::string &text) {
    EXPECT_TRUE(writeFile(file, text).isOk());
    Result<Switches> result = switchesFromEnvironment(/*readsFolder=*/false);
    return result ? "" : result.error().message + " | " + result.error().hint;
  };
  EXPECT_EQ(failureOf(R"({"debug": {"op-log-levle": "info"}})").find(file + ": there is no switch 'op-log-levle'"), 0u);
  EXPECT_EQ(failureOf(R"({"debg": {}})").find(file + ": unknown key 'debg' | did you mean 'debug'?"), 0u);
  EXPECT_EQ(failureOf("[]").find(file + ": is not a JSON object"), 0u);
  EXPECT_NE(failureOf("{"), "");
  ::setenv("MICA_CONFIG", (folder / "none.json").c_str(), 1);
  EXPECT_FALSE(switchesFromEnvironment(/*readsFolder=*/false).isOk());
  ::unsetenv("MICA_CONFIG");
  ::setenv("MICA_DEBUG", "op-log-levl=x", 1);
  EXPECT_EQ(switchesFromEnvironment(/*readsFolder=*/false).error().message,
            "MICA_DEBUG: there is no switch 'op-log-levl'");
  ::unsetenv("MICA_DEBUG");
  EXPECT_TRUE(switchesFromEnvironment(/*readsFolder=*/false).isOk());
}

TEST(SwitchesTest, AFileOfTheWorkingFolderSaysNotWhereFilesAreWritten) {
  TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  ASSERT_TRUE(writeFile("mica.json", R"({"debug": {"nan-check": "all"}})").isOk());
  EXPECT_FALSE(switchesFromEnvironment(/*readsFolder=*/false)->isSet(Switch::NanCheck));
  Result<Switches> switches = switchesFromEnvironment(/*readsFolder=*/true);
  ASSERT_TRUE(switches.isOk());
  EXPECT_EQ(switches->source(Switch::NanCheck), SwitchSource::Folder);
  EXPECT_EQ(switches->assignments(SwitchSource::Folder), "nan-check=all");
  for (const SwitchInfo &info : switchTable()) {
    if (info.kind != SwitchInfo::Kind::File)
      continue;
    ASSERT_TRUE(writeFile("mica.json", R"({"debug": {")" + std::string(info.name) + R"(": "/tmp/x"}})").isOk());
    Result<Switches> refused = switchesFromEnvironment(/*readsFolder=*/true);
    ASSERT_FALSE(refused.isOk()) << info.name;
    EXPECT_EQ(refused.error().message, "mica.json: '" + std::string(info.name) +
                                           "' says where a file is written, which mica.json of a working folder may "
                                           "not");
    ::setenv("MICA_CONFIG", "mica.json", 1);
    EXPECT_TRUE(switchesFromEnvironment(/*readsFolder=*/true).isOk());
    ::unsetenv("MICA_CONFIG");
  }
  std::filesystem::current_path(before);
}

TEST(SwitchesTest, WhatHasNoEffectIsSaid) {
  constexpr SwitchPhase kCompile[] = {SwitchPhase::Compile}, kRun[] = {SwitchPhase::Run};
  Switches switches;
  ASSERT_TRUE(switches.set("op-log-kernel=matmul*", SwitchSource::Flag).isOk());
  EXPECT_EQ(switches.warnings(kRun, "mica-run"),
            std::vector<std::string>{"the switch op-log-kernel has no effect without op-log-level or op-log-file"});
  EXPECT_EQ(switches.warnings(kCompile, "mica-compile"),
            std::vector<std::string>{
                "the switch op-log-kernel has no effect in mica-compile: it acts when a program runs (mica-run)"});
  ASSERT_TRUE(switches.set("op-log-level=trace", SwitchSource::Flag).isOk());
  EXPECT_TRUE(switches.warnings(kRun, "mica-run").empty());
  Switches file;
  ASSERT_TRUE(file.set("device-sync-mode", SwitchSource::File).isOk());
  EXPECT_TRUE(file.warnings(kCompile, "mica-compile").empty()) << "a file is for all tools";
}

} // namespace
