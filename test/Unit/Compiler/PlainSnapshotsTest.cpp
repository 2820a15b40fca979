//===- PlainSnapshotsTest.cpp - snapshots as text files -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Record/PlainSnapshots.h"

#include "dialects/RegisterDialects.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

namespace {

DialectRegistry allDialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

struct PlainSnapshotsTest : public ::testing::Test {
  PlainSnapshotsTest() : registry(allDialects()), context(registry), archive(&context) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    options.assumeVerified = true;
  }
  ~PlainSnapshotsTest() override { fs::remove_all(folder); }

  void keep(const std::string &name, llvm::StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text.str();
    archive.fingerprint(*module);
    archive.keep(name);
  }
  void waitForInput() const {
    while (!fs::exists(folder + "/0000_input.mlir"))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::map<std::string, std::string> there() const {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
      files[entry.path().filename()] = *readFile(entry.path());
    return files;
  }
  /// The same files, made from the whole archive.
  std::map<std::string, std::string> expected() {
    std::map<std::string, std::string> files;
    std::mutex mutex;
    MLIRContext other(registry);
    SnapshotOptions hashed = options;
    EXPECT_TRUE(unpackSnapshots(archive.contents(), "test.pack", &other, hashed,
                                [&](const std::string &name, const UnpackedSnapshot &snapshot) {
                                  std::lock_guard lock(mutex);
                                  files[name] = snapshot.text;
                                  files[name + ".map.json"] = snapshot.map;
                                  return true;
                                }));
    return files;
  }

  DialectRegistry registry;
  MLIRContext context;
  SnapshotArchive archive;
  SnapshotOptions options;
  const std::string folder = ::testing::TempDir() + "plain-snapshots";
};

constexpr llvm::StringLiteral kAdd = R"(
  func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
    %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %s = mica.add %a, %c : tensor<4xf32>
    return %s : tensor<4xf32>
  })";

TEST_F(PlainSnapshotsTest, FilesFollowThePack) {
  keep("0000_input.mlir", kAdd);
  PlainSnapshots plain(archive, registry, folder, options);
  for (int i = 1; i <= 40; ++i) {
    keep(std::to_string(1000 + i) + "_pass.mlir",
         "func.func @g" + std::to_string(i % 7) + "(%a: tensor<" + std::to_string(i) + "xf32>) { return }");
    plain.wake();
  }
  ASSERT_TRUE(plain.finish()) << plain.problem();
  const std::map<std::string, std::string> files = there();
  EXPECT_EQ(files.size(), 82u);
  EXPECT_EQ(files, expected());
  // What is said of them, in the order of the names.
  ASSERT_EQ(plain.files().size(), files.size());
  auto said = plain.files().begin();
  for (const auto &[name, text] : files) {
    EXPECT_EQ(said->name, name);
    EXPECT_EQ(said->hash, hashHex(text)) << name;
    EXPECT_FALSE(said->packed);
    ++said;
  }
}

/// Distinct attributes that are one in a snapshot stay one, though they came with different snapshots.
TEST_F(PlainSnapshotsTest, DistinctAttributesStayWhatTheyAre) {
  keep("0000_input.mlir", kAdd);
  PlainSnapshots plain(archive, registry, folder, options);
  waitForInput();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      R"(module attributes {a.x = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = <"a.c" in "b">,
                                                        isOptimized = false, emissionKind = None>,
                            a.y = distinct[0]<>} {})",
      ParserConfig(&context));
  ASSERT_TRUE(module);
  // The attribute first inside of another one, then by itself.
  const Attribute distinct = (*module)->removeAttr("a.y");
  archive.fingerprint(*module);
  archive.keep("0001_a.mlir");
  plain.wake();
  // Long enough for the thread to take the first by itself, nearly always.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  (*module)->setAttr("a.y", distinct);
  archive.fingerprint(*module);
  archive.keep("0002_b.mlir");
  plain.wake();
  ASSERT_TRUE(plain.finish()) << plain.problem();
  EXPECT_EQ(there(), expected());
  EXPECT_EQ(there()["0002_b.mlir"].find("distinct[1]"), std::string::npos) << there()["0002_b.mlir"];
}

TEST_F(PlainSnapshotsTest, WhatIsNotFinishedIsRemoved) {
  {
    PlainSnapshots plain(archive, registry, folder, options);
    keep("0000_input.mlir", kAdd);
    plain.wake();
    waitForInput();
  }
  EXPECT_TRUE(there().empty());
}

TEST_F(PlainSnapshotsTest, AFolderThatCannotBeWrittenIsAProblem) {
  std::ofstream(folder + "/file") << "no folder";
  PlainSnapshots plain(archive, registry, folder + "/file", options);
  keep("0000_input.mlir", kAdd);
  plain.wake();
  EXPECT_FALSE(plain.finish());
  EXPECT_NE(plain.problem().find("plain-snapshots/file"), std::string::npos) << plain.problem();
  EXPECT_TRUE(plain.files().empty());
}

} // namespace
