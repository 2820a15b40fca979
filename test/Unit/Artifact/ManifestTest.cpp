//===- ManifestTest.cpp - manifest.json and tasks.json -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Round trip, golden files, and what an edited or truncated file gives: always an error that names file and key.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "SampleManifest.h"

#include "lib/Support/Json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace mica;
using namespace mica::artifact;

namespace {

std::string readGolden(const std::string &name) {
  std::ifstream in(std::string(MICA_SOURCE_DIR) + "/test/Artifact/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The message of parsing the sample's manifest after `edit`.
template <typename Edit> std::string manifestError(Edit edit) {
  Json json = parseJson(printManifest(sampleManifest()), "m")->root();
  edit(json);
  Result<Manifest> result = parseManifest(printJson(json), "dir/manifest.json");
  return result ? "" : result.error().message;
}

template <typename Edit> std::string tasksError(Edit edit) {
  Json json = parseJson(printTaskLists(sampleTaskLists()), "t")->root();
  edit(json);
  Result<std::vector<TaskList>> result = parseTaskLists(printJson(json), "dir/host/tasks.json", sampleManifest());
  return result ? "" : result.error().message;
}

/// Calls `visit` with the document less each one of its members, anywhere.
void forEachRemoval(const Json &root, const std::function<void(const Json &, const std::string &)> &visit) {
  std::vector<Json::json_pointer> pointers;
  std::function<void(const Json &, Json::json_pointer)> walk = [&](const Json &value, Json::json_pointer at) {
    if (value.is_object()) {
      for (auto it = value.begin(); it != value.end(); ++it) {
        pointers.push_back(at / it.key());
        walk(*it, at / it.key());
      }
    } else if (value.is_array()) {
      for (size_t i = 0; i < value.size(); ++i)
        walk(value[i], at / i);
    }
  };
  walk(root, Json::json_pointer());
  for (const Json::json_pointer &pointer : pointers) {
    Json copy = root;
    copy[pointer.parent_pointer()].erase(pointer.back());
    visit(copy, pointer.to_string());
  }
}

TEST(ManifestTest, RoundTripKeepsEverything) {
  const std::string text = printManifest(sampleManifest());
  Result<Manifest> parsed = parseManifest(text, "manifest.json");
  ASSERT_TRUE(parsed.isOk()) << parsed.error().message;
  EXPECT_EQ(printManifest(*parsed), text);
  EXPECT_EQ(parsed->kernels[0].bindings[2].access, Access::Write);
  EXPECT_EQ(parsed->kernels[0].grid, -1);
  EXPECT_EQ(parsed->entries[0].args[0].name, "x");
  EXPECT_EQ(parsed->entries[0].args[0].shape, (std::vector<int64_t>{-1, 8}));
  EXPECT_EQ(parsed->ops[0].positions[1].file, "net.py");
  EXPECT_EQ(parsed->options.at("opt-level"), "3");
}

TEST(ManifestTest, ChecksOfKernelsAreKept) {
  Manifest manifest = sampleManifest();
  manifest.entries[0].relatedSizes = {{0, 0, 0, 1, -1, "3f2a91c07b1e"}, {0, 1, -1, -1, 8, ""}};
  manifest.kernels[1].bindings[0].shareElements = 2;
  KernelChecks checks;
  checks.proved = 7;
  checks.notCheckable = 1;
  checks.sites = {{"load", "", 0, {0}}, {"", "integer division by zero", -1, {}}};
  checks.shadows = KernelShadows{{0}, {{{"", DType::F32, {4, 8}}, {0}, {0}}}};
  manifest.kernels[0].checks = checks;
  manifest.kernels[0].masks = true;
  const std::string text = printManifest(manifest);
  Result<Manifest> parsed = parseManifest(text, "manifest.json");
  ASSERT_TRUE(parsed.isOk()) << parsed.error().message;
  EXPECT_EQ(printManifest(*parsed), text);
  ASSERT_TRUE(parsed->kernels[0].checks.has_value());
  EXPECT_EQ(parsed->kernels[0].checks->proved, 7);
  EXPECT_EQ(parsed->kernels[0].checks->sites[0].kind, "load");
  EXPECT_EQ(parsed->kernels[0].checks->sites[1].message, "integer division by zero");
  ASSERT_TRUE(parsed->kernels[0].checks->shadows.has_value());
  EXPECT_EQ(parsed->kernels[0].checks->shadows->fills, std::vector<int64_t>{0});
  EXPECT_EQ(parsed->kernels[0].checks->shadows->allocations[0].type.shape, (std::vector<int64_t>{4, 8}));
  EXPECT_TRUE(parsed->kernels[0].masks);

  auto errorOf = [&](auto change) {
    Manifest wrong = manifest;
    change(*wrong.kernels[0].checks);
    Result<Manifest> result = parseManifest(printManifest(wrong), "manifest.json");
    return result ? "" : result.error().message;
  };
  EXPECT_NE(errorOf([](KernelChecks &c) { c.sites[0].binding = 9; }).find("binding"), std::string::npos);
  EXPECT_NE(errorOf([](KernelChecks &c) { c.sites[0].ops = {99}; }).find("names operation 99"), std::string::npos);
  EXPECT_NE(errorOf([](KernelChecks &c) { c.proved = -1; }).find("proved"), std::string::npos);
  EXPECT_NE(errorOf([](KernelChecks &c) { c.shadows->fills = {9}; }).find("names binding 9"), std::string::npos);
  EXPECT_NE(errorOf([](KernelChecks &c) { c.shadows->allocations[0].writers = {99}; }).find("writers"),
            std::string::npos);
}

TEST(ManifestTest, GoldenFilesOfSchema10AreRead) {
  const Result<Manifest> manifest = parseManifest(readGolden("manifest-1.0.json"), "golden");
  ASSERT_TRUE(manifest.isOk()) << manifest.error().message;
  EXPECT_EQ(manifest->commandLine, (std::vector<std::string>{"mica-compile", "my model.mlir", "-o", "out"}));
  EXPECT_EQ(manifest->schemaMajor, 1);
  EXPECT_EQ(printManifest(*manifest), readGolden("manifest-1.0.json"));
  EXPECT_TRUE(parseTaskLists(readGolden("tasks-1.0.json"), "golden", *manifest).isOk());
}

TEST(ManifestTest, GoldenFilesOfSchema20AreReadAndWritten) {
  const std::string manifest = readGolden("manifest-2.0.json"), tasks = readGolden("tasks-2.0.json");
  EXPECT_EQ(printManifest(sampleManifest()), manifest);
  EXPECT_EQ(printTaskLists(sampleTaskLists()), tasks);
  EXPECT_EQ(printLaunch(sampleManifest().kernels[0]), readGolden("launch-2.0.json"));
  EXPECT_TRUE(parseManifest(manifest, "golden").isOk());
  EXPECT_TRUE(parseTaskLists(tasks, "golden", sampleManifest()).isOk());
}

TEST(ManifestTest, EveryMissingKeyIsNamed) {
  int count = 0;
  forEachRemoval(
      parseJson(printManifest(sampleManifest()), "m")->root(), [&](const Json &json, const std::string &pointer) {
        const std::string key = pointer.substr(pointer.rfind('/') + 1);
        // Options are free; an argument may go without a name.
        if (pointer.starts_with("/options/") || pointer.ends_with("/args/0/name"))
          return;
        ++count;
        Result<Manifest> result = parseManifest(printJson(json), "dir/manifest.json");
        ASSERT_FALSE(result.isOk()) << pointer;
        EXPECT_EQ(result.error().code, ErrorCode::Damaged);
        EXPECT_NE(result.error().message.find("dir/manifest.json: "), std::string::npos);
        EXPECT_NE(result.error().message.find(key + " is missing"), std::string::npos) << result.error().message;
        EXPECT_FALSE(result.error().hint.empty());
      });
  EXPECT_GT(count, 60);
}

TEST(ManifestTest, EveryTruncationIsAnError) {
  const std::string text = printManifest(sampleManifest());
  for (size_t n = 0; n + 2 < text.size(); ++n) {
    Result<Manifest> result = parseManifest(text.substr(0, n), "manifest.json");
    ASSERT_FALSE(result.isOk()) << n;
    EXPECT_NE(result.error().message.find("the file ends too early"), std::string::npos)
        << n << ": " << result.error().message;
  }
}

TEST(ManifestTest, SyntaxErrorsHaveLineAndColumn) {
  Result<Manifest> result = parseManifest("{\n  \"format\": oops\n}", "m.json");
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.error().message.rfind("m.json:2:1", 0), 0u) << result.error().message;
}

TEST(ManifestTest, NewerMajorSchemaIsUnsupportedNewerMinorIsNot) {
  Json json = parseJson(printManifest(sampleManifest()), "m")->root();
  json["schema"] = "3.0";
  Result<Manifest> newer = parseManifest(printJson(json), "m.json");
  ASSERT_FALSE(newer.isOk());
  EXPECT_EQ(newer.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(newer.error().message, "m.json: schema 3.0 is newer than this Mica reads (2.0)");
  json["schema"] = "2.7";
  json["a key of the future"] = Json::array();
  EXPECT_TRUE(parseManifest(printJson(json), "m.json").isOk());
  json["schema"] = "one";
  EXPECT_FALSE(parseManifest(printJson(json), "m.json").isOk());
}

TEST(ManifestTest, InconsistenciesAreNamed) {
  EXPECT_EQ(manifestError([](Json &j) { j["format"] = "gzip"; }),
            "dir/manifest.json: format should be \"mica-artifact\", found \"gzip\"");
  EXPECT_EQ(manifestError([](Json &j) { j["kernels"][1]["name"] = "matmul_bias"; }),
            "dir/manifest.json: kernels[1].name names 'matmul_bias' a second time");
  EXPECT_EQ(manifestError([](Json &j) { j["kernels"][1]["name"] = "../evil"; }),
            "dir/manifest.json: kernels[1].name should be at most 80 of [a-z0-9_], found \"../evil\"");
  EXPECT_EQ(manifestError([](Json &j) { j["kernels"][0]["op_kinds"].erase(0); }),
            "dir/manifest.json: kernels[0].op_kinds has 1 elements, op_ids has 2");
  EXPECT_EQ(manifestError([](Json &j) { j["kernels"][0]["bindings"][1]["access"] = "rw"; }),
            "dir/manifest.json: kernels[0].bindings[1].access should be read, write or readwrite, found \"rw\"");
  EXPECT_EQ(
      manifestError([](Json &j) { j["kernels"][0]["bindings"][1]["dtype"] = "float"; }),
      "dir/manifest.json: kernels[0].bindings[1].dtype should be an element type such as \"f32\", found \"float\"");
  EXPECT_EQ(
      manifestError([](Json &j) { j["kernels"][0]["grid"] = 0; }),
      "dir/manifest.json: kernels[0].grid is 0, should be a number of shares, or -1 where known at run time only");
  EXPECT_EQ(manifestError([](Json &j) { j["kernels"][0]["scratch_bytes"] = 1.5; }),
            "dir/manifest.json: kernels[0].scratch_bytes should be a whole number, found 1.5");
  EXPECT_EQ(manifestError([](Json &j) { j["kernels"][0]["scratch_bytes"] = UINT64_MAX; }),
            "dir/manifest.json: kernels[0].scratch_bytes should be a whole number, found 18446744073709551615");
  // Constants of equal bytes share name and place; of other bytes they do not.
  auto again = [](Json &j, int64_t offset) {
    Json constant = j["constants"][0];
    constant["offset"] = constant["offset"].get<int64_t>() + offset;
    j["constants"].push_back(constant);
  };
  EXPECT_EQ(manifestError([&](Json &j) { again(j, 0); }), "");
  EXPECT_NE(manifestError([&](Json &j) { again(j, 64); }).find("a second time, with another offset or size"),
            std::string::npos);
  EXPECT_EQ(manifestError([](Json &j) { j["constants"][0]["offset"] = 8; }),
            "dir/manifest.json: constants[0].offset is 8, should be a multiple of 64");
  EXPECT_EQ(manifestError([](Json &j) { j["constants"][0]["bytes"] = 4; }),
            "dir/manifest.json: constants[0].bytes is 4, but 8x4xf32 takes 128");
  EXPECT_EQ(manifestError([](Json &j) { j["ops"][0]["id"] = "xyz"; }),
            "dir/manifest.json: ops[0].id should be an op id of 12 hex digits, found \"xyz\"");
  EXPECT_EQ(manifestError([](Json &j) { j["sites"][0]["kernel"] = "gone"; }),
            "dir/manifest.json: sites[0].kernel names the kernel 'gone', which the manifest does not have");
  EXPECT_EQ(manifestError([](Json &j) { j["sites"][0]["op_ids"].erase(0); }),
            "dir/manifest.json: sites[0].op_ids has 1 elements, op_ids of the kernel 'matmul_bias' has 2");
  EXPECT_EQ(manifestError([](Json &j) { j["files"][0]["path"] = "../../etc/passwd"; }),
            "dir/manifest.json: files[0].path should be a path inside the artifact, found \"../../etc/passwd\"");
  EXPECT_EQ(manifestError([](Json &j) { j["files"][1]["inputs"][0] = "gone.mlir"; }),
            "dir/manifest.json: files[1].inputs[0] names \"gone.mlir\", which is not a file of this artifact");
  EXPECT_EQ(manifestError([](Json &j) {
              j["entries"][0]["related_sizes"] = {
                  Json{{"argument", 0}, {"dimension", 0}, {"other", 1}, {"other_dimension", 0}, {"op", ""}}};
            }),
            "dir/manifest.json: entries[0].related_sizes[0].argument and the keys beside it name a dimension that no "
            "argument of the entry has");
  EXPECT_EQ(manifestError([](Json &j) { j["kernels"][0]["bindings"][1]["share_elements"] = 0; }),
            "dir/manifest.json: kernels[0].bindings[1].share_elements is 0, should be at least 1");
  EXPECT_EQ(manifestError([](Json &j) { j["entries"] = 3; }), "dir/manifest.json: entries should be a list, found 3");
}

TEST(TaskListsTest, RoundTripKeepsEverything) {
  const std::string text = printTaskLists(sampleTaskLists());
  Result<std::vector<TaskList>> parsed = parseTaskLists(text, "tasks.json", sampleManifest());
  ASSERT_TRUE(parsed.isOk()) << parsed.error().message;
  EXPECT_EQ(printTaskLists(*parsed), text);
  EXPECT_EQ((*parsed)[0].tasks[1].deps, std::vector<int64_t>{0});
  EXPECT_EQ((*parsed)[0].buffers[3].sizeScalar, 2);
}

TEST(TaskListsTest, EveryMissingKeyIsNamed) {
  forEachRemoval(
      parseJson(printTaskLists(sampleTaskLists()), "t")->root(), [&](const Json &json, const std::string &pointer) {
        const std::string key = pointer.substr(pointer.rfind('/') + 1);
        if (pointer == "/lists/0/buffers/0/name")
          return;
        Result<std::vector<TaskList>> result = parseTaskLists(printJson(json), "t", sampleManifest());
        ASSERT_FALSE(result.isOk()) << pointer;
        EXPECT_NE(result.error().message.find(key + " is missing"), std::string::npos) << result.error().message;
      });
}

TEST(TaskListsTest, EveryPositionIsChecked) {
  const std::string at = "dir/host/tasks.json: lists[0].";
  auto list = [](Json &j) -> Json & { return j["lists"][0]; };
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][0]["index"] = 2; }),
            at + "buffers[0].index is 2, should be between 0 and 1");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][0]["offset"] = int64_t(1) << 32; }),
            at + "buffers[0].offset is 4294967296, should be 0: the first buffer of parameter 0 is all of it");
  EXPECT_EQ(tasksError([&](Json &j) {
              list(j)["buffers"][0]["shape"] = {4, 8};
              list(j)["buffers"][0]["bytes"] = 64;
            }),
            at + "buffers[0].bytes is 64, but 4x8xf32 takes 128");
  EXPECT_EQ(tasksError([&](Json &j) {
              list(j)["buffers"][0]["shape"] = {4, 8};
              list(j)["buffers"][0]["bytes"] = 128;
              list(j)["buffers"].push_back(list(j)["buffers"][0]);
              list(j)["buffers"].back()["offset"] = 64;
            }),
            at + "buffers[4] is bytes 64 to 192 of parameter 0 of forward_0, which has 128");
  EXPECT_EQ(tasksError([&](Json &j) {
              list(j)["buffers"][2]["shape"] = {int64_t(1) << 40, int64_t(1) << 40};
            }),
            at + "buffers[2].shape has more than 2^63 bytes");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][1]["index"] = 1; }),
            at + "buffers[1].index is 1, should be between 0 and 0");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][1]["offset"] = 64; }),
            at + "buffers[1] is bytes 64 to 192 of the constant mica_1234, which has 128");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][2]["offset"] = 256; }),
            at + "buffers[2] is bytes 256 to 320 of the arena of forward_0, which has 256");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][2]["offset"] = 4; }),
            at + "buffers[2].offset is 4, should be a multiple of 64");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][2]["bytes"] = 8; }),
            at + "buffers[2].bytes is 8, but 4xf32 takes 16");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][3]["size_scalar"] = 3; }),
            at + "buffers[3].size_scalar is 3, should be between 0 and 2");
  EXPECT_EQ(tasksError([&](Json &j) {
              list(j)["buffers"][3]["view_of"] = 2;
              list(j)["buffers"][3]["offset"] = 0;
            }),
            at + "buffers[3].view_of is 2, should be a dynamic buffer with memory of its own");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["buffers"][3]["kind"] = "heap"; }),
            at + "buffers[3].kind should be parameter, constant, arena or dynamic, found \"heap\"");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["tasks"][0]["kernel"] = "gone"; }),
            at + "tasks[0].kernel names the kernel 'gone', which the manifest does not have");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["tasks"][1]["buffers"].erase(0); }),
            at + "tasks[1].buffers has 2 elements, the kernel 'matmul_bias' has 3 bindings");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["tasks"][1]["buffers"][0] = 9; }),
            at + "tasks[1].buffers[0] is 9, should be between 0 and 3");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["tasks"][1]["buffers"][1] = 2; }),
            at + "tasks[1].buffers gives binding 1 of the kernel 'matmul_bias' 64 bytes, it needs 128");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["tasks"][1]["buffers"][2] = 1; }),
            at + "tasks[1].buffers lets the kernel 'matmul_bias' write to a constant (binding 2)");
  EXPECT_EQ(
      tasksError([&](Json &j) { list(j)["tasks"][1]["scalars"].erase(0); }),
      at + "tasks[1].scalars has 2 elements, the kernel 'matmul_bias' takes 3 (dynamic dimensions, then arguments)");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["tasks"][1]["deps"][0] = 1; }),
            at + "tasks[1].deps[0] is 1, should be between 0 and 0");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["tasks"][0]["deps"] = Json::array({0}); }),
            at + "tasks[0].deps[0] is 0, should be absent: there is nothing it could name");
  EXPECT_EQ(tasksError([&](Json &j) { list(j)["tasks"][0]["site"] = 0; }),
            at + "tasks[0].site is 0, a launch of 'matmul_bias', not of 'fill'");
}

} // namespace
