//===- TracedFilesTest.cpp - artifacts put together from a log ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What a record may name, and which artifact its file belongs to.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/TracedFiles.h"

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Support/Files.h"
#include "mica/Trace/Reader.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;

using namespace mica;
using namespace mica::report;

namespace {
/// A record of process `pid` and compile [frame/0] whose payload is `file`.
std::string record(int pid, int frame, const std::string &file, const std::string &payload,
                   const std::string &content = "") {
  return "V1206 10:00:00.000000 " + std::to_string(pid) +
         " x.cpp:1] {\"artifact\": {\"name\": \"x\", \"encoding\": \"string\"}, \"frame_id\": " +
         std::to_string(frame) + ", \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": \"" +
         trace::hexDigits(trace::md5(payload)) + "\", \"mica\": {\"file\": \"" + file + "\"" +
         (content.empty() ? "" : ", \"content\": \"" + content + "\"") + "}}\n\t" + payload + "\n";
}

TracedFiles read(const fs::path &scratch, const std::string &log) {
  TracedFiles files(scratch);
  trace::readLogText(log, [&](trace::Record &record) { files.take(record); });
  return files;
}

std::string textOf(const fs::path &file) {
  const Result<std::string> text = readFile(file);
  return text ? *text : "(none)";
}
} // namespace

TEST(TracedFilesTest, OnlyPlainNamesBelowTheFoldersOfAnArtifact) {
  for (const char *file : {"manifest.json", "kernels/k_1/kernel.ll", "passes_dump/0042_cse@k.mlir", "host/tasks.json",
                           "report/memory.json", "runs/20261122T050000Z-7/events.jsonl"})
    EXPECT_TRUE(isTracedFile(file)) << file;
  for (const char *file :
       {"", "/", "x", "manifest.json/x", "kernels", "kernels/", "kernels//x", "kernels/../x", "../x", "/tmp/x",
        "kernels/k/../x", "kernels/.x", "host/a b", "data/x", "kernels/a/b/c", "host/a\nb", "host/\xc3\xa4"})
    EXPECT_FALSE(isTracedFile(file)) << file;
  EXPECT_FALSE(isTracedFile("host/" + std::string(1000, 'a')));
}

TEST(TracedFilesTest, FilesBelongToTheArtifactOfTheirProcess) {
  TemporaryFolder folder;
  const TracedFiles files = read(
      folder / "s", record(1, 0, "manifest.json", "one") + record(2, 1, "manifest.json", "two") +
                        record(1, 0, "kernels/k/kernel.ll", "of one") + record(2, 2, "kernels/k/kernel.ll", "of two"));
  ASSERT_EQ(files.all().size(), 2u);
  EXPECT_EQ(files.all()[1].compile.text(), "1/0");
  EXPECT_EQ(textOf(files.all()[0].folder / "kernels/k/kernel.ll"), "of one");
  EXPECT_EQ(textOf(files.all()[1].folder / "kernels/k/kernel.ll"), "of two");
  EXPECT_EQ(files.all()[1].kernels.at("k").text(), "2/0");
}

TEST(TracedFilesTest, WhatARunLeavesBelongsToTheCompileItRan) {
  TemporaryFolder folder;
  const TracedFiles files =
      read(folder / "s", record(1, 0, "manifest.json", "one") + record(2, 5, "manifest.json", "two") +
                             record(9, 1, "runs/r/events.jsonl", "second entry of the first") +
                             record(9, 5, "runs/r/events.jsonl", "of the second"));
  EXPECT_EQ(textOf(files.all()[0].folder / "runs/r/events.jsonl"), "second entry of the first");
  EXPECT_EQ(textOf(files.all()[1].folder / "runs/r/events.jsonl"), "of the second");
}

TEST(TracedFilesTest, BytesAndLineMapsAreUnpacked) {
  TemporaryFolder folder;
  const TracedFiles files =
      read(folder / "s", record(1, 0, "manifest.json", "one") +
                             record(1, 0, "passes_dump/snapshots.archive", "Zm9v", "base64") +
                             record(1, 0, "", R"({"host/schedule.mlir": {"lines": []}, "../x": {}})", "line_maps"));
  EXPECT_EQ(textOf(files.all()[0].folder / "passes_dump/snapshots.archive"), "foo");
  EXPECT_EQ(textOf(files.all()[0].folder / "host/schedule.mlir.map.json"), "{\"lines\":[]}");
  EXPECT_FALSE(fs::exists(folder / "s/x.map.json"));
}

TEST(TracedFilesTest, DamageMakesNoFile) {
  TemporaryFolder folder;
  const TracedFiles files =
      read(folder / "s", record(1, 0, "host/tasks.json", "before any manifest") + record(1, 0, "manifest.json", "one") +
                             record(1, 0, "passes_dump/snapshots.archive", "no base64!", "base64") +
                             record(1, 0, "", "no JSON", "line_maps") +
                             record(1, 0, "manifest.json/x", "a file is a folder") +
                             record(7, 0, "host/tasks.json", "of nobody"));
  ASSERT_EQ(files.all().size(), 1u);
  size_t count = 0;
  for (const auto &entry : fs::recursive_directory_iterator(folder.path()))
    count += entry.is_regular_file();
  EXPECT_EQ(count, 1u);
}

TEST(TracedFilesTest, OfManyProgramsTheFirstAreKept) {
  TemporaryFolder folder;
  std::string log;
  for (int i = 0; i < 40; ++i)
    log += record(i + 1, i, "manifest.json", "m");
  const TracedFiles files = read(folder / "s", log);
  EXPECT_EQ(files.all().size(), TracedFiles::kMost);
  EXPECT_EQ(files.left(), 40 - TracedFiles::kMost);
}
