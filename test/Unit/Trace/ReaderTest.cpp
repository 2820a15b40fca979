//===- ReaderTest.cpp - reads a trace log ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A log is built line by line as its format prescribes; then each kind of damage is done to it, and what is found must
// be that damage and nothing else.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Reader.h"

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Support/Files.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::trace;

namespace {

const std::string kPrefix = "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288] ";

std::string line(const std::string &envelope) { return kPrefix + envelope + "\n"; }

/// A record with a payload, as its format prescribes.
std::string withPayload(const std::string &head, const std::string &payload) {
  std::string text = line(head + ", \"has_payload\": \"" + hexDigits(md5(payload)) + "\"}");
  text += '\t';
  for (const char c : payload) {
    text += c;
    if (c == '\n')
      text += '\t';
  }
  return text + "\n";
}

/// What a callback sees, with pieces copied.
struct Seen {
  std::string kind, payload, compile;
  int64_t line;
  std::vector<Defect> defects;
};
struct Log {
  std::vector<Seen> records;
  ReadCounts counts;

  std::string defects() const {
    std::string text;
    for (const Seen &record : records)
      for (const Defect &defect : record.defects)
        text += (text.empty() ? "" : ", ") + std::string(defectName(defect.kind)) + "@" + std::to_string(defect.line);
    return text;
  }
};
Log read(const std::string &text, const ReaderOptions &options = {}) {
  Log log;
  auto take = [&](Record &record) {
    log.records.push_back(
        {std::string(record.kind), std::string(record.payload), record.compile.text(), record.line, record.defects});
  };
  log.counts = readLogText(text, take, options);
  return log;
}

const std::string kArtifact =
    R"({"artifact": {"name": "x", "encoding": "string"}, "frame_id": 3, "frame_compile_id": 1, "attempt": 2)";

TEST(ReaderTest, ARecordWithItsPayload) {
  const Log log = read(line(R"({"str": ["a.py", 0]})") + withPayload(kArtifact, "one\n\n\ttwo\n"));
  ASSERT_EQ(log.records.size(), 2u);
  EXPECT_EQ(log.records[0].kind, "str");
  EXPECT_EQ(log.records[0].compile, "");
  EXPECT_EQ(log.records[1].kind, "artifact");
  EXPECT_EQ(log.records[1].compile, "3/1_2");
  EXPECT_EQ(log.records[1].payload, "one\n\n\ttwo\n");
  EXPECT_EQ(log.records[1].line, 2);
  EXPECT_EQ(log.defects(), "");
  EXPECT_EQ(log.counts.lines, 6);
  EXPECT_EQ(log.counts.records, 2);
}

TEST(ReaderTest, PrefixAndFields) {
  readLogText("W0102 03:04:05.000006 77 a b.py:9] " + kArtifact.substr(0, kArtifact.size()) + ", \"rank\": 4}\n",
              [](Record &record) {
                EXPECT_EQ(record.level, 'W');
                EXPECT_EQ(record.date, "0102");
                EXPECT_EQ(record.time, "03:04:05.000006");
                EXPECT_EQ(record.pid, 77);
                EXPECT_EQ(record.path, "a b.py");
                EXPECT_EQ(record.pathLine, 9);
                EXPECT_EQ(record.rank, 4);
                EXPECT_EQ(record.field("name"), "\"x\"");
                EXPECT_EQ(record.field("rank"), "");
              });
}

TEST(ReaderTest, EmptyPayloadAndEmptyLines) {
  // Empty lines mean nothing, also within a payload.
  std::string text = withPayload(kArtifact, "") + "\n\n" + withPayload(kArtifact, "a\nb");
  text.insert(text.size() - 3, "\n");
  const Log log = read(text);
  EXPECT_EQ(log.defects(), "");
  ASSERT_EQ(log.records.size(), 2u);
  EXPECT_EQ(log.records[1].payload, "a\nb");
  EXPECT_EQ(log.counts.emptyLines, 3);
}

TEST(ReaderTest, EveryKindOfDamageIsCountedWhereItIs) {
  const std::string good = line(R"({"str": ["a.py", 0]})");
  const std::pair<std::string, const char *> cases[] = {
      {good + "hello\n" + good, "no record@2"},
      {good + "\tone\n\ttwo\n" + good, "orphan payload@1"},
      {"\tone\n" + good, "orphan payload@1"},
      {good + line("{\"str\": [1,}") + good, "envelope JSON@2"},
      {line("{\"broken\"") + "\tits payload\n" + good, "envelope JSON@1"},
      {line("[1]") + good, "envelope JSON@1"},
      {line("{\"frame_id\": 0}") + good, "kind@1"},
      {line(R"({"dynamo_start": {}, "link": {}})") + good, "kind@1"},
      {line(R"({"dynamo_start": {}, "frame_id": "x"})") + good, "field@1"},
      {line(R"({"dynamo_start": {}, "frame_id": -4})") + good, "field@1"},
      {line(R"({"dynamo_output_graph": {}})") + good, "field@1"},
      {line(kArtifact + R"(, "has_payload": "xyz"})") + "\ta\n" + good, "field@1, payload hash@1"},
      {line(kArtifact + R"(, "has_payload": "0cc175b9c0f1b6a831c399e269772661"})") + good, "payload missing@1"},
      {line(kArtifact + R"(, "has_payload": "0cc175b9c0f1b6a831c399e269772661"})") + "\tb\n" + good, "payload hash@1"},
      {withPayload(R"({"artifact": {"name": "x", "encoding": "json"})", "{\"a\": }") + good, "payload JSON@1"},
      {withPayload(R"({"chromium_event": {})", "{\"a\"") + good, "payload JSON@1"},
      {withPayload(R"({"chromium_event": {})", "{\"name\": \"x\"}") + good, "field@1"},
      {withPayload(R"({"artifact": {"name": "x", "encoding": "json"})", "[NaN]") + good, "NaN in JSON@1"},
      {line(R"({"dynamo_start": {"x": Infinity}})") + good, "NaN in JSON@1"},
      {withPayload(kArtifact, "\xff") + good, "not UTF-8@1"},
      {line("{\"dynamo_start\": {\"\xc3\": \"\\ud800\"}}") + good, "not UTF-8@1"},
      {good + kPrefix + R"({"str": ["a.py", 1]})", "truncated@2"},
      {"V1206 15:18:15.9 1 a.py:1] {}\n" + good, "no record@1"},
  };
  for (const auto &[text, expected] : cases)
    EXPECT_EQ(read(text).defects(), expected) << text;
}

TEST(ReaderTest, ALogConvertedToOtherLineEndsIsReadAsItWas) {
  const std::string text = withPayload(kArtifact, "a\n\nb\rc") + "\n" + line(R"({"str": ["a.py", 0]})");
  std::string converted;
  for (const char c : text)
    converted += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const size_t chunk : {1, 50, 100000}) {
    const Log log = read(converted, {.chunk = chunk, .threads = 1});
    EXPECT_EQ(log.defects(), "");
    ASSERT_EQ(log.records.size(), 2u);
    EXPECT_EQ(log.records[0].payload, "a\n\nb\rc");
    EXPECT_EQ(log.counts.converted, 2);
    EXPECT_EQ(log.counts.emptyLines, 1);
  }
}

TEST(ReaderTest, ALastLineWithoutNewlineIsDamageOnlyWhereItIsNotWhole) {
  std::string text = withPayload(kArtifact, "one\ntwo");
  text.pop_back();
  EXPECT_EQ(read(text).counts.damage(), 0);
  text.pop_back();
  EXPECT_EQ(read(text).defects(), "payload hash@1, truncated@1");
}

TEST(ReaderTest, LegalOdditiesAreNoDamage) {
  // A bare carriage return in a payload, null ids, unknown kinds, keys of later writers.
  const Log log = read(withPayload(kArtifact, "a\rb") +
                       line(R"({"dynamo_start": {}, "compiled_autograd_id": null, "frame_id": 0, "rank": null})") +
                       line(R"({"new_context": 7, "brand_new_kind": {"a": 1}})") +
                       line(R"({"link": {"name": "x"}, "thread_name": "t"})"));
  EXPECT_EQ(log.defects(), "");
  ASSERT_EQ(log.records.size(), 4u);
  EXPECT_EQ(log.records[1].compile, "0/-");
  EXPECT_EQ(log.records[2].kind, "brand_new_kind");
  EXPECT_EQ(log.records[3].kind, "link");
}

TEST(ReaderTest, AnEventIsReadToItsFields) {
  readLogText(
      withPayload(
          R"({"chromium_event": {})",
          "{\n\"name\": \"dynamo\",\n\"ts\": 1733527100252271.5,\n\"args\": {\n\"compile_id\": \"0/0\",\n\"key\": \"" +
              std::string(2000, 'k') +
              "\"\n},\n\"ph\": \"B\",\n\"cat\": \"dynamo_timed\",\n\"tid\": 1,\n\"pid\": 2\n}"),
      [](Record &record) {
        ASSERT_TRUE(record.event);
        EXPECT_EQ(record.event->name, "dynamo");
        EXPECT_EQ(record.event->phase, "B");
        EXPECT_EQ(record.event->microseconds, 1733527100252271.5);
        EXPECT_EQ(record.event->compileId, "0/0");
        EXPECT_EQ(record.event->tid, 1);
        EXPECT_EQ(record.event->pid, 2);
        ASSERT_EQ(record.event->longArguments.size(), 1u);
        EXPECT_EQ(record.event->longArguments[0].key, "key");
      });
}

TEST(ReaderTest, PiecesAndThreadsDoNotMatter) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += withPayload(kArtifact, std::string(static_cast<size_t>(i) * 7, 'p') + "\n" + std::to_string(i)) +
            (i % 9 ? "" : "oops\n\n");
  const Log whole = read(text, {.threads = 1});
  for (const size_t chunk : {1, 7, 64, 1000, 100000}) {
    const Log pieces = read(text, {.chunk = chunk, .threads = 3});
    EXPECT_EQ(pieces.defects(), whole.defects()) << chunk;
    EXPECT_EQ(pieces.counts.lines, whole.counts.lines) << chunk;
    EXPECT_EQ(pieces.counts.bytes, static_cast<int64_t>(text.size())) << chunk;
    ASSERT_EQ(pieces.records.size(), whole.records.size()) << chunk;
    for (size_t i = 0; i < whole.records.size(); ++i) {
      EXPECT_EQ(pieces.records[i].payload, whole.records[i].payload);
      EXPECT_EQ(pieces.records[i].line, whole.records[i].line);
    }
  }
}

TEST(ReaderTest, ARecordBeyondTheLimitIsCutAndTheNextOneRead) {
  const std::string good = line(R"({"str": ["a.py", 0]})");
  for (const std::string &huge : {withPayload(kArtifact, std::string(5000, 'x') + "\n" + std::string(5000, 'y')),
                                  line("{\"" + std::string(9000, 'x') + "\": 1}"), std::string(9000, 'x') + "\n"}) {
    const Log log = read(good + huge + good, {.chunk = 100, .longestRecord = 1000});
    ASSERT_EQ(log.records.size(), 3u);
    EXPECT_EQ(log.counts.defects[static_cast<size_t>(DefectKind::TooLong)], 1);
    EXPECT_EQ(log.records[2].kind, "str");
    EXPECT_EQ(log.records[2].line, 2 + std::count(huge.begin(), huge.end(), '\n'));
    EXPECT_EQ(log.counts.bytes, static_cast<int64_t>(2 * good.size() + huge.size()));
    EXPECT_GT(log.counts.damage(), 0);
  }
}

TEST(ReaderTest, FilesAreReadOrRefusedWithTheReason) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "a.log", line(R"({"str": ["a.py", 0]})")));
  int64_t records = 0;
  const Result<ReadCounts> counts = readLog(folder / "a.log", [&](Record &) { ++records; });
  ASSERT_TRUE(counts);
  EXPECT_EQ(records, 1);
  EXPECT_EQ(counts->damage(), 0);
  ASSERT_TRUE(writeFile(folder / "empty.log", ""));
  EXPECT_TRUE(readLog(folder / "empty.log", [](Record &) {}));
  const Result<ReadCounts> missing = readLog(folder / "none.log", [](Record &) {});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("none.log"), std::string::npos);
  EXPECT_FALSE(readLog(folder.path(), [](Record &) {}));
}

TEST(ReaderTest, StringsAreNumbered) {
  StringTable table;
  auto define = [&](const std::string &metadata) {
    std::string found;
    readLogText(line("{\"str\": " + metadata + "}"), [&](Record &record) {
      table.define(record);
      for (const Defect &defect : record.defects)
        found += defectName(defect.kind);
    });
    return found;
  };
  EXPECT_EQ(define(R"(["a.py", 0])"), "");
  EXPECT_EQ(define(R"(["b.py", 2])"), "");
  EXPECT_EQ(define(R"(["b.py", 2])"), "");
  EXPECT_EQ(define(R"(["c.py", 2])"), "string id");
  EXPECT_EQ(define(R"(["c.py"])"), "field");
  EXPECT_EQ(define(R"(["c.py", -1])"), "field");
  EXPECT_EQ(*table.find(0), "a.py");
  EXPECT_EQ(table.find(-1), nullptr);
  EXPECT_EQ(table.all(), (std::vector<std::string>{"a.py", "", "c.py"}));
  // A number beyond all others costs no memory.
  EXPECT_EQ(define(R"(["far.py", 1000000000000000000])"), "");
  EXPECT_LT(table.all().size(), 10000u);
}

TEST(CompileIdTest, AsTextAndAsFolder) {
  EXPECT_EQ(CompileId().text(), "");
  EXPECT_EQ((CompileId{-1, 0, 1, 0}).text(), "0/1");
  EXPECT_EQ((CompileId{-1, 0, 1, 2}).text(), "0/1_2");
  EXPECT_EQ((CompileId{3, 0, 1, -1}).text(), "!3/0/1");
  EXPECT_EQ((CompileId{3, -1, -1, -1}).text(), "!3");
  EXPECT_EQ((CompileId{-1, 0, 1, 0}).folder(), "-_0_1_0");
  // Records of run time name no attempt and are about the same compile.
  EXPECT_EQ((CompileId{-1, 0, 1, -1}).folder(), "-_0_1_0");
  EXPECT_EQ(CompileId().folder(), "-_-_-_-");
}

} // namespace
