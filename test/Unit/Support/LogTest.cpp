//===- LogTest.cpp - MICA_LOGS -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Which messages are wanted, where they go, and that those nobody wants are not made.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Log.h"
#include "mica/Support/Files.h"
#include "test/Unit/Support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace mica;

namespace {

/// Logs to a file; off again when it goes.
class LogTest : public testing::Test {
protected:
  void configure(LogOptions options) {
    options.file = file.string();
    Status status = configureLogs(options, "test");
    EXPECT_TRUE(status.isOk()) << (status ? "" : status.error().message);
  }
  std::string written() const {
    Result<std::string> text = readFile(file);
    return text ? *text : "";
  }
  void TearDown() override {
    ::unsetenv("MICA_RANK");
    ASSERT_TRUE(configureLogs({}, "test").isOk());
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder / "log";
};

TEST_F(LogTest, TopicsAndLevelsAreThoseOfTorchLogs) {
  using enum LogLevel;
  ASSERT_TRUE(configureLogs({"+cache, -runtime,codegen,perf_hints"}, "test").isOk());
  EXPECT_TRUE(logs(LogTopic::Cache, Debug));
  EXPECT_FALSE(logs(LogTopic::Codegen, Debug));
  EXPECT_TRUE(logs(LogTopic::Codegen, Info));
  EXPECT_FALSE(logs(LogTopic::Runtime, Warning));
  EXPECT_TRUE(logs(LogTopic::Runtime, Error));
  EXPECT_FALSE(logs(LogTopic::Import, Info)) << "what is not named stays at warnings";
  EXPECT_TRUE(logs(LogTopic::Import, Warning));
  EXPECT_TRUE(logs(LogTopic::PerfHints));
  EXPECT_TRUE(logs(LogTopic::Recompiles)) << "its component is at level debug";
  EXPECT_FALSE(logs(LogTopic::Fusion));
  ASSERT_TRUE(configureLogs({"+codegen"}, "test").isOk());
  EXPECT_FALSE(logs(LogTopic::KernelCode)) << "off unless named";
  ASSERT_TRUE(configureLogs({"+all,-cache"}, "test").isOk());
  EXPECT_TRUE(logs(LogTopic::Dispatch, Debug));
  EXPECT_FALSE(logs(LogTopic::Cache, Warning));
}

TEST_F(LogTest, WrongValuesAreErrorsThatNameTheNearestAndChangeNothing) {
  ASSERT_TRUE(configureLogs({"cache"}, "test").isOk());
  Status topic = configureLogs({"fusoin"}, "test");
  ASSERT_FALSE(topic.isOk());
  EXPECT_EQ(topic.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(topic.error().message, "MICA_LOGS: there is no topic 'fusoin'");
  EXPECT_NE(topic.error().hint.find("did you mean 'fusion'?"), std::string::npos);
  EXPECT_NE(topic.error().hint.find("kernel_code, output_code"), std::string::npos) << "all names are listed";
  LogOptions options;
  options.format = "{level} {mesage}";
  Status format = configureLogs(options, "test");
  ASSERT_FALSE(format.isOk());
  EXPECT_NE(format.error().hint.find("did you mean 'message'?"), std::string::npos);
  options.format = "jsn";
  EXPECT_NE(configureLogs(options, "test").error().hint.find("did you mean 'json'?"), std::string::npos);
  options.format = "";
  options.ranks = "0,x";
  EXPECT_EQ(configureLogs(options, "test").error().message, "MICA_LOGS_RANK: 'x' is not a rank");
  EXPECT_TRUE(logs(LogTopic::Cache)) << "what was in force still is";
}

TEST_F(LogTest, EveryTopicHasANameAndAMeaning) {
  std::set<std::string_view> names;
  for (const LogTopicInfo &info : logTopics()) {
    EXPECT_EQ(&logTopics()[size_t(info.topic)], &info);
    EXPECT_TRUE(names.insert(info.name).second);
    EXPECT_FALSE(info.help.empty());
    EXPECT_NE(logHelp("help")->find(info.name), std::string::npos);
    EXPECT_NE(logHelp("+help")->find(info.help), std::string::npos);
  }
  EXPECT_FALSE(logHelp("cache").has_value());
}

TEST_F(LogTest, EveryLineOfAMessageHasTheWholePrefix) {
  ::setenv("MICA_RANK", "3", 1);
  configure({"fusion,runtime"});
  MICA_LOG(Fusion, Info).kernel("matmul") << "two\nlines: " << 7 << "\n";
  MICA_LOG(Runtime, Warning).device("cpu:0") << 1.5;
  const std::string prefix = "\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d{6} " + std::to_string(::getpid()) +
                             " test/Unit/Support/LogTest\\.cpp:\\d+\\] ";
  EXPECT_TRUE(std::regex_match(written(), std::regex("\\[rank3\\]:I" + prefix +
                                                     "\\[@matmul\\] \\[__fusion\\] two\n"
                                                     "\\[rank3\\]:I" +
                                                     prefix +
                                                     "\\[@matmul\\] \\[__fusion\\] lines: 7\n"
                                                     "\\[rank3\\]:W" +
                                                     prefix + "\\[cpu:0\\] \\[runtime\\] 1\\.500\n")))
      << written();
}

TEST_F(LogTest, FormsOfAMessage) {
  LogOptions options{"cache"};
  options.format = "short";
  configure(options);
  MICA_LOG(Cache, Info) << "a\nb";
  MICA_LOG(Cache, Info).kernel("k") << "c";
  options.format = "json";
  configure(options);
  MICA_LOG(Cache, Info).kernel("k") << "say \"a\"\nb";
  options.format = "<{level}|{topic}|{kernel}|{message}>";
  configure(options);
  MICA_LOG(Cache, Info) << "c";
  const std::string text = written();
  EXPECT_TRUE(text.starts_with("INFO:cache:a\nINFO:cache:b\nINFO:cache:@k: c\n{\"version\":1,\"unix_ns\":")) << text;
  EXPECT_NE(text.find("\"level\":\"info\",\"topic\":\"cache\",\"kernel\":\"k\",\"pid\":"), std::string::npos) << text;
  EXPECT_NE(text.find("\"message\":\"say \\\"a\\\"\\nb\"}\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("<I|cache|-|c>\n")) << text;
}

TEST_F(LogTest, KernelsAndRanksAreFilters) {
  LogOptions options{"codegen"};
  options.format = "{message}";
  options.kernels = "mat*,re?u";
  configure(options);
  MICA_LOG(Codegen, Info).kernel("matmul_bias") << "1";
  MICA_LOG(Codegen, Info).kernel("softmax") << "2";
  MICA_LOG(Codegen, Info).kernel("relu") << "3";
  MICA_LOG(Codegen, Info) << "about none";
  EXPECT_EQ(written(), "1\n3\nabout none\n");
  EXPECT_EQ(logWarnings(), "");
  options.kernels = "matmull*";
  configure(options);
  MICA_LOG(Codegen, Info).kernel("softmax") << "2";
  EXPECT_EQ(logWarnings(), "MICA_LOGS_KERNEL=matmull* is the name of no kernel; there are: softmax");
  options.kernels = "";
  options.ranks = "0,2";
  ::setenv("MICA_RANK", "1", 1);
  configure(options);
  EXPECT_FALSE(logs(LogTopic::Codegen, LogLevel::Error));
  ::setenv("MICA_RANK", "2", 1);
  configure(options);
  EXPECT_TRUE(logs(LogTopic::Codegen));
}

TEST_F(LogTest, AFilePerProcessAndDevice) {
  ::setenv("MICA_RANK", "5", 1);
  LogOptions options{"runtime"};
  options.folder = (folder / "logs").string();
  options.format = "{message}";
  ASSERT_TRUE(configureLogs(options, "test").isOk());
  MICA_LOG(Runtime, Info) << "host";
  MICA_LOG(Runtime, Info).device("cpu:0") << "device";
  const std::string stem = options.folder + "/test_rank_5_" + std::to_string(::getpid());
  EXPECT_EQ(*readFile(stem + ".log"), "host\n");
  EXPECT_EQ(*readFile(stem + "_cpu-0.log"), "device\n");
}

TEST_F(LogTest, AFileThatCannotBeWrittenIsSaid) {
  LogOptions options{"runtime"};
  options.file = "/dev/full";
  ASSERT_TRUE(configureLogs(options, "test").isOk());
  MICA_LOG(Runtime, Info) << "lost";
  EXPECT_NE(logWarnings().find("No space left on device"), std::string::npos) << logWarnings();
}

// What is streamed is not even evaluated: with the topic off a message is one load and a branch.
TEST_F(LogTest, AMessageNobodyWantsIsNotMade) {
  ASSERT_TRUE(configureLogs({"cache"}, "test").isOk());
  int made = 0;
  auto text = [&] { return ++made, std::string("x"); };
  MICA_LOG(Runtime, Info) << text();
  MICA_LOG(Cache, Debug) << text();
  EXPECT_EQ(made, 0);
  configure({"+cache"});
  MICA_LOG(Cache, Debug) << text();
  EXPECT_EQ(made, 1);
}

// Thread sanitizer runs this: topics may change while others speak.
TEST_F(LogTest, ThreadsSpeakWhileTopicsChange) {
  configure({"cache"});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int n = 0; n < 200; ++n)
        MICA_LOG(Cache, Info).kernel("k") << "line";
    });
  for (int i = 0; i < 50; ++i)
    configure({i % 2 ? "cache" : "runtime"});
  for (std::thread &thread : threads)
    thread.join();
  // The threads may have had their say while the topic was off.
  MICA_LOG(Cache, Info).kernel("k") << "line";
  const std::string all = written();
  EXPECT_FALSE(all.empty());
  for (std::string_view text = all; !text.empty();) {
    const size_t end = text.find('\n');
    ASSERT_NE(end, text.npos);
    EXPECT_TRUE(text.substr(0, end).ends_with("[@k] [cache] line"));
    text.remove_prefix(end + 1);
  }
}

} // namespace
