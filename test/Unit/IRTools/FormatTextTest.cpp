//===- FormatTextTest.cpp - indentation of MLIR text -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/FormatText.h"

#include "dialects/RegisterDialects.h"
#include "mica/Support/Files.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace mica;
namespace fs = std::filesystem;

namespace {

std::string formatted(llvm::StringRef text, size_t unreadParts = 0) {
  std::vector<irtools::UnreadPart> unread;
  const std::string result = irtools::formatText(text, allDialects(), unread);
  EXPECT_EQ(unread.size(), unreadParts) << (unread.empty() ? "" : unread.front().error) << "\n" << text.str();
  std::vector<irtools::UnreadPart> again;
  EXPECT_EQ(irtools::formatText(result, allDialects(), again), result);
  return result;
}

/// The generic form without locations.
std::string printed(llvm::StringRef text) {
  mlir::MLIRContext context(allDialects(), mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
  std::string out;
  if (module) {
    llvm::raw_string_ostream os(out);
    module->print(os, mlir::OpPrintingFlags().printGenericOpForm());
  }
  return out;
}

TEST(FormatText, IndentsOpsBlocksAndRegions) {
  EXPECT_EQ(formatted("func.func @f(%x: i1) -> i32 {\n"
                      "%0 = scf.if %x -> i32 {\n"
                      "        %a = arith.constant 1 : i32   \n"
                      "   scf.yield %a : i32\n"
                      "} else {\n"
                      "\t%b = arith.constant 2 : i32\n"
                      "  scf.yield %b : i32\n"
                      "    }\n"
                      " cf.br ^bb1(%0 : i32)\n"
                      "   ^bb1(%r: i32):\n"
                      "return %r : i32\n"
                      "}"),
            "func.func @f(%x: i1) -> i32 {\n"
            "  %0 = scf.if %x -> i32 {\n"
            "    %a = arith.constant 1 : i32\n"
            "    scf.yield %a : i32\n"
            "  } else {\n"
            "    %b = arith.constant 2 : i32\n"
            "    scf.yield %b : i32\n"
            "  }\n"
            "  cf.br ^bb1(%0 : i32)\n"
            "^bb1(%r: i32):\n"
            "  return %r : i32\n"
            "}\n");
}

TEST(FormatText, KeepsTheDistanceOfContinuedLines) {
  EXPECT_EQ(formatted("#map = affine_map<(d0) ->\n"
                      "                  (d0)>\n"
                      "    func.func @f(%x: tensor<4xf32>,\n"
                      "                 %y: tensor<4xf32>) -> tensor<4xf32> {\n"
                      "%0 = linalg.generic {indexing_maps = [#map, #map],\n"
                      "                     iterator_types = [\"parallel\"]}\n"
                      "    ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {\n"
                      "^bb0(%in: f32, %out: f32):\n"
                      "linalg.yield %in : f32\n"
                      "} -> tensor<4xf32>\n"
                      "return %0 : tensor<4xf32>\n"
                      "}\n"),
            "#map = affine_map<(d0) ->\n"
            "                  (d0)>\n"
            "func.func @f(%x: tensor<4xf32>,\n"
            "             %y: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %0 = linalg.generic {indexing_maps = [#map, #map],\n"
            "                       iterator_types = [\"parallel\"]}\n"
            "      ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {\n"
            "  ^bb0(%in: f32, %out: f32):\n"
            "    linalg.yield %in : f32\n"
            "  } -> tensor<4xf32>\n"
            "  return %0 : tensor<4xf32>\n"
            "}\n");
}

TEST(FormatText, KeepsCommentsAndBracesInThem) {
  EXPECT_EQ(formatted("// RUN: mica-opt {\n"
                      "module {\n"
                      "// CHECK: {{.*}}\n"
                      " // about f }\n"
                      "func.func private @f(f32) attributes {text = \"a } // \\\" { b\"}\n"
                      "       // the end\n"
                      "}\n"
                      "  "),
            "// RUN: mica-opt {\n"
            "module {\n"
            "// CHECK: {{.*}}\n"
            "  // about f }\n"
            "  func.func private @f(f32) attributes {text = \"a } // \\\" { b\"}\n"
            "  // the end\n"
            "}\n");
}

TEST(FormatText, KeepsGenericFormAndUnknownOps) {
  EXPECT_EQ(formatted("\"a.op\"() ({\r\n"
                      "%0:2 =\n"
                      "    \"b.op\"() {\n"
                      "x = 1 : i32\n"
                      "} : () -> (i32, i32)\n"
                      "}, {\n"
                      "\"c.op\"() : () -> ()\n"
                      "}) : () -> ()\n"),
            "\"a.op\"() ({\r\n"
            "  %0:2 =\n"
            "      \"b.op\"() {\n"
            "  x = 1 : i32\n"
            "  } : () -> (i32, i32)\n"
            "}, {\n"
            "  \"c.op\"() : () -> ()\n"
            "}) : () -> ()\n");
}

TEST(FormatText, LeavesPartsThatDoNotParse) {
  EXPECT_EQ(formatted("  func.func private @f()\n"
                      "// -----\n"
                      "  func.func @g( {\n"
                      "// -----\n"
                      "  func.func private @h()\n",
                      1),
            "func.func private @f()\n"
            "// -----\n"
            "  func.func @g( {\n"
            "// -----\n"
            "func.func private @h()\n");
}

/// Formats `text`: the words remain, the result is its own format, and the program is the same. Whether lines moved.
bool keeps(llvm::StringRef text, const fs::path &file, size_t &unreadParts) {
  std::vector<irtools::UnreadPart> unread, again;
  const std::string result = irtools::formatText(text, allDialects(), unread);
  unreadParts += unread.size();
  EXPECT_EQ(irtools::formatText(result, allDialects(), again), result) << file;
  llvm::SmallVector<llvm::StringRef> before, after;
  text.rtrim().split(before, '\n');
  llvm::StringRef(result).rtrim().split(after, '\n');
  EXPECT_EQ(before.size(), after.size()) << file;
  for (size_t line = 0; line < std::min(before.size(), after.size()); ++line)
    EXPECT_EQ(before[line].trim(), after[line].trim()) << file;
  if (result == text)
    return false;
  before.clear(), after.clear();
  text.split(before, "// -----");
  llvm::StringRef(result).split(after, "// -----");
  EXPECT_EQ(before.size(), after.size()) << file;
  for (size_t part = 0; part < std::min(before.size(), after.size()); ++part)
    EXPECT_EQ(printed(before[part]), printed(after[part])) << file;
  return true;
}

TEST(FormatText, KeepsAllProgramsOfTheTree) {
  size_t files = 0, moved = 0, unread = 0, restored = 0, lines = 0;
  for (const char *folder : {"dialects", "docs", "test"})
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(MICA_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".mlir" || entry.file_size() > 100000)
        continue;
      const Result<std::string> text = readFile(entry.path());
      ASSERT_TRUE(bool(text)) << entry.path();
      ++files;
      size_t unreadHere = 0;
      keeps(*text, entry.path(), unreadHere);
      unread += unreadHere;
      // The same without any indentation, which brings back that of ops and blocks.
      std::string flat;
      llvm::SmallVector<llvm::StringRef> original, again;
      llvm::StringRef(*text).split(original, '\n');
      for (llvm::StringRef line : original)
        flat += (line.ltrim() + "\n").str();
      moved += keeps(flat, entry.path(), unreadHere);
      if (unreadHere)
        continue;
      std::vector<irtools::UnreadPart> parts;
      const std::string result = irtools::formatText(flat, allDialects(), parts);
      llvm::StringRef(result).split(again, '\n');
      for (size_t line = 0; line < std::min(original.size(), again.size()); ++line)
        restored += original[line].rtrim() == again[line], ++lines;
    }
  EXPECT_GT(files, 300u);
  EXPECT_GT(moved, 300u);
  EXPECT_LT(unread, files / 5);
  EXPECT_GT(double(restored), 0.9 * double(lines));
  std::printf("%zu files, %zu without indentation changed, %zu parts do not parse, %zu of %zu lines restored\n", files,
              moved, unread, restored, lines);
}

} // namespace
