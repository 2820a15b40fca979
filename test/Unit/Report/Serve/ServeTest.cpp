//===- ServeTest.cpp - what the server answers, and when reports are made anew --------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Hosts, origins, methods and paths that are refused; a log that grows, one that is gone.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Serve/Follower.h"
#include "lib/Report/Serve/Server.h"

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Support/Files.h"

#include <gtest/gtest.h>

#include <thread>

namespace fs = std::filesystem;

using namespace mica;
using namespace mica::report;

namespace {
class ServerTest : public ::testing::Test {
protected:
  ServerTest() {
    EXPECT_TRUE(makeFolder(folder / "report/data"));
    EXPECT_TRUE(writeFile(folder / "report/index.html", "the page"));
    EXPECT_TRUE(writeFile(folder / "report/data/a.js", "data"));
    EXPECT_TRUE(writeFile(folder / "report/.hidden", "hidden"));
    EXPECT_TRUE(writeFile(folder / "secret", "secret"));
    fs::create_symlink(folder / "secret", folder / "report/link");
  }
  HttpAnswer ask(const std::string &path, const std::string &headers = "Host: 127.0.0.1:8000\r\n",
                 const std::string &method = "GET") {
    return answerRequest(method + " " + path + " HTTP/1.1\r\n" + headers + "\r\n", folder / "report", 8000, "7");
  }
  TemporaryFolder folder;
};
} // namespace

TEST_F(ServerTest, FilesOfTheReportAndItsVersion) {
  EXPECT_EQ(ask("/").body, "the page");
  EXPECT_EQ(ask("/").type, "text/html; charset=utf-8");
  EXPECT_EQ(ask("/data/a.js?x=1").body, "data");
  EXPECT_EQ(ask("/version").body, "7");
  EXPECT_EQ(ask("/", "Host: localhost:8000\r\nOrigin: http://localhost:8000\r\n").code, 200);
}

TEST_F(ServerTest, PathsThatLeadOutAreNotThere) {
  for (const char *path : {"/../secret", "/data/../../secret", "/%2e%2e/secret", "//secret", "/link", "/.hidden",
                           "/data", "/none", "secret", "/data/\\..\\secret"})
    EXPECT_EQ(ask(path).code, 404) << path;
}

TEST_F(ServerTest, OtherHostsOriginsAndMethodsAreRefused) {
  EXPECT_EQ(ask("/", "").code, 403);
  EXPECT_EQ(ask("/", "Host: evil.example:8000\r\n").code, 403);
  EXPECT_EQ(ask("/", "Host: 127.0.0.1:9000\r\n").code, 403);
  EXPECT_EQ(ask("/", "Host: 127.0.0.1:8000\r\nHost: 127.0.0.1:8000\r\n").code, 403);
  EXPECT_EQ(ask("/", "Host: 127.0.0.1:8000\r\nOrigin: http://evil.example\r\n").code, 403);
  EXPECT_EQ(ask("/", "Host: 127.0.0.1:8000\r\nOrigin: null\r\n").code, 403);
  EXPECT_EQ(ask("/", "Host: 127.0.0.1:8000\r\n", "POST").code, 405);
  EXPECT_EQ(answerRequest("nonsense", folder / "report", 8000, "").code, 400);
  EXPECT_EQ(answerRequest("", folder / "report", 8000, "").code, 400);
}

TEST(FollowerTest, AReportIsMadeAnewWhenItsLogGrowsAndStaysWhenTheLogIsGone) {
  TemporaryFolder folder;
  const fs::path log = folder / "dedicated_log_torch_trace_abcdefgh.log";
  const std::string line = "V1206 15:18:15.925000 1 x.py:1] {\"str\": [\"a\", 0]}\n";
  ASSERT_TRUE(writeFile(log, line));
  Result<Follower> follower = Follower::create(log.string(), LogChoice::Only, {}, std::nullopt);
  ASSERT_TRUE(follower) << follower.error().message;
  const auto [report, first] = follower->look();
  EXPECT_TRUE(fs::exists(report / "index.html"));
  EXPECT_EQ(follower->look().second, first);
  ASSERT_TRUE(writeFile(log, line + line));
  std::string second = first;
  for (int i = 0; i < 200 && second == first; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    second = follower->look().second;
  }
  EXPECT_NE(second, first);
  fs::remove(log);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(follower->look().second, second);
  EXPECT_TRUE(fs::exists(report / "index.html"));
}

TEST(FollowerTest, WhatIsNoReportNorArtifactIsRefused) {
  TemporaryFolder folder;
  EXPECT_FALSE(Follower::create(folder.path().string(), LogChoice::Only, {}, std::nullopt));
}
