//===- TextTest.cpp - text, environment and JSON printing --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What messages are made of.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Text.h"
#include "lib/Support/Json.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

using namespace mica;

namespace {

TEST(TextTest, NearestName) {
  const std::vector<std::string> names{"forward", "backward", "loss"};
  EXPECT_EQ(nearestName("foward", names), "forward");
  EXPECT_EQ(nearestName("Forward", names), "forward");
  EXPECT_EQ(nearestName("losss", names), "loss");
  EXPECT_EQ(nearestName("zzzzzzzz", names), "");
  EXPECT_EQ(nearestName("", names), "");
  EXPECT_EQ(nearestName(std::string(1 << 20, 'a'), names), "");
  EXPECT_EQ(unknownNameHint("los", names), "did you mean 'loss'? There are: forward, backward, loss");
  EXPECT_EQ(unknownNameHint("qqqq", {}), "there are none");
}

TEST(TextTest, ListsAndNumbers) {
  EXPECT_EQ(joinNames({"a", "b", "c"}, 2), "a, b, ... (3 in all)");
  EXPECT_EQ(splitText("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(groupDigits(-1234567), "-1,234,567");
  EXPECT_EQ(groupDigits(123), "123");
  EXPECT_EQ(byteSize(512), "512 B");
  EXPECT_EQ(byteSize(3 << 20), "3.0 MiB");
}

TEST(EnvironmentTest, TableIsCompleteAndSlipsAreNamed) {
  std::set<std::string_view> names;
  for (const EnvironmentVariable &variable : environmentVariables()) {
    EXPECT_TRUE(names.insert(variable.name).second);
    EXPECT_FALSE(variable.values.empty() || variable.help.empty() || variable.tools.empty());
  }
  ::setenv("MICA_COMPLE", "x", 1);
  EXPECT_NE(unknownEnvironmentWarning().find("MICA_COMPLE is not one of Mica's; did you mean MICA_COMPILE?"),
            std::string::npos);
  ::unsetenv("MICA_COMPLE");
}

// MICA_TEST_UPDATE=1 writes the page instead.
TEST(EnvironmentTest, PageIsTheTable) {
  const std::string page = std::string(MICA_SOURCE_DIR) + "/docs/Environment.md";
  if (std::getenv("MICA_TEST_UPDATE")) {
    ASSERT_TRUE(writeFile(page, environmentPage()).isOk());
  }
  EXPECT_EQ(*readFile(page), environmentPage());
}

TEST(EnvironmentTest, TableHasEveryVariableThatIsRead) {
  const std::string page = environmentPage();
  size_t found = 0;
  for (const char *area : {"lib", "tools", "passes", "dialects"})
    for (const auto &file : std::filesystem::recursive_directory_iterator(std::string(MICA_SOURCE_DIR) + "/" + area)) {
      if (file.path().extension() != ".cpp")
        continue;
      const std::string text = *readFile(file.path());
      for (const std::string call : {"environmentValue(\"", "namedProgram(\""})
        for (size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1), ++found) {
          const size_t name = at + call.size();
          EXPECT_NE(page.find("| `" + text.substr(name, text.find('"', name) - name) + "` |"), std::string::npos)
              << text.substr(at, 60) << " in " << file.path();
        }
    }
  EXPECT_GT(found, 10U);
}

TEST(PathsTest, CacheFolderAndCompiler) {
  ::setenv("MICA_CACHE_DIR", "/some where", 1);
  EXPECT_EQ(*cacheFolder(), "/some where");
  ::unsetenv("MICA_CACHE_DIR");
  ::setenv("XDG_CACHE_HOME", "/xdg", 1);
  EXPECT_EQ(*cacheFolder(), "/xdg/mica");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("MICA_COMPILE", "/no/compiler", 1);
  EXPECT_EQ(findCompiler().error().message, "MICA_COMPILE is /no/compiler, which is not executable");
  ::setenv("MICA_COMPILE", "/bin/sh", 1);
  EXPECT_EQ(*findCompiler(), "/bin/sh");
  ::unsetenv("MICA_COMPILE");
  ::setenv("PATH", "/nowhere", 1);
  Result<std::filesystem::path> none = findCompiler();
  ASSERT_FALSE(none.isOk());
  EXPECT_EQ(none.error().code, ErrorCode::Unsupported);
  EXPECT_NE(none.error().hint.find("--golden-data"), std::string::npos);
}

TEST(JsonTest, PrintsWhatFitsOnOneLine) {
  Json json = Json::object();
  json["short"] = {1, 2, 3};
  json["long"] = std::vector<std::string>(12, "0123456789");
  json["empty"] = Json::array();
  const std::string text = printJson(json);
  EXPECT_NE(text.find("  \"short\": [1, 2, 3],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  \"long\": [\n    \"0123456789\",\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  \"empty\": []\n}\n"), std::string::npos) << text;
  EXPECT_EQ(parseJson(text, "t")->root(), json);
  Json invalid = "a\xff";
  EXPECT_EQ(printJson(invalid), "\"a\xef\xbf\xbd\"\n");
}

} // namespace
